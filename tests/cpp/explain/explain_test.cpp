// SPDX-License-Identifier: Apache-2.0
// The way of a row in sentences.
#include "bough/explain.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "explain/models.hpp"

namespace bough {
namespace {

// A leaf that answers setosa.
Tree chain_of_classes() {
  TreeBuilder builder(Task::classification, {3});
  builder.set_stats(builder.root(), testing::counts({3, 0, 0}));
  return std::move(builder).finish();
}

using namespace bough::testing;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using Words = std::vector<std::string>;

Table numbers(const std::vector<std::pair<std::string, std::vector<double>>>& columns) {
  Table table;
  for (const auto& [name, cells] : columns) table.add(name, std::span<const double>(cells));
  return table;
}

Table texts(const std::string& name, const Words& cells) {
  Table table;
  table.add(name, std::span<const std::string>(cells));
  return table;
}

TEST(Explain, a_path_reads_as_sentences) {
  const Table table = numbers({{"petal width", {0.2, 1.8}}, {"petal length", {1.4, 5.1}}});
  const PathExplanation first = explain_row(iris(), table, 0);
  EXPECT_EQ(first.sentences,
            (Words{"petal length is 1.4, which is at most 2.45.",
                   "This leaf holds 50 training rows: setosa 100%.", "So the prediction is setosa."}));
  const PathExplanation second = explain_row(iris(), table, 1);
  EXPECT_EQ(second.sentences, (Words{"petal length is 5.1, which is more than 2.45.",
                                     "petal width is 1.8, which is more than 1.75.",
                                     "This leaf holds 46 training rows: virginica 97.8%, versicolor 2.2%.",
                                     "So the prediction is virginica."}));
  EXPECT_EQ(second.leaf, 4);
  EXPECT_EQ(second.leaf_rows, 46);
  EXPECT_EQ(second.prediction, "virginica");
  EXPECT_EQ(second.values, (std::vector<double>{0.0, 1.0 / 46.0, 45.0 / 46.0}));
  ASSERT_EQ(second.steps.size(), 2U);
  EXPECT_EQ(second.steps[1].node, 2);
  EXPECT_EQ(second.steps[1].next, 4);
  EXPECT_EQ(second.steps[1].column, "petal width");
  EXPECT_EQ(second.steps[1].cell, "1.8");
  EXPECT_EQ(second.steps[1].test, "petal width > 1.75");
  EXPECT_FALSE(second.steps[1].missing);
}

TEST(Explain, missing_cells_are_said_to_follow_a_rule) {
  const PathExplanation why =
      explain_row(iris(), numbers({{"petal width", {kNaN}}, {"petal length", {kNaN}}}), 0);
  EXPECT_EQ(why.sentences[0], "petal length is missing; such rows follow the branch petal length > 2.45.");
  EXPECT_EQ(why.sentences[1], "petal width is missing; such rows follow the branch petal width > 1.75.");
  EXPECT_TRUE(why.steps[0].missing);
  EXPECT_EQ(why.steps[0].cell, "missing");
}

TEST(Explain, known_against_missing_says_just_that) {
  const Model model = one_split({numeric("age")}, numeric_split(0, std::numeric_limits<double>::infinity()));
  const Table table = numbers({{"age", {41, kNaN}}});
  EXPECT_EQ(explain_row(model, table, 0).sentences[0], "age is 41, so it is known.");
  EXPECT_EQ(explain_row(model, table, 1).sentences[0], "age is missing.");
}

TEST(Explain, close_calls_get_the_digits_that_make_them_true) {
  const Model model = one_split({numeric("x")}, numeric_split(0, 0.3));
  const Table table = numbers({{"x", {0.30000001, 0.29999999, 0.3}}});
  EXPECT_EQ(explain_row(model, table, 0).sentences[0], "x is 0.30000001, which is more than 0.3.");
  EXPECT_EQ(explain_row(model, table, 1).sentences[0], "x is 0.29999999, which is at most 0.3.");
  EXPECT_EQ(explain_row(model, table, 2).sentences[0], "x is 0.3, which is at most 0.3.");
}

TEST(Explain, cells_and_thresholds_have_the_digits_that_tell_them_apart) {
  const Model model = one_split({numeric("x")}, numeric_split(0, (1000.1201 + 1000.1216) / 2));
  const Table table = numbers({{"x", {1000.1201, 1000.1216, 999}}});
  EXPECT_EQ(explain_row(model, table, 0).sentences[0], "x is 1000.1201, which is at most 1000.12085.");
  EXPECT_EQ(explain_row(model, table, 1).sentences[0], "x is 1000.1216, which is more than 1000.12085.");
  EXPECT_EQ(explain_row(model, table, 2).sentences[0], "x is 999, which is at most 1000.12085.");
  // Neighbours among the doubles, of which one prints shorter.
  const double below = std::nextafter(0.8, 0.0);
  const Model tight = one_split({numeric("x")}, numeric_split(0, below));
  const Table pair = numbers({{"x", {below, 0.8}}});
  EXPECT_EQ(explain_row(tight, pair, 0).sentences[0], "x is 0.8, which is at most 0.8.");
  EXPECT_EQ(explain_row(tight, pair, 1).sentences[0], "x is 0.8, which is more than 0.7999999999999999.");
}

TEST(Explain, categories_orders_and_the_unseen) {
  const Field size = levels("size", Kind::ordinal, {"small", "medium", "large"});
  const Model order = one_split({size}, level_split(NodeKind::ordinal, 0, 2));
  const Table sizes = texts("size", {"small", "large", "huge"});
  EXPECT_EQ(explain_row(order, sizes, 0).sentences[0], "size is small, which is below large.");
  EXPECT_EQ(explain_row(order, sizes, 1).sentences[0], "size is large, which is large or above.");
  const PathExplanation huge = explain_row(order, sizes, 2);
  EXPECT_EQ(huge.sentences[0],
            "size is huge, which did not occur in training; such rows follow the branch size ≥ large.");
  EXPECT_TRUE(huge.steps[0].unseen);
  EXPECT_FALSE(huge.steps[0].missing);

  const Field colour = levels("color", Kind::category, {"blue", "green", "red"});
  const Table colours = texts("color", {"red", "blue", "pink"});
  const Model equality = one_split({colour}, level_split(NodeKind::equality, 0, 2));
  EXPECT_EQ(explain_row(equality, colours, 0).sentences[0], "color is red.");
  EXPECT_EQ(explain_row(equality, colours, 1).sentences[0], "color is blue, not red.");
  EXPECT_EQ(explain_row(equality, colours, 2).sentences[0],
            "color is pink, which did not occur in training; such rows follow the branch color is not red.");
  const Field job = levels("color", Kind::category, {"blue", "green", "grey", "red", "white"});
  const Model subset = one_split({job}, map_split(NodeKind::subset, 0, {0, 1, 2, 3, 4}, {0, 1, 0, 1, 1}));
  EXPECT_EQ(explain_row(subset, colours, 1).sentences[0], "color is blue, which is one of blue, grey.");
  EXPECT_EQ(explain_row(subset, colours, 0).sentences[0], "color is red, which is one of green, red, white.");
  EXPECT_TRUE(explain_row(subset, colours, 2).steps[0].unseen);
}

TEST(Explain, weighted_sums_show_their_value) {
  Split split;
  split.kind = NodeKind::oblique;
  split.threshold = 3;
  split.terms = {{0, 0.5}, {1, -1}};
  const Model model = one_split({numeric("a"), numeric("b")}, split);
  const Table table = numbers({{"a", {10, 4, kNaN}}, {"b", {1, 1, 1}}});
  EXPECT_EQ(explain_row(model, table, 0).sentences[0], "0.5 * a - b is 4, which is more than 3.");
  EXPECT_EQ(explain_row(model, table, 1).sentences[0], "0.5 * a - b is 1, which is at most 3.");
  EXPECT_EQ(explain_row(model, table, 2).sentences[0],
            "A cell of 0.5 * a - b is missing; such rows follow the branch 0.5 * a - b > 3.");
  EXPECT_EQ(explain_row(model, table, 0).steps[0].column, "0.5 * a - b");
  EXPECT_EQ(explain_row(model, table, 0).steps[0].cell, "4");
}

TEST(Explain, rows_that_stop_or_split_at_a_missing_cell) {
  Split split = numeric_split(0, 2.5, missing_stops);
  const Table table = numbers({{"x", {kNaN}}});
  const PathExplanation stopped = explain_row(one_split({numeric("x")}, split), table, 0);
  EXPECT_EQ(stopped.sentences,
            (Words{"x is missing, so the row goes no further.",
                   "This node holds 8 training rows: no 75%, yes 25%.", "So the prediction is no."}));
  EXPECT_EQ(stopped.leaf, 0);
  EXPECT_TRUE(stopped.steps.empty());

  // Shares 8/10 and 2/10 of leaves with yes 1/8 and yes 2/2: 0.8 * 0.125 + 0.2 * 1 = 0.3 yes.
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  split.missing_to = missing_by_share;
  builder.set_stats(root, counts({7, 3}));
  const auto first = builder.split(root, split, 2);
  builder.set_stats(first, counts({7, 1}));
  builder.set_stats(first + 1, counts({0, 2}));
  Model::Parts parts = class_parts({numeric("x")}, class_target("answer", {"no", "yes"}));
  parts.trees.push_back(std::move(builder).finish());
  const PathExplanation mixed = explain_row(Model(std::move(parts)), table, 0);
  EXPECT_EQ(
      mixed.sentences,
      (Words{"x is missing, so the row is split across all branches; 80% of it follows the branch x ≤ 2.5.",
             "The largest part of the row ends in a leaf that holds 8 training rows: no 87.5%, yes 12.5%.",
             "Combining all leaves the row reaches, the prediction is no."}));
  ASSERT_EQ(mixed.values.size(), 2U);
  EXPECT_DOUBLE_EQ(mixed.values[1], 0.3);
}

TEST(Explain, one_leaf_and_regression) {
  TreeBuilder builder(Task::regression, {1});
  builder.set_stats(builder.root(), stats({3.25}, 1));
  Model::Parts parts = number_parts({numeric("x")}, number_target("y"));
  parts.trees.push_back(std::move(builder).finish());
  const PathExplanation why = explain_row(Model(std::move(parts)), numbers({{"x", {1}}}), 0);
  EXPECT_EQ(why.sentences,
            (Words{"The tree is a single leaf: every row gets the same prediction.",
                   "This leaf holds 1 training row: mean 3.25.", "So the prediction is 3.25."}));
  EXPECT_EQ(why.prediction, "3.25");
  EXPECT_TRUE(why.steps.empty());
}

TEST(Explain, several_outputs_are_named) {
  TreeBuilder builder(Task::classification, {2, 2});
  builder.set_stats(builder.root(), stats({3, 1, 0, 4}, 4));
  Model::Parts parts = class_parts({numeric("x")}, class_target("kind", {"a", "b"}));
  parts.targets.fields.push_back(class_target("size", {"big", "small"}));
  parts.trees.push_back(std::move(builder).finish());
  const PathExplanation why = explain_row(Model(std::move(parts)), numbers({{"x", {1}}}), 0);
  EXPECT_EQ(why.sentences[1], "This leaf holds 4 training rows: kind a 75%, b 25%; size small 100%.");
  EXPECT_EQ(why.sentences[2], "So the prediction is a for kind and small for size.");
  EXPECT_EQ(why.prediction, "a, small");
  EXPECT_EQ(why.values, (std::vector<double>{0.75, 0.25, 0.0, 1.0}));
}

TEST(Explain, the_surrogate_that_decides_is_named) {
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  builder.set_stats(root, counts({4, 4}));
  const auto first = builder.split(root, numeric_split(0, 2.5, missing_surrogate), 2);
  builder.set_stats(first, counts({3, 1}));
  builder.set_stats(first + 1, counts({1, 3}));
  Alternative test;
  test.role = AlternativeRole::surrogate;
  test.turned = true;
  test.column = 1;
  test.threshold = 7.0;
  test.score = 0.9;
  builder.set_alternatives(root, {test});
  Model::Parts parts = class_parts({numeric("a"), numeric("b")}, class_target("answer", {"no", "yes"}));
  parts.trees.push_back(std::move(builder).finish());
  const Model model(std::move(parts));
  Table table;
  table.add("a", std::span<const double>(std::vector<double>{std::numeric_limits<double>::quiet_NaN()}));
  table.add("b", std::span<const double>(std::vector<double>{9.0}));
  const PathExplanation why = explain_row(model, table, 0);
  EXPECT_EQ(why.steps[0].surrogate, "b > 7");
  EXPECT_EQ(why.sentences[0], "a is missing; because b > 7, the row follows the branch a ≤ 2.5.");
}

TEST(Explain, losses_and_other_trees_are_mentioned) {
  Model::Parts parts = iris().parts();
  parts.params.loss_matrix = {{0, 1, 1}, {1, 0, 1}, {1, 9, 0}};
  Table table;
  table.add("petal length", std::span<const double>(std::vector<double>{5.0}));
  table.add("petal width", std::span<const double>(std::vector<double>{1.0}));
  // 49 versicolor and 5 virginica: 5 * 9 = 45 is less than 49.
  EXPECT_EQ(explain_row(Model(parts), table, 0).sentences.back(),
            "So the prediction is versicolor, where the expected loss is least.");
  parts.params.loss_matrix.clear();
  parts.trees.push_back(chain_of_classes());
  parts.combine = Combine::vote;
  const PathExplanation why = explain_row(Model(parts), table, 0);
  EXPECT_EQ(why.together, "setosa");
  EXPECT_EQ(why.sentences[why.sentences.size() - 2], "So the prediction of this tree is versicolor.");
  EXPECT_EQ(why.sentences.back(), "This is tree 1 of 2, whose combined vote is setosa.");
}

TEST(Explain, weights_are_not_told_as_parts_of_rows) {
  // As with class_weight=balanced: the weights of all rows sum up to their number.
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  builder.set_stats(root, {100, 100.0, 0.5, {50, 50}});
  const auto first = builder.split(root, numeric_split(0, 2.5), 2);
  builder.set_stats(first, {85, 92.6, 0.1, {80, 12.6}});
  builder.set_stats(first + 1, {15, 7.4, 0.1, {3, 4.4}});
  Model::Parts parts = class_parts({numeric("a")}, class_target("answer", {"no", "yes"}));
  parts.trees.push_back(std::move(builder).finish());
  Table table;
  table.add("a", std::span<const double>(std::vector<double>{1.0}));
  EXPECT_EQ(explain_row(Model(std::move(parts)), table, 0).sentences[1],
            "This leaf holds 85 training rows, by weight: no 86.4%, yes 13.6%.");
}

TEST(Explain, rows_and_trees_that_do_not_exist_are_refused) {
  const Table table = numbers({{"petal width", {0.2}}, {"petal length", {1.4}}});
  const auto complaint = [&](std::int64_t row, std::size_t tree) -> std::string {
    try {
      explain_row(iris(), table, row, tree);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_params);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(complaint(1, 0), "there is no row 1 in a table of 1 row");
  EXPECT_EQ(complaint(-1, 0), "there is no row -1 in a table of 1 row");
  EXPECT_EQ(complaint(0, 1), "there is no tree 1 in a model of 1 tree");
}

TEST(Explain, json_holds_the_same_and_survives_broken_text) {
  PathExplanation why = explain_row(iris(), numbers({{"petal width", {0.2}}, {"petal length", {1.4}}}), 0);
  why.steps[0].cell = "\xff\"";
  const auto json = nlohmann::json::parse(to_json(why));
  EXPECT_EQ(json["leaf"], 1);
  EXPECT_EQ(json["leaf_rows"], 50);
  EXPECT_EQ(json["prediction"], "setosa");
  EXPECT_EQ(json["values"], nlohmann::json({1.0, 0.0, 0.0}));
  EXPECT_EQ(json["steps"][0]["test"], "petal length ≤ 2.45");
  EXPECT_EQ(json["steps"][0]["cell"], "\uFFFD\"");
  EXPECT_EQ(json["sentences"].size(), 3U);
}

}  // namespace
}  // namespace bough
