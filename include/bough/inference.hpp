// SPDX-License-Identifier: Apache-2.0
// How good a model is: scores on labelled rows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// One row of a lift table: rows sorted by predicted chance, cut into tenths.
struct LiftDecile {
  int decile = 1;
  double rows = 0.0;        ///< weight in it
  double response = 0.0;    ///< share of the positive class
  double lift = 0.0;        ///< response over the overall share
};

/// Scores of one output. Numbers that have no meaning for the task are absent from `scores`.
struct Evaluation {
  std::string target;
  Task task = Task::classification;
  std::int64_t n_rows = 0;
  double weight = 0.0;
  /// accuracy, balanced_accuracy, auc (mean of one against the rest above two classes), ks, log_loss, brier;
  /// rmse, mae, r2, deviance (poisson), pinball.
  std::map<std::string, double> scores;
  std::vector<std::string> classes;
  std::vector<std::vector<double>> confusion;  ///< weight, true class by predicted class
  std::vector<LiftDecile> lift;                ///< two classes only
};

/// Evaluates every output. `weight`: a column of row weights or empty. Rows whose target is missing are refused by name.
std::vector<Evaluation> evaluate(const Model& model, const Table& table, std::string_view weight = {},
                                 const Execution& execution = {});
/// The same for every value of a group column.
std::map<std::string, std::vector<Evaluation>> evaluate_by(const Model& model, const Table& table,
                                                           std::string_view group, std::string_view weight = {},
                                                           const Execution& execution = {});
std::string to_json(const std::vector<Evaluation>& evaluations);

}  // namespace bough
