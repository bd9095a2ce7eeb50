// SPDX-License-Identifier: Apache-2.0
// Two tables and their checks: what a way of training does not support, and what a parameter needs.
#include "params/conflicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "bough/given_params.hpp"
#include "params/values.hpp"

namespace bough {
namespace {

// clang-format off
struct ModeRow {
  Mode mode;
  std::string_view name, verb;
  ErrorCode code;
  bool (*on)(const Params& params, TrainingKind kind);
};

// In the order of Mode, which is that of the checks.
constexpr std::array kModes{
  ModeRow{Mode::blocks, "training on blocks", "does", ErrorCode::not_supported, [](const Params&, TrainingKind kind) { return kind.blocks; }},
  ModeRow{Mode::search, "search=anytime and search=optimal", "do", ErrorCode::not_supported, [](const Params& params, TrainingKind) { return params.search == "anytime" || params.search == "optimal"; }},
  ModeRow{Mode::choice, "search=auto", "does", ErrorCode::not_supported, [](const Params& params, TrainingKind) { return params.search == "auto"; }},
  ModeRow{Mode::tao, "tao", "does", ErrorCode::not_supported, [](const Params& params, TrainingKind) { return params.tao > 0; }},
  ModeRow{Mode::treatment, "trees with a treatment", "do", ErrorCode::not_supported, [](const Params&, TrainingKind kind) { return kind.treatment; }},
  ModeRow{Mode::forest, "forests", "do", ErrorCode::not_supported, [](const Params& params, TrainingKind) { return params.forest > 0; }},
  ModeRow{Mode::quinlan, "algorithm=id3 and algorithm=c45", "do", ErrorCode::bad_params, [](const Params& params, TrainingKind) { return params.algorithm != "cart"; }},
  ModeRow{Mode::honest, "honest trees", "do", ErrorCode::not_supported, [](const Params& params, TrainingKind) { return params.honest; }},
  ModeRow{Mode::oblique, "oblique trees", "do", ErrorCode::not_supported, [](const Params& params, TrainingKind) { return params.oblique; }},
  ModeRow{Mode::hist, "splitter=hist", "does", ErrorCode::not_supported, [](const Params& params, TrainingKind) { return params.splitter == "hist"; }},
};

constexpr std::array kExclusions{
  Exclusion{Mode::blocks, "algorithm", "", "", "use algorithm=cart"},
  Exclusion{Mode::blocks, "splitter", "", "", "use splitter=best"},
  Exclusion{Mode::blocks, "missing_policy", "", "", "use missing_policy=learn"},
  Exclusion{Mode::blocks, "competitors", "", "", "drop competitors"},
  Exclusion{Mode::blocks, "column_costs", "", "", "drop column_costs"},
  Exclusion{Mode::blocks, "oblique", "", "", "drop oblique"},
  Exclusion{Mode::blocks, "max_leaf_nodes", "", "", "use max_depth or ccp_alpha"},
  Exclusion{Mode::blocks, "search", "", "", "use search=greedy"},
  Exclusion{Mode::blocks, "pruning", "cost_complexity", "ccp_alpha=0", "set ccp_alpha"},
  Exclusion{Mode::blocks, "pruning", "!none|cost_complexity", "", "use ccp_alpha"},
  Exclusion{Mode::blocks, "cp", "", "", "use ccp_alpha"},
  Exclusion{Mode::blocks, "tao", "", "", "drop tao"},
  Exclusion{Mode::blocks, "honest", "", "", "drop honest"},
  Exclusion{Mode::blocks, "calibration_fraction", "", "", "drop calibration_fraction"},
  Exclusion{Mode::blocks, "leaf_samples", "", "", "drop leaf_samples"},
  Exclusion{Mode::blocks, "shrinkage", "", "", "drop shrinkage"},
  Exclusion{Mode::blocks, "little_bags", "", "", "drop little_bags"},
  Exclusion{Mode::blocks, "priors", "", "", "use class_weight"},
  Exclusion{Mode::blocks, "loss_matrix", "", "", "use class_weight"},
  Exclusion{Mode::blocks, "class_weight", "balanced_subsample", "", "turn bootstrap off and use class_weight=balanced"},

  Exclusion{Mode::search, "forest", "", "", "it is for single trees: use search=greedy"},
  Exclusion{Mode::search, "algorithm", "", "", "use algorithm=cart"},
  Exclusion{Mode::search, "oblique", "", "", "use search=greedy"},
  Exclusion{Mode::search, "criterion", "!auto|gini|entropy|log_loss|misclassification|squared_error", "", "it makes errors few, or squared errors of numbers small; use gini or entropy for what nodes say about themselves"},
  Exclusion{Mode::search, "splitter", "", "", "use splitter=best"},
  Exclusion{Mode::search, "max_features", "", "", "it looks at all columns: drop max_features"},
  Exclusion{Mode::search, "missing_policy", "", "", "use missing_policy=learn"},
  Exclusion{Mode::search, "competitors", "", "", "drop competitors"},
  Exclusion{Mode::search, "column_costs", "", "", "drop column_costs"},
  Exclusion{Mode::search, "interaction_cst", "", "", "use search=greedy"},
  Exclusion{Mode::search, "monotonic_cst", "", "", "use search=greedy"},
  Exclusion{Mode::search, "priors", "", "", "use whole row weights"},
  Exclusion{Mode::search, "honest", "", "", "use search=greedy"},
  Exclusion{Mode::search, "tao", "", "", "it is a part of the search: drop tao"},
  Exclusion{Mode::search, "pruning", "!none", "", "its size comes from max_leaf_nodes, max_depth and leaf_price"},
  Exclusion{Mode::search, "ccp_alpha", "", "", "its size comes from max_leaf_nodes, max_depth and leaf_price"},
  Exclusion{Mode::search, "cp", "", "", "its size comes from max_leaf_nodes, max_depth and leaf_price"},
  Exclusion{Mode::search, "min_samples_split", "", "", "use min_samples_leaf"},
  Exclusion{Mode::search, "min_weight_fraction_leaf", "", "", "use min_samples_leaf"},
  Exclusion{Mode::search, "min_impurity_decrease", "", "", "use leaf_price"},

  Exclusion{Mode::choice, "forest", "", "", "forests need full trees: use search=greedy"},
  Exclusion{Mode::choice, "algorithm", "", "", "ID3 and C4.5 prune in ways of their own: use search=greedy"},
  Exclusion{Mode::choice, "honest", "", "", "use search=greedy"},
  Exclusion{Mode::choice, "tao", "", "", "drop tao"},
  Exclusion{Mode::choice, "priors", "", "", "cross-validation counts errors: use class_weight"},
  Exclusion{Mode::choice, "loss_matrix", "", "", "cross-validation counts errors: use class_weight"},
  Exclusion{Mode::choice, "pruning", "!none", "", "it chooses the size itself: use search=greedy"},
  Exclusion{Mode::choice, "ccp_alpha", "", "", "it chooses the size itself: use search=greedy"},
  Exclusion{Mode::choice, "cp", "", "", "it chooses the size itself: use search=greedy"},

  Exclusion{Mode::tao, "forest", "", "", "it refines single trees: drop one of them"},
  Exclusion{Mode::tao, "algorithm", "", "", "use algorithm=cart"},
  Exclusion{Mode::tao, "missing_policy", "", "", "use missing_policy=learn"},
  Exclusion{Mode::tao, "monotonic_cst", "", "", "its tests would not keep the constraint: drop one of them"},
  Exclusion{Mode::tao, "interaction_cst", "", "", "its tests would not keep the groups: drop one of them"},
  Exclusion{Mode::tao, "column_costs", "", "", "drop one of them"},
  Exclusion{Mode::tao, "competitors", "", "", "they belong to the tests before it: drop one of them"},
  Exclusion{Mode::tao, "priors", "", "", "use class_weight"},
  Exclusion{Mode::tao, "loss_matrix", "", "", "use class_weight"},
  Exclusion{Mode::tao, "honest", "", "", "its tests would be chosen by the rows that give the values: drop one of them"},
  Exclusion{Mode::tao, "shrinkage", "cv", "", "its passes would be made in every fold: give shrinkage a number"},
  Exclusion{Mode::tao, "pruning", "reduced_error", "", "use another pruning: the rows held out would come back into the tree"},
  Exclusion{Mode::tao, "criterion", "absolute_error|poisson|quantile", "", "it lowers squared errors: use squared_error"},

  Exclusion{Mode::treatment, "algorithm", "", "", "use algorithm=cart"},
  Exclusion{Mode::treatment, "criterion", "", "", "leave criterion at auto; causal_split says what splits are for"},
  Exclusion{Mode::treatment, "oblique", "", "", "drop oblique"},
  Exclusion{Mode::treatment, "search", "", "", "use search=greedy"},
  Exclusion{Mode::treatment, "tao", "", "", "drop tao"},
  Exclusion{Mode::treatment, "splitter", "hist", "", "use splitter=best or random"},
  Exclusion{Mode::treatment, "monotonic_cst", "", "", "drop monotonic_cst"},
  Exclusion{Mode::treatment, "missing_policy", "", "", "use missing_policy=learn"},
  Exclusion{Mode::treatment, "competitors", "", "", "drop competitors"},
  Exclusion{Mode::treatment, "column_costs", "", "", "drop column_costs"},
  Exclusion{Mode::treatment, "calibration_fraction", "", "", "intervals of effects come from honest leaves"},
  Exclusion{Mode::treatment, "shrinkage", "", "", "effects come from honest leaves: drop shrinkage"},
  Exclusion{Mode::treatment, "leaf_samples", "", "", "drop leaf_samples"},
  Exclusion{Mode::treatment, "cp", "", "", "use ccp_alpha"},
  Exclusion{Mode::treatment, "honest_prior", "uniform|ignore", "honest_method=apply", "use ancestor or empirical, or honest_method=prune"},
  Exclusion{Mode::treatment, "pruning", "cost_complexity", "ccp_alpha=0", "cross-validation cannot choose the price: set ccp_alpha, or use honest trees, whose splits pay for their variance"},
  Exclusion{Mode::treatment, "pruning_risk", "error", "pruning=cost_complexity", "use pruning_risk=impurity"},
  Exclusion{Mode::treatment, "pruning", "!none|cost_complexity|critical_value", "", "use ccp_alpha or pruning=critical_value"},

  Exclusion{Mode::forest, "algorithm", "", "", "use algorithm=cart"},
  Exclusion{Mode::forest, "pruning", "cost_complexity", "ccp_alpha=0", "ccp_alpha cuts every tree at a given price"},
  Exclusion{Mode::forest, "pruning", "!none|cost_complexity", "", "ccp_alpha cuts every tree at a given price"},
  Exclusion{Mode::forest, "cp", "", "", "ccp_alpha cuts every tree at a given price"},
  Exclusion{Mode::forest, "splitter", "hist", "", "use splitter=best or random"},
  Exclusion{Mode::forest, "priors", "", "", "use class_weight"},
  Exclusion{Mode::forest, "loss_matrix", "", "", "use class_weight"},
  Exclusion{Mode::forest, "missing_policy", "", "", "use missing_policy=learn"},
  Exclusion{Mode::forest, "competitors", "", "", "grow a single tree for them"},
  Exclusion{Mode::forest, "column_costs", "", "", "grow a single tree with them"},
  Exclusion{Mode::forest, "shrinkage", "cv", "bootstrap=false", "no tree leaves rows out to choose it by: give shrinkage a number"},
  Exclusion{Mode::forest, "cross_fit", "", "", "every tree divides its own rows: drop cross_fit"},

  Exclusion{Mode::quinlan, "splitter", "", "", "use splitter=best"},
  Exclusion{Mode::quinlan, "category_split", "", "", "use category_split=subset"},
  Exclusion{Mode::quinlan, "min_samples_leaf", "", "", "min_samples_branch limits the rows of branches"},
  Exclusion{Mode::quinlan, "min_weight_fraction_leaf", "", "", "min_samples_branch limits the rows of branches"},
  Exclusion{Mode::quinlan, "max_features", "", "", "use algorithm=cart"},
  Exclusion{Mode::quinlan, "max_leaf_nodes", "", "", "use max_depth, or algorithm=cart"},
  Exclusion{Mode::quinlan, "monotonic_cst", "", "", "use algorithm=cart"},
  Exclusion{Mode::quinlan, "interaction_cst", "", "", "use algorithm=cart"},
  Exclusion{Mode::quinlan, "missing_policy", "", "", "use algorithm=cart"},
  Exclusion{Mode::quinlan, "competitors", "", "", "use algorithm=cart"},
  Exclusion{Mode::quinlan, "column_costs", "", "", "use algorithm=cart"},
  Exclusion{Mode::quinlan, "oblique", "", "", "use algorithm=cart"},

  Exclusion{Mode::honest, "algorithm", "", "", "use algorithm=cart"},
  Exclusion{Mode::honest, "priors", "", "", "use class_weight"},
  Exclusion{Mode::honest, "loss_matrix", "", "", "use class_weight"},
  Exclusion{Mode::honest, "shrinkage", "", "", "honest_prior sets what leaves of few rows predict: drop one of them"},
  Exclusion{Mode::honest, "monotonic_cst", "", "", "values of other rows could break the constraints: drop one of them"},

  Exclusion{Mode::oblique, "monotonic_cst", "", "", "a weighted sum has no direction in one column: drop one of them"},
  Exclusion{Mode::oblique, "interaction_cst", "", "", "a weighted sum joins columns: drop one of them"},
  Exclusion{Mode::oblique, "splitter", "hist", "", "use splitter=best or random"},
  Exclusion{Mode::oblique, "missing_policy", "", "", "use missing_policy=learn"},
  Exclusion{Mode::oblique, "competitors", "", "", "drop one of them"},
  Exclusion{Mode::oblique, "column_costs", "", "", "drop one of them"},

  Exclusion{Mode::hist, "missing_policy", "", "", "use splitter=best"},
  Exclusion{Mode::hist, "competitors", "", "", "use splitter=best"},
  Exclusion{Mode::hist, "column_costs", "", "", "use splitter=best"},
};

struct Need {
  std::string_view param;
  bool (*met)(const Params& params, bool treatment);
  std::string_view off;   // what is the case where it is not met
  std::string_view give;  // the way out
};

constexpr auto oblique = [](const Params& params, bool) { return params.oblique; };
constexpr auto honest = [](const Params& params, bool) { return params.honest; };
constexpr auto forest = [](const Params& params, bool) { return params.forest > 0; };
constexpr auto draws = [](const Params& params, bool) { return params.bootstrap || params.little_bags > 0; };
constexpr auto tao = [](const Params& params, bool) { return params.tao > 0; };
constexpr auto searched = [](const Params& params, bool) { return params.search != "greedy"; };
constexpr auto told_size = [](const Params& params, bool) { return params.search == "anytime" || params.search == "optimal"; };
constexpr auto treated = [](const Params&, bool treatment) { return treatment; };
constexpr auto quinlan = [](const Params& params, bool) { return params.algorithm != "cart"; };
constexpr auto c45 = [](const Params& params, bool) { return params.algorithm == "c45"; };

constexpr auto by_price = [](const Params& params, bool) { return resolved_pruning(params) == "cost_complexity" || params.search == "auto"; };
constexpr auto shrinks_by_folds = [](const Params& params, bool) { return params.shrinkage.cross_validated && params.forest == 0; };
constexpr auto judged = [](const Params& params, bool treatment) { return by_price(params, treatment) || shrinks_by_folds(params, treatment); };
constexpr auto by_folds = [](const Params& params, bool) { return resolved_pruning(params) != "cost_complexity" || params.ccp_alpha == 0.0; };
constexpr auto by_held_out = [](const Params& params, bool) { return resolved_pruning(params) == "reduced_error"; };
constexpr auto by_value = [](const Params& params, bool) { return resolved_pruning(params) == "critical_value"; };
constexpr auto by_limits = [](const Params& params, bool) { return resolved_pruning(params) == "pessimistic"; };
constexpr auto surrogate = [](const Params& params, bool) { return params.missing_policy == "surrogate"; };
constexpr auto quantile = [](const Params& params, bool) { return params.criterion == "quantile"; };

constexpr std::array kNeeds{
  Need{"pruning_risk", by_price, "pruning is not cost_complexity", "set pruning=cost_complexity"},
  Need{"pruning_folds", judged, "pruning is not cost_complexity", "set pruning=cost_complexity"},
  Need{"pruning_folds", [](const Params& params, bool treatment) { return by_folds(params, treatment) || shrinks_by_folds(params, treatment); }, "ccp_alpha is the price", "leave ccp_alpha out"},
  Need{"pruning_rule", by_price, "pruning is not cost_complexity", "set pruning=cost_complexity"},
  Need{"pruning_rule", by_folds, "ccp_alpha is the price", "leave ccp_alpha out"},
  Need{"pruning_fraction", by_held_out, "pruning is not reduced_error", "set pruning=reduced_error"},
  Need{"pruning_leaf_values", by_held_out, "pruning is not reduced_error", "set pruning=reduced_error"},
  Need{"critical_value", by_value, "pruning=critical_value is not set", "set pruning=critical_value"},
  Need{"confidence_factor", by_limits, "pruning is not pessimistic", "set pruning=pessimistic"},
  Need{"subtree_raising", by_limits, "pruning is not pessimistic", "set pruning=pessimistic"},
  Need{"surrogates", surrogate, "missing_policy is not surrogate", "set missing_policy=surrogate"},
  Need{"surrogate_else", surrogate, "missing_policy is not surrogate", "set missing_policy=surrogate"},
  Need{"surrogate_agreement", surrogate, "missing_policy is not surrogate", "set missing_policy=surrogate"},
  Need{"quantile", quantile, "criterion is not quantile", "set criterion=quantile"},
  Need{"feature_combinations", oblique, "oblique is off", "turn oblique on"},
  Need{"projection_weights", oblique, "oblique is off", "turn oblique on"},
  Need{"projection_scale", oblique, "oblique is off", "turn oblique on"},
  Need{"axis_candidates", oblique, "oblique is off", "turn oblique on"},
  Need{"honest_fraction", honest, "honest is off", "turn honest on"},
  Need{"honest_method", honest, "honest is off", "turn honest on"},
  Need{"honest_prior", honest, "honest is off", "turn honest on"},
  Need{"honest_stratify", honest, "honest is off", "turn honest on"},
  Need{"min_honest_rows", honest, "honest is off", "turn honest on"},
  Need{"cross_fit", honest, "honest is off", "turn honest on"},
  Need{"leaf_price", told_size, "search is neither anytime nor optimal", "set search=anytime or search=optimal"},
  Need{"work_limit", searched, "search is greedy", "set search=anytime, search=optimal or search=auto"},
  Need{"time_limit", told_size, "search is neither anytime nor optimal", "set search=anytime or search=optimal"},
  Need{"tao_fraction", tao, "tao makes no passes", "set tao to a number of passes"},
  Need{"bootstrap", forest, "one tree is grown", "set forest to a number of trees"},
  Need{"max_samples", forest, "one tree is grown", "set forest to a number of trees"},
  Need{"max_samples", draws, "bootstrap is off", "turn bootstrap on"},
  Need{"little_bags", forest, "one tree is grown", "set forest to a number of trees"},
  Need{"little_bags", honest, "honest is off", "turn honest on"},
  Need{"causal_split", treated, "there is no treatment", "name the column of the treatment"},
  Need{"min_samples_arm", treated, "there is no treatment", "name the column of the treatment"},
  Need{"min_samples_branch", quinlan, "algorithm is cart", "set algorithm=id3 or algorithm=c45"},
  Need{"category_branches", quinlan, "algorithm is cart", "set algorithm=id3 or algorithm=c45"},
  Need{"discretize", quinlan, "algorithm is cart", "set algorithm=id3 or algorithm=c45"},
  Need{"j48", c45, "algorithm is not c45", "set algorithm=c45"},
  Need{"collapse", c45, "algorithm is not c45", "set algorithm=c45"},
  Need{"class_weight", [](const Params& params, bool) { return params.priors.empty(); }, "priors set the shares of the classes", "leave priors out"},
  // Their defaults, where they are spelled out: search=auto chooses both.
  Need{"shrinkage", [](const Params& params, bool) { return params.search != "auto" || params.shrinkage != Params{}.shrinkage; }, "search=auto chooses its strength", "set search=greedy, or give a strength above 0"},
  Need{"pruning", [](const Params& params, bool) { return params.search != "auto" || resolved_pruning(params) != "none"; }, "search=auto chooses the size of the tree", "set search=greedy"},
};

// Those that say something about every training. What is in neither table does not compile.
constexpr auto kAlways = std::to_array<std::string_view>({
  "task", "algorithm", "criterion",
  "max_depth", "min_samples_split", "min_samples_leaf", "min_weight_fraction_leaf", "min_impurity_decrease", "max_leaf_nodes",
  "ccp_alpha", "cp",
  "leaf_probability",
  "max_features", "splitter", "category_split", "competitors",
  "priors", "loss_matrix", "column_costs",
  "missing_policy", "monotonic_cst", "interaction_cst",
  "oblique", "search", "tao", "honest", "calibration_fraction", "leaf_samples", "forest", "seed",
});
// clang-format on

// A parameter as text, with what means its default told as the default.
std::string value_of(const Params& params, const ParamRow& row) {
  if (row.name == "pruning" && params.pruning == "auto") return "none";  // what c45 means by it, c45 says
  const bool idle =
      (row.name == "cp" && params.cp < 0.0) ||
      (row.name == "monotonic_cst" &&
       std::ranges::all_of(params.monotonic_cst, [](const auto& entry) { return entry.second == 0.0; })) ||
      (row.name == "column_costs" &&
       std::ranges::all_of(params.column_costs, [](const auto& entry) { return entry.second == 1.0; })) ||
      (row.name == "max_features" && !params.oblique && params.max_features == Amount::fraction(1.0));
  return param_text(idle ? defaults() : params, row);
}

std::string default_of(const ParamRow& row) {
  return value_of(defaults(), row);
}

Error idle_error(const Need& need, const Params& params) {
  return {ErrorCode::bad_params,
          fmt::format("{}={} does nothing, because {}", need.param,
                      param_text(params, *find_param(need.param)), need.off),
          fmt::format("{}, or leave {} out", need.give, need.param)};
}

// Every row names parameters of the table of parameters, and kModes is in the order of Mode.
static_assert([] {
  const auto known = [](std::string_view name) {
    return std::ranges::find(kParams, name, &ParamRow::name) != kParams.end();
  };
  for (std::size_t i = 0; i < kModes.size(); ++i)
    if (static_cast<std::size_t>(kModes[i].mode) != i) return false;
  for (const Exclusion& rule : kExclusions)
    if (!known(rule.param) || (!rule.given.empty() && !known(rule.given.substr(0, rule.given.find('=')))))
      return false;
  return std::ranges::all_of(kNeeds, known, &Need::param);
}());

// The rows of kNeeds in the table of parameters: every fit asks for them, and small ones take less time than a search.
constexpr auto kNeedRows = [] {
  std::array<const ParamRow*, kNeeds.size()> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = &*std::ranges::find(kParams, kNeeds[i].param, &ParamRow::name);
  return rows;
}();

bool is_default(const Params& params, const ParamRow& row) {
  return std::visit([&](auto member) { return params.*member == defaults().*member; }, row.member);
}

// Every parameter says whether it needs another one.
static_assert(std::ranges::all_of(kParams, [](const ParamRow& row) {
  const bool needs = std::ranges::find(kNeeds, row.name, &Need::param) != kNeeds.end();
  return needs != (std::ranges::find(kAlways, row.name) != kAlways.end());
}));

bool is_listed(std::string_view values, std::string_view value) {
  if (values.starts_with('!')) return !is_listed(values.substr(1), value);
  for (std::size_t begin = 0; begin <= values.size();) {
    const std::size_t end = std::min(values.find('|', begin), values.size());
    if (values.substr(begin, end - begin) == value) return true;
    begin = end + 1;
  }
  return false;
}

bool is_given(const Params& params, std::string_view condition) {
  if (condition.empty()) return true;
  const std::size_t sign = condition.find('=');
  return value_of(params, *find_param(condition.substr(0, sign))) == condition.substr(sign + 1);
}

bool excludes(const Exclusion& rule, const Params& params) {
  const ParamRow& row = *find_param(rule.param);
  const std::string value = value_of(params, row);
  const bool unsupported = rule.values.empty() ? value != default_of(row) : is_listed(rule.values, value);
  return unsupported && is_given(params, rule.given);
}

// "cp", "splitter=hist", "pruning=cost_complexity with ccp_alpha=0".
std::string what(const Exclusion& rule, const Params& params) {
  const ParamRow& row = *find_param(rule.param);
  if (rule.param == "forest") return "forests";
  const bool named = !row.choices.empty() || !rule.values.empty();
  std::string words =
      named ? fmt::format("{}={}", rule.param, value_of(params, row)) : std::string(rule.param);
  return rule.given.empty() ? words : fmt::format("{} with {}", words, rule.given);
}

}  // namespace

std::span<const Exclusion> exclusions() noexcept {
  return kExclusions;
}

std::string_view mode_name(Mode mode) noexcept {
  return kModes[static_cast<std::size_t>(mode)].name;
}

void check_exclusions(const Params& params, TrainingKind kind) {
  for (const ModeRow& mode : kModes) {
    if (!mode.on(params, kind)) continue;
    std::vector<std::string> found, hints;
    for (const Exclusion& rule : kExclusions) {
      if (rule.mode != mode.mode || !excludes(rule, params)) continue;
      found.push_back(what(rule, params));
      if (std::ranges::find(hints, rule.hint) == hints.end()) hints.emplace_back(rule.hint);
    }
    if (found.empty()) continue;
    throw Error(mode.code, fmt::format("{} {} not support {}", mode.name, mode.verb, join(found, ", ")),
                join(hints, "; ") + (mode.mode == Mode::blocks ? ", or train in memory" : ""));
  }
}

bool is_supported(Mode mode, const Params& params) {
  return std::ranges::none_of(
      kExclusions, [&](const Exclusion& rule) { return rule.mode == mode && excludes(rule, params); });
}

void check_dependent_params(const Params& params, bool treatment) {
  if (params.class_weight.subsample && params.forest == 0)
    throw Error(ErrorCode::bad_params,
                "class_weight=balanced_subsample weighs the rows that every tree of a forest draws, but one "
                "tree is grown",
                "use balanced, or set forest to a number of trees");
  for (std::size_t i = 0; i < kNeeds.size(); ++i)
    if (!kNeeds[i].met(params, treatment) && !is_default(params, *kNeedRows[i]))
      throw idle_error(kNeeds[i], params);
}

void check_given_params(const Params& params, std::span<const std::string_view> given, bool treatment) {
  for (const Need& need : kNeeds)
    if (!need.met(params, treatment) && std::ranges::find(given, need.param) != given.end())
      throw idle_error(need, params);
}

std::vector<std::string> unsearched_params(const Params& params) {
  std::vector<std::string> names;
  for (const Exclusion& rule : kExclusions)
    if (rule.mode == Mode::search && excludes(rule, params)) names.emplace_back(rule.param);
  return names;
}

void reset_idle_params(Params& params) {
  for (const Need& need : kNeeds)
    if (!need.met(params, true)) set_param(params, need.param, param_default(*find_param(need.param)));
}

}  // namespace bough
