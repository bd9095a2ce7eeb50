// SPDX-License-Identifier: Apache-2.0
// From a table and the user's wishes to what growing needs: schema, targets, weights.
#pragma once

#include <string>
#include <vector>

#include "bough/model.hpp"
#include "data/targets.hpp"

namespace bough {

struct Prepared {
  Task task = Task::classification;
  Schema features;
  Schema targets;    ///< with class levels
  Schema treatment;  ///< empty, or the field of the treatment with its two levels
  Targets values;
  std::vector<double> weights;  ///< of rows, class weights included; empty: all 1
  std::int64_t n_rows = 0;
  std::int64_t n_weighted = 0;  ///< of positive weight: what fractions of rows are of
  std::vector<std::uint64_t>
      row_marks;  ///< per row: what targets and weights as given add to the fingerprint
  std::vector<std::string> notes;
  std::vector<double> case_weights;  ///< per row, before priors and losses; empty: all 1
  std::vector<double>
      value_scale;  ///< per class: from the weights of the search to those of the values; empty: the same
};

/// Resolves columns, checks targets and weights. Throws bad_data or bad_params listing what is wrong.
Prepared prepare(const Table& table, const FitSpec& spec, const Params& params);

}  // namespace bough
