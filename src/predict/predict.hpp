// SPDX-License-Identifier: Apache-2.0
// Rows of a table to leaves, paths and values, in parallel over blocks of rows.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bough/tree.hpp"
#include "data/cells.hpp"

namespace bough {

/// Some rows of a table in memory, as RowReader::load lays them out.
struct CellBlock {
  std::int64_t begin = 0;  ///< number of the first row in the table
  std::size_t count = 0;
  std::span<const double> cells;

  /// The cells of one row of the block, as route() takes them.
  [[nodiscard]] auto row(std::size_t i) const {
    return [all = cells, i, stride = count](ColId column) {
      return all[static_cast<std::size_t>(column) * stride + i];
    };
  }
};

/// Rows per block so that the cells of a block stay in cache.
std::int64_t block_rows(std::size_t n_columns) noexcept;
/// Loads all rows block by block and calls body(block), possibly in parallel. Which rows meet in a block
/// depends on the number of columns alone.
void for_blocks(const RowReader& reader, const std::function<void(const CellBlock&)>& body);

/// Node where every row ends (the largest share of a row that is split).
std::vector<NodeId> find_leaves(const Tree& tree, const RowReader& reader);

/// Ids of the nodes every row passes, increasing: row i owns nodes[starts[i] .. starts[i + 1]).
struct NodePaths {
  std::vector<std::int64_t> starts;
  std::vector<NodeId> nodes;
};
/// Throws not_supported when they are more than 2^29 nodes.
NodePaths find_paths(const Tree& tree, const RowReader& reader);

/// One tree's answer, row after row: value_width numbers, class shares (summing to 1 per output) or values.
std::vector<double> tree_values(const Tree& tree, const RowReader& reader);

}  // namespace bough
