// SPDX-License-Identifier: Apache-2.0
// route(): every kind of test with ordinary, missing, unseen and strange cells.
#include "predict/route.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "data/cells.hpp"
#include "tree/samples.hpp"

namespace bough {
namespace {

using namespace samples;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Child number of a row whose cells are `row`, at the root.
std::int32_t child_of(const Tree& tree, std::vector<double> row) {
  return route(tree, 0, [&](ColId column) { return row.at(static_cast<std::size_t>(column)); });
}

TEST(Route, numeric_sends_values_up_to_the_threshold_left) {
  const Tree tree = stump(numeric(0, 2.5));
  EXPECT_EQ(child_of(tree, {2.5}), 0);
  EXPECT_EQ(child_of(tree, {std::nextafter(2.5, 3.0)}), 1);
  EXPECT_EQ(child_of(tree, {-kInf}), 0);
  EXPECT_EQ(child_of(tree, {kInf}), 1);
}

TEST(Route, an_infinite_threshold_parts_known_from_missing) {
  const Tree tree = stump(numeric(0, kInf, 1));
  EXPECT_EQ(child_of(tree, {kInf}), 0);
  EXPECT_EQ(child_of(tree, {1e308}), 0);
  EXPECT_EQ(child_of(tree, {kNan}), 1);
}

TEST(Route, ordinal_sends_lower_levels_left) {
  const Tree tree = stump(ordinal(0, 2, 1));
  EXPECT_EQ(child_of(tree, {0}), 0);
  EXPECT_EQ(child_of(tree, {1}), 0);
  EXPECT_EQ(child_of(tree, {2}), 1);
}

TEST(Route, an_ordinal_cell_of_unknown_value_is_treated_as_missing) {
  EXPECT_EQ(child_of(stump(ordinal(0, 2, 1)), {kUnseenCell}), 1);
  EXPECT_EQ(child_of(stump(ordinal(0, 2, 0)), {kUnseenCell}), 0);
}

TEST(Route, equality_sends_the_level_left_and_all_else_right) {
  const Tree tree = stump(equality(0, 2, 0));
  EXPECT_EQ(child_of(tree, {2}), 0);
  EXPECT_EQ(child_of(tree, {1}), 1);
  EXPECT_EQ(child_of(tree, {kUnseenCell}), 1);
  EXPECT_EQ(child_of(tree, {kNan}), 0);
}

TEST(Route, subset_follows_its_map_and_sends_unknown_levels_to_the_default) {
  const Tree tree = stump(mapped(0, {1, 4, 7}, {1, 0, 1}, 0, 1));
  EXPECT_EQ(child_of(tree, {1}), 1);
  EXPECT_EQ(child_of(tree, {4}), 0);
  EXPECT_EQ(child_of(tree, {7}), 1);
  EXPECT_EQ(child_of(tree, {2}), 0);  // known to the schema, absent from the node in training
  EXPECT_EQ(child_of(tree, {9}), 0);
  EXPECT_EQ(child_of(tree, {kUnseenCell}), 0);
  EXPECT_EQ(child_of(tree, {kNan}), 1);
}

TEST(Route, multiway_reaches_every_child) {
  const Tree tree = stump(mapped(0, {0, 1, 2, 3}, {2, 0, 1, 2}, 1), 3);
  EXPECT_EQ(child_of(tree, {0}), 2);
  EXPECT_EQ(child_of(tree, {1}), 0);
  EXPECT_EQ(child_of(tree, {2}), 1);
  EXPECT_EQ(child_of(tree, {3}), 2);
  EXPECT_EQ(child_of(tree, {kUnseenCell}), 1);
}

TEST(Route, strange_level_cells_count_as_unseen) {
  const Tree tree = stump(mapped(0, {0, 1}, {0, 0}, 1, 1));
  for (const double cell : {0.5, 1e300, -1e300, kInf, -kInf, 4294967296.0})
    EXPECT_EQ(child_of(tree, {cell}), 1);
}

TEST(Route, interval_counts_the_cuts_below_the_value) {
  const Tree tree = stump(interval(0, {1.0, 2.0, 3.0}, 2), 4);
  EXPECT_EQ(child_of(tree, {1.0}), 0);
  EXPECT_EQ(child_of(tree, {1.5}), 1);
  EXPECT_EQ(child_of(tree, {2.0}), 1);
  EXPECT_EQ(child_of(tree, {3.0}), 2);
  EXPECT_EQ(child_of(tree, {99.0}), 3);
  EXPECT_EQ(child_of(tree, {kNan}), 2);
}

TEST(Route, oblique_compares_the_weighted_sum) {
  const Tree tree = stump(oblique({{0, 1.0}, {2, -2.0}}, 3.0, 0));
  EXPECT_EQ(child_of(tree, {5.0, 0.0, 1.0}), 0);   // 5 - 2 = 3 <= 3
  EXPECT_EQ(child_of(tree, {5.5, 0.0, 1.0}), 1);   // 3.5 > 3
  EXPECT_EQ(child_of(tree, {5.5, 0.0, kNan}), 0);  // a missing term makes the test missing
  EXPECT_EQ(child_of(tree, {5.5, kNan, 1.0}), 1);  // column 1 takes no part
}

TEST(Route, missing_policies_are_passed_on_or_resolved) {
  EXPECT_EQ(child_of(stump(numeric(0, 1.0, missing_by_share)), {kNan}), missing_by_share);
  EXPECT_EQ(child_of(stump(numeric(0, 1.0, missing_stops)), {kNan}), missing_stops);
  // The stump's second child is the larger one.
  EXPECT_EQ(child_of(stump(numeric(0, 1.0, missing_surrogate)), {kNan}), 1);
}

}  // namespace
}  // namespace bough
