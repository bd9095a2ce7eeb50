// SPDX-License-Identifier: Apache-2.0
// Trees with a treatment through the public API: arithmetic, roles, refusals, files, threads, intervals.
#include "bough/causal.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bough/inference.hpp"

namespace bough {
namespace {

// x = 0: effect 10 - 2 = 8 from (9, 11) against (1, 3); x = 1: effect 1 from (5, 7) against (4, 6).
struct Small {
  std::vector<double> x{0, 0, 0, 0, 1, 1, 1, 1};
  std::vector<double> y{9, 11, 1, 3, 5, 7, 4, 6};
  std::vector<double> t{1, 1, 0, 0, 1, 1, 0, 0};
  std::vector<double> w;
  [[nodiscard]] Table table() const {
    Table table;
    table.add("x", x);
    table.add("y", y);
    table.add("t", t);
    if (!w.empty()) table.add("w", w);
    return table;
  }
  [[nodiscard]] FitSpec spec() const {
    FitSpec spec;
    spec.targets = {"y"};
    spec.treatment = "t";
    if (!w.empty()) spec.weight = "w";
    return spec;
  }
};

Params small_params() {
  Params params;
  params.min_samples_arm = 2;
  return params;
}

double extra(const Model& model, const char* name, NodeId node) {
  return model.tree().extras().at(name)[static_cast<std::size_t>(node)];
}

TEST(Causal, leaves_answer_with_the_difference_of_the_arms) {
  const Small small;
  const Model model = fit(small.table(), small.spec(), small_params());
  ASSERT_EQ(model.tree().n_nodes(), 3);
  EXPECT_EQ(model.predict(small.table()), (std::vector<double>{8, 8, 8, 8, 1, 1, 1, 1}));
  EXPECT_EQ(model.parts().treatment.fields.front().name, "t");
  EXPECT_FALSE(model.features().find("t").has_value());
  // All rows: (9 + 11 + 5 + 7) / 4 - (1 + 3 + 4 + 6) / 4 = 4.5. The gain is 4 * 64 + 4 * 1 - 8 * 4.5^2 = 98.
  EXPECT_DOUBLE_EQ(model.tree().gain(0), 98.0);
  EXPECT_DOUBLE_EQ(extra(model, "treated_mean", 0), 8.0);
  EXPECT_DOUBLE_EQ(extra(model, "control_mean", 0), 3.5);
  EXPECT_DOUBLE_EQ(extra(model, "treated_rows", 1), 2.0);
  EXPECT_DOUBLE_EQ(extra(model, "treated_variance", 1), 2.0);  // (9 - 10)^2 + (11 - 10)^2 over 2 - 1
  EXPECT_DOUBLE_EQ(extra(model, "treated_error", 1), 1.0);     // sqrt(2 / 2)
  const Effects all = effects(model, small.table());
  EXPECT_EQ(all.treated_mean.front(), 10.0);
  EXPECT_EQ(all.control_mean.front(), 2.0);
}

TEST(Causal, both_arms_must_be_on_both_sides) {
  const Small small;
  Params params = small_params();
  params.min_samples_arm = 3;
  EXPECT_EQ(fit(small.table(), small.spec(), params).tree().n_nodes(), 1);
}

TEST(Causal, a_propensity_tree_does_not_look_at_the_target) {
  Small small;
  small.x = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  small.t = {1, 1, 1, 1, 0, 0, 0, 0, 0, 1};
  small.y = {4, 4, 4, 4, 1, 2, 2, 2, 2, 7};
  Params params;
  params.causal_split = "propensity";
  params.min_samples_arm = 1;
  const Model model = fit(small.table(), small.spec(), params);
  ASSERT_EQ(model.tree().n_nodes(), 3);
  // Gini of the treatment: 0.5 in all, 0.32 in both leaves; 10 rows gain 1.8.
  EXPECT_DOUBLE_EQ(model.tree().gain(0), 1.8);
  EXPECT_DOUBLE_EQ(model.tree().impurity(1), 0.32);
  EXPECT_EQ(model.predict(small.table()).front(), 3.0);
  EXPECT_EQ(model.predict(small.table()).back(), 5.0);
  std::reverse(small.y.begin(), small.y.end());
  EXPECT_EQ(fit(small.table(), small.spec(), params).tree().threshold(0), model.tree().threshold(0));
}

TEST(Causal, weights_are_in_means_and_a_weight_of_zero_leaves_a_row_out) {
  Small small;
  small.w = {3, 1, 1, 1, 1, 1, 1, 1};
  const Model model = fit(small.table(), small.spec(), small_params());
  EXPECT_DOUBLE_EQ(model.predict(small.table()).front(), (27.0 + 11.0) / 4.0 - 2.0);
  // Weighted mean 9.5: sum of w^2 (y - mean)^2 = 9 * 0.25 + 2.25 = 4.5, times 2 / (2 - 1), over 4^2.
  EXPECT_DOUBLE_EQ(extra(model, "treated_error", 1), std::sqrt(4.5 * 2.0) / 4.0);
  small.w = {0, 0, 1, 1, 0, 0, 1, 1};
  EXPECT_THROW(fit(small.table(), small.spec(), small_params()), Error);
}

std::string refusal(const Small& small, const Params& params, const FitSpec& spec) {
  try {
    fit(small.table(), spec, params);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Causal, treatments_that_are_not_binary_are_named) {
  Small small;
  small.t = {0, 1, 2, 0, 1, 2, 0, 1};
  EXPECT_EQ(refusal(small, small_params(), small.spec()),
            "the treatment 't' must have two values, but has 3: 0, 1, 2");
  small.t.assign(8, 1);
  EXPECT_EQ(refusal(small, small_params(), small.spec()), "the treatment 't' is 1 in every row");
  small.t = Small().t;
  small.t[3] = std::nan("");
  EXPECT_EQ(refusal(small, small_params(), small.spec()),
            "the treatment 't' is missing in 1 of 8 rows, first in row 4");
  small = Small();
  FitSpec spec = small.spec();
  spec.treatment = "tt";
  EXPECT_NE(refusal(small, small_params(), spec).find("'tt' to use as treatment"), std::string::npos);
  spec.treatment = "y";
  EXPECT_NE(refusal(small, small_params(), spec).find("both target and treatment"), std::string::npos);
}

TEST(Causal, what_does_not_go_with_a_treatment_is_named) {
  const Small small;
  const auto with = [&](auto change) {
    Params params = small_params();
    change(params);
    return refusal(small, params, small.spec());
  };
  EXPECT_NE(with([](Params& p) { p.criterion = "poisson"; }).find("criterion=poisson"), std::string::npos);
  EXPECT_NE(with([](Params& p) { p.task = "classification"; }).find("classification"), std::string::npos);
  EXPECT_NE(with([](Params& p) { p.pruning = "reduced_error"; }).find("pruning=reduced_error"),
            std::string::npos);
  EXPECT_NE(
      with([](Params& p) { p.pruning = "cost_complexity"; }).find("pruning=cost_complexity with ccp_alpha=0"),
      std::string::npos);
  EXPECT_NE(with([](Params& p) { p.missing_policy = "surrogate"; }).find("surrogate"), std::string::npos);
  EXPECT_NE(with([](Params& p) { p.monotonic_cst = {{"x", 1.0}}; }).find("monotonic_cst"), std::string::npos);
  EXPECT_NE(with([](Params& p) {
              p.honest = true;
              p.honest_fraction = 0.1;
            }).find("the arm '0' of the treatment 't' has 4 rows, of which honest_fraction=0.1 leaves none"),
            std::string::npos);
}

TEST(Causal, labels_and_booleans_may_say_who_was_treated) {
  const Small small;
  Table table;
  table.add("x", small.x);
  table.add("y", small.y);
  table.add("t", std::vector<std::string>{"new", "new", "old", "old", "new", "new", "old", "old"});
  const Model model = fit(table, small.spec(), small_params());
  EXPECT_EQ(model.predict(small.table()).front(), -8.0);  // "old" is the second
  EXPECT_EQ(model.parts().treatment.fields.front().levels.names, (std::vector<std::string>{"new", "old"}));
  FitSpec spec = small.spec();
  ColumnSpec order;
  order.name = "t";
  order.kind = Kind::ordinal;
  order.order = {"old", "new"};
  spec.columns.push_back(order);
  EXPECT_EQ(fit(table, spec, small_params()).predict(small.table()).front(), 8.0);
}

// A larger table: numbers with gaps, a category; the effect is 2 where x > 0.5, else 0.
struct Large {
  std::vector<double> x, z, y, t;
  std::vector<std::string> town;
  explicit Large(std::size_t n) {
    std::mt19937_64 engine(11);
    const auto unit = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
    for (std::size_t i = 0; i < n; ++i) {
      x.push_back(engine() % 20 == 0 ? std::nan("") : unit());
      z.push_back(unit());
      town.push_back(fmt::format("t{}", engine() % 14));
      t.push_back(engine() % 2 == 0 ? 1.0 : 0.0);
      y.push_back(z.back() + (x.back() > 0.5 ? 2.0 * t.back() : 0.0) + unit());
    }
  }
  [[nodiscard]] Table table() const {
    Table table;
    table.add("x", x);
    table.add("z", z);
    table.add("town", town);
    table.add("y", y);
    table.add("t", t);
    return table;
  }
};

Params honest_params() {
  Params params;
  params.honest = true;
  params.max_depth = 3;
  params.min_samples_arm = 20;
  return params;
}

TEST(Causal, an_honest_tree_finds_where_the_effect_is_and_survives_files) {
  const Large large(3000);
  const Model model = fit(large.table(), Small().spec(), honest_params());
  EXPECT_EQ(model.features().fields[static_cast<std::size_t>(model.tree().column(0))].name, "x");
  EXPECT_NEAR(model.tree().threshold(0), 0.5, 0.05);
  const auto bytes = Model::from_bytes(model.to_bytes());
  const auto text = Model::from_json(model.to_json());
  for (const Model* other : {&bytes, &text}) {
    EXPECT_EQ(other->tree(), model.tree());
    EXPECT_EQ(other->parts().treatment, model.parts().treatment);
    EXPECT_EQ(effect_intervals(*other, large.table()).low, effect_intervals(model, large.table()).low);
  }
}

TEST(Causal, threads_change_no_byte) {
  const Large large(2500);
  Execution one, four;
  one.threads = 1;
  four.threads = 4;
  Params params = honest_params();
  EXPECT_EQ(fit(large.table(), Small().spec(), params, one).to_bytes(),
            fit(large.table(), Small().spec(), params, four).to_bytes());
  params.forest = 6;
  params.max_features = Amount::count(2);
  const Model forest = fit(large.table(), Small().spec(), params, one);
  EXPECT_EQ(forest.to_bytes(), fit(large.table(), Small().spec(), params, four).to_bytes());
  EXPECT_EQ(forest.trees().size(), 6U);
  EXPECT_EQ(effects(forest, large.table()).effect, forest.predict(large.table()));
}

TEST(Causal, a_forest_knows_its_errors_by_little_bags) {
  const Large large(800);
  Params params = honest_params();
  params.forest = 40;
  const Table table = large.table();
  EXPECT_THROW(static_cast<void>(effect_intervals(fit(table, Small().spec(), params), table)), Error);
  params.little_bags = 2;
  const Model forest = fit(table, Small().spec(), params);
  const EffectIntervals found = effect_intervals(forest, table, 0.9);
  const std::vector<double> effect = forest.predict(table);
  for (std::size_t i = 0; i < effect.size(); ++i) {
    ASSERT_GT(found.standard_error[i], 0.0);
    ASSERT_NEAR(found.high[i] - effect[i], 1.6448536269514722 * found.standard_error[i], 1e-12);
    ASSERT_NEAR(effect[i] - found.low[i], 1.6448536269514722 * found.standard_error[i], 1e-12);
  }
}

TEST(Causal, an_interval_is_welchs) {
  const Large large(1200);
  Params params = honest_params();
  params.max_depth = 1;
  const Model model = fit(large.table(), Small().spec(), params);
  const EffectIntervals found = effect_intervals(model, large.table(), 0.9);
  const std::vector<double> effect = model.predict(large.table());
  const auto leaf = model.apply(large.table()).front();
  const double a = std::pow(extra(model, "treated_error", leaf), 2),
               b = std::pow(extra(model, "control_error", leaf), 2);
  EXPECT_DOUBLE_EQ(found.standard_error.front(), std::sqrt(a + b));
  EXPECT_NEAR(effect.front() - found.low.front(), found.high.front() - effect.front(), 1e-12);
  // Hundreds of degrees of freedom: close to the normal 1.6449.
  EXPECT_NEAR((found.high.front() - effect.front()) / std::sqrt(a + b), 1.6449, 0.02);
  EXPECT_THROW(effect_intervals(model, large.table(), 1.0), Error);
  params.honest = false;
  EXPECT_THROW(effect_intervals(fit(large.table(), Small().spec(), params), large.table()), Error);
}

TEST(Causal, a_leaf_without_an_arm_answers_as_the_nearest_node_above_or_is_pruned) {
  // Few honest rows: some leaves of a deep tree lack an arm among them.
  const Large large(400);
  Params params = honest_params();
  params.max_depth = 6;
  params.min_samples_arm = 2;
  params.honest_fraction = 0.15;
  const Model model = fit(large.table(), Small().spec(), params);
  const Tree& tree = model.tree();
  const std::vector<NodeId> parents = tree.parents();
  int fallen = 0;
  for (NodeId node = 1; node < tree.n_nodes(); ++node) {
    double own = 0.0, above = 0.0;
    tree.values(node, std::span(&own, 1));
    tree.values(parents[static_cast<std::size_t>(node)], std::span(&above, 1));
    EXPECT_GE(std::min(extra(model, "treated_rows", node), extra(model, "control_rows", node)), 2.0);
    const bool fell = extra(model, "treated_rows", node) + extra(model, "control_rows", node) !=
                      static_cast<double>(tree.n_rows(node));
    if (fell) EXPECT_EQ(own, above);
    fallen += fell ? 1 : 0;
  }
  EXPECT_GT(fallen, 0);
  params.honest_method = "prune";
  const Model pruned = fit(large.table(), Small().spec(), params);
  EXPECT_LT(pruned.tree().n_nodes(), tree.n_nodes());
  for (NodeId node = 0; node < pruned.tree().n_nodes(); ++node)
    EXPECT_EQ(extra(pruned, "treated_rows", node) + extra(pruned, "control_rows", node),
              static_cast<double>(pruned.tree().n_rows(node)));
}

TEST(Causal, a_price_of_leaves_cuts_by_what_splits_gain) {
  const Large large(1000);
  Params params;
  params.min_samples_arm = 30;
  const Model whole = fit(large.table(), Small().spec(), params);
  params.ccp_alpha = 0.3;
  const Model cut = fit(large.table(), Small().spec(), params);
  EXPECT_LT(cut.tree().n_leaves(), whole.tree().n_leaves());
  EXPECT_GT(cut.tree().n_leaves(), 1);
  EXPECT_EQ(cut.tree().threshold(0), whole.tree().threshold(0));
}

TEST(Causal, answers_that_rows_would_have_to_know_are_refused) {
  const Small small;
  const Model model = fit(small.table(), small.spec(), small_params());
  EXPECT_THROW(evaluate(model, small.table()), Error);
  FitSpec plain;
  plain.targets = {"y"};
  plain.ignored = {"t"};
  Params params;
  params.task = "regression";
  EXPECT_THROW(effects(fit(small.table(), plain, params), small.table()), Error);
}

}  // namespace
}  // namespace bough
