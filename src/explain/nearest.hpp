// SPDX-License-Identifier: Apache-2.0
// The ending of a tree that a row reaches by the smallest change of its cells.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// Which numbers a column can hold.
enum class Grid : std::uint8_t { reals, floats, whole };

/// How a column may change.
struct ColumnRule {
  Kind kind = Kind::numeric;
  Grid grid = Grid::reals;
  double spread = 1.0;  ///< a change of this size counts 1
  std::uint32_t n_levels = 0;
  bool may_rise = true;
  bool may_fall = true;  ///< neither: fixed
};

/// How far apart the finite cells of a column are, and whether all of them are whole.
struct ColumnSpread {
  double deviation = 0.0;  ///< standard deviation; 0 where there is none
  bool whole = false;      ///< never for one row, which says nothing
};
ColumnSpread spread_of(std::span<const double> cells);

/// A column that changes: to `cell`; `low` < x <= `high` or one of `levels` would do.
struct Move {
  ColId column = 0;
  double cell = 0.0, size = 0.0, low = 0.0, high = 0.0;
  std::vector<std::uint32_t> levels{};
};

struct Nearest {
  NodeId node = -1;  ///< -1: no ending can be reached
  std::vector<Move> moves{};
  double distance = 0.0;
};

/// Fewest moves, then the smallest distance, then the first node among the endings for which wanted(node)
/// holds. No test of the tree is oblique, and no cell of the row is decided by surrogates or by share
/// (how_decided).
Nearest find_nearest(const Tree& tree, std::span<const double> row, std::span<const ColumnRule> rules,
                     const std::function<bool(NodeId)>& wanted);

/// The smallest change of one column after which wanted(row) holds, by trying all that the tests of the tree
/// tell apart: exact whatever they do with missing cells. The first of equals. No test is oblique.
std::optional<Move> find_single(const Tree& tree, std::span<const double> row,
                                std::span<const ColumnRule> rules,
                                const std::function<bool(std::span<const double>)>& wanted);

/// The smallest number of the grid above `low`, and the largest that is not above `high`.
double grid_above(double low, Grid grid);
double grid_at_most(double high, Grid grid);

}  // namespace bough
