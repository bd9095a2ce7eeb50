// SPDX-License-Identifier: Apache-2.0
// Fixed point: what stays exact, what the sums may grow to, and 256-bit arithmetic against 128-bit.
#include "base/fixed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "base/exact_grid.hpp"
#include "base/fixed_scale.hpp"

namespace bough {
namespace {

double back(std::int64_t value, int exponent) {
  return std::ldexp(static_cast<double>(value), -exponent);
}

TEST(Fixed, whole_weights_stay_themselves) {
  const std::vector<double> weights{1, 2, 0, 1000000};
  const FixedWeights fixed = fix_weights(weights);
  EXPECT_EQ(fixed.exponent, 0);
  EXPECT_EQ(fixed.values, (std::vector<std::int64_t>{1, 2, 0, 1000000}));
  EXPECT_EQ(fixed.lost, -1);
}

TEST(Fixed, dyadic_weights_are_exact_with_the_fewest_bits) {
  const std::vector<double> weights{0.25, 1.5, 3.0};
  const FixedWeights fixed = fix_weights(weights);
  EXPECT_EQ(fixed.exponent, 2);  // 0.25 = 1 / 4
  EXPECT_EQ(fixed.values, (std::vector<std::int64_t>{1, 6, 12}));
}

TEST(Fixed, other_weights_are_rounded_to_the_nearest_and_sum_below_2_to_the_61) {
  std::mt19937_64 engine(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> weights(1 + engine() % 1000);
    const double scale = std::ldexp(1.0, static_cast<int>(engine() % 200) - 100);
    for (double& w : weights) w = scale * static_cast<double>(engine() >> 11) * 0x1p-53;
    const FixedWeights fixed = fix_weights(weights);
    int128 sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      sum += fixed.values[i];
      EXPECT_LE(std::fabs(back(fixed.values[i], fixed.exponent) - weights[i]),
                std::ldexp(0.5, -fixed.exponent));
    }
    EXPECT_LE(sum, (int128{1} << 61) + static_cast<int128>(weights.size()));
  }
}

TEST(Fixed, weights_from_a_millionth_to_a_million_are_exact_to_50_bits) {
  const std::vector<double> weights{1e-6, 1e6, 0.1, 3.7};
  const FixedWeights fixed = fix_weights(weights);
  for (std::size_t i = 0; i < weights.size(); ++i)
    EXPECT_NEAR(back(fixed.values[i], fixed.exponent), weights[i], 1e6 * 0x1p-59);
}

TEST(Fixed, huge_weights_are_scaled_down) {
  const std::vector<double> weights{1e300, 2e300};
  const FixedWeights fixed = fix_weights(weights);
  EXPECT_LT(fixed.exponent, 0);
  EXPECT_EQ(fixed.values[1], 2 * fixed.values[0]);
}

TEST(Fixed, a_weight_lost_beside_the_largest_is_named) {
  const std::vector<double> weights{1.0, 1e30, 1.0};
  EXPECT_EQ(fix_weights(weights).lost, 0);
}

TEST(Fixed, a_row_twice_has_the_fixed_point_of_weight_2) {
  const std::vector<double> once{1.5, 0.5, 2.5}, twice{0.75, 0.75, 0.25, 0.25, 1.25, 1.25};
  const FixedWeights a = fix_weights(once), b = fix_weights(twice);
  for (std::size_t i = 0; i < once.size(); ++i)
    EXPECT_EQ(back(a.values[i], a.exponent), back(b.values[2 * i] + b.values[2 * i + 1], b.exponent));
}

TEST(Fixed, the_weighted_sum_of_targets_stays_below_2_to_the_61) {
  std::mt19937_64 engine(2);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + engine() % 500;
    std::vector<double> targets(n);
    std::vector<std::int64_t> weights(n);
    for (std::size_t i = 0; i < n; ++i) {
      targets[i] =
          std::ldexp(static_cast<double>(engine() >> 11) - 0x1p52, static_cast<int>(engine() % 60) - 30);
      weights[i] = static_cast<std::int64_t>(engine() % 1000);
    }
    const Fixed fixed = fix_targets(targets, weights, 0);
    int128 sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += static_cast<int128>(std::llabs(fixed.values[i])) * weights[i];
      if (weights[i] == 0) continue;
      EXPECT_LE(std::fabs(back(fixed.values[i], fixed.exponent) - targets[i]),
                std::ldexp(0.5, -fixed.exponent));
    }
    EXPECT_LE(sum, (int128{1} << 61) + 1000 * static_cast<int128>(n));
  }
}

TEST(Fixed, the_scale_of_targets_ignores_the_order_of_rows_and_their_repetition) {
  std::vector<double> targets{3.25, -7.0, 0.1, 1e5, 42.0};
  const std::vector<std::int64_t> weights{1, 2, 3, 1, 2};
  const Fixed fixed = fix_targets(targets, weights, 0);
  std::vector<double> repeated;
  for (std::size_t i = 0; i < targets.size(); ++i)
    for (std::int64_t k = 0; k < weights[i]; ++k) repeated.push_back(targets[i]);
  std::reverse(repeated.begin(), repeated.end());
  EXPECT_EQ(fix_targets(repeated, {}, 0).exponent, fixed.exponent);
}

TEST(Fixed, the_unit_that_weights_are_counted_in_has_no_say_in_the_scale_of_targets) {
  const std::vector<double> targets{1.0, -2.5, 3.0};
  const std::vector<std::int64_t> ones{1, 1, 1}, in_parts(3, std::int64_t{1} << 40);
  EXPECT_EQ(fix_targets(targets, in_parts, 40).exponent, fix_targets(targets, ones, 0).exponent);
}

TEST(Fixed, a_row_without_weight_has_no_say_in_the_scale_of_targets) {
  const std::vector<double> with{1.5, 1e100, 2.5}, without{1.5, 2.5};
  EXPECT_EQ(fix_targets(with, std::vector<std::int64_t>{1, 0, 1}, 0).exponent,
            fix_targets(without, std::vector<std::int64_t>{1, 1}, 0).exponent);
}

TEST(Fixed, targets_of_any_size_keep_their_bits) {
  for (const double y : {1e-300, 5e-324, 1.0, 1e150}) {
    const std::vector<double> targets{y, -y};
    const Fixed fixed = fix_targets(targets, {}, 0);
    EXPECT_EQ(back(fixed.values[0], fixed.exponent), y);
    EXPECT_EQ(fixed.values[1], -fixed.values[0]);
  }
  const std::vector<double> zeros{0.0, 0.0};
  EXPECT_EQ(fix_targets(zeros, {}, 0).values, (std::vector<std::int64_t>{0, 0}));
}

TEST(Fixed, the_fine_exponent_uses_61_bits_for_the_largest) {
  EXPECT_EQ(fine_exponent(std::vector<double>{0.0}), 0);
  EXPECT_EQ(fine_exponent(std::vector<double>{1.0, -0.5}), 60);  // 1 < 2^1
  EXPECT_EQ(fine_exponent(std::vector<double>{3.0}), 59);        // 3 < 2^2
  EXPECT_EQ(to_fixed(1.0, 60), std::int64_t{1} << 60);
  EXPECT_EQ(to_fixed(-2.5, 0), -2);  // to even
  EXPECT_EQ(to_fixed(3.5, 0), 4);
}

TEST(Fixed, bit_length_counts_the_bits) {
  EXPECT_EQ(bit_length(0), 0);
  EXPECT_EQ(bit_length(1), 1);
  EXPECT_EQ(bit_length(255), 8);
  EXPECT_EQ(bit_length(static_cast<uint128>(1) << 64), 65);
  EXPECT_EQ(bit_length(~static_cast<uint128>(0)), 128);
  EXPECT_EQ(magnitude(-5), static_cast<uint128>(5));
  EXPECT_EQ(magnitude(static_cast<int128>(1) << 127), static_cast<uint128>(1)
                                                          << 127);  // the most negative one
}

// 3 < 2^2, so a unit is 2^-40 of 4, 2^-38: sizes are multiples of it, or rounded up to the next.
TEST(Fixed, sizes_are_counted_in_units_of_the_power_above_the_largest) {
  const SizeUnits units(3.0);
  EXPECT_EQ(units.top(), 2);
  EXPECT_EQ(units.of(0.0), 0U);
  EXPECT_EQ(units.of(3.0), std::uint64_t{3} << 38);
  EXPECT_EQ(units.of(0x1p-38), 1U);
  EXPECT_EQ(units.of(0x1p-50), 1U);
  EXPECT_EQ(units.of(0x1.4p-37), 3U);                           // 2.5 units
  EXPECT_EQ(units.sum_top(units.of(3.0)), 2);                   // 3 < 2^2
  EXPECT_EQ(units.sum_top(units.of(3.0) + units.of(3.0)), 3);   // 6 < 2^3
  EXPECT_EQ(units.sum_top(1000 * uint128{units.of(3.0)}), 12);  // 3000 < 2^12
}

TEST(Wide, products_of_64_bit_numbers_are_those_of_128_bit_arithmetic) {
  std::mt19937_64 engine(3);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t a = engine() >> engine() % 64, b = engine() >> engine() % 64;
    const Wide product = Wide::product(a, b);
    EXPECT_EQ(product.high, uint128{0});
    EXPECT_EQ(product.low, static_cast<uint128>(a) * b);
  }
}

// (a 2^64 + b)(c 2^64 + d), added up part by part with its carries.
TEST(Wide, products_of_128_bit_numbers_are_those_of_school) {
  std::mt19937_64 engine(4);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t a = engine(), b = engine(), c = engine(), d = engine();
    const uint128 bd = static_cast<uint128>(b) * d, ad = static_cast<uint128>(a) * d,
                  bc = static_cast<uint128>(b) * c;
    const uint128 middle = (bd >> 64) + static_cast<std::uint64_t>(ad) + static_cast<std::uint64_t>(bc);
    const uint128 low = (middle << 64) | static_cast<std::uint64_t>(bd);
    const uint128 high = static_cast<uint128>(a) * c + (ad >> 64) + (bc >> 64) + (middle >> 64);
    const Wide product =
        Wide::product((static_cast<uint128>(a) << 64) | b, (static_cast<uint128>(c) << 64) | d);
    EXPECT_EQ(product.high, high);
    EXPECT_EQ(product.low, low);
  }
}

TEST(Wide, sums_and_differences_carry) {
  const uint128 all = ~static_cast<uint128>(0);
  Wide x{0, all};
  x += Wide{0, 1};
  EXPECT_EQ(x.high, uint128{1});
  EXPECT_EQ(x.low, uint128{0});
  x -= Wide{0, 1};
  EXPECT_EQ(x.high, uint128{0});
  EXPECT_EQ(x.low, all);
  const Wide y = Wide{0, all}.times(16);  // (2^128 - 1) 2^4 = 2^132 - 16
  EXPECT_EQ(y.high, uint128{15});
  EXPECT_EQ(y.low, all - 15);
}

TEST(Wide, addition_undoes_subtraction_for_any_numbers) {
  std::mt19937_64 engine(5);
  const auto any = [&] { return (static_cast<uint128>(engine()) << 64) | engine(); };
  for (int i = 0; i < 20000; ++i) {
    const Wide a{any(), any()}, b{any(), any()};
    Wide c = a;
    c += b;
    c -= b;
    EXPECT_EQ(c.high, a.high);
    EXPECT_EQ(c.low, a.low);
  }
}

TEST(Wide, doubles_are_within_one_ulp) {
  EXPECT_EQ((Wide{0, 12345}).to_double(), 12345.0);
  EXPECT_EQ((Wide{1, 0}).to_double(), 0x1p128);
  // Rounded once: 2^128 + 2^75 + 1 is above the middle of two doubles, and its two halves rounded one by one
  // fall on it.
  EXPECT_EQ((Wide{1, (static_cast<uint128>(1) << 75) + 1}).to_double(), 0x1.0000000000001p128);
  EXPECT_EQ((Wide{1, static_cast<uint128>(1) << 75}).to_double(), 0x1p128);
  EXPECT_EQ((Wide{static_cast<uint128>(1) << 100, 0}).to_double(), 0x1p228);
  std::mt19937_64 engine(6);
  for (int i = 0; i < 20000; ++i) {
    const uint128 high = engine() >> engine() % 64, low = (static_cast<uint128>(engine()) << 64) | engine();
    const long double truth = std::ldexp(static_cast<long double>(high), 128) + static_cast<long double>(low);
    EXPECT_NEAR((Wide{high, low}).to_double() / static_cast<double>(truth), 1.0, 0x1p-51);
  }
}

TEST(ExactGrid, numbers_on_it_add_up_the_same_in_any_order) {
  std::mt19937 engine(3);
  std::vector<double> weights(1000);
  for (double& w : weights) w = static_cast<double>(1 + engine() % 7) / 10.0;
  std::vector<double> exact = exact_weights(weights);
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(exact[i], weights[i], 1e-12);
  const double sum = std::accumulate(exact.begin(), exact.end(), 0.0);
  const double third = sorted_sum(weights);
  for (int turn = 0; turn < 20; ++turn) {
    std::shuffle(exact.begin(), exact.end(), engine);
    std::shuffle(weights.begin(), weights.end(), engine);
    EXPECT_EQ(std::accumulate(exact.begin(), exact.end(), 0.0), sum);
    EXPECT_EQ(sorted_sum(weights), third);
  }
}

TEST(ExactGrid, whole_numbers_stay_themselves_and_parts_too_small_are_nothing) {
  const ExactGrid grid(1000.0);
  EXPECT_EQ(grid.nearest(7.0), 7.0);
  EXPECT_EQ(grid.nearest(0.375), 0.375);
  EXPECT_EQ(grid.nearest(0x1p-60), 0.0);
  EXPECT_NEAR(grid.nearest(1.0 / 3.0), 1.0 / 3.0, 0x1p-41);
}

}  // namespace
}  // namespace bough
