// SPDX-License-Identifier: Apache-2.0
// What blocks do not support, and blocks that do not fit together, are refused by name.
#include "scale/plan_cases.hpp"

namespace bough {
namespace {

struct Refusal {
  const char* param;
  const char* value;
  const char* words;
};

TEST(Plan, what_blocks_do_not_know_is_refused_by_name) {
  const Refusal all[] = {
      {"criterion", "absolute_error", "criterion=absolute_error"},
      {"criterion", "quantile", "criterion=quantile"},
      {"criterion", "gain_ratio", "criterion=gain_ratio"},
      {"algorithm", "c45", "algorithm=c45"},
      {"algorithm", "id3", "algorithm=id3"},
      {"splitter", "hist", "splitter=hist"},
      {"splitter", "random", "splitter=random"},
      {"missing_policy", "surrogate", "missing_policy=surrogate"},
      {"missing_policy", "stop", "missing_policy=stop"},
      {"competitors", "3", "competitors"},
      {"column_costs", "x=2", "column_costs"},
      {"cp", "0.01", "cp"},
      {"oblique", "true", "oblique"},
      {"max_leaf_nodes", "8", "max_leaf_nodes"},
      {"search", "anytime", "search=anytime"},
      {"tao", "2", "tao"},
      {"honest", "true", "honest"},
      {"priors", "a=0.5,b=0.5", "priors"},
      {"loss_matrix", "0,1;5,0", "loss_matrix"},
      {"calibration_fraction", "0.2", "calibration_fraction"},
      {"leaf_samples", "true", "leaf_samples"},
      {"pruning", "cost_complexity", "pruning=cost_complexity with ccp_alpha=0"},
      {"pruning", "reduced_error", "pruning=reduced_error"},
      {"pruning", "pessimistic", "pruning=pessimistic"},
      {"pruning", "mdl", "pruning=mdl"},
      {"pruning", "critical_value", "pruning=critical_value"},
      {"class_weight", "balanced_subsample", "class_weight=balanced_subsample"},
      {"little_bags", "2", "little_bags"},
  };
  FitSpec spec;
  spec.targets = {"y"};
  for (const Refusal& one : all) {
    Params params;
    set_param(params, one.param, one.value);
    const std::string error = error_of([&] { check_scale_params(spec, params); });
    EXPECT_EQ(error.rfind(
                  std::string("not_supported: training on blocks does not support ") + one.words + " | ", 0),
              0u)
        << error;
    EXPECT_NE(error.find("or train in memory"), std::string::npos);
  }
  spec.treatment = "t";
  EXPECT_EQ(error_of([&] { check_scale_params(spec, {}); }),
            "not_supported: training on blocks does not support a treatment | drop the treatment, or train "
            "in memory");
  Params allowed;
  spec.treatment.clear();
  for (const auto& [name, value] : {std::pair{"ccp_alpha", "0.01"},
                                    {"pruning", "cost_complexity"},
                                    {"monotonic_cst", "x=1"},
                                    {"interaction_cst", "x,z"},
                                    {"max_features", "sqrt"},
                                    {"category_split", "equality"},
                                    {"class_weight", "balanced"},
                                    {"forest", "5"}})
    set_param(allowed, name, value);
  EXPECT_EQ(error_of([&] { check_scale_params(spec, allowed); }), "nothing");
}

TEST(Plan, weights_of_classes_are_refused_for_bootstrap_forests_where_they_are_certain) {
  FitSpec spec;
  spec.targets = {"y"};
  Params params;
  params.forest = 3;
  params.bootstrap = true;
  const auto refused = [&] { return error_of([&] { check_scale_params(spec, params); }) != "nothing"; };
  params.class_weight.by_name = {{"a", 1.0}, {"b", 2.0}};
  EXPECT_TRUE(refused());
  spec.weight.assign(1, 'w');  // the product may be 1
  EXPECT_FALSE(refused());
  spec.weight.clear();
  params.bootstrap = false;
  EXPECT_FALSE(refused());
  params.bootstrap = true;
  params.class_weight.by_name = {{"a", 1.0}, {"b", 1.0}};
  EXPECT_FALSE(refused());
  params.class_weight.by_name.clear();
  params.class_weight.balanced = true;
  EXPECT_FALSE(refused());
}

TEST(Plan, columns_that_differ_between_blocks_are_named) {
  FitSpec spec;
  spec.targets = {"y"};
  const std::vector<double> x = {1, 2, 3}, y = {0, 1, 0};
  const std::vector<std::string> text = {"a", "b", "c"};
  const auto table = [&](std::vector<std::string> names, const std::string& as_text = {}) {
    Table out;
    for (const std::string& name : names) {
      if (name == as_text)
        out.add(name, text);
      else
        out.add(name, name == "y" ? y : x);
    }
    return summarise(out, spec, {});
  };
  const auto merged = [&](const std::string& a, const std::string& b) {
    const std::string one = error_of([&] { merge_summaries(std::vector<std::string>{a, b}); });
    EXPECT_EQ(error_of([&] { merge_summaries(std::vector<std::string>{b, a}); }), one);
    return one;
  };
  EXPECT_EQ(merged(table({"x", "z", "y"}), table({"x", "z", "y"}, "x")),
            "bad_data: column 'x' holds numbers in some blocks and text in others | read it as the same type "
            "everywhere");
  EXPECT_EQ(merged(table({"x", "z", "y"}), table({"x", "y"})),
            "bad_data: some blocks have the column 'z' that others do not have: 3 columns against 2 | give "
            "every block the same "
            "columns, or ignore those");
  EXPECT_EQ(merged(table({"x", "z", "y"}), table({"z", "x", "y"})),
            "bad_data: the columns of blocks stand in different orders: column 1 is 'x' in some and 'z' in "
            "others | give every "
            "block the same columns in the same order");
  const ScalePlan plan = make_plan(table({"x", "z", "y"}), spec, {});
  Table without, worded;
  without.add("x", x), without.add("y", y);
  worded.add("x", text), worded.add("z", x), worded.add("y", y);
  EXPECT_EQ(error_of([&] { RowBlock(without, plan, 0); }),
            "bad_data: the block has no column 'z', which the plan has | its columns are x, y");
  EXPECT_EQ(error_of([&] { RowBlock(worded, plan, 0); }),
            "bad_data: column 'x' holds text in this block, but numbers in the plan | read it as numbers in "
            "every block");
  Table sparse;
  const std::int32_t rows[] = {0};
  sparse.view("x", SparseView{Dtype::f64, x.data(), rows, false, 1, 3});
  sparse.add("y", y);
  EXPECT_EQ(error_of([&] { summarise(sparse, spec, {}); }),
            "not_supported: training on blocks does not support sparse columns, and 'x' is one | make it "
            "dense, or train in memory");
}

TEST(Plan, targets_and_weights_are_checked_as_fit_does) {
  FitSpec spec;
  spec.targets = {"y"};
  spec.weight = "w";
  const auto check = [&](std::vector<double> y, std::vector<double> w, const Params& params) {
    Table table;
    table.add("x", std::vector<double>(y.size(), 1.0));
    table.add("y", y);
    table.add("w", w);
    const std::string whole = error_of([&] { fit(table, spec, params); });
    const std::string blocks = error_of([&] {
      const ScalePlan plan = make_plan(summarise(table, spec, params), spec, params);
      RowBlock block(table, plan, 0);
      check_facts(plan, block.state().rows.facts);
    });
    return std::pair(whole, blocks);
  };
  Params poisson, regression, nobody;
  poisson.criterion = "poisson";
  regression.task = "regression";
  nobody.task = "classification";
  nobody.class_weight.by_name = {{"0", 0.0}, {"1", 0.0}};
  Params heavy;
  heavy.class_weight.by_name = {{"1", 100.0}};
  const std::vector<double> ones(3, 1.0), y = {0, 1, 0};
  const std::vector<std::tuple<std::vector<double>, std::vector<double>, Params>> cases = {
      {{0, kNaN, 1}, ones, {}},    {{kNaN, kNaN, kNaN}, ones, {}}, {{0, 1, INFINITY}, ones, {}},
      {{0, -1, 1}, ones, poisson}, {{0, 0, 0}, ones, poisson},     {{0, 1e200, 1}, ones, regression},
      {y, {1, -1, 1}, {}},         {y, {1, kNaN, 1}, {}},          {y, {0, 0, 0}, {}},
      {y, ones, nobody},           {{0.5, 1e200, 1}, ones, {}},    {y, {1e307, 1e307, 1e307}, heavy},
  };
  for (const auto& [targets, weights, params] : cases) {
    const auto [whole, blocks] = check(targets, weights, params);
    EXPECT_NE(whole, "nothing");
    EXPECT_EQ(blocks, whole);
  }
  Table none;
  for (const char* name : {"x", "y", "w"}) none.add(name, std::vector<double>());
  EXPECT_EQ(error_of([&] { make_plan(summarise(none, spec, {}), spec, {}); }),
            "bad_data: the table has no rows | give at least one row");
  // A summary for other parameters has not counted the classes.
  Table counted;
  for (const char* name : {"x", "y", "w"}) counted.add(name, y);
  Params balanced;
  balanced.class_weight.balanced = true;
  EXPECT_EQ(
      error_of([&] { make_plan(summarise(counted, spec, {}), spec, balanced); }),
      "bad_data: the summary does not have the classes of 'y' | summarise all blocks by the same parameters");
  Params named;
  named.class_weight.by_name = {{"7", 2.0}};
  const auto [whole, blocks] = check(y, ones, named);
  EXPECT_EQ(blocks, whole);
}

}  // namespace
}  // namespace bough
