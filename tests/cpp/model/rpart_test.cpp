// SPDX-License-Identifier: Apache-2.0
// Surrogates, competitors, costs, priors and losses through fit(): by brute force, by arithmetic, and their
// refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "bough/cp.hpp"
#include "bough/model.hpp"

namespace bough {
namespace {

constexpr double kGone = std::numeric_limits<double>::quiet_NaN();

struct Made {
  std::vector<double> a, b, c, y;
  std::vector<std::string> town, label;
  Made(std::size_t n, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    const auto unit = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
    for (std::size_t i = 0; i < n; ++i) {
      const double base = unit();
      a.push_back(engine() % 5 == 0 ? kGone : std::floor(base * 20));
      b.push_back(engine() % 7 == 0 ? kGone : std::floor((base + 0.3 * unit()) * 20));
      c.push_back(std::floor(unit() * 10));
      const auto letter = static_cast<std::size_t>(std::min(3.0, base * 3 + unit()));
      town.push_back(engine() % 9 == 0 ? "" : std::vector<std::string>{"k", "l", "m", "n"}[letter]);
      y.push_back(base * 10 + unit());
      label.push_back(base + 0.4 * unit() > 0.7 ? "yes" : unit() < 0.2 ? "perhaps" : "no");
    }
  }
  [[nodiscard]] Table table() const {
    Table table;
    table.add("a", a);
    table.add("b", b);
    table.add("c", c);
    table.add("town", town);
    table.add("y", y);
    table.add("label", label);
    return table;
  }
};

FitSpec learn(const std::string& target) {
  FitSpec spec;
  spec.targets = {target};
  spec.ignored = {target == "y" ? "label" : "y"};
  return spec;
}

Params surrogate_params() {
  Params params;
  params.missing_policy = "surrogate";
  params.min_samples_split = Amount::count(10);
  params.min_samples_leaf = Amount::count(3);
  return params;
}

// The tree without what is kept beside the splits.
Tree stripped(const Tree& tree) {
  TreeBuilder builder = TreeBuilder::from(tree);
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (!tree.is_leaf(node)) builder.set_alternatives(node, {});
  return std::move(builder).finish();
}

TEST(Rpart, keeping_competitors_changes_no_tree) {
  for (const std::string target : {"y", "label"}) {
    const Table table = Made(300, 5).table();
    for (const std::string criterion : {"auto", target == "y" ? "absolute_error" : "entropy"}) {
      Params params;
      params.criterion = criterion;
      params.min_samples_leaf = Amount::count(4);
      const Model plain = fit(table, learn(target), params);
      params.competitors = 3;
      const Model kept = fit(table, learn(target), params);
      EXPECT_EQ(stripped(kept.tree()), plain.tree()) << target << ' ' << criterion;
      EXPECT_EQ(kept.tree().alternatives(0).size(), 3U);
      EXPECT_EQ(kept.parts().provenance.engine, "surrogate");
    }
  }
}

// Every test of every other column in both directions: the most weight that repeats the split.
double best_agreement(const std::vector<double>& cells, const std::vector<int>& sides) {
  double best = 0.0;
  for (const double cut : cells) {
    double same = 0.0, turned = 0.0;
    int below = 0, above = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (std::isnan(cells[i]) || sides[i] < 0) continue;
      const int side = cells[i] <= cut ? 0 : 1;
      (side == 0 ? below : above)++;
      (side == sides[i] ? same : turned) += 1.0;
    }
    if (below >= 2 && above >= 2) best = std::max({best, same, turned});
  }
  return best;
}

TEST(Rpart, surrogates_agree_as_much_as_any_test_can) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Made made(120, seed);
    const Model model = fit(made.table(), learn("y"), surrogate_params());
    const Tree& tree = model.tree();
    ASSERT_FALSE(tree.is_leaf(0));
    const std::vector<double>* columns[] = {&made.a, &made.b, &made.c};
    if (tree.column(0) > 2) continue;
    std::vector<int> sides;
    double decided = 0.0;
    for (const double x : *columns[tree.column(0)]) {
      sides.push_back(std::isnan(x) ? -1 : x <= tree.threshold(0) ? 0 : 1);
      decided += sides.back() >= 0 ? 1.0 : 0.0;
    }
    double last = 1.0;
    EXPECT_FALSE(tree.alternatives(0).empty()) << seed;
    for (const Alternative& test : tree.alternatives(0)) {
      EXPECT_NE(test.column, tree.column(0)) << "a test cannot stand in for itself";
      EXPECT_EQ(test.role, AlternativeRole::surrogate);
      EXPECT_LE(test.score, last);
      last = test.score;
      if (test.column > 2) continue;
      EXPECT_DOUBLE_EQ(test.score, best_agreement(*columns[test.column], sides) / decided) << seed;
    }
    // Whatever agrees more than the heavier side alone is kept: there is room for all.
    const auto left = static_cast<double>(std::count(sides.begin(), sides.end(), 0));
    for (int j = 0; j < 3; ++j) {
      if (j == tree.column(0) || best_agreement(*columns[j], sides) <= std::max(left, decided - left))
        continue;
      EXPECT_TRUE(std::any_of(tree.alternatives(0).begin(), tree.alternatives(0).end(),
                              [&](const Alternative& test) { return test.column == j; }))
          << seed << ' ' << j;
    }
  }
}

TEST(Rpart, rows_of_missing_cells_follow_the_surrogates_in_training_and_prediction) {
  for (const std::string target : {"y", "label"}) {
    const Made made(400, 11);
    const Table table = made.table();
    const Model model = fit(table, learn(target), surrogate_params());
    const std::vector<NodeId> leaves = model.apply(table);
    std::vector<std::int64_t> rows(static_cast<std::size_t>(model.tree().n_nodes()), 0);
    for (const NodeId leaf : leaves) ++rows[static_cast<std::size_t>(leaf)];
    for (NodeId node = 0; node < model.tree().n_nodes(); ++node) {
      if (!model.tree().is_leaf(node)) continue;
      EXPECT_EQ(rows[static_cast<std::size_t>(node)], model.tree().n_rows(node)) << node;
    }
  }
}

// The root gains 6 * 500,000^2 = 1.5e12; the left child 0, 0, 1 could gain 2/3, less than 1e-10 of that.
TEST(Rpart, a_split_that_gains_next_to_nothing_of_the_roots_is_none) {
  Table table;
  table.add("x", std::vector<double>{1, 2, 3, 4, 5, 6});
  table.add("y", std::vector<double>{0, 0, 1, 1e6, 1e6, 1e6});
  FitSpec spec;
  spec.targets = {"y"};
  Params params;
  params.task = "regression";
  EXPECT_EQ(fit(table, spec, params).tree().n_nodes(), 5);
  params.missing_policy = "surrogate";
  const Model model = fit(table, spec, params);
  EXPECT_EQ(model.tree().n_nodes(), 3);
  EXPECT_EQ(model.tree().threshold(0), 3.5);
}

TEST(Rpart, rows_that_stop_are_answered_where_they_are) {
  for (const std::string policy : {"stop", "surrogate"}) {
    const Made made(400, 3);
    const Table table = made.table();
    Params params = surrogate_params();
    params.missing_policy = policy;
    if (policy == "surrogate") {
      params.surrogates = 1;
      params.surrogate_else = "stop";
    }
    const Model model = fit(table, learn("label"), params);
    const Tree& tree = model.tree();
    std::vector<std::int64_t> ended(static_cast<std::size_t>(tree.n_nodes()), 0);
    for (const NodeId node : model.apply(table)) ++ended[static_cast<std::size_t>(node)];
    std::int64_t stopped = 0;
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      std::int64_t below = 0;
      for (const NodeId child : tree.children(node)) below += tree.n_rows(child);
      EXPECT_EQ(tree.n_rows(node) - below, ended[static_cast<std::size_t>(node)]);
      if (!tree.is_leaf(node)) stopped += ended[static_cast<std::size_t>(node)];
    }
    EXPECT_GT(stopped, 0) << policy;
  }
}

TEST(Rpart, models_with_surrogates_survive_both_files) {
  Params params = surrogate_params();
  params.competitors = 2;
  const Table table = Made(300, 1).table();
  Model model = fit(table, learn("label"), params);
  model = cross_validate_cp(model, table, learn("label"), draw_groups(300, 5, 1), {});
  const Model binary = Model::from_bytes(model.to_bytes()), json = Model::from_json(model.to_json());
  EXPECT_EQ(binary.tree(), model.tree());
  EXPECT_EQ(json.tree(), model.tree());
  EXPECT_EQ(binary.to_json(), model.to_json());
  EXPECT_EQ(json.to_bytes(), model.to_bytes());
  EXPECT_EQ(binary.parts().cp_table.size(), model.parts().cp_table.size());
  EXPECT_EQ(binary.predict(table), model.predict(table));
}

TEST(Rpart, a_column_that_costs_more_is_tested_later) {
  // x and z repeat each other; the first column wins the tie unless it is dear.
  std::vector<double> x, z, y;
  for (int i = 0; i < 20; ++i) {
    x.push_back(i);
    z.push_back(i);
    y.push_back(i < 10 ? 0.0 : 1.0);
  }
  Table table;
  table.add("x", x);
  table.add("z", z);
  table.add("y", y);
  FitSpec spec;
  spec.targets = {"y"};
  Params params;
  params.task = "regression";
  EXPECT_EQ(fit(table, spec, params).tree().column(0), 0);
  params.column_costs = {{"x", 1.01}};
  EXPECT_EQ(fit(table, spec, params).tree().column(0), 1);
  params.column_costs = {{"x", 0.5}, {"z", 0.4}};
  EXPECT_EQ(fit(table, spec, params).tree().column(0), 1);
}

// Ten of class a, two of class b, which no column can part.
Table lopsided() {
  Table table;
  table.add("x", std::vector<double>(12, 1.0));
  std::vector<std::string> label(12, "a");
  label[3] = label[7] = "b";
  table.add("label", label);
  return table;
}

FitSpec labels() {
  FitSpec spec;
  spec.targets = {"label"};
  return spec;
}

TEST(Rpart, priors_are_what_the_root_says) {
  Params params;
  params.priors = {{"a", 0.3}, {"b", 0.7}};
  const Model model = fit(lopsided(), labels(), params);
  const std::vector<double> shares = model.predict_proba(lopsided());
  EXPECT_NEAR(shares[0], 0.3, 1e-15);
  EXPECT_NEAR(shares[1], 0.7, 1e-15);
  EXPECT_EQ(model.predict_labels(lopsided())[0], "b");
}

TEST(Rpart, losses_choose_the_class_and_leave_the_shares) {
  Params params;
  params.loss_matrix = {{0, 1}, {4, 0}};  // a for b costs 10, b for a costs 2 * 4 = 8
  Model model = fit(lopsided(), labels(), params);
  EXPECT_EQ(model.predict_labels(lopsided())[0], "a");
  params.loss_matrix = {{0, 1}, {6, 0}};  // 10 against 12
  model = fit(lopsided(), labels(), params);
  EXPECT_EQ(model.predict_labels(lopsided())[0], "b");
  EXPECT_NEAR(model.predict_proba(lopsided())[0], 10.0 / 12, 1e-15);
  EXPECT_NEAR(cp_risk(model.tree(), params.loss_matrix)[0], 10.0, 1e-12);
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).predict_labels(lopsided())[0], "b");
}

std::string refusal(const Params& params, const Table& table = lopsided(), const FitSpec& spec = labels()) {
  try {
    static_cast<void>(fit(table, spec, params));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_params);
    EXPECT_FALSE(error.hint().empty());
    return error.what();
  }
}

TEST(Rpart, bad_priors_losses_and_costs_are_refused) {
  const auto priors = [](NameNumbers values) {
    Params params;
    params.priors = std::move(values);
    return refusal(params);
  };
  EXPECT_NE(priors({{"a", 0.5}, {"b", 0.4}}).find("sum to 0.9"), std::string::npos);
  EXPECT_NE(priors({{"a", 1.5}, {"b", -0.5}}).find("priors must be"), std::string::npos);
  EXPECT_NE(priors({{"a", 0.5}, {"b", 0.5}, {"c", 0.0}}).find("'c'"), std::string::npos);
  EXPECT_NE(priors({{"a", 1.0}}).find("'b'"), std::string::npos);
  const auto loss = [](NumberGrid values) {
    Params params;
    params.loss_matrix = std::move(values);
    return refusal(params);
  };
  EXPECT_NE(loss({{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}).find("3 rows"), std::string::npos);
  EXPECT_NE(loss({{0, 1}, {1}}), "");
  EXPECT_NE(loss({{0, 1}, {1, 2}}), "");
  EXPECT_NE(loss({{0, -1}, {1, 0}}), "");
  EXPECT_NE(loss({{0, 0}, {1, 0}}).find("zeros"), std::string::npos);
  Params params;
  params.column_costs = {{"x", 0.0}};
  EXPECT_NE(refusal(params), "");
  params.column_costs = {{"nobody", 2.0}};
  EXPECT_NE(refusal(params).find("nobody"), std::string::npos);
}

TEST(Rpart, groups_that_do_not_fit_are_refused) {
  const Model model = fit(lopsided(), labels(), {});
  const auto groups = [&](std::vector<std::int64_t> values) {
    return [&, values] { static_cast<void>(cross_validate_cp(model, lopsided(), labels(), values, {})); };
  };
  EXPECT_THROW(groups({1, 2})(), Error);
  EXPECT_THROW(groups(std::vector<std::int64_t>(12, 4))(), Error);
  EXPECT_THROW(static_cast<void>(draw_groups(10, 1, 0)), Error);
  EXPECT_THROW(static_cast<void>(draw_groups(10, 11, 0)), Error);
  std::vector<std::int64_t> drawn = draw_groups(10, 5, 0);
  std::sort(drawn.begin(), drawn.end());
  EXPECT_EQ(drawn, (std::vector<std::int64_t>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}));
}

// A competitor goes the way of rpart: the lower mean of the target, or of the numbers of its classes, to the left.
TEST(Rpart, competitors_send_the_lower_mean_to_the_left) {
  std::vector<double> up, down, y;
  for (int i = 0; i < 90; ++i) {
    y.push_back(i < 30 ? 0.0 : i < 60 ? 1.0 : 2.0);
    up.push_back(i + i % 7 * 3);
    down.push_back(200 - i - i % 5 * 4);
  }
  Table table;
  table.add("best", y);
  table.add("up", up);
  table.add("down", down);
  table.add("y", y);
  FitSpec spec;
  spec.targets = {"y"};
  Params params;
  params.competitors = 2;
  for (const char* task : {"regression", "classification"}) {
    params.task = task;
    const Model model = fit(table, spec, params);
    const auto others = model.tree().alternatives(0);
    ASSERT_EQ(others.size(), 2U);
    for (const Alternative& other : others)
      EXPECT_EQ(other.turned, other.column == 2) << task << other.column;
  }
}

}  // namespace
}  // namespace bough
