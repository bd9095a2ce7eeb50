// SPDX-License-Identifier: Apache-2.0
// What all blocks agree on, as the rooms of training see it.
#pragma once

#include <string>
#include <vector>

#include "bough/scale.hpp"
#include "criterion/registry.hpp"

namespace bough {

/// How a feature column is coded in every block.
struct PlanColumn {
  bool is_float = false;      ///< numeric: cells stay float32, else double
  std::vector<double> cuts;   ///< numeric: bucket b holds (cuts[b - 1], cuts[b]]; one more bucket above, one for missing cells
  bool dense = false;         ///< numeric: every value of the sample is a cut; blocks find out whether that holds for all rows
};

struct ScalePlan::Parts {
  FitSpec spec;
  Params params;
  Task task = Task::classification;
  CriterionId criterion = CriterionId::gini;
  Schema features;
  Schema targets;                              ///< with class levels
  std::int64_t n_rows = 0;
  std::vector<PlanColumn> columns;             ///< by feature
  bool weighted = false;                       ///< rows have weights: a column, or class weights
  std::vector<std::vector<double>> class_factors;  ///< per output, by class: what class_weight makes of a weight; empty: nothing
  std::vector<std::string> notes;              ///< those of fit() that can be known from the summaries
};

}  // namespace bough
