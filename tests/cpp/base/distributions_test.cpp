// SPDX-License-Identifier: Apache-2.0
// Quantiles and limits against tables and against sums done literally.
#include "base/distributions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/math.hpp"

namespace bough {
namespace {

TEST(Chance, exp_agrees_with_the_c_library) {
  for (double x = -700.0; x < 700.0; x += 0.37) EXPECT_NEAR(exp_exact(x) / std::exp(x), 1.0, 1e-15) << x;
  EXPECT_EQ(exp_exact(0.0), 1.0);
  EXPECT_EQ(exp_exact(-1e9), 0.0);
  EXPECT_EQ(exp_exact(1e9), std::numeric_limits<double>::infinity());
}

// Tables of the normal distribution: 0.75 -> 0.674490, 0.9 -> 1.281552, 0.975 -> 1.959964, 0.999 -> 3.090232.
TEST(Chance, quantiles_of_the_normal_distribution) {
  EXPECT_NEAR(normal_quantile(0.75), 0.6744897501960817, 1e-15);
  EXPECT_NEAR(normal_quantile(0.9), 1.2815515655446004, 2e-15);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 3e-15);
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  for (double p = 1e-12; p < 0.5; p *= 1.7) {
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)) / p, 1.0, 1e-12) << p;
    EXPECT_NEAR(normal_quantile(1.0 - p), -normal_quantile(p), 1e-3) << p;
  }
}

double sum_of_terms(int errors, int n, double p) {
  double sum = 0.0, ways = 1.0;
  for (int i = 0; i <= errors; ++i) {
    sum += ways * std::pow(p, i) * std::pow(1 - p, n - i);
    ways = ways * (n - i) / (i + 1);
  }
  return sum;
}

TEST(Chance, at_most_so_many_errors_is_the_binomial_sum) {
  for (const int n : {1, 2, 5, 16, 40})
    for (int errors = 0; errors < n; errors += 1 + n / 7)
      for (const double p : {0.01, 0.2, 0.5, 0.77, 0.99})
        EXPECT_NEAR(binomial_at_most(errors, n, p), sum_of_terms(errors, n, p), 1e-12)
            << errors << " of " << n << " at " << p;
}

TEST(Chance, at_the_upper_limit_the_chance_is_the_confidence) {
  for (const double confidence : {0.001, 0.1, 0.25, 0.5})
    for (const double n : {0.4, 1.0, 3.7, 16.0, 168.0, 5000.0, 2e6})
      for (const double share : {1e-6, 0.01, 0.3, 0.9, 0.999}) {
        const double p = binomial_upper_limit(share * n, n, confidence);
        EXPECT_GE(p, share);
        // With hardly a case that is right, the limit is nearer to 1 than doubles are to each other.
        if (n - share * n < 0.5) continue;
        EXPECT_NEAR(binomial_at_most(share * n, n, p), confidence, 1e-8) << share << " of " << n;
      }
  EXPECT_NEAR(binomial_upper_limit(0, 6, 0.25), 1.0 - std::pow(0.25, 1.0 / 6.0), 1e-15);
  EXPECT_EQ(binomial_upper_limit(3, 3, 0.25), 1.0);
  EXPECT_EQ(binomial_upper_limit(0, 1e-300, 0.25), 1.0);
}

// Tables of Student's distribution; with 1 degree it is Cauchy's, with 2 the quantile has a closed form.
TEST(Chance, quantiles_of_students_distribution) {
  EXPECT_NEAR(student_quantile(0.975, 1), 12.706204736432095, 1e-8);
  EXPECT_NEAR(student_quantile(0.975, 10), 2.2281388519649385, 1e-9);
  EXPECT_NEAR(student_quantile(0.975, 30), 2.0422724563012373, 1e-9);
  EXPECT_NEAR(student_quantile(0.975, 1000), 1.9623390808264078, 1e-9);
  EXPECT_EQ(student_quantile(0.5, 3), 0.0);
  for (const double p : {0.001, 0.2, 0.6, 0.95, 0.9995}) {
    EXPECT_NEAR(student_quantile(p, 1) / std::tan(M_PI * (p - 0.5)), 1.0, 1e-9) << p;
    const double a = 4 * p * (1 - p);
    EXPECT_NEAR(student_quantile(p, 2) / (2 * (p - 0.5) * std::sqrt(2 / a)), 1.0, 1e-9) << p;
    // The series of many degrees meets the search of few.
    EXPECT_NEAR(student_quantile(p, 999.999999) / student_quantile(p, 1000.0), 1.0, 1e-9) << p;
  }
}

TEST(Chance, tails_of_students_distribution_turn_its_quantiles_round) {
  for (const double freedom : {0.7, 1.0, 4.0, 14.0, 250.0, 1e5})
    for (const double p : {0.51, 0.8, 0.975, 0.9999})
      EXPECT_NEAR(student_two_sided(student_quantile(p, freedom), freedom), 2 * (1 - p), 1e-8)
          << freedom << " " << p;
  EXPECT_EQ(student_two_sided(0.0, 5), 1.0);
  EXPECT_EQ(student_two_sided(-HUGE_VAL, 5), 0.0);
}

}  // namespace
}  // namespace bough
