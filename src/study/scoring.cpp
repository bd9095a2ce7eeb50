// SPDX-License-Identifier: Apache-2.0
// Scores by rows, and cross-validation of a model's parameters.
#include "study/scoring.hpp"

#include <fmt/format.h>

#include "data/cells.hpp"
#include "model/folds.hpp"

namespace bough {

std::string_view measure_name(Task task) noexcept {
  return task == Task::classification ? "accuracy" : "mse";
}

bool as_good(Task task, double a, double b) noexcept {
  return task == Task::classification ? a >= b : a <= b;
}

std::vector<double> row_scores(const Model& model, const Table& table) {
  const std::size_t n_outputs = model.n_outputs(), n_rows = static_cast<std::size_t>(table.n_rows());
  std::vector<double> values = model.predict(table, {.threads = 1, .progress = {}});
  for (std::size_t output = 0; output < n_outputs; ++output) {
    const Field& field = model.targets().fields[output];
    const Table::Column& column = table.column(table.find(field.name).value());
    if (model.task() == Task::classification) {
      std::vector<std::int32_t> truth(n_rows);
      LevelReader(column, field.levels).read(0, truth);
      for (std::size_t row = 0; row < n_rows; ++row) {
        double& value = values[row * n_outputs + output];
        value = value == static_cast<double>(truth[row]) ? 1.0 : 0.0;
      }
    } else {
      std::vector<double> truth(n_rows);
      read_numbers(column, 0, truth);
      for (std::size_t row = 0; row < n_rows; ++row) {
        double& value = values[row * n_outputs + output];
        value = (truth[row] - value) * (truth[row] - value);
      }
    }
  }
  return values;
}

ScoreSum score_rows(const Model& model, const Table& table, const std::string& weight) {
  const std::vector<double> scores = row_scores(model, table);
  std::vector<double> weights(static_cast<std::size_t>(table.n_rows()), 1.0);
  if (!weight.empty()) read_numbers(table.column(table.find(weight).value()), 0, weights);
  ScoreSum sum;
  const std::size_t n_outputs = model.n_outputs();
  for (std::size_t i = 0; i < scores.size(); ++i) {
    sum.sum += weights[i / n_outputs] * scores[i];
    sum.weight += weights[i / n_outputs];
  }
  return sum;
}

double FoldScores::pooled() const {
  ScoreSum all;
  for (const ScoreSum& score : scores) {
    all.sum += score.sum;
    all.weight += score.weight;
  }
  return all.mean();
}

FoldScores cross_validate(const RefitJob& job, const Table& table, std::int32_t folds, std::uint64_t seed,
                          const Execution& execution) {
  const Prepared prepared = prepare(table, job.spec, job.params);
  if (std::ssize(prepared.values.rows) < folds)
    throw Error(ErrorCode::bad_data,
                fmt::format("{} rows are too few for {} folds", prepared.values.rows.size(), folds),
                "ask for fewer folds, or give more rows");
  const Folds dealt = make_folds(table, prepared, {}, folds, seed);
  FoldScores result;
  for (std::int32_t fold = 0; fold < dealt.n; ++fold) {
    std::vector<RowId> train, test;
    for (const RowId row : prepared.values.rows) (dealt.of_row[row] == fold ? test : train).push_back(row);
    if (test.empty()) continue;
    const Model model = job.fit(table.take(train), execution);
    result.scores.push_back(score_rows(model, table.take(test), job.spec.weight));
    result.leaves.push_back(static_cast<double>(model.tree().n_leaves()));
  }
  return result;
}

}  // namespace bough
