// SPDX-License-Identifier: Apache-2.0
// Changes along the way of a row: arithmetic by hand, and sums that must come out.
#include "bough/reasons.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "explain/random_models.hpp"

namespace bough {
namespace {

using namespace bough::testing;

Table iris_row(double length, double width) {
  Table table;
  table.add("petal length", std::span<const double>(&length, 1));
  table.add("petal width", std::span<const double>(&width, 1));
  return table;
}

// iris(): 1/3 of all rows are virginica, 1/2 behind petal length > 2.45, 45 of 46 behind petal width > 1.75.
TEST(Reasons, tests_are_credited_with_the_change_of_the_node_value) {
  const Reasons why = top_reasons(iris(), iris_row(5.0, 2.0), 0);
  EXPECT_EQ(why.label, "virginica");
  EXPECT_NEAR(why.base, 1.0 / 3.0, 1e-15);
  EXPECT_NEAR(why.value, 45.0 / 46.0, 1e-15);
  ASSERT_EQ(why.reasons.size(), 2U);
  EXPECT_EQ(why.reasons[0].tests, "petal width > 1.75");
  EXPECT_NEAR(why.reasons[0].change, 45.0 / 46.0 - 0.5, 1e-15);
  EXPECT_NEAR(why.reasons[1].change, 0.5 - 1.0 / 3.0, 1e-15);
  const std::vector<std::string> sentences{
      "The probability of virginica is 97.8%; over all training rows it is 33.3%.",
      "petal width > 1.75 raises the probability by 47.8 points.",
      "petal length > 2.45 raises the probability by 16.7 points."};
  EXPECT_EQ(why.sentences, sentences);
  EXPECT_EQ(nlohmann::json::parse(to_json(why))["reasons"][0]["column"], "petal width");
}

TEST(Reasons, another_class_can_be_followed_and_numbers_too) {
  const Reasons setosa = top_reasons(iris(), iris_row(5.0, 2.0), 0, {.label = "setosa"});
  EXPECT_NEAR(setosa.reasons[0].change, -1.0 / 3.0, 1e-15);
  Table x;
  x.add("x", std::span<const double>(std::vector<double>{0.0}));
  const Reasons number = top_reasons(chain(3), x, 0);
  EXPECT_EQ(number.value, 0.0);
  EXPECT_EQ(number.label, "");
  EXPECT_THROW((void)top_reasons(iris(), iris_row(5, 2), 0, {.label = "rose"}), Error);
  EXPECT_THROW((void)top_reasons(iris(), iris_row(5, 2), 1), Error);
}

TEST(Reasons, changes_add_up_to_what_the_model_predicts) {
  RandomTrees random(test_seed());
  for (int round = 0; round < 12; ++round) {
    const bool several = round % 2 == 0;
    const Model model = random.model({.parts = true, .stops = true, .surrogates = true}, several ? 3 : 1,
                                     several ? Combine::mean : Combine::single);
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < 8; ++i) rows.push_back(random.row(2));
    const Table table = table_of_cells(rows);
    const ShapValues changes = path_changes(model, table, {2, {}});
    const std::vector<double> chances = model.predict_proba(table);
    for (std::int64_t i = 0; i < changes.n_rows; ++i) {
      for (std::size_t o = 0; o < 3; ++o) {
        double sum = changes.expected[o];
        for (std::size_t j = 0; j < changes.n_columns; ++j) sum += changes.at(i, j, o);
        EXPECT_NEAR(sum, chances[static_cast<std::size_t>(i) * 3 + o], 1e-13);
      }
      const Reasons why = top_reasons(model, table, i, {.label = "k1"});
      EXPECT_NEAR(why.value, chances[static_cast<std::size_t>(i) * 3 + 1], 1e-13);
    }
  }
}

TEST(Reasons, leaves_have_the_changes_of_the_rows_that_end_in_them) {
  RandomTrees random(test_seed() + 1);
  const Model model = random.model({.depth = 5});
  const LeafChanges leaves = leaf_changes(model);
  EXPECT_EQ(static_cast<NodeId>(leaves.leaves.size()), model.tree().n_leaves());
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 40; ++i) rows.push_back(random.row(0));
  const Table table = table_of_cells(rows);
  const ShapValues changes = path_changes(model, table);
  const std::vector<NodeId> ends = model.apply(table);
  const std::size_t per_leaf = leaves.n_columns * leaves.outputs.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<std::size_t>(std::find(leaves.leaves.begin(), leaves.leaves.end(), ends[i]) -
                                             leaves.leaves.begin());
    for (std::size_t k = 0; k < per_leaf; ++k)
      EXPECT_NEAR(leaves.values[at * per_leaf + k], changes.values[i * per_leaf + k], 1e-15);
  }
}

TEST(Reasons, a_hundred_thousand_levels_are_no_matter) {
  const Model model = chain(100000);
  Table x;
  x.add("x", std::span<const double>(std::vector<double>{1e9}));
  EXPECT_EQ(path_changes(model, x).at(0, 0, 0), 100000.0);
  EXPECT_EQ(leaf_changes(model).leaves.size(), 100001U);
}

}  // namespace
}  // namespace bough
