// SPDX-License-Identifier: Apache-2.0
// How many random cases the tests of engines draw, and from which seed; both can be set from outside.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

namespace bough {

/// BOUGH_SEED, or a new one.
inline std::uint64_t base_seed() {
  if (const char* text = std::getenv("BOUGH_SEED")) return std::strtoull(text, nullptr, 10);
  return std::random_device()();
}

/// BOUGH_CASES, or `plain`; under the sanitizers `checked`.
inline int cases_or(int plain, [[maybe_unused]] int checked) {
  if (const char* text = std::getenv("BOUGH_CASES")) return std::atoi(text);
#if defined(BOUGH_CHECKED)
  return checked;
#else
  return plain;
#endif
}

}  // namespace bough
