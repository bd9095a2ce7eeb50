// SPDX-License-Identifier: Apache-2.0
// A block as its image has it: views of codes, cells and targets, and what the block notes between requests.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bough/scale.hpp"
#include "data/codes.hpp"

namespace bough {

/// What coding found out about the rows; facts of all blocks add up in any order.
struct BlockFacts {
  std::int64_t n_rows = 0;
  std::int64_t zero_weights = 0;
  std::vector<std::uint8_t> has_missing;  ///< by feature
  std::vector<std::array<bool, kBuckets>>
      single;  ///< by feature: buckets whose cells have one value at most in every block (and it is the cut)
  std::uint64_t cells_hash = 0;    ///< the sum that makes the data hash of the model's provenance
  std::uint64_t weights_mark = 0;  ///< depends on the order of rows, by their number in the table
  bool all_weights_one = true;
  void merge(const BlockFacts& other);
  [[nodiscard]] std::string bytes() const;
  static BlockFacts from_bytes(std::string_view bytes);
};

/// Everything views the image.
struct BlockRows {
  std::int64_t first_row = 0;  ///< number of its first row in the whole table
  CodedTable
      table;  ///< without bundles; the class byte of by_row is set where there is one target of at most 255 classes
  std::vector<std::span<const std::uint32_t>> classes;  ///< per output
  std::vector<std::span<const double>> numbers;         ///< per output, as given
  std::vector<std::uint32_t> n_classes;                 ///< per class output
  std::span<const double> weights;                      ///< class factors included; empty: all 1
  BlockFacts facts;
};

/// What a block keeps between requests (phases.cpp); only ever saves work.
class BlockNotes {
 public:
  virtual ~BlockNotes() = default;
};

struct RowBlock::State {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> image;
  BlockRows rows;
  std::unique_ptr<BlockNotes> notes;
  bool frugal = false;  ///< keep only what is dear to make again: the block is one of many in a small memory
};

}  // namespace bough
