// SPDX-License-Identifier: Apache-2.0
// Differences of trees, told by hand.
#include <gtest/gtest.h>

#include "explain/models.hpp"
#include "study/places.hpp"
#include "study/support.hpp"

namespace bough {
namespace {

using namespace bough::testing;

// a <= `cut`, then on the right a test of `second` or, with an empty name, a leaf.
Model two_levels(std::vector<std::string> columns, double cut, const std::string& second) {
  std::vector<Field> fields;
  const auto place = [&](const std::string& name) {
    return static_cast<ColId>(std::find(columns.begin(), columns.end(), name) - columns.begin());
  };
  for (const std::string& name : columns) fields.push_back(numeric(name));
  Model::Parts parts = class_parts(fields, class_target("y", {"no", "yes"}));
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  builder.set_stats(root, stats({3, 3}, 6));
  const auto first = builder.split(root, numeric_split(place("a"), cut), 2);
  builder.set_stats(first, stats({3, 0}, 3));
  builder.set_stats(first + 1, stats({0, 3}, 3));
  if (!second.empty()) {
    const auto next = builder.split(first + 1, numeric_split(place(second), 7.0), 2);
    builder.set_stats(next, stats({0, 1}, 1));
    builder.set_stats(next + 1, stats({0, 2}, 2));
  }
  parts.trees.push_back(std::move(builder).finish());
  return Model(std::move(parts));
}

TEST(Differences, a_tree_does_not_differ_from_itself_nor_from_one_whose_columns_are_listed_otherwise) {
  EXPECT_TRUE(tree_differences(two_levels({"a", "b"}, 1.5, "b"), two_levels({"b", "a"}, 1.5, "b")).empty());
}

TEST(Differences, cuts_columns_and_leaves_are_told_apart_from_the_root_down) {
  const Model before = two_levels({"a", "b", "c"}, 1.5, "b");
  const auto other = tree_differences(before, two_levels({"a", "b", "c"}, 2.5, "c"));
  ASSERT_EQ(other.size(), 2u);
  EXPECT_EQ(other[0].change, TestChange::cut);
  EXPECT_EQ(other[0].from, "a ≤ 1.5");
  EXPECT_EQ(other[0].to, "a ≤ 2.5");
  EXPECT_EQ(other[1].change, TestChange::column);
  EXPECT_EQ(other[1].before, 2);
  EXPECT_EQ(other[1].depth, 1);
  EXPECT_EQ(other[1].from, "b ≤ 7");
  EXPECT_EQ(other[1].to, "c ≤ 7");
  const auto fallen = tree_differences(before, two_levels({"a"}, 1.5, ""));
  ASSERT_EQ(fallen.size(), 1u);
  EXPECT_EQ(fallen[0].change, TestChange::cut_off);
  EXPECT_EQ(fallen[0].to, "leaf: yes");
  EXPECT_EQ(tree_differences(two_levels({"a"}, 1.5, ""), before)[0].change, TestChange::grown);
}

TEST(Differences, cuts_that_look_alike_are_written_in_full) {
  const auto found = tree_differences(two_levels({"a"}, 1.5, ""), two_levels({"a"}, 1.5000000000000002, ""));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].from, "a ≤ 1.5");
  EXPECT_EQ(found[0].to, "a ≤ 1.5000000000000002");
}

TEST(Differences, a_deep_chain_is_compared_without_recursion) {
  TreeBuilder builder(Task::classification, {2});
  auto node = builder.root();
  for (int i = 0; i < 50'000; ++i) {
    builder.set_stats(node, stats({50'000.0 - i, 1}, 50'001 - i));
    node = builder.split(node, numeric_split(0, 50'000.0 - i), 2);
    builder.set_stats(node + 1, stats({1, 0}, 1));
  }
  builder.set_stats(node, stats({0, 1}, 1));
  Model::Parts parts = class_parts({numeric("a")}, class_target("y", {"no", "yes"}));
  parts.trees.push_back(std::move(builder).finish());
  const Model chain(parts);
  EXPECT_TRUE(tree_differences(chain, chain).empty());
}

TEST(Differences, forests_are_refused_by_name) {
  Model::Parts parts = two_levels({"a"}, 1.5, "").parts();
  parts.trees.push_back(parts.trees.front());
  parts.combine = Combine::vote;
  const Model forest(parts);
  EXPECT_NE(complaint([&] { static_cast<void>(tree_differences(forest, forest)); }).find("single trees"),
            std::string::npos);
  EXPECT_NE(complaint([&] { static_cast<void>(refit(forest, iris_table())); }).find("2 trees"),
            std::string::npos);
}

}  // namespace
}  // namespace bough
