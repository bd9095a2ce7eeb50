// SPDX-License-Identifier: Apache-2.0
// Columns to roles, targets to tasks, classes to weights, and what is said about it.
#include "model/prepare_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "base/exact_grid.hpp"
#include "base/exact_sum.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "criterion/registry.hpp"
#include "data/cells.hpp"

namespace bough {
namespace {

constexpr std::size_t kCellsAtOnce = 1 << 16;

std::vector<std::string> column_names(const Table& table) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.n_columns(); ++i) names.push_back(table.name(i));
  return names;
}

std::size_t column_index(const Table& table, const std::string& name, std::string_view use) {
  if (const auto index = table.find(name)) return *index;
  const std::vector<std::string> names = column_names(table);
  const std::string near = nearest_name(name, names);
  throw Error(ErrorCode::bad_data, fmt::format("there is no column '{}' to use as {}", name, use),
              near.empty() ? fmt::format("the columns are {}", list_some(names, 12))
                           : fmt::format("did you mean '{}'?", near));
}

const Table::Column& column_of(const Table& table, const std::string& name) {
  return table.column(table.find(name).value());
}

// First missing row of a column, or -1; counts them.
std::pair<std::int64_t, std::int64_t> first_missing(const Table::Column& column, std::int64_t n_rows) {
  std::int64_t first = n_rows, count = 0;
  std::mutex mutex;
  parallel_ranges(static_cast<std::size_t>(n_rows), kCellsAtOnce, [&](std::size_t begin, std::size_t end) {
    std::int64_t local_first = n_rows, local = 0;
    const auto note = [&](std::size_t row) {
      local_first = std::min(local_first, static_cast<std::int64_t>(row));
      ++local;
    };
    if (is_number_column(column)) {
      visit_numbers(column, begin, end, [&](std::size_t row, std::span<const double> numbers) {
        for (std::size_t i = 0; i < numbers.size(); ++i)
          if (std::isnan(numbers[i])) note(row + i);
      });
    } else {
      for (std::size_t row = begin; row < end; ++row)
        if (is_missing(column, static_cast<std::int64_t>(row))) note(row);
    }
    const std::lock_guard lock(mutex);
    first = std::min(first, local_first);
    count += local;
  });
  return {count > 0 ? first : -1, count};
}

// First row of a number column that is not as it should be, or n_rows.
template <class Good>
std::int64_t first_not(const Table::Column& column, std::int64_t n_rows, const Good& good) {
  std::atomic<std::int64_t> found{n_rows};
  parallel_ranges(static_cast<std::size_t>(n_rows), kCellsAtOnce, [&](std::size_t begin, std::size_t end) {
    visit_numbers(column, begin, end, [&](std::size_t row, std::span<const double> numbers) {
      bool all = true;
      for (const double x : numbers) all &= good(x);
      if (all) return;
      const auto at = std::find_if_not(numbers.begin(), numbers.end(), good) - numbers.begin();
      const std::int64_t here = static_cast<std::int64_t>(row) + at;
      for (std::int64_t seen = found; here < seen && !found.compare_exchange_weak(seen, here);) {
      }
    });
  });
  return found;
}

}  // namespace

Schema resolve_schema(const Table& table, const FitSpec& spec) {
  if (spec.targets.empty())
    throw Error(ErrorCode::bad_params, "no target was given", "name the column to predict");
  std::vector<ColumnSpec> wishes = spec.columns;
  const auto wish = [&](const std::string& name, Role role, std::string_view use) {
    column_index(table, name, use);
    ColumnSpec column;
    column.name = name;
    column.role = role;
    wishes.push_back(std::move(column));
  };
  for (const std::string& name : spec.ignored) wish(name, Role::ignored, "ignored");
  if (!spec.folds.column.empty()) wish(spec.folds.column, Role::ignored, "folds");
  if (!spec.weight.empty()) wish(spec.weight, Role::weight, "weight");
  if (!spec.treatment.empty()) wish(spec.treatment, Role::treatment, "treatment");
  for (std::size_t i = 0; i < spec.targets.size(); ++i) {
    if (std::find(spec.targets.begin(), spec.targets.begin() + static_cast<std::ptrdiff_t>(i),
                  spec.targets[i]) != spec.targets.begin() + static_cast<std::ptrdiff_t>(i))
      throw Error(ErrorCode::bad_params, fmt::format("the target '{}' is named twice", spec.targets[i]));
    if (spec.targets[i] == spec.weight)
      throw Error(ErrorCode::bad_params, fmt::format("'{}' cannot be both target and weight", spec.weight));
    if (spec.targets[i] == spec.treatment)
      throw Error(ErrorCode::bad_params,
                  fmt::format("'{}' cannot be both target and treatment", spec.treatment));
    wish(spec.targets[i], Role::target, "target");
  }
  return infer_schema(table, wishes);
}

void check_target_cells(const Table& table, const Field& field) {
  const Table::Column& column = column_of(table, field.name);
  const bool numbers = is_number_column(column);
  if (numbers && table.n_rows() > 0 &&
      first_not(column, table.n_rows(), [](double x) { return std::isfinite(x); }) == table.n_rows())
    return;
  const auto [first, count] = first_missing(column, table.n_rows());
  if (count == table.n_rows())
    throw Error(ErrorCode::bad_data, fmt::format("every cell of the target '{}' is missing", field.name),
                "check the column and the missing tokens");
  if (count > 0)
    throw Error(ErrorCode::bad_data,
                fmt::format("the target '{}' is missing in {} of {} rows, first in row {}", field.name, count,
                            table.n_rows(), first + 1),
                "remove those rows: a tree learns only from rows whose answer is known");
  if (!numbers) return;
  const std::int64_t infinite = first_not(column, table.n_rows(), [](double x) { return !std::isinf(x); });
  if (infinite < table.n_rows())
    throw Error(ErrorCode::bad_data,
                fmt::format("the target '{}' is infinite in row {}", field.name, infinite + 1),
                "replace it by a finite number or remove the row");
}

TargetLook look_of_numbers(bool whole, std::size_t n_values, std::int64_t n_rows) noexcept {
  if (whole && n_values <= 2) return TargetLook::classes;
  const bool few = n_values <= kFewClasses && 2 * n_values <= static_cast<std::size_t>(n_rows);
  return whole && few ? TargetLook::few_numbers : TargetLook::numbers;
}

int task_of_params(const Params& params) noexcept {
  if (params.task == "classification") return 1;
  if (params.task == "regression") return 2;
  const CriterionInfo* row = find_criterion(params.criterion);
  if (row == nullptr) return 0;
  return row->task == Task::classification ? 1 : 2;
}

Task resolve_task(const Schema& targets, const std::vector<TargetLook>& looks, const Params& params,
                  std::vector<std::string>& notes) {
  if (params.task == "classification") return Task::classification;
  if (params.task == "regression") return Task::regression;
  std::vector<std::string> classes, numbers;
  for (std::size_t o = 0; o < targets.fields.size(); ++o)
    (looks[o] != TargetLook::numbers ? classes : numbers).push_back(targets.fields[o].name);
  // A criterion of one task decides where the targets could be either.
  if (const int decided = task_of_params(params); decided != 0)
    return decided == 1 ? Task::classification : Task::regression;
  if (!classes.empty() && !numbers.empty())
    throw Error(ErrorCode::bad_params,
                fmt::format("the targets mix classes ({}) and numbers ({})", list_some(classes, 5),
                            list_some(numbers, 5)),
                "fit one model for each, or set the task to classification or regression");
  if (classes.empty()) return Task::regression;
  for (std::size_t o = 0; o < targets.fields.size(); ++o)
    if (looks[o] == TargetLook::few_numbers)
      notes.push_back(
          fmt::format("target '{}' holds few whole numbers and is taken as classes; set the task to "
                      "regression for numbers",
                      targets.fields[o].name));
  return Task::classification;
}

void refuse_text_target(const std::string& name) {
  throw Error(ErrorCode::bad_data,
              fmt::format("the target '{}' holds text, so it cannot be regressed on", name),
              "use task=classification, or read the column as numbers");
}

void refuse_large_target(const std::string& name, double value, std::int64_t row) {
  throw Error(ErrorCode::bad_data,
              fmt::format("the target '{}' is {} in row {}: squared errors would overflow a double", name,
                          number_text(value), row),
              "rescale the target to less than 1e75");
}

void check_number_target(const std::string& name, std::span<const double> values, const Params& params,
                         std::int64_t first_row) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double y = values[i];
    const std::int64_t row = first_row + static_cast<std::int64_t>(i) + 1;
    if (std::fabs(y) > kMostTarget) refuse_large_target(name, y, row);
    if (params.criterion == "poisson" && y < 0.0)
      throw Error(ErrorCode::bad_data,
                  fmt::format("criterion poisson needs targets >= 0, but '{}' is {} in row {}", name, y, row),
                  "use squared_error, or fix the target");
  }
}

void check_target_sum(const std::string& name, bool positive, const Params& params) {
  if (params.criterion == "poisson" && !positive)
    throw Error(ErrorCode::bad_data,
                fmt::format("criterion poisson needs a positive sum, but every '{}' is 0", name));
}

bool check_weights(const std::string& name, std::span<const double> weights) {
  bool positive = false;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i]) || weights[i] < 0.0)
      throw Error(ErrorCode::bad_data,
                  fmt::format("the weight '{}' is {} in row {}", name,
                              std::isnan(weights[i]) ? "missing" : number_text(weights[i]), i + 1),
                  "weights must be finite and not negative; 0 leaves a row out");
    positive |= weights[i] > 0.0;
  }
  return positive;
}

void check_weight_sum(const std::string& name, bool positive) {
  if (!positive)
    throw Error(ErrorCode::bad_data, fmt::format("every weight in '{}' is 0", name),
                "give some rows a weight");
}

void check_class_params(Task task, const Params& params) {
  if (task == Task::classification) return;
  const auto refuse = [](std::string_view name, std::string_view value) {
    throw Error(ErrorCode::bad_params,
                fmt::format("{}={} does nothing, because the target is a number", name, value),
                fmt::format("leave {} out, or set task=classification", name));
  };
  if (params.leaf_probability != "plain") refuse("leaf_probability", params.leaf_probability);
  if (params.pruning_risk != "impurity") refuse("pruning_risk", params.pruning_risk);
}

std::vector<double> class_sums(std::span<const std::uint32_t> codes, std::size_t n_classes,
                               std::span<const double> weights) {
  std::vector<double> sums(n_classes, 0.0);
  if (weights.empty()) {
    for (const std::uint32_t code : codes) sums[code] += 1.0;
    return sums;
  }
  std::vector<ExactSum> exact(n_classes);
  for (std::size_t i = 0; i < codes.size(); ++i) exact[codes[i]].add(weights[i]);
  for (std::size_t c = 0; c < n_classes; ++c) sums[c] = exact[c].rounded();
  return sums;
}

std::vector<double> balancing_factors(std::span<const double> sums) {
  const double all = sorted_sum({sums.begin(), sums.end()});
  const auto present = static_cast<double>(std::ranges::count_if(sums, [](double sum) { return sum > 0.0; }));
  std::vector<double> factors(sums.size(), 1.0);
  for (std::size_t c = 0; c < sums.size(); ++c)
    if (sums[c] > 0.0) factors[c] = all / (present * sums[c]);
  return factors;
}

std::vector<std::vector<double>> class_factors(const ClassWeight& wish, Task task, const Schema& targets,
                                               std::span<const std::vector<double>> sums) {
  if (!wish.balanced && wish.by_name.empty()) return {};
  if (task != Task::classification)
    throw Error(ErrorCode::bad_params, "class_weight is for classification",
                "use a weight column for regression");
  if (wish.subsample) return {};  // every tree of a forest weighs the rows that it draws
  std::vector<std::vector<double>> factors;
  std::map<std::string, double> unused = wish.by_name;
  for (std::size_t o = 0; o < sums.size(); ++o) {
    std::vector<double>& factor =
        factors.emplace_back(wish.balanced ? balancing_factors(sums[o]) : std::vector(sums[o].size(), 1.0));
    const Levels& levels = targets.fields[o].levels;
    for (std::size_t c = 0; c < factor.size(); ++c) {
      const auto found = wish.by_name.find(levels.names[c]);
      if (found == wish.by_name.end()) continue;
      factor[c] = found->second;
      unused.erase(found->first);
    }
  }
  if (!unused.empty())
    throw Error(ErrorCode::bad_params,
                fmt::format("class_weight names '{}', which is not a class", unused.begin()->first),
                fmt::format("the classes are {}", list_some(targets.fields.front().levels.names, 12)));
  return factors;
}

void check_class_weights(std::span<const double> weights) {
  const auto bad = std::find_if(weights.begin(), weights.end(), [](double w) { return !std::isfinite(w); });
  if (bad != weights.end())
    throw Error(ErrorCode::bad_data,
                fmt::format("the weight of row {} times that of its class is too large for a double",
                            bad - weights.begin() + 1),
                "divide the weights by the largest of them");
}

void check_weight_size(double sum) {
  if (sum >= 1e-100 && sum <= 1e100) return;
  throw Error(
      ErrorCode::bad_data,
      fmt::format("the sum of all weights is {}, which is not between 1e-100 and 1e100", number_text(sum, 6)),
      "divide the weights by the largest of them");
}

void check_total_weight(std::int64_t total, int exponent) {
  check_weight_size(std::ldexp(static_cast<double>(total), -exponent));
}

void check_target_size(const std::string& name, double largest, std::int64_t total, int exponent) {
  constexpr double kMost = 1e150;
  const double weight = std::ldexp(static_cast<double>(total), -exponent);
  if (largest * largest * weight <= kMost) return;
  throw Error(ErrorCode::bad_data,
              fmt::format("the target '{}' reaches {}, too much for weights that add up to {}: squares of "
                          "weighted squares would overflow a double",
                          name, number_text(largest), number_text(weight)),
              "rescale the target or the weights");
}

void check_some_weight(bool positive) {
  if (!positive)
    throw Error(ErrorCode::bad_params, "class_weight leaves no row with a weight",
                "give some class a weight above 0");
}

std::string zero_weight_note(std::int64_t zeros, std::int64_t n_rows) {
  return fmt::format("{} of {} rows {} weight 0 and {} left out", zeros, n_rows, zeros == 1 ? "has" : "have",
                     zeros == 1 ? "is" : "are");
}

void add_data_warnings(const Schema& targets, const std::vector<bool>& constant, const Schema& features,
                       std::int64_t n_rows, std::vector<std::string>& notes) {
  for (std::size_t o = 0; o < targets.fields.size(); ++o)
    if (constant[o])
      notes.push_back(fmt::format("target '{}' has only one value; there is nothing to learn about it",
                                  targets.fields[o].name));
  for (const Field& field : features.fields)
    if (field.kind == Kind::category && n_rows >= 50 &&
        2 * static_cast<std::int64_t>(field.levels.size()) > n_rows)
      notes.push_back(
          fmt::format("column '{}' has {} different values in {} rows; if it is an identifier, ignore it",
                      field.name, field.levels.size(), n_rows));
}

void check_row_count(std::int64_t n_rows) {
  if (n_rows == 0) throw Error(ErrorCode::bad_data, "the table has no rows", "give at least one row");
  if (n_rows > INT32_MAX)
    throw Error(ErrorCode::not_supported, fmt::format("{} rows are more than 2^31 - 1", n_rows));
}

void divide_schema(const Schema& schema, const FitSpec& spec, Schema& features, Schema& targets) {
  features.fields.reserve(schema.fields.size());
  for (const Field& field : schema.fields)
    if (field.role == Role::feature) features.fields.push_back(field);
  for (const std::string& name : spec.targets)
    targets.fields.push_back(schema.fields[schema.find(name).value()]);
  if (features.fields.empty())
    throw Error(ErrorCode::bad_data, "no column is left to learn from",
                "keep at least one column that is no target");
}

}  // namespace bough
