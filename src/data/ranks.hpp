// SPDX-License-Identifier: Apache-2.0
// Ranks of columns.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "data/codes.hpp"

namespace bough {

/// The most ranks that fit a byte.
inline constexpr std::size_t kNarrowRanks = 256;

/// Where the ranks of a column go: to bytes, where there is room and it has no missing cells and at most kNarrowRanks distinct
/// ones, else to `wide`, which may be written anyway.
struct RankRoom {
  std::uint8_t* narrow = nullptr;
  std::uint16_t* wide = nullptr;
};
struct ColumnRanks {
  bool fits = false;     ///< at most internal_limits().ranks distinct cells; else nothing here holds
  bool narrow = false;   ///< the ranks are bytes
  bool missing = false;  ///< some cells are missing
};

/// Ranks columns [first, first + count) of a table, whose cells it reads together: those of a row often lie side by side.
class ColumnRanker {
 public:
  ColumnRanker(const CodedTable& table, std::size_t first, std::size_t count);
  /// The rank of every cell of column first + k, kMissingRank for missing ones. `by_rank` (may be null, else empty) gets the
  /// distinct cells in order. For different columns at once, if need be.
  ColumnRanks rank(std::size_t k, const RankRoom& room, std::vector<double>* by_rank) const;

 private:
  // Copies rows [begin, begin + n) of column k, or of this one and some that lie beside it; gives how many columns.
  std::size_t load(std::size_t k, std::size_t begin, std::size_t n);

  const CodedTable* table_;
  std::size_t first_;
  enum class Kept : std::uint8_t { codes, floats, doubles };
  std::vector<Kept> kept_;  // what is read of each column
  Buffer<float> floats_;    // [k * n_rows + row], of numbers without buckets of one value each
  Buffer<double> doubles_;
};

}  // namespace bough
