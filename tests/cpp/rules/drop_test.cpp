// SPDX-License-Identifier: Apache-2.0
// Dropping conditions against the same greedy rule written out row by row.
#include "rules/drop.hpp"

#include <gtest/gtest.h>

#include <random>

#include "bough/pessimistic.hpp"

namespace bough {
namespace {

struct Small {
  std::vector<std::vector<bool>> tests;  // per test, per row
  std::vector<bool> of_class;
  std::vector<double> weights;
};

Small random_small(std::uint64_t seed, bool weighted) {
  std::mt19937_64 random(seed);
  const std::size_t n = 1 + random() % 150;
  Small small;
  small.tests.resize(random() % 7);
  for (std::size_t row = 0; row < n; ++row) small.of_class.push_back(random() % 2 == 0);
  for (auto& test : small.tests) {
    const std::uint64_t lean = 1 + random() % 8;
    for (std::size_t row = 0; row < n; ++row) test.push_back(random() % 8 < (small.of_class[row] ? 6 : lean));
  }
  for (std::size_t row = 0; weighted && row < n; ++row)
    small.weights.push_back(static_cast<double>(random() % 5) / 2.0);
  return small;
}

Bits to_bits(const std::vector<bool>& rows) {
  Bits bits(n_words(rows.size()), 0);
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row]) set_bit(bits, row);
  return bits;
}

double rate_of(const Small& small, const std::vector<std::size_t>& tests, double cf) {
  double weight = 0.0;
  double errors = 0.0;
  for (std::size_t row = 0; row < small.of_class.size(); ++row) {
    bool covered = true;
    for (const std::size_t test : tests) covered = covered && small.tests[test][row];
    if (!covered) continue;
    const double w = small.weights.empty() ? 1.0 : small.weights[row];
    weight += w;
    if (!small.of_class[row]) errors += w;
  }
  return weight > 0.0 ? pessimistic_errors(errors, weight, cf) / weight : 1.0;
}

std::vector<std::size_t> slow_drop(const Small& small, double cf) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < small.tests.size(); ++i) kept.push_back(i);
  while (!kept.empty()) {
    std::vector<std::size_t> best;
    double least = 2.0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      std::vector<std::size_t> fewer = kept;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const double rate = rate_of(small, fewer, cf);
      if (rate < least) {
        least = rate;
        best = fewer;
      }
    }
    if (least > rate_of(small, kept, cf)) break;
    kept = best;
  }
  return kept;
}

TEST(drop, keeps_what_the_greedy_rule_keeps) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    const Small small = random_small(seed, seed % 3 == 0);
    const double cf = seed % 2 == 0 ? 0.25 : 0.05;
    std::vector<Bits> bits;
    for (const auto& test : small.tests) bits.push_back(to_bits(test));
    const Bits of_class = to_bits(small.of_class);
    const Bits everything = full_bits(small.of_class.size());
    DropTask task;
    for (const Bits& test : bits) task.tests.push_back(&test);
    task.of_class = &of_class;
    task.everything = &everything;
    task.confidence = cf;
    const Dropped dropped = drop_conditions(task, RowWeights(small.weights));
    ASSERT_EQ(dropped.kept, slow_drop(small, cf));
    ASSERT_DOUBLE_EQ(dropped.estimated_error, rate_of(small, dropped.kept, cf));
  }
}

TEST(drop, a_worked_example) {
  // 8 rows, the first 4 of the class. Test A lets rows 0-4 pass, test B rows 0-3 and 6, test C everything.
  // All three: rows 0-3, 4 right of 4: rate 1 - 0.25^(1/4) = 0.292893.
  // Without A: rows 0-3 and 6, E = 1 of 5. Without B: rows 0-4, the same. The limit p has
  //   (1 - p)^5 + 5 p (1 - p)^4 = 0.25: p = 0.454181 (0.048444 + 0.201555), worse than 0.292893.
  // Without C: as with all three, 0.292893, no higher: C goes. After that neither A nor B may go.
  const std::vector<bool> a{true, true, true, true, true, false, false, false};
  const std::vector<bool> b{true, true, true, true, false, false, true, false};
  const Bits of_class = to_bits({true, true, true, true, false, false, false, false});
  const Bits everything = full_bits(8);
  const Bits bits_a = to_bits(a);
  const Bits bits_b = to_bits(b);
  const Dropped dropped =
      drop_conditions({{&bits_a, &bits_b, &everything}, &of_class, &everything, 0.25}, RowWeights({}));
  EXPECT_EQ(dropped.kept, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(dropped.weight, 4.0);
  EXPECT_EQ(dropped.errors, 0.0);
  EXPECT_NEAR(dropped.estimated_error, 0.292893, 1e-6);
  EXPECT_NEAR(pessimistic_rate(5.0, 1.0, 0.25), 0.454181, 1e-6);
}

}  // namespace
}  // namespace bough
