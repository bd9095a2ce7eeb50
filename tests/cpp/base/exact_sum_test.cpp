// SPDX-License-Identifier: Apache-2.0
// Sums without rounding: their value is that of the real sum, whatever the order of the terms.
#include "base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace bough {
namespace {

double sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double x : terms) sum.add(x);
  return sum.rounded();
}

TEST(ExactSum, nothing_is_lost_beside_what_is_large) {
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({0.1, 0.2, 0.3}), 0.6);  // 0.6000000000000001 from left to right
  EXPECT_EQ(sum_of({1e100, 1.0, -1e100}), 1.0);
  EXPECT_EQ(sum_of({1e-300, 1e300, 1e-300, -1e300}), 2e-300);
}

TEST(ExactSum, halves_go_where_the_rest_is) {
  const double tiny = std::ldexp(1.0, -53);  // half of what 1 and the next double are apart
  EXPECT_EQ(sum_of({1.0, tiny}), 1.0);       // to the even one
  EXPECT_EQ(sum_of({1.0, tiny, 1e-300}), 1.0 + 2.0 * tiny);
  EXPECT_EQ(sum_of({1.0, tiny, -1e-300}), 1.0);
  EXPECT_EQ(sum_of({-1.0, -tiny, -1e-300}), -1.0 - 2.0 * tiny);
}

// Whole numbers times a power of two, of which long doubles hold the sum exactly.
TEST(ExactSum, order_and_parts_do_not_matter) {
  std::mt19937_64 draw(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> terms;
    long double exact = 0.0L;
    for (int i = 0; i < 50; ++i) {
      terms.push_back(std::ldexp(static_cast<double>(draw() % 1024), static_cast<int>(draw() % 48) - 24));
      exact += terms.back();
    }
    const double wanted = static_cast<double>(exact);
    EXPECT_EQ(sum_of(terms), wanted);
    std::shuffle(terms.begin(), terms.end(), draw);
    EXPECT_EQ(sum_of(terms), wanted);
    ExactSum first, second;
    for (std::size_t i = 0; i < terms.size(); ++i) (i % 3 == 0 ? first : second).add(terms[i]);
    second.add(ExactSum(first.parts()));
    EXPECT_EQ(second.rounded(), wanted);
  }
}

}  // namespace
}  // namespace bough
