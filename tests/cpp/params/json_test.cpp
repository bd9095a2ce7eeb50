// SPDX-License-Identifier: Apache-2.0
// Parameters as JSON: round trips, refusals, the table and its schema.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bough/params.hpp"
#include "params/conflicts.hpp"

namespace bough {
namespace {

using Json = nlohmann::json;

std::string complaint(std::string_view json) {
  try {
    params_from_json(json);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_params);
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

TEST(ParamsJson, defaults_print_as_one_flat_object) {
  EXPECT_EQ(
      params_to_json({}),
      R"({"task":"auto","algorithm":"cart","criterion":"auto","quantile":0.5,"max_depth":null,"min_samples_split":2,)"
      R"("min_samples_leaf":1,"min_weight_fraction_leaf":0.0,"min_impurity_decrease":0.0,)"
      R"("max_leaf_nodes":null,"min_samples_branch":null,"ccp_alpha":0.0,"pruning":"auto","pruning_fraction":0.3,)"
      R"("pruning_leaf_values":"train","pruning_risk":"impurity","pruning_folds":10,"pruning_rule":"min",)"
      R"("critical_value":0.0,"confidence_factor":0.25,"subtree_raising":true,"collapse":true,"cp":-1.0,)"
      R"("leaf_probability":"plain","shrinkage":null,"max_features":null,"splitter":"best","category_split":"subset",)"
      R"("category_branches":"multiway","discretize":"none","j48":false,"competitors":0,)"
      R"("class_weight":null,"priors":null,"loss_matrix":null,"column_costs":null,)"
      R"("missing_policy":"learn","surrogates":5,"surrogate_else":"majority",)"
      R"("surrogate_agreement":"all","monotonic_cst":null,"interaction_cst":null,)"
      R"("oblique":false,"feature_combinations":1.5,"projection_weights":"sign","projection_scale":"none",)"
      R"("axis_candidates":true,"search":"greedy","leaf_price":0.0,"work_limit":null,)"
      R"("time_limit":null,"tao":0,"tao_fraction":0.2,"honest":false,"honest_fraction":0.5,)"
      R"("honest_method":"apply","honest_prior":"ancestor","honest_stratify":true,"min_honest_rows":1,)"
      R"("cross_fit":false,"calibration_fraction":0.0,"leaf_samples":false,"causal_split":"effect",)"
      R"("min_samples_arm":5,"forest":0,"bootstrap":true,"max_samples":null,"little_bags":0,"seed":0})");
}

TEST(ParamsJson, a_round_trip_is_the_identity) {
  std::vector<Params> all(6);
  all[1].max_depth = 7;
  all[1].min_samples_leaf = Amount::fraction(1.0);
  all[1].min_samples_split = Amount::fraction(0.1);
  all[1].max_features = Amount::count(1);
  all[1].seed = std::numeric_limits<std::int64_t>::max();
  all[2].max_features = Amount::fraction(1.0);
  all[2].class_weight.balanced = true;
  all[2].min_impurity_decrease = 1.0 / 3.0;
  all[3].max_features = Amount::named(Amount::Unit::log2);
  all[3].class_weight.by_name = {{"a \"quoted\" \\ name\n", 0.1}, {"", 2.0}, {"balanced", 1e-300}};
  all[3].monotonic_cst = {{"x", -1.0}, {"größe", 1.0}};
  all[4].max_features = Amount::named(Amount::Unit::sqrt);
  all[4].interaction_cst = {{"a", "b,c"}, {"d;"}};
  all[4].max_leaf_nodes = 2;
  all[4].ccp_alpha = 0.015;
  all[5].task = "regression";
  all[5].criterion = "friedman_mse";
  all[5].splitter = "random";
  all[5].category_split = "equality";
  all[5].quantile = 0.9;
  all[5].min_weight_fraction_leaf = 0.5;
  for (const Params& params : all) {
    const std::string text = params_to_json(params);
    EXPECT_EQ(params_from_json(text), params) << text;
    EXPECT_EQ(params_to_json(params_from_json(text)), text);
  }
}

TEST(ParamsJson, absent_names_keep_their_defaults_and_whole_floats_are_whole_numbers) {
  Params expected;
  expected.max_depth = 3;
  EXPECT_EQ(params_from_json(R"({"max_depth": 3.0})"), expected);
  EXPECT_EQ(params_from_json("{}"), Params{});
}

TEST(ParamsJson, unknown_names_and_wrong_types_are_listed_together) {
  EXPECT_EQ(
      complaint(R"({"max_dept": 3, "min_samples_leaf": 2.0, "splitter": 4, "max_depth": 0, "seed": 1e30})"),
      "5 parameters are wrong:\n"
      "  there is no parameter 'max_dept'\n"
      "  min_samples_leaf must be a whole number >= 1 or a fraction in (0, 1], but is 2.0\n"
      "  splitter must be one of best, random, hist, but is 4\n"
      "  max_depth must be a whole number >= 1 or none, but is 0\n"
      "  seed must be a whole number >= 0, but is 1e+30 | "
      "did you mean max_depth?; a number with a decimal point is a fraction; write 2 for a count; use `none` "
      "for no limit");
}

TEST(ParamsJson, a_text_without_a_bottom_is_refused_before_it_is_parsed) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_THROW((void)params_from_json(R"({"class_weight": )" + deep + "}"), Error);
  Params params;
  EXPECT_THROW(set_param(params, "class_weight", deep), Error);
}

TEST(ParamsJson, every_wrong_shape_is_an_error_of_ours) {
  for (const char* text : {"",
                           "{",
                           "[]",
                           "3",
                           "null",
                           R"({"class_weight": []})",
                           R"({"class_weight": {"a": "b"}})",
                           R"({"class_weight": {"a": null}})",
                           R"({"monotonic_cst": {"a": 2}})",
                           R"({"interaction_cst": [1]})",
                           R"({"interaction_cst": [[1]]})",
                           R"({"interaction_cst": {"a": 1}})",
                           R"({"max_features": "best"})",
                           R"({"max_features": true})",
                           R"({"max_depth": "none"})",
                           R"({"max_depth": 1e300})",
                           R"({"seed": 18446744073709551615})",
                           R"({"seed": -1})",
                           R"({"quantile": "0.5"})",
                           R"({"quantile": null})",
                           R"({"task": null})",
                           "{\"\xff\": 1}"})
    EXPECT_NE(complaint(text), "no error") << text;
}

TEST(ParamsJson, the_table_carries_every_row) {
  const Json table = Json::parse(params_table_json());
  ASSERT_EQ(table.size(), kParams.size());
  for (std::size_t i = 0; i < kParams.size(); ++i) {
    EXPECT_EQ(table[i]["name"], kParams[i].name);
    EXPECT_EQ(table[i]["doc"], kParams[i].doc);
    EXPECT_EQ(table[i]["allowed"], param_allowed(kParams[i]));
    EXPECT_EQ(table[i]["type"], param_type(kParams[i]));
  }
  const Json& depth = table[4];
  EXPECT_EQ(depth["name"], "max_depth");
  EXPECT_EQ(depth["type"], "int");
  EXPECT_EQ(depth["none"], true);
  EXPECT_EQ(depth["default"], nullptr);
  EXPECT_EQ(depth["low"], 1.0);
  EXPECT_FALSE(depth.contains("high"));
  EXPECT_EQ(table[0]["choices"], Json({"auto", "classification", "regression"}));
  EXPECT_EQ(table[0]["none"], false);
  EXPECT_EQ(table[2]["name"], "criterion");
  EXPECT_EQ(table[2]["criteria"].size(), kCriteria.size());
  EXPECT_EQ(table[2]["criteria"][1]["alias"], "log_loss");
  EXPECT_EQ(table[2]["criteria"][1]["task"], "classification");
}

TEST(ParamsJson, the_table_tells_what_is_not_supported_together) {
  std::size_t rules = 0;
  for (const Json& row : Json::parse(params_table_json()))
    for (const Json& rule : row.value("excluded", Json::array())) {
      ++rules;
      EXPECT_NE(rule["mode"], "");
      EXPECT_NE(rule["hint"], "");
    }
  EXPECT_EQ(rules, exclusions().size());
}

TEST(ParamsJson, the_schema_says_what_validation_says) {
  const Json schema = Json::parse(params_json_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["additionalProperties"], false);
  const Json& properties = schema["properties"];
  ASSERT_EQ(properties.size(), kParams.size());
  for (const ParamRow& row : kParams) {
    EXPECT_EQ(properties[std::string(row.name)]["description"], row.doc);
    EXPECT_TRUE(properties[std::string(row.name)].contains("default"));
  }
  EXPECT_EQ(properties["max_depth"]["anyOf"],
            Json::parse(R"([{"type": "integer", "minimum": 1}, {"type": "null"}])"));
  EXPECT_EQ(properties["max_features"]["anyOf"],
            Json::parse(R"([{"type": "integer", "minimum": 1}, {"type": "number", "exclusiveMinimum": 0},
                            {"enum": ["sqrt", "log2", "square", "auto"]}, {"type": "null"}])"));
  EXPECT_EQ(properties["quantile"]["exclusiveMinimum"], 0.0);
  EXPECT_EQ(properties["quantile"]["maximum"], 1.0);
  EXPECT_EQ(properties["splitter"]["enum"], Json({"best", "random", "hist"}));
  EXPECT_EQ(properties["class_weight"]["anyOf"],
            Json::parse(R"([{"type": "null"}, {"enum": ["balanced", "balanced_subsample"]},
                            {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}}])"));
}

}  // namespace
}  // namespace bough
