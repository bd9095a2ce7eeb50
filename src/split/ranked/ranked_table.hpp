// SPDX-License-Identifier: Apache-2.0
// A table as exact ranks: the number of smaller distinct cells of the column. Made once per fit and shared by all trees.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/buffer.hpp"
#include "base/monitor.hpp"
#include "bough/table.hpp"
#include "data/codes.hpp"

namespace bough {

struct RankedColumn {
  Kind kind = Kind::numeric;
  std::uint32_t n_levels = 0;            ///< ordinal
  std::vector<double> cells;             ///< by rank, increasing: numbers, or level indices
  const std::uint8_t* narrow = nullptr;  ///< by row, where a byte holds all ranks
  const std::uint16_t* wide = nullptr;   ///< by row, else
  std::int16_t common = -1;  ///< narrow: the rank of so many rows that counting the others pays; -1: none
  std::int32_t bit = -1;     ///< two values: the bit in the words of TwoValued
  std::uint8_t rare = 0;     ///< of these: the rank that fewer rows have
};

/// Columns of two values side by side: words of 64 of them by row, bits that say who is at the rarer value.
struct TwoValued {
  std::vector<std::size_t> columns;                ///< by bit
  std::vector<std::vector<std::uint64_t>> by_row;  ///< [bit / 64][row]
  std::size_t n_rare = 0;                          ///< bits that are set
};

struct RankedTable {
  std::vector<RankedColumn> columns;
  // [column * rows + row]: what the columns point at; a column has its ranks in one of them.
  Buffer<std::uint8_t> narrow;
  Buffer<std::uint16_t> wide;
  /// [row * columns + column]: small nodes look at many columns of few rows.
  Buffer<std::uint16_t> by_row;
  TwoValued two_valued;
};

/// Whether rank_table() may know the columns, as far as their kinds and some of their cells can tell: ranking takes cells that
/// have been read, and other engines read them again in their own way.
bool may_rank(const Table& table, const Schema& features);
/// Ranks of all columns; nothing where a column is a category, has missing cells, or has more distinct cells than two bytes hold.
std::optional<RankedTable> rank_table(const CodedTable& table, Monitor& monitor);

}  // namespace bough
