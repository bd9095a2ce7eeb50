// SPDX-License-Identifier: Apache-2.0
// Random cases that the tests of engines draw: how many, and from which seed, can be set from outside.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

#include "bough/model.hpp"

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

/// A table and what is to be learned from it.
struct Case {
  Table table;
  FitSpec spec;
  Params params;
};

/// What is drawn for a case.
class CaseMaker {
 public:
  explicit CaseMaker(std::uint64_t seed) : random_(seed) {}

 protected:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  double normal() { return std::normal_distribution<double>()(random_); }

 private:
  std::mt19937_64 random_;
};

}  // namespace bough
