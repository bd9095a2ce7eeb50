// SPDX-License-Identifier: Apache-2.0
// The strength of shrinkage that folds choose is the one that growing every fold again for every strength would.
#include "model/shrinkage.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bough/model.hpp"
#include "bough/prune.hpp"

namespace bough {
namespace {

Table noisy_table() {
  std::mt19937 random(11);
  std::vector<double> x, z, fold;
  std::vector<std::string> y;
  for (int i = 0; i < 160; ++i) {
    x.push_back(static_cast<double>(random() % 40));
    z.push_back(static_cast<double>(random() % 40));
    const bool side = x.back() > 20 && z.back() < 30;
    y.emplace_back(random() % 4 == 0 ? "c" : side ? "a" : "b");
    fold.push_back(static_cast<double>(random() % 4));
  }
  Table table;
  table.add("x", x);
  table.add("z", z);
  table.add("fold", fold);
  table.add("y", y);
  return table;
}

// Mean log loss of every fold's rows by a model grown on the others; probabilities are clipped to the epsilon of doubles.
double log_loss(const Table& table, const Params& params) {
  double sum = 0.0;
  for (int fold = 0; fold < 4; ++fold) {
    std::vector<RowId> in, out;
    for (std::int64_t row = 0; row < table.n_rows(); ++row) {
      const std::string cell = cell_text(table.column(table.find("fold").value()), row);
      (std::stod(cell) == fold ? out : in).push_back(static_cast<RowId>(row));
    }
    FitSpec spec;
    spec.targets = {"y"};
    spec.ignored = {"fold"};
    const Model model = fit(table.take(in), spec, params);
    const Table rows = table.take(out);
    const std::vector<double> chances = model.predict_proba(rows);
    for (std::int64_t row = 0; row < rows.n_rows(); ++row) {
      const std::string truth = cell_text(rows.column(rows.find("y").value()), row);
      const double chance =
          chances[static_cast<std::size_t>(row) * 3 + static_cast<std::size_t>(truth[0] - 'a')];
      sum -= std::log(std::clamp(chance, 0x1p-52, 1.0 - 0x1p-52));
    }
  }
  return sum / static_cast<double>(table.n_rows());
}

void expect_the_lowest(Params params, const Table& table, const Model& model) {
  std::vector<double> losses;
  for (const double strength : kStrengths) {
    params.shrinkage = {false, strength};
    losses.push_back(log_loss(table, params));
  }
  const auto best = std::min_element(losses.begin(), losses.end()) - losses.begin();
  EXPECT_EQ(model.parts().extras.at("shrinkage").front(), kStrengths[static_cast<std::size_t>(best)]);
}

FitSpec given_four() {
  FitSpec spec;
  spec.targets = {"y"};
  spec.folds = {FoldSpec::Kind::given, "fold"};
  return spec;
}

TEST(Shrinkage, folds_choose_the_strength_that_growing_again_would) {
  const Table table = noisy_table();
  Params params;
  params.min_samples_leaf = Amount::count(2);
  params.shrinkage.cross_validated = true;
  const Model model = fit(table, given_four(), params);
  EXPECT_GT(model.parts().extras.at("shrinkage").front(), 0.0);
  expect_the_lowest(params, table, model);
}

TEST(Shrinkage, trees_of_folds_are_pruned_at_the_price_that_was_chosen) {
  const Table table = noisy_table();
  Params params;
  params.pruning = "cost_complexity";
  params.shrinkage.cross_validated = true;
  const Model model = fit(table, given_four(), params);
  const PruningTable& prices = model.parts().pruning_table.value();
  ASSERT_LT(prices.chosen + 1, prices.alphas.size());
  // Trees that are not pruned would choose another: the test before.
  params.ccp_alpha = std::sqrt(prices.alphas[prices.chosen] * prices.alphas[prices.chosen + 1]);
  expect_the_lowest(params, table, model);
}

TEST(Shrinkage, pruning_a_shrunken_model_is_shrinking_the_pruned_one) {
  const Table table = noisy_table();
  FitSpec spec = given_four();
  spec.folds = {};
  spec.ignored = {"fold"};
  Params params;
  params.shrinkage.strength = 8.0;
  const Model pruned = prune(fit(table, spec, params), 0.01);
  params.ccp_alpha = 0.01;
  EXPECT_EQ(pruned.tree(), fit(table, spec, params).tree());
}

// Whole numbers come back bit by bit, others within rounding.
TEST(Shrinkage, counted_trees_are_those_that_were_shrunken) {
  const Table table = noisy_table();
  FitSpec spec;
  spec.targets = {"y"};
  for (const double strength : {0.1, 7.0, 1000.0, 1e6}) {
    Params params;
    const Tree plain = fit(table, spec, params).tree();
    params.shrinkage = {.strength = strength};
    const Model shrunken = fit(table, spec, params);
    EXPECT_FALSE(shrunken.tree() == plain);
    EXPECT_TRUE(counted_tree(shrunken) == plain) << strength;
    params.class_weight.by_name = {{"a", 0.3}, {"b", 1.7}, {"c", 1.0}};
    const Model weighted = fit(table, spec, params);
    params.shrinkage = {};
    const Tree other = fit(table, spec, params).tree(), counted = counted_tree(weighted);
    std::vector<double> own(3), back(3);
    for (NodeId node = 0; node < other.n_nodes(); ++node) {
      other.values(node, own);
      counted.values(node, back);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(back[c], own[c], 1e-8) << strength << " " << node;
    }
  }
}

TEST(Shrinkage, counted_means_are_those_that_were_shrunken) {
  const Table table = noisy_table();
  FitSpec spec;
  spec.targets = {"z"};
  spec.ignored = {"y"};
  Params params;
  const Tree plain = fit(table, spec, params).tree();
  params.shrinkage = {.strength = 50.0};
  const Tree counted = counted_tree(fit(table, spec, params));
  std::vector<double> own(1), back(1);
  for (NodeId node = 0; node < plain.n_nodes(); ++node) {
    plain.values(node, own);
    counted.values(node, back);
    EXPECT_NEAR(back[0], own[0], 1e-10);
  }
}

}  // namespace
}  // namespace bough
