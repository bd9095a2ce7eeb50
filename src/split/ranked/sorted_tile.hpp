// SPDX-License-Identifier: Apache-2.0
// Whole subtrees of few rows with numbers as targets, where the processor has vectors of 64 bytes that it can permute and compress
// byte by byte. As in a tile (ranked_tile.hpp) a node is a word with one bit for each of its rows. A column is sorted once per tile;
// a node picks its rows from the sorted ones, and sums of their targets give the scores of all cuts.
//
// What comes out is what RankedTile gives, which all other processors use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "split/engine.hpp"
#include "split/ranked/ranked_table.hpp"
#include "split/ranked/tile_kernels.hpp"

namespace bough {

/// The targets of a tile, from its first row to its last.
struct SortedTileTargets {
  const std::int64_t* targets = nullptr;  ///< less some centre
  const std::int64_t* weights = nullptr;
  bool exact = false;        ///< doubles hold all products of sums and weights
  bool unit_weights = true;  ///< all weights are 1
  PowerOfTwo unit{0};        ///< of scores
  PowerOfTwo gain_unit{0};   ///< from scores to gains
};

/// The node that a tile starts from.
struct TileStart {
  std::uint32_t begin = 0;  ///< first of its rows in the tree
  std::int32_t depth = 0;
  std::uint64_t key = 0;
  std::uint32_t constant = 0;  ///< KnownConstants
  std::size_t index = 0;       ///< of nodes
};

/// What a tile is grown from and with; one per thread, for many tiles.
struct SortedTile {
  // A column, its rows in the order of their ranks.
  struct alignas(64) Column {
    std::uint8_t order[kTileRows];  // rows
    std::uint8_t ranks[kTileRows];  // of these: how many different ranks are lower
    std::uint64_t ends;             // the last ones of their rank
    std::uint32_t tile;             // that this is of
  };
  // Targets (times weights) and weights in that order, for nodes of many rows.
  struct alignas(64) Sums {
    std::int64_t targets[kTileRows];
    std::int64_t weights[kTileRows];
  };
  // A cut that was found: the ranks beside it.
  struct Between {
    std::uint32_t node = 0;
    std::uint16_t low = 0, high = 0;
  };

  SortedTile(const RankedTable& of, ColumnDraw& draw)
      : table(&of), columns(&draw), sorted(of.columns.size()), sums(of.columns.size()) {}

  const RankedTable* table;
  ColumnDraw* columns;
  std::vector<Column> sorted;  // by column
  std::vector<Sums> sums;
  std::uint32_t tiles = 0;
  std::vector<Between> between;
};

/// Whether there are sorted tiles on this processor.
bool has_sorted_tiles() noexcept;

/// Grows the subtree of rows and puts them in the order of the leaves, as RankedTile::grow() does. `known`: those of the first 64
/// columns that are constant here.
void grow_sorted_tile(SortedTile& tile, const SortedTileTargets& targets, std::span<RowId> rows,
                      const TileStart& start, std::uint64_t known, const SubtreeRules& rules, bool drawn,
                      std::vector<WholeNode>& nodes);

}  // namespace bough
