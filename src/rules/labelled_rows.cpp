// SPDX-License-Identifier: Apache-2.0
// The targets and weights of the rows that rules are counted on.
#include "rules/labelled_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "data/cells.hpp"
#include "inference/labelled_rows.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostListed = 5;

std::vector<double> numbers_of(const Table& table, std::string_view name, std::string_view what) {
  const Table::Column& column = find_column(table, name, what);
  if (!is_number_column(column))
    throw Error(ErrorCode::bad_data, fmt::format("the {} column '{}' holds text", what, name),
                "give numbers");
  std::vector<double> numbers(static_cast<std::size_t>(table.n_rows()));
  read_numbers(column, 0, numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i]))
      throw Error(ErrorCode::bad_data,
                  fmt::format("the {} '{}' is missing or not finite in row {}", what, name, i + 1),
                  "leave out such rows");
  }
  return numbers;
}

std::vector<std::int32_t> classes_of(const Table& table, const Field& field) {
  const Table::Column& column = find_column(table, field.name, "target");
  std::vector<std::int32_t> classes(static_cast<std::size_t>(table.n_rows()));
  LevelReader(column, field.levels).read(0, classes);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] == kMissingLevel)
      throw Error(ErrorCode::bad_data, fmt::format("the target '{}' is missing in row {}", field.name, i + 1),
                  "leave out rows without a known target");
    if (classes[i] == kUnseenLevel)
      throw Error(ErrorCode::bad_data,
                  fmt::format("'{}' in row {} is not a class of '{}' that the rules know",
                              cell_text(column, static_cast<std::int64_t>(i)), i + 1, field.name),
                  fmt::format("the classes are {}", list_some(field.levels.names, kMostListed)));
  }
  return classes;
}

std::vector<double> weights_of(const Table& table, std::string_view name) {
  if (name.empty()) return {};
  std::vector<double> weights = numbers_of(table, name, "weight");
  const auto negative = std::ranges::find_if(weights, [](double weight) { return weight < 0.0; });
  if (negative != weights.end())
    throw Error(ErrorCode::bad_data,
                fmt::format("the weight '{}' is negative in row {}", name, negative - weights.begin() + 1),
                "weights are numbers of 0 or more");
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0.0; }))
    throw Error(ErrorCode::bad_data, fmt::format("every weight in column '{}' is 0", name),
                "at least one row must count");
  return weights;
}

}  // namespace

Truth read_truth(const Table& table, Task task, const Schema& targets, std::string_view weight) {
  if (table.n_rows() == 0)
    throw Error(ErrorCode::bad_data, "the table to count rules on has no rows", "give some");
  Truth truth;
  for (const Field& field : targets.fields) {
    if (task == Task::classification) {
      truth.classes.push_back(classes_of(table, field));
    } else {
      truth.numbers.push_back(numbers_of(table, field.name, "target"));
    }
  }
  truth.weights = weights_of(table, weight);
  return truth;
}

}  // namespace bough
