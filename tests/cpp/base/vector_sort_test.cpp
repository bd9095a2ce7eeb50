// SPDX-License-Identifier: Apache-2.0
// Sorting by vectors against the standard library.
#include "base/vector_sort.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace bough {
namespace {

template <class T>
void compare_with_std(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int round = 0; round < 400; ++round) {
    std::vector<T> values(random() % 3000);
    for (T& x : values) {
      x = static_cast<T>(static_cast<std::int64_t>(random()));
      if constexpr (std::is_floating_point_v<T>) {
        const std::uint64_t kind = random() % 20;
        if (kind == 0) x = std::numeric_limits<T>::infinity();
        if (kind == 1) x = -std::numeric_limits<T>::infinity();
        if (kind == 2) x = std::numeric_limits<T>::max();
        if (kind == 3) x = std::numeric_limits<T>::lowest();
      } else if (random() % 20 == 0) {
        x = std::numeric_limits<T>::max();
      }
    }
    std::vector<T> expected = values;
    std::sort(expected.begin(), expected.end());
    vector_sort(std::span(values));
    ASSERT_EQ(values, expected);
  }
}

TEST(VectorSort, sorts_like_the_standard_library_with_extremes_and_infinities) {
  compare_with_std<std::uint64_t>(1);
  compare_with_std<float>(2);
  compare_with_std<double>(3);
}

}  // namespace
}  // namespace bough
