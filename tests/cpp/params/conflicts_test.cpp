// SPDX-License-Identifier: Apache-2.0
// Parameters that exclude each other, and parameters that need another one.
#include "params/conflicts.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace bough {
namespace {

Params params_of(const std::vector<std::pair<const char*, const char*>>& values) {
  Params params;
  for (const auto& [name, value] : values) set_param(params, name, value);
  return params;
}

std::string complaint(const Params& params, TrainingKind kind = {}) {
  try {
    check_dependent_params(params, kind.treatment);
    check_exclusions(params, kind);
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

TEST(Conflicts, all_parameters_that_a_mode_does_not_support_are_named_with_what_to_do) {
  EXPECT_EQ(
      complaint(params_of({{"forest", "5"}, {"cp", "0.01"}, {"priors", "a=0.5,b=0.5"}})),
      "forests do not support cp, priors | ccp_alpha cuts every tree at a given price; use class_weight");
  EXPECT_EQ(complaint(params_of({{"tao", "3"}, {"criterion", "poisson"}, {"task", "regression"}})),
            "tao does not support criterion=poisson | it lowers squared errors: use squared_error");
  EXPECT_EQ(
      complaint(params_of({{"search", "anytime"}, {"max_depth", "3"}, {"forest", "5"}})),
      "search=anytime and search=optimal do not support forests | it is for single trees: use search=greedy");
  EXPECT_EQ(complaint(params_of({{"splitter", "hist"}, {"competitors", "1"}})),
            "splitter=hist does not support competitors | use splitter=best");
}

TEST(Conflicts, what_is_given_beside_the_parameters_counts) {
  const Params params = params_of({{"pruning", "cost_complexity"}});
  EXPECT_EQ(complaint(params), "no error");
  EXPECT_EQ(
      complaint(params, {.blocks = true}),
      "training on blocks does not support pruning=cost_complexity with ccp_alpha=0 | set ccp_alpha, or "
      "train in memory");
  EXPECT_EQ(complaint(params_of({{"pruning", "cost_complexity"}, {"ccp_alpha", "0.1"}}), {.blocks = true}),
            "no error");
  const Params honest = params_of({{"honest", "true"}, {"honest_prior", "ignore"}});
  EXPECT_EQ(complaint(honest), "no error");
  EXPECT_EQ(
      complaint(honest, {.treatment = true}),
      "trees with a treatment do not support honest_prior=ignore with honest_method=apply | use ancestor "
      "or empirical, or honest_method=prune");
  EXPECT_EQ(complaint(params_of({{"honest", "true"}, {"honest_prior", "ignore"}, {"honest_method", "prune"}}),
                      {.treatment = true}),
            "no error");
}

TEST(Conflicts, values_that_mean_the_default_exclude_nothing) {
  EXPECT_EQ(complaint(params_of({{"forest", "5"}, {"cp", "-0.5"}})), "no error");
  EXPECT_EQ(complaint(params_of({{"honest", "true"}, {"monotonic_cst", "x=0"}})), "no error");
  EXPECT_NE(complaint(params_of({{"honest", "true"}, {"monotonic_cst", "x=1"}})), "no error");
  EXPECT_EQ(complaint(params_of({{"forest", "5"}, {"pruning", "none"}})), "no error");
}

TEST(Conflicts, a_parameter_without_what_it_belongs_to_is_refused) {
  EXPECT_EQ(complaint(params_of({{"cross_fit", "true"}})),
            "cross_fit=true does nothing, because honest is off | turn honest on, or leave cross_fit out");
  EXPECT_EQ(
      complaint(params_of({{"forest", "5"}, {"bootstrap", "false"}, {"max_samples", "3"}})),
      "max_samples=3 does nothing, because bootstrap is off | turn bootstrap on, or leave max_samples out");
}

}  // namespace
}  // namespace bough
