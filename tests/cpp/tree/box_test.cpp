// SPDX-License-Identifier: Apache-2.0
// Tree::box: the region of a node, column by column.
#include <gtest/gtest.h>

#include <limits>

#include "tree/samples.hpp"

namespace bough {
namespace {

using namespace samples;

constexpr double kInf = std::numeric_limits<double>::infinity();
using LevelSet = std::vector<std::uint32_t>;

TEST(Box, the_root_has_no_sides) {
  const std::vector<std::uint32_t> n_levels{0};
  EXPECT_TRUE(stump(numeric(0, 1.0)).box(0, n_levels).empty());
}

TEST(Box, numeric_tests_of_a_path_intersect) {
  // x <= 10, then x > 2, then y <= 5 : the leaf is 2 < x <= 10, y <= 5.
  TreeBuilder builder(Task::regression, {1});
  const auto a = builder.split(builder.root(), numeric(1, 10.0, 0), 2);
  const auto b = builder.split(a, numeric(1, 2.0, 1), 2);
  builder.split(b + 1, numeric(0, 5.0, 1), 2);
  const Tree tree = std::move(builder).finish();
  const std::vector<std::uint32_t> n_levels{0, 0};
  const auto box = tree.box(4, n_levels);  // 0, 1, leaf 2, 3, leaf 4
  ASSERT_EQ(box.size(), 2U);
  EXPECT_EQ(box[0].column, 0);
  EXPECT_EQ(box[0].low, -kInf);
  EXPECT_EQ(box[0].high, 5.0);
  EXPECT_FALSE(box[0].missing);  // missing goes to the other child
  EXPECT_EQ(box[1].column, 1);
  EXPECT_EQ(box[1].low, 2.0);
  EXPECT_EQ(box[1].high, 10.0);
  EXPECT_TRUE(box[1].missing);  // to child 0, then to child 1
}

TEST(Box, an_infinite_threshold_parts_the_known_from_the_missing) {
  const Tree tree = stump(numeric(0, kInf, 1));
  const std::vector<std::uint32_t> n_levels{0};
  const auto known = tree.box(1, n_levels).at(0);
  EXPECT_EQ(known.high, kInf);
  EXPECT_FALSE(known.missing);
  const auto missing = tree.box(2, n_levels).at(0);
  EXPECT_EQ(missing.low, kInf);
  EXPECT_TRUE(missing.missing);
}

TEST(Box, ordinal_tests_give_an_interval_of_level_indices) {
  // index < 3 goes left: 0, 1, 2. So left is (-inf, 2], right is (2, inf).
  const Tree tree = stump(ordinal(0, 3));
  const std::vector<std::uint32_t> n_levels{5};
  EXPECT_EQ(tree.box(1, n_levels).at(0).high, 2.0);
  EXPECT_EQ(tree.box(2, n_levels).at(0).low, 2.0);
  EXPECT_FALSE(tree.box(2, n_levels).at(0).is_set);
}

TEST(Box, equality_keeps_one_level_on_the_left_and_the_others_on_the_right) {
  const Tree tree = stump(equality(0, 2));
  const std::vector<std::uint32_t> n_levels{4};
  const auto left = tree.box(1, n_levels).at(0);
  const auto right = tree.box(2, n_levels).at(0);
  EXPECT_TRUE(left.is_set);
  EXPECT_EQ(left.levels, (LevelSet{2}));
  EXPECT_FALSE(left.unseen);
  EXPECT_EQ(right.levels, (LevelSet{0, 1, 3}));
  EXPECT_TRUE(right.unseen);
}

TEST(Box, levels_that_a_map_does_not_name_are_with_the_unseen) {
  const Tree tree = stump(mapped(0, {0, 3}, {0, 1}, 0));
  const std::vector<std::uint32_t> n_levels{5};
  EXPECT_EQ(tree.box(1, n_levels).at(0).levels, (LevelSet{0, 1, 2, 4}));
  EXPECT_TRUE(tree.box(1, n_levels).at(0).unseen);
  EXPECT_EQ(tree.box(2, n_levels).at(0).levels, (LevelSet{3}));
  EXPECT_FALSE(tree.box(2, n_levels).at(0).unseen);
}

TEST(Box, two_sets_on_one_path_intersect) {
  TreeBuilder builder(Task::regression, {1});
  const auto a = builder.split(builder.root(), mapped(0, {0, 1, 2, 3}, {0, 0, 0, 1}, 0, 0), 2);
  builder.split(a, equality(0, 1, missing_by_share), 2);
  const Tree tree = std::move(builder).finish();
  const std::vector<std::uint32_t> n_levels{4};
  const auto box = tree.box(3, n_levels);  // 0, 1, leaf 2 (== 1), leaf 3 (!= 1)
  ASSERT_EQ(box.size(), 1U);
  EXPECT_EQ(box[0].levels, (LevelSet{0, 2}));
  EXPECT_TRUE(box[0].missing);
  EXPECT_TRUE(box[0].unseen);
}

TEST(Box, an_order_and_a_set_on_one_column_give_a_set) {
  TreeBuilder builder(Task::regression, {1});
  const auto a = builder.split(builder.root(), ordinal(0, 3), 2);  // 0 1 2 | 3 4
  builder.split(a, equality(0, 1), 2);
  const auto right = builder.split(a + 1, equality(0, 4), 2);
  builder.split(right + 1, ordinal(0, 4), 2);
  const Tree tree = std::move(builder).finish();
  const std::vector<std::uint32_t> n_levels{5};
  // 0; 1 (2: == 1, 3: != 1); 4 (5: == 4, 6: != 4 (7: < 4, 8: >= 4)).
  EXPECT_EQ(tree.box(3, n_levels).at(0).levels, (LevelSet{0, 2}));
  EXPECT_EQ(tree.box(7, n_levels).at(0).levels, (LevelSet{3}));
  EXPECT_TRUE(tree.box(8, n_levels).at(0).levels.empty());
}

TEST(Box, intervals_are_cut_between_neighbouring_cuts) {
  const Tree tree = stump(interval(0, {1.0, 2.0}), 3);
  const std::vector<std::uint32_t> n_levels{0};
  EXPECT_EQ(tree.box(1, n_levels).at(0).low, -kInf);
  EXPECT_EQ(tree.box(1, n_levels).at(0).high, 1.0);
  EXPECT_EQ(tree.box(2, n_levels).at(0).low, 1.0);
  EXPECT_EQ(tree.box(2, n_levels).at(0).high, 2.0);
  EXPECT_EQ(tree.box(3, n_levels).at(0).low, 2.0);
  EXPECT_EQ(tree.box(3, n_levels).at(0).high, kInf);
}

TEST(Box, oblique_tests_add_no_side) {
  const std::vector<std::uint32_t> n_levels{0, 0};
  EXPECT_TRUE(stump(oblique({{0, 1.0}, {1, 1.0}}, 0.0)).box(1, n_levels).empty());
}

TEST(Box, missing_cells_come_by_share_stop_or_follow_the_largest_child) {
  const std::vector<std::uint32_t> n_levels{0};
  const auto lets = [&](std::int32_t to, NodeId node) {
    return stump(numeric(0, 1.0, to)).box(node, n_levels).at(0).missing;
  };
  // Of the stump's children the second is larger (2 rows of 3).
  EXPECT_TRUE(lets(missing_by_share, 1));
  EXPECT_TRUE(lets(missing_by_share, 2));
  EXPECT_FALSE(lets(missing_stops, 1));
  EXPECT_FALSE(lets(missing_stops, 2));
  EXPECT_FALSE(lets(missing_surrogate, 1));
  EXPECT_TRUE(lets(missing_surrogate, 2));
}

}  // namespace
}  // namespace bough
