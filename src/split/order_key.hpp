// SPDX-License-Identifier: Apache-2.0
// Integer keys in the order of numbers.
#pragma once

#include <bit>
#include <cstdint>

namespace bough {

/// A key whose order is that of floats (no NaN, no -0).
inline std::uint32_t ordered_key(float x) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return bits ^ (static_cast<std::uint32_t>(-static_cast<std::int32_t>(bits >> 31)) | 0x80000000U);
}

/// The float of a key.
inline float float_of_key(std::uint32_t key) noexcept {
  return std::bit_cast<float>((key >> 31) != 0 ? key ^ 0x80000000U : ~key);
}

}  // namespace bough
