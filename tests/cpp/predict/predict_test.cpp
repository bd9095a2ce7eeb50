// SPDX-License-Identifier: Apache-2.0
// Rows to leaves, paths and values: whole rows, rows split by share, rows that stop.
#include "predict/predict.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "base/parallel.hpp"
#include "predict/compact.hpp"
#include "predict/grid.hpp"
#include "predict/leaf_rows.hpp"
#include "predict/walk.hpp"
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

TEST(Ends, are_the_same_from_a_copy_of_the_cells_and_without_one) {
  const Rows rows({0.0, 2.0, 2.0, 5.0, kNan}, {9.0, 0.0, 2.0, 1.0, 3.0});
  const Tree tree = small_tree(1, 1);
  const std::vector<RowId> chosen{1, 2, 4};
  for (const std::size_t n_trees : {1, 2, 100}) {
    const EndFinder finder(rows.table, rows.schema, n_trees);
    EXPECT_EQ(finder.ends(tree, chosen), (std::vector<NodeId>{3, 4, 4})) << n_trees;
  }
}

// Records of three floats and a byte: rows begin at odd addresses, though the first does not.
TEST(Grids, cells_at_odd_addresses_are_read_where_they_lie) {
  constexpr std::size_t kRows = 5, kBytes = 3 * sizeof(float) + 1;
  std::vector<float> room(kRows * kBytes);  // aligned
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const auto cell = static_cast<float>(10 * i + j);
      std::memcpy(reinterpret_cast<char*>(room.data()) + i * kBytes + j * sizeof(float), &cell,
                  sizeof(float));
    }
  std::size_t seen = 0;
  for_grids(MatrixView{Dtype::f32, room.data(), kRows, 3, kBytes, sizeof(float)},
            [&](const GridBlock& block) {
              const auto& cells = std::get<CellGrid<float>>(block.cells);
              for (std::size_t i = 0; i < block.count; ++i)
                for (ColId j = 0; j < 3; ++j)
                  EXPECT_EQ(cells.row(i)(j), static_cast<double>(10 * (block.begin + i)) + j);
              seen += block.count;
            });
  EXPECT_EQ(seen, kRows);
}

TEST(Compact, a_binary_tree_takes_a_place_per_node_and_one_to_spare_and_ends_in_its_leaves) {
  const Tree tree = small_tree(1, 1);
  const CompactTree compact(tree);
  EXPECT_EQ(compact.bytes<float>(), (static_cast<std::size_t>(tree.n_nodes()) + 1) * 8);
  EXPECT_EQ(compact.bytes<double>(), (static_cast<std::size_t>(tree.n_nodes()) + 1) * 16);
  ASSERT_EQ(compact.n_ends(), 3U);
  for (CompactTree::End end = 0; end < 3; ++end) EXPECT_TRUE(tree.is_leaf(compact.node(end)));
}

// 13 levels over three columns, thresholds in the order of the leaves, missing cells to the right.
Tree full_tree() {
  TreeBuilder builder(Task::regression, {1});
  std::vector<TreeBuilder::Handle> level{builder.root()};
  for (int depth = 0; depth < 13; ++depth) {
    std::vector<TreeBuilder::Handle> next;
    for (std::size_t i = 0; i < level.size(); ++i) {
      const auto first = builder.split(level[i], numeric(depth % 3, static_cast<double>(i * 7 % 16)), 2);
      next.insert(next.end(), {first, first + 1});
    }
    level = std::move(next);
  }
  return std::move(builder).finish();
}

TEST(Compact, a_large_tree_finds_missing_cells_between_cells_that_nobody_asks_for) {
  const Tree tree = full_tree();
  const CompactTree compact(tree);
  constexpr std::size_t kRows = 40;
  for (const std::ptrdiff_t step : {1, 2, 3}) {
    const std::ptrdiff_t row_stride = 3 * step + 20;
    std::vector<float> cells(kRows * static_cast<std::size_t>(row_stride), 0.0F);
    for (std::size_t i = 0; i < kRows; ++i)
      for (std::ptrdiff_t j = 0; j < 3; ++j) {
        const bool missing = j == 2 && i % 4 == 3;  // none where a run from the first row would look
        cells[i * static_cast<std::size_t>(row_stride) + static_cast<std::size_t>(j * step)] =
            missing ? std::numeric_limits<float>::quiet_NaN()
                    : static_cast<float>((i * 5 + i * static_cast<std::size_t>(j)) % 17);
      }
    const CellGrid<float> grid{cells.data(), row_stride, step};
    EXPECT_TRUE(any_missing(grid, kRows, 3)) << "step " << step;
    EXPECT_FALSE(any_missing(grid, 3, 3)) << "step " << step;
    std::vector<CompactTree::End> ends(kRows);
    compact.find(grid, ends);
    for (std::size_t i = 0; i < kRows; ++i)
      EXPECT_EQ(compact.node(ends[i]), find_leaf(tree, grid.row(i))) << "row " << i << ", step " << step;
  }
}

}  // namespace
}  // namespace bough
