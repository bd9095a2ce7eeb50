// SPDX-License-Identifier: Apache-2.0
// Criteria of number targets on worked examples and random sums.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "criterion/arms.hpp"
#include "criterion/registry.hpp"

namespace bough {
namespace {

template <class C>
double score(const Moments& left, const Moments& right) {
  return C::score(make_parent(Moments{left.sum + right.sum, left.weight + right.weight}), left, right);
}

// y = 1, 2, 3 | 10, 11: the mean is 5.4, the squares about it 19.36 + 11.56 + 5.76 + 21.16 + 31.36 = 89.2,
// about the parts' means 2 + 0.5. The decrease is 86.7 = (2 * 6 - 3 * 21)^2 / (5 * 3 * 2).
TEST(SquaredError, the_decrease_of_five_numbers) {
  EXPECT_NEAR(score<SquaredError>({6, 3}, {21, 2}), 86.7, 1e-13);
  EXPECT_EQ(score<SquaredError>({6, 3}, {4, 2}), 0.0);  // both means are 2
}

// y = 1, 3 | 6, 10: means 2 and 8 about 5: 4 ln(2/5) + 16 ln(8/5) = -3.665163 + 7.520058.
TEST(Poisson, the_decrease_of_the_deviance_of_four_numbers) {
  EXPECT_NEAR(score<Poisson>({4, 2}, {16, 2}), 4 * std::log(0.4) + 16 * std::log(1.6), 1e-14);
  EXPECT_EQ(score<Poisson>({6, 3}, {4, 2}), 0.0);
}

TEST(Poisson, a_side_without_events_is_refused) {
  EXPECT_FALSE(Poisson::allows({0, 5}));
  EXPECT_TRUE(Poisson::allows({1, 5}));
  EXPECT_TRUE(SquaredError::allows({0, 5}));
}

// Half the deviance decreases by m d^2 / 2 per row to first order, d the relative distance of the means.
TEST(Poisson, tiny_gains_keep_their_digits) {
  const std::int64_t mean = 1000000000000;
  const Moments left{static_cast<int128>(mean + 1) * 500, 500},
      right{static_cast<int128>(mean - 1) * 500, 500};
  const double m = static_cast<double>(mean);
  EXPECT_NEAR(score<Poisson>(left, right) / (1000 * m / 2 * (1 / m) * (1 / m)), 1.0, 1e-9);
}

template <class C>
class MomentCriterion : public testing::Test {};
using All = testing::Types<SquaredError, Poisson>;
TYPED_TEST_SUITE(MomentCriterion, All);

TYPED_TEST(MomentCriterion, scores_are_the_same_bits_when_the_sides_are_swapped_and_never_negative) {
  std::mt19937_64 engine(1);
  for (int i = 0; i < 50000; ++i) {
    const auto any = [&] {
      const int shift = static_cast<int>(engine() % 40);
      return Moments{static_cast<int128>((engine() >> 4) + 1) << (i % 2 == 0 ? 0 : shift),
                     static_cast<std::int64_t>(engine() >> (4 + engine() % 40)) + 1};
    };
    Moments left = any(), right = any();
    left.weight /= 2;  // their sum must stay below 2^61
    right.weight /= 2;
    if (left.weight == 0 || right.weight == 0) continue;
    EXPECT_EQ(score<TypeParam>(left, right), score<TypeParam>(right, left));
    EXPECT_GE(score<TypeParam>(left, right), 0.0);
  }
}

TYPED_TEST(MomentCriterion, equal_means_score_exactly_nothing_however_long_the_sums) {
  std::mt19937_64 engine(2);
  for (int i = 0; i < 5000; ++i) {
    const auto mean = static_cast<std::int64_t>(engine() >> 5);
    const std::int64_t a = static_cast<std::int64_t>(engine() % 1000000) + 1,
                       b = static_cast<std::int64_t>(engine() % 1000) + 1;
    EXPECT_EQ(score<TypeParam>({static_cast<int128>(mean) * a, a}, {static_cast<int128>(mean) * b, b}), 0.0);
  }
}

// The same targets on top of a large constant: the same bits.
TEST(SquaredError, a_constant_on_all_targets_does_not_change_a_bit) {
  std::mt19937_64 engine(3);
  for (int i = 0; i < 5000; ++i) {
    const Moments left{static_cast<int128>(engine() % 100000), 1 + static_cast<std::int64_t>(engine() % 50)};
    const Moments right{static_cast<int128>(engine() % 100000), 1 + static_cast<std::int64_t>(engine() % 50)};
    const std::int64_t c = std::int64_t{1} << 50;
    EXPECT_EQ(score<SquaredError>(left, right),
              score<SquaredError>({left.sum + static_cast<int128>(c) * left.weight, left.weight},
                                  {right.sum + static_cast<int128>(c) * right.weight, right.weight}));
  }
}

TEST(Moments, the_centre_is_a_whole_number_near_the_mean) {
  EXPECT_EQ(make_parent(Moments{0, 0}).centre, 0);
  EXPECT_EQ(make_parent(Moments{7, 1}).centre, 7);
  EXPECT_EQ(make_parent(Moments{7, 2}).centre, 3);
  EXPECT_EQ(make_parent(Moments{-7, 2}).centre, -3);
}

// s_side * w_parent - s_parent * w_side of small numbers, and of the same sums 2^70 times as large, which
// need more than 128 bits on the way.
TEST(Moments, the_distance_of_a_side_has_its_sign_and_size_however_long_the_sums) {
  for (int s = -3; s <= 3; ++s)
    for (int p = -3; p <= 3; ++p)
      for (std::int64_t w = 1; w <= 4; ++w) {
        const double wanted = s * 5.0 - p * static_cast<double>(w);
        EXPECT_EQ(cross(Moments{p, 5}, Moments{s, w}), wanted) << s << ' ' << p << ' ' << w;
        const int128 much = static_cast<int128>(1) << 70;
        EXPECT_EQ(cross(Moments{much * p, 5}, Moments{much * s, w}), 0x1p70 * wanted)
            << s << ' ' << p << ' ' << w;
      }
}

// Untreated: sum 10 of weight 2; treated: sum 26 of weight 3. The mean of all is 36 / 5 = 7.2.
TEST(Arms, the_centre_is_near_the_mean_of_both_arms) {
  ArmPair arms;
  arms[0].sum = 10;
  arms[0].weight = 2;
  arms[1].sum = 26;
  arms[1].weight = 3;
  EXPECT_EQ(make_parent(arms).centre, 7);
}

// weight * squares fits 128 bits for 2^100 * 2^3, not for 2^126 * 2^3 and not for squares beyond 2^128, in
// whichever arm.
TEST(Arms, products_are_narrow_as_long_as_both_arms_together_fit) {
  const auto narrow = [](const Wide& first, const Wide& second) {
    std::vector<ArmPair> pairs(2);
    for (ArmSums& arm : pairs[0]) arm.weight = 4;
    pairs[0][0].squares = first;
    pairs[0][1].squares = second;
    return make_parent(pairs[0]).narrow;
  };
  const Wide none, some{0, static_cast<uint128>(1) << 100}, much{0, static_cast<uint128>(1) << 126},
      beyond{1, 5};
  EXPECT_TRUE(narrow(some, none));
  EXPECT_TRUE(narrow(none, some));
  EXPECT_TRUE(narrow(some, some));
  EXPECT_FALSE(narrow(much, none));
  EXPECT_FALSE(narrow(none, much));
  EXPECT_FALSE(narrow(beyond, none));
  EXPECT_FALSE(narrow(none, beyond));
}

// Level 1/4 of y = 0, 1, 2, 3: reached exactly by the first, so any of [0, 1] is a quantile; the loss at 0 is
// 1/4 * (1 + 2 + 3) = 1.5, at 1 it is 3/4 * 1 + 1/4 * (1 + 2) = 1.5.
TEST(Quantile, the_loss_and_where_the_level_is_reached) {
  const QuantileLoss quarter = quantile_loss(CriterionId::quantile, 0.25);
  EXPECT_TRUE(quarter.reached(1, 4));
  EXPECT_TRUE(quarter.reached_exactly(1, 4));
  EXPECT_FALSE(quarter.reached(0, 4));
  EXPECT_FALSE(quarter.reached_exactly(2, 4));
  EXPECT_EQ(quarter.loss(6, 0), 1.5);
  EXPECT_EQ(quarter.loss(3, 1), 1.5);
  const QuantileLoss median = quantile_loss(CriterionId::absolute_error, 0.25);  // the level is the median's
  EXPECT_EQ(median.loss(6, 2), 8.0);                                             // sum of absolute deviations
}

}  // namespace
}  // namespace bough
