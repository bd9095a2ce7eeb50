// SPDX-License-Identifier: Apache-2.0
// XXH3 over pieces of memory.
#include "model/checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace bough {

std::uint64_t checksum(std::initializer_list<std::string_view> pieces) {
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_64bits_reset(&state);
  for (const std::string_view piece : pieces) XXH3_64bits_update(&state, piece.data(), piece.size());
  return XXH3_64bits_digest(&state);
}

}  // namespace bough
