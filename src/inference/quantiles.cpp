// SPDX-License-Identifier: Apache-2.0
// Quantiles of the targets that leaves have kept: of a tree, and weighted over the trees of a forest.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"
#include "bough/intervals.hpp"
#include "grow/estimate.hpp"
#include "model/calibration.hpp"
#include "predict/leaf_rows.hpp"

namespace bough {
namespace {

// Which kept rows speak for every node: those below it, or below the nearest node above that has enough of
// them.
class Speakers {
 public:
  Speakers(const Model& model, const LeafSamples& samples) : samples_(samples) {
    const Params& params = model.params();
    const bool silent = params.honest && params.honest_method == "apply" && params.honest_prior == "ignore";
    const bool to_root = params.honest && params.honest_prior == "empirical";
    for (std::size_t t = 0; t < model.trees().size(); ++t) {
      const Tree& tree = model.trees()[t];
      const std::vector<NodeId> past = subtree_ends(tree), parents = tree.parents();
      const std::size_t first = samples.first_of_tree[t];
      for (NodeId node = 0; node < tree.n_nodes(); ++node) {
        const auto i = static_cast<std::size_t>(node);
        const std::size_t begin = samples.starts[first + i],
                          end = samples.starts[first + static_cast<std::size_t>(past[i])];
        if (!params.honest ||
            answers_itself(tree, node, params.min_honest_rows, params.min_weight_fraction_leaf))
          runs_.emplace_back(begin, end);
        else if (silent)
          runs_.emplace_back(begin, begin);
        else
          runs_.push_back(runs_[first + (to_root ? 0 : static_cast<std::size_t>(parents[i]))]);
      }
    }
  }

  // Adds the rows of a node with weights that add up to 1.
  void add(std::size_t tree, NodeId node, std::vector<std::pair<std::uint32_t, double>>& out) const {
    const auto [begin, end] = runs_[samples_.first_of_tree[tree] + static_cast<std::size_t>(node)];
    double total = 0.0;
    for (std::size_t k = begin; k < end; ++k) total += weight(samples_.rows[k]);
    for (std::size_t k = begin; k < end; ++k)
      out.emplace_back(samples_.rows[k], weight(samples_.rows[k]) / total);
  }

 private:
  [[nodiscard]] double weight(std::uint32_t row) const {
    return samples_.weights.empty() ? 1.0 : samples_.weights[row];
  }

  const LeafSamples& samples_;
  std::vector<std::pair<std::size_t, std::size_t>> runs_;  // per node of all trees
};

}  // namespace

std::vector<double> predict_quantile(const Model& model, const Table& table, std::span<const double> levels,
                                     const Execution& execution) {
  for (const double level : levels)
    if (!(level >= 0.0 && level <= 1.0))
      throw Error(ErrorCode::bad_params, fmt::format("there is no quantile {}", level),
                  "levels are between 0 and 1");
  const auto samples = read_leaf_samples(model.parts());
  if (!samples)
    throw Error(ErrorCode::not_supported, "the model kept no targets of its leaves",
                "fit a regression with leaf_samples=true");
  const Speakers speakers(model, *samples);
  const auto n_rows = static_cast<std::size_t>(table.n_rows());
  std::vector<double> out(n_rows * levels.size());
  // Some rows at a time, so that the leaves of all trees fit into memory.
  const std::size_t at_once = std::max<std::size_t>(1, (std::size_t{1} << 24) / model.trees().size());
  for (std::size_t begin = 0; begin < n_rows; begin += at_once) {
    const std::size_t count = std::min(at_once, n_rows - begin);
    std::vector<RowId> some(count);
    for (std::size_t i = 0; i < count; ++i) some[i] = static_cast<RowId>(begin + i);
    const Table part = count == n_rows ? table : table.take(some);
    std::vector<std::vector<NodeId>> leaves;
    for (std::size_t t = 0; t < model.trees().size(); ++t) leaves.push_back(model.apply(part, t, execution));
    with_threads(execution.threads, [&] {
      parallel_ranges(count, 64, [&](std::size_t from, std::size_t to) {
        std::vector<std::pair<std::uint32_t, double>> rows;
        for (std::size_t i = from; i < to; ++i) {
          rows.clear();
          for (std::size_t t = 0; t < leaves.size(); ++t) speakers.add(t, leaves[t][i], rows);
          std::sort(rows.begin(), rows.end());
          double total = 0.0;
          for (const auto& row : rows) total += row.second;
          if (rows.empty()) {
            std::fill_n(out.begin() + static_cast<std::ptrdiff_t>((begin + i) * levels.size()), levels.size(),
                        std::numeric_limits<double>::quiet_NaN());
            continue;
          }
          for (std::size_t q = 0; q < levels.size(); ++q) {
            double below = 0.0;
            std::size_t k = 0;
            // Weights like 1 / 3 do not add up exactly.
            while (k + 1 < rows.size() && (below += rows[k].second) < levels[q] * total * (1.0 - 1e-12)) ++k;
            out[(begin + i) * levels.size() + q] = samples->targets[rows[k].first];
          }
        }
      });
    });
  }
  return out;
}

}  // namespace bough
