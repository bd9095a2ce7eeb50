// SPDX-License-Identifier: Apache-2.0
// Node statistics from exact sums: leaves from their rows, inner nodes from their children.
#include "grow/fill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "base/buffer.hpp"
#include "base/math.hpp"
#include "base/parallel.hpp"
#include "split/order_family.hpp"

namespace bough {
namespace {

using Handle = TreeBuilder::Handle;

constexpr int kRestBits = 61;
constexpr double kRestUnit = 0x1p61;

// Sums of one node: a cell per class of every output, or per number target.
template <class Cell>
struct NodeSums {
  std::span<Cell> cells;
  std::int64_t weight = 0;
  std::int64_t n_rows = 0;
};

// Class weights of all outputs.
class ClassFiller {
 public:
  using Cell = std::int64_t;
  ClassFiller(const Targets& targets, CriterionId criterion) : targets_(&targets), criterion_(criterion) {
    for (const ClassTarget& target : targets.classes) width_ += target.n_classes;
  }
  [[nodiscard]] std::size_t width() const noexcept { return width_; }

  void add(NodeSums<Cell>& sums, std::span<const RowId> rows) const {
    for (const RowId row : rows) add(sums, row);
  }
  void add(NodeSums<Cell>& sums, RowId row) const {
    const std::int64_t w = targets_->weight(row);
    std::size_t begin = 0;
    for (const ClassTarget& target : targets_->classes) {
      sums.cells[begin + target.codes[row]] += w;
      begin += target.n_classes;
    }
    sums.weight += w;
    ++sums.n_rows;
  }
  static void join(Cell& to, const Cell& from) noexcept { to += from; }

  void stats(const NodeSums<Cell>& sums, NodeStats& stats) const {
    stats.n_rows = sums.n_rows;
    stats.weight = std::ldexp(static_cast<double>(sums.weight), -targets_->weight_exponent);
    std::size_t begin = 0;
    double impurity = 0.0;
    for (const ClassTarget& target : targets_->classes) {
      const ClassSide side{sums.cells.subspan(begin, target.n_classes), sums.weight};
      impurity += with_class_criterion(criterion_, [&](auto tag) { return decltype(tag)::type::impurity(side); });
      begin += target.n_classes;
    }
    stats.impurity = impurity / static_cast<double>(targets_->classes.size());
    stats.values.clear();
    for (const std::int64_t c : sums.cells)
      stats.values.push_back(std::ldexp(static_cast<double>(c), -targets_->weight_exponent));
  }

 private:
  const Targets* targets_;
  CriterionId criterion_;
  std::size_t width_ = 0;
};

// Sums of one number target. Values come from the fine sum (61 bits of the largest target) and the sum of what those bits
// leave out (61 more), so that leaves of small targets beside large ones keep their digits; impurities come from the squares
// of the fixed-point targets (squared_error) or from y log y made small (poisson).
struct NumberSums {
  int128 fine = 0;
  int128 rest = 0;
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  int128 sum = 0;
  Wide squares;
  int128 excess = 0;
};

class MomentFiller {
 public:
  using Cell = NumberSums;
  MomentFiller(const Targets& targets, CriterionId criterion) : targets_(&targets), poisson_(criterion == CriterionId::poisson) {
    for (const NumberTarget& target : targets.numbers) scales_.emplace_back(target.fine);
    if (!poisson_) return;
    for (const NumberTarget& target : targets.numbers) excesses_.push_back(make_excess(target));
  }

  [[nodiscard]] std::size_t width() const noexcept { return targets_->numbers.size(); }

  void add(NodeSums<Cell>& sums, std::span<const RowId> rows) const {
    for (const RowId row : rows) sums.weight += targets_->weight(row);
    sums.n_rows += static_cast<std::int64_t>(rows.size());
    for (std::size_t o = 0; o < sums.cells.size(); ++o)
      targets_->weights.empty() ? add<false>(sums.cells[o], rows, o) : add<true>(sums.cells[o], rows, o);
  }

  static void join(NumberSums& to, const NumberSums& from) noexcept {
    to.fine += from.fine;
    to.rest += from.rest;
    to.lowest = std::min(to.lowest, from.lowest);
    to.highest = std::max(to.highest, from.highest);
    to.sum += from.sum;
    to.squares += from.squares;
    to.excess += from.excess;
  }

  void stats(const NodeSums<Cell>& sums, NodeStats& stats) const {
    stats.n_rows = sums.n_rows;
    stats.weight = std::ldexp(static_cast<double>(sums.weight), -targets_->weight_exponent);
    double impurity = 0.0;
    stats.values.clear();
    for (std::size_t o = 0; o < sums.cells.size(); ++o) {
      const NumberSums& out = sums.cells[o];
      stats.values.push_back(mean(out, sums.weight, o));
      impurity += poisson_ ? deviance(out, sums.weight, o, stats.values.back()) : variance(out, sums.weight, o);
    }
    stats.impurity = impurity / static_cast<double>(sums.cells.size());
  }

 private:
  template <bool kWeighted>
  void add(NumberSums& sums, std::span<const RowId> rows, std::size_t o) const {
    const NumberTarget& target = targets_->numbers[o];
    const PowerOfTwo scale = scales_[o];
    constexpr std::size_t ahead = 16;
    NumberSums out = sums;
    uint128 squares = 0;  // without weights: at most the square of the sum of |y|, which is below 2^61
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i + ahead < rows.size()) {
        __builtin_prefetch(&target.raw[rows[i + ahead]]);
        __builtin_prefetch(&target.fixed.values[rows[i + ahead]]);
      }
      const RowId row = rows[i];
      const std::int64_t w = kWeighted ? targets_->weight(row) : 1;
      const double raw = target.raw[row], units = scale.times(raw);
      const std::int64_t fine = PowerOfTwo::round(units), y = target.fixed.values[row];
      out.fine += static_cast<int128>(fine) * w;
      // Exact: where `fine` was rounded it has fewer than 54 bits, and so has the difference.
      out.rest += static_cast<int128>(PowerOfTwo::round((units - static_cast<double>(fine)) * kRestUnit)) * w;
      out.lowest = raw < out.lowest ? raw : out.lowest;
      out.highest = raw > out.highest ? raw : out.highest;
      out.sum += static_cast<int128>(y) * w;
      if (poisson_) {
        out.excess += static_cast<int128>(excesses_[o].fixed.values[row]) * w;
      } else if constexpr (kWeighted) {
        out.squares += Wide::product(magnitude(static_cast<int128>(y) * y), static_cast<std::uint64_t>(w));
      } else {
        squares += magnitude(static_cast<int128>(y) * y);
      }
    }
    out.squares += Wide{0, squares};
    sums = out;
  }

  // g(y) = y log(y / c) - y + c, with c the mean of all rows. The deviance of a node of mean m is the mean of g minus g(m),
  // whatever c is; near c both are small, so that little cancels.
  struct Excess {
    double centre = 1.0;
    Fixed fixed;  // g of every row
    [[nodiscard]] double of(double y) const noexcept { return centre * xlogx_excess((y - centre) / centre); }
  };

  [[nodiscard]] Excess make_excess(const NumberTarget& target) const {
    Excess out;
    int128 sum = 0;
    for (const RowId row : targets_->rows) sum += static_cast<int128>(target.fixed.values[row]) * targets_->weight(row);
    if (sum > 0)
      out.centre = std::ldexp(static_cast<double>(sum) / static_cast<double>(targets_->total_weight), -target.fixed.exponent);
    std::vector<double> excess(target.raw.size(), 0.0);
    for (const RowId row : targets_->rows) excess[row] = out.of(target.raw[row]);
    out.fixed.exponent = fine_exponent(excess);
    for (const double g : excess) out.fixed.values.push_back(to_fixed(g, out.fixed.exponent));
    return out;
  }

  // A node whose rows agree answers with their value itself.
  [[nodiscard]] double mean(const NumberSums& sums, std::int64_t weight, std::size_t o) const {
    if (sums.lowest == sums.highest) return sums.lowest;
    const double units = static_cast<double>(sums.fine) + std::ldexp(static_cast<double>(sums.rest), -kRestBits);
    return std::ldexp(units / static_cast<double>(weight), -targets_->numbers[o].fine);
  }
  // (w * squares - sum^2) / w^2: the difference is exact, so nothing cancels.
  [[nodiscard]] double variance(const NumberSums& sums, std::int64_t weight, std::size_t o) const {
    Wide difference = sums.squares.times(static_cast<std::uint64_t>(weight));
    difference -= Wide::product(magnitude(sums.sum), magnitude(sums.sum));
    const double w = static_cast<double>(weight);
    return std::ldexp(difference.to_double() / w / w, -2 * targets_->numbers[o].fixed.exponent);
  }
  [[nodiscard]] double deviance(const NumberSums& sums, std::int64_t weight, std::size_t o, double m) const {
    const Excess& excess = excesses_[o];
    const double mean_excess =
        std::ldexp(static_cast<double>(sums.excess) / static_cast<double>(weight), -excess.fixed.exponent);
    const double deviance = mean_excess - excess.of(m);
    return sums.lowest == sums.highest || deviance < 0.0 ? 0.0 : deviance;
  }

  const Targets* targets_;
  bool poisson_;
  std::vector<PowerOfTwo> scales_;  // per output: to the fine fixed point
  std::vector<Excess> excesses_;  // per output; poisson only
};

NodeStats order_stats(std::span<const RowId> rows, const Targets& targets, const QuantileLoss& rule) {
  if (rows.empty()) return {0, 0.0, 0.0, std::vector<double>(targets.numbers.size(), 0.0)};
  NodeStats stats;
  stats.n_rows = static_cast<std::int64_t>(rows.size());
  std::int64_t weight = 0;
  for (const RowId row : rows) weight += targets.weight(row);
  stats.weight = std::ldexp(static_cast<double>(weight), -targets.weight_exponent);
  double impurity = 0.0;
  std::vector<RowId> sorted(rows.begin(), rows.end());
  for (const NumberTarget& target : targets.numbers) {
    const auto fine = [&](RowId row) { return to_fixed(target.raw[row], target.fine); };
    std::sort(sorted.begin(), sorted.end(), [&](RowId a, RowId b) { return target.raw[a] < target.raw[b]; });
    const QuantilePoint point = quantile_point(
        sorted.size(), rule, [&](std::size_t i) { return fine(sorted[i]); },
        [&](std::size_t i) { return targets.weight(sorted[i]); });
    const double low = target.raw[sorted[point.low_at]], high = target.raw[sorted[point.high_at]];
    stats.values.push_back(low == high ? low : low / 2 + high / 2);
    impurity += std::ldexp(point.loss / static_cast<double>(weight), -target.fine);
  }
  stats.impurity = impurity / static_cast<double>(targets.numbers.size());
  return stats;
}

// Leaves in parallel, then parents from children: children have higher handles than their parents.
template <class Filler>
void fill_additive(TreeBuilder& builder, std::span<const std::span<const RowId>> rows, const Filler& filler, bool own_rows) {
  using Cell = typename Filler::Cell;
  const std::size_t n = builder.n_handles(), width = filler.width();
  Buffer<Cell> cells(n * width);
  std::vector<NodeSums<Cell>> sums(n);
  // Few nodes mean large ones.
  parallel_ranges(n, n < 4096 ? 1 : 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t h = begin; h < end; ++h) {
      sums[h].cells = std::span(cells.data() + h * width, width);
      std::fill(sums[h].cells.begin(), sums[h].cells.end(), Cell{});
      if (!own_rows && !builder.is_leaf(static_cast<Handle>(h))) continue;
      filler.add(sums[h], rows[h]);
    }
  });
  NodeStats stats;
  for (std::size_t h = n; h-- > 0;) {
    for (const Handle child : builder.children(static_cast<Handle>(h))) {
      if (own_rows) break;
      const NodeSums<Cell>& from = sums[static_cast<std::size_t>(child)];
      for (std::size_t i = 0; i < width; ++i) Filler::join(sums[h].cells[i], from.cells[i]);
      sums[h].weight += from.weight;
      sums[h].n_rows += from.n_rows;
    }
    if (sums[h].n_rows > 0)
      filler.stats(sums[h], stats);
    else
      stats = {0, 0.0, 0.0, std::vector<double>(width, 0.0)};
    builder.set_stats(static_cast<Handle>(h), stats);
  }
}

void clip(TreeBuilder& builder, std::span<const ValueBounds> bounds, bool classes) {
  for (std::size_t h = 0; h < bounds.size(); ++h) {
    NodeStats stats = builder.stats(static_cast<Handle>(h));
    if (classes) {
      const double share = std::clamp(stats.values[1] / stats.weight, bounds[h].low, bounds[h].high);
      if (share == stats.values[1] / stats.weight) continue;
      stats.values = {(1.0 - share) * stats.weight, share * stats.weight};
    } else {
      stats.values[0] = std::clamp(stats.values[0], bounds[h].low, bounds[h].high);
    }
    builder.set_stats(static_cast<Handle>(h), stats);
  }
}

}  // namespace

void fill(TreeBuilder& builder, std::span<const std::span<const RowId>> rows, const Targets& targets, const FillSpec& spec) {
  switch (criterion_info(spec.criterion).family) {
    case Family::classes:
      fill_additive(builder, rows, ClassFiller(targets, spec.criterion), spec.own_rows);
      break;
    case Family::moments:
      fill_additive(builder, rows, MomentFiller(targets, spec.criterion), spec.own_rows);
      break;
    case Family::order: {
      const QuantileLoss rule = quantile_loss(spec.criterion, spec.quantile);
      for (std::size_t h = 0; h < builder.n_handles(); ++h)
        builder.set_stats(static_cast<Handle>(h), order_stats(rows[h], targets, rule));
      break;
    }
  }
  clip(builder, spec.bounds, targets.is_classification());
}

}  // namespace bough
