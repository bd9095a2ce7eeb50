// SPDX-License-Identifier: Apache-2.0
// What cannot be trained on blocks, by name.
#include <fmt/format.h>

#include <algorithm>

#include "bough/scale.hpp"
#include "split/bounded.hpp"

namespace bough {
namespace {

void refuse(bool asked, std::string_view what, std::string_view hint) {
  if (asked)
    throw Error(ErrorCode::not_supported, fmt::format("training on blocks does not know {} yet", what),
                fmt::format("{}, or train in memory", hint));
}

void refuse_search(const Params& params) {
  refuse(params.algorithm != "cart", fmt::format("algorithm={}", params.algorithm), "use algorithm=cart");
  for (const CriterionInfo& info : kCriterionTable)
    refuse(params.criterion == info.name && !has_bounds(info.id), fmt::format("criterion={}", info.name),
           info.task == Task::classification ? "use gini or entropy" : "use squared_error or poisson");
  refuse(params.splitter != "best", fmt::format("splitter={}", params.splitter), "use splitter=best");
  refuse(params.missing_policy != "learn", fmt::format("missing_policy={}", params.missing_policy),
         "use missing_policy=learn");
  refuse(params.competitors > 0, "competitors", "drop competitors");
  refuse(!params.column_costs.empty(), "column_costs", "drop column_costs");
  refuse(params.oblique, "oblique", "drop oblique");
  refuse(params.max_leaf_nodes.has_value(), "max_leaf_nodes", "use max_depth or ccp_alpha");
  refuse(params.lookahead > 1, fmt::format("lookahead={}", params.lookahead), "drop lookahead");
}

void refuse_later(const Params& params) {
  const std::string_view pruning = resolved_pruning(params);
  refuse(pruning == "cost_complexity" && params.ccp_alpha == 0.0, "pruning=cost_complexity without a price",
         "set ccp_alpha");
  refuse(pruning != "none" && pruning != "cost_complexity", fmt::format("pruning={}", pruning),
         "use ccp_alpha");
  refuse(params.cp >= 0.0, "cp", "use ccp_alpha");
  refuse(params.tao > 0, "tao", "drop tao");
  refuse(params.honest, "honest", "drop honest");
  refuse(params.calibration_fraction > 0.0, "calibration_fraction", "drop calibration_fraction");
  refuse(params.leaf_samples, "leaf_samples", "drop leaf_samples");
  refuse(params.little_bags > 0, "little_bags", "drop little_bags");
}

// Rows would be drawn in proportion to their weights. What is not certain before the rows are known (a column
// of weights that may be all 1, classes that may be balanced, a product of weights) is refused when they are.
void refuse_drawn_weights(const FitSpec& spec, const Params& params) {
  const bool product = spec.targets.size() != 1 || !spec.weight.empty() ||
                       std::any_of(spec.columns.begin(), spec.columns.end(),
                                   [](const ColumnSpec& column) { return column.role == Role::weight; });
  const auto& by_name = params.class_weight.by_name;
  const bool differ =
      std::any_of(by_name.begin(), by_name.end(), [](const auto& of) { return of.second != 1.0; });
  refuse(params.forest > 0 && params.bootstrap && !product && differ, "class_weight of a bootstrap forest",
         "turn bootstrap off, drop class_weight");
}

}  // namespace

void check_scale_params(const FitSpec& spec, const Params& params) {
  refuse_search(params);
  refuse_later(params);
  refuse(!params.priors.empty(), "priors", "use class_weight");
  refuse(!params.loss_matrix.empty(), "loss_matrix", "use class_weight");
  refuse(params.class_weight.subsample, "class_weight=balanced_subsample",
         "turn bootstrap off and use class_weight=balanced");
  refuse_drawn_weights(spec, params);
  refuse(!spec.treatment.empty(), "a treatment", "drop the treatment");
}

}  // namespace bough
