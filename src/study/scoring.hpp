// SPDX-License-Identifier: Apache-2.0
// One number for how well a model answers labelled rows, and its cross-validated form.
#pragma once

#include "bough/model.hpp"
#include "study/refits.hpp"

namespace bough {

/// "accuracy" (higher is better) or "mse" (lower is better).
std::string_view measure_name(Task task) noexcept;
/// Whether score `a` is at least as good as `b`.
bool as_good(Task task, double a, double b) noexcept;

/// Sum of the measure over rows and targets, and of the weights it is to be divided by.
struct ScoreSum {
  double sum = 0.0;
  double weight = 0.0;
  [[nodiscard]] double mean() const { return sum / weight; }
};

/// Per output and row (row after row): 1 or 0 for right or wrong, or the squared error. Labels that the model
/// does not know are wrong.
std::vector<double> row_scores(const Model& model, const Table& table);
ScoreSum score_rows(const Model& model, const Table& table, const std::string& weight);

/// What cross-validation gives fold by fold.
struct FoldScores {
  std::vector<ScoreSum> scores;
  std::vector<double> leaves;
  [[nodiscard]] double pooled() const;
};

/// The same folds for the same targets, number of folds and seed; classes are dealt out evenly.
FoldScores cross_validate(const RefitJob& job, const Table& table, std::int32_t folds, std::uint64_t seed,
                          const Execution& execution);

}  // namespace bough
