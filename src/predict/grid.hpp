// SPDX-License-Identifier: Apache-2.0
// The rows of a table or matrix as grids of cells, block by block: in place where the memory allows, else
// copied.
#pragma once

#include <cstdint>
#include <functional>
#include <variant>

#include "data/cells.hpp"
#include "predict/compact.hpp"

namespace bough {

/// Some rows: their number in the table, how many, and their cells.
struct GridBlock {
  std::size_t begin = 0;
  std::size_t count = 0;
  std::variant<CellGrid<float>, CellGrid<double>> cells;
};

/// Calls body(block) for all rows, possibly in parallel.
void for_grids(const RowReader& reader, const std::function<void(const GridBlock&)>& body,
               std::size_t rows = 2048);
/// The same for a matrix of cells as route() takes them. Throws bad_data unless the cells are f32 or f64.
/// `rows`: how many of them a block has at the most.
void for_grids(const MatrixView& matrix, const std::function<void(const GridBlock&)>& body,
               std::size_t rows = 2048);

}  // namespace bough
