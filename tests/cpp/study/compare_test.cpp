// SPDX-License-Identifier: Apache-2.0
// Tests of paired scores and comparisons, against arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bough/significance.hpp"
#include "study/support.hpp"

namespace bough {
namespace {

using namespace bough::testing;

// Both tails of the binomial distribution with a half, term by term.
double by_terms(int a, int b) {
  const int n = a + b;
  std::vector<double> terms{std::pow(0.5, n)};
  for (int k = 1; k <= n; ++k) terms.push_back(terms.back() * (n - k + 1) / k);
  double sum = 0.0;
  for (int k = 0; k <= n; ++k)
    if (terms[static_cast<std::size_t>(k)] <= terms[static_cast<std::size_t>(a)] * (1 + 1e-7))
      sum += terms[static_cast<std::size_t>(k)];
  return std::min(1.0, sum);
}

TEST(Compare, mcnemars_test_is_the_binomial_test_of_a_half) {
  for (int a = 0; a < 40; ++a)
    for (int b = 0; b < 40; ++b) EXPECT_NEAR(mcnemar_p(a, b), by_terms(a, b), 1e-10) << a << " " << b;
  EXPECT_EQ(mcnemar_p(0, 0), 1.0);
  EXPECT_EQ(mcnemar_p(1000, 1000), 1.0);
}

// Differences 1, 2, 3, 6: mean 3, s^2 = (4 + 1 + 0 + 9) / 3 = 14/3; with n_test / n_train = 1/4 the variance
// of the mean is (1/4 + 1/4) 14/3 = 7/3, t = 3 / 1.527525 = 1.963961; t(0.975, 3) = 3.182446.
TEST(Compare, the_corrected_t_test_adds_the_ratio_to_the_variance) {
  const PairedTest got = paired_test(std::vector<double>{1, 2, 3, 6}, 0.25);
  EXPECT_DOUBLE_EQ(got.mean, 3.0);
  EXPECT_DOUBLE_EQ(got.standard_error, std::sqrt(7.0 / 3.0));
  EXPECT_NEAR(got.t, 1.963961, 1e-6);
  EXPECT_NEAR(got.high, 3.0 + 3.182446305284263 * std::sqrt(7.0 / 3.0), 1e-8);
  EXPECT_EQ(got.freedom, 3.0);
  // Student's distribution with 3 degrees has the tail 1/2 - (atan(u) + u / (1 + u^2)) / pi, u = t / sqrt(3).
  const double u = got.t / std::sqrt(3.0);
  EXPECT_NEAR(got.p, 2 * (0.5 - (std::atan(u) + u / (1 + u * u)) / M_PI), 1e-10);
  EXPECT_DOUBLE_EQ(paired_test(std::vector<double>{1, 2, 3, 6}).standard_error, std::sqrt(14.0 / 12.0));
}

TEST(Compare, differences_that_are_all_the_same_or_too_few_are_said_so) {
  EXPECT_EQ(paired_test(std::vector<double>{0, 0, 0}).p, 1.0);
  EXPECT_EQ(paired_test(std::vector<double>{2, 2, 2}).p, 0.0);
  EXPECT_EQ(paired_test(std::vector<double>{2}).p, 1.0);
  EXPECT_TRUE(std::isinf(paired_test(std::vector<double>{2}).high));
}

TEST(Compare, rows_are_counted_by_who_is_right) {
  const Table training = mixed(80, 1), test = mixed(70, 2);
  const Model first = fit(training, target("y"), depth(1)), second = fit(training, target("y"), depth(5));
  const Comparison got = compare(first, second, test);
  const std::vector<std::string> a = first.predict_labels(test), b = second.predict_labels(test);
  std::int64_t counts[4] = {0, 0, 0, 0}, agree = 0;
  for (std::size_t i = 0; i < 70; ++i) {
    const std::string truth = cell_text(test.column(4), static_cast<std::int64_t>(i));
    ++counts[(a[i] == truth ? 2 : 0) + (b[i] == truth ? 1 : 0)];
    agree += a[i] == b[i] ? 1 : 0;
  }
  const OutputComparison& output = got.outputs.front();
  EXPECT_EQ(output.both_right, counts[3]);
  EXPECT_EQ(output.only_first, counts[2]);
  EXPECT_EQ(output.only_second, counts[1]);
  EXPECT_EQ(output.both_wrong, counts[0]);
  EXPECT_EQ(output.agree, agree);
  EXPECT_EQ(output.p, mcnemar_p(counts[2], counts[1]));
  EXPECT_FALSE(got.resampled);
  ASSERT_EQ(got.params.size(), 1u);
  EXPECT_EQ(got.params[0].name, "max_depth");
  EXPECT_EQ(got.params[0].second, "5");
  EXPECT_EQ(got.differences.front().change, TestChange::grown);
}

TEST(Compare, classes_are_matched_by_name_and_unknown_ones_are_wrong) {
  Table training, fewer, test;
  training.add("x", std::vector<double>{1, 2, 3});
  training.add("y", std::vector<std::string>{"a", "b", "c"});
  fewer.add("x", std::vector<double>{2, 3});
  fewer.add("y", std::vector<std::string>{"b", "c"});
  test.add("x", std::vector<double>{1, 2, 3});
  test.add("y", std::vector<std::string>{"a", "b", "c"});
  const OutputComparison got =
      compare(fit(training, target("y")), fit(fewer, target("y")), test).outputs.front();
  EXPECT_EQ(got.both_right, 2);
  EXPECT_EQ(got.only_first, 1);
  EXPECT_EQ(got.agree, 2);
}

TEST(Compare, numbers_have_a_paired_test_of_squared_errors) {
  const Table training = mixed(80, 1, true, false), test = mixed(60, 2, true, false);
  const Model first = fit(training, target("y"), depth(1)), second = fit(training, target("y"), depth(4));
  const OutputComparison got = compare(first, second, test).outputs.front();
  std::vector<double> truth(60), differences;
  const std::vector<double> a = first.predict(test), b = second.predict(test);
  for (std::size_t i = 0; i < 60; ++i) {
    const double y = std::stod(cell_text(test.column(4), static_cast<std::int64_t>(i)));
    differences.push_back((y - a[i]) * (y - a[i]) - (y - b[i]) * (y - b[i]));
  }
  const PairedTest wanted = paired_test(differences);
  EXPECT_NEAR(got.losses->mean, wanted.mean, 1e-9);
  EXPECT_NEAR(got.losses->p, wanted.p, 1e-9);
  EXPECT_EQ(got.only_second, std::ranges::count_if(differences, [](double x) { return x > 0; }));
}

TEST(Compare, refits_on_splits_give_the_corrected_test_of_their_scores) {
  const Table training = mixed(90, 1), test = mixed(40, 2);
  const Model first = fit(training, target("y"), depth(1)), second = fit(training, target("y"), depth(5));
  CompareOptions options;
  options.splits = 12;
  const Comparison got = compare(first, second, test, options, &training);
  ASSERT_TRUE(got.resampled);
  const ResampledComparison& own = *got.resampled;
  EXPECT_EQ(own.n_test, 18);
  EXPECT_EQ(own.n_train, 72);
  std::vector<double> differences;
  for (std::size_t i = 0; i < 12; ++i) differences.push_back(own.first[i] - own.second[i]);
  const double mean = std::accumulate(differences.begin(), differences.end(), 0.0) / 12;
  double squares = 0.0;
  for (const double x : differences) squares += (x - mean) * (x - mean);
  EXPECT_NEAR(own.test.t, mean / std::sqrt((1.0 / 12 + 18.0 / 72) * squares / 11), 1e-12);
  const Execution one{.threads = 1, .progress = {}}, two{.threads = 2, .progress = {}};
  EXPECT_EQ(to_json(compare(first, second, test, options, &training, one)),
            to_json(compare(first, second, test, options, &training, two)));
}

TEST(Compare, models_of_different_questions_are_refused) {
  const Model classes = fit(mixed(30, 1), target("y")), numbers = fit(mixed(30, 1, true, false), target("y"));
  const Model colour = fit(mixed(30, 1), target("colour"));
  EXPECT_NE(complaint([&] { static_cast<void>(compare(classes, numbers, mixed(9, 1))); }).find("same task"),
            std::string::npos);
  EXPECT_NE(complaint([&] { static_cast<void>(compare(classes, colour, mixed(9, 1))); }).find("same targets"),
            std::string::npos);
}

}  // namespace
}  // namespace bough
