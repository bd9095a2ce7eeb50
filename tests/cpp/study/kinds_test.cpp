// SPDX-License-Identifier: Apache-2.0
// Every study with every way to grow and prune: the model's own tree comes back, and threads change nothing.
#include <gtest/gtest.h>

#include "bough/significance.hpp"
#include "study/support.hpp"

namespace bough {
namespace {

using namespace bough::testing;

const Execution kOne{.threads = 1, .progress = {}};
const Execution kTwo{.threads = 2, .progress = {}};

// Parameters as the command line reads them.
using Words = std::vector<std::pair<std::string, std::string>>;

Params params_of(const Words& words) {
  Params params;
  for (const auto& [name, text] : words) set_param(params, name, text);
  return params;
}

void expect_studied(const Table& table, const FitSpec& spec, const Params& params, const std::string& what) {
  SCOPED_TRACE(what);
  const Model model = fit(table, spec, params);
  RefitOptions refit{spec.weight, spec.folds};
  StabilityOptions bootstrap{.repeats = 4, .seed = 1, .max_depth = -1, .refit = refit};
  const Stability stable = stability(model, table, bootstrap, kOne);
  EXPECT_TRUE(stable.reproduced);
  EXPECT_EQ(stable.repeats + stable.failed, 4);
  EXPECT_EQ(to_json(stable), to_json(stability(model, table, bootstrap, kTwo)));
  EXPECT_FALSE(to_text(stable).empty());
  const LeaveOneOut left = leave_one_out(model, table, {.most_models = 2, .refit = refit}, kOne);
  EXPECT_TRUE(left.reproduced);
  EXPECT_EQ(to_json(left), to_json(leave_one_out(model, table, {.most_models = 2, .refit = refit}, kTwo)));
  PermutationOptions shuffles;
  shuffles.repeats = 3;
  shuffles.folds = 2;
  shuffles.refit = refit;
  EXPECT_GE(permutation_test(model, table, shuffles).p, 0.25);
  if (params.algorithm == "cart") {
    const SplitPermutations splits = permutation_test_splits(model, table, shuffles);
    EXPECT_TRUE(splits.reproduced);
    for (const SplitPermutation& node : splits.nodes) EXPECT_GE(node.p, 0.25);
  }
  CompareOptions options;
  options.splits = 2;
  options.refit = refit;
  const Comparison same = compare(model, model, table, options, &table);
  EXPECT_TRUE(same.same_tests);
  EXPECT_TRUE(same.params.empty());
  EXPECT_EQ(same.resampled->test.p, 1.0);
  for (const OutputComparison& output : same.outputs) EXPECT_EQ(output.agree, table.n_rows());
  EXPECT_FALSE(to_text(same).empty());
}

TEST(Kinds, classes_by_every_way_to_grow_and_prune) {
  const Table table = mixed(40, 21);
  for (const Words& words :
       std::vector<Words>{{{"criterion", "entropy"}, {"max_depth", "3"}},
                          {{"criterion", "hellinger"}, {"min_samples_leaf", "0.1"}},
                          {{"algorithm", "c45"}},
                          {{"algorithm", "c45"}, {"category_branches", "grouped"}, {"j48", "true"}},
                          {{"algorithm", "id3"}, {"discretize", "mdl_node"}},
                          {{"missing_policy", "surrogate"}, {"competitors", "2"}, {"cp", "0.01"}},
                          {{"missing_policy", "stop"}},
                          {{"splitter", "random"}, {"max_features", "2"}, {"seed", "5"}},
                          {{"splitter", "hist"}},
                          {{"category_split", "equality"}, {"max_leaf_nodes", "5"}},
                          {{"class_weight", "balanced"}},
                          {{"class_weight", "yes=3"}},
                          {{"priors", "no=0.3,yes=0.7"}},
                          {{"loss_matrix", "0,1;5,0"}},
                          {{"monotonic_cst", "a=1"}, {"interaction_cst", "a,b;c,colour"}},
                          {{"pruning", "cost_complexity"}, {"pruning_folds", "3"}},
                          {{"pruning", "reduced_error"}},
                          {{"pruning", "pessimistic"}},
                          {{"pruning", "mdl"}},
                          {{"min_samples_split", "1000"}}}) {
    std::string what;
    for (const auto& [name, text] : words) what += name + "=" + text + " ";
    expect_studied(table, target("y"), params_of(words), what);
  }
}

TEST(Kinds, numbers_by_every_criterion) {
  const Table table = mixed(40, 22, true, false);
  for (const char* criterion : {"squared_error", "absolute_error", "poisson", "quantile"})
    expect_studied(table, target("y"), params_of({{"criterion", criterion}, {"max_depth", "3"}}), criterion);
}

TEST(Kinds, several_targets_and_weights) {
  const Table table = mixed(40, 23);
  FitSpec spec;
  spec.targets = {"y", "colour"};
  spec.weight = "b";
  expect_studied(table, spec, depth(3), "two classes by b");
}

TEST(Kinds, columns_in_another_order_with_others_between_give_the_same_tree) {
  const Table table = mixed(60, 24);
  const Model model = fit(table, target("y"), depth(4));
  Table turned;
  turned.hold(std::make_shared<const Table>(table));
  for (std::size_t i = table.n_columns(); i-- > 0;) {
    turned.view(table.name(i), std::get<ColumnView>(table.column(i)));
    turned.add("noise" + std::to_string(i), std::vector<double>(60, static_cast<double>(i)));
  }
  EXPECT_EQ(refit(model, turned).tree(), model.tree());
}

}  // namespace
}  // namespace bough
