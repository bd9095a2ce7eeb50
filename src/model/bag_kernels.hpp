// SPDX-License-Identifier: Apache-2.0
// Many draws at once, of which those in a range count.
#pragma once

#include <cstdint>
#include <span>

namespace bough {

/// Draws of a key (base/random.hpp) that say which of n_all rows is taken; those of the rows first .. first +
/// times.size() - 1 are counted.
struct RangeDraws {
  std::uint64_t key = 0;
  std::uint64_t n_draws = 0;
  std::uint64_t n_all = 0;
  std::uint64_t first = 0;
};

/// Bits of draws that are counted: [low, low + last].
struct BitRange {
  std::uint64_t low = 0;
  std::uint64_t last = 0;
};

/// ++times[below(draw(key, i), n_all) - first] for every i < n_draws where that is in range.
void count_draws(const RangeDraws& draws, std::span<std::uint32_t> times);

}  // namespace bough
