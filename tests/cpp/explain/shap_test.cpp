// SPDX-License-Identifier: Apache-2.0
// Shapley values against their definition: the sum over all coalitions of columns.
#include "bough/shap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "explain/quadrature.hpp"
#include "explain/random_models.hpp"
#include "predict/answer.hpp"
#include "predict/route.hpp"

namespace bough {
namespace {

using namespace bough::testing;
using Numbers = std::vector<double>;

// What a tree answers at a node, one number per output.
Numbers node_answer(const Model& model, const Tree& tree, NodeId node) {
  Numbers out(tree.value_width());
  tree.values(node, out);
  if (model.params().leaf_probability == "laplace" && model.task() == Task::classification)
    for (double& value : out) value += 1.0;
  normalise_outputs(tree, out);
  if (model.parts().combine != Combine::vote) return out;
  std::size_t at = 0;
  for (const std::uint32_t width : tree.output_widths()) {
    const std::size_t vote = largest(std::span(out).subspan(at, width));
    for (std::size_t c = 0; c < width; ++c) out[at + c] = c == vote ? 1.0 : 0.0;
    at += width;
  }
  return out;
}

// Path-dependent: unknown columns send the row everywhere by share.
Numbers known_answer(const Model& model, const Tree& tree, NodeId node, const Numbers& row, unsigned known) {
  if (tree.is_leaf(node)) return node_answer(model, tree, node);
  std::int32_t way = missing_by_share;
  if ((known >> tree.column(node) & 1U) != 0)
    way = route(tree, node, [&](ColId column) { return row[static_cast<std::size_t>(column)]; });
  if (way == missing_stops) return node_answer(model, tree, node);
  Numbers out(tree.value_width(), 0.0);
  for (std::size_t c = 0; c < tree.children(node).size(); ++c) {
    const double share = way == missing_by_share               ? tree.child_shares(node)[c]
                         : way == static_cast<std::int32_t>(c) ? 1.0
                                                               : 0.0;
    if (share == 0.0) continue;
    const Numbers below = known_answer(model, tree, tree.children(node)[c], row, known);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += share * below[i];
  }
  return out;
}

Numbers mean_of_trees(const Model& model, const std::function<Numbers(const Tree&)>& answer) {
  Numbers out(model.tree().value_width(), 0.0);
  for (const Tree& tree : model.trees()) {
    const Numbers one = answer(tree);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += one[i] / static_cast<double>(model.trees().size());
  }
  return out;
}

// Shapley values of a game over `n` columns whose outcome is a vector.
std::vector<Numbers> shapley(std::size_t n, const std::function<Numbers(unsigned)>& game) {
  std::vector<Numbers> outcomes;
  for (unsigned known = 0; known < 1U << n; ++known) outcomes.push_back(game(known));
  const auto factorial = [](std::size_t k) { return std::tgamma(static_cast<double>(k) + 1.0); };
  std::vector<Numbers> out(n, Numbers(outcomes[0].size(), 0.0));
  for (std::size_t j = 0; j < n; ++j)
    for (unsigned known = 0; known < 1U << n; ++known) {
      if ((known >> j & 1U) != 0) continue;
      const auto size = static_cast<std::size_t>(__builtin_popcount(known));
      const double weight = factorial(size) * factorial(n - size - 1) / factorial(n);
      for (std::size_t i = 0; i < out[j].size(); ++i)
        out[j][i] += weight * (outcomes[known | 1U << j][i] - outcomes[known][i]);
    }
  return out;
}

void expect_values(const ShapValues& shap, std::int64_t row, const std::vector<Numbers>& wanted,
                   const std::string& what) {
  for (std::size_t j = 0; j < wanted.size(); ++j)
    for (std::size_t o = 0; o < wanted[j].size(); ++o)
      EXPECT_NEAR(shap.at(row, j, o), wanted[j][o], 1e-12) << what << " row " << row << " column " << j;
}

struct Case {
  RandomShape shape;
  std::size_t n_trees = 1;
  Combine combine = Combine::single;
};

std::vector<Case> cases() {
  return {{{}, 1, Combine::single},
          {{.parts = true, .stops = true}, 1, Combine::single},
          {{.task = Task::regression, .widths = {1}}, 1, Combine::single},
          {{.task = Task::regression, .widths = {1, 1}, .depth = 6, .parts = true}, 3, Combine::mean},
          {{.widths = {2, 3}, .stops = true}, 4, Combine::mean},
          {{.stops = true}, 5, Combine::vote}};
}

TEST(Shap, path_dependent_values_are_the_sum_over_all_coalitions) {
  RandomTrees random(test_seed());
  for (int round = 0; round < 24; ++round) {
    const Case one = cases()[static_cast<std::size_t>(round) % cases().size()];
    const Model model = random.model(one.shape, one.n_trees, one.combine);
    std::vector<Numbers> rows;
    for (int i = 0; i < 5; ++i) rows.push_back(random.row(2));
    const ShapValues shap = shap_values(model, table_of_cells(rows));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto game = [&](unsigned known) {
        return mean_of_trees(model,
                             [&](const Tree& tree) { return known_answer(model, tree, 0, rows[i], known); });
      };
      expect_values(shap, static_cast<std::int64_t>(i), shapley(rows[i].size(), game),
                    "round " + std::to_string(round));
      const Numbers nothing = game(0);
      for (std::size_t o = 0; o < nothing.size(); ++o) EXPECT_NEAR(shap.expected[o], nothing[o], 1e-12);
    }
  }
}

TEST(Shap, interventional_values_are_the_sum_over_all_coalitions_and_background_rows) {
  RandomTrees random(test_seed() + 1);
  for (int round = 0; round < 18; ++round) {
    const Case one = cases()[static_cast<std::size_t>(round) % cases().size()];
    const Model model = random.model(one.shape, one.n_trees, one.combine);
    std::vector<Numbers> rows, background;
    for (int i = 0; i < 4; ++i) rows.push_back(random.row(2));
    for (int i = 0; i < 3; ++i) background.push_back(random.row(2));
    const Table others = table_of_cells(background);
    const ShapValues shap = shap_values(model, table_of_cells(rows), {.background = &others});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto game = [&](unsigned known) {
        Numbers sum(model.tree().value_width(), 0.0);
        for (const Numbers& other : background) {
          Numbers mixed = other;
          for (std::size_t j = 0; j < mixed.size(); ++j)
            if ((known >> j & 1U) != 0) mixed[j] = rows[i][j];
          const Numbers answer = mean_of_trees(model, [&](const Tree& tree) {
            return known_answer(model, tree, 0, mixed, (1U << mixed.size()) - 1);
          });
          for (std::size_t o = 0; o < sum.size(); ++o)
            sum[o] += answer[o] / static_cast<double>(background.size());
        }
        return sum;
      };
      expect_values(shap, static_cast<std::int64_t>(i), shapley(rows[i].size(), game),
                    "round " + std::to_string(round));
      const Numbers nothing = game(0);
      for (std::size_t o = 0; o < nothing.size(); ++o) EXPECT_NEAR(shap.expected[o], nothing[o], 1e-12);
    }
  }
}

TEST(Shap, values_and_expectation_add_up_to_what_the_model_predicts) {
  RandomTrees random(test_seed() + 2);
  const Model model = random.model({.depth = 7, .parts = true}, 6, Combine::mean);
  std::vector<Numbers> rows;
  for (int i = 0; i < 20; ++i) rows.push_back(random.row(2));
  const Table table = table_of_cells(rows);
  const ShapValues shap = shap_values(model, table);
  const std::vector<double> chances = model.predict_proba(table);
  for (std::int64_t i = 0; i < shap.n_rows; ++i)
    for (std::size_t o = 0; o < 3; ++o) {
      double sum = shap.expected[o];
      for (std::size_t j = 0; j < shap.n_columns; ++j) sum += shap.at(i, j, o);
      EXPECT_NEAR(sum, chances[static_cast<std::size_t>(i) * 3 + o], 1e-13);
    }
  ASSERT_EQ(shap.outputs.size(), 3U);
  EXPECT_EQ(shap.outputs[1].label, "k1");
}

TEST(Shap, the_same_bits_for_any_number_of_threads) {
  RandomTrees random(test_seed() + 3);
  const Model model = random.model({.depth = 6}, 4, Combine::mean);
  std::vector<Numbers> rows;
  for (int i = 0; i < 60; ++i) rows.push_back(random.row(1));
  const Table table = table_of_cells(rows);
  EXPECT_EQ(shap_values(model, table, {}, {1, {}}).values, shap_values(model, table, {}, {2, {}}).values);
  const ShapSpec spec{.background = &table};
  EXPECT_EQ(shap_values(model, table, spec, {1, {}}).values, shap_values(model, table, spec, {2, {}}).values);
}

TEST(Shap, a_deep_chain_of_many_columns_still_adds_up) {
  // 200 columns, each tested once on the way: 100 points of quadrature.
  const int n = 200;
  TreeBuilder builder(Task::regression, {1});
  std::vector<Field> fields;
  auto node = builder.root();
  builder.set_stats(node, stats({0.0}, n + 1));
  for (int i = 0; i < n; ++i) {
    fields.push_back(numeric(numbered("x", static_cast<std::size_t>(i))));
    const auto first = builder.split(node, numeric_split(i, 0.5), 2);
    builder.set_stats(first, stats({static_cast<double>(i)}, 1));
    builder.set_stats(first + 1, stats({0.0}, n - i));
    node = first + 1;
  }
  Model::Parts parts = number_parts(fields, number_target("y"));
  parts.trees.push_back(std::move(builder).finish());
  const Model model(std::move(parts));
  Table table;
  for (int i = 0; i < n; ++i)
    table.add(fields[static_cast<std::size_t>(i)].name,
              std::span<const double>(std::vector<double>{i == 150 ? 0.0 : 1.0}));
  const ShapValues shap = shap_values(model, table);
  double sum = shap.expected[0];
  for (std::size_t j = 0; j < shap.n_columns; ++j) sum += shap.at(0, j, 0);
  EXPECT_NEAR(sum, 150.0, 1e-10);
}

TEST(Shap, quadrature_is_exact_for_polynomials) {
  for (const std::size_t n : {1U, 2U, 5U, 20U, 300U}) {
    const Quadrature rule = gauss_legendre(n);
    for (std::size_t degree = 0; degree < 2 * n; degree += 1 + n / 3) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k)
        sum += rule.weights[k] * std::pow(rule.points[k], static_cast<double>(degree));
      EXPECT_NEAR(sum * static_cast<double>(degree + 1), 1.0, 1e-11) << n << ' ' << degree;
    }
  }
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code() == ErrorCode::not_supported ? error.what() : "";
  }
  return "";
}

TEST(Shap, what_is_not_exact_is_refused_by_name) {
  Table x;
  x.add("x", std::span<const double>(std::vector<double>{1.0}));
  EXPECT_NE(refusal([&] { (void)shap_values(chain(2001), x); }).find("tree 0 is 2001 deep"),
            std::string::npos);
  EXPECT_EQ(shap_values(chain(2000), x).values.size(), 1U);

  Split oblique;
  oblique.kind = NodeKind::oblique;
  oblique.terms = {{0, 1.0}, {1, 2.0}};
  oblique.threshold = 0.5;
  Table two;
  two.add("a", std::span<const double>(std::vector<double>{1.0}));
  two.add("b", std::span<const double>(std::vector<double>{1.0}));
  EXPECT_NE(refusal([&] {
              (void)shap_values(one_split({numeric("a"), numeric("b")}, oblique), two);
            }).find("node 0"),
            std::string::npos);

  RandomTrees random(5);
  const Model model = random.model({.depth = 5, .surrogates = true}, 3, Combine::mean);
  Numbers known = random.row(0);
  EXPECT_EQ(shap_values(model, table_of_cells({known})).values.size(), 15U);
  Numbers gaps(5, std::numeric_limits<double>::quiet_NaN());
  EXPECT_NE(refusal([&] {
              (void)shap_values(model, table_of_cells({known, gaps}));
            }).find("row 1"),
            std::string::npos);
}

TEST(Shap, votes_of_rows_in_parts_are_refused) {
  Split parts = numeric_split(0, 2.5, missing_by_share);
  Model::Parts made = one_split({numeric("n")}, parts).parts();
  made.trees.push_back(made.trees.front());
  made.combine = Combine::vote;
  Table gap;
  gap.add("n", std::span<const double>(std::vector<double>{1.0, std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_NE(refusal([&] { (void)shap_values(Model(made), gap); }).find("before the tree votes"),
            std::string::npos);
  made.combine = Combine::mean;
  EXPECT_EQ(shap_values(Model(made), gap).values.size(), 4U);
}

TEST(Shap, json_names_columns_and_outputs) {
  RandomTrees random(9);
  const Model model = random.model({});
  const auto json =
      nlohmann::json::parse(to_json(model, shap_values(model, table_of_cells({random.row(0)}))));
  EXPECT_EQ(json["columns"][3], "c3");
  EXPECT_EQ(json["outputs"][2]["class"], "k2");
  EXPECT_EQ(json["rows"][0].size(), 5U);
  EXPECT_EQ(json["rows"][0][0].size(), 3U);
}

}  // namespace
}  // namespace bough
