// SPDX-License-Identifier: Apache-2.0
// From the summary of all blocks to what they agree on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/parallel.hpp"
#include "data/huge_integers.hpp"
#include "data/levels.hpp"
#include "model/grow_spec.hpp"
#include "model/prepare_rules.hpp"
#include "params/conflicts.hpp"
#include "scale/plan.hpp"
#include "scale/summary.hpp"

namespace bough {
namespace {

/// Bytes of 0 and 1, some of which are missing.
struct Truths {
  std::vector<std::uint8_t> cells, validity;
};

// A column that has every value of all blocks once, and nothing else.
void add_column(Table& table, const ColumnSummary& column, std::size_t n_rows) {
  const ValueSet& values = column.values;
  if (column.type == CellType::text) {
    std::vector<std::int32_t> codes(n_rows, -1);
    for (std::size_t i = 0; i < values.texts.size(); ++i) codes[i] = static_cast<std::int32_t>(i);
    return table.add(column.name, codes, values.texts);
  }
  if (column.type == CellType::number) {
    std::vector<double> cells(n_rows, std::numeric_limits<double>::quiet_NaN());
    std::copy(values.numbers.begin(), values.numbers.end(), cells.begin());
    return table.add(column.name, cells);
  }
  const auto truths = std::make_shared<Truths>();
  truths->cells.assign(n_rows, 0);
  truths->validity.assign(n_rows / 8 + 1, 0);
  for (std::size_t i = 0; i < values.numbers.size(); ++i) {
    truths->cells[i] = values.numbers[i] != 0.0;
    truths->validity[i / 8] = static_cast<std::uint8_t>(truths->validity[i / 8] | 1u << i % 8);
  }
  Chunk chunk;
  chunk.data = truths->cells.data();
  chunk.stride = 1;
  chunk.length = static_cast<std::int64_t>(n_rows);
  chunk.validity = truths->validity.data();
  table.view(column.name, ColumnView{Dtype::boolean, {chunk}, nullptr});
  table.hold(truths);
}

// The rules that find kinds, roles and levels are those for tables.
Schema schema_of(const Summary& summary, const FitSpec& spec) {
  std::size_t n_rows = 1;
  for (const ColumnSummary& column : summary.columns) n_rows = std::max(n_rows, column.values.size());
  Table table;
  for (const ColumnSummary& column : summary.columns) add_column(table, column, n_rows);
  FitSpec wishes = spec;  // blocks have checked the names of what is ignored
  wishes.ignored.clear();
  wishes.folds.column.clear();
  std::erase_if(wishes.columns, [&](const ColumnSpec& column) { return !table.find(column.name); });
  return resolve_schema(table, wishes);
}

const ColumnSummary& column_of(const Summary& summary, const std::string& name) {
  const auto at = std::find_if(summary.columns.begin(), summary.columns.end(),
                               [&](const ColumnSummary& c) { return c.name == name; });
  if (at == summary.columns.end())
    throw Error(ErrorCode::bad_data, fmt::format("the summary says nothing about '{}'", name),
                "summarise all blocks by the same wishes");
  return *at;
}

TargetLook look_of(const Field& field, const ColumnSummary& column, std::int64_t n_rows) {
  if (field.kind == Kind::category || column.type != CellType::number) return TargetLook::classes;
  const std::vector<double>& numbers = column.values.numbers;
  const bool whole = std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == std::floor(x); });
  return column.many ? TargetLook::numbers : look_of_numbers(whole, numbers.size(), n_rows);
}

Levels class_levels(const ColumnSummary& column) {
  Levels levels;
  if (column.type == CellType::text) {
    levels.names = column.values.texts;
    return levels;
  }
  levels = number_levels(column.values.numbers);
  if (column.type != CellType::boolean) return levels;
  levels.type = Levels::Type::boolean;
  for (std::size_t i = 0; i < levels.size(); ++i)
    levels.names[i] = level_name(levels.type, levels.numbers[i]);
  return levels;
}

// Weight per class; a class that an order names and no row has weighs 0.
std::vector<double> class_weights(const Levels& levels, const ColumnSummary& column) {
  std::map<std::string_view, double> weights;
  const Levels present = class_levels(column);
  for (std::size_t i = 0; i < column.values.weights.size(); ++i)
    weights[present.names[i]] = column.values.weights[i].rounded();
  std::vector<double> sums;
  for (const std::string& name : levels.names) {
    const auto at = weights.find(name);
    sums.push_back(at == weights.end() ? 0.0 : at->second);
  }
  return sums;
}

void check_numbers(const ColumnSummary& column, const Params& params) {
  if (column.type == CellType::text) refuse_text_target(column.name);
  const double far = -column.low > column.high ? column.low : column.high;
  if (std::fabs(far) > 1e150)
    throw Error(ErrorCode::bad_data,
                fmt::format("the target '{}' is {} in some row, too large to be squared", column.name, far),
                "rescale the target");
  if (params.criterion == "poisson" && column.low < 0.0)
    throw Error(ErrorCode::bad_data,
                fmt::format("criterion poisson needs targets >= 0, but '{}' is {} in some row", column.name,
                            column.low),
                "use squared_error, or fix the target");
  check_target_sum(column.name, column.high > 0.0, params);
}

void decide_targets(ScalePlan::Parts& plan, const Summary& summary) {
  std::vector<TargetLook> looks;
  for (const Field& field : plan.targets.fields)
    looks.push_back(look_of(field, column_of(summary, field.name), plan.n_rows));
  plan.task = resolve_task(plan.targets, looks, plan.params, plan.notes);
  std::vector<std::vector<double>> sums;
  for (Field& field : plan.targets.fields) {
    const ColumnSummary& column = column_of(summary, field.name);
    if (plan.task == Task::classification) {
      if (field.levels.size() == 0) field.levels = class_levels(column);
      const bool counted = !plan.params.class_weight.balanced || !column.values.weights.empty();
      if (field.levels.size() == 0 || !counted)
        throw Error(ErrorCode::bad_data,
                    fmt::format("the summary does not have the classes of '{}'", field.name),
                    "summarise all blocks by the same parameters");
      sums.push_back(class_weights(field.levels, column));
    } else {
      check_numbers(column, plan.params);
      field.kind = Kind::numeric;
      field.levels = {};
    }
  }
  check_class_params(plan.task, plan.params);
  plan.class_factors = class_factors(plan.params.class_weight, plan.task, plan.targets, sums);
}

std::vector<bool> constant_targets(const ScalePlan::Parts& plan, const Summary& summary) {
  std::vector<bool> constant;
  for (const Field& field : plan.targets.fields) {
    const ColumnSummary& column = column_of(summary, field.name);
    constant.push_back(plan.task == Task::classification ? field.levels.size() < 2
                                                         : column.low == column.high);
  }
  return constant;
}

void choose_columns(ScalePlan::Parts& plan, Summary& summary) {
  const std::size_t n_columns = plan.features.fields.size();
  plan.columns.resize(n_columns);
  parallel_for(n_columns, [&](std::size_t j) {
    const Field& field = plan.features.fields[j];
    if (field.kind != Kind::numeric) return;
    const ColumnSummary& column = column_of(summary, field.name);
    plan.columns[j] = choose_cuts(column.sample, column.is_float);
  });
}

// What growing would say about parameters that name columns.
void check_grow_spec(const ScalePlan::Parts& plan) {
  Prepared prepared;
  prepared.task = plan.task;
  prepared.features = plan.features;
  prepared.targets = plan.targets;
  prepared.n_rows = prepared.n_weighted = plan.n_rows;
  for (const Field& field : plan.targets.fields) {
    if (plan.task == Task::classification)
      prepared.values.classes.push_back({static_cast<std::uint32_t>(field.levels.size()), {}});
    else
      prepared.values.numbers.emplace_back();
  }
  static_cast<void>(grow_spec(prepared, plan.params, plan.criterion));
}

}  // namespace

ScalePlan make_plan(std::string_view merged_summary, const FitSpec& spec, const Params& params) {
  validate(params);
  check_dependent_params(params, !spec.treatment.empty());
  check_scale_params(spec, params);
  Summary summary = Summary::from_bytes(merged_summary);
  check_row_count(summary.n_rows);
  ScalePlan::Parts plan;
  plan.spec = spec;
  plan.params = params;
  plan.n_rows = summary.n_rows;
  const Schema schema = schema_of(summary, spec);
  divide_schema(schema, spec, plan.features, plan.targets);
  plan.spec.weight.clear();  // a wish about a column may make it the weight, too
  for (const Field& field : schema.fields)
    if (field.role == Role::weight) plan.spec.weight = field.name;
  decide_targets(plan, summary);
  plan.criterion = resolve_criterion(params.criterion, plan.task);
  const std::string& weight = plan.spec.weight;
  if (!weight.empty()) check_weight_sum(weight, column_of(summary, weight).positive);
  plan.weighted = !weight.empty() || !plan.class_factors.empty();
  for (const Field& field : plan.features.fields)
    if (field.kind == Kind::numeric && column_of(summary, field.name).huge_integers)
      plan.later_notes.push_back(integer_note(field.name));
  add_data_warnings(plan.targets, constant_targets(plan, summary), plan.features, plan.n_rows,
                    plan.later_notes);
  check_grow_spec(plan);
  choose_columns(plan, summary);
  return ScalePlan(std::move(plan));
}

}  // namespace bough
