// SPDX-License-Identifier: Apache-2.0
// The switch of the mutated build: BOUGH_MUTANT=17 makes mutant(17) true, and every question is remembered.
#pragma once

#include <cstdlib>
#include <type_traits>

namespace bough {
namespace mutants {

inline constexpr int kMost = 4096;
inline unsigned char reached[kMost];
inline const int chosen = [] {
  const char* text = std::getenv("BOUGH_MUTANT");
  return text == nullptr ? 0 : std::atoi(text);
}();

}  // namespace mutants

/// True where the mutant is the chosen one; never in constants.
[[gnu::always_inline]] constexpr bool mutant(int number) noexcept {
  if (std::is_constant_evaluated()) return false;
  __atomic_store_n(&mutants::reached[number], static_cast<unsigned char>(1), __ATOMIC_RELAXED);
  return mutants::chosen == number;
}

}  // namespace bough
