// SPDX-License-Identifier: Apache-2.0
// XXH3, compiled in.
#include "base/hash.hpp"

#include <new>

#include "base/hash_stream.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace bough {

std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(data, size, seed);
}

HashStream::HashStream() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_));
}

HashStream::~HashStream() {
  XXH3_freeState(static_cast<XXH3_state_t*>(state_));
}

void HashStream::add(std::string_view piece) noexcept {
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), piece.data(), piece.size());
}

std::uint64_t HashStream::value() const noexcept {
  return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_));
}

}  // namespace bough
