// SPDX-License-Identifier: Apache-2.0
// Bits of words without the instructions that only newer processors have.
#pragma once

#include <cstdint>

namespace bough {

/// std::popcount() where that would be a call: the instruction is not in every processor that this is compiled for.
inline std::uint64_t count_bits(std::uint64_t word) noexcept {
  word -= word >> 1 & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + (word >> 2 & 0x3333333333333333U);
  return ((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fU) * 0x0101010101010101U >> 56;
}

}  // namespace bough
