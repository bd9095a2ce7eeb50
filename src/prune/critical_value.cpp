// SPDX-License-Identifier: Apache-2.0
// Critical value pruning (Mingers, "Expert systems - rule induction with statistical data", 1987).
//
// The strength of a split is what growing has gained by it: the decrease in impurity, weighted by the node's
// share of all rows, in the units of min_impurity_decrease. (For entropy that is the statistic
// G = 2 n ln 2 * gain over a number that all nodes share: a split of few rows is weak, however pure its
// children.) A node stays inner as long as its split or one below it has the critical strength: a weak split
// may be the way to a strong one.
#include <fmt/format.h>

#include <algorithm>

#include "bough/prune.hpp"

namespace bough {

Tree critical_value(const Tree& tree, double critical) {
  if (!(critical >= 0.0))
    throw Error(ErrorCode::bad_params,
                fmt::format("trees cannot be pruned with the critical value {}", critical),
                "It is a decrease in impurity, 0 or more.");
  const double total = tree.weight(0);
  std::vector<double> strongest(static_cast<std::size_t>(tree.n_nodes()), -1.0);
  TreeBuilder builder = TreeBuilder::from(tree);
  for (NodeId node = tree.n_nodes(); node-- > 0;) {
    if (tree.is_leaf(node)) continue;
    double& best = strongest[static_cast<std::size_t>(node)];
    best = total > 0.0 ? tree.gain(node) / total : 0.0;
    for (const NodeId child : tree.children(node))
      best = std::max(best, strongest[static_cast<std::size_t>(child)]);
    if (best < critical) builder.collapse(node);
  }
  return std::move(builder).finish();
}

}  // namespace bough
