// SPDX-License-Identifier: Apache-2.0
// Vector kernels for nodes of few rows. A set of rows of a tile is a word, one bit for each; a cut is the set of the rows on its
// left. Values are in the order of the scores: what the criterion gives, but for a factor that all cuts of a node share.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bough {

/// The most rows of a tile, and how far the cuts and values of its columns are apart: vectors may be read and written behind the
/// last one.
inline constexpr std::size_t kTileRows = 64;
inline constexpr std::size_t kTileStride = 80;
/// The most columns of a node that are searched in one call.
inline constexpr std::size_t kTileColumns = 16;

/// sets[i] = the rows whose rank is at most cuts[i]; `ranks` has room for kTileRows, and what is behind the rows of the tile gives
/// bits that mean nothing.
void rows_up_to(const std::uint16_t* ranks, const std::uint16_t* cuts, std::size_t n_cuts,
                std::uint64_t* sets);

/// A column of a node: cuts of the tile, rows of other nodes among them.
struct TileCuts {
  const std::uint64_t* cuts;
  std::size_t n_cuts;
};

/// What is found of the columns of a node.
struct TileValues {
  double* values;  ///< of the cuts, kTileStride a column
  double* tops;    ///< the largest of every column
  std::uint64_t*
      near;  ///< by column: the cuts whose values are not below it by more than 10^-12 of it, and maybe others
};

/// A node with classes.
struct TileClasses {
  std::uint64_t rows;
  const std::uint64_t* planes;  ///< [class * n_planes + k]: the rows of a class whose weight has bit k
  std::size_t n_planes;
  std::size_t n_classes;
  const double* totals;  ///< weights, by class; they add up to 4096 at most
  double all;
  double squares;  ///< of the totals, added up
};
/// sum_c (w_right l_c - w_left r_c)^2 / (w_left w_right) of every cut, exact up to the division; -1 where a side is empty. Fills
/// what is found of the columns; returns the largest of all.
double score_tile(const TileClasses& node, const TileCuts* columns, std::size_t n_columns,
                  const TileValues& found);

/// A node with numbers.
struct TileNumbers {
  std::uint64_t rows;
  const std::uint64_t* bits;    ///< the rows one by one
  const std::int64_t* targets;  ///< of these: target times weight, less some centre
  std::size_t n_rows;
  const std::uint64_t* planes;  ///< the rows whose weight has bit k
  std::size_t n_planes;
  double all;
  double sum;
};
/// d / (w_left w_right) * d with d = w s_left - s w_left, in this order.
double score_tile(const TileNumbers& node, const TileCuts* columns, std::size_t n_columns,
                  const TileValues& found);

/// The largest rank of the rows on the left and the smallest of those on the right, of kTileRows ranks.
struct RanksBeside {
  std::uint16_t low;
  std::uint16_t high;
};
RanksBeside ranks_beside(const std::uint16_t* ranks, std::uint64_t left, std::uint64_t right);

}  // namespace bough
