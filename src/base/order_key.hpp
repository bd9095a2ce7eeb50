// SPDX-License-Identifier: Apache-2.0
// Integer keys in the order of numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

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

/// Entries sorted by a float key in their upper halves are put in order by their full values where the floats are equal.
template <class ValueOf>
void settle_equal_floats(std::span<std::uint64_t> entries, const ValueOf& value_of) {
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i] >> 32 != entries[i - 1] >> 32) continue;  // most of them
    const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(i - 1);
    auto end = begin + 2;
    while (end != entries.end() && *end >> 32 == *begin >> 32) ++end;
    const auto differs = [&](std::uint64_t entry) { return value_of(entry) != value_of(*begin); };
    if (std::any_of(begin + 1, end, differs))
      std::sort(begin, end, [&](std::uint64_t a, std::uint64_t b) { return value_of(a) < value_of(b); });
    i = static_cast<std::size_t>(end - entries.begin());
  }
}

}  // namespace bough
