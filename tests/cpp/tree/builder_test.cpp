// SPDX-License-Identifier: Apache-2.0
// TreeBuilder: numbering, shares, values, collapsing, raising, misuse.
#include <gtest/gtest.h>

#include <numeric>

#include "bough/tree.hpp"
#include "tree/samples.hpp"

namespace bough {
namespace {

using samples::counts;
using samples::numeric;

std::vector<NodeId> children_of(const Tree& tree, NodeId node) {
  const auto span = tree.children(node);
  return {span.begin(), span.end()};
}

std::vector<double> values_of(const Tree& tree, NodeId node) {
  std::vector<double> values(tree.value_width());
  tree.values(node, values);
  return values;
}

TEST(Builder, numbers_nodes_in_preorder_whatever_the_order_of_growth) {
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  const auto left = builder.split(root, numeric(0, 1.0), 2);
  const auto right_left = builder.split(left + 1, numeric(1, 2.0), 2);  // the right side first
  const auto left_left = builder.split(left, numeric(2, 3.0), 2);
  std::vector<NodeId> ids;
  const Tree tree = std::move(builder).finish(&ids);
  // Preorder: 0 root, 1 left, 2 and 3 its leaves, 4 right, 5 and 6 its leaves.
  EXPECT_EQ(ids[root], 0);
  EXPECT_EQ(ids[left], 1);
  EXPECT_EQ(ids[left_left], 2);
  EXPECT_EQ(ids[left_left + 1], 3);
  EXPECT_EQ(ids[left + 1], 4);
  EXPECT_EQ(ids[right_left], 5);
  EXPECT_EQ(children_of(tree, 0), (std::vector<NodeId>{1, 4}));
  EXPECT_EQ(tree.column(1), 2);
  EXPECT_EQ(tree.column(4), 1);
  EXPECT_EQ(tree.n_leaves(), 4);
  EXPECT_EQ(tree.depth(), 2);
  EXPECT_EQ(tree.parents(), (std::vector<NodeId>{-1, 0, 1, 1, 0, 4, 4}));
  EXPECT_EQ(tree.depths(), (std::vector<std::int32_t>{0, 1, 2, 2, 1, 2, 2}));
}

TEST(Builder, growth_order_does_not_show_in_the_tree) {
  const auto grow = [](bool right_first) {
    TreeBuilder builder(Task::regression, {1});
    const auto child = builder.split(builder.root(), numeric(0, 1.0), 2);
    const auto split_side = [&](std::int32_t side) {
      builder.split(child + side, numeric(side, 5.0 + side), 2);
    };
    split_side(right_first ? 1 : 0);
    split_side(right_first ? 0 : 1);
    return std::move(builder).finish();
  };
  EXPECT_EQ(grow(true), grow(false));
}

TEST(Builder, shares_come_from_the_childrens_weights) {
  TreeBuilder builder(Task::classification, {2});
  const auto child = builder.split(builder.root(), numeric(0, 1.0), 2);
  builder.set_stats(0, counts(3, 1));
  builder.set_stats(child, counts(3, 0));
  builder.set_stats(child + 1, counts(0, 1));
  const Tree tree = std::move(builder).finish();
  EXPECT_EQ(tree.child_shares(0)[0], 3.0 / 4.0);
  EXPECT_EQ(tree.child_shares(0)[1], 1.0 / 4.0);
}

TEST(Builder, children_without_weight_get_equal_shares) {
  const Tree tree = [] {
    TreeBuilder builder(Task::classification, {2});
    builder.split(builder.root(), samples::interval(0, {1.0, 2.0, 3.0}), 4);
    return std::move(builder).finish();
  }();
  for (const double share : tree.child_shares(0)) EXPECT_EQ(share, 0.25);
}

TEST(Builder, given_shares_are_kept) {
  TreeBuilder builder(Task::classification, {2});
  const std::vector<double> shares{0.9, 0.1};
  builder.split(builder.root(), numeric(0, 1.0, missing_by_share), 2, shares);
  const Tree tree = std::move(builder).finish();
  EXPECT_EQ(tree.child_shares(0)[0], 0.9);
}

TEST(Builder, collapse_makes_a_leaf_and_drops_what_hangs_below) {
  TreeBuilder builder(Task::classification, {2});
  const auto left = builder.split(builder.root(), numeric(0, 1.0), 2);
  const auto deeper = builder.split(left, numeric(1, 2.0), 2);
  builder.collapse(left);
  EXPECT_TRUE(builder.is_leaf(left));
  std::vector<NodeId> ids;
  const Tree tree = std::move(builder).finish(&ids);
  EXPECT_EQ(tree.n_nodes(), 3);
  EXPECT_EQ(ids[static_cast<std::size_t>(deeper)], -1);
  EXPECT_EQ(ids[static_cast<std::size_t>(left)], 1);
}

TEST(Builder, a_collapsed_node_can_be_split_again) {
  TreeBuilder builder(Task::classification, {2});
  builder.split(builder.root(), numeric(0, 1.0), 2);
  builder.collapse(0);
  builder.split(0, numeric(7, 2.0), 2);
  const Tree tree = std::move(builder).finish();
  EXPECT_EQ(tree.n_nodes(), 3);
  EXPECT_EQ(tree.column(0), 7);
}

TEST(Builder, raise_puts_a_subtree_in_the_place_of_its_ancestor) {
  TreeBuilder builder(Task::classification, {2});
  const auto left = builder.split(builder.root(), numeric(0, 1.0), 2);
  const auto inner = builder.split(left, numeric(1, 2.0), 2);
  builder.split(inner + 1, numeric(2, 3.0), 2);
  builder.set_extra("e", inner + 1, 42.0);
  builder.raise(0, inner + 1);
  std::vector<NodeId> ids;
  const Tree tree = std::move(builder).finish(&ids);
  EXPECT_EQ(tree.n_nodes(), 3);
  EXPECT_EQ(tree.column(0), 2);
  EXPECT_EQ(tree.extras().at("e")[0], 42.0);
  EXPECT_EQ(ids[static_cast<std::size_t>(left)], -1);
  EXPECT_EQ(ids[static_cast<std::size_t>(inner + 1)], -1);
}

TEST(Builder, raising_an_ancestor_into_its_own_descendant_is_refused) {
  TreeBuilder builder(Task::classification, {2});
  const auto left = builder.split(builder.root(), numeric(0, 1.0), 2);
  builder.raise(left, 0);
  EXPECT_THROW(std::move(builder).finish(), Error);
}

TEST(Builder, a_tree_taken_apart_and_put_together_is_the_same) {
  const Tree tree = samples::stump(samples::mapped(1, {0, 2, 5}, {0, 1, 2}, 2), 3);
  EXPECT_EQ(TreeBuilder::from(tree).finish(), tree);
}

TEST(Builder, from_a_tree_handles_are_node_ids) {
  TreeBuilder first(Task::classification, {2});
  const auto left = first.split(first.root(), numeric(0, 1.0), 2);
  first.split(left, numeric(1, 2.0), 2);
  const Tree tree = std::move(first).finish();
  TreeBuilder second = TreeBuilder::from(tree);
  // Node 4 is the root's right child; it was not made next to its sibling in this numbering.
  EXPECT_EQ(second.children(0)[1], 4);
  second.split(4, numeric(3, 9.0), 2);
  const Tree grown = std::move(second).finish();
  EXPECT_EQ(grown.n_nodes(), 7);
  EXPECT_EQ(grown.column(4), 3);
}

TEST(Builder, a_chain_of_a_hundred_thousand_nodes_is_built_and_checked) {
  TreeBuilder builder(Task::regression, {1});
  TreeBuilder::Handle node = builder.root();
  constexpr std::int32_t depth = 100'000;
  for (std::int32_t i = 0; i < depth; ++i) node = builder.split(node, numeric(0, -i), 2);
  const Tree tree = std::move(builder).finish();
  EXPECT_EQ(tree.depth(), depth);
  EXPECT_EQ(tree.n_nodes(), 2 * depth + 1);
  EXPECT_NO_THROW(tree.check(1));
  const std::vector<std::uint32_t> no_levels{0};
  EXPECT_EQ(tree.box(depth, no_levels)[0].high, -(depth - 1));
}

TEST(Builder, wide_values_are_stored_without_zeros_and_read_back_whole) {
  std::vector<double> values(100);
  values[3] = 1.5;
  values[99] = 2.5;
  TreeBuilder builder(Task::classification, {60, 40});
  builder.set_stats(builder.root(), {4, 4.0, 0.5, values});
  const Tree tree = std::move(builder).finish();
  EXPECT_EQ(TreeAccess::value(tree).size(), 2U);
  EXPECT_EQ(values_of(tree, 0), values);
  EXPECT_EQ(TreeBuilder::from(tree).finish(), tree);
}

TEST(Builder, values_64_wide_are_dense_and_65_wide_are_sparse) {
  for (const std::uint32_t width : {64U, 65U}) {
    std::vector<double> values(width);
    values[7] = 1.0;
    TreeBuilder builder(Task::classification, {width});
    builder.set_stats(builder.root(), {1, 1.0, 0.0, values});
    const Tree tree = std::move(builder).finish();
    EXPECT_EQ(TreeAccess::value(tree).size(), width == 64 ? 64U : 1U);
    EXPECT_EQ(values_of(tree, 0), values);
  }
}

TEST(Builder, extras_follow_their_nodes_and_default_to_zero) {
  TreeBuilder builder(Task::regression, {1});
  const auto child = builder.split(builder.root(), numeric(0, 1.0), 2);
  const auto deeper = builder.split(child + 1, numeric(0, 2.0), 2);
  builder.split(child, numeric(0, 0.5), 2);
  builder.set_extra("variance", deeper, 7.0);
  const Tree tree = std::move(builder).finish();
  // Preorder: 0, left 1 (2, 3), right 4 (5, 6): `deeper` is node 5.
  EXPECT_EQ(tree.extras().at("variance"), (std::vector<double>{0, 0, 0, 0, 0, 7.0, 0}));
}

TEST(Builder, a_split_of_the_builder_itself_can_be_repeated) {
  TreeBuilder builder(Task::regression, {1});
  TreeBuilder::Handle node = builder.split(builder.root(), samples::mapped(0, {0, 1}, {0, 1}), 2);
  for (int i = 0; i < 50; ++i) node = builder.split(node, builder.split_of(0), 2);
  const Tree tree = std::move(builder).finish();
  EXPECT_EQ(tree.depth(), 51);
}

TEST(Builder, misuse_is_an_internal_error) {
  const auto code_of = [](auto action) {
    try {
      action();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::io;
  };
  TreeBuilder builder(Task::classification, {2});
  EXPECT_EQ(code_of([&] { std::move(builder).finish(); }), ErrorCode::internal);
  builder.root();
  EXPECT_EQ(code_of([&] { builder.root(); }), ErrorCode::internal);
  EXPECT_EQ(code_of([&] { builder.split(5, numeric(0, 1.0), 2); }), ErrorCode::internal);
  EXPECT_EQ(code_of([&] { builder.split(0, numeric(0, 1.0), 1); }), ErrorCode::internal);
  EXPECT_EQ(code_of([&] { builder.split(0, Split{}, 2); }), ErrorCode::internal);
  EXPECT_EQ(code_of([&] { builder.split(0, numeric(0, 1.0), 2, std::vector<double>{1.0}); }),
            ErrorCode::internal);
  EXPECT_EQ(code_of([&] { builder.set_stats(0, {1, 1.0, 0.0, {1.0}}); }), ErrorCode::internal);
  builder.split(0, numeric(0, 1.0), 2);
  EXPECT_EQ(code_of([&] { builder.split(0, numeric(0, 1.0), 2); }), ErrorCode::internal);
  EXPECT_EQ(code_of([&] { builder.raise(0, 0); }), ErrorCode::internal);
}

TEST(Builder, split_gives_back_what_was_put_in) {
  const Split given = samples::mapped(3, {1, 4}, {1, 0}, 0, missing_by_share);
  const Split read = samples::stump(given).split(0);
  EXPECT_EQ(read.kind, NodeKind::subset);
  EXPECT_EQ(read.column, 3);
  EXPECT_EQ(read.map_levels, given.map_levels);
  EXPECT_EQ(read.map_children, given.map_children);
  EXPECT_EQ(read.unseen_to, 0);
  EXPECT_EQ(read.missing_to, missing_by_share);
}

}  // namespace
}  // namespace bough
