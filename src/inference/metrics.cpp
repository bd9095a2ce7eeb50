// SPDX-License-Identifier: Apache-2.0
// Evaluation of a model on labelled rows: reading truth and weights, predicting once, scoring every group.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bough/inference.hpp"
#include "bough/json.hpp"
#include "data/cells.hpp"
#include "inference/labelled_rows.hpp"
#include "model/prepare_rules.hpp"
#include "model/treatment.hpp"

namespace bough {

const Table::Column& find_column(const Table& table, std::string_view name, std::string_view what) {
  if (const std::optional<std::size_t> at = table.find(name)) return table.column(*at);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.n_columns(); ++i) names.push_back(table.name(i));
  const std::string near =
      name.size() > 2 ? nearest_name(name, names) : "";  // any short name is near another
  throw Error(ErrorCode::bad_data, fmt::format("the table lacks the {} column '{}'", what, name),
              near.empty() ? fmt::format("its columns are {}", list_some(names, 10))
                           : fmt::format("did you mean '{}'?", near));
}

namespace {

constexpr std::size_t kMostListed = 5;

// Throws when a row is marked bad, naming how many are and the first, counted from 1.
void refuse_rows(const std::vector<std::int64_t>& bad, const std::string& problem, const std::string& hint) {
  if (bad.empty()) return;
  throw Error(ErrorCode::bad_data,
              fmt::format("{} in {} row{}, first in row {}", problem, bad.size(), bad.size() == 1 ? "" : "s",
                          bad.front() + 1),
              hint);
}

std::vector<double> read_column(const Table& table, const Table::Column& column) {
  std::vector<double> numbers(static_cast<std::size_t>(table.n_rows()));
  read_numbers(column, 0, numbers);
  return numbers;
}

std::vector<double> read_weights(const Table& table, std::string_view name) {
  if (name.empty()) return {};
  const Table::Column& column = find_column(table, name, "weight");
  if (!is_number_column(column))
    throw Error(ErrorCode::bad_data, fmt::format("the weight column '{}' holds text", name),
                "weights are numbers of 0 or more");
  std::vector<double> weights = read_column(table, column);
  std::vector<std::int64_t> bad;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (!std::isfinite(weights[i]) || weights[i] < 0.0) bad.push_back(static_cast<std::int64_t>(i));
  refuse_rows(bad, fmt::format("the weight column '{}' is missing, negative or not finite", name),
              "weights are numbers of 0 or more");
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0.0; }))
    throw Error(ErrorCode::bad_data, fmt::format("every weight in column '{}' is 0", name),
                "at least one row must count");
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  check_weight_size(sum);
  return weights;
}

// Gives labels that the model does not know the codes after those it knows, in the order of their text.
void name_unseen(const Table::Column& column, ScoredOutput& output) {
  std::map<std::string, std::int32_t> unseen;
  for (std::size_t i = 0; i < output.classes.size(); ++i)
    if (output.classes[i] == kUnseenLevel) unseen.emplace(cell_text(column, static_cast<std::int64_t>(i)), 0);
  if (unseen.empty()) return;
  for (auto& [label, code] : unseen) {
    code = static_cast<std::int32_t>(output.start.classes.size());
    output.start.classes.push_back(label);
    output.start.unseen.push_back(label);
  }
  for (std::size_t i = 0; i < output.classes.size(); ++i)
    if (output.classes[i] == kUnseenLevel)
      output.classes[i] = unseen.at(cell_text(column, static_cast<std::int64_t>(i)));
}

void read_classes(const Table::Column& column, const Field& field, ScoredOutput& output) {
  LevelReader(column, field.levels).read(0, output.classes);
  std::vector<std::int64_t> missing;
  for (std::size_t i = 0; i < output.classes.size(); ++i)
    if (output.classes[i] == kMissingLevel) missing.push_back(static_cast<std::int64_t>(i));
  refuse_rows(missing, fmt::format("the target '{}' is missing", field.name),
              "leave out rows without a known target");
  output.start.classes = field.levels.names;
  output.n_known = field.levels.size();
  name_unseen(column, output);
  const bool any_known = std::ranges::any_of(
      output.classes, [&](std::int32_t code) { return static_cast<std::size_t>(code) < output.n_known; });
  if (!any_known)
    throw Error(ErrorCode::bad_data,
                fmt::format("no label in column '{}' is a class of the model: {}", field.name,
                            list_some(output.start.unseen, kMostListed)),
                fmt::format("the classes are {}", list_some(field.levels.names, kMostListed)));
}

void read_numbers_of(const Table& table, const Table::Column& column, const Field& field,
                     ScoredOutput& output) {
  if (!is_number_column(column))
    throw Error(ErrorCode::bad_data,
                fmt::format("the target '{}' holds text, but the model predicts numbers", field.name),
                "give the column the model was trained on");
  output.numbers = read_column(table, column);
  std::vector<std::int64_t> bad;
  for (std::size_t i = 0; i < output.numbers.size(); ++i)
    if (!std::isfinite(output.numbers[i])) bad.push_back(static_cast<std::int64_t>(i));
  refuse_rows(bad, fmt::format("the target '{}' is missing or not finite", field.name),
              "leave out rows without a known target");
}

// The power of two that brings numbers whose fourth powers leave the range of doubles near 1; 0 for all others.
int far_exponent(const NumberRows& data) {
  double largest = 0.0;
  for (const std::int64_t row : data.rows) {
    const auto i = static_cast<std::size_t>(row);
    if (weight_of(data.weights, row) > 0.0)
      largest = std::max({largest, std::fabs(data.truth[i]), std::fabs(data.predicted[i])});
  }
  return largest == 0.0 || (largest > 1e-70 && largest < 1e70) ? 0 : std::ilogb(largest);
}

// Scores have squares and squares of squares inside; all but r2, which has no unit, grow with the numbers.
void score_scaled(const NumberRows& data, bool intervals, Evaluation& evaluation) {
  const int exponent = far_exponent(data);
  NumberRows near = data;
  std::vector<double> truth, predicted;
  if (exponent != 0) {
    truth.assign(data.truth.begin(), data.truth.end());
    predicted.assign(data.predicted.begin(), data.predicted.end());
    for (std::vector<double>* numbers : {&truth, &predicted})
      for (double& number : *numbers) number = std::ldexp(number, -exponent);
    near.truth = truth;
    near.predicted = predicted;
  }
  score_numbers(near, evaluation);
  if (intervals) add_intervals(near, evaluation);
  if (exponent == 0) return;
  for (auto& [name, score] : evaluation.scores)
    if (name != "r2") score = std::ldexp(score, exponent);
  for (auto& [name, interval] : evaluation.intervals)
    if (name != "r2")
      interval = {std::ldexp(interval.low, exponent), std::ldexp(interval.high, exponent), interval.method};
}

}  // namespace

std::vector<Evaluation> Scored::score(std::span<const std::int64_t> rows) const {
  std::vector<Evaluation> evaluations;
  for (const ScoredOutput& output : outputs) {
    Evaluation& evaluation = evaluations.emplace_back(output.start);
    evaluation.confidence = confidence;
    if (evaluation.task == Task::classification) {
      const ClassRows data{rows,
                           weights,
                           output.classes,
                           output.predicted,
                           output.chances,
                           output.n_known,
                           output.start.classes.size()};
      score_classes(data, evaluation);
      if (intervals) add_intervals(data, evaluation);
    } else {
      score_scaled({rows, weights, output.numbers, output.predicted, quantile}, intervals, evaluation);
    }
  }
  return evaluations;
}

void Scored::take_answers(std::span<const double> answers) {
  const std::size_t n_outputs = outputs.size(), n_rows = answers.size() / n_outputs;
  for (std::size_t i = 0; i < n_outputs; ++i) {
    outputs[i].predicted.resize(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) outputs[i].predicted[row] = answers[row * n_outputs + i];
  }
}

Scored read_truth(const Model& model, const Table& table, std::string_view weight) {
  refuse_treatment(model, "scoring answers", "compare effects with what a trial or a simulation knows");
  if (table.n_rows() == 0)
    throw Error(ErrorCode::bad_data, "the table has no rows to evaluate", "give at least one labelled row");
  Scored scored;
  scored.quantile = model.params().quantile;
  scored.weights = read_weights(table, weight);
  const auto n_rows = static_cast<std::size_t>(table.n_rows());
  for (const Field& field : model.targets().fields) {
    ScoredOutput& output = scored.outputs.emplace_back();
    output.start.target = field.name;
    output.start.task = model.task();
    const Table::Column& column = find_column(table, field.name, "target");
    if (model.task() == Task::classification) {
      output.classes.resize(n_rows);
      read_classes(column, field, output);
    } else {
      read_numbers_of(table, column, field, output);
    }
  }
  return scored;
}

namespace {

Scored predict_all(const Model& model, const Table& table, const EvaluateOptions& options,
                   const Execution& execution) {
  if (!(options.confidence > 0.0 && options.confidence < 1.0))
    throw Error(ErrorCode::bad_params,
                fmt::format("intervals cannot have the confidence {}", number_text(options.confidence)),
                "give a number between 0 and 1, such as 0.95");
  Scored scored = read_truth(model, table, options.weight);
  scored.confidence = options.confidence;
  scored.take_answers(model.predict(table, execution));
  if (model.task() == Task::classification)
    for (std::size_t i = 0; i < scored.outputs.size(); ++i)
      scored.outputs[i].chances = model.predict_proba(table, i, execution);
  return scored;
}

std::vector<std::int64_t> all_rows(const Table& table) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(table.n_rows()));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

std::vector<Evaluation> evaluate(const Model& model, const Table& table, const EvaluateOptions& options,
                                 const Execution& execution) {
  const Scored scored = predict_all(model, table, options, execution);
  std::vector<Evaluation> evaluations;
  with_threads(execution.threads, [&] { evaluations = scored.score(all_rows(table)); });
  return evaluations;
}

std::vector<Evaluation> evaluate(const Model& model, const Table& table, std::string_view weight,
                                 const Execution& execution) {
  return evaluate(model, table, EvaluateOptions{std::string(weight)}, execution);
}

std::map<std::string, std::vector<Evaluation>> evaluate_by(const Model& model, const Table& table,
                                                           std::string_view group,
                                                           const EvaluateOptions& options,
                                                           const Execution& execution) {
  const Table::Column& column = find_column(table, group, "group");
  const Scored scored = predict_all(model, table, options, execution);
  std::map<std::string, std::vector<std::int64_t>> rows;
  for (std::int64_t row = 0; row < table.n_rows(); ++row)
    rows[is_missing(column, row) ? "(missing)" : cell_text(column, row)].push_back(row);
  std::map<std::string, std::vector<Evaluation>> evaluations;
  with_threads(execution.threads, [&] {
    for (const auto& [name, members] : rows) evaluations[name] = scored.score(members);
  });
  return evaluations;
}

std::map<std::string, std::vector<Evaluation>> evaluate_by(const Model& model, const Table& table,
                                                           std::string_view group, std::string_view weight,
                                                           const Execution& execution) {
  return evaluate_by(model, table, group, EvaluateOptions{std::string(weight)}, execution);
}

}  // namespace bough
