// SPDX-License-Identifier: Apache-2.0
// Effects of nodes: exact means, and spreads that are joined from children to parents without cancellation.
#include "grow/fill_arms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "bough/error.hpp"
#include "grow/sorted_rows.hpp"
#include "split/stats/treatment_family.hpp"

namespace bough {
namespace {

using Handle = TreeBuilder::Handle;

// Weight, mean and sum of weight * (y - mean)^2 (Chan, Golub, LeVeque 1979).
struct ArmSpread {
  double weight = 0.0;
  double mean = 0.0;
  double squares = 0.0;

  void join(const ArmSpread& other) noexcept {
    if (other.weight == 0.0) return;
    const double total = weight + other.weight, step = other.mean - mean;
    squares += other.squares + step * step * (weight / total) * other.weight;
    mean += step * (other.weight / total);
    weight = total;
  }
};

// One arm of a node. Errors of weighted means need the spread under the squares of weights too.
struct ArmStats {
  int128 fine = 0;
  std::int64_t weight = 0;
  std::int64_t rows = 0;
  ArmSpread spread;
  ArmSpread squared;

  void join(const ArmStats& other) noexcept {
    fine += other.fine;
    weight += other.weight;
    rows += other.rows;
    spread.join(other.spread);
    squared.join(other.squared);
  }
  [[nodiscard]] double mean(int exponent) const noexcept {
    return std::ldexp(static_cast<double>(fine) / static_cast<double>(weight), -exponent);
  }
  [[nodiscard]] double few() const noexcept {
    return static_cast<double>(rows) / static_cast<double>(rows - 1);
  }
  [[nodiscard]] double variance() const noexcept {
    return rows < 2 ? 0.0 : spread.squares / spread.weight * few();
  }
  [[nodiscard]] double error() const noexcept {
    if (rows < 2) return 0.0;
    const double step = squared.mean - spread.mean;
    return std::sqrt((squared.squares + squared.weight * step * step) * few()) / spread.weight;
  }
};

struct NodeArms {
  ArmStats arm[2];
  ArmPair sums;
};

class ArmFiller {
 public:
  ArmFiller(TreeBuilder& builder, std::span<const std::span<const RowId>> rows, const Targets& targets,
            const ArmFill& fill)
      : builder_(builder), rows_(rows), targets_(targets), fill_(fill), nodes_(builder.n_handles()) {}

  void run() {
    sum_leaves();
    for (std::size_t h = nodes_.size(); h-- > 0;) join_children(h);
    if (!enough(nodes_.front())) refuse_root();
    if (fill_.lack == ArmFill::Lack::prune) prune();
    find_sources();
    find_impurities();
    for (std::size_t h = 0; h < nodes_.size(); ++h) write(h);
  }

 private:
  void sum_leaves() {
    parallel_ranges(nodes_.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t h = begin; h < end; ++h)
        if (builder_.is_leaf(static_cast<Handle>(h)))
          for (const RowId row : sorted_rows(rows_[h], targets_.numbers.front().raw.data(), targets_))
            add(nodes_[h], row);
    });
  }

  void add(NodeArms& node, RowId row) const {
    const NumberTarget& target = targets_.numbers.front();
    ArmStats& arm = node.arm[targets_.treated[row]];
    const std::int64_t weight = targets_.weight(row);
    const double w = static_cast<double>(weight), y = target.raw[row];
    arm.fine += static_cast<int128>(to_fixed(y, target.fine)) * weight;
    arm.weight += weight;
    ++arm.rows;
    arm.spread.join({w, y, 0.0});
    arm.squared.join({w * w, y, 0.0});
    if (!fill_.honest) add_row(targets_, row, node.sums);
  }

  void join_children(std::size_t h) {
    for (const Handle child : builder_.children(static_cast<Handle>(h))) {
      const NodeArms& from = nodes_[static_cast<std::size_t>(child)];
      for (std::size_t a = 0; a < 2; ++a) {
        nodes_[h].arm[a].join(from.arm[a]);
        nodes_[h].sums[a].sum += from.sums[a].sum;
        nodes_[h].sums[a].squares += from.sums[a].squares;
        nodes_[h].sums[a].weight += from.sums[a].weight;
        nodes_[h].sums[a].rows += from.sums[a].rows;
      }
    }
  }

  [[nodiscard]] bool enough(const NodeArms& node) const {
    return std::min(node.arm[0].rows, node.arm[1].rows) >= fill_.min_rows;
  }

  [[noreturn]] void refuse_root() const {
    const NodeArms& root = nodes_.front();
    throw Error(ErrorCode::bad_data,
                fmt::format("there is nothing to compare: {} hold {} treated and {} untreated, and an effect "
                            "needs {} of each",
                            fill_.honest ? "the rows that estimate effects" : "the rows", root.arm[1].rows,
                            root.arm[0].rows, fill_.min_rows),
                fill_.honest ? "give more rows of the rarer arm, change honest_fraction or turn honest off"
                             : "give rows of both arms");
  }

  // Children have higher handles, so counts of whole subtrees decide from the root down.
  void prune() {
    for (std::size_t h = 0; h < nodes_.size(); ++h) {
      const auto handle = static_cast<Handle>(h);
      const auto children = builder_.children(handle);
      const bool lacks = std::any_of(children.begin(), children.end(), [&](Handle child) {
        return !enough(nodes_[static_cast<std::size_t>(child)]);
      });
      if (lacks) builder_.collapse(handle);
    }
  }

  void find_sources() {
    sources_.assign(nodes_.size(), 0);
    for (std::size_t h = 0; h < nodes_.size(); ++h) {
      if (enough(nodes_[h])) sources_[h] = h;
      const std::size_t heir = fill_.lack == ArmFill::Lack::root ? 0 : sources_[h];
      for (const Handle child : builder_.children(static_cast<Handle>(h)))
        sources_[static_cast<std::size_t>(child)] = heir;
    }
  }

  // Minus what a node is worth per weight, from the best node on: weight * impurity falls by what a split
  // gains.
  void find_impurities() {
    if (fill_.honest) return;
    double best = -std::numeric_limits<double>::infinity();
    const int unit = -2 * targets_.numbers.front().fixed.exponent;
    for (const NodeArms& node : nodes_) {
      if (!fill_.effect) {
        impurities_.push_back(ShareGain::impurity(node.sums));
        continue;
      }
      const double weight = static_cast<double>(node.sums[0].weight + node.sums[1].weight);
      const double worth =
          EffectGain::worth(node.sums, make_parent(node.sums), fill_.variance_price) / weight;
      impurities_.push_back(-std::ldexp(worth, unit));
      best = std::max(best, -impurities_.back());
    }
    if (fill_.effect)
      for (double& impurity : impurities_) impurity += best;
  }

  void write(std::size_t h) {
    const auto handle = static_cast<Handle>(h);
    const NodeArms& own = nodes_[h];
    const NodeArms& from = nodes_[sources_[h]];
    const int exponent = targets_.numbers.front().fine;
    NodeStats stats = builder_.stats(handle);
    stats.n_rows = own.arm[0].rows + own.arm[1].rows;
    stats.weight =
        std::ldexp(static_cast<double>(own.arm[0].weight + own.arm[1].weight), -targets_.weight_exponent);
    stats.values = {from.arm[1].mean(exponent) - from.arm[0].mean(exponent)};
    if (!fill_.honest) stats.impurity = impurities_[h];
    builder_.set_stats(handle, stats);
    constexpr const char* arms[] = {"control", "treated"};
    for (std::size_t a = 0; a < 2; ++a) {
      const ArmStats& arm = from.arm[a];
      const auto set = [&](const char* what, double value) {
        builder_.set_extra(fmt::format("{}_{}", arms[a], what), handle, value);
      };
      set("rows", static_cast<double>(arm.rows));
      set("mean", arm.mean(exponent));
      set("variance", arm.variance());
      set("error", arm.error());
    }
  }

  TreeBuilder& builder_;
  std::span<const std::span<const RowId>> rows_;
  const Targets& targets_;
  const ArmFill& fill_;
  std::vector<NodeArms> nodes_;
  std::vector<std::size_t> sources_;
  std::vector<double> impurities_;
};

}  // namespace

void fill_arms(TreeBuilder& builder, std::span<const std::span<const RowId>> rows, const Targets& targets,
               const ArmFill& fill) {
  ArmFiller(builder, rows, targets, fill).run();
}

}  // namespace bough
