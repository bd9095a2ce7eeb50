// SPDX-License-Identifier: Apache-2.0
// Whole subtrees of few rows with classes as targets, where the processor has vectors of 64 bytes that it can permute and compress
// byte by byte. As in a tile (ranked_tile.hpp) a node is a word with one bit for each of its rows. A column is a byte for each row,
// read once per tile; a node brings its rows together and counts, for all its cuts at once, the weight of every class on the left:
// row by row, into the bytes of those cuts that have the row there.
//
// What comes out is what RankedTile gives, which all other processors use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "split/engine.hpp"
#include "split/ranked/ranked_table.hpp"
#include "split/ranked/sorted_tile.hpp"
#include "split/ranked/tile_kernels.hpp"

namespace bough {

/// The most total weight of such a tile: a byte holds it, and two bytes its square.
inline constexpr std::int64_t kByteTileWeight = 255;

/// The rows of a tile, in the order of their classes.
struct ByteTileTargets {
  const std::uint8_t* classes = nullptr;
  const std::uint8_t* weights = nullptr;  ///< kTileRows of them
  const std::uint64_t* sets = nullptr;    ///< by class: its rows
  const std::uint64_t* planes = nullptr;  ///< the rows whose weight has bit k
  std::size_t n_planes = 1;
};

/// What a tile is grown from and with; one per thread, for many tiles.
struct ByteTile {
  struct alignas(64) Column {
    std::uint8_t ranks[kTileRows];   // narrow columns: as they are; wide ones: among the rows of the tile
    std::uint16_t whole[kTileRows];  // wide columns: the ranks themselves
    std::uint32_t tile = 0;          // that this is of
  };

  ByteTile(const RankedTable& of, ColumnDraw& drawn) : table(&of), draw(&drawn), columns(of.columns.size()) {}

  const RankedTable* table;
  ColumnDraw* draw;
  std::vector<Column> columns;
  std::uint32_t tiles = 0;
  std::vector<SortedTile::Between> between;
};

/// Whether there are such tiles on this processor.
bool has_byte_tiles() noexcept;

/// Grows the subtree of rows and puts them in the order of the leaves, as RankedTile::grow() does. `known`: those of the first 64
/// columns that are constant here.
void grow_byte_tile(ByteTile& tile, const ByteTileTargets& targets, std::span<RowId> rows,
                    const TileStart& start, std::uint64_t known, const SubtreeRules& rules, bool drawn,
                    std::vector<WholeNode>& nodes);

}  // namespace bough
