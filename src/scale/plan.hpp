// SPDX-License-Identifier: Apache-2.0
// What all blocks agree on, as the rooms of training see it.
#pragma once

#include <string>
#include <vector>

#include "bough/scale.hpp"
#include "criterion/registry.hpp"
#include "data/cuts.hpp"

namespace bough {

/// How a numeric feature is coded in every block; blocks find out whether `dense` holds for all rows.
using PlanColumn = ColumnCuts;

struct ScalePlan::Parts {
  FitSpec spec;
  Params params;
  Task task = Task::classification;
  CriterionId criterion = CriterionId::gini;
  Schema features;
  Schema targets;  ///< with class levels
  std::int64_t n_rows = 0;
  std::vector<PlanColumn> columns;  ///< by feature
  bool weighted = false;            ///< rows have weights: a column, or class weights
  std::vector<std::vector<double>>
      class_factors;  ///< per output, by class: what class_weight makes of a weight; empty: nothing
  std::vector<std::string> notes;  ///< those of fit() that can be known from the summaries: about the task,
  std::vector<std::string>
      later_notes;  ///< and those that follow the one about rows of weight 0 (plan_notes in sign.hpp)
};

}  // namespace bough
