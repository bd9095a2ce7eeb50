// SPDX-License-Identifier: Apache-2.0
// What nodes know about treated and untreated rows: the effect, which is their value, and what it rests on.
#pragma once

#include <span>

#include "bough/tree.hpp"
#include "data/targets.hpp"

namespace bough {

struct ArmFill {
  bool effect = true;  ///< splits were for effects, else for chances of treatment: what impurity means
  double variance_price = 0.0;  ///< criterion/arms.hpp
  /// Rows of each arm that a node needs to answer by itself.
  std::int64_t min_rows = 1;
  /// What a node without them does.
  enum class Lack : std::uint8_t {
    ancestor,  ///< answers as the nearest node above that has them
    root,      ///< answers as the root
    prune      ///< the split above it is undone
  };
  Lack lack = Lack::ancestor;
  /// The rows are not those that chose the splits: impurities stay as they are.
  bool honest = false;
};

/// Sets the statistics of all nodes. `rows[h]` are the rows of handle h; those of inner nodes are their
/// children's. The value is the weighted mean of the treated rows minus that of the untreated ones, and these
/// extras say what it rests on (they are those of the node above where a node answers as that one does):
///   treated_rows, control_rows, treated_mean, control_mean,
///   treated_variance, control_variance   variance of y in the arm, 0 where it has one row
///   treated_error, control_error         standard error of the arm's mean, 0 where it has one row
/// Throws bad_data when even the root has too few rows of an arm.
void fill_arms(TreeBuilder& builder, std::span<const std::span<const RowId>> rows, const Targets& targets,
               const ArmFill& fill);

}  // namespace bough
