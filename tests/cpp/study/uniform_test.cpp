// SPDX-License-Identifier: Apache-2.0
// p-values of permutation tests are uniform when there is nothing to find, and intervals cover what they
// promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "bough/significance.hpp"
#include "study/support.hpp"

namespace bough {
namespace {

using namespace bough::testing;

// Shares of 20 p-values that can occur (1/20 .. 20/20), by chi-squared with 19 degrees: 43.8 has a chance of
// 0.001. Ties between the tree and its shuffles make large values more frequent, never small ones, so those
// are also looked at alone.
void expect_uniform(const std::vector<double>& p_values, const char* what) {
  std::vector<double> counts(20, 0.0);
  for (const double p : p_values) counts[static_cast<std::size_t>(std::lround(p * 20.0)) - 1] += 1.0;
  const double expected = static_cast<double>(p_values.size()) / 20.0;
  double chi = 0.0;
  for (const double count : counts) chi += (count - expected) * (count - expected) / expected;
  const double small = counts[0] / static_cast<double>(p_values.size());
  std::printf("%s: chi-squared %.1f with 19 degrees, p ≤ 0.05 in %.3f of %zu tables\n", what, chi, small,
              p_values.size());
  EXPECT_LT(small, 0.05 + 4.0 * std::sqrt(0.05 * 0.95 / static_cast<double>(p_values.size()))) << what;
  EXPECT_LT(chi, 43.8) << what;
}

TEST(Uniform, p_of_splits_and_trees_without_a_link) {
  std::vector<double> splits, trees;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const Table table = mixed(60, 5000 + seed, false, false);
    const Model model = fit(table, target("y"), depth(2));
    PermutationOptions options;
    options.repeats = 19;
    options.max_depth = 0;
    options.seed = seed;
    splits.push_back(permutation_test_splits(model, table, options).nodes.front().p);
    trees.push_back(permutation_test(model, table, options).p);
  }
  expect_uniform(splits, "splits");
  expect_uniform(trees, "trees");
}

// The corrected test keeps its level where the plain one does not: two parameter sets of the same worth on
// random labels.
TEST(Uniform, the_corrected_t_test_keeps_its_level) {
  int corrected = 0, plain = 0;
  constexpr int n = 300;
  for (unsigned seed = 0; seed < n; ++seed) {
    const Table table = mixed(80, 9000 + seed, false);
    Params other = depth(3);
    other.criterion = "entropy";
    CompareOptions options;
    options.splits = 15;
    options.seed = seed;
    const Model first = fit(table, target("y"), depth(3)), second = fit(table, target("y"), other);
    const Comparison got = compare(first, second, table, options, &table);
    std::vector<double> differences;
    for (std::size_t i = 0; i < 15; ++i)
      differences.push_back(got.resampled->first[i] - got.resampled->second[i]);
    corrected += got.resampled->test.p < 0.05 ? 1 : 0;
    plain += paired_test(differences).p < 0.05 ? 1 : 0;
  }
  std::printf("of %d comparisons without a difference: corrected %d below 0.05, plain %d\n", n, corrected,
              plain);
  EXPECT_LE(corrected, 30);
  EXPECT_GT(plain, corrected);
}

// Two models of fixed trees score fresh rows of a known source again and again; the truth comes from a
// million rows. An interval of 95 % should hold it 95 times in 100: 600 tables give a deviation of 0.9 % by
// chance, and the formulas are approximations. DeLong's falls short near 1. The log loss of pure leaves is
// nearly all in the few rows that they get wrong, for which no formula of means and squares does;
// docs/study.md says so.
TEST(Uniform, intervals_hold_the_truth_as_often_as_they_say) {
  for (const bool classes : {true, false}) {
    const Model model = fit(mixed(300, 77, true, classes), target("y"), depth(3));
    const Evaluation truth = evaluate(model, mixed(1'000'000, 78, true, classes)).front();
    std::map<std::string, int> held;
    constexpr int n = 600;
    for (unsigned seed = 0; seed < n; ++seed) {
      const Evaluation sample = evaluate(model, mixed(120, 100'000 + seed, true, classes)).front();
      for (const auto& [name, interval] : sample.intervals)
        held[name] += interval.low <= truth.scores.at(name) && truth.scores.at(name) <= interval.high ? 1 : 0;
    }
    for (const auto& [name, count] : held) {
      std::printf("%-18s %.3f of the intervals hold %.4f\n", name.c_str(), static_cast<double>(count) / n,
                  truth.scores.at(name));
      EXPECT_GE(count, (name == "log_loss" ? 0.8 : name == "auc" ? 0.88 : 0.91) * n) << name;
      EXPECT_LE(count, 0.99 * n) << name;
    }
  }
}

}  // namespace
}  // namespace bough
