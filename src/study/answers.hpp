// SPDX-License-Identifier: Apache-2.0
// Answers of models that may not know the same classes, made comparable.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// What a model answers to every row: numbers, or labels; row after row, n_outputs each.
struct Answers {
  Task task = Task::classification;
  std::size_t n_outputs = 1;
  std::vector<double> values;                    ///< numbers, or class indices
  std::vector<std::vector<std::string>> labels;  ///< per output: the name of every class index
};

Answers answers_of(const Model& model, const Table& table, const Execution& execution);

/// For every class of `other` its index in `own`, or -1.
std::vector<double> class_map(const std::vector<std::string>& own, const std::vector<std::string>& other);

/// Classes: the share of answers that agree; numbers: the root of the mean squared difference.
double compare_answers(const Answers& own, const Answers& other);
/// Rows answered differently in any output.
std::int64_t count_moved(const Answers& own, const Answers& other);

}  // namespace bough
