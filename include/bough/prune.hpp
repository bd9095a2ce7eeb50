// SPDX-License-Identifier: Apache-2.0
// Minimal cost-complexity pruning: the nested trees between a tree and its root, and one of them by its
// price.
#pragma once

#include <span>
#include <vector>

#include "bough/tree.hpp"

namespace bough {

class Model;

/// The trees that minimise risk + alpha * leaves as alpha rises. Step 0 is the tree itself; every later step
/// turns one more node into a leaf, the last one the root. Steps of equal alpha come in the order of their
/// nodes.
struct PruningPath {
  std::vector<double>
      alphas;                 ///< non-decreasing; the price of a leaf from which the step is taken, step 0: 0
  std::vector<double> risks;  ///< risk of the tree after the step: the sum over its leaves
  std::vector<NodeId> n_leaves;  ///< leaves after the step
  std::vector<NodeId> nodes;     ///< the node that becomes a leaf, -1 for step 0
};

/// Risk of every node by impurity: its share of the root's weight times its impurity.
[[nodiscard]] std::vector<double> impurity_risk(const Tree& tree);

/// The whole path in O(n log n) for n nodes, whatever the shape. `risk` is the risk of every node if it were
/// a leaf (any finite numbers). Throws bad_params when it does not fit the tree.
[[nodiscard]] PruningPath cost_complexity_path(const Tree& tree, std::span<const double> risk);
/// The same with impurity_risk(), as scikit-learn has it.
[[nodiscard]] PruningPath cost_complexity_path(const Tree& tree);

/// The tree after the last step of `path`, which must be its own, whose alpha is at most `alpha`. Nodes keep
/// their order, numbers and values. alpha 0 returns the tree as it is. Throws bad_params for a negative alpha
/// or NaN.
[[nodiscard]] Tree prune(const Tree& tree, const PruningPath& path, double alpha);
/// The same with the path by impurity.
[[nodiscard]] Tree prune(const Tree& tree, double alpha);
/// Every tree of a model pruned by impurity. The result is the model that fit() gives with ccp_alpha = alpha.
[[nodiscard]] Model prune(const Model& model, double alpha);

}  // namespace bough
