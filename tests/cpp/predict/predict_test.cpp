// SPDX-License-Identifier: Apache-2.0
// Rows to leaves, paths and values: whole rows, rows split by share, rows that stop.
#include "predict/predict.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/parallel.hpp"
#include "tree/samples.hpp"

namespace bough {
namespace {

using namespace samples;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Schema two_numbers() {
  Schema schema;
  schema.fields = {{"a", Kind::numeric, Role::feature, {}}, {"b", Kind::numeric, Role::feature, {}}};
  return schema;
}

struct Rows {
  Table table;
  Schema schema = two_numbers();
  Rows(const std::vector<double>& a, const std::vector<double>& b) {
    table.add("b", b);  // other order than the schema's: matched by name
    table.add("a", a);
  }
};

// a <= 1 ? leaf 1 (6 rows: 4 + 2) : (b <= 1 ? leaf 3 (3 rows: 0 + 3) : leaf 4 (1 row: 1 + 0)).
Tree small_tree(std::int32_t missing_a, std::int32_t missing_b) {
  TreeBuilder builder(Task::classification, {2});
  const auto top = builder.split(builder.root(), numeric(0, 1.0, missing_a), 2);
  const auto low = builder.split(top + 1, numeric(1, 1.0, missing_b), 2);
  builder.set_stats(0, counts(5, 5));
  builder.set_stats(top, counts(4, 2));
  builder.set_stats(top + 1, counts(1, 3));
  builder.set_stats(low, counts(0, 3));
  builder.set_stats(low + 1, counts(1, 0));
  return std::move(builder).finish();
}

TEST(Predict, rows_end_in_their_leaves) {
  const Rows rows({0.0, 2.0, 2.0}, {9.0, 0.0, 2.0});
  const Tree tree = small_tree(1, 1);
  EXPECT_EQ(find_leaves(tree, RowReader(rows.table, rows.schema)), (std::vector<NodeId>{1, 3, 4}));
}

TEST(Predict, class_shares_are_the_leafs_weights_over_their_sum) {
  const Rows rows({0.0, 2.0}, {9.0, 0.0});
  const auto values = tree_values(small_tree(1, 1), RowReader(rows.table, rows.schema));
  EXPECT_EQ(values, (std::vector<double>{4.0 / 6.0, 2.0 / 6.0, 0.0, 1.0}));
}

TEST(Predict, a_row_split_by_share_mixes_the_distributions_of_its_leaves) {
  const Rows rows({kNan, 2.0, kNan}, {0.0, kNan, kNan});
  const Tree tree = small_tree(missing_by_share, missing_by_share);
  const auto values = tree_values(tree, RowReader(rows.table, rows.schema));
  // Shares: a: 6/10 and 4/10; b: 3/4 and 1/4.
  const double first = 0.6 * (4.0 / 6.0) + 0.4 * 0.0;                            // b = 0: leaves 1 and 3
  const double second = 0.75 * 0.0 + 0.25 * 1.0;                                 // a = 2: leaves 3 and 4
  const double third = 0.6 * (4.0 / 6.0) + 0.4 * 0.75 * 0.0 + 0.4 * 0.25 * 1.0;  // all three leaves
  EXPECT_DOUBLE_EQ(values[0], first);
  EXPECT_DOUBLE_EQ(values[2], second);
  EXPECT_DOUBLE_EQ(values[4], third);
  for (std::size_t row = 0; row < 3; ++row) EXPECT_DOUBLE_EQ(values[2 * row] + values[2 * row + 1], 1.0);
}

TEST(Predict, a_row_split_by_share_is_found_in_the_leaf_of_its_largest_share) {
  const Rows rows({kNan, 2.0}, {kNan, kNan});
  const Tree tree = small_tree(missing_by_share, missing_by_share);
  // Row 0: 0.6, 0.3, 0.1 in leaves 1, 3, 4. Row 1: 0.75 in leaf 3.
  EXPECT_EQ(find_leaves(tree, RowReader(rows.table, rows.schema)), (std::vector<NodeId>{1, 3}));
}

TEST(Predict, the_largest_share_is_of_leaves_not_of_branches) {
  // Root shares 0.4 | 0.6, the right side again 0.5 | 0.5: the left leaf's 0.4 beats 0.3 and 0.3.
  TreeBuilder builder(Task::regression, {1});
  const std::vector<double> top{0.4, 0.6};
  const std::vector<double> low{0.5, 0.5};
  const auto right = builder.split(builder.root(), numeric(0, 1.0, missing_by_share), 2, top) + 1;
  builder.split(right, numeric(0, 2.0, missing_by_share), 2, low);
  const Tree tree = std::move(builder).finish();
  const Rows rows({kNan}, {0.0});
  EXPECT_EQ(find_leaves(tree, RowReader(rows.table, rows.schema)), (std::vector<NodeId>{1}));
}

TEST(Predict, equal_shares_go_to_the_lower_node) {
  TreeBuilder builder(Task::regression, {1});
  builder.split(builder.root(), numeric(0, 1.0, missing_by_share), 2);  // no weights: equal shares
  const Tree tree = std::move(builder).finish();
  const Rows rows({kNan}, {0.0});
  EXPECT_EQ(find_leaves(tree, RowReader(rows.table, rows.schema)), (std::vector<NodeId>{1}));
}

TEST(Predict, values_of_regression_are_mixed_by_share) {
  TreeBuilder builder(Task::regression, {1});
  const auto child = builder.split(builder.root(), numeric(0, 1.0, missing_by_share), 2);
  builder.set_stats(0, {4, 4.0, 0.0, {0.0}});
  builder.set_stats(child, {1, 1.0, 0.0, {10.0}});
  builder.set_stats(child + 1, {3, 3.0, 0.0, {-2.0}});
  const Tree tree = std::move(builder).finish();
  const Rows rows({kNan}, {0.0});
  EXPECT_EQ(tree_values(tree, RowReader(rows.table, rows.schema))[0], 0.25 * 10.0 + 0.75 * -2.0);
}

TEST(Predict, a_row_that_stops_gets_the_value_of_the_inner_node) {
  const Rows rows({kNan, 2.0}, {0.0, kNan});
  const Tree tree = small_tree(missing_stops, missing_stops);
  EXPECT_EQ(find_leaves(tree, RowReader(rows.table, rows.schema)), (std::vector<NodeId>{0, 2}));
  const auto values = tree_values(tree, RowReader(rows.table, rows.schema));
  EXPECT_EQ(values, (std::vector<double>{0.5, 0.5, 0.25, 0.75}));
}

TEST(Predict, class_weights_that_are_all_zero_give_equal_shares) {
  TreeBuilder builder(Task::classification, {4});
  builder.root();
  const Tree tree = std::move(builder).finish();
  const Rows rows({1.0}, {1.0});
  EXPECT_EQ(tree_values(tree, RowReader(rows.table, rows.schema)),
            (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
}

TEST(Predict, paths_list_every_node_a_row_touches_in_order) {
  const Rows rows({0.0, 2.0, kNan, 2.0}, {0.0, 5.0, 0.0, kNan});
  const Tree tree = small_tree(missing_by_share, missing_stops);
  const NodePaths paths = find_paths(tree, RowReader(rows.table, rows.schema));
  EXPECT_EQ(paths.starts, (std::vector<std::int64_t>{0, 2, 5, 9, 11}));
  EXPECT_EQ(paths.nodes, (std::vector<NodeId>{0, 1, 0, 2, 4, 0, 1, 2, 3, 0, 2}));
}

TEST(Predict, many_blocks_and_any_number_of_threads_give_the_same_rows) {
  constexpr std::size_t n = 10'000;
  std::vector<double> a(n), b(n);
  std::vector<NodeId> expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<double>(i % 3);
    b[i] = static_cast<double>(i % 7);
    expected[i] = a[i] <= 1.0 ? 1 : b[i] <= 1.0 ? 3 : 4;
  }
  const Rows rows(a, b);
  const Tree tree = small_tree(1, 1);
  const RowReader reader(rows.table, rows.schema);
  ASSERT_LT(block_rows(reader.n_columns()), static_cast<std::int64_t>(n) / 3);
  for (const int threads : {1, 2}) {
    with_threads(threads, [&] {
      EXPECT_EQ(find_leaves(tree, reader), expected);
      const NodePaths paths = find_paths(tree, reader);
      ASSERT_EQ(paths.starts.size(), n + 1);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(paths.nodes[static_cast<std::size_t>(paths.starts[i + 1]) - 1], expected[i]);
      }
    });
  }
}

TEST(Predict, a_table_without_rows_gives_nothing) {
  const Rows rows({}, {});
  const Tree tree = small_tree(1, 1);
  const RowReader reader(rows.table, rows.schema);
  EXPECT_TRUE(find_leaves(tree, reader).empty());
  EXPECT_TRUE(tree_values(tree, reader).empty());
  EXPECT_EQ(find_paths(tree, reader).starts, (std::vector<std::int64_t>{0}));
}

TEST(Predict, a_single_leaf_needs_no_columns) {
  TreeBuilder builder(Task::regression, {1});
  builder.set_stats(builder.root(), {1, 1.0, 0.0, {3.0}});
  const Tree tree = std::move(builder).finish();
  const Rows rows({1.0, 2.0}, {1.0, 2.0});
  EXPECT_EQ(tree_values(tree, RowReader(rows.table, Schema{})), (std::vector<double>{3.0, 3.0}));
}

}  // namespace
}  // namespace bough
