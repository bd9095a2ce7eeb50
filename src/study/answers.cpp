// SPDX-License-Identifier: Apache-2.0
// Answers of models, matched by the names of classes.
#include "study/answers.hpp"

#include <cmath>

namespace bough {
namespace {

// The answers of `other` in the class indices of `own`.
std::vector<double> matched(const Answers& own, const Answers& other) {
  if (own.task == Task::regression) return other.values;
  std::vector<double> values(other.values.size());
  for (std::size_t output = 0; output < own.n_outputs; ++output) {
    const std::vector<double> map = class_map(own.labels[output], other.labels[output]);
    for (std::size_t i = output; i < values.size(); i += own.n_outputs)
      values[i] = map[static_cast<std::size_t>(other.values[i])];
  }
  return values;
}

}  // namespace

Answers answers_of(const Model& model, const Table& table, const Execution& execution) {
  Answers answers{model.task(),
                  model.n_outputs(),
                  model.predict(table, {.threads = execution.threads, .progress = {}}),
                  {}};
  for (const Field& field : model.targets().fields) answers.labels.push_back(field.levels.names);
  return answers;
}

std::vector<double> class_map(const std::vector<std::string>& own, const std::vector<std::string>& other) {
  std::map<std::string_view, double> index;
  for (std::size_t i = 0; i < own.size(); ++i) index[own[i]] = static_cast<double>(i);
  std::vector<double> map;
  for (const std::string& name : other) {
    const auto found = index.find(name);
    map.push_back(found == index.end() ? -1.0 : found->second);
  }
  return map;
}

double compare_answers(const Answers& own, const Answers& other) {
  const std::vector<double> values = matched(own, other);
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double gap = values[i] - own.values[i];
    sum += own.task == Task::classification ? (gap == 0.0 ? 1.0 : 0.0) : gap * gap;
  }
  sum /= static_cast<double>(values.size());
  return own.task == Task::classification ? sum : std::sqrt(sum);
}

std::int64_t count_moved(const Answers& own, const Answers& other) {
  const std::vector<double> values = matched(own, other);
  std::int64_t moved = 0;
  for (std::size_t row = 0; row < values.size(); row += own.n_outputs) {
    bool differs = false;
    for (std::size_t k = row; k < row + own.n_outputs; ++k) differs = differs || values[k] != own.values[k];
    moved += differs ? 1 : 0;
  }
  return moved;
}

}  // namespace bough
