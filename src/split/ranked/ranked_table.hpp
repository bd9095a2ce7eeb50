// SPDX-License-Identifier: Apache-2.0
// A table as exact ranks: the number of smaller distinct cells of the column. Made once per fit and shared by all trees.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/buffer.hpp"
#include "base/monitor.hpp"
#include "data/codes.hpp"

namespace bough {

struct RankedColumn {
  Kind kind = Kind::numeric;
  std::uint32_t n_levels = 0;            ///< ordinal
  std::vector<double> cells;             ///< by rank, increasing: numbers, or level indices
  const std::uint8_t* narrow = nullptr;  ///< by row, where a byte holds all ranks
  const std::uint16_t* wide = nullptr;   ///< by row, else
};

struct RankedTable {
  std::vector<RankedColumn> columns;
  // [column * rows + row]: what the columns point at; a column has its ranks in one of them.
  Buffer<std::uint8_t> narrow;
  Buffer<std::uint16_t> wide;
  /// [row * columns + column]: small nodes look at many columns of few rows.
  Buffer<std::uint16_t> by_row;
};

/// Ranks of all columns; nothing where a column is a category, has missing cells, or has more distinct cells than two bytes hold.
std::optional<RankedTable> rank_table(const CodedTable& table, Monitor& monitor);

}  // namespace bough
