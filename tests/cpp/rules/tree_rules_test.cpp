// SPDX-License-Identifier: Apache-2.0
// The rules of a tree say what the tree says: random trees of every kind of node, rows with missing and
// unseen cells.
#include <gtest/gtest.h>

#include <algorithm>

#include "data/cells.hpp"
#include "data/support.hpp"
#include "model/random_model.hpp"
#include "predict/predict.hpp"
#include "predict/walk.hpp"
#include "rules/match.hpp"
#include "rules/support.hpp"

namespace bough {
namespace {

using Form = RuleCondition::Form;
using test::kMissing;

constexpr std::uint64_t kSeeds = 400;

template <class Body>
void for_random_trees(const Body& body) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = samples::RandomModel(seed).make();
    for (std::size_t tree = 0; tree < model.trees().size(); ++tree) body(test::single(model, tree), seed);
  }
}

// Cells of all rows, as route() and the matcher take them.
struct Cells {
  explicit Cells(const Model& model, const Table& table) {
    const RowReader reader(table, model.features());
    values.resize(static_cast<std::size_t>(reader.n_rows()) * reader.n_columns());
    reader.load(0, reader.n_rows(), values);
    block = {0, static_cast<std::size_t>(reader.n_rows()), values};
  }
  std::vector<double> values;
  CellBlock block;
};

TEST(tree_rules, every_row_is_covered_once_and_by_the_rule_of_its_leaf) {
  for_random_trees([](const Model& model, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const Table table = test::telling_table(model, 60, random);
    const RuleSet rules = tree_rules(model);
    const Cells cells(model, table);
    const std::vector<std::int64_t> applied = rules.apply(table);
    for (std::size_t row = 0; row < cells.block.count; ++row) {
      double sum = 0.0;
      std::size_t n_covering = 0;
      for (const Rule& rule : rules.rules()) {
        const double share = test::covered_share(rule, cells.block.row(row));
        sum += share;
        n_covering += share > 0.0 ? 1 : 0;
      }
      ASSERT_NEAR(sum, 1.0, 1e-9) << "row " << row;
      const Ending end = walk_whole(model.tree(), cells.block.row(row));
      if (end.is_split) continue;
      ASSERT_EQ(n_covering, 1U);
      ASSERT_EQ(rules.rules()[static_cast<std::size_t>(applied[row])].node, end.node);
    }
  });
}

TEST(tree_rules, answers_are_those_of_the_tree) {
  for_random_trees([](const Model& model, std::uint64_t seed) {
    std::mt19937_64 random(seed + 7);
    const Table table = test::telling_table(model, 60, random);
    const RuleSet rules = tree_rules(model);
    const Cells cells(model, table);
    const std::vector<double> expected = model.predict(table);
    const std::vector<double> got = rules.predict(table);
    ASSERT_EQ(expected.size(), got.size());
    double scale = 0.0;
    for (const Rule& rule : rules.rules())
      for (const double value : rule.values) scale = std::max(scale, std::fabs(value));
    for (std::size_t i = 0; i < got.size(); ++i) {
      const bool whole = !walk_whole(model.tree(), cells.block.row(i / model.n_outputs())).is_split;
      if (whole) {
        ASSERT_EQ(expected[i], got[i]);
      } else if (model.task() == Task::regression) {
        ASSERT_NEAR(expected[i], got[i], 1e-9 * scale);
      }
    }
    if (model.task() != Task::classification) return;
    for (std::size_t output = 0; output < model.n_outputs(); ++output) {
      const std::vector<double> shares = model.predict_proba(table, output);
      const std::vector<double> ours = rules.predict_proba(table, output);
      for (std::size_t i = 0; i < shares.size(); ++i) ASSERT_NEAR(shares[i], ours[i], 1e-9);
    }
  });
}

// Cells that can tell whether a condition lets more or fewer pass.
std::vector<double> probes(const RuleCondition& condition, const Schema& features) {
  std::vector<double> cells{kMissing};
  const double infinity = std::numeric_limits<double>::infinity();
  if (condition.column >= 0) {
    const Field& field = features.fields[static_cast<std::size_t>(condition.column)];
    for (std::size_t level = 0; level < field.levels.size(); ++level)
      cells.push_back(static_cast<double>(level));
    if (field.kind == Kind::category) cells.push_back(kUnseenCell);
    if (field.kind != Kind::numeric) return cells;
  }
  cells.insert(cells.end(), {-infinity, infinity});
  for (const auto& bound : {condition.above, condition.at_most})
    if (bound)
      cells.insert(cells.end(),
                   {*bound, std::nextafter(*bound, -infinity), std::nextafter(*bound, infinity)});
  return cells;
}

double passes(const RuleCondition& condition, double cell) {
  if (std::isnan(cell)) return condition.missing;
  return passes_known(condition, cell) ? 1.0 : 0.0;
}

TEST(tree_rules, no_condition_follows_from_the_others) {
  for_random_trees([](const Model& model, std::uint64_t) {
    const RuleSet rules = tree_rules(model);
    for (const Rule& rule : rules.rules()) {
      for (std::size_t i = 0; i < rule.conditions.size(); ++i) {
        const RuleCondition& condition = rule.conditions[i];
        for (std::size_t j = 0; j < i; ++j) {
          // One condition per column and per sum: what is left must itself exclude something ...
          const RuleCondition& other = rule.conditions[j];
          ASSERT_FALSE(other.column == condition.column && other.terms == condition.terms);
        }
        const std::vector<double> cells = probes(condition, model.features());
        ASSERT_TRUE(std::ranges::any_of(cells, [&](double cell) { return passes(condition, cell) < 1.0; }));
        ASSERT_TRUE(std::ranges::any_of(cells, [&](double cell) { return passes(condition, cell) > 0.0; }));
        if (!condition.above || !condition.at_most) continue;
        // ... and so must each of two bounds.
        for (const bool drops_low : {false, true}) {
          RuleCondition open = condition;
          (drops_low ? open.above : open.at_most).reset();
          ASSERT_TRUE(std::ranges::any_of(
              cells, [&](double cell) { return passes(open, cell) > passes(condition, cell); }));
        }
      }
    }
  });
}

TEST(tree_rules, conditions_of_one_column_are_merged) {
  // x <= 10, then x <= 4 (redundant after it is x <= 10), then x > 1: one condition 1 < x <= 4.
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  const auto first = builder.split(root, samples::numeric(0, 10.0, 0), 2);
  const auto second = builder.split(first, samples::numeric(0, 4.0, 0), 2);
  const auto third = builder.split(second, samples::numeric(0, 1.0, 0), 2);
  builder.set_stats(third, samples::counts(3, 0));
  builder.set_stats(third + 1, samples::counts(1, 4));
  builder.set_stats(second, samples::counts(4, 4));
  builder.set_stats(second + 1, samples::counts(2, 0));
  builder.set_stats(first, samples::counts(6, 4));
  builder.set_stats(first + 1, samples::counts(0, 6));
  builder.set_stats(root, samples::counts(6, 10));
  Model::Parts parts;
  parts.features.fields = {{"x", Kind::numeric, Role::feature, {}}};
  parts.targets.fields = {{"y", Kind::category, Role::target, {Levels::Type::text, {"no", "yes"}, {}}}};
  parts.trees.push_back(std::move(builder).finish());
  const RuleSet rules = tree_rules(Model(std::move(parts)));
  ASSERT_EQ(rules.rules().size(), 4U);
  const auto text = [&](std::size_t i) { return condition_text(rules, rules.rules()[i].conditions.at(0)); };
  EXPECT_EQ(text(0), "x ≤ 1, or missing");
  EXPECT_EQ(text(1), "1 < x ≤ 4");
  EXPECT_EQ(text(2), "4 < x ≤ 10");
  EXPECT_EQ(text(3), "x > 10");
  EXPECT_EQ(rules.n_conditions(), 6U);

  // Rule 2 covers 5 of 16 rows, 4 of them "yes", of which there are 10 in all.
  const RuleScore score = rules.score(rules.rules()[1]);
  EXPECT_DOUBLE_EQ(score.coverage, 5.0 / 16.0);
  EXPECT_DOUBLE_EQ(score.support.value(), 4.0 / 16.0);
  EXPECT_DOUBLE_EQ(score.confidence.value(), 4.0 / 5.0);
  EXPECT_DOUBLE_EQ(score.lift.value(), (4.0 / 5.0) / (10.0 / 16.0));
}

TEST(tree_rules, a_row_that_stops_at_a_node_has_a_rule_of_its_own) {
  Model::Parts parts;
  parts.features.fields = {{"x", Kind::numeric, Role::feature, {}}};
  parts.targets.fields = {{"y", Kind::category, Role::target, {Levels::Type::text, {"no", "yes"}, {}}}};
  parts.trees.push_back(samples::stump(samples::numeric(0, 2.0, missing_stops)));
  const RuleSet rules = tree_rules(Model(std::move(parts)));
  ASSERT_EQ(rules.rules().size(), 3U);
  EXPECT_EQ(rules.rules()[0].node, 0);
  EXPECT_EQ(condition_text(rules, rules.rules()[0].conditions[0]), "x is missing");
}

TEST(tree_rules, counting_on_the_training_rows_gives_the_numbers_of_the_tree) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const test::MadeTable made = test::made_table(seed, 200, 3);
    const Model model = test::grown(made.table);
    const RuleSet rules = tree_rules(model);
    EXPECT_EQ(rules.rules().size(), static_cast<std::size_t>(model.tree().n_leaves()));
    EXPECT_EQ(measure(rules, made.table), rules);
    std::int64_t rows = 0;
    for (const Rule& rule : rules.rules()) rows += rule.n_rows;
    EXPECT_EQ(rows, 200);
  }
}

TEST(tree_rules, a_tree_that_is_not_there_is_named) {
  const Model model = test::grown(test::made_table(1, 50).table);
  const Error error = test::error_of([&] { tree_rules(model, 3); });
  EXPECT_EQ(error.code(), ErrorCode::bad_params);
  EXPECT_MENTIONS(std::string(error.what()), "tree 3");
}

TEST(tree_rules, a_label_that_the_rules_do_not_know_is_named) {
  const test::MadeTable made = test::made_table(1, 50);
  const RuleSet rules = tree_rules(test::grown(made.table));
  Table other = test::telling_table(test::grown(made.table), 2, *std::make_unique<std::mt19937_64>(1));
  const std::vector<std::string> labels{"c0", "what"};
  other.add("y", std::span<const std::string>(labels));
  const Error error = test::error_of([&] { measure(rules, other); });
  EXPECT_EQ(error.code(), ErrorCode::bad_data);
  EXPECT_MENTIONS(std::string(error.what()), "'what' in row 2");
}

}  // namespace
}  // namespace bough
