// SPDX-License-Identifier: Apache-2.0
// Sizes in bytes, for people.
#pragma once

#include <cstdint>
#include <string>

namespace bough {

/// Bytes for people: "1.5 GB" (powers of 1000).
std::string bytes_text(std::int64_t bytes);

}  // namespace bough
