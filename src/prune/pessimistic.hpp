// SPDX-License-Identifier: Apache-2.0
// What the files of pessimistic pruning share: checks, the charge of a leaf, how much dearer is as good.
#pragma once

#include "bough/pessimistic.hpp"

namespace bough {

inline constexpr double kWekaSlack = 1e-6;

/// By how much one choice may be dearer than another and still be taken.
inline double slack_of(const PessimisticSpec& spec) noexcept {
  return 0.1 + (spec.j48 ? kWekaSlack : 0.0);
}
/// Throws bad_params.
void check_confidence_factor(double factor);
/// Throws not_supported unless the tree is for one class target.
void check_one_class_target(const Tree& tree);
/// Pessimistic errors of a leaf; none without rows.
double leaf_charge(double errors, double weight, const PessimisticSpec& spec);

/// The tree with statistics, shares and gains from these rows; `criterion` names the impurity.
Tree refill_tree(const Tree& tree, const PruningRows& rows, const std::string& criterion);

}  // namespace bough
