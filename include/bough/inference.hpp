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
  double rows = 0.0;      ///< weight in it
  double response = 0.0;  ///< share of the positive class
  double lift = 0.0;      ///< response over the overall share
};

/// Where a score would lie for the population that the rows were drawn from, with the confidence of the evaluation.
struct ScoreInterval {
  double low = 0.0;
  double high = 0.0;
  std::string method;  ///< "Wilson", "DeLong", "t", ...; docs/study.md says what each is and when it holds
};

/// How well one class is found.
struct ClassScore {
  double recall = 0.0;     ///< share of its rows that are predicted as it; NaN without any
  double precision = 0.0;  ///< share of the rows predicted as it that are it; NaN without any
};

/// Classes above which the AUC, a ranking of all rows for every class, is left out.
inline constexpr std::size_t kMostRankedClasses = 200;

/// Scores of one output. Numbers that have no meaning for the task are absent from `scores`.
struct Evaluation {
  std::string target;
  Task task = Task::classification;
  std::int64_t n_rows = 0;
  double weight = 0.0;
  /// accuracy, balanced_accuracy, auc (mean of one against the rest above two classes; left out above kMostRankedClasses), ks (two classes),
  /// log_loss, brier; rmse, mae, r2, deviance (Poisson; only when predictions are above 0 and targets not
  /// below), pinball (at the model's quantile).
  std::map<std::string, double> scores;
  /// An interval for every score whose rows say something about its spread (more than one row, or a rate).
  std::map<std::string, ScoreInterval> intervals;
  double confidence = 0.95;          ///< of the intervals
  std::vector<std::string> classes;  ///< the model's classes, then `unseen`
  std::vector<std::string> unseen;   ///< labels of these rows that the model has never seen
  /// Weight, true class by predicted class; empty above 1,000 classes.
  std::vector<std::vector<double>> confusion;
  std::vector<ClassScore> by_class;  ///< of `classes`; empty where the confusion is
  std::vector<LiftDecile> lift;      ///< two classes only
};

/// What people call a score: "balanced accuracy", "AUC"; the name itself where it is none of evaluate's.
std::string score_title(std::string_view name);

/// Rows to train on, and rows to score that training by.
struct HeldOutRows {
  std::vector<RowId> training;
  std::vector<RowId> held_out;
};
/// Holds out a fraction of the rows, drawn by the seed, the same on every machine. For classes every
/// combination of labels gives its share, and at least one of its rows stays in training. Throws bad_data
/// where the table has no column of a target of the model.
HeldOutRows hold_out(const Table& table, const Model& model, double fraction, std::uint64_t seed);

/// How rows are scored.
struct EvaluateOptions {
  std::string weight{};      ///< column of row weights, or empty
  double confidence = 0.95;  ///< of the intervals, in (0, 1)
};

/// Evaluates every output. `weight`: a column of row weights or empty. Throws bad_data, naming column and
/// row, when a target is missing, a weight is negative or no label at all is known. A label that the model
/// has never seen is a class of its own with the chance 0: its rows count as wrong, with a row of their own
/// in the confusion matrix.
std::vector<Evaluation> evaluate(const Model& model, const Table& table, std::string_view weight = {},
                                 const Execution& execution = {});
std::vector<Evaluation> evaluate(const Model& model, const Table& table, const EvaluateOptions& options,
                                 const Execution& execution = {});
/// The same for every value of a group column, by its text; "(missing)" for rows without one.
std::map<std::string, std::vector<Evaluation>> evaluate_by(const Model& model, const Table& table,
                                                           std::string_view group,
                                                           std::string_view weight = {},
                                                           const Execution& execution = {});
std::map<std::string, std::vector<Evaluation>> evaluate_by(const Model& model, const Table& table,
                                                           std::string_view group,
                                                           const EvaluateOptions& options,
                                                           const Execution& execution = {});
std::string to_json(const std::vector<Evaluation>& evaluations);
std::string to_json(const std::map<std::string, std::vector<Evaluation>>& groups);

}  // namespace bough
