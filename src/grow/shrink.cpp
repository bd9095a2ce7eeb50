// SPDX-License-Identifier: Apache-2.0
// Hierarchical shrinkage (Agarwal, Tan, Ronen, Singh and Yu 2022, "Hierarchical Shrinkage").
//
// With the root t0 and the way t1, ..., tk down to a node, the node answers
//   mean(t0) + sum over i of (mean(ti) - mean(ti-1)) / (1 + lambda / weight(ti-1)),
// where mean is the node's own answer: class shares, or a number. So a leaf of few rows trusts its ancestors
// more. A row of weight 2 counts like two rows.
//
// Monotone constraints hold afterwards: below a split at m all answers of one side are <= m and all of the
// other >= m, and what shrinkage makes of a side is a mean of such answers in weights that both sides share
// in sum.
#include "grow/shrink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "predict/answer.hpp"

namespace bough {

namespace {

// Other answers for all nodes: the root keeps its own, and every further node's is next(the parent's other answer,
// what the tree's answer of the node is above the parent's, lambda / weight of the parent). A node without rows
// answers like its parent.
template <class Next>
std::vector<double> other_answers(const Tree& tree, double lambda, const Next& next) {
  const std::size_t width = tree.value_width();
  const std::vector<NodeId> parents = tree.parents();
  std::vector<double> given(parents.size() * width), other(given.size());
  for (std::size_t node = 0; node < parents.size(); ++node) {  // preorder: parents come first
    const std::span<double> mine = std::span(given).subspan(node * width, width);
    tree.values(static_cast<NodeId>(node), mine);
    normalise_outputs(tree, mine);
    const auto answers = std::span(other).subspan(node * width, width);
    if (parents[node] < 0) {
      std::ranges::copy(mine, answers.begin());
      continue;
    }
    const std::size_t above = static_cast<std::size_t>(parents[node]) * width;
    const double weight = tree.weight(parents[node]);
    const bool silent = !(tree.weight(static_cast<NodeId>(node)) > 0.0) || !(weight > 0.0);
    for (std::size_t i = 0; i < width; ++i) {
      if (silent) mine[i] = given[above + i];
      answers[i] =
          silent ? other[above + i] : next(other[above + i], mine[i] - given[above + i], lambda / weight);
    }
  }
  return other;
}

// The answers of the rows of every node, from those that shrinkage made of them: a step is multiplied by what
// it was divided by.
std::vector<double> own_answers(const Tree& tree, double lambda) {
  return other_answers(tree, lambda,
                       [](double above, double step, double ratio) { return above + step * (1.0 + ratio); });
}

// A step is known to some units in the last place of a share, times the weight that it is multiplied by: at most
// the weight of the node where it starts plus lambda.
void refuse_lost(const Tree& tree, double lambda) {
  constexpr double kMost = 1e-2;  // of a row
  const double lost = 8.0 * std::numeric_limits<double>::epsilon() * (tree.weight(0) + lambda) *
                      static_cast<double>(tree.depth());
  const double unit = tree.n_rows(0) > 0 ? tree.weight(0) / static_cast<double>(tree.n_rows(0)) : 1.0;
  if (tree.depth() == 0 || lost <= kMost * unit) return;
  throw Error(
      ErrorCode::not_supported,
      fmt::format("with shrinkage {:g} the values of the nodes no longer tell what their training rows "
                  "were",
                  lambda),
      "fit with weaker shrinkage");
}

// Class weights without the rounding of the way there and back, so that equal sums are equal again: whole
// numbers where all of them nearly are, else multiples of a unit so coarse that doubles add them exactly.
class ExactWeights {
 public:
  ExactWeights(const Tree& tree, std::vector<double>& weights) : tree_(tree), weights_(weights) {
    constexpr double kNear = 1e-2;
    const auto is_whole = [&](double weight) { return std::fabs(weight - std::rint(weight)) <= kNear; };
    const double largest = *std::max_element(weights.begin(), weights.end());
    if (!(largest > 0.0)) return;
    const std::size_t width = tree.value_width();
    const bool root = std::all_of(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(width),
                                  [](double weight) { return weight == std::rint(weight); });
    const bool whole = root && std::all_of(weights.begin(), weights.end(), is_whole);
    if (!whole) unit_ = std::ldexp(1.0, std::ilogb(largest) - 44);
    for (double& weight : weights) weight = std::max(std::rint(weight / unit_), 0.0) * unit_;
    if (!whole) add_up();
  }

 private:
  // From the leaves up, a node is the sum of its children unless rows stopped there or children have none.
  void add_up() {
    const std::size_t width = tree_.value_width();
    std::vector<double> sum(width);
    for (NodeId node = tree_.n_nodes(); node-- > 0;) {
      if (tree_.is_leaf(node)) continue;
      std::fill(sum.begin(), sum.end(), 0.0);
      for (const NodeId child : tree_.children(node))
        for (std::size_t i = 0; i < width && tree_.weight(child) > 0.0; ++i)
          sum[i] += weights_[static_cast<std::size_t>(child) * width + i];
      double* const own = &weights_[static_cast<std::size_t>(node) * width];
      const double slack = 1e-9 * tree_.weight(0);
      const bool same = std::equal(sum.begin(), sum.end(), own,
                                   [&](double a, double b) { return std::fabs(a - b) <= slack; });
      if (same) std::copy(sum.begin(), sum.end(), own);
    }
  }

  const Tree& tree_;
  std::vector<double>& weights_;
  double unit_ = 1.0;
};

}  // namespace

Tree unshrink(Tree tree, double lambda) {
  if (lambda == 0.0) return tree;
  refuse_lost(tree, lambda);
  std::vector<double> own = own_answers(tree, lambda);
  const std::size_t width = tree.value_width();
  TreeBuilder builder = TreeBuilder::from(tree);
  const bool classes = tree.task() == Task::classification;
  if (classes) {
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      const std::vector<double> shrunken = builder.stats(node).values;
      std::size_t at = 0;
      for (const std::uint32_t n : tree.output_widths()) {
        double total = 0.0;
        for (std::size_t c = at; c < at + n; ++c) total += shrunken[c];
        for (std::size_t c = at; c < at + n; ++c) own[static_cast<std::size_t>(node) * width + c] *= total;
        at += n;
      }
    }
    ExactWeights(tree, own);
  }
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    NodeStats stats = builder.stats(node);
    const auto mine = std::span(own).subspan(static_cast<std::size_t>(node) * width, width);
    stats.values.assign(mine.begin(), mine.end());
    builder.set_stats(node, stats);
  }
  return std::move(builder).finish();
}

std::vector<double> shrunken_answers(const Tree& tree, double lambda) {
  // Rounding must not make a share negative.
  const double least = tree.task() == Task::classification ? 0.0 : -std::numeric_limits<double>::infinity();
  return other_answers(tree, lambda, [least](double above, double step, double ratio) {
    return std::max(above + step / (1.0 + ratio), least);
  });
}

Tree shrink(Tree tree, double lambda) {
  if (lambda == 0.0) return tree;
  const std::vector<double> answers = shrunken_answers(tree, lambda);
  const std::size_t width = tree.value_width();
  TreeBuilder builder = TreeBuilder::from(tree);
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    NodeStats stats = builder.stats(node);
    const std::size_t first = static_cast<std::size_t>(node) * width;
    std::size_t at = 0;
    for (const std::uint32_t classes : tree.output_widths()) {
      double total = tree.task() == Task::classification ? 0.0 : 1.0;
      if (tree.task() == Task::classification)
        for (std::size_t c = at; c < at + classes; ++c) total += stats.values[c];
      for (std::size_t c = at; c < at + classes; ++c) stats.values[c] = answers[first + c] * total;
      at += classes;
    }
    builder.set_stats(node, stats);
  }
  return std::move(builder).finish();
}

}  // namespace bough
