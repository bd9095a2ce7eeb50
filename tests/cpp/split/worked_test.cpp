// SPDX-License-Identifier: Apache-2.0
// Ordinal, categorical and missing tests worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "oracle/build.hpp"
#include "split/exact/surrogates.hpp"
#include "split/stats/category_order.hpp"
#include "split/stats/treatment_family.hpp"

namespace bough {
namespace {

using namespace oracle;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Play tennis (Quinlan 1986). outlook: overcast 0, rain 1, sunny 2; temperature: cool 0, hot 1, mild 2;
// humidity: high 0, normal 1; wind: strong 0, weak 1; play: no 0, yes 1.
Case tennis(const std::string& criterion) {
  Case sample = class_case({0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0}, criterion);
  add_levels(sample, Kind::category, 3, {2, 2, 0, 1, 1, 1, 0, 2, 2, 1, 2, 0, 0, 1});
  add_levels(sample, Kind::category, 3, {1, 1, 1, 2, 0, 0, 0, 2, 0, 2, 2, 2, 1, 2});
  add_levels(sample, Kind::category, 2, {0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0});
  add_levels(sample, Kind::category, 2, {1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0});
  return sample;
}

// Of all binary tests, outlook = overcast (4 yes | 5 yes, 5 no) has the largest information gain: 0.226000
// bits a day, above humidity's 0.151836 and sunny's 0.102244.
TEST(Worked, play_tennis_by_equality) {
  Case sample = tennis("entropy");
  sample.params.category_split = "equality";
  const Tree tree = grow_all(sample).tree();
  EXPECT_NEAR(tree.impurity(0), 0.940286, 5e-7);
  EXPECT_EQ(tree.kind(0), NodeKind::equality);
  EXPECT_EQ(tree.column(0), 0);
  EXPECT_EQ(tree.threshold(0), 0.0);
  EXPECT_NEAR(tree.gain(0) / 14, 0.226000, 1e-6);
  EXPECT_EQ(node_values(tree, tree.children(0)[0]), (std::vector<double>{0, 4}));
  EXPECT_EQ(node_values(tree, tree.children(0)[1]), (std::vector<double>{5, 5}));
  // The other ten days: humidity parts (4 no, 1 yes) from (1 no, 4 yes), gaining 1 - H(1/5) = 1 - 0.721928 =
  // 0.278072 a day; sunny (3, 2 | 2, 3) gains 1 - H(2/5) = 0.029049; wind strong (3, 2 | 2, 3) the same.
  const NodeId rest = tree.children(0)[1];
  EXPECT_EQ(tree.column(rest), 2);
  EXPECT_NEAR(tree.gain(rest) / 10, 0.278072, 1e-6);
}

// By share of yes: overcast 1, rain 3/5, sunny 2/5. The cuts of that order are overcast | rest, 20/14
// = 1.4286 in gini, and sunny | rest: 14 * 90/196 - 5 * 12/25 - 9 * 28/81 = 6.42857 - 2.4 - 3.11111 =
// 0.91746. So the subset is the equality.
TEST(Worked, play_tennis_by_subset) {
  const Tree tree = grow_all(tennis("gini")).tree();
  EXPECT_EQ(tree.kind(0), NodeKind::subset);
  EXPECT_EQ(left_levels(tree, 0), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(tree.map_levels(0).size(), 3U);
  EXPECT_NEAR(tree.gain(0), 20.0 / 14.0, 1e-14);
  EXPECT_NEAR(tree.impurity(0), 90.0 / 196.0, 1e-15);
}

// Ordinal low < middle < high with y = 1 1 | 2 | 8 8: "below high" parts sums 4 (of 3) from 16 (of 2):
// (2 * 4 - 3 * 16)^2 / (5 * 3 * 2) = 1600 / 30 = 53.33; "below middle" 2 (of 2) from 18 (of 3): (3 * 2 - 2 *
// 18)^2 / 30 = 30.
TEST(Worked, an_ordinal_test_is_below_a_level) {
  Case sample = number_case({1, 1, 2, 8, 8});
  add_levels(sample, Kind::ordinal, 3, {0, 0, 1, 2, 2});
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.kind(0), NodeKind::ordinal);
  EXPECT_EQ(tree.threshold(0), 2.0);
  EXPECT_NEAR(tree.gain(0), 1600.0 / 30.0, 1e-12);
  const NodeId below = tree.children(0)[0];
  EXPECT_EQ(tree.threshold(below), 1.0);
  EXPECT_NEAR(node_values(tree, below)[0], 4.0 / 3.0, 1e-15);
  EXPECT_EQ(node_values(tree, tree.children(0)[1]), (std::vector<double>{8}));
}

// The order is the user's, not the alphabet's. Levels 0 .. 3 in order; level 1 has no row, so the next
// present one is named.
TEST(Worked, an_ordinal_threshold_is_the_next_level_that_is_present) {
  Case sample = class_case({0, 0, 1, 1});
  add_levels(sample, Kind::ordinal, 4, {0, 0, 2, 3});
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.threshold(0), 2.0);
  EXPECT_EQ(tree.n_leaves(), 2);
}

// Means by level: 1, 9, 2, 8. In the order of means 0 2 3 1 the middle cut parts sums 6 (of 4) and 34 (of 4):
// (4 * 6 - 4 * 34)^2 / (8 * 4 * 4) = 112^2 / 128 = 98. No cut of the levels' own order does that.
TEST(Worked, a_subset_follows_the_means_not_the_names) {
  Case sample = number_case({1, 1, 9, 9, 2, 2, 8, 8});
  add_levels(sample, Kind::category, 4, {0, 0, 1, 1, 2, 2, 3, 3});
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(left_levels(tree, 0), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_NEAR(tree.gain(0), 98.0, 1e-12);
}

// Three classes in four levels: (2,0,0), (0,2,0), (0,1,1), (0,0,2), so 2 + 3 + 3 rows. {0} | rest leaves
// class 0 clean: gini decreases by sum l^2/a + sum r^2/b - sum t^2/w = 2 + (9 + 9)/6 - (4 + 9 + 9)/8 = 2.25.
// The orders by class 1 offer {1} | rest: 2 + (4 + 1 + 9)/6 - 2.75 = 1.5833, {1, 2} | {0, 3}: (9 + 1)/4 + (4
// + 4)/4 - 2.75 = 1.75.
TEST(Worked, several_classes_are_searched_over_all_subsets) {
  Case sample = class_case({0, 0, 1, 1, 1, 2, 2, 2});
  add_levels(sample, Kind::category, 4, {0, 0, 1, 1, 2, 2, 3, 3});
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(left_levels(tree, 0), (std::vector<std::uint32_t>{0}));
  EXPECT_NEAR(tree.gain(0), 2.25, 1e-14);
}

// Poisson: a level without events may not stand alone. Levels with (weight, sum) z (2, 0), p (100, 100), q
// (1, 2): in the order of rates z p q the allowed cut is {z, p} | {q}, but {z, q} | {p} is better:
//   m = 102/103; {z, q}: 2 ln((2/3) / m) = -0.791450, {p}: 100 ln(1 / m) = 0.975610; together 0.184160
//   {q}: 2 ln(2 / m) = 1.405775, {z, p}: 100 ln((100/102) / m) = -1.004653; together 0.401121
// With q (1, 1): {z, q}: ln((1/3) / m) = -1.078809 (m = 101/103), {p}: 100 ln(1/m) = 1.960847, together
// 0.882038; and
//   {q}: ln(1 / m) = 0.019608, {z, p}: 100 ln((100/102) / m) = -0.019415, together 0.000194.
TEST(Worked, poisson_levels_without_events_join_the_best_partner) {
  Case sample = number_case({0, 1, 1}, "poisson");
  add_levels(sample, Kind::category, 3, {0, 1, 2});
  sample.weights = {2, 100, 1};
  sample.params.max_depth = 1;
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(left_levels(tree, 0), (std::vector<std::uint32_t>{0, 2}));
  const double m = 101.0 / 103.0;
  EXPECT_NEAR(tree.gain(0), std::log(1.0 / 3.0 / m) + 100 * std::log(1.0 / m), 1e-12);
}

// Missing rows behave as a group of their own. y = 0 0 (x = 1), 5 5 (x = 2), 5 5 (missing): joined to the
// right they make a clean cut; the gain is the whole sum of squares, 6 * 50/9 - ...: mean 20/6, squares 2 *
// 100/9 + 4 * 25/9 = 33.33.
TEST(Worked, missing_cells_join_the_side_they_resemble) {
  Case sample = number_case({0, 0, 5, 5, 5, 5});
  add_numeric(sample, {1, 1, 2, 2, kMissing, kMissing});
  Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.threshold(0), 1.5);
  EXPECT_EQ(tree.missing_to(0), 1);
  EXPECT_NEAR(tree.gain(0), 300.0 / 9.0, 1e-12);
  sample.targets = {{0, 0, 5, 5, 0, 0}};
  tree = grow_all(sample).tree();
  EXPECT_EQ(tree.missing_to(0), 0);
}

TEST(Worked, missing_cells_may_stand_against_all_known_ones) {
  Case sample = class_case({0, 0, 0, 1, 1});
  add_numeric(sample, {1, 2, 3, kMissing, kMissing});
  Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.threshold(0), kInfinity);
  EXPECT_EQ(tree.missing_to(0), 1);
  EXPECT_EQ(tree.n_leaves(), 2);
  sample = class_case({0, 0, 0, 1, 1});
  add_levels(sample, Kind::ordinal, 3, {0, 1, 2, kMissing, kMissing});
  EXPECT_EQ(grow_all(sample).tree().threshold(0), 3.0);  // all three levels
  for (const char* kind : {"subset", "equality"}) {
    sample = class_case({0, 0, 0, 1, 1});
    add_levels(sample, Kind::category, 3, {0, 1, 2, kMissing, kMissing});
    sample.params.category_split = kind;
    tree = grow_all(sample).tree();
    EXPECT_EQ(tree.kind(0), NodeKind::subset);
    EXPECT_EQ(left_levels(tree, 0), (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(tree.missing_to(0), 1);
  }
}

// Nothing is missing in training: later such cells follow the heavier child, the right one when both weigh
// the same.
TEST(Worked, without_missing_cells_in_training_they_follow_the_heavier_child) {
  Case sample = class_case({0, 0, 0, 1});
  add_numeric(sample, {1, 1, 1, 2});
  EXPECT_EQ(grow_all(sample).tree().missing_to(0), 0);
  sample.weights = {1, 1, 1, 3};
  EXPECT_EQ(grow_all(sample).tree().missing_to(0), 1);
  sample.weights = {1, 1, 1.5, 3};
  EXPECT_EQ(grow_all(sample).tree().missing_to(0), 0);
  sample = class_case({0, 0, 1, 1});
  add_numeric(sample, {1, 1, 2, 2});
  EXPECT_EQ(grow_all(sample).tree().missing_to(0), 1);
}

// Midpoints: halves are added, so nothing overflows; a cut that cannot lie between its neighbours is the
// lower one.
TEST(Worked, thresholds_lie_between_neighbours_or_on_the_lower_one) {
  const double next = std::nextafter(1.0, 2.0), tiny = std::numeric_limits<double>::denorm_min();
  const double largest = std::numeric_limits<double>::max();
  const auto threshold = [](double a, double b) {
    Case sample = class_case({0, 1});
    add_numeric(sample, {a, b});
    return grow_all(sample).tree().threshold(0);
  };
  EXPECT_EQ(threshold(1.0, 2.0), 1.5);
  EXPECT_EQ(threshold(1.0, next), 1.0);
  EXPECT_EQ(threshold(-largest, largest), 0.0);
  EXPECT_EQ(threshold(largest / 2, largest), largest / 4 + largest / 2);
  EXPECT_EQ(threshold(0.0, tiny), 0.0);
  EXPECT_EQ(threshold(-tiny, 0.0), -tiny);
  EXPECT_EQ(threshold(3.0, kInfinity), 3.0);
  EXPECT_EQ(threshold(-kInfinity, 3.0), -kInfinity);
  EXPECT_EQ(threshold(-kInfinity, kInfinity), -kInfinity);
}

// Two outputs: the gain is the mean of both. Output 0 is parted cleanly (4 * 1/4 * 2 = 2 in gini: 4 rows of
// impurity 1/2), output 1 not at all.
TEST(Worked, two_outputs_share_the_gain) {
  Case sample = class_case({0, 0, 1, 1});
  sample.targets.push_back({0, 1, 0, 1});
  sample.n_classes.push_back(2);
  add_numeric(sample, {1, 1, 2, 2});
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.gain(0), 1.0);      // (2 + 0) / 2
  EXPECT_EQ(tree.impurity(0), 0.5);  // (1/2 + 1/2) / 2
  EXPECT_EQ(node_values(tree, tree.children(0)[0]), (std::vector<double>{2, 0, 1, 1}));
}

// More than ten levels of three classes: the heuristic is used and the model says so.
TEST(Worked, a_heuristic_leaves_a_note) {
  std::vector<double> y, levels;
  for (int i = 0; i < 60; ++i) {
    y.push_back(i % 3);
    levels.push_back(i % 12);
  }
  y[0] = 1;
  Case sample = class_case(y);
  add_levels(sample, Kind::category, 12, levels);
  const Model model = grow_all(sample);
  ASSERT_EQ(model.parts().provenance.notes.size(), 1U);
  EXPECT_NE(model.parts().provenance.notes[0].find("principal_direction"), std::string::npos);
  sample.params.category_split = "equality";
  EXPECT_TRUE(grow_all(sample).parts().provenance.notes.empty());
}

// Points c + t v about a centre far from the origin: the direction is v, up to its sign.
TEST(CategoryOrder, the_principal_direction_is_the_line_on_which_levels_lie) {
  const std::vector<double> v{2.0 / 7, 3.0 / 7, -6.0 / 7}, along{-3, 1, 2, 5, -4}, weights{1, 2, 3, 1, 4};
  std::vector<double> points;
  for (const double t : along)
    for (std::size_t c = 0; c < 3; ++c) points.push_back(10.0 + t * v[c]);
  const std::vector<double> found = principal_direction(points, weights, 3);
  const double sign = found[0] > 0.0 ? 1.0 : -1.0;
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(sign * found[c], v[c], 1e-12) << c;
}

// A level is the point (l, 0, -l, 0, 0, ...): by increasing l or the other way round, and ties by their
// number.
struct LineFamily {
  std::size_t d;
  [[nodiscard]] std::size_t vector_size() const { return d; }
  static void level_vector(double l, std::span<double> out) {
    std::fill(out.begin(), out.end(), 0.0);
    out[0] = l;
    if (out.size() > 2) out[2] = -l;
  }
};

TEST(CategoryOrder, up_to_64_coordinates_give_orders_of_their_own) {
  const std::vector<double> levels{2, 9, 4}, weights{1, 1, 1};
  const auto orders = [&](std::size_t d) {
    return heuristic_orders(LineFamily{d}, std::span<const double>(levels), weights);
  };
  using Order = std::vector<std::size_t>;
  const Order up{0, 2, 1}, down{1, 2, 0}, tied{0, 1, 2};
  EXPECT_EQ(orders(1).size(), 1U);
  EXPECT_EQ(orders(65).size(), 1U);
  ASSERT_EQ(orders(64).size(), 65U);
  ASSERT_EQ(orders(3).size(), 4U);
  EXPECT_TRUE(orders(3)[0] == up || orders(3)[0] == down);
  EXPECT_EQ(orders(3)[1], up);
  EXPECT_EQ(orders(3)[2], tied);
  EXPECT_EQ(orders(3)[3], down);
}

// Untreated: -1 twice and 4 three times; treated: 3 and 2.5.
TEST(Worked, sums_of_treated_and_untreated_rows) {
  Targets targets;
  targets.numbers.emplace_back().raw = {3, -1, 2.5, 4};
  targets.treated = {1, 0, 1, 0};
  to_fixed_point(targets, std::vector<double>{1, 2, 1, 3}, 4);
  ArmPair arms;
  for (const RowId row : targets.rows) add_row(targets, row, arms);
  const int unit = targets.numbers[0].fixed.exponent;
  EXPECT_EQ(targets.weight_exponent, 0);
  EXPECT_EQ(std::ldexp(static_cast<double>(arms[0].sum), -unit), 10.0);
  EXPECT_EQ(std::ldexp(static_cast<double>(arms[1].sum), -unit), 5.5);
  EXPECT_EQ(std::ldexp(arms[0].squares.to_double(), -2 * unit), 50.0);
  EXPECT_EQ(std::ldexp(arms[1].squares.to_double(), -2 * unit), 15.25);
  EXPECT_EQ(arms[0].weight, 5);
  EXPECT_EQ(arms[1].weight, 2);
  EXPECT_EQ(arms[0].rows, 2);
  EXPECT_EQ(arms[1].rows, 2);
}

// 240 targets near 1 add up to less than 2^9, so a unit of fixed point is 2^-52, the last bit of these
// targets: the fraction of their mean counts as much as they do.
TEST(Worked, targets_that_differ_in_their_last_bit) {
  const double next = std::nextafter(1.0, 2.0);
  std::vector<double> y, x;
  for (int i = 0; i < 240; ++i) {
    y.push_back((i % 5 == 0) == (i < 150) ? next : 1.0);
    x.push_back(i);
  }
  Case sample = number_case(y);
  add_numeric(sample, x);
  sample.params.max_depth = 3;
  const Tree tree = grow_all(sample).tree();
  // 1/5 of the first 150 and 4/5 of the others are higher.
  EXPECT_NEAR(tree.threshold(0), 149.5, 1.5);
}

// Cells of a sparse column on both sides of its zeros, several of each: every cut is the best once.
TEST(Worked, cuts_of_a_sparse_column_lie_between_its_cells) {
  const std::vector<double> cells{0, 3, -2, 0, 1, 0, 4, -1, 2, 0, 3, -2, 1, 4};
  for (const double cut : {-1.5, -0.5, 0.5, 1.5, 2.5, 3.5}) {
    std::vector<double> y;
    for (const double x : cells) y.push_back(x > cut ? 1 : 0);
    Case sample = class_case(y);
    sample.columns.push_back({"x0", Kind::numeric, Storage::sparse, 0, cells});
    EXPECT_EQ(grow_all(sample).tree().threshold(0), cut);
  }
}

// So many rows are counted in parts. 30,000 of one class, then 10,000 of the other: 40,000 * 2 * 3/4 * 1/4 =
// 15,000.
TEST(Worked, nodes_of_many_rows) {
  std::vector<double> y, x;
  for (int i = 0; i < 40000; ++i) {
    y.push_back(i < 30000 ? 0 : 1);
    x.push_back(i);
  }
  Case sample = class_case(y);
  add_numeric(sample, x);
  const Tree tree = grow_all(sample).tree();
  ASSERT_EQ(tree.n_nodes(), 3);
  EXPECT_EQ(tree.threshold(0), 29999.5);
  EXPECT_EQ(tree.gain(0), 15000.0);
}

// Levels 0: three left, one right; 1: one left, four right; 2: one of each, which go where most rows go, right.
TEST(Worked, a_surrogate_of_categories_sends_every_level_to_its_majority) {
  const std::vector<std::uint32_t> codes{0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2};
  EncodedColumn column;
  column.kind = Kind::category;
  std::vector<RowId> rows(codes.size());
  std::iota(rows.begin(), rows.end(), RowId{0});
  const auto found = [&](const Sides& sides) {
    SideWeights decided;
    for (const std::int8_t side : sides) (side == 0 ? decided.left : decided.right) += 1.0;
    return find_surrogate({4, &column, codes, rows}, sides, decided, {});
  };
  const auto best = found({0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1});
  ASSERT_TRUE(best.has_value());
  EXPECT_EQ(best->column, 4);
  EXPECT_EQ(best->map_levels, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(best->map_children, (std::vector<std::uint16_t>{0, 1, 1}));
  EXPECT_DOUBLE_EQ(best->score, 8.0 / 11);                 // 3 + 4 + 1 of 11
  EXPECT_DOUBLE_EQ(best->adjusted, (8.0 - 6) / (11 - 6));  // all to the right: 6
  // It must differ from the split on two rows, as rpart has it.
  EXPECT_FALSE(found({0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}).has_value());
}

}  // namespace
}  // namespace bough
