// SPDX-License-Identifier: Apache-2.0
// Stability against a loop of refits that counts by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bough/prune.hpp"
#include "study/support.hpp"

namespace bough {
namespace {

using namespace bough::testing;

std::string root_column(const Model& model) {
  return model.tree().is_leaf(0)
             ? ""
             : model.features().fields[static_cast<std::size_t>(model.tree().column(0))].name;
}

TEST(Stability, counts_are_those_of_a_loop_of_refits) {
  const Table table = iris_table();
  const Params params = depth(3);
  const Model model = fit(table, target("species"), params);
  StabilityOptions options;
  options.repeats = 30;
  options.seed = 5;
  const Stability got = stability(model, table, options);
  std::map<std::string, std::int64_t> columns;
  std::vector<double> thresholds;
  std::int64_t same = 0, right_met = 0, right_same = 0;
  for (std::int64_t i = 0; i < options.repeats; ++i) {
    const Model tree = fit(table.take(bootstrap_rows(table.n_rows(), 5, i)), target("species"), params);
    ++columns[root_column(tree)];
    if (root_column(tree) != root_column(model)) continue;
    thresholds.push_back(tree.tree().threshold(0));
    same += tree.tree().threshold(0) == model.tree().threshold(0) ? 1 : 0;
    ++right_met;
    const NodeId place = tree.tree().children(0)[1];
    right_same += !tree.tree().is_leaf(place) && tree.tree().column(place) == model.tree().column(2) ? 1 : 0;
  }
  std::sort(thresholds.begin(), thresholds.end());
  ASSERT_FALSE(got.nodes.empty());
  const NodeStability& root = got.nodes.front();
  EXPECT_TRUE(got.reproduced);
  EXPECT_EQ(root.met, 30);
  EXPECT_EQ(root.same_column, columns[root_column(model)]);
  EXPECT_EQ(root.same_test, same);
  EXPECT_EQ(root.thresholds, thresholds);
  ASSERT_EQ(root.columns.size(), columns.size());
  for (const Counted& column : root.columns) EXPECT_EQ(column.count, columns[column.name]) << column.name;
  ASSERT_EQ(model.tree().kind(2), NodeKind::numeric);
  const auto at = std::ranges::find(got.nodes, 2, &NodeStability::node);
  ASSERT_NE(at, got.nodes.end());
  EXPECT_EQ(at->met, right_met);
  EXPECT_EQ(at->same_column, right_same);
}

TEST(Stability, the_number_of_threads_changes_nothing) {
  for (const bool classes : {true, false}) {
    const Table table = mixed(120, 3, true, classes);
    const Model model = fit(table, target("y"), depth(4));
    StabilityOptions options;
    options.repeats = 24;
    const std::string one = to_json(stability(model, table, options, {.threads = 1, .progress = {}}));
    EXPECT_EQ(one, to_json(stability(model, table, options, {.threads = 2, .progress = {}})));
    options.seed = 1;
    EXPECT_NE(one, to_json(stability(model, table, options, {.threads = 1, .progress = {}})));
  }
}

TEST(Stability, rows_are_drawn_with_replacement_by_seed_and_repeat) {
  const std::vector<RowId> rows = bootstrap_rows(1000, 7, 3);
  EXPECT_EQ(rows, bootstrap_rows(1000, 7, 3));
  EXPECT_NE(rows, bootstrap_rows(1000, 7, 4));
  EXPECT_NE(rows, bootstrap_rows(1000, 8, 3));
  std::vector<RowId> distinct = rows;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  // 1000 (1 - 1/e) = 632 different rows are expected, with a deviation of about 10.
  EXPECT_NEAR(static_cast<double>(distinct.size()), 632.0, 50.0);
  EXPECT_LT(rows.back(), 1000u);
}

TEST(Stability, a_tree_cut_by_hand_is_not_reproduced_and_the_text_says_so) {
  const Table table = iris_table();
  const Model model = cut(fit(table, target("species")), std::vector<NodeId>{2});
  StabilityOptions options;
  options.repeats = 2;
  const Stability got = stability(model, table, options);
  EXPECT_FALSE(got.reproduced);
  EXPECT_NE(to_text(got).find("does not give the model's own tree"), std::string::npos);
}

// A prior is wanted for both classes, but one of them has a single row, which about a third of the draws
// miss.
TEST(Stability, repeats_that_cannot_be_fitted_are_counted) {
  Table table;
  std::vector<double> x(20);
  std::vector<std::string> y(20, "no");
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  y[7] = "yes";
  table.add("x", std::span<const double>(x));
  table.add("y", std::span<const std::string>(y));
  Params params;
  params.priors = {{"no", 0.5}, {"yes", 0.5}};
  StabilityOptions options;
  options.repeats = 40;
  const Stability got = stability(fit(table, target("y"), params), table, options);
  std::int64_t without = 0;
  for (std::int64_t i = 0; i < 40; ++i) {
    const std::vector<RowId> rows = bootstrap_rows(20, 0, i);
    without += std::ranges::find(rows, RowId{7}) == rows.end() ? 1 : 0;
  }
  EXPECT_EQ(got.failed, without);
  EXPECT_EQ(got.repeats, 40 - without);
  EXPECT_FALSE(got.failure.empty());
}

TEST(Stability, a_single_leaf_has_no_nodes_to_report) {
  const Table table = mixed(30, 1);
  Params params;
  params.min_samples_split = Amount::count(100);
  StabilityOptions options;
  options.repeats = 3;
  const Stability got = stability(fit(table, target("y"), params), table, options);
  EXPECT_TRUE(got.nodes.empty());
  EXPECT_EQ(got.same_tree, 3);
  EXPECT_NE(to_text(got).find("single leaf"), std::string::npos);
}

TEST(Stability, a_job_can_be_stopped) {
  const Table table = mixed(400, 1);
  const Model model = fit(table, target("y"));
  StabilityOptions options;
  options.repeats = 100'000;
  const Execution execution{.threads = 2, .progress = [](const Progress&) { return false; }};
  try {
    static_cast<void>(stability(model, table, options, execution));
    FAIL() << "was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::cancelled);
  }
}

TEST(Stability, a_table_without_the_models_columns_is_refused) {
  const Model model = fit(iris_table(), target("species"));
  const std::string said = complaint([&] { static_cast<void>(stability(model, mixed(20, 1))); });
  EXPECT_NE(said.find("'petal_length'"), std::string::npos) << said;
  EXPECT_NE(said.find("'species'"), std::string::npos) << said;
}

}  // namespace
}  // namespace bough
