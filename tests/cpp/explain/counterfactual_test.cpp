// SPDX-License-Identifier: Apache-2.0
// Nearest counterfactuals against every row of a small grid.
#include "bough/counterfactual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "explain/random_models.hpp"

namespace bough {
namespace {

using namespace bough::testing;

struct Wish {
  std::vector<std::string> fixed, increase, decrease;
  std::string wanted;
};

// Standard deviations of the columns of all_known_rows(): every value equally often.
double spread_of(std::size_t column, std::size_t n_rows) {
  const auto n = static_cast<double>(kValues[column]);
  return std::sqrt((n * n - 1.0) / 12.0 * static_cast<double>(n_rows) / (static_cast<double>(n_rows) - 1.0));
}

// Number of changed columns and distance from a row to another; -1 when the wish forbids it.
std::pair<int, double> distance(const std::vector<double>& from, const std::vector<double>& to,
                                const Wish& wish, std::size_t n_rows) {
  const std::vector<Field> fields = random_fields();
  const auto in = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::pair<int, double> out{0, 0.0};
  for (std::size_t j = 0; j < from.size(); ++j) {
    if (from[j] == to[j] || (std::isnan(from[j]) && std::isnan(to[j]))) continue;
    const bool unknown = !(from[j] >= 0.0);
    if (in(wish.fixed, fields[j].name)) return {-1, 0.0};
    if (!unknown && in(wish.increase, fields[j].name) && to[j] < from[j]) return {-1, 0.0};
    if (!unknown && in(wish.decrease, fields[j].name) && to[j] > from[j]) return {-1, 0.0};
    ++out.first;
    out.second += j >= 3 || unknown ? 1.0 : std::fabs(to[j] - from[j]) / spread_of(j, n_rows);
  }
  return out;
}

// The best of all rows of known values, where a cell that is missing in `from` may also stay so.
std::pair<int, double> brute_force(const Model& model, const std::vector<double>& from, const Wish& wish) {
  const std::vector<std::vector<double>> grid = all_known_rows();
  double before = 0.0, answer = 0.0;
  model.predict_row(std::span<const double>(from), std::span(&before, 1));
  std::pair<int, double> best{-1, 0.0};
  for (std::vector<double> to : grid) {
    // Every subset of the columns whose own cell is no known value; those of the subset keep it.
    for (unsigned kept = 0; kept < 32; ++kept) {
      std::vector<double> row = to;
      bool possible = true;
      for (std::size_t j = 0; j < row.size(); ++j) {
        if ((kept >> j & 1U) == 0) continue;
        possible &= !(from[j] >= 0.0) && to[j] == 0.0;
        row[j] = from[j];
      }
      if (!possible) continue;
      model.predict_row(std::span<const double>(row), std::span(&answer, 1));
      const std::string label = numbered("k", static_cast<std::size_t>(answer));
      if (wish.wanted.empty() ? answer == before : label != wish.wanted) continue;
      const std::pair<int, double> here = distance(from, row, wish, grid.size());
      if (here.first < 0) continue;
      const bool nearer = here.first == best.first ? here.second < best.second : here.first < best.first;
      if (best.first < 0 || nearer) best = here;
    }
  }
  return best;
}

TEST(Counterfactual, nothing_nearer_exists_on_a_grid_of_small_trees) {
  RandomTrees random(test_seed());
  const Table reference = table_of_cells(all_known_rows());
  const std::vector<Wish> wishes{{}, {{"c3"}, {"n0"}, {"n1", "o"}, ""}, {{}, {}, {}, "k2"}};
  int found = 0, changed = 0;
  for (int round = 0; round < 40; ++round) {
    const Model model = random.model({.stops = round % 2 == 0});
    const std::vector<double> row = random.row(round % 4 == 0 ? 3 : 0);
    const Wish& wish = wishes[static_cast<std::size_t>(round) % wishes.size()];
    CounterfactualSpec spec;
    spec.fixed = wish.fixed;
    spec.increase = wish.increase;
    spec.decrease = wish.decrease;
    spec.wanted = wish.wanted;
    spec.reference = &reference;
    const Table table = table_of_cells({row});
    const Counterfactual one = counterfactual(model, table, 0, spec);
    const std::pair<int, double> best = brute_force(model, row, wish);
    ASSERT_EQ(one.found, best.first >= 0) << round;
    if (!one.found) continue;
    ++found;
    changed += one.changes.empty() ? 0 : 1;
    EXPECT_EQ(static_cast<int>(one.changes.size()), best.first) << round;
    EXPECT_NEAR(one.distance, best.second, 1e-9) << round;
    double before = 0.0, after = 0.0;
    model.predict_row(std::span<const double>(row), std::span(&before, 1));
    model.predict_row(std::span<const double>(one.cells), std::span(&after, 1));
    EXPECT_EQ(numbered("k", static_cast<std::size_t>(after)), one.after) << round;
    if (wish.wanted.empty()) {
      EXPECT_NE(before, after) << round;
    } else {
      EXPECT_EQ(one.after, wish.wanted) << round;
    }
  }
  EXPECT_GT(found, 20);
  EXPECT_GT(changed, 15);
}

// Where missing cells are divided or asked about elsewhere, one column is searched, and no less.
void judge_single_changes(unsigned seed) {
  RandomTrees random(seed);
  const Table reference = table_of_cells(all_known_rows());
  int found = 0, kept = 0, refused = 0;
  for (int round = 0; round < 80; ++round) {
    const Model model = random.model({.parts = round % 2 == 0, .surrogates = round % 2 == 1});
    const std::vector<double> row = random.row(3);
    CounterfactualSpec spec;
    spec.reference = &reference;
    const std::pair<int, double> best = brute_force(model, row, {});
    try {
      const Counterfactual one = counterfactual(model, table_of_cells({row}), 0, spec);
      ASSERT_EQ(one.found, best.first >= 0) << round;
      if (!one.found) continue;
      EXPECT_EQ(static_cast<int>(one.changes.size()), best.first) << round;
      EXPECT_NEAR(one.distance, best.second, 1e-9) << round;
      double after = 0.0;
      model.predict_row(std::span<const double>(one.cells), std::span(&after, 1));
      EXPECT_EQ(numbered("k", static_cast<std::size_t>(after)), one.after) << round;
      ++found;
      for (std::size_t j = 0; j < row.size(); ++j)
        kept += std::isnan(row[j]) && std::isnan(one.cells[j]) ? 1 : 0;
    } catch (const Error& error) {
      const std::string said = error.what();
      EXPECT_NE(said.find("no change of one column"), std::string::npos) << said;
      EXPECT_NE(best.first, 1) << round;
      if (said.find("no change of one column or two") != std::string::npos) {
        EXPECT_NE(best.first, 2) << round;
      }
      ++refused;
    }
  }
  EXPECT_GT(found, 40);
  EXPECT_GT(kept, 20);
  EXPECT_LT(refused, 30);
}

TEST(Counterfactual, single_changes_of_rows_with_missing_cells_are_the_nearest_there_are) {
  judge_single_changes(test_seed());
}

// Their trees divide rows of a level that a node does not know, or ask surrogates about them: a row's own level, and
// one that it might get.
TEST(Counterfactual, levels_that_a_node_does_not_know_are_no_dead_ends) {
  judge_single_changes(3);
  judge_single_changes(12);
}

Table iris_row(double length, double width) {
  Table table;
  table.add("petal length", std::span<const double>(&length, 1));
  table.add("petal width", std::span<const double>(&width, 1));
  return table;
}

TEST(Counterfactual, a_number_moves_to_the_next_double_behind_the_threshold_and_words_name_the_threshold) {
  const Counterfactual one = counterfactual(iris(), iris_row(1.4, 0.2), 0, {.wanted = "virginica"});
  ASSERT_EQ(one.changes.size(), 2U);
  EXPECT_EQ(one.changes[0].cell, std::nextafter(2.45, 3.0));
  EXPECT_EQ(one.changes[1].condition, "more than 1.75");
  EXPECT_EQ(
      one.sentences[1],
      "It would be virginica if petal length were more than 2.45 (it is 1.4), and petal width were more than "
      "1.75 (it is 0.2).");
  EXPECT_EQ(nlohmann::json::parse(to_json(one))["after"], "virginica");
}

TEST(Counterfactual, columns_of_whole_numbers_move_to_whole_numbers_and_floats_to_floats) {
  Table whole;
  whole.add("petal length", std::span<const double>(std::vector<double>{1, 3}));
  whole.add("petal width", std::span<const float>(std::vector<float>{0.25F, 0.5F}));
  const Counterfactual one = counterfactual(iris(), whole, 0);
  ASSERT_EQ(one.changes.size(), 1U);
  EXPECT_EQ(one.changes[0].cell, 3.0);
  EXPECT_EQ(one.changes[0].to, "3");
  const Counterfactual other = counterfactual(iris(), whole, 1, {.wanted = "virginica"});
  ASSERT_EQ(other.changes.size(), 1U);
  EXPECT_EQ(other.changes[0].cell, std::nextafter(1.75F, 2.0F));
}

// 0.21 of the width is less than 1.05 of the length, but not in units of columns that spread by 0.1 and by 1.7.
TEST(Counterfactual, one_row_does_not_say_how_far_columns_spread) {
  TreeBuilder builder(Task::regression, {1});
  const auto root = builder.root();
  const auto low = builder.split(root, numeric_split(0, 2.45), 2);
  const auto narrow = builder.split(low, numeric_split(1, 0.41), 2);
  for (TreeBuilder::Handle node = 0; node <= narrow + 1; ++node)
    builder.set_stats(node, stats({node == narrow ? 0.0 : 1.0}, node == root ? 3 : node == low ? 2 : 1));
  Model::Parts parts = number_parts({numeric("petal length"), numeric("petal width")}, number_target("y"));
  parts.trees.push_back(std::move(builder).finish());
  const Model model(std::move(parts));
  const Table row = iris_row(1.4, 0.2);
  const Counterfactual alone = counterfactual(model, row, 0, {.at_least = 1.0});
  EXPECT_EQ(alone.changes.at(0).column, "petal width");
  EXPECT_EQ(
      alone.sentences.back(),
      "How far columns spread is not known from one row: a change of 1 counts the same in every column of "
      "numbers. Other rows, such as those of training, would tell.");
  Table others;
  others.add("petal length", std::span<const double>(std::vector<double>{1.4, 3.8, 5.2}));
  others.add("petal width", std::span<const double>(std::vector<double>{0.1, 0.2, 0.3}));
  const Counterfactual among = counterfactual(model, row, 0, {.at_least = 1.0, .reference = &others});
  EXPECT_EQ(among.changes.at(0).column, "petal length");
  EXPECT_EQ(among.sentences.back(), "It would be 1 if petal length were more than 2.45 (it is 1.4).");
  const Counterfactual only = counterfactual(model, row, 0, {.fixed = {"petal width"}, .at_least = 1.0});
  EXPECT_EQ(only.sentences.back(), "It would be 1 if petal length were more than 2.45 (it is 1.4).");
}

TEST(Counterfactual, a_printed_threshold_lies_on_its_side_of_the_cell) {
  TreeBuilder builder(Task::regression, {1});
  const auto root = builder.root();
  const auto left = builder.split(root, numeric_split(0, (1000.1201 + 1000.1216) / 2), 2);
  for (TreeBuilder::Handle node = 0; node <= left + 1; ++node)
    builder.set_stats(node, stats({node == left ? 0.0 : 1.0}, node == root ? 2 : 1));
  Model::Parts parts = number_parts({numeric("x")}, number_target("y"));
  parts.trees.push_back(std::move(builder).finish());
  const Model model(std::move(parts));
  Table table;
  table.add("x", std::span<const double>(std::vector<double>{1000.1201, 1000.1216}));
  EXPECT_EQ(counterfactual(model, table, 0, {.at_least = 1.0}).sentences.back(),
            "It would be 1 if x were more than 1000.12085 (it is 1000.1201).");
  EXPECT_EQ(counterfactual(model, table, 1, {.at_most = 0.0}).sentences.back(),
            "It would be 0 if x were at most 1000.12085 (it is 1000.1216).");
}

TEST(Counterfactual, a_fixed_column_may_leave_no_way) {
  const Counterfactual one = counterfactual(iris(), iris_row(1.4, 0.2), 0, {.fixed = {"petal length"}});
  EXPECT_FALSE(one.found);
  EXPECT_EQ(one.sentences.back(), "No change of the columns that may change leads to another class.");
}

TEST(Counterfactual, a_number_is_reached_from_either_side_of_a_deep_chain) {
  const Model model = chain(100000);
  Table table;
  table.add("x", std::span<const double>(std::vector<double>{10.0}));
  const Counterfactual one = counterfactual(model, table, 0, {.at_least = 50000.0});
  ASSERT_EQ(one.changes.size(), 1U);
  EXPECT_EQ(one.after, "50000");
  EXPECT_EQ(one.changes[0].cell, std::nextafter(49999.5, 1e9));
  EXPECT_THROW((void)counterfactual(model, table, 0), Error);
}

TEST(Counterfactual, what_is_not_exact_is_refused_by_name) {
  RandomTrees random(7);
  const Table table = table_of_cells({random.row(0)});
  const Model forest = random.model({}, 3, Combine::mean);
  try {
    (void)counterfactual(forest, table, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_supported);
    EXPECT_NE(std::string(error.what()).find("3 trees"), std::string::npos);
  }
  EXPECT_THROW((void)counterfactual(iris(), iris_row(1, 1), 1), Error);
  EXPECT_THROW((void)counterfactual(iris(), iris_row(1, 1), 0, {.fixed = {"petal"}}), Error);
  EXPECT_THROW((void)counterfactual(iris(), iris_row(1, 1), 0, {.wanted = "rose"}), Error);
  Split parts = numeric_split(0, 2.5, missing_by_share);
  const double missing = std::numeric_limits<double>::quiet_NaN();
  Table gap;
  gap.add("n", std::span<const double>(&missing, 1));
  EXPECT_THROW((void)counterfactual(one_split({numeric("n")}, parts), gap, 0), Error);  // both ways say no
}

}  // namespace
}  // namespace bough
