// SPDX-License-Identifier: Apache-2.0
// Columns of more ranks than a node has rows: only those that it has become positions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "split/ranked/ranked_kernels.hpp"
#include "split/ranked/ranked_targets.hpp"

namespace bough {

class NumberedRanks {
 public:
  /// Ranks in this range become numbers of those that are there, in the same order.
  RankedPositions number(std::span<std::uint16_t> ranks, RankRange range) {
    const std::size_t words = words_of(range);
    if (bits_.size() < words) {
      bits_.resize(2 * words);
      before_.resize(2 * words);
    }
    const std::uint32_t count = number_present(ranks, range, {bits_.data(), before_.data()});
    return {ranks.data(), 0, count, 0, count - 1};
  }
  /// The rank of a number, of the column that was numbered last.
  [[nodiscard]] std::uint32_t rank(RankRange range, std::size_t number) const {
    const auto end = before_.begin() + static_cast<std::ptrdiff_t>(words_of(range));
    const auto word =
        static_cast<std::size_t>(std::upper_bound(before_.begin(), end, number) - before_.begin() - 1);
    std::uint64_t bits = bits_[word];
    for (std::size_t skip = number - before_[word]; skip > 0; --skip) bits &= bits - 1;
    return range.low + static_cast<std::uint32_t>(word * 64) +
           static_cast<std::uint32_t>(std::countr_zero(bits));
  }

 private:
  static std::size_t words_of(RankRange range) noexcept { return (range.high - range.low) / 64 + 1; }

  std::vector<std::uint64_t> bits_;    // which ranks are there
  std::vector<std::uint32_t> before_;  // how many are there before each word
};

}  // namespace bough
