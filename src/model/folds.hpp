// SPDX-License-Identifier: Apache-2.0
// Which rows growing sees and which ones judge it: held-out rows and folds.
#pragma once

#include <cstdint>
#include <vector>

#include "model/prepare.hpp"

namespace bough {

/// Rows (of positive weight) drawn by the seed; for classes every combination of labels gives its share to
/// within one row and keeps one row at least. True: held out. Throws bad_data when nothing can be held out.
std::vector<char> hold_out(const Prepared& prepared, double fraction, std::uint64_t seed);

/// The fold of every row.
struct Folds {
  static constexpr std::int32_t kNoFold = -1;  ///< of weight 0, or before all folds in time
  std::int32_t n = 0;
  bool ordered = false;  ///< a fold is judged by trees of earlier rows only
  std::vector<std::int32_t> of_row;

  /// True for rows that the tree of `fold` is grown on (weights of 0 aside).
  [[nodiscard]] bool grows(std::int32_t fold, std::size_t row) const {
    return ordered ? of_row[row] < fold : of_row[row] != fold;
  }
};

/// Divides the rows as the spec says. Throws bad_data or bad_params, saying why, when there are too few rows,
/// groups or moments, or a cell of the column is missing.
Folds make_folds(const Table& table, const Prepared& prepared, const FoldSpec& spec, std::int32_t n_folds,
                 std::uint64_t seed);

/// What prepare() would have given if the other rows had weight 0.
Prepared part_of(const Prepared& whole, const std::vector<char>& keep);

}  // namespace bough
