// SPDX-License-Identifier: Apache-2.0
// Tables at the edge: tiny, huge, constant, pure, wide.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracle/audit.hpp"
#include "oracle/build.hpp"

namespace bough {
namespace {

using namespace oracle;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> counted(std::size_t n, double first = 0.0, double step = 1.0) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(first + step * static_cast<double>(i));
  return values;
}

// Whole differences on top of 1e12: every row is told apart and every leaf is exact.
TEST(Extremes, targets_around_a_million_millions_with_differences_of_one) {
  for (const char* criterion : {"squared_error", "absolute_error", "poisson"}) {
    Case sample = number_case(counted(200, 1e12), criterion);
    add_numeric(sample, counted(200));
    const Model model = grow_all(sample);
    EXPECT_EQ(model.tree().n_leaves(), 200) << criterion;
    EXPECT_EQ(model.predict(to_table(sample)), sample.targets[0]) << criterion;
    // Absolute deviations of 99 and 101 neighbours add up to those of 100 and 100: 2450 + 2550 = 2 * 2500.
    EXPECT_EQ(model.tree().threshold(0), criterion == std::string("absolute_error") ? 98.5 : 99.5);
  }
}

TEST(Extremes, tiny_targets_are_told_apart_although_their_squares_are_nothing) {
  for (const char* criterion : {"squared_error", "absolute_error", "poisson"}) {
    Case sample = number_case({1e-200, 2e-200, 3e-200, 9e-200}, criterion);
    add_numeric(sample, {1, 2, 3, 4});
    const Model model = grow_all(sample);
    EXPECT_EQ(model.tree().n_leaves(), 4) << criterion;
    if (criterion == std::string("squared_error")) {
      EXPECT_EQ(model.tree().threshold(0), 3.5);
    }
    EXPECT_EQ(model.predict(to_table(sample)), sample.targets[0]) << criterion;
  }
}

// The gain of targets of 1e-150 is about 1e-300: small, but a number.
TEST(Extremes, gains_near_the_smallest_number_are_not_lost) {
  Case sample = number_case({1e-150, 1e-150, 3e-150, 3e-150});
  add_numeric(sample, {1, 1, 2, 2});
  EXPECT_NEAR(grow_all(sample).tree().gain(0) / 4e-300, 1.0, 1e-12);  // 4 rows, each 1e-150 from the mean
}

TEST(Extremes, weights_from_a_millionth_to_a_million) {
  Case sample = number_case({1, 2, 3, 4, 5, 6, 7, 8});
  add_numeric(sample, counted(8));
  for (int i = 0; i < 8; ++i) sample.weights.push_back(std::ldexp(1.0, -20 + i * 40 / 7));
  Model model = grow_all(sample);
  EXPECT_EQ(audit(sample, model), "");
  EXPECT_EQ(model.tree().n_leaves(), 8);
  // Decimal weights are rounded to 61 bits of their sum.
  for (int i = 0; i < 8; ++i) sample.weights[static_cast<std::size_t>(i)] = std::pow(10.0, -6 + i * 12.0 / 7);
  model = grow_all(sample);
  EXPECT_EQ(model.tree().n_leaves(), 8);
  EXPECT_EQ(model.predict(to_table(sample)), sample.targets[0]);
}

TEST(Extremes, huge_tiny_and_infinite_cells) {
  const double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
  Case sample = number_case({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  add_numeric(sample, {-kInfinity, -huge, -1, -tiny, 0, tiny, 2 * tiny, 1, huge, kInfinity});
  const Model model = grow_all(sample);
  EXPECT_EQ(audit(sample, model), "");
  EXPECT_EQ(model.tree().n_leaves(), 10);
  EXPECT_EQ(model.predict(to_table(sample)), sample.targets[0]);
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).tree(), model.tree());
  EXPECT_EQ(Model::from_json(model.to_json()).tree(), model.tree());
}

TEST(Extremes, one_row_is_a_leaf_and_two_rows_are_at_most_one_split) {
  Case sample = class_case({0});
  add_numeric(sample, {1});
  EXPECT_EQ(grow_all(sample).tree().n_nodes(), 1);
  sample = class_case({0, 1});
  add_numeric(sample, {1, 2});
  EXPECT_EQ(grow_all(sample).tree().n_nodes(), 3);
  sample = class_case({0, 1});
  add_numeric(sample, {1, 1});
  EXPECT_EQ(grow_all(sample).tree().n_nodes(), 1);
}

TEST(Extremes, a_pure_target_is_not_split) {
  Case sample = class_case({0, 0, 0, 0});
  add_numeric(sample, {1, 2, 3, 4});
  EXPECT_EQ(grow_all(sample).tree().n_nodes(), 1);
  for (const char* criterion : {"squared_error", "absolute_error", "poisson", "quantile"}) {
    sample = number_case({0.1, 0.1, 0.1}, criterion);
    add_numeric(sample, {1, 2, 3});
    const Tree tree = grow_all(sample).tree();
    EXPECT_EQ(tree.n_nodes(), 1);
    EXPECT_EQ(tree.impurity(0), 0.0);
    EXPECT_EQ(node_values(tree, 0), (std::vector<double>{0.1}));
  }
}

TEST(Extremes, columns_without_a_cell_and_columns_of_one_value) {
  Case sample = class_case({0, 1, 0, 1});
  add_numeric(sample, {kMissing, kMissing, kMissing, kMissing});
  add_numeric(sample, {7, 7, 7, 7});
  add_levels(sample, Kind::category, 1, {0, 0, 0, 0});
  EXPECT_EQ(grow_all(sample).tree().n_nodes(), 1);
  add_levels(sample, Kind::category, 1, {0, kMissing, 0, kMissing});
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.n_leaves(), 2);
  EXPECT_EQ(tree.column(0), 3);
}

// Scans of three hundred classes are slow under the sanitizers, where one criterion shows what they look for.
TEST(Extremes, three_hundred_classes) {
#if defined(BOUGH_CHECKED)
  const std::vector<const char*> criteria{"entropy"};
#else
  const std::vector<const char*> criteria{"gini", "entropy", "misclassification", "hellinger"};
#endif
  for (const char* criterion : criteria) {
    std::vector<double> y, x;
    for (int i = 0; i < 900; ++i) {
      y.push_back(i % 300);
      x.push_back((i * 7) % 300);  // one to one with the class
    }
    Case sample = class_case(y, criterion);
    add_numeric(sample, x);
    sample.params.max_leaf_nodes = 400;
    const Model model = grow_all(sample);
    EXPECT_EQ(model.tree().n_leaves(), 300) << criterion;
    EXPECT_EQ(model.predict(to_table(sample)), y) << criterion;
  }
}

TEST(Extremes, a_thousand_levels) {
  std::vector<double> y, levels, classes;
  for (int i = 0; i < 3000; ++i) {
    levels.push_back(i % 1000);
    y.push_back((i % 1000) * 37 % 11);
    classes.push_back((i % 1000) * 37 % 3);
  }
  Case sample = number_case(y);
  add_levels(sample, Kind::category, 1000, levels);
  Model model = grow_all(sample);
  EXPECT_EQ(model.predict(to_table(sample)), y);
  EXPECT_EQ(model.tree().n_leaves(), 11);  // one per value of the target: the order by means is exact
  sample = class_case(classes);
  add_levels(sample, Kind::category, 1000, levels);
  model = grow_all(sample);
  EXPECT_EQ(model.predict(to_table(sample)), classes);
  EXPECT_EQ(model.tree().n_leaves(), 3);
  sample.params.category_split = "equality";
  sample.params.max_depth = 3;
  EXPECT_EQ(grow_all(sample).tree().depth(), 3);
}

// Each target is twice the one before, so every cut parts one or two of the largest from the rest.
TEST(Extremes, a_long_chain) {
  std::vector<double> y;
  for (int i = 0; i < 50; ++i) y.push_back(std::ldexp(1.0, i));
  Case sample = number_case(y);
  add_numeric(sample, counted(50));
  const Model model = grow_all(sample);
  EXPECT_GT(model.tree().depth(), 24);
  EXPECT_EQ(audit(sample, model), "");
  EXPECT_EQ(model.predict(to_table(sample)), y);
}

}  // namespace
}  // namespace bough
