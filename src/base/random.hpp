// SPDX-License-Identifier: Apache-2.0
// Counter-based random numbers (Philox): a draw is a function of its key and number, so threads cannot change it.
#pragma once

// Plain integers are all that is used of it; its headers for vector instructions would cost every unit time.
#define R123_USE_SSE 0
#include <Random123/philox.h>

#include <cstdint>

#include "base/fixed.hpp"

namespace bough {

/// The `counter`-th 64 random bits of a key.
inline std::uint64_t draw(std::uint64_t key, std::uint64_t counter) noexcept {
  const r123::Philox4x32::ctr_type c{
      {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), 0, 0}};
  const r123::Philox4x32::key_type k{
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  const auto out = r123::Philox4x32()(c, k);
  return static_cast<std::uint64_t>(out[0]) | static_cast<std::uint64_t>(out[1]) << 32;
}

/// Key of the i-th child of a key.
inline std::uint64_t mix(std::uint64_t key, std::uint64_t i) noexcept {
  return draw(key ^ 0x9e3779b97f4a7c15ULL, i + 1);
}

/// A whole number in [0, n).
inline std::uint64_t below(std::uint64_t bits, std::uint64_t n) noexcept {
  return static_cast<std::uint64_t>(static_cast<uint128>(bits) * n >> 64);
}

/// A double in [0, 1) with 53 random bits.
inline double unit(std::uint64_t bits) noexcept {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace bough
