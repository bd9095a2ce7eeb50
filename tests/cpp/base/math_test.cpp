// SPDX-License-Identifier: Apache-2.0
// Logarithms against the C library's in long double, which has 11 bits more.
#include "base/math.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace bough {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Distance in units of the last place of the true value.
double ulps(double value, long double truth) {
  const double rounded = static_cast<double>(truth);
  const double unit = std::nextafter(std::fabs(rounded), kInfinity) - std::fabs(rounded);
  return static_cast<double>(std::fabs(static_cast<long double>(value) - truth) /
                             static_cast<long double>(unit));
}

// Positive finite doubles: all exponents, near 1, and whole numbers, in turn.
class Numbers {
 public:
  double next() {
    const std::uint64_t bits = engine_();
    switch (turn_++ % 3) {
      case 0: {
        const double x = std::bit_cast<double>(bits >> 1);
        return std::isfinite(x) && x > 0.0 ? x : 0.5;
      }
      case 1:
        return 1.0 + (static_cast<double>(bits >> 11) * 0x1p-53 - 0.5) *
                         std::ldexp(1.0, -static_cast<int>(bits % 40));
      default:
        return static_cast<double>(bits % 1000000 + 1);
    }
  }

 private:
  std::mt19937_64 engine_{12345};
  int turn_ = 0;
};

TEST(Math, the_natural_logarithm_is_within_2_ulp_on_a_million_numbers) {
  Numbers numbers;
  double worst = 0.0, at = 0.0;
  for (int i = 0; i < 1000000; ++i) {
    const double x = numbers.next();
    if (x == 1.0) continue;
    const double error = ulps(log_exact(x), std::log(static_cast<long double>(x)));
    if (error > worst) worst = error, at = x;
  }
  EXPECT_LE(worst, 2.0) << "at " << at;
}

TEST(Math, the_binary_logarithm_is_within_3_ulp_on_a_million_numbers) {
  Numbers numbers;
  double worst = 0.0, at = 0.0;
  for (int i = 0; i < 1000000; ++i) {
    const double x = numbers.next();
    if (x == 1.0) continue;
    const double error = ulps(log2_exact(x), std::log2(static_cast<long double>(x)));
    if (error > worst) worst = error, at = x;
  }
  EXPECT_LE(worst, 3.0) << "at " << at;
}

TEST(Math, powers_of_two_have_whole_binary_logarithms) {
  for (int e = -1074; e <= 1023; ++e) EXPECT_EQ(log2_exact(std::ldexp(1.0, e)), e);
  EXPECT_EQ(log_exact(1.0), 0.0);
}

TEST(Math, the_edges_of_the_domain_give_infinities_and_nan) {
  for (const auto log : {log_exact, log2_exact}) {
    EXPECT_EQ(log(0.0), -kInfinity);
    EXPECT_EQ(log(-0.0), -kInfinity);
    EXPECT_EQ(log(kInfinity), kInfinity);
    EXPECT_TRUE(std::isnan(log(-1.0)));
    EXPECT_TRUE(std::isnan(log(-kInfinity)));
    EXPECT_TRUE(std::isnan(log(std::numeric_limits<double>::quiet_NaN())));
  }
}

TEST(Math, x_log_x_is_0_at_0_and_at_1) {
  EXPECT_EQ(xlogx(0.0), 0.0);
  EXPECT_EQ(xlogx(1.0), 0.0);
  EXPECT_EQ(xlog2x(0.0), 0.0);
  EXPECT_EQ(xlog2x(8.0), 24.0);  // 8 * 3
}

// (1 + d) ln(1 + d) - d = d^2/2 - d^3/6 + d^4/12 - ...: for small d the series is the truth, else long double
// is.
TEST(Math, the_excess_of_x_log_x_keeps_its_digits_near_0) {
  std::mt19937_64 engine(777);
  double worst = 0.0, at = 0.0;
  for (int i = 0; i < 300000; ++i) {
    const double unit = static_cast<double>(engine() >> 11) * 0x1p-53;
    const double d =
        i % 2 == 0 ? (2 * unit - 1) * std::ldexp(1.0, -static_cast<int>(engine() % 60)) : unit * 1000 - 1;
    const long double x = d;
    const long double truth = std::fabs(d) < 1e-4 ? x * x * (0.5L - x * (1.0L / 6 - x * (1.0L / 12 - x / 20)))
                                                  : (1 + x) * std::log1p(x) - x;
    if (truth == 0) continue;
    const double error = ulps(xlogx_excess(d), truth);
    if (error > worst) worst = error, at = d;
  }
  EXPECT_LE(worst, 32.0) << "at " << at;
  EXPECT_EQ(xlogx_excess(0.0), 0.0);
  EXPECT_EQ(xlogx_excess(-1.0), 1.0);  // 0 ln 0 + 1
}

}  // namespace
}  // namespace bough
