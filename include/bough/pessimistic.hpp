// SPDX-License-Identifier: Apache-2.0
// Pessimistic pruning (Quinlan 1987, 1993): cutting where the upper limit of the error is no worse without.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bough/tree.hpp"

namespace bough {

class Model;

struct PessimisticSpec {
  double confidence_factor = 0.25;    ///< in (0, 0.5]: chance that the limit is too low; smaller cuts more
  bool subtree_raising = true;        ///< where training rows are given
  bool j48 = false;                   ///< Weka's limit and ties instead of ours
  std::string criterion = "entropy";  ///< impurity of nodes whose rows change
};

/// Errors that `errors` of `n` training cases (fractions allowed) let us expect at worst: n times the exact
/// upper limit of the binomial error rate; with `j48` Weka's formula, which approximates it. Throws
/// bad_params for a factor outside (0, 0.5].
[[nodiscard]] double pessimistic_errors(double errors, double n, double confidence_factor, bool j48 = false);

/// Training rows for subtree raising: the cells of all columns, column by column, as the tree tests them
/// (numbers, level indices, NaN where missing), class indices and weights.
struct PruningRows {
  std::span<const double> cells;
  std::span<const std::uint32_t> classes;
  std::span<const double> weights;  ///< empty: all 1
};

/// Cuts, from the root down, every branch that makes no fewer errors on the training rows than a leaf would
/// (less than 0.001 fewer). Needs one class target; works on the statistics of the nodes.
[[nodiscard]] Tree collapse_idle(const Tree& tree);
/// From the leaves up, a node becomes a leaf when that raises the sum of pessimistic errors by at most 0.1.
/// Needs one class target; O(nodes).
[[nodiscard]] Tree prune_pessimistic(const Tree& tree, const PessimisticSpec& spec);
/// The same; a node may also be replaced by its heaviest child when that, with all rows of the node, costs at
/// most 0.1 more. Nodes whose rows change get new statistics; the rest keeps its own.
[[nodiscard]] Tree prune_pessimistic(const Tree& tree, const PessimisticSpec& spec, const PruningRows& rows);
/// Every tree of a model without raising.
[[nodiscard]] Model prune_pessimistic(const Model& model, const PessimisticSpec& spec);
/// Every tree of a model with raising; `training` is the table it was fitted on, `weight` its column of
/// weights, if any.
[[nodiscard]] Model prune_pessimistic(const Model& model, const PessimisticSpec& spec, const Table& training,
                                      const std::string& weight = {});

}  // namespace bough
