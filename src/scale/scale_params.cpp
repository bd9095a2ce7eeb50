// SPDX-License-Identifier: Apache-2.0
// What cannot be trained on blocks, by name.
#include <fmt/format.h>

#include <algorithm>

#include "bough/scale.hpp"
#include "params/conflicts.hpp"

namespace bough {
namespace {

void refuse(bool asked, std::string_view what, std::string_view hint) {
  if (asked)
    throw Error(ErrorCode::not_supported, fmt::format("training on blocks does not support {}", what),
                fmt::format("{}, or train in memory", hint));
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
  const CriterionInfo* criterion = find_criterion(params.criterion);
  refuse(criterion != nullptr && !criterion->has_bounds, fmt::format("criterion={}", params.criterion),
         criterion != nullptr && criterion->task == Task::classification ? "use gini or entropy"
                                                                         : "use squared_error or poisson");
  check_exclusions(params, {.blocks = true});
  refuse_drawn_weights(spec, params);
  refuse(!spec.treatment.empty(), "a treatment", "drop the treatment");
}

}  // namespace bough
