// SPDX-License-Identifier: Apache-2.0
// Quinlan's pessimistic error against his book, against other programs, and against the definition.
#include "rules/pessimistic.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bough {
namespace {

TEST(pessimistic, errors_of_clean_leaves_are_those_of_the_book) {
  // Quinlan 1993, section 4.2: U.25(0, 6) = 0.206, U.25(0, 9) = 0.143, U.25(0, 1) = 0.750.
  EXPECT_NEAR(pessimistic_extra_errors(6, 0, 0.25) / 6, 0.206, 5e-4);
  EXPECT_NEAR(pessimistic_extra_errors(9, 0, 0.25) / 9, 0.143, 5e-4);
  EXPECT_NEAR(pessimistic_extra_errors(1, 0, 0.25) / 1, 0.750, 5e-4);
  // 1 - 0.25^(1/6) = 1 - exp(-0.2310490602) = 0.2062994740
  EXPECT_NEAR(pessimistic_extra_errors(6, 0, 0.25), 6 * 0.20629947401590026, 1e-13);
}

TEST(pessimistic, errors_above_one_follow_the_normal_limit) {
  // N = 16, E = 1, z = 0.6744897502: f = 1.5 / 16 = 0.09375, z^2 = 0.4549364231,
  // root = sqrt(0.09375 / 16 - 0.0087890625 / 16 + 0.4549364231 / 1024) = sqrt(0.0057543362) = 0.0758573409,
  // U = (0.09375 + 0.0142167632 + 0.6744897502 * 0.0758573409) / (1 + 0.0284335264) = 0.1547323...
  const double z = 0.6744897501960817;
  const double root = std::sqrt(0.09375 / 16 - 0.0087890625 / 16 + z * z / 1024);
  const double limit = (0.09375 + z * z / 32 + z * root) / (1 + z * z / 16);
  EXPECT_NEAR(limit, 0.1547323, 1e-4);
  EXPECT_NEAR(pessimistic_extra_errors(16, 1, 0.25), 16 * limit - 1, 1e-12);
}

TEST(pessimistic, between_none_and_one_error_there_is_a_line) {
  const double none = pessimistic_extra_errors(20, 0, 0.1);
  const double one = pessimistic_extra_errors(20, 1, 0.1);
  EXPECT_NEAR(pessimistic_extra_errors(20, 0.25, 0.1), none + 0.25 * (one - none), 1e-12);
}

TEST(pessimistic, where_nearly_all_rows_are_wrong_two_thirds_of_the_rest_are_added) {
  EXPECT_DOUBLE_EQ(pessimistic_extra_errors(10, 9.5, 0.25), 0.67 * 0.5);
  EXPECT_DOUBLE_EQ(pessimistic_extra_errors(3, 3, 0.25), 0.0);
  EXPECT_EQ(pessimistic_extra_errors(0, 0, 0.25), 0.0);
}

TEST(pessimistic, the_quantile_is_the_inverse_of_the_normal_distribution) {
  for (double tail = 1e-9; tail <= 0.5; tail *= 1.07) {
    const double z = normal_upper_quantile(tail);
    EXPECT_NEAR(0.5 * std::erfc(z / std::sqrt(2.0)) / tail, 1.0, 1e-12) << tail;
  }
  EXPECT_EQ(normal_upper_quantile(0.5), 0.0);
}

TEST(pessimistic, the_exponential_is_right_to_the_last_digits) {
  for (double x = -60.0; x < -1e-12; x *= 0.83) EXPECT_NEAR(expm1_exact(x) / std::expm1(x), 1.0, 2e-14) << x;
}

TEST(pessimistic, more_errors_and_less_confidence_are_never_better) {
  for (const double n : {1.0, 2.0, 7.5, 30.0, 1000.0}) {
    for (double cf = 0.01; cf < 0.5; cf += 0.07) {
      double before = 0.0;
      for (double errors = 0.0; errors + 1.0 < n; errors += 0.5) {
        const double all = errors + pessimistic_extra_errors(n, errors, cf);
        EXPECT_GE(all, before);
        EXPECT_GE(all, errors + pessimistic_extra_errors(n, errors, cf + 0.02) - 1e-12);
        before = all;
      }
    }
  }
}

}  // namespace
}  // namespace bough
