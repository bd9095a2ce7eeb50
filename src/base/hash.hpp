// SPDX-License-Identifier: Apache-2.0
// Fast hashes of bytes, for data fingerprints and checksums.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bough {

/// XXH3 of bytes, starting from `seed`.
std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed = 0) noexcept;

inline std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0) noexcept {
  return hash_bytes(text.data(), text.size(), seed);
}

/// XXH3 of the memory of a run of plain values.
template <class T>
std::uint64_t hash_values(std::span<const T> values, std::uint64_t seed) noexcept {
  return hash_bytes(values.data(), values.size_bytes(), seed);
}

}  // namespace bough
