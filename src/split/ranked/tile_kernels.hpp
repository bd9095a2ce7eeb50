// SPDX-License-Identifier: Apache-2.0
// Vector kernels for nodes of few rows: every row is compared with every other.
//
// Position i of a column is the cut behind the cell of row i: the rows of higher rank are on its right. Values are in the order of
// the scores: what the criterion gives, but for a factor that all cuts of a node share.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bough {

/// The most rows of a tile, and how far the ranks and values of its columns are apart: vectors may be read and written behind
/// the last row.
inline constexpr std::size_t kTileRows = 64;
inline constexpr std::size_t kTileStride = 80;
/// The most columns of a node that are searched in one call.
inline constexpr std::size_t kTileColumns = 16;

/// A node with classes, rows in the order of these: class c has class_rows[c] of them.
struct TileClasses {
  const float* weights;  ///< by row, whole numbers that add up to 4096 at most
  std::size_t n_rows;
  const std::uint32_t* class_rows;
  const float* totals;  ///< by class
  std::size_t n_classes;
  double all;      ///< weight
  double squares;  ///< of the totals, added up
};
/// sum_c (w_right l_c - w_left r_c)^2 / (w_left w_right) of every position, exact up to the division; -1 where nothing is right.
/// Fills the values and the largest of every column; returns the largest of all.
double score_tile(const TileClasses& node, const std::int32_t* ranks, std::size_t n_columns, double* values,
                  double* tops);

/// A node with numbers.
struct TileNumbers {
  const std::int64_t* targets;  ///< by row: target times weight, less some centre
  const std::int64_t* weights;
  std::size_t n_rows;
  double all;
  double sum;
};
/// d / (w_left w_right) * d with d = w s_right - s w_right, in this order.
double score_tile(const TileNumbers& node, const std::int64_t* ranks, std::size_t n_columns, double* values,
                  double* tops);

}  // namespace bough
