// SPDX-License-Identifier: Apache-2.0
// The checksum of model files: XXH3, 64 bits, seed 0.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace bough {

/// Checksum of the pieces one after the other.
std::uint64_t checksum(std::initializer_list<std::string_view> pieces);

}  // namespace bough
