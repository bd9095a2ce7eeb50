// SPDX-License-Identifier: Apache-2.0
// Groups of three levels lead every row where the simple walk does, on every instruction set of this machine.
#include "predict/groups.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/instruction_sets.hpp"
#include "predict/compact.hpp"
#include "predict/walk.hpp"
#include "tree/samples.hpp"

namespace bough {
namespace {

using namespace samples;

// A tree of at most `depth` levels with a path of just that length; other branches end at random. Every column is
// tested somewhere, if there are splits enough. Thresholds are halves, so that cells, which are whole, meet some of
// them on the spot.
Tree random_tree(std::mt19937& random, std::int32_t depth, std::size_t n_columns) {
  TreeBuilder builder(Task::classification, {2});
  struct Open {
    NodeId node;
    std::int32_t levels;
    bool longest;
  };
  std::vector<Open> open{{builder.root(), depth, true}};
  std::size_t n_splits = 0;
  std::vector<NodeId> parents{-1};
  while (!open.empty()) {
    const Open next = open.back();
    open.pop_back();
    if (next.levels == 0 || (!next.longest && random() % 4 == 0) || n_splits > 4000) continue;
    const auto column = static_cast<ColId>(n_splits < n_columns ? n_splits : random() % n_columns);
    const double threshold = static_cast<double>(random() % 17) / 2.0;
    const NodeId left = builder.split(next.node, numeric(column, threshold, random() % 2), 2);
    parents.resize(static_cast<std::size_t>(left) + 2, next.node);
    const bool to_left = random() % 2 == 0;
    open.push_back({left, next.levels - 1, next.longest && to_left});
    open.push_back({left + 1, next.levels - 1, next.longest && !to_left});
    ++n_splits;
  }
  // A row of either class in every leaf. Parents come before their children.
  std::vector<std::int64_t> rows(parents.size(), 0);
  for (std::size_t node = parents.size(); node-- > 0;) {
    if (rows[node] == 0) rows[node] = 1;
    builder.set_stats(static_cast<NodeId>(node), counts(rows[node], rows[node]));
    if (node > 0) rows[static_cast<std::size_t>(parents[node])] += rows[node];
  }
  return std::move(builder).finish();
}

// Cells of 0 .. 8, some of them missing or infinite where asked.
std::vector<float> random_cells(std::mt19937& random, std::size_t n_rows, std::size_t stride, bool odd) {
  std::vector<float> cells(n_rows * stride);
  for (float& cell : cells) {
    cell = static_cast<float>(random() % 9);
    if (!odd) continue;
    const auto chance = random() % 10;
    if (chance == 0) cell = std::numeric_limits<float>::quiet_NaN();
    if (chance == 1) cell = std::numeric_limits<float>::infinity();
    if (chance == 2) cell = -std::numeric_limits<float>::infinity();
  }
  return cells;
}

struct Both {
  Tree tree;
  CompactTree compact{tree};
};

void expect_ends(const Both& both, const CellGrid<float>& cells, std::size_t n_rows, bool missing) {
  std::vector<CompactTree::End> ends(n_rows);
  both.compact.find(cells, ends, missing);
  for (std::size_t i = 0; i < n_rows; ++i)
    ASSERT_EQ(both.compact.node(ends[i]), find_leaf(both.tree, cells.row(i))) << "row " << i;
}

class Groups : public testing::TestWithParam<std::int64_t> {};

TEST_P(Groups, lead_rows_to_the_leaves_of_the_simple_walk) {
  const Only only(GetParam());
  std::mt19937 random(7);
  for (const std::size_t n_columns : {1, 3, 8, 9, 16, 17, 32, 33, 48, 49, 64, 65}) {
    for (const std::int32_t depth : {1, 2, 3, 4, 6, 7, 9, 10, 12, 13, 25}) {
      const Both tree{random_tree(random, depth, n_columns)};
      for (const std::size_t n_rows : {8, 256, 257}) {
        SCOPED_TRACE(testing::Message() << hwy::TargetName(GetParam()) << ", " << n_columns
                                        << " columns, depth " << depth << ", " << n_rows << " rows");
        const std::size_t stride = n_columns + random() % 3;
        const auto step = static_cast<std::ptrdiff_t>(stride);
        const std::vector<float> whole = random_cells(random, n_rows, stride, false);
        expect_ends(tree, {whole.data(), step, 1}, n_rows, false);
        expect_ends(tree, {whole.data(), step, 1}, n_rows, true);
        const std::vector<float> odd = random_cells(random, n_rows, stride, true);
        expect_ends(tree, {odd.data(), step, 1}, n_rows, true);
        // The last row first, and one row again and again.
        expect_ends(tree, {odd.data() + (n_rows - 1) * stride, -step, 1}, n_rows, true);
        expect_ends(tree, {odd.data(), 0, 1}, n_rows, true);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfThisMachine, Groups, testing::ValuesIn(instruction_sets()),
                         [](const auto& chosen) { return std::string(hwy::TargetName(chosen.param)); });

TEST(GroupedTree, without_a_tree_is_never_ready) {
  EXPECT_FALSE(GroupedTree().is_ready());
}

}  // namespace
}  // namespace bough
