// SPDX-License-Identifier: Apache-2.0
// Intervals of scores against published examples, and against their definitions done literally.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "base/distributions.hpp"
#include "inference/scores.hpp"

namespace bough {
namespace {

using Numbers = std::vector<double>;

// Rows of classes with predicted chances, kept together with what ClassRows looks at.
struct Rows {
  std::vector<std::int64_t> rows;
  Numbers weights;
  std::vector<std::int32_t> truth;
  Numbers predicted;
  Numbers chances;
  std::size_t n_classes = 2;

  [[nodiscard]] ClassRows view() const {
    return {rows, weights, truth, predicted, chances, n_classes, n_classes};
  }
  [[nodiscard]] Evaluation scored(double confidence = 0.95) const {
    Evaluation evaluation;
    evaluation.confidence = confidence;
    score_classes(view(), evaluation);
    add_intervals(view(), evaluation);
    return evaluation;
  }
};

Rows random_rows(std::size_t n, std::size_t n_classes, unsigned seed) {
  std::mt19937 random(seed);
  Rows data;
  data.n_classes = n_classes;
  for (std::size_t i = 0; i < n; ++i) {
    data.rows.push_back(static_cast<std::int64_t>(i));
    data.truth.push_back(static_cast<std::int32_t>(random() % n_classes));
    Numbers own(n_classes);
    for (double& chance : own) chance = static_cast<double>(random() % 7 + 1);  // few values: many ties
    own[static_cast<std::size_t>(data.truth.back())] += 2.0;
    const double sum = std::accumulate(own.begin(), own.end(), 0.0);
    for (const double chance : own) data.chances.push_back(chance / sum);
    data.predicted.push_back(static_cast<double>(std::max_element(own.begin(), own.end()) - own.begin()));
  }
  return data;
}

// Right and wrong answers of one class against another.
Rows counted(int right_first, int all_first, int right_second, int all_second) {
  Rows data;
  for (int i = 0; i < all_first + all_second; ++i) {
    const bool second = i >= all_first;
    const bool right = second ? i - all_first < right_second : i < right_first;
    data.rows.push_back(i);
    data.truth.push_back(second ? 1 : 0);
    data.predicted.push_back(second == right ? 1.0 : 0.0);
    const double chance = data.predicted.back();
    data.chances.insert(data.chances.end(), {1.0 - chance, chance});
  }
  return data;
}

// Newcombe, "Two-sided confidence intervals for the single proportion" (1998), method 3: 81 of 263 gives
// 0.2553 to 0.3662, 0 of 20 gives 0 to 0.1611, 1 of 29 gives 0.0061 to 0.1718.
TEST(Intervals, accuracy_has_wilsons_interval) {
  const auto of = [](int right, int all) {
    return counted(right, all, 0, 0).scored().intervals.at("accuracy");
  };
  EXPECT_NEAR(of(81, 263).low, 0.2553, 5e-5);
  EXPECT_NEAR(of(81, 263).high, 0.3662, 5e-5);
  EXPECT_EQ(of(0, 20).low, 0.0);
  EXPECT_NEAR(of(0, 20).high, 0.1611, 5e-5);
  EXPECT_NEAR(of(1, 29).low, 0.0061, 5e-5);
  EXPECT_NEAR(of(1, 29).high, 0.1718, 5e-5);
  EXPECT_EQ(of(20, 20).high, 1.0);
}

// Newcombe, "Interval estimation for the difference between independent proportions" (1998), method 10: 56 of
// 70 less 48 of 80 gives 0.0524 to 0.3339. A cut that answers 1 for 56 of 70 rows of class 1 and 48 of 80 of
// class 0 has that KS.
TEST(Intervals, ks_has_newcombes_interval_of_a_difference) {
  const Evaluation evaluation = counted(32, 80, 56, 70).scored();
  EXPECT_NEAR(evaluation.scores.at("ks"), 0.2, 1e-12);
  EXPECT_NEAR(evaluation.intervals.at("ks").low, 0.0524, 5e-5);
  EXPECT_NEAR(evaluation.intervals.at("ks").high, 0.3339, 5e-5);
}

double placed(double a, double b) {
  return a > b ? 1.0 : a == b ? 0.5 : 0.0;
}

// DeLong's variance by all pairs: sample variances of the placements over their numbers.
double variance_by_pairs(const Rows& data, std::size_t of_class) {
  Numbers in, out;
  for (std::size_t i = 0; i < data.rows.size(); ++i)
    (data.truth[i] == static_cast<std::int32_t>(of_class) ? in : out)
        .push_back(data.chances[i * data.n_classes + of_class]);
  const auto spread = [](const Numbers& own, const auto& placement) {
    Numbers values;
    for (const double x : own) values.push_back(placement(x));
    const double mean =
        std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    double sum = 0.0;
    for (const double x : values) sum += (x - mean) * (x - mean);
    return sum / static_cast<double>(values.size() - 1) / static_cast<double>(values.size());
  };
  const auto mean_over = [](const Numbers& others, const auto& f) {
    double sum = 0.0;
    for (const double y : others) sum += f(y);
    return sum / static_cast<double>(others.size());
  };
  return spread(in, [&](double x) { return mean_over(out, [&](double y) { return placed(x, y); }); }) +
         spread(out, [&](double y) { return mean_over(in, [&](double x) { return placed(x, y); }); });
}

TEST(Intervals, auc_has_delongs_interval_as_all_pairs_give_it) {
  const double z = 1.959963984540054;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Rows data = random_rows(40 + seed, 2, seed);
    const Evaluation evaluation = data.scored();
    const ScoreInterval& got = evaluation.intervals.at("auc");
    const double half = z * std::sqrt(variance_by_pairs(data, 1));
    EXPECT_EQ(got.method, "DeLong");
    EXPECT_NEAR(got.low, std::max(0.0, evaluation.scores.at("auc") - half), 1e-12);
    EXPECT_NEAR(got.high, std::min(1.0, evaluation.scores.at("auc") + half), 1e-12);
  }
}

TEST(Intervals, weights_that_are_all_equal_change_nothing_and_rows_of_weight_0_do_not_count) {
  Rows data = random_rows(60, 3, 5);
  const Evaluation plain = data.scored(0.9);
  data.weights.assign(60, 2.5);
  for (int i = 0; i < 7; ++i) {  // rows of weight 0
    data.rows.push_back(static_cast<std::int64_t>(data.rows.size()));
    data.truth.push_back(i % 3);
    data.predicted.push_back(0.0);
    data.chances.insert(data.chances.end(), {0.2, 0.5, 0.3});
    data.weights.push_back(0.0);
  }
  const Evaluation weighted = data.scored(0.9);
  ASSERT_EQ(plain.intervals.size(), 5u);
  for (const auto& [name, interval] : plain.intervals) {
    EXPECT_NEAR(weighted.intervals.at(name).low, interval.low, 1e-12) << name;
    EXPECT_NEAR(weighted.intervals.at(name).high, interval.high, 1e-12) << name;
    EXPECT_LT(interval.low, plain.scores.at(name)) << name;
    EXPECT_GT(interval.high, plain.scores.at(name)) << name;
  }
}

// A delete-one jackknife sees the mean of several areas as a whole, without their formula.
TEST(Intervals, auc_of_many_classes_agrees_with_the_jackknife) {
  const Rows data = random_rows(240, 4, 11);
  const Evaluation whole = data.scored();
  Numbers parts;
  for (std::size_t out = 0; out < data.rows.size(); ++out) {
    Rows rest = data;
    rest.rows.erase(rest.rows.begin() + static_cast<std::ptrdiff_t>(out));
    parts.push_back(rest.scored().scores.at("auc"));
  }
  const double n = static_cast<double>(parts.size());
  const double mean = std::accumulate(parts.begin(), parts.end(), 0.0) / n;
  double sum = 0.0;
  for (const double part : parts) sum += (part - mean) * (part - mean);
  const double jackknife = std::sqrt(sum * (n - 1) / n);
  const ScoreInterval& got = whole.intervals.at("auc");
  EXPECT_NEAR((got.high - got.low) / (2 * 1.959963984540054 * jackknife), 1.0, 0.02);
}

TEST(Intervals, classes_parted_perfectly_still_have_a_width) {
  const Evaluation evaluation = counted(12, 12, 30, 30).scored();
  const ScoreInterval& got = evaluation.intervals.at("auc");
  EXPECT_EQ(evaluation.scores.at("auc"), 1.0);
  EXPECT_EQ(got.high, 1.0);
  // Wilson of 12 out of 12: 12 / (12 + z^2).
  EXPECT_NEAR(got.low, 12 / (12 + 3.8414588206941245), 1e-12);
}

// y = 1, 2, 4, 7 and answers 1.5, 1.5, 5, 6: squared errors 0.25, 0.25, 1, 1 with mean 0.625 and s =
// sqrt(0.1875); absolute errors 0.5, 0.5, 1, 1 with mean 0.75 and s = sqrt(1/12). t(0.975, 3)
// = 3.182446305284263.
TEST(Intervals, errors_of_numbers_have_students_interval) {
  const std::vector<std::int64_t> rows{0, 1, 2, 3};
  const Numbers truth{1, 2, 4, 7}, answers{1.5, 1.5, 5, 6};
  const NumberRows data{rows, {}, truth, answers, 0.5};
  Evaluation evaluation;
  score_numbers(data, evaluation);
  add_intervals(data, evaluation);
  const double t = 3.182446305284263;
  EXPECT_NEAR(evaluation.intervals.at("mae").low, 0.75 - t * std::sqrt(1.0 / 12 / 4), 1e-9);
  EXPECT_NEAR(evaluation.intervals.at("mae").high, 0.75 + t * std::sqrt(1.0 / 12 / 4), 1e-9);
  EXPECT_EQ(evaluation.intervals.at("rmse").low, 0.0);  // 0.625 - 3.18 * 0.2165 is below 0
  EXPECT_NEAR(evaluation.intervals.at("rmse").high, std::sqrt(0.625 + t * std::sqrt(0.1875 / 4)), 1e-9);
  // d^2 about 3.5: 6.25, 2.25, 0.25, 12.25, B = 5.25, A / B = 0.119047...; deviations of the four rows:
  double sum = 0.0;
  const Numbers e2{0.25, 0.25, 1, 1}, d2{6.25, 2.25, 0.25, 12.25};
  for (std::size_t i = 0; i < 4; ++i) {
    const double gap = ((e2[i] - 0.625) - (0.625 / 5.25) * (d2[i] - 5.25)) / 5.25;
    sum += gap * gap;
  }
  EXPECT_NEAR(evaluation.intervals.at("r2").low, 1 - 0.625 / 5.25 - t * std::sqrt(sum / 12), 1e-9);
  EXPECT_EQ(evaluation.intervals.at("r2").high, 1.0);
}

TEST(Intervals, rows_that_lose_the_same_have_no_spread) {
  const Evaluation evaluation = counted(12, 12, 30, 30).scored();
  EXPECT_EQ(evaluation.scores.at("brier"), 0.0);
  EXPECT_FALSE(evaluation.intervals.contains("brier"));
  EXPECT_TRUE(evaluation.intervals.contains("accuracy"));
}

TEST(Intervals, one_row_has_no_spread) {
  const std::vector<std::int64_t> rows{0};
  const Numbers truth{1}, answers{2};
  const NumberRows data{rows, {}, truth, answers, 0.5};
  Evaluation evaluation;
  score_numbers(data, evaluation);
  add_intervals(data, evaluation);
  EXPECT_TRUE(evaluation.intervals.empty());
}

}  // namespace
}  // namespace bough
