// SPDX-License-Identifier: Apache-2.0
// XXH3, compiled in.
#include "base/hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace bough {

std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(data, size, seed);
}

}  // namespace bough
