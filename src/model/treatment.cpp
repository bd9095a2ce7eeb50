// SPDX-License-Identifier: Apache-2.0
// Reading and checking the treatment.
#include "model/treatment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "data/cells.hpp"
#include "data/encoded.hpp"
#include "model/classics.hpp"

namespace bough {
namespace {

void refuse_beside(bool asked, const std::string& what, const char* hint) {
  if (asked)
    throw Error(ErrorCode::not_supported, fmt::format("trees with a treatment do not know {}", what), hint);
}

void check_missing(const Table::Column& column, const std::string& name, std::int64_t n_rows) {
  std::int64_t count = 0, first = -1;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    if (!is_missing(column, row)) continue;
    if (count++ == 0) first = row;
  }
  if (count == 0) return;
  throw Error(ErrorCode::bad_data,
              fmt::format("the treatment '{}' is missing in {} of {} rows, first in row {}", name, count,
                          n_rows, first + 1),
              "remove those rows, or say what they are: treated or not");
}

}  // namespace

void check_treatment_params(const Params& params) {
  refuse_beside(is_classic(params), fmt::format("algorithm={}", params.algorithm), "use algorithm=cart");
  refuse_beside(params.criterion != "auto", fmt::format("criterion={}", params.criterion),
                "leave criterion at auto; causal_split says what splits are for");
  refuse_beside(params.oblique, "oblique", "leave it out");
  refuse_beside(params.lookahead > 1, "lookahead", "leave it out");
  refuse_beside(params.tao > 0, "tao", "leave it out");
  refuse_beside(params.splitter == "hist", "splitter=hist", "use splitter=best or random");
  refuse_beside(!params.monotonic_cst.empty(), "monotonic_cst", "drop the constraints");
  refuse_beside(params.missing_policy != "learn", fmt::format("missing_policy={}", params.missing_policy),
                "use missing_policy=learn");
  refuse_beside(params.competitors > 0, "competitors", "leave them out");
  refuse_beside(!params.column_costs.empty(), "column_costs", "leave them out");
  refuse_beside(params.calibration_fraction > 0.0, "calibration_fraction",
                "intervals of effects come from honest leaves");
  refuse_beside(params.leaf_samples, "leaf_samples", "leave it out");
  refuse_beside(params.cp >= 0.0, "cp", "use ccp_alpha");
  refuse_beside(params.honest && params.honest_method == "apply" &&
                    (params.honest_prior == "ignore" || params.honest_prior == "uniform"),
                fmt::format("honest_prior={}", params.honest_prior),
                "use ancestor or empirical, or honest_method=prune");
  const std::string_view pruning = resolved_pruning(params);
  refuse_beside(pruning == "cost_complexity" && params.ccp_alpha == 0.0,
                "a price of leaves that cross-validation chooses",
                "give ccp_alpha, or use honest trees, whose splits pay for their variance");
  refuse_beside(pruning == "cost_complexity" && params.pruning_risk == "error", "pruning_risk=error",
                "use pruning_risk=impurity");
  refuse_beside(pruning != "none" && pruning != "cost_complexity" && pruning != "critical_value",
                fmt::format("pruning={}", pruning), "use ccp_alpha or pruning=critical_value");
}

Task effect_task(const Schema& targets, const Params& params) {
  if (params.task == "classification")
    throw Error(
        ErrorCode::bad_params, "the effect of a treatment is on a number, but the task is classification",
        "leave the task out; for two classes use a target of 0 and 1: the effect is then on the chance of 1");
  if (targets.fields.size() != 1)
    throw Error(
        ErrorCode::bad_params,
        fmt::format("the effect of a treatment is on one target, but {} are named", targets.fields.size()),
        "fit one model per target");
  return Task::regression;
}

Field read_treatment(const Table& table, Field field, std::vector<std::uint8_t>& treated) {
  const Table::Column& column = table.column(table.find(field.name).value());
  check_missing(column, field.name, table.n_rows());
  if (field.levels.size() == 0) field.levels = collect_levels(column);
  if (field.levels.size() < 2)
    throw Error(ErrorCode::bad_data,
                fmt::format("the treatment '{}' is {} in every row", field.name, field.levels.names.front()),
                "an effect compares treated rows with untreated ones: give rows of both");
  if (field.levels.size() > 2)
    throw Error(ErrorCode::bad_data,
                fmt::format("the treatment '{}' must have two values, but has {}: {}", field.name,
                            field.levels.size(), list_some(field.levels.names, 6)),
                "keep the rows of two of them, or join values; the second in order is the treatment");
  std::vector<std::int32_t> codes(static_cast<std::size_t>(table.n_rows()));
  LevelReader(column, field.levels).read(0, codes);
  treated.assign(codes.begin(), codes.end());
  return field;
}

void check_arms(const Prepared& prepared) {
  if (prepared.treatment.fields.empty()) return;
  const Targets& targets = prepared.values;
  const auto n = std::count_if(targets.rows.begin(), targets.rows.end(),
                               [&](RowId row) { return targets.treated[row] != 0; });
  const Field& field = prepared.treatment.fields.front();
  const bool all = n == static_cast<std::ptrdiff_t>(targets.rows.size());
  if (n > 0 && !all) return;
  throw Error(ErrorCode::bad_data,
              fmt::format("every row of positive weight has the treatment '{}' at {}", field.name,
                          field.levels.names[all ? 1 : 0]),
              "an effect compares treated rows with untreated ones: give rows of both a weight");
}

ArmOptions arm_options(const Prepared& prepared, const Params& params) {
  ArmOptions arms;
  arms.wanted = !prepared.treatment.fields.empty();
  arms.effect = params.causal_split == "effect";
  arms.min_rows = params.min_samples_arm;
  return arms;
}

void refuse_treatment(const Model& model, std::string_view what, std::string_view hint) {
  if (model.parts().treatment.fields.empty()) return;
  throw Error(
      ErrorCode::not_supported,
      fmt::format("{} is not for models of a treatment: they answer with effects, which no row shows", what),
      std::string(hint));
}

double variance_price(const Params& params) noexcept {
  return params.honest && params.causal_split == "effect" ? 1.0 / params.honest_fraction : 0.0;
}

std::string_view causal_criterion(const Params& params) noexcept {
  return params.causal_split == "effect" ? "effect_error" : "treatment_gini";
}

}  // namespace bough
