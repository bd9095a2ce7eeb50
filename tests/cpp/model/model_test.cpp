// SPDX-License-Identifier: Apache-2.0
// Model: answers by hand-made trees, several trees together, importances, and what the constructor refuses.
#include "bough/model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/small_model.hpp"

namespace bough {
namespace {

using namespace samples;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Rows of the small model: a cell "" is missing.
Table rows(const std::vector<double>& age, const std::vector<std::int32_t>& size,
           const std::vector<std::int32_t>& colour) {
  Table table;
  const std::vector<std::string> sizes{"small", "medium", "large"};
  const std::vector<std::string> colours{"red", "green", "blue", "violet"};  // other order, one unseen
  table.add("colour", colour, colours);
  table.add("size", size, sizes);
  table.add("age", age);
  return table;
}

constexpr std::int32_t kRed = 0, kBlue = 2, kViolet = 3, kMissing = -1;
constexpr std::int32_t kSmall = 0, kLarge = 2;

TEST(Model, follows_its_tree_by_names_and_levels) {
  const Model model = small_model();
  const Table table = rows({25, 40, 40, 40}, {kSmall, kSmall, kSmall, kLarge}, {kBlue, kBlue, kRed, kRed});
  EXPECT_EQ(model.apply(table), (std::vector<NodeId>{1, 3, 5, 6}));
  EXPECT_EQ(model.predict(table), (std::vector<double>{0, 1, 0, 0}));  // node 6 is a tie: the lowest class
  EXPECT_EQ(model.predict_labels(table), (std::vector<std::string>{"no", "yes", "no", "no"}));
  EXPECT_EQ(model.predict_proba(table), (std::vector<double>{0.8, 0.2, 0.0, 1.0, 0.75, 0.25, 0.5, 0.5}));
}

TEST(Model, missing_and_unseen_cells_go_where_the_nodes_say) {
  const Model model = small_model();
  // Missing age: left. Unseen colour: right, then small. Missing size stops at node 4. Missing colour: 6/12
  // and 6/12.
  const Table table =
      rows({kNan, 40, 40, 40}, {kSmall, kSmall, kMissing, kSmall}, {kBlue, kViolet, kRed, kMissing});
  EXPECT_EQ(model.apply(table), (std::vector<NodeId>{1, 5, 4, 3}));
  const auto proba = model.predict_proba(table);
  EXPECT_EQ(proba[0], 0.8);
  EXPECT_EQ(proba[2], 0.75);
  EXPECT_DOUBLE_EQ(proba[4], 4.0 / 6.0);
  EXPECT_DOUBLE_EQ(proba[6], 0.5 * 0.0 + 0.5 * 0.75);
  EXPECT_EQ(model.predict(table), (std::vector<double>{0, 0, 0, 1}));
}

TEST(Model, decision_paths_name_the_nodes_of_every_row) {
  const DecisionPaths paths = small_model().decision_path(rows({25, 40}, {kSmall, kLarge}, {kBlue, kRed}));
  EXPECT_EQ(paths.starts, (std::vector<std::int64_t>{0, 2, 6}));
  EXPECT_EQ(paths.nodes, (std::vector<NodeId>{0, 1, 0, 2, 4, 6}));
}

TEST(Model, log_probabilities_are_logarithms_of_the_probabilities) {
  const auto logs = small_model().predict_log_proba(rows({25, 40}, {kSmall, kSmall}, {kBlue, kBlue}));
  EXPECT_DOUBLE_EQ(logs[0], std::log(0.8));
  EXPECT_DOUBLE_EQ(logs[1], std::log(0.2));
  EXPECT_EQ(logs[2], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(logs[3], 0.0);
}

TEST(Model, importances_are_shares_of_the_gain) {
  // Gains: age 3, colour 2, size 1.
  EXPECT_EQ(small_model().importances(), (std::vector<double>{3.0 / 6.0, 1.0 / 6.0, 2.0 / 6.0}));
}

TEST(Model, an_oblique_gain_is_shared_by_the_size_of_the_weights) {
  Model::Parts parts = small_parts();
  Split split = oblique({{0, 3.0}, {1, -1.0}}, 0.0);
  split.gain = 8.0;
  parts.trees = {stump(split)};
  EXPECT_EQ(Model(parts).importances(), (std::vector<double>{0.75, 0.25, 0.0}));
}

TEST(Model, a_single_leaf_has_no_importances) {
  Model::Parts parts = small_parts();
  TreeBuilder builder(Task::classification, {2});
  builder.set_stats(builder.root(), counts(1, 3));
  parts.trees = {std::move(builder).finish()};
  const Model model(parts);
  EXPECT_EQ(model.importances(), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(model.predict(rows({1}, {0}, {0})), (std::vector<double>{1}));
}

Model::Parts three_trees(Combine combine) {
  // Stumps on age at 10, 20 and 30: left is class 0 (1 row), right class 1 (2 rows); the last one is turned
  // round.
  Model::Parts parts = small_parts();
  parts.trees.clear();
  for (const double threshold : {10.0, 20.0}) parts.trees.push_back(stump(numeric(0, threshold)));
  TreeBuilder builder(Task::classification, {2});
  const auto child = builder.split(builder.root(), numeric(0, 30.0), 2);
  builder.set_stats(0, counts(5, 5));
  builder.set_stats(child, counts(1, 4));
  builder.set_stats(child + 1, counts(4, 1));
  parts.trees.push_back(std::move(builder).finish());
  parts.combine = combine;
  return parts;
}

TEST(Model, several_trees_answer_with_the_mean_of_their_shares) {
  const Model model(three_trees(Combine::mean));
  const Table table = rows({5, 15, 40}, {0, 0, 0}, {0, 0, 0});
  const auto proba = model.predict_proba(table);
  EXPECT_DOUBLE_EQ(proba[0], (1.0 + 1.0 + 0.2) / 3.0);
  EXPECT_DOUBLE_EQ(proba[2], (0.0 + 1.0 + 0.2) / 3.0);
  EXPECT_DOUBLE_EQ(proba[4], (0.0 + 0.0 + 0.8) / 3.0);
  EXPECT_EQ(model.predict(table), (std::vector<double>{0, 1, 1}));
}

TEST(Model, several_trees_can_vote) {
  const Model model(three_trees(Combine::vote));
  const Table table = rows({5, 15, 40}, {0, 0, 0}, {0, 0, 0});
  const auto proba = model.predict_proba(table);
  EXPECT_DOUBLE_EQ(proba[0], 2.0 / 3.0);  // votes 0 0 1
  EXPECT_DOUBLE_EQ(proba[2], 1.0 / 3.0);  // votes 1 0 1
  EXPECT_DOUBLE_EQ(proba[4], 1.0 / 3.0);  // votes 1 1 0
  EXPECT_EQ(model.predict(table), (std::vector<double>{0, 1, 1}));
}

TEST(Model, several_outputs_of_regression_come_side_by_side) {
  Model::Parts parts = small_parts();
  parts.task = Task::regression;
  parts.targets.fields = {{"u", Kind::numeric, Role::target, {}}, {"v", Kind::numeric, Role::target, {}}};
  TreeBuilder builder(Task::regression, {1, 1});
  const auto child = builder.split(builder.root(), numeric(0, 30.0), 2);
  builder.set_stats(child, {0, 0.0, 0.0, {1.5, -2.0}});
  builder.set_stats(child + 1, {0, 0.0, 0.0, {3.0, 4.0}});
  parts.trees = {std::move(builder).finish()};
  const Model one(parts);
  const Table table = rows({5, 40}, {0, 0}, {0, 0});
  EXPECT_EQ(one.predict(table), (std::vector<double>{1.5, -2.0, 3.0, 4.0}));
  EXPECT_EQ(one.predict_labels(table), (std::vector<std::string>{"1.5", "-2", "3", "4"}));
  parts.trees.push_back(parts.trees.front());
  parts.combine = Combine::mean;
  EXPECT_EQ(Model(parts).predict(table), (std::vector<double>{1.5, -2.0, 3.0, 4.0}));
}

TEST(Model, probabilities_of_each_output_stand_alone) {
  Model::Parts parts = small_parts();
  parts.targets.fields.push_back(
      {"more", Kind::category, Role::target, {Levels::Type::text, {"a", "b", "c"}, {}}});
  TreeBuilder builder(Task::classification, {2, 3});
  builder.set_stats(builder.root(), {4, 4.0, 0.0, {1, 3, 1, 1, 2}});
  parts.trees = {std::move(builder).finish()};
  const Model model(parts);
  const Table table = rows({5}, {0}, {0});
  EXPECT_EQ(model.predict(table), (std::vector<double>{1, 2}));
  EXPECT_EQ(model.predict_labels(table), (std::vector<std::string>{"yes", "c"}));
  EXPECT_EQ(model.predict_proba(table, 0), (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(model.predict_proba(table, 1), (std::vector<double>{0.25, 0.25, 0.5}));
  EXPECT_THROW(static_cast<void>(model.predict_proba(table, 2)), Error);
}

TEST(Model, asking_for_what_is_not_there_is_an_error) {
  const Model model = small_model();
  const Table table = rows({5}, {0}, {0});
  EXPECT_THROW(static_cast<void>(model.apply(table, 1)), Error);
  EXPECT_THROW(static_cast<void>(model.decision_path(table, 1)), Error);
  Table short_table;
  short_table.add("age", std::vector<double>{1.0});
  EXPECT_THROW(static_cast<void>(model.predict(short_table)), Error);
}

TEST(Model, progress_can_cancel_a_prediction) {
  const std::vector<double> age(5000, 1.0);
  const std::vector<std::int32_t> codes(5000, 0);
  Execution execution;
  execution.progress = [](const Progress&) { return false; };
  try {
    static_cast<void>(small_model().predict(rows(age, codes, codes), execution));
    FAIL() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::cancelled);
  }
}

TEST(Model, threads_do_not_change_an_answer) {
  std::vector<double> age(20'000);
  std::vector<std::int32_t> size(age.size()), colour(age.size());
  for (std::size_t i = 0; i < age.size(); ++i) {
    age[i] = static_cast<double>(i % 61);
    size[i] = static_cast<std::int32_t>(i % 4) - 1;
    colour[i] = static_cast<std::int32_t>(i % 5) - 1;
  }
  const Table table = rows(age, size, colour);
  const Model model = small_model();
  Execution one, two;
  one.threads = 1;
  two.threads = 2;
  EXPECT_EQ(model.predict_proba(table, 0, one), model.predict_proba(table, 0, two));
  EXPECT_EQ(model.apply(table, 0, one), model.apply(table, 0, two));
}

std::string refusal(Model::Parts parts) {
  try {
    const Model model(std::move(parts));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_model);
    return error.what();
  }
}

TEST(Model, parts_that_do_not_belong_together_are_refused) {
  const auto changed = [](auto change) {
    Model::Parts parts = small_parts();
    change(parts);
    return refusal(std::move(parts));
  };
  EXPECT_EQ(changed([](auto&) {}), "");
  EXPECT_NE(changed([](auto& p) { p.trees.clear(); }), "");
  EXPECT_NE(changed([](auto& p) { p.trees.push_back(p.trees[0]); }), "");
  EXPECT_NE(changed([](auto& p) { p.targets.fields.clear(); }), "");
  EXPECT_NE(changed([](auto& p) { p.targets.fields[0].levels.names.push_back("maybe"); }), "");
  EXPECT_NE(changed([](auto& p) { p.task = Task::regression; }), "");
  EXPECT_NE(changed([](auto& p) { p.features.fields.pop_back(); }), "");
  EXPECT_NE(changed([](auto& p) { p.features.fields[1].name = "age"; }), "");
  EXPECT_NE(changed([](auto& p) { p.features.fields[2].levels.names.pop_back(); }), "");
  EXPECT_NE(changed([](auto& p) { p.features.fields[2].levels.numbers = {1.0}; }), "");
  EXPECT_NE(changed([](auto& p) { std::swap(p.features.fields[0], p.features.fields[2]); }), "");
  EXPECT_NE(changed([](auto& p) { p.features.fields[1].kind = Kind::category; }), "");
  EXPECT_NE(changed([](auto& p) { p.trees[0] = broken(p.trees[0], "children", 0, 9); }), "");
}

TEST(Model, a_bad_tree_among_several_is_named) {
  Model::Parts parts = three_trees(Combine::mean);
  parts.trees[1] = broken(parts.trees[1], "column", 0, 7);
  EXPECT_EQ(refusal(parts), "tree 1: tree node 0: tests column 7 of 3");
}

TEST(Model, the_version_is_a_version) {
  EXPECT_EQ(std::count(version().begin(), version().end(), '.'), 2);
}

}  // namespace
}  // namespace bough
