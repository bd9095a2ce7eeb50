// SPDX-License-Identifier: Apache-2.0
// Leave-one-out against naive refits.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "study/support.hpp"

namespace bough {
namespace {

using namespace bough::testing;

// Tests of a tree in preorder, as text with all digits; leaves are empty.
std::string tests_of(const Model& model) {
  std::string text;
  const Tree& tree = model.tree();
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    const Split split = tree.split(node);
    text += std::to_string(static_cast<int>(tree.kind(node)));
    if (!tree.is_leaf(node)) {
      text += model.features().fields[static_cast<std::size_t>(split.column)].name +
              std::to_string(split.threshold);
      const auto& names = model.features().fields[static_cast<std::size_t>(split.column)].levels.names;
      for (std::size_t i = 0; i < split.map_levels.size(); ++i)
        text += names[split.map_levels[i]] + std::to_string(split.map_children[i]);
    }
    text += '\n';
  }
  return text;
}

void expect_as_naive(const Table& table, const FitSpec& spec, const Params& params, std::int64_t refits) {
  const Model model = fit(table, spec, params);
  const LeaveOneOut got = leave_one_out(model, table);
  EXPECT_TRUE(got.reproduced);
  EXPECT_EQ(got.refits, refits);
  std::map<std::string, std::set<std::int64_t>> expected;  // rows by the tree they leave behind
  for (std::int64_t row = 0; row < table.n_rows(); ++row) {
    std::vector<RowId> rest;
    for (RowId i = 0; i < table.n_rows(); ++i)
      if (static_cast<std::int64_t>(i) != row) rest.push_back(i);
    const std::string tests = tests_of(fit(table.take(rest), spec, params));
    if (tests != tests_of(model)) expected[tests].insert(row);
  }
  std::set<std::set<std::int64_t>> groups, wanted;
  for (const ChangedTree& tree : got.changed) groups.emplace(tree.rows.begin(), tree.rows.end());
  for (const auto& [tests, rows] : expected) wanted.insert(rows);
  EXPECT_EQ(groups, wanted);
  EXPECT_FALSE(wanted.empty());
  for (const ChangedTree& tree : got.changed) {
    if (!tree.model) continue;
    EXPECT_TRUE(expected.contains(tests_of(*tree.model)));
    EXPECT_EQ(expected[tests_of(*tree.model)].count(tree.rows.front()), 1u);
    EXPECT_FALSE(tree.differences.empty());
  }
}

TEST(LeaveOneOut, rows_of_iris_and_their_trees_are_those_of_naive_refits) {
  expect_as_naive(iris_table(), target("species"), {}, 149);  // two flowers are equal in every cell
}

TEST(LeaveOneOut, mixed_columns_with_missing_cells_and_numbers_to_predict_too) {
  expect_as_naive(mixed(60, 4), target("y"), depth(3), 60);
  expect_as_naive(mixed(60, 4, true, false), target("y"), depth(3), 60);
}

// Every row three times: leaving out one of three leaves the same tree, so a third of the refits is enough.
TEST(LeaveOneOut, equal_rows_are_refitted_once_with_the_same_result) {
  const Table once = mixed(40, 9);
  std::vector<RowId> rows;
  for (RowId i = 0; i < 40; ++i) rows.insert(rows.end(), {i, i, i});
  expect_as_naive(once.take(rows), target("y"), depth(4), 40);
}

TEST(LeaveOneOut, rows_are_not_joined_where_pruning_draws_them_by_number) {
  const Table once = mixed(40, 9);
  std::vector<RowId> rows;
  for (RowId i = 0; i < 40; ++i) rows.insert(rows.end(), {i, i});
  Params params = depth(4);
  params.pruning = "reduced_error";
  expect_as_naive(once.take(rows), target("y"), params, 80);
}

TEST(LeaveOneOut, a_row_without_which_nothing_can_be_fitted_is_named) {
  Table table;
  const std::vector<double> x{1, 2, 3, 4};
  const std::vector<std::string> y{"no", "no", "no", "yes"};
  table.add("x", std::span<const double>(x));
  table.add("y", std::span<const std::string>(y));
  Params params;
  params.priors = {{"no", 0.5}, {"yes", 0.5}};
  const LeaveOneOut got = leave_one_out(fit(table, target("y"), params), table);
  EXPECT_EQ(got.failed, std::vector<std::int64_t>{3});
  EXPECT_NE(to_text(got).find("without row 4"), std::string::npos);
}

TEST(LeaveOneOut, one_row_is_too_few) {
  Table table;
  table.add("x", std::vector<double>{1.0});
  table.add("y", std::vector<std::string>{"a"});
  EXPECT_NE(
      complaint([&] { static_cast<void>(leave_one_out(fit(table, target("y")), table)); }).find("one row"),
      std::string::npos);
}

}  // namespace
}  // namespace bough
