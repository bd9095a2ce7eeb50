// SPDX-License-Identifier: Apache-2.0
// The total order of equal scores: lower column; inside a column the lower threshold, the lowest category, or
// the first set that holds the lowest present level; then missing cells right before left.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "oracle/build.hpp"
#include "split/candidate.hpp"

namespace bough {
namespace {

using namespace oracle;

TEST(Ties, of_two_equal_columns_the_lower_one_is_tested) {
  for (const char* criterion : {"gini", "entropy", "misclassification", "hellinger"}) {
    Case sample = class_case({0, 0, 1, 1, 0, 1}, criterion);
    add_numeric(sample, {1, 2, 3, 4, 1, 5});
    add_numeric(sample, {1, 2, 3, 4, 1, 5});
    EXPECT_EQ(grow_all(sample).tree().column(0), 0) << criterion;
  }
}

TEST(Ties, a_drawn_order_has_every_column_first_sometimes_and_sums_behind_the_columns) {
  constexpr std::size_t n = 5;
  std::vector<int> first(n, 0);
  for (std::uint64_t key = 0; key < 2000; ++key) {
    const TieOrder order(mix(7, key), n);
    ColId best = 0;
    for (ColId column = 1; column < static_cast<ColId>(n); ++column)
      if (order.of(column) < order.of(best)) best = column;
    ++first[static_cast<std::size_t>(best)];
    EXPECT_LT(order.of(best), order.of(static_cast<ColId>(n)));
    EXPECT_LT(order.of(static_cast<ColId>(n)), order.of(static_cast<ColId>(n) + 1));
  }
  for (const int count : first) EXPECT_NEAR(count, 400, 80);  // four standard deviations
  EXPECT_LT(TieOrder().of(0), TieOrder().of(1));
}

// x = 1 2 3 4, y = 0 1 1 0: the first and the last cut part one row of class 0 from (1, 2); the middle one
// gains nothing.
TEST(Ties, of_two_equal_cuts_the_lower_one_is_made) {
  for (const char* criterion : {"gini", "entropy", "hellinger"}) {
    Case sample = class_case({0, 1, 1, 0}, criterion);
    add_numeric(sample, {1, 2, 3, 4});
    EXPECT_EQ(grow_all(sample).tree().threshold(0), 1.5) << criterion;
  }
  Case sample = number_case({0, 1, 1, 0});
  add_numeric(sample, {1, 2, 3, 4});
  EXPECT_EQ(grow_all(sample).tree().threshold(0), 1.5);
}

TEST(Ties, of_two_equal_ordinal_cuts_the_lower_one_is_made) {
  Case sample = class_case({0, 1, 1, 0});
  add_levels(sample, Kind::ordinal, 4, {0, 1, 2, 3});
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.kind(0), NodeKind::ordinal);
  EXPECT_EQ(tree.threshold(0), 1.0);  // x0 < v001
}

// No cut of exclusive or gains anything at the root, whatever the criterion; the first of the first column is
// made.
TEST(Ties, among_cuts_that_gain_nothing_the_first_of_the_first_column_is_made) {
  for (const char* criterion : {"gini", "entropy", "misclassification", "hellinger"}) {
    Case sample = class_case({0, 1, 1, 0, 0, 1, 1, 0}, criterion);
    add_numeric(sample, {1, 1, 2, 2, 1, 1, 2, 2});
    add_numeric(sample, {1, 2, 1, 2, 1, 2, 1, 2});
    const Tree tree = grow_all(sample).tree();
    EXPECT_EQ(tree.column(0), 0) << criterion;
    EXPECT_EQ(tree.gain(0), 0.0) << criterion;
    EXPECT_EQ(tree.n_leaves(), 4) << criterion;
  }
  for (const char* criterion : {"squared_error", "poisson", "absolute_error"}) {
    Case sample = number_case({1, 3, 3, 1, 1, 3, 3, 1}, criterion);
    add_numeric(sample, {1, 1, 2, 2, 1, 1, 2, 2});
    add_numeric(sample, {1, 2, 1, 2, 1, 2, 1, 2});
    const Tree tree = grow_all(sample).tree();
    EXPECT_EQ(tree.column(0), 0) << criterion;
    EXPECT_EQ(tree.n_leaves(), 4) << criterion;
  }
}

// Four levels of one row each with classes 0 1 0 1: every single one against the rest is a row against (1,
// 2).
TEST(Ties, of_equal_categories_the_lowest_is_tested) {
  Case sample = class_case({0, 1, 0, 1});
  add_levels(sample, Kind::category, 4, {0, 1, 2, 3});
  sample.params.category_split = "equality";
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.kind(0), NodeKind::equality);
  EXPECT_EQ(tree.threshold(0), 0.0);
}

// Three levels, a class each: {0} | {1, 2}, {0, 1} | {2} and {0, 2} | {1} all part one row from two others.
TEST(Ties, of_equal_sets_the_first_that_holds_the_lowest_level_is_left) {
  Case sample = class_case({0, 1, 2});
  add_levels(sample, Kind::category, 3, {0, 1, 2});
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.kind(0), NodeKind::subset);
  EXPECT_EQ(left_levels(tree, 0), (std::vector<std::uint32_t>{0}));
}

// The row order does not matter: levels are ordered by name, not by appearance.
TEST(Ties, the_lowest_level_is_lowest_by_name_wherever_it_appears) {
  Case sample = class_case({2, 1, 0});
  add_levels(sample, Kind::category, 3, {2, 1, 0});
  EXPECT_EQ(left_levels(grow_all(sample).tree(), 0), (std::vector<std::uint32_t>{0}));
}

// Two classes: levels are searched by their share of class 1. Shares 1, 0, 1: {1} against {0, 2}, and level 0
// is left.
TEST(Ties, the_side_of_the_lowest_present_level_is_called_left) {
  Case sample = class_case({1, 0, 1});
  add_levels(sample, Kind::category, 3, {0, 1, 2});
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(left_levels(tree, 0), (std::vector<std::uint32_t>{0, 2}));
  // Level 0 is absent in this table's node when its only row has no weight: then level 1 is the lowest
  // present.
  sample.weights = {0, 1, 1};
  EXPECT_EQ(left_levels(grow_all(sample).tree(), 0), (std::vector<std::uint32_t>{1}));
}

// Levels of equal share, so no subset gains anything: the first set is {0}.
TEST(Ties, sets_that_gain_nothing_are_ordered_too) {
  Case sample = class_case({0, 1, 0, 1, 0, 1});
  add_levels(sample, Kind::category, 3, {2, 2, 1, 1, 0, 0});
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.gain(0), 0.0);
  EXPECT_EQ(left_levels(tree, 0), (std::vector<std::uint32_t>{0}));
}

// x = 1, 2 with classes 0, 1, and one missing row of each: with the missing ones right the cut makes (1, 0 |
// 1, 2), left it makes (2, 1 | 0, 1).
TEST(Ties, missing_cells_go_right_when_left_is_as_good) {
  for (const char* criterion : {"gini", "entropy", "hellinger"}) {
    Case sample = class_case({0, 1, 0, 1}, criterion);
    add_numeric(sample, {1, 2, kMissing, kMissing});
    const Tree tree = grow_all(sample).tree();
    EXPECT_EQ(tree.threshold(0), 1.5) << criterion;
    EXPECT_EQ(tree.missing_to(0), 1) << criterion;
  }
}

// Three classes, one row each: any one against the other two is as good. The lowest cut is taken, missing
// right.
TEST(Ties, known_against_missing_comes_after_every_cut) {
  Case sample = class_case({0, 1, 2});
  add_numeric(sample, {1, 2, kMissing});
  Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.threshold(0), 1.5);
  EXPECT_EQ(tree.missing_to(0), 1);
  sample = class_case({0, 1, 2});
  add_levels(sample, Kind::ordinal, 2, {0, 1, kMissing});
  tree = grow_all(sample).tree();
  EXPECT_EQ(tree.threshold(0), 1.0);
  EXPECT_EQ(tree.missing_to(0), 1);
}

TEST(Ties, known_against_missing_comes_after_every_category) {
  Case sample = class_case({0, 1, 2});
  add_levels(sample, Kind::category, 2, {0, 1, kMissing});
  sample.params.category_split = "equality";
  Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.kind(0), NodeKind::equality);
  EXPECT_EQ(tree.threshold(0), 0.0);
  EXPECT_EQ(tree.missing_to(0), 1);
  sample.params.category_split = "subset";
  tree = grow_all(sample).tree();
  EXPECT_EQ(left_levels(tree, 0), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(tree.missing_to(0), 1);
}

// With a limit of three leaves the root is split first; its children gain the same, and the left one is
// split.
TEST(Ties, of_equal_open_nodes_the_one_found_first_is_split) {
  Case sample = class_case({0, 1, 2, 3});
  add_numeric(sample, {1, 2, 3, 4});
  sample.params.max_leaf_nodes = 3;
  // Cuts of four classes of one row: 1 | 3 and 2 | 2 and 3 | 1 gain 2 - 2/2 ... : gini decreases by
  // 4 * 3/4 - 2 * 1/2 - 2 * 1/2 = 1 in the middle and 3 - 3 * 2/3 = 1 at the ends, so 1.5 comes first.
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.threshold(0), 1.5);
  EXPECT_EQ(tree.n_leaves(), 3);
}

}  // namespace
}  // namespace bough
