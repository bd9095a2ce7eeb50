// SPDX-License-Identifier: Apache-2.0
// The path of sizes: as numbers in a model, and in words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "model/choose_tree.hpp"

namespace bough {
namespace {

constexpr std::size_t kHead = 2, kNumbers = 8;  // folds and the chosen row; then so many per row

std::string size_words(const SizeRow& row) {
  std::string number = std::to_string(row.leaves);
  for (std::size_t at = number.size(); at > 3; at -= 3) number.insert(at - 3, 1, ',');
  return number + (row.leaves == 1 ? " leaf" : " leaves");
}

// The figures of a row are under its strength.
std::string shrunken(const SizeRow& row) {
  return row.shrinkage > 0.0 ? fmt::format(", shrinkage {:g}", row.shrinkage) : std::string();
}

std::string figure(double value) {
  return std::fabs(value) >= 1000.0 && std::fabs(value) < 1e7 ? fmt::format("{:.1f}", value)
                                                              : number_text(value, 4);
}

// An error as people say it.
std::string error_words(const SizeTable& table, const SizeRow& row) {
  if (table.measure == "class_error")
    return fmt::format("{:.1f}% wrong, log loss {:.3f}", 100.0 * row.error, row.loss);
  if (table.measure == "squared_error") return "RMSE " + figure(std::sqrt(row.error));
  return (table.measure == "absolute_error" ? "MAE " : "pinball loss ") + figure(row.error);
}

// What a tree of one leaf answers.
std::string_view one_leaf(const Model& model) {
  if (model.task() == Task::classification) return "largest class";
  const std::string& criterion = model.parts().criterion;
  return criterion == "absolute_error" ? "median" : criterion == "quantile" ? "quantile" : "mean";
}

}  // namespace

const SizeRow& SizeTable::full() const {
  const auto end = std::ranges::find(rows, true, &SizeRow::searched);
  return *(end - 1);
}

const SizeRow* SizeTable::best(bool searched) const {
  const SizeRow* found = nullptr;
  for (const SizeRow& row : rows)
    if (row.searched == searched && (found == nullptr || row.loss < found->loss)) found = &row;
  return found;
}

std::vector<double> to_numbers(const SizeTable& table) {
  std::vector<double> out{static_cast<double>(table.folds), static_cast<double>(table.chosen)};
  for (const SizeRow& row : table.rows) {
    for (const double number :
         {row.searched ? 1.0 : 0.0, static_cast<double>(row.leaves), row.shrinkage, row.training_error,
          row.error, row.standard_error, row.loss, row.standard_loss})
      out.push_back(number);
  }
  return out;
}

std::optional<SizeTable> size_table(const Model& model) {
  const auto found = model.parts().extras.find(kSizes);
  if (found == model.parts().extras.end()) return std::nullopt;
  const std::vector<double>& numbers = found->second;
  SizeTable table;
  // A file may hold anything.
  const auto whole = [](double value) {
    return value >= 0.0 && value < 2147483647.0 && value == std::floor(value);
  };
  if (numbers.size() < kHead + kNumbers || (numbers.size() - kHead) % kNumbers != 0 || !whole(numbers[0]) ||
      !whole(numbers[1]))
    return std::nullopt;
  table.folds = static_cast<std::int32_t>(numbers[0]);
  table.chosen = static_cast<std::size_t>(numbers[1]);
  for (std::size_t i = kHead; i < numbers.size(); i += kNumbers) {
    if (!whole(numbers[i + 1])) return std::nullopt;
    table.rows.push_back({numbers[i] != 0.0, static_cast<NodeId>(numbers[i + 1]), numbers[i + 2],
                          numbers[i + 3], numbers[i + 4], numbers[i + 5], numbers[i + 6], numbers[i + 7]});
  }
  if (table.chosen >= table.rows.size() || table.rows.front().searched) return std::nullopt;
  const Task task = model.task();
  table.measure = loss_name(natural_loss(model.parts().criterion, task, model.params().quantile));
  return table;
}

std::string choice_text(const Model& model) {
  const std::optional<SizeTable> table = size_table(model);
  if (!table) return {};
  const SizeRow& row = table->rows[table->chosen];
  std::string text = size_words(row) + (row.searched ? ", searched" : ", grown and pruned") + shrunken(row);
  text += fmt::format(": {} in {}-fold cross-validation\n", error_words(*table, row), table->folds);
  // The best of the other way, and a larger one of the same way that was too large.
  std::string others;
  for (const bool searched : {true, false}) {
    const SizeRow* other = table->best(searched);
    if (other == nullptr || other->leaves == 1 || other == &row || other == &table->full()) continue;
    if (searched == row.searched && other->loss + other->standard_loss >= row.loss) continue;
    others += fmt::format("{}, {}{}: {}; ", searched ? "searched" : "grown and pruned", size_words(*other),
                          shrunken(*other), error_words(*table, *other));
  }
  // Branches that lower no risk are on no tree of the path, so the largest may be smaller than the full tree.
  const SizeRow& full = table->full();
  return text + fmt::format("{}the largest tree tried, {}{}: {}; the {} alone: {}", others, size_words(full),
                            shrunken(full), error_words(*table, full), one_leaf(model),
                            error_words(*table, table->baseline()));
}

}  // namespace bough
