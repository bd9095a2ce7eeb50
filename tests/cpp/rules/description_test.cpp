// SPDX-License-Identifier: Apache-2.0
// Description lengths by arithmetic, and the search for the shortest against all subsets.
#include "rules/description.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bough {
namespace {

TEST(description, binomials_are_exact) {
  EXPECT_NEAR(log2_binomial(5, 2), std::log2(10.0), 1e-13);
  EXPECT_NEAR(log2_binomial(52, 5), std::log2(2598960.0), 1e-12);
  EXPECT_EQ(log2_binomial(7, 0), 0.0);
  EXPECT_EQ(log2_binomial(7, 7), 0.0);
  EXPECT_NEAR(log2_factorial(10), std::log2(3628800.0), 1e-12);
  EXPECT_NEAR(log2_factorial(0.0), 0.0, 1e-13);
  for (double n = 0.0; n < 5000.0; n = n * 1.7 + 0.3)
    EXPECT_NEAR(log2_factorial(n), std::lgamma(n + 1) / std::log(2.0), 1e-9);
}

TEST(description, exceptions_cost_more_the_more_there_are) {
  // 1 of 7: log2 8 + log2 7. 0 of 7: log2 8. 5 of 7, more than half: log2 8 + 7.
  EXPECT_NEAR(exception_bits(7, 1), 3.0 + std::log2(7.0), 1e-12);
  EXPECT_NEAR(exception_bits(7, 0), 3.0, 1e-12);
  EXPECT_NEAR(exception_bits(7, 5), 10.0, 1e-12);
  EXPECT_EQ(exception_bits(0, 0), 0.0);
  for (int n = 1; n < 200; ++n)
    for (int k = 1; k <= n; ++k) EXPECT_GE(exception_bits(n, k), exception_bits(n, k - 1));
}

struct Small {
  std::vector<Bits> covered;
  Bits of_class;
  std::vector<double> weights;
  SubsetTask task;

  explicit Small(std::uint64_t seed, std::size_t n_rules, bool weighted = false) {
    std::mt19937_64 random(seed);
    const std::size_t n = 20 + random() % 300;
    of_class.assign(n_words(n), 0);
    covered.assign(n_rules, Bits(n_words(n), 0));
    for (std::size_t row = 0; row < n; ++row) {
      const bool right = random() % 2 == 0;
      if (right) set_bit(of_class, row);
      for (Bits& rule : covered)
        if (random() % 100 < (right ? 25U : 4U)) set_bit(rule, row);
      if (weighted) weights.push_back(0.5 + static_cast<double>(random() % 3));
    }
    for (const Bits& rule : covered) {
      task.covered.push_back(&rule);
      task.bits.push_back(static_cast<double>(random() % 200) / 10.0);
    }
    task.of_class = &of_class;
    task.n_rows = n;
    task.theory_weight = 0.5;
  }
};

TEST(description, a_worked_example) {
  // 8 rows, rows 0-3 of the class; one rule of 6 bits that covers rows 0-4.
  // Without it: nothing covered; of 8 rows 4 are missed: log2 9 + log2 70 = 3.169925 + 6.129283 = 9.299208.
  // With it: 0.5 * 6 + (5 covered, 1 wrong: log2 6 + log2 5) + (3 left, 0 missed: log2 4) = 3 + 4.906891 + 2
  // = 9.906891. At 4 bits it is 8.906891 and worth its price.
  Bits covered{0b00011111};
  Bits of_class{0b00001111};
  SubsetTask task{{&covered}, {6.0}, &of_class, 8, 0.5};
  const RowWeights ones({});
  EXPECT_NEAR(description_length(task, ones, {}), 9.299208, 1e-6);
  EXPECT_NEAR(description_length(task, ones, std::vector<std::size_t>{0}), 9.906891, 1e-6);
  EXPECT_TRUE(choose_rules(task, ones).empty());
  task.bits = {4.0};
  EXPECT_EQ(choose_rules(task, ones), (std::vector<std::size_t>{0}));
}

TEST(description, up_to_ten_rules_the_shortest_subset_is_found) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Small small(seed, seed % (kExhaustiveRules + 1), seed % 4 == 0);
    const RowWeights weights(small.weights);
    const double found = description_length(small.task, weights, choose_rules(small.task, weights));
    for (std::uint64_t set = 0; set < (std::uint64_t{1} << small.covered.size()); ++set) {
      std::vector<std::size_t> chosen;
      for (std::size_t i = 0; i < small.covered.size(); ++i)
        if ((set >> i & 1U) != 0) chosen.push_back(i);
      ASSERT_LE(found, description_length(small.task, weights, chosen) + 1e-9);
    }
  }
}

TEST(description, steps_end_where_no_single_step_helps_and_mostly_at_the_shortest) {
  int at_best = 0;
  constexpr int kCases = 100;
  for (std::uint64_t seed = 1000; seed < 1000 + kCases; ++seed) {
    SCOPED_TRACE(seed);
    const Small small(seed, 9, seed % 4 == 0);
    const RowWeights weights(small.weights);
    const std::vector<std::size_t> chosen = choose_by_steps(small.task, weights);
    const double length = description_length(small.task, weights, chosen);
    const double best = description_length(small.task, weights, choose_exhaustively(small.task, weights));
    ASSERT_GE(length, best - 1e-9);
    at_best += length <= best + 1e-9 ? 1 : 0;
    for (std::size_t i = 0; i < small.covered.size(); ++i) {
      std::vector<std::size_t> other = chosen;
      if (std::erase(other, i) == 0) other.push_back(i);
      ASSERT_GE(description_length(small.task, weights, other), length - 1e-8);
    }
  }
  EXPECT_GE(at_best, kCases * 9 / 10);
}

}  // namespace
}  // namespace bough
