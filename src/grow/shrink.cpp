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

#include <algorithm>

#include "predict/answer.hpp"

namespace bough {

std::vector<double> shrunken_answers(const Tree& tree, double lambda) {
  const std::size_t width = tree.value_width();
  const std::vector<NodeId> parents = tree.parents();
  std::vector<double> own(parents.size() * width), answers(own.size());
  for (std::size_t node = 0; node < parents.size(); ++node) {  // preorder: parents come first
    const std::span<double> mine = std::span(own).subspan(node * width, width);
    tree.values(static_cast<NodeId>(node), mine);
    normalise_outputs(tree, mine);
    if (parents[node] < 0) {
      std::copy(mine.begin(), mine.end(), answers.begin());
      continue;
    }
    const std::size_t above = static_cast<std::size_t>(parents[node]) * width;
    const double weight = tree.weight(parents[node]);
    const bool silent = !(tree.weight(static_cast<NodeId>(node)) > 0.0) || !(weight > 0.0);
    for (std::size_t i = 0; i < width; ++i) {
      const double step = silent ? 0.0 : (mine[i] - own[above + i]) / (1.0 + lambda / weight);
      answers[node * width + i] = answers[above + i] + step;
      if (silent) mine[i] = own[above + i];
      if (tree.task() == Task::classification)  // rounding must not make a share negative
        answers[node * width + i] = std::max(answers[node * width + i], 0.0);
    }
  }
  return answers;
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
