// SPDX-License-Identifier: Apache-2.0
// Permutation importance against arithmetic.
#include "bough/importance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bough/inference.hpp"
#include "explain/models.hpp"

namespace bough {
namespace {

using namespace bough::testing;

// 20 rows with a, and with b beside; a > 0.5 is the class.
Table two_columns() {
  Table table;
  std::vector<double> a, b;
  std::vector<std::string> y;
  for (int i = 0; i < 20; ++i) {
    a.push_back(i % 2);
    b.push_back(i);
    y.emplace_back(i % 2 == 0 ? "no" : "yes");
  }
  table.add("a", std::span<const double>(a));
  table.add("b", std::span<const double>(b));
  table.add("answer", std::span<const std::string>(y));
  return table;
}

Model stump() {
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  builder.set_stats(root, counts({10, 10}));
  const auto first = builder.split(root, numeric_split(0, 0.5), 2);
  builder.set_stats(first, counts({10, 0}));
  builder.set_stats(first + 1, counts({0, 10}));
  Model::Parts parts = class_parts({numeric("a"), numeric("b")}, class_target("answer", {"no", "yes"}));
  parts.trees.push_back(std::move(builder).finish());
  return Model(std::move(parts));
}

TEST(Importance, a_column_that_decides_loses_half_and_one_that_is_not_tested_nothing) {
  const Importances all = permutation_importance(stump(), two_columns(), {.repeats = 400, .seed = 3});
  EXPECT_EQ(all.score, "accuracy");
  EXPECT_EQ(all.base, 1.0);
  ASSERT_EQ(all.columns.size(), 2U);
  // Of 20 rows with 10 ones, 10 keep their class on average; the standard deviation of the share is
  // 10 * 10 / (20 * sqrt(19)) / 10 = 0.115, and of the mean of 400 shuffles 0.0057.
  EXPECT_NEAR(all.columns[0].mean, 0.5, 0.03);
  EXPECT_NEAR(all.columns[0].deviation, 0.115, 0.02);
  EXPECT_EQ(all.columns[1].mean, 0.0);
  EXPECT_EQ(all.columns[1].high, 0.0);
}

// Twenty rows, of which the stump gets a third wrong: shuffles lose or gain whole twentieths, which may cancel.
TEST(Importance, losses_that_cancel_leave_nothing) {
  Table table;
  std::vector<double> a;
  std::vector<std::string> y;
  for (int i = 0; i < 20; ++i) {
    a.push_back(i % 2);
    y.emplace_back(i % 3 == 0 ? "no" : "yes");
  }
  table.add("a", std::span<const double>(a));
  table.add("b", std::span<const double>(a));
  table.add("answer", std::span<const std::string>(y));
  int cancelled = 0;
  for (std::int64_t seed = 0; seed < 300; ++seed) {
    const Importances all = permutation_importance(stump(), table, {.repeats = 3, .seed = seed});
    const ColumnImportance& column = all.columns[0];
    double twentieths = 0.0;
    for (const double loss : column.losses) twentieths += std::round(20.0 * loss);
    EXPECT_NEAR(column.mean, twentieths / 60.0, 1e-12);
    if (twentieths != 0.0 || column.deviation == 0.0) continue;
    ++cancelled;
    EXPECT_EQ(column.mean, 0.0) << seed;
  }
  EXPECT_GT(cancelled, 10);
}

TEST(Importance, the_interval_is_that_of_student) {
  const Importances all = permutation_importance(stump(), two_columns(), {.repeats = 10});
  const ColumnImportance& one = all.columns[0];
  ASSERT_EQ(one.losses.size(), 10U);
  double sum = 0.0, squares = 0.0;
  for (const double loss : one.losses) sum += loss;
  for (const double loss : one.losses) squares += (loss - sum / 10) * (loss - sum / 10);
  const double half = 2.2621571627982 * std::sqrt(squares / 9) / std::sqrt(10.0);  // t of 9 degrees at 0.975
  EXPECT_NEAR(one.mean, sum / 10, 1e-15);
  EXPECT_NEAR(one.high - one.mean, half, 1e-9);
  EXPECT_NEAR(one.mean - one.low, half, 1e-9);
}

TEST(Importance, the_same_seed_gives_the_same_numbers_for_any_number_of_threads) {
  const ImportanceSpec spec{.score = "log_loss", .repeats = 5, .seed = 11};
  const Importances one = permutation_importance(stump(), two_columns(), spec, {1, {}});
  const Importances two = permutation_importance(stump(), two_columns(), spec, {2, {}});
  EXPECT_FALSE(one.higher_is_better);
  EXPECT_EQ(to_json(one), to_json(two));
  const Importances other =
      permutation_importance(stump(), two_columns(), {.score = "log_loss", .repeats = 5, .seed = 12});
  EXPECT_NE(one.columns[0].losses, other.columns[0].losses);
}

TEST(Importance, a_loss_is_what_evaluate_says_about_shuffled_rows) {
  // One row of each class: a shuffle either keeps the cells or swaps them.
  Table table;
  table.add("a", std::span<const double>(std::vector<double>{0, 1}));
  table.add("b", std::span<const double>(std::vector<double>{0, 0}));
  table.add("answer", std::span<const std::string>(std::vector<std::string>{"no", "yes"}));
  Table swapped;
  swapped.add("a", std::span<const double>(std::vector<double>{1, 0}));
  swapped.add("b", std::span<const double>(std::vector<double>{0, 0}));
  swapped.add("answer", std::span<const std::string>(std::vector<std::string>{"no", "yes"}));
  const double worse =
      evaluate(stump(), swapped)[0].scores.at("brier") - evaluate(stump(), table)[0].scores.at("brier");
  const Importances all = permutation_importance(stump(), table, {.score = "brier", .repeats = 30});
  int swaps = 0;
  for (const double loss : all.columns[0].losses) {
    EXPECT_TRUE(loss == 0.0 || loss == worse);
    swaps += loss == worse ? 1 : 0;
  }
  EXPECT_GT(swaps, 5);
  EXPECT_LT(swaps, 25);
}

TEST(Importance, unknown_scores_and_no_shuffles_are_refused) {
  EXPECT_THROW((void)permutation_importance(stump(), two_columns(), {.score = "r2"}), Error);
  EXPECT_THROW((void)permutation_importance(stump(), two_columns(), {.repeats = 0}), Error);
  EXPECT_THROW((void)permutation_importance(stump(), two_columns(), {.level = 1.0}), Error);
}

}  // namespace
}  // namespace bough
