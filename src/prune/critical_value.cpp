// SPDX-License-Identifier: Apache-2.0
// Critical value pruning (Mingers, "Expert systems - rule induction with statistical data", 1987).
//
// The strength of a split is what growing has gained by it, per unit of weight in the node: the information
// gain for entropy. A node stays inner as long as its split or one below it has the critical strength: a weak
// split may be the way to a strong one.
#include <fmt/format.h>

#include <algorithm>

#include "bough/prune.hpp"

namespace bough {

Tree critical_value(const Tree& tree, double critical) {
  if (!(critical >= 0.0))
    throw Error(ErrorCode::bad_params,
                fmt::format("trees cannot be pruned with the critical value {}", critical),
                "It is a decrease of impurity, 0 or more.");
  std::vector<double> strongest(static_cast<std::size_t>(tree.n_nodes()), -1.0);
  TreeBuilder builder = TreeBuilder::from(tree);
  for (NodeId node = tree.n_nodes(); node-- > 0;) {
    if (tree.is_leaf(node)) continue;
    double& best = strongest[static_cast<std::size_t>(node)];
    best = tree.weight(node) > 0.0 ? tree.gain(node) / tree.weight(node) : 0.0;
    for (const NodeId child : tree.children(node))
      best = std::max(best, strongest[static_cast<std::size_t>(child)]);
    if (best < critical) builder.collapse(node);
  }
  return std::move(builder).finish();
}

}  // namespace bough
