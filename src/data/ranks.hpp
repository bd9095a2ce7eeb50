// SPDX-License-Identifier: Apache-2.0
// Ranks of columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "data/codes.hpp"

namespace bough {

/// Ranks columns [first, first + count) of a table, whose cells it reads together: those of a row often lie side by side.
class ColumnRanker {
 public:
  ColumnRanker(const CodedTable& table, std::size_t first, std::size_t count);
  /// The rank of every cell of column first + k, kMissingRank for missing ones; false when there are more than 65535 distinct
  /// cells. `by_rank` (may be null, else empty) gets them in order. For different columns at once, if need be.
  bool rank(std::size_t k, std::span<std::uint16_t> ranks, std::vector<double>* by_rank) const;

 private:
  const CodedTable* table_;
  std::size_t first_;
  enum class Kept : std::uint8_t { codes, floats, doubles };
  std::vector<Kept> kept_;  // what is read of each column
  Buffer<float> floats_;    // [k * n_rows + row], of numbers without buckets of one value each
  Buffer<double> doubles_;
};

}  // namespace bough
