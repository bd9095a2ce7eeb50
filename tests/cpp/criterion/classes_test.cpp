// SPDX-License-Identifier: Apache-2.0
// Class criteria on textbook numbers and on random counts against their definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "bough/error.hpp"
#include "criterion/registry.hpp"

namespace bough {
namespace {

using Counts = std::vector<std::int64_t>;

ClassSide side(const Counts& counts) {
  std::int64_t weight = 0;
  for (const std::int64_t c : counts) weight += c;
  return {counts, weight};
}

Counts sum(const Counts& a, const Counts& b) {
  Counts out = a;
  for (std::size_t i = 0; i < b.size(); ++i) out[i] += b[i];
  return out;
}

template <class C>
double score(const Counts& left, const Counts& right) {
  const Counts all = sum(left, right);
  return C::score(side(all), side(left), side(right));
}

template <class C>
double gain(const Counts& left, const Counts& right) {
  const Counts all = sum(left, right);
  return C::gain(side(all), side(left), side(right));
}

// Play tennis (Quinlan 1986): 9 days yes, 5 days no.
const Counts kTennis{5, 9};

TEST(Gini, the_impurity_of_play_tennis) {
  EXPECT_DOUBLE_EQ(Gini::impurity(side(kTennis)), 1.0 - (81.0 + 25.0) / 196.0);  // 0.459184
  EXPECT_EQ(Gini::impurity(side(Counts{4, 0})), 0.0);
  EXPECT_DOUBLE_EQ(Gini::impurity(side(Counts{2, 2, 2})), 2.0 / 3.0);
}

// Overcast: 4 yes. Else: 5 no, 5 yes. 14 * 90/196 - 10 * 1/2 = 20/14.
TEST(Gini, the_gain_of_overcast_against_the_rest) {
  EXPECT_DOUBLE_EQ(score<Gini>({0, 4}, {5, 5}), 20.0 / 14.0);
  EXPECT_DOUBLE_EQ(gain<Gini>({0, 4}, {5, 5}), 20.0 / 14.0);
}

TEST(Entropy, the_impurity_of_play_tennis) {
  EXPECT_NEAR(Entropy::impurity(side(kTennis)), 0.940286, 5e-7);
  EXPECT_EQ(Entropy::impurity(side(Counts{0, 7})), 0.0);
  EXPECT_DOUBLE_EQ(Entropy::impurity(side(Counts{3, 3, 3, 3})), 2.0);
}

// Gains per day, from entropies of the parts: with H(2/5) = 0.970951, H(2/9) = 0.764205, H(1/7) = 0.591673,
// H(3/7) = 0.985228, H(1/4) = 0.811278, H(3/10) = 0.881291:
//   overcast           0.940286 - 10/14 * 1                           = 0.226000
//   sunny              0.940286 - 5/14 * 0.970951 - 9/14 * 0.764205   = 0.102244
//   humidity           0.940286 - 7/14 * 0.985228 - 7/14 * 0.591673   = 0.151836
//   wind               0.940286 - 8/14 * 0.811278 - 6/14 * 1          = 0.048127
//   hot                0.940286 - 4/14 * 1 - 10/14 * 0.881291         = 0.025078
TEST(Entropy, the_gains_of_binary_tests_of_play_tennis) {
  EXPECT_NEAR(score<Entropy>({0, 4}, {5, 5}) / 14, 0.226000, 1e-6);
  EXPECT_NEAR(score<Entropy>({3, 2}, {2, 7}) / 14, 0.102244, 1e-6);
  EXPECT_NEAR(score<Entropy>({4, 3}, {1, 6}) / 14, 0.151836, 1e-6);
  EXPECT_NEAR(score<Entropy>({2, 6}, {3, 3}) / 14, 0.048127, 1e-6);
  EXPECT_NEAR(score<Entropy>({2, 2}, {3, 7}) / 14, 0.025078, 1e-6);
}

// Gain over split information: overcast 0.226000 / H(4/14) = 0.226000 / 0.863121, humidity 0.151836 / 1, wind
// 0.048127 / H(6/14) = 0.048127 / 0.985228.
TEST(GainRatio, the_ratios_of_binary_tests_of_play_tennis) {
  EXPECT_NEAR(score<GainRatio>({0, 4}, {5, 5}), 0.261841, 1e-6);
  EXPECT_NEAR(score<GainRatio>({4, 3}, {1, 6}), 0.151836, 1e-6);
  EXPECT_NEAR(score<GainRatio>({2, 6}, {3, 3}), 0.048849, 1e-6);
  EXPECT_EQ(score<GainRatio>({2, 6}, {3, 3}), score<GainRatio>({3, 3}, {2, 6}));
  EXPECT_DOUBLE_EQ(gain<GainRatio>({0, 4}, {5, 5}), gain<Entropy>({0, 4}, {5, 5}));
  EXPECT_DOUBLE_EQ(GainRatio::impurity(side(kTennis)), Entropy::impurity(side(kTennis)));
}

// A cut between two classes says as much as the classes do: gain = split information, also where nearly all
// rows are on one side.
TEST(GainRatio, the_ratio_of_a_clean_cut_is_one_however_uneven_the_sides) {
  for (std::int64_t rest = 1; rest < std::int64_t{1} << 55; rest = 3 * rest + 1) {
    EXPECT_NEAR(score<GainRatio>({1, 0}, {0, rest}), 1.0, 1e-14) << rest;
    EXPECT_NEAR(score<GainRatio>({0, rest}, {5, 0}), 1.0, 1e-14) << rest;
  }
}

TEST(Misclassification, errors_before_and_after) {
  EXPECT_DOUBLE_EQ(Misclassification::impurity(side(kTennis)), 5.0 / 14.0);
  EXPECT_EQ(score<Misclassification>({0, 4}, {5, 5}), 0.0);  // 5 errors before, 0 + 5 after
  EXPECT_EQ(score<Misclassification>({4, 3}, {1, 6}), 1.0);  // 5 before, 3 + 1 after
}

// Shares of yes and no on the left: 4/9 and 0; on the right 5/9 and 1. Half of (2/3 - 0)^2 + (sqrt(5/9) -
// 1)^2 is 1 - sqrt(5)/3 = 0.254644.
TEST(Hellinger, two_classes) {
  EXPECT_NEAR(score<Hellinger>({0, 4}, {5, 5}), 1.0 - std::sqrt(5.0) / 3.0, 1e-15);
  EXPECT_EQ(score<Hellinger>({0, 9}, {5, 0}), 1.0);  // a clean cut is at the largest distance
  EXPECT_NEAR(Hellinger::impurity(side(kTennis)), 2.0 * std::sqrt(45.0) / 14.0, 1e-15);
}

// Three classes of 2: left (2, 1, 0), right (0, 1, 2). Class 0 against the rest: shares 1 and 1/4 on the
// left, distance 1 - sqrt(1/4) = 1/2. Class 1: 1/2 and 1/2 on both sides, 0. Class 2 as class 0. Mean 1/3.
TEST(Hellinger, three_classes_are_the_mean_of_one_against_the_rest) {
  EXPECT_NEAR(score<Hellinger>({2, 1, 0}, {0, 1, 2}), 1.0 / 3.0, 1e-15);
  // A class that is not in the node does not count: two classes, cleanly cut.
  EXPECT_EQ(score<Hellinger>({2, 0, 0}, {0, 0, 3}), 1.0);
}

// Twice as many rows of one class on both sides change nothing.
TEST(Hellinger, imbalance_does_not_matter) {
  EXPECT_NEAR(score<Hellinger>({1, 4}, {4, 5}), score<Hellinger>({10, 4}, {40, 5}), 1e-15);
  EXPECT_GT(std::fabs(score<Gini>({1, 4}, {4, 5}) / 14 - score<Gini>({10, 4}, {40, 5}) / 59), 0.01);
}

template <class C>
class ClassCriterion : public testing::Test {};
using All = testing::Types<Gini, Entropy, Misclassification, Hellinger>;
TYPED_TEST_SUITE(ClassCriterion, All);

Counts random_counts(std::mt19937_64& engine, std::size_t n_classes, std::uint64_t most) {
  Counts counts(n_classes);
  do {
    for (std::int64_t& c : counts) c = static_cast<std::int64_t>(engine() % 3 == 0 ? 0 : engine() % most);
  } while (side(counts).weight == 0);
  return counts;
}

TYPED_TEST(ClassCriterion, scores_are_the_same_bits_when_the_sides_are_swapped_and_never_negative) {
  std::mt19937_64 engine(1);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t most = std::uint64_t{1} << (1 + engine() % 56);
    const std::size_t n_classes = 2 + engine() % 5;
    const Counts left = random_counts(engine, n_classes, most),
                 right = random_counts(engine, n_classes, most);
    EXPECT_EQ(score<TypeParam>(left, right), score<TypeParam>(right, left));
    EXPECT_GE(score<TypeParam>(left, right), 0.0);
  }
}

TYPED_TEST(ClassCriterion, a_split_that_separates_nothing_scores_exactly_nothing) {
  std::mt19937_64 engine(2);
  for (int i = 0; i < 20000; ++i) {
    const Counts left = random_counts(engine, 3, 1000);
    Counts right = left;
    for (std::int64_t& c : right) c *= static_cast<std::int64_t>(1 + i % 7);
    EXPECT_EQ(score<TypeParam>(left, right), 0.0);
  }
}

TYPED_TEST(ClassCriterion, weights_in_other_units_of_two_give_the_same_decision) {
  std::mt19937_64 engine(3);
  for (int i = 0; i < 5000; ++i) {
    const Counts left = random_counts(engine, 3, 1000), right = random_counts(engine, 3, 1000);
    Counts more_left = left, more_right = right;
    for (std::int64_t& c : more_left) c <<= 20;
    for (std::int64_t& c : more_right) c <<= 20;
    const double unit = std::is_same_v<TypeParam, Hellinger> ? 1.0 : 0x1p20;
    EXPECT_EQ(score<TypeParam>(more_left, more_right), unit * score<TypeParam>(left, right));
  }
}

// weight * impurity of the parts, in long double.
TEST(ClassCriteria, gains_are_differences_of_weighted_impurities) {
  std::mt19937_64 engine(4);
  const auto entropy = [](const Counts& counts) {
    long double w = 0, j = 0;
    for (const std::int64_t c : counts) w += static_cast<long double>(c);
    for (const std::int64_t c : counts)
      if (c > 0) j -= static_cast<long double>(c) * std::log2(static_cast<long double>(c) / w);
    return j;
  };
  const auto gini = [](const Counts& counts) {
    long double w = 0, squares = 0;
    for (const std::int64_t c : counts) w += static_cast<long double>(c);
    for (const std::int64_t c : counts)
      squares += static_cast<long double>(c) * static_cast<long double>(c) / w;
    return w - squares;
  };
  for (int i = 0; i < 20000; ++i) {
    const Counts left = random_counts(engine, 4, 100000), right = random_counts(engine, 4, 100000),
                 all = sum(left, right);
    const long double h = entropy(all) - entropy(left) - entropy(right),
                      g = gini(all) - gini(left) - gini(right);
    EXPECT_NEAR(score<Entropy>(left, right), static_cast<double>(h), 1e-11 + 1e-12 * static_cast<double>(h));
    EXPECT_NEAR(score<Gini>(left, right), static_cast<double>(g), 1e-11 + 1e-12 * static_cast<double>(g));
  }
}

// Two nearly even sides of a million rows: the gain is 1e-6 of a row, and keeps its digits.
TEST(Entropy, tiny_gains_keep_their_digits) {
  const Counts left{500000, 500001}, right{500001, 500000};
  // Both sides differ from even by d = 1/1000001 per row; to first order the gain is (w / 2 ln 2) d^2 of
  // 2,000,002 rows.
  const double d = 1.0 / 1000001.0;
  EXPECT_NEAR(score<Entropy>(left, right) / (2000002.0 / (2.0 * std::log(2.0)) * d * d), 1.0, 1e-9);
}

TEST(Registry, names_aliases_and_tasks) {
  EXPECT_EQ(resolve_criterion("auto", Task::classification), CriterionId::gini);
  EXPECT_EQ(resolve_criterion("auto", Task::regression), CriterionId::squared_error);
  EXPECT_EQ(resolve_criterion("log_loss", Task::classification), CriterionId::entropy);
  EXPECT_EQ(resolve_criterion("friedman_mse", Task::regression), CriterionId::squared_error);
  for (const CriterionInfo& info : kCriteria) EXPECT_EQ(resolve_criterion(info.name, info.task), info.id);
  EXPECT_THROW(resolve_criterion("gini", Task::regression), Error);
  EXPECT_THROW(resolve_criterion("poisson", Task::classification), Error);
}

}  // namespace
}  // namespace bough
