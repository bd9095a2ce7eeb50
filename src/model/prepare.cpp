// SPDX-License-Identifier: Apache-2.0
// Columns to roles, targets to codes, weights to fixed point.
#include "model/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "criterion/registry.hpp"
#include "data/cells.hpp"
#include "data/encoded.hpp"
#include "model/priors.hpp"
#include "model/treatment.hpp"

namespace bough {
namespace {

constexpr std::size_t kFewClasses = 10;

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
    if (std::find(spec.targets.begin(), spec.targets.begin() + static_cast<std::ptrdiff_t>(i), spec.targets[i]) !=
        spec.targets.begin() + static_cast<std::ptrdiff_t>(i))
      throw Error(ErrorCode::bad_params, fmt::format("the target '{}' is named twice", spec.targets[i]));
    if (spec.targets[i] == spec.weight)
      throw Error(ErrorCode::bad_params, fmt::format("'{}' cannot be both target and weight", spec.weight));
    if (spec.targets[i] == spec.treatment)
      throw Error(ErrorCode::bad_params, fmt::format("'{}' cannot be both target and treatment", spec.treatment));
    wish(spec.targets[i], Role::target, "target");
  }
  return infer_schema(table, wishes);
}

constexpr std::size_t kCellsAtOnce = 1 << 16;

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
      std::vector<double> numbers(end - begin);
      read_numbers(column, static_cast<std::int64_t>(begin), numbers);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if (std::isnan(numbers[i])) note(begin + i);
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

void check_target_cells(const Table& table, const Field& field) {
  const Table::Column& column = column_of(table, field.name);
  const auto [first, count] = first_missing(column, table.n_rows());
  if (count == table.n_rows())
    throw Error(ErrorCode::bad_data, fmt::format("every cell of the target '{}' is missing", field.name),
                "check the column and the missing tokens");
  if (count > 0)
    throw Error(ErrorCode::bad_data,
                fmt::format("the target '{}' is missing in {} of {} rows, first in row {}", field.name, count,
                            table.n_rows(), first + 1),
                "remove those rows: a tree learns only from rows whose answer is known");
  if (!is_number_column(column)) return;
  std::atomic<std::int64_t> infinite{table.n_rows()};
  parallel_ranges(static_cast<std::size_t>(table.n_rows()), kCellsAtOnce, [&](std::size_t begin, std::size_t end) {
    std::vector<double> numbers(end - begin);
    read_numbers(column, static_cast<std::int64_t>(begin), numbers);
    const auto at = std::find_if(numbers.begin(), numbers.end(), [](double x) { return !std::isfinite(x); });
    if (at == numbers.end()) return;
    const std::int64_t row = static_cast<std::int64_t>(begin) + (at - numbers.begin());
    for (std::int64_t seen = infinite; row < seen && !infinite.compare_exchange_weak(seen, row);) {
    }
  });
  if (infinite < table.n_rows())
    throw Error(ErrorCode::bad_data, fmt::format("the target '{}' is infinite in row {}", field.name, infinite + 1),
                "replace it by a finite number or remove the row");
}

// Text, booleans, and whole numbers of few values that come back are classes.
bool looks_like_classes(const Table& table, const Field& field) {
  if (field.kind == Kind::category) return true;
  const Table::Column& column = column_of(table, field.name);
  if (!is_number_column(column)) return true;
  const Levels levels = collect_levels(column);
  const bool whole = std::all_of(levels.numbers.begin(), levels.numbers.end(), [](double x) { return x == std::floor(x); });
  const auto n = static_cast<std::size_t>(table.n_rows());
  return whole && (levels.size() <= 2 || (levels.size() <= kFewClasses && 2 * levels.size() <= n));
}

Task resolve_task(const Table& table, const Schema& targets, const Params& params, std::vector<std::string>& notes) {
  if (params.task == "classification") return Task::classification;
  if (params.task == "regression") return Task::regression;
  std::vector<std::string> classes, numbers;
  for (const Field& field : targets.fields) (looks_like_classes(table, field) ? classes : numbers).push_back(field.name);
  // A criterion of one task decides where the targets could be either.
  for (const CriterionInfo& info : kCriterionTable)
    if (info.name == params.criterion || (params.criterion == "log_loss" && info.name == "entropy") ||
        (params.criterion == "friedman_mse" && info.name == "squared_error"))
      return info.task;
  if (!classes.empty() && !numbers.empty())
    throw Error(ErrorCode::bad_params,
                fmt::format("the targets mix classes ({}) and numbers ({})", list_some(classes, 5), list_some(numbers, 5)),
                "fit one model for each, or set the task to classification or regression");
  if (classes.empty()) return Task::regression;
  for (const Field& field : targets.fields)
    if (field.kind == Kind::numeric)
      notes.push_back(fmt::format(
          "target '{}' holds few whole numbers and is taken as classes; set the task to regression for numbers", field.name));
  return Task::classification;
}

ClassTarget class_target(const Table& table, Field& field) {
  const Table::Column& column = column_of(table, field.name);
  if (field.levels.size() == 0) field.levels = collect_levels(column);
  ClassTarget target;
  target.n_classes = static_cast<std::uint32_t>(field.levels.size());
  target.codes.resize(static_cast<std::size_t>(table.n_rows()));
  const LevelReader reader(column, field.levels);
  parallel_ranges(target.codes.size(), kCellsAtOnce, [&](std::size_t begin, std::size_t end) {
    std::vector<std::int32_t> codes(end - begin);
    reader.read(static_cast<std::int64_t>(begin), codes);
    std::copy(codes.begin(), codes.end(), target.codes.begin() + static_cast<std::ptrdiff_t>(begin));
  });
  return target;
}

NumberTarget number_target(const Table& table, Field& field, const Params& params) {
  const Table::Column& column = column_of(table, field.name);
  if (!is_number_column(column))
    throw Error(ErrorCode::bad_data, fmt::format("the target '{}' holds text, so it cannot be regressed on", field.name),
                "use task=classification, or read the column as numbers");
  field.kind = Kind::numeric;
  field.levels = {};
  NumberTarget target;
  target.raw.resize(static_cast<std::size_t>(table.n_rows()));
  read_numbers(column, 0, target.raw);
  double sum = 0.0;
  for (std::size_t i = 0; i < target.raw.size(); ++i) {
    const double y = target.raw[i];
    if (std::fabs(y) > 1e150)
      throw Error(ErrorCode::bad_data, fmt::format("the target '{}' is {} in row {}, too large to be squared", field.name, y, i + 1),
                  "rescale the target");
    if (params.criterion == "poisson" && y < 0.0)
      throw Error(ErrorCode::bad_data,
                  fmt::format("criterion poisson needs targets >= 0, but '{}' is {} in row {}", field.name, y, i + 1),
                  "use squared_error, or fix the target");
    sum += y;
  }
  if (params.criterion == "poisson" && sum <= 0.0)
    throw Error(ErrorCode::bad_data, fmt::format("criterion poisson needs a positive sum, but every '{}' is 0", field.name));
  return target;
}

std::vector<double> read_weights(const Table& table, const Schema& schema) {
  for (const Field& field : schema.fields) {
    if (field.role != Role::weight) continue;
    std::vector<double> weights(static_cast<std::size_t>(table.n_rows()));
    read_numbers(column_of(table, field.name), 0, weights);
    double sum = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (!std::isfinite(weights[i]) || weights[i] < 0.0)
        throw Error(ErrorCode::bad_data,
                    fmt::format("the weight '{}' is {} in row {}", field.name,
                                std::isnan(weights[i]) ? "missing" : number_text(weights[i]), i + 1),
                    "weights must be finite and not negative; 0 leaves a row out");
      sum += weights[i];
    }
    if (sum <= 0.0)
      throw Error(ErrorCode::bad_data, fmt::format("every weight in '{}' is 0", field.name), "give some rows a weight");
    return weights;
  }
  return {};
}

// Multiplies the weights by the weight of each row's class, over all outputs.
void apply_class_weight(const Prepared& prepared, const ClassWeight& wish, std::vector<double>& weights) {
  if (!wish.balanced && wish.by_name.empty()) return;
  if (prepared.task != Task::classification)
    throw Error(ErrorCode::bad_params, "class_weight is for classification", "use a weight column for regression");
  if (wish.subsample) return;  // every tree of a forest weighs the rows that it draws
  const std::size_t n = prepared.values.classes.front().codes.size();
  if (weights.empty()) weights.assign(n, 1.0);
  std::map<std::string, double> unused = wish.by_name;
  for (std::size_t o = 0; o < prepared.values.classes.size(); ++o) {
    const ClassTarget& target = prepared.values.classes[o];
    std::vector<double> factor(target.n_classes, 1.0);
    if (wish.balanced) {
      std::vector<double> counts(target.n_classes, 0.0);
      for (const std::uint32_t code : target.codes) counts[code] += 1.0;
      for (std::size_t c = 0; c < factor.size(); ++c)
        factor[c] = static_cast<double>(n) / (static_cast<double>(factor.size()) * counts[c]);
    }
    const Levels& levels = prepared.targets.fields[o].levels;
    for (std::size_t c = 0; c < factor.size(); ++c) {
      const auto found = wish.by_name.find(levels.names[c]);
      if (found == wish.by_name.end()) continue;
      factor[c] = found->second;
      unused.erase(found->first);
    }
    for (std::size_t i = 0; i < n; ++i) weights[i] *= factor[target.codes[i]];
  }
  if (!unused.empty())
    throw Error(ErrorCode::bad_params, fmt::format("class_weight names '{}', which is no class", unused.begin()->first),
                fmt::format("the classes are {}", list_some(prepared.targets.fields.front().levels.names, 12)));
  if (std::none_of(weights.begin(), weights.end(), [](double w) { return w > 0.0; }))
    throw Error(ErrorCode::bad_params, "class_weight leaves no row with a weight", "give some class a weight above 0");
}

std::uint64_t hash_targets(const Prepared& prepared, std::span<const double> weights) {
  std::uint64_t hash = 0;
  const auto add = [&](const void* data, std::size_t bytes) { hash = hash_bytes(data, bytes, hash); };
  for (const ClassTarget& target : prepared.values.classes) add(target.codes.data(), target.codes.size() * sizeof(std::uint32_t));
  for (const NumberTarget& target : prepared.values.numbers) add(target.raw.data(), target.raw.size() * sizeof(double));
  add(prepared.values.treated.data(), prepared.values.treated.size());
  add(weights.data(), weights.size_bytes());
  return hash;
}

void note_oddities(Prepared& prepared) {
  for (std::size_t o = 0; o < prepared.targets.fields.size(); ++o) {
    const bool constant =
        prepared.task == Task::classification
            ? prepared.values.classes[o].n_classes < 2
            : std::adjacent_find(prepared.values.numbers[o].raw.begin(), prepared.values.numbers[o].raw.end(),
                                 std::not_equal_to<>()) == prepared.values.numbers[o].raw.end();
    if (constant)
      prepared.notes.push_back(fmt::format("target '{}' has only one value; there is nothing to learn about it",
                                           prepared.targets.fields[o].name));
  }
  for (const Field& field : prepared.features.fields)
    if (field.kind == Kind::category && prepared.n_rows >= 50 &&
        2 * static_cast<std::int64_t>(field.levels.size()) > prepared.n_rows)
      prepared.notes.push_back(fmt::format(
          "column '{}' has {} different values in {} rows; if it is an identifier, ignore it", field.name,
          field.levels.size(), prepared.n_rows));
}

}  // namespace

Prepared prepare(const Table& table, const FitSpec& spec, const Params& params) {
  if (table.n_rows() == 0) throw Error(ErrorCode::bad_data, "the table has no rows", "give at least one row");
  if (table.n_rows() > INT32_MAX)
    throw Error(ErrorCode::not_supported, fmt::format("{} rows are more than 2^31 - 1", table.n_rows()));
  Prepared prepared;
  prepared.n_rows = table.n_rows();
  const Schema schema = resolve_schema(table, spec);
  for (const Field& field : schema.fields)
    if (field.role == Role::feature) prepared.features.fields.push_back(field);
  for (const std::string& name : spec.targets) prepared.targets.fields.push_back(schema.fields[schema.find(name).value()]);
  if (prepared.features.fields.empty())
    throw Error(ErrorCode::bad_data, "no column is left to learn from", "keep at least one column that is no target");
  for (const Field& field : prepared.targets.fields) check_target_cells(table, field);
  prepared.task = spec.treatment.empty() ? resolve_task(table, prepared.targets, params, prepared.notes)
                                         : effect_task(prepared.targets, params);
  for (Field& field : prepared.targets.fields) {
    if (prepared.task == Task::classification) {
      prepared.values.classes.push_back(class_target(table, field));
    } else {
      prepared.values.numbers.push_back(number_target(table, field, params));
    }
  }
  if (!spec.treatment.empty())
    prepared.treatment.fields.push_back(
        read_treatment(table, schema.fields[schema.find(spec.treatment).value()], prepared.values.treated));
  std::vector<double> weights = read_weights(table, schema);
  prepared.target_hash = hash_targets(prepared, weights);
  apply_class_weight(prepared, params.class_weight, weights);
  prepared.case_weights = weights;
  apply_priors(prepared, params, weights);
  fix(prepared.values, weights, table.n_rows());
  if (const auto zeros = std::count(weights.begin(), weights.end(), 0.0); zeros > 0)
    prepared.notes.push_back(fmt::format("{} of {} rows {} weight 0 and {} left out", zeros, weights.size(),
                                         zeros == 1 ? "has" : "have", zeros == 1 ? "is" : "are"));
  check_arms(prepared, params.min_samples_arm);
  note_no_overlap(table, prepared);
  prepared.weights = std::move(weights);
  for (std::string& note : integer_notes(table, prepared.features)) prepared.notes.push_back(std::move(note));
  note_oddities(prepared);
  return prepared;
}

}  // namespace bough
