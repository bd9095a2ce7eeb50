// SPDX-License-Identifier: Apache-2.0
// Several random numbers of one key at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bough {

inline constexpr std::size_t kDrawsAtOnce = 8;

/// bits[i] = draw(key, first + i) of base/random.hpp, kDrawsAtOnce of them; counters below 2^32.
void draw_some(std::uint64_t key, std::uint64_t first, std::uint64_t* bits);

}  // namespace bough
