// SPDX-License-Identifier: Apache-2.0
// The search of a node shown again: the best test must be the tree's own, on random tables of every kind.
#include "bough/why.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "criterion/registry.hpp"
#include "explain/random_models.hpp"

namespace bough {
namespace {

using namespace bough::testing;

struct Made {
  Table table;
  FitSpec spec;
};

// Numbers, an ordinal and two categories with missing cells; classes y, numbers z and u (not below 0),
// weights w.
Made made(RandomTrees& random, std::size_t n_rows, std::size_t missing) {
  Made out;
  std::vector<double> a, b, z, u, w;
  std::vector<std::int32_t> o, c, d, y;
  for (std::size_t i = 0; i < n_rows; ++i) {
    const auto gap = [&] { return random.pick(10) < missing; };
    const double x = random.number();
    a.push_back(gap() ? std::numeric_limits<double>::quiet_NaN() : x);
    b.push_back(gap() ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(random.pick(6)));
    o.push_back(gap() ? -1 : static_cast<std::int32_t>(random.pick(4)));
    c.push_back(gap() ? -1 : static_cast<std::int32_t>(random.pick(5)));
    d.push_back(gap() ? -1 : static_cast<std::int32_t>(random.pick(2)));
    y.push_back(static_cast<std::int32_t>(x > 0.5 ? random.pick(2) : random.pick(3)));
    z.push_back(std::floor(4 * x) + (c.back() == 2 ? 3.0 : 0.0) + static_cast<double>(random.pick(3)));
    u.push_back(static_cast<double>(random.pick(4)));
    w.push_back(static_cast<double>(1 + random.pick(3)) / 2);
  }
  using Texts = std::vector<std::string>;
  const auto text = [&](const char* name, const std::vector<std::int32_t>& codes, const Texts& names) {
    out.table.add(name, std::span<const std::int32_t>(codes), std::span<const std::string>(names));
  };
  out.table.add("a", std::span<const double>(a));
  out.table.add("b", std::span<const double>(b));
  text("o", o, {"i", "ii", "iii", "iv"});
  text("c", c, {"p", "q", "r", "s", "t"});
  text("d", d, {"no", "yes"});
  text("y", y, {"k0", "k1", "k2"});
  out.table.add("z", std::span<const double>(z));
  out.table.add("u", std::span<const double>(u));
  out.table.add("w", std::span<const double>(w));
  out.spec.columns = {{.name = "o", .kind = Kind::ordinal, .order = {"i", "ii", "iii", "iv"}}};
  return out;
}

FitSpec spec_for(const Made& made, std::vector<std::string> targets, bool weighted) {
  FitSpec spec = made.spec;
  for (const char* name : {"y", "z", "u", "w"})
    if (std::find(targets.begin(), targets.end(), name) == targets.end() && !(weighted && name[0] == 'w'))
      spec.ignored.emplace_back(name);
  spec.targets = std::move(targets);
  if (weighted) spec.weight = "w";
  return spec;
}

// Every inner node of a model shows its own split as the best one; returns how many there were.
int expect_own_splits(const Model& model, const Made& made, bool weighted, const std::string& what) {
  int inner = 0;
  const Tree& tree = model.tree();
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    const WhySplit why = why_split(model, made.table, node, {.weight = weighted ? "w" : ""});
    EXPECT_EQ(why.here.n_rows, tree.n_rows(node)) << what;
    EXPECT_NEAR(why.here.impurity, tree.impurity(node), 1e-12) << what;
    if (tree.is_leaf(node)) continue;
    ++inner;
    EXPECT_TRUE(why.agrees) << what << " node " << node << '\n' << to_text(why);
    const WhyColumn& best = why.columns.front();
    EXPECT_NEAR(best.best->gain, tree.gain(node), 1e-9 * std::fabs(tree.gain(node))) << what;
    EXPECT_EQ(best.left.n_rows, best.best->left_rows) << what;
    const Split own = tree.split(node);
    if (own.kind == NodeKind::subset) {
      std::vector<std::uint32_t> left;
      for (std::size_t i = 0; i < own.map_levels.size(); ++i)
        if (own.map_children[i] == 0) left.push_back(own.map_levels[i]);
      EXPECT_EQ(best.best->levels, left) << what;
    } else {
      EXPECT_EQ(best.best->threshold, own.threshold) << what;
    }
    if (best.kind == Kind::category) continue;
    const auto top =
        std::max_element(best.curve.begin(), best.curve.end(), [](const WhyCut& one, const WhyCut& two) {
          return one.allowed != two.allowed ? two.allowed : one.merit < two.merit;
        });
    EXPECT_EQ(top->merit, best.best->merit) << what;
  }
  return inner;
}

TEST(Why, the_best_test_is_the_split_of_the_tree_for_every_criterion) {
  RandomTrees random(test_seed());
  int inner = 0;
  for (const CriterionInfo& info : kCriteria) {
    const std::string_view criterion = info.name;
    const bool classes = info.task == Task::classification;
    for (int round = 0; round < 6; ++round) {
      const Made rows = made(random, 60, round % 3);
      const bool weighted = round % 2 == 1;
      Params params;
      params.criterion = criterion;
      if (criterion == "quantile") params.quantile = 0.3;
      params.max_depth = 4;
      params.min_samples_leaf = Amount::count(round < 3 ? 1 : 4);
      if (round == 4) params.category_split = "equality";
      std::vector<std::string> targets{classes ? "y" : criterion == "poisson" ? "u" : "z"};
      if (round == 5 && !classes && criterion != "poisson") targets.emplace_back("u");
      const Model model = fit(rows.table, spec_for(rows, targets, weighted), params);
      inner += expect_own_splits(model, rows, weighted, std::string(criterion) + " " + std::to_string(round));
    }
  }
  EXPECT_GT(inner, 300);
}

TEST(Why, limits_constraints_costs_and_policies_of_the_fit_are_kept) {
  RandomTrees random(test_seed() + 1);
  int inner = 0;
  for (int round = 0; round < 8; ++round) {
    const Made rows = made(random, 80, 2);
    Params params;
    params.max_depth = 4;
    if (round % 4 == 0) params.missing_policy = "surrogate";
    if (round % 4 == 1) params.column_costs = {{"a", 3.0}, {"c", 0.5}};
    if (round % 4 == 2) params.monotonic_cst = {{"a", 1.0}, {"o", -1.0}};
    if (round % 4 == 3) params.interaction_cst = {{"a", "b"}, {"c", "d", "o"}};
    if (round >= 4) params.criterion = "absolute_error";
    if (round == 7) params.missing_policy = "stop";
    const Model model = fit(rows.table, spec_for(rows, {"z"}, false), params);
    inner += expect_own_splits(model, rows, false, "round " + std::to_string(round));
  }
  EXPECT_GT(inner, 40);
}

TEST(Why, class_weights_and_priors_count) {
  RandomTrees random(test_seed() + 2);
  const Made rows = made(random, 80, 1);
  Params params;
  params.max_depth = 3;
  params.class_weight.balanced = true;
  EXPECT_GT(expect_own_splits(fit(rows.table, spec_for(rows, {"y"}, false), params), rows, false, "balanced"),
            2);
  params.class_weight.balanced = false;
  params.priors = {{"k0", 0.2}, {"k1", 0.3}, {"k2", 0.5}};
  EXPECT_GT(expect_own_splits(fit(rows.table, spec_for(rows, {"y"}, false), params), rows, false, "priors"),
            2);
}

TEST(Why, trees_of_id3_and_c45_show_their_own_splits_too) {
  RandomTrees random(test_seed() + 3);
  int inner = 0;
  for (int round = 0; round < 12; ++round) {
    const Made rows = made(random, 70, round % 3);
    Params params;
    params.algorithm = round % 4 == 3 ? "id3" : "c45";
    params.pruning = "none";
    params.collapse = params.algorithm == "id3";  // only c45 collapses
    params.max_depth = 4;
    if (round % 4 == 1) params.category_branches = "grouped";
    if (round % 4 >= 2) params.discretize = round % 8 >= 4 ? "mdl_node" : "mdl";
    const bool weighted = round % 2 == 1;
    const Model model = fit(rows.table, spec_for(rows, {"y"}, weighted), params);
    const Tree& tree = model.tree();
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      if (tree.n_rows(node) == 0) continue;
      const WhySplit why = why_split(model, rows.table, node, {.weight = weighted ? "w" : ""});
      EXPECT_EQ(why.here.n_rows, tree.n_rows(node));
      EXPECT_NEAR(why.here.weight, tree.weight(node), 1e-9);
      EXPECT_NEAR(why.here.impurity, tree.impurity(node), 1e-9);
      if (tree.is_leaf(node)) continue;
      ++inner;
      EXPECT_TRUE(why.agrees) << "round " << round << " node " << node << '\n' << to_text(why);
      EXPECT_NEAR(why.columns.front().best->gain, tree.gain(node), 1e-9);
      EXPECT_EQ(why.columns.front().branches.size(), tree.children(node).size());
    }
  }
  EXPECT_GT(inner, 60);
}

// Quinlan's weather (1986): the gain of outlook is 0.246, of 0.940 bits.
TEST(Why, the_gains_of_quinlans_example) {
  Table table = parse_table(
      "outlook,windy,play\nsunny,no,no\nsunny,yes,no\novercast,no,yes\nrain,no,yes\nrain,no,yes\nrain,yes,"
      "no\n"
      "overcast,yes,yes\nsunny,no,no\nsunny,no,yes\nrain,no,yes\nsunny,yes,yes\novercast,yes,yes\novercast,"
      "no,yes\n"
      "rain,yes,no\n");
  Params params;
  params.algorithm = "id3";
  const WhySplit why = why_split(fit(table, {.targets = {"play"}}, params), table, 0);
  ASSERT_EQ(why.columns.size(), 2U);
  EXPECT_EQ(why.columns[0].name, "outlook");
  EXPECT_NEAR(why.here.impurity, 0.940286, 1e-6);
  EXPECT_NEAR(why.columns[0].best->merit, 0.246750, 1e-6);
  EXPECT_NEAR(why.columns[1].best->merit, 0.048127, 1e-6);
  EXPECT_EQ(why.arithmetic.back(),
            "Information gain = 0.940286 - 4/14 * 0 - 5/14 * 0.970951 - 5/14 * 0.970951 = 0.24675");
}

// Six rows: x = 1 2 3 4 5 6 with classes a a a b b a.
Made six() {
  Made out;
  out.table.add("x", std::span<const double>(std::vector<double>{1, 2, 3, 4, 5, 6}));
  out.table.add("y", std::span<const std::string>(std::vector<std::string>{"a", "a", "a", "b", "b", "a"}));
  out.spec.targets = {"y"};
  return out;
}

TEST(Why, the_curve_and_the_arithmetic_are_those_of_the_textbook) {
  const Made rows = six();
  const Model model = fit(rows.table, rows.spec);
  const WhySplit why = why_split(model, rows.table, 0);
  ASSERT_EQ(why.columns.size(), 1U);
  const std::vector<WhyCut>& curve = why.columns[0].curve;
  ASSERT_EQ(curve.size(), 5U);
  // 1 - (4/6)^2 - (2/6)^2 = 4/9; at 3.5 the left side is pure and the right one has 1 - (1/3)^2 - (2/3)^2 =
  // 4/9.
  EXPECT_NEAR(why.here.impurity, 4.0 / 9.0, 1e-15);
  EXPECT_EQ(curve[2].threshold, 3.5);
  EXPECT_NEAR(curve[2].merit, 4.0 / 9.0 - 0.5 * 4.0 / 9.0, 1e-15);
  EXPECT_NEAR(curve[0].merit, 4.0 / 9.0 - 5.0 / 6.0 * (1 - 0.36 - 0.16), 1e-15);
  const std::vector<std::string> lines{
      "gini impurity = 1 - sum of p^2 over the class shares p.",
      "Node 0: 6 rows: a 4, b 2; gini = 1 - (0.666667^2 + 0.333333^2) = 0.444444",
      "x ≤ 3.5:",
      "  left:  3 rows: a 3; gini = 1 - (1^2) = 0",
      "  right: 3 rows: a 1, b 2; gini = 1 - (0.333333^2 + 0.666667^2) = 0.444444",
      "Decrease = 0.444444 - 3/6 * 0 - 3/6 * 0.444444 = 0.222222"};
  EXPECT_EQ(why.arithmetic, lines);
  const auto json = nlohmann::json::parse(to_json(why));
  EXPECT_EQ(json["columns"][0]["curve"].size(), 5U);
  EXPECT_EQ(json["test"], "x ≤ 3.5");
  EXPECT_NE(to_text(why).find("This is the split the tree uses."), std::string::npos);
}

TEST(Why, long_curves_keep_the_best_of_neighbours) {
  const Made rows = six();
  const Model model = fit(rows.table, rows.spec);
  const WhySplit all = why_split(model, rows.table, 0);
  const WhySplit few = why_split(model, rows.table, 0, {.most_points = 2});
  ASSERT_EQ(few.columns[0].curve.size(), 2U);
  EXPECT_EQ(few.columns[0].curve[0].threshold, 3.5);
  EXPECT_EQ(few.columns[0].curve[1].merit,
            std::max(all.columns[0].curve[3].merit, all.columns[0].curve[4].merit));
}

TEST(Why, a_leaf_shows_what_the_best_split_would_do) {
  const Made rows = six();
  Params params;
  params.max_depth = 1;
  const WhySplit why = why_split(fit(rows.table, rows.spec, params), rows.table, 2);
  EXPECT_TRUE(why.is_leaf);
  EXPECT_EQ(why.columns[0].test, "x ≤ 5.5");
}

TEST(Why, nodes_and_rows_that_do_not_exist_are_refused) {
  const Made rows = six();
  const Model model = fit(rows.table, rows.spec);
  EXPECT_THROW((void)why_split(model, rows.table, 99), Error);
  EXPECT_THROW((void)why_split(model, rows.table, 0, {.tree = 1}), Error);
  const std::vector<RowId> first{0, 1};
  EXPECT_THROW((void)why_split(model, rows.table.take(first), 2), Error);
}

}  // namespace
}  // namespace bough
