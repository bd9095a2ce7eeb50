// SPDX-License-Identifier: Apache-2.0
// From parameters to what growing and search are told.
#include "model/grow_spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/exact_grid.hpp"
#include "base/text.hpp"
#include "model/treatment.hpp"

namespace bough {
namespace {

// auto is what forests have been found to want: sqrt of the columns for classes, a third of them for numbers.
std::int64_t columns_per_node(const Prepared& prepared, const Params& params, std::int64_t n_columns) {
  if (!params.max_features) return n_columns;
  if (params.max_features->unit != Amount::Unit::automatic)
    return params.max_features->resolve_down(n_columns);
  return prepared.task == Task::classification ? Amount::named(Amount::Unit::sqrt).resolve_down(n_columns)
                                               : std::max<std::int64_t>(1, n_columns / 3);
}

ColId feature_index(const Schema& features, const std::string& name, std::string_view param) {
  if (const auto index = features.find(name)) return static_cast<ColId>(*index);
  std::vector<std::string> names;
  for (const Field& field : features.fields) names.push_back(field.name);
  const std::string near = nearest_name(name, names);
  throw Error(ErrorCode::bad_params, fmt::format("{} names '{}', which is no feature column", param, name),
              near.empty() ? fmt::format("the features are {}", list_some(names, 12))
                           : fmt::format("did you mean '{}'?", near));
}

std::vector<int> monotone_signs(const Prepared& prepared, const Params& params) {
  const bool any = std::any_of(params.monotonic_cst.begin(), params.monotonic_cst.end(),
                               [](const auto& entry) { return entry.second != 0.0; });
  if (!any) return {};
  if (prepared.values.n_outputs() != 1 ||
      (prepared.task == Task::classification && prepared.values.classes.front().n_classes > 2))
    throw Error(ErrorCode::not_supported, "monotone constraints need one target, a number or two classes",
                "fit one model per target, or drop monotonic_cst");
  if (prepared.task == Task::classification && prepared.values.classes.front().n_classes < 2) return {};
  std::vector<int> signs(prepared.features.fields.size(), 0);
  for (const auto& [name, sign] : params.monotonic_cst) {
    const auto column = static_cast<std::size_t>(feature_index(prepared.features, name, "monotonic_cst"));
    if (prepared.features.fields[column].kind == Kind::category && sign != 0.0)
      throw Error(ErrorCode::bad_params,
                  fmt::format("monotonic_cst names '{}', a category without order", name),
                  "make the column ordinal, or drop the constraint");
    if (sign != -1.0 && sign != 0.0 && sign != 1.0)
      throw Error(ErrorCode::bad_params, fmt::format("monotonic_cst of '{}' is {}", name, sign),
                  "use 1, 0 or -1");
    signs[column] = static_cast<int>(sign);
  }
  return signs;
}

std::vector<std::vector<ColId>> interaction_groups(const Prepared& prepared, const Params& params) {
  if (params.interaction_cst.empty()) return {};
  std::vector<std::vector<ColId>> groups;
  std::vector<char> listed(prepared.features.fields.size(), 0);
  for (const auto& names : params.interaction_cst) {
    std::vector<ColId> group;
    for (const std::string& name : names) {
      group.push_back(feature_index(prepared.features, name, "interaction_cst"));
      listed[static_cast<std::size_t>(group.back())] = 1;
    }
    std::sort(group.begin(), group.end());
    group.erase(std::unique(group.begin(), group.end()), group.end());
    if (!group.empty()) groups.push_back(std::move(group));
  }
  for (std::size_t j = 0; j < listed.size(); ++j)
    if (!listed[j]) groups.push_back({static_cast<ColId>(j)});
  return groups;
}

SurrogateOptions full_options(const Prepared& prepared, const Params& params) {
  SurrogateOptions full;
  full.missing = params.missing_policy == "surrogate" ? MissingPolicy::surrogate
                 : params.missing_policy == "stop"    ? MissingPolicy::stop
                                                      : MissingPolicy::learn;
  full.wanted =
      full.missing != MissingPolicy::learn || params.competitors > 0 || !params.column_costs.empty();
  if (!full.wanted) return full;
  full.surrogates = static_cast<std::size_t>(params.surrogates);
  full.else_stops = params.surrogate_else == "stop";
  full.known_agreement = params.surrogate_agreement == "known";
  full.competitors = static_cast<std::size_t>(params.competitors);
  if (!params.column_costs.empty()) full.costs.assign(prepared.features.fields.size(), 1.0);
  for (const auto& [name, cost] : params.column_costs)
    full.costs[static_cast<std::size_t>(feature_index(prepared.features, name, "column_costs"))] = cost;
  full.weights = exact_weights(prepared.case_weights);
  return full;
}

ObliqueOptions oblique_options(const Prepared& prepared, const Params& params) {
  ObliqueOptions oblique;
  oblique.wanted = params.oblique;
  if (!params.oblique) return oblique;
  const auto& fields = prepared.features.fields;
  const auto n_numeric = std::count_if(fields.begin(), fields.end(),
                                       [](const Field& field) { return field.kind == Kind::numeric; });
  // The default is for any table; who asks for more columns than there are is told so.
  if (params.feature_combinations > static_cast<double>(n_numeric) &&
      params.feature_combinations != Params().feature_combinations)
    throw Error(ErrorCode::bad_params,
                fmt::format("feature_combinations is {}, but there {} {} numeric column{} to combine",
                            params.feature_combinations, n_numeric == 1 ? "is" : "are", n_numeric,
                            n_numeric == 1 ? "" : "s"),
                n_numeric < 1 ? "drop oblique" : fmt::format("use a number from 1 to {}", n_numeric));
  oblique.combinations = params.feature_combinations;
  oblique.continuous = params.projection_weights == "continuous";
  oblique.standard = params.projection_scale == "standard";
  oblique.axis = params.axis_candidates;
  const auto n_columns = static_cast<std::int64_t>(fields.size());
  oblique.n_candidates = static_cast<std::size_t>(columns_per_node(prepared, params, n_columns));
  return oblique;
}

}  // namespace

GrowSpec grow_spec(const Prepared& prepared, const Params& params, CriterionId criterion) {
  GrowSpec spec;
  spec.engine.criterion = criterion;
  spec.engine.quantile = params.quantile;
  spec.engine.scan.equality = params.category_split == "equality";
  spec.engine.scan.random = params.splitter == "random";
  spec.engine.full = full_options(prepared, params);
  spec.engine.oblique = oblique_options(prepared, params);
  spec.engine.monotone = monotone_signs(prepared, params);
  spec.engine.arms = arm_options(prepared, params);
  spec.variance_price = variance_price(params);
  if (params.max_depth) spec.max_depth = *params.max_depth;
  spec.min_samples_split = params.min_samples_split.resolve_up(prepared.n_weighted);
  spec.min_samples_leaf = params.min_samples_leaf.resolve_up(prepared.n_weighted);
  spec.min_weight_fraction_leaf = params.min_weight_fraction_leaf;
  spec.min_impurity_decrease = params.min_impurity_decrease;
  spec.max_leaf_nodes = params.max_leaf_nodes;
  if (params.max_features && !params.oblique &&
      (params.max_features->unit == Amount::Unit::square ||
       (params.max_features->unit == Amount::Unit::fraction && params.max_features->value > 1.0)))
    throw Error(ErrorCode::bad_params,
                fmt::format("max_features is {}, but only oblique trees try more than every column",
                            params.max_features->unit == Amount::Unit::square
                                ? "square"
                                : number_text(params.max_features->value)),
                "use a fraction up to 1, a count, sqrt or log2, or oblique");
  if (params.max_features)
    spec.max_features = static_cast<std::size_t>(
        columns_per_node(prepared, params, static_cast<std::int64_t>(prepared.features.fields.size())));
  spec.interactions = interaction_groups(prepared, params);
  // Where chance takes part anyway, or many trees would prefer the same column for its place.
  spec.draw_ties = params.forest > 0 || spec.engine.scan.random || spec.max_features > 0;
  spec.seed = static_cast<std::uint64_t>(params.seed);
  return spec;
}

void force_engine(GrowSpec& spec, std::string_view engine) {
  if (engine == "refine" || engine == "frugal") {
    spec.engine.small_rows = 0;
    spec.engine.min_histogram = 1;
  }
  if (engine == "frugal") spec.engine.histogram_budget = std::size_t{64} << 10;
  if (engine == "presorted") spec.engine.small_rows = kMostSmallRows;
}

}  // namespace bough
