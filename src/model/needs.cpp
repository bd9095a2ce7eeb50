// SPDX-License-Identifier: Apache-2.0
// Parameters that say nothing without another one: one table, one check.
#include "model/needs.hpp"

#include <fmt/format.h>

#include <array>

namespace bough {
namespace {

struct Need {
  std::string_view name;
  bool (*met)(const Params& params, bool treatment);
  std::string_view off;   // what is the case where it is not met
  std::string_view give;  // the way out
};

constexpr auto oblique = [](const Params& params, bool) { return params.oblique; };
constexpr auto honest = [](const Params& params, bool) { return params.honest; };
constexpr auto forest = [](const Params& params, bool) { return params.forest > 0; };
constexpr auto tao = [](const Params& params, bool) { return params.tao > 0; };
constexpr auto treated = [](const Params&, bool treatment) { return treatment; };

// clang-format off
constexpr std::array<Need, 15> kNeeds{{
  {"feature_combinations", oblique, "oblique is off", "turn oblique on"},
  {"projection_weights", oblique, "oblique is off", "turn oblique on"},
  {"projection_scale", oblique, "oblique is off", "turn oblique on"},
  {"axis_candidates", oblique, "oblique is off", "turn oblique on"},
  {"honest_fraction", honest, "honest is off", "turn honest on"},
  {"honest_method", honest, "honest is off", "turn honest on"},
  {"honest_prior", honest, "honest is off", "turn honest on"},
  {"honest_stratify", honest, "honest is off", "turn honest on"},
  {"min_honest_rows", honest, "honest is off", "turn honest on"},
  {"tao_fraction", tao, "tao makes no passes", "set tao to a number of passes"},
  {"bootstrap", forest, "one tree is grown", "set forest to a number of trees"},
  {"max_samples", forest, "one tree is grown", "set forest to a number of trees"},
  {"little_bags", forest, "one tree is grown", "set forest to a number of trees"},
  {"causal_split", treated, "there is no treatment", "name the column of the treatment"},
  {"min_samples_arm", treated, "there is no treatment", "name the column of the treatment"},
}};
// clang-format on

}  // namespace

void check_needs(const Params& params, bool treatment) {
  if (params.class_weight.subsample && params.forest == 0)
    throw Error(ErrorCode::bad_params,
                "class_weight=balanced_subsample weighs the rows that every tree of a forest draws, but one "
                "tree is grown",
                "use balanced, or set forest to a number of trees");
  for (const Need& need : kNeeds) {
    if (need.met(params, treatment)) continue;
    const ParamRow& row = *find_param(need.name);
    const std::string text = param_text(params, row);
    if (text == param_default(row)) continue;
    throw Error(ErrorCode::bad_params,
                fmt::format("{}={} does nothing, because {}", need.name, text, need.off),
                fmt::format("{}, or leave {} out", need.give, need.name));
  }
}

}  // namespace bough
