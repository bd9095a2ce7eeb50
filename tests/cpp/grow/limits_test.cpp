// SPDX-License-Identifier: Apache-2.0
// Stop rules, constraints and sampling on tables small enough to see through.
#include <gtest/gtest.h>

#include <set>

#include "oracle/build.hpp"

namespace bough {
namespace {

using namespace oracle;

// y = 1 0 0 0 0 0 along x: the best cut leaves one row; with two rows per leaf the second-best is made.
TEST(Limits, a_leaf_too_small_gives_way_to_the_next_best_cut) {
  Case sample = class_case({1, 0, 0, 0, 0, 0});
  add_numeric(sample, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(grow_all(sample).tree().threshold(0), 1.5);
  sample.params.min_samples_leaf = Amount::count(2);
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.threshold(0), 2.5);
  EXPECT_EQ(tree.n_leaves(), 2);
  sample.params.min_samples_leaf = Amount::fraction(0.3);  // ceil(1.8) = 2
  EXPECT_EQ(grow_all(sample).tree(), tree);
}

TEST(Limits, a_leaf_too_light_gives_way_to_the_next_best_cut) {
  Case sample = class_case({1, 0, 0, 0});
  add_numeric(sample, {1, 2, 3, 4});
  sample.weights = {1, 1, 3, 5};
  sample.params.min_weight_fraction_leaf = 0.2;  // 2 of 10: the first two rows weigh exactly that
  EXPECT_EQ(grow_all(sample).tree().threshold(0), 2.5);
  sample.params.min_weight_fraction_leaf = 0.21;
  EXPECT_EQ(grow_all(sample).tree().threshold(0), 3.5);
}

TEST(Limits, small_nodes_and_deep_nodes_stay_leaves) {
  Case sample = number_case({1, 2, 3, 4, 5, 6, 7, 8});
  add_numeric(sample, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(grow_all(sample).tree().n_leaves(), 8);
  sample.params.max_depth = 2;
  EXPECT_EQ(grow_all(sample).tree().n_leaves(), 4);
  sample.params.max_depth = std::nullopt;
  sample.params.min_samples_split = Amount::count(5);
  EXPECT_EQ(grow_all(sample).tree().n_leaves(), 2);  // 8 = 4 + 4
  sample.params.min_samples_split = Amount::fraction(1.0);
  EXPECT_EQ(grow_all(sample).tree().n_leaves(), 2);
}

// Gini decreases by 1/2 a row at the root and by nothing below. Of y = 0 0 1 1 the first split is worth 0.5
// exactly.
TEST(Limits, a_decrease_that_is_too_small_is_not_made) {
  Case sample = class_case({0, 0, 1, 1});
  add_numeric(sample, {1, 2, 3, 4});
  sample.params.min_impurity_decrease = 0.5;
  EXPECT_EQ(grow_all(sample).tree().n_leaves(), 2);
  sample.params.min_impurity_decrease = 0.51;
  EXPECT_EQ(grow_all(sample).tree().n_leaves(), 1);
}

// Squared error: the root parts 0 0 10 10 from 100 104. Then 0 0 | 10 10 decreases by 100, 100 | 104 by 8.
TEST(Limits, few_leaves_go_to_the_largest_gains) {
  Case sample = number_case({0, 0, 10, 10, 100, 104});
  add_numeric(sample, {1, 2, 3, 4, 5, 6});
  sample.params.max_leaf_nodes = 3;
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.n_leaves(), 3);
  EXPECT_EQ(tree.threshold(0), 4.5);
  EXPECT_EQ(tree.threshold(tree.children(0)[0]), 2.5);
  EXPECT_NEAR(tree.gain(tree.children(0)[0]), 100.0, 1e-12);
  EXPECT_TRUE(tree.is_leaf(tree.children(0)[1]));
}

TEST(Limits, a_limit_on_leaves_that_does_not_bind_changes_nothing) {
  Case sample = number_case({3, 1, 4, 1, 5, 9, 2, 6});
  add_numeric(sample, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tree tree = grow_all(sample).tree();
  sample.params.max_leaf_nodes = 8;
  EXPECT_EQ(grow_all(sample).tree(), tree);
}

// y falls from the second to the third row; a rising answer may not part them, so the bump is averaged.
TEST(Monotone, a_rising_constraint_gives_rising_leaves) {
  Case sample = number_case({1, 5, 2, 6, 7});
  add_numeric(sample, {1, 2, 3, 4, 5});
  sample.params.monotonic_cst["x0"] = 1.0;
  const Model model = grow_all(sample);
  const std::vector<double> answers = model.predict(to_table(sample));
  EXPECT_TRUE(std::is_sorted(answers.begin(), answers.end()));
  EXPECT_GT(model.tree().n_leaves(), 2);
  sample.params.monotonic_cst["x0"] = -1.0;
  EXPECT_EQ(grow_all(sample).tree().n_leaves(),
            1);  // the mean rises at every cut: 1 | 5, 3 | 5, 8/3 | 6.5, 3.5 | 7
}

TEST(Monotone, a_falling_constraint_on_classes_bounds_the_chance_of_the_second) {
  Case sample = class_case({1, 1, 0, 1, 0, 0, 1, 0});
  add_numeric(sample, {1, 2, 3, 4, 5, 6, 7, 8});
  sample.params.monotonic_cst["x0"] = -1.0;
  const Model model = grow_all(sample);
  const std::vector<double> chances = model.predict_proba(to_table(sample));
  for (std::size_t i = 1; i < sample.n_rows(); ++i) EXPECT_LE(chances[2 * i + 1], chances[2 * i - 1]);
  EXPECT_GT(model.tree().n_leaves(), 1);
}

// Random tables: the answer rises along the constrained column whatever the other column is.
TEST(Monotone, the_answer_rises_everywhere) {
  std::uint64_t state = 99;
  const auto next = [&] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 40);
  };
  for (const char* criterion : {"squared_error", "absolute_error", "poisson"}) {
    Case sample = number_case({}, criterion);
    std::vector<double> a, b, y;
    for (int i = 0; i < 200; ++i) {
      a.push_back(std::fmod(next(), 20.0));
      b.push_back(std::fmod(next(), 20.0));
      y.push_back(a.back() + std::fmod(next(), 30.0));
    }
    sample.targets = {y};
    add_numeric(sample, a);
    add_numeric(sample, b);
    sample.params.monotonic_cst["x0"] = 1.0;
    const Model model = grow_all(sample);
    for (double other = -0.5; other < 20.0; other += 1.0) {
      Case grid = number_case({}, criterion);
      std::vector<double> rising, fixed;
      for (double x = -0.5; x < 20.5; x += 0.5) {
        rising.push_back(x);
        fixed.push_back(other);
      }
      grid.targets = {std::vector<double>(rising.size())};
      add_numeric(grid, rising);
      add_numeric(grid, fixed);
      const std::vector<double> answers = model.predict(to_table(grid));
      EXPECT_TRUE(std::is_sorted(answers.begin(), answers.end())) << criterion;
    }
  }
}

TEST(Interactions, columns_of_different_groups_never_meet_on_a_path) {
  Case sample = number_case({1, 7, 3, 9, 2, 8, 5, 4, 6, 0, 11, 13});
  add_numeric(sample, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  add_numeric(sample, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8});
  add_numeric(sample, {2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5});
  sample.params.interaction_cst = {{"x0", "x1"}};
  const Tree tree = grow_all(sample).tree();
  const std::vector<NodeId> parents = tree.parents();
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    std::set<ColId> used;
    for (NodeId at = node; at >= 0; at = parents[static_cast<std::size_t>(at)])
      if (!tree.is_leaf(at)) used.insert(tree.column(at));
    EXPECT_FALSE(used.count(2) > 0 && used.size() > 1);
  }
}

TEST(Sampling, the_seed_decides_and_nothing_else_does) {
  Case sample = number_case({1, 7, 3, 9, 2, 8, 5, 4, 6, 0, 11, 13});
  for (int j = 0; j < 6; ++j) {
    std::vector<double> cells;
    for (int i = 0; i < 12; ++i) cells.push_back((i * (7 + 4 * j)) % 13);
    add_numeric(sample, cells);
  }
  for (const bool random : {false, true}) {
    if (random) {
      sample.params.splitter = "random";
    } else {
      sample.params.max_features = Amount::count(2);
    }
    std::set<ColId> columns;
    int different = 0;
    for (int seed = 0; seed < 20; ++seed) {
      sample.params.seed = seed;
      const Tree tree = grow_all(sample).tree();
      EXPECT_EQ(grow_all(sample).tree(), tree);
      columns.insert(tree.column(0));
      sample.params.seed = seed + 1000;
      different += grow_all(sample).tree() != tree ? 1 : 0;
    }
    EXPECT_GT(columns.size(), 1U);
    EXPECT_GT(different, 15);
  }
}

// One column is constant: with one column drawn per node, the search goes on until it finds another.
TEST(Sampling, constant_columns_do_not_end_the_search) {
  Case sample = class_case({0, 1, 0, 1});
  add_numeric(sample, {5, 5, 5, 5});
  add_numeric(sample, {kMissing, kMissing, kMissing, kMissing});
  add_numeric(sample, {1, 2, 1, 2});
  sample.params.max_features = Amount::count(1);
  for (int seed = 0; seed < 10; ++seed) {
    sample.params.seed = seed;
    EXPECT_EQ(grow_all(sample).tree().n_leaves(), 2);
  }
}

TEST(Sampling, random_thresholds_lie_inside_the_range_of_the_node) {
  std::set<double> thresholds;
  for (int seed = 0; seed < 50; ++seed) {
    Case sample = class_case({0, 1, 0, 1});
    add_numeric(sample, {10, 11, 13, 20});
    sample.params.splitter = "random";
    sample.params.seed = seed;
    const double t = grow_all(sample).tree().threshold(0);
    EXPECT_GE(t, 10.0);
    EXPECT_LT(t, 20.0);
    thresholds.insert(t);
  }
  EXPECT_GT(thresholds.size(), 45U);
}

// Three classes and 15 levels: too many subsets to try all. A node of 30 rows that cannot have two leaves of
// 16 is not searched, so nothing was left to a heuristic.
TEST(Limits, a_node_too_small_for_two_leaves_is_not_searched) {
  std::vector<double> classes, levels;
  for (int i = 0; i < 30; ++i) {
    classes.push_back(i * i % 3 + (i % 7 == 0 ? 1 : 0));
    levels.push_back(i % 15);
  }
  Case sample = class_case(classes);
  add_levels(sample, Kind::category, 15, levels);
  const auto n_notes = [&](double rows) {
    sample.params.min_samples_leaf = Amount::count(rows);
    return grow_case(sample).parts().provenance.notes.size();
  };
  EXPECT_EQ(n_notes(15), 1U);
  EXPECT_EQ(n_notes(16), 0U);
}

}  // namespace
}  // namespace bough
