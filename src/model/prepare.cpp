// SPDX-License-Identifier: Apache-2.0
// Columns to roles, targets to codes, weights to fixed point.
#include "model/prepare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "data/cells.hpp"
#include "data/encoded.hpp"
#include "data/fingerprint.hpp"
#include "model/prepare_rules.hpp"
#include "model/priors.hpp"
#include "model/treatment.hpp"

namespace bough {
namespace {

const Table::Column& column_of(const Table& table, const std::string& name) {
  return table.column(table.find(name).value());
}

constexpr std::size_t kCellsAtOnce = 1 << 16;

// Text, booleans, and whole numbers of few values that come back are classes.
TargetLook look_of(const Table& table, const Field& field) {
  if (field.kind == Kind::category) return TargetLook::classes;
  const Table::Column& column = column_of(table, field.name);
  if (!is_number_column(column)) return TargetLook::classes;
  const Levels levels = collect_levels(column);
  const bool whole =
      std::all_of(levels.numbers.begin(), levels.numbers.end(), [](double x) { return x == std::floor(x); });
  return look_of_numbers(whole, levels.size(), table.n_rows());
}

Task task_of_table(const Table& table, const Schema& targets, const Params& params,
                   std::vector<std::string>& notes) {
  std::vector<TargetLook> looks;
  const bool open = params.task != "classification" && params.task != "regression";
  for (const Field& field : targets.fields)
    looks.push_back(open ? look_of(table, field) : TargetLook::numbers);
  return resolve_task(targets, looks, params, notes);
}

// Labels that come as a list of doubles (Python's 1.0 and 2.0) stay doubles, whole or not.
Levels labels_of(const Table::Column& column) {
  Levels labels = collect_levels(column);
  const auto* view = std::get_if<ColumnView>(&column);
  if (labels.type == Levels::Type::integer && view != nullptr && view->dictionary != nullptr &&
      (view->dictionary->dtype == Dtype::f64 || view->dictionary->dtype == Dtype::f32))
    labels.type = Levels::Type::real;
  return labels;
}

ClassTarget class_target(const Table& table, Field& field) {
  const Table::Column& column = column_of(table, field.name);
  if (field.levels.size() == 0) field.levels = labels_of(column);
  ClassTarget target;
  target.n_classes = static_cast<std::uint32_t>(field.levels.size());
  target.codes = zeros<std::uint32_t>(static_cast<std::size_t>(table.n_rows()));
  const LevelReader reader(column, field.levels);
  parallel_ranges(target.codes.size(), kCellsAtOnce, [&](std::size_t begin, std::size_t end) {
    std::array<std::int32_t, 1024> room;
    for (; begin < end; begin += room.size()) {
      const std::span<std::int32_t> codes(room.data(), std::min(room.size(), end - begin));
      reader.read(static_cast<std::int64_t>(begin), codes);
      std::copy(codes.begin(), codes.end(), target.codes.begin() + static_cast<std::ptrdiff_t>(begin));
    }
  });
  return target;
}

NumberTarget number_target(const Table& table, Field& field, const Params& params) {
  const Table::Column& column = column_of(table, field.name);
  if (!is_number_column(column)) refuse_text_target(field.name);
  field.kind = Kind::numeric;
  field.levels = {};
  NumberTarget target;
  target.raw = zeros<double>(static_cast<std::size_t>(table.n_rows()));
  parallel_ranges(target.raw.size(), kCellsAtOnce, [&](std::size_t begin, std::size_t end) {
    read_numbers(column, static_cast<std::int64_t>(begin), std::span(target.raw).subspan(begin, end - begin));
  });
  check_number_target(field.name, target.raw, params);
  check_target_sum(field.name,
                   std::any_of(target.raw.begin(), target.raw.end(), [](double y) { return y > 0.0; }),
                   params);
  return target;
}

std::vector<double> read_weights(const Table& table, const Schema& schema) {
  for (const Field& field : schema.fields) {
    if (field.role != Role::weight) continue;
    std::vector<double> weights(static_cast<std::size_t>(table.n_rows()));
    read_numbers(column_of(table, field.name), 0, weights);
    check_weight_sum(field.name, check_weights(field.name, weights));
    return weights;
  }
  return {};
}

// Multiplies the weights by the weight of each row's class, over all outputs.
void apply_class_weight(const Prepared& prepared, const ClassWeight& wish, std::vector<double>& weights) {
  std::vector<std::vector<double>> sums;
  for (const ClassTarget& target : prepared.values.classes)
    sums.push_back(wish.balanced ? class_sums(target.codes, target.n_classes, weights)
                                 : std::vector<double>(target.n_classes));
  const std::vector<std::vector<double>> factors = class_factors(wish, prepared.task, prepared.targets, sums);
  if (factors.empty()) return;
  if (weights.empty()) weights.assign(static_cast<std::size_t>(prepared.n_rows), 1.0);
  for (std::size_t o = 0; o < factors.size(); ++o)
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] *= factors[o][prepared.values.classes[o].codes[i]];
  check_class_weights(weights);
  check_some_weight(std::any_of(weights.begin(), weights.end(), [](double w) { return w > 0.0; }));
}

std::vector<std::uint64_t> mark_targets(const Prepared& prepared, std::span<const double> weights) {
  auto rows = zeros<std::uint64_t>(static_cast<std::size_t>(prepared.n_rows));
  const Targets& values = prepared.values;
  const std::vector<std::int32_t> treated(values.treated.begin(), values.treated.end());
  parallel_ranges(rows.size(), kCellsAtOnce, [&](std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    std::uint64_t* at = rows.data() + begin;
    for (std::size_t o = 0; o < values.classes.size(); ++o)
      mark_classes(o, std::span(values.classes[o].codes).subspan(begin, count), at);
    for (std::size_t o = 0; o < values.numbers.size(); ++o)
      mark_cells(kTargetMarks + o, std::span(values.numbers[o].raw).subspan(begin, count), at);
    if (!treated.empty()) mark_cells(kTreatmentMarks, std::span(treated).subspan(begin, count), at);
    if (!weights.empty()) mark_cells(kWeightMarks, weights.subspan(begin, count), at);
  });
  return rows;
}

void check_target_sizes(const Prepared& prepared) {
  const Targets& values = prepared.values;
  for (std::size_t o = 0; o < values.numbers.size(); ++o) {
    check_target_size(prepared.targets.fields[o].name, largest_size(values.numbers[o].raw, values.rows),
                      values.total_weight, values.weight_exponent);
  }
}

std::vector<bool> constant_targets(const Prepared& prepared) {
  std::vector<bool> constant;
  for (const ClassTarget& target : prepared.values.classes) constant.push_back(target.n_classes < 2);
  for (const NumberTarget& target : prepared.values.numbers)
    constant.push_back(std::adjacent_find(target.raw.begin(), target.raw.end(), std::not_equal_to<>()) ==
                       target.raw.end());
  return constant;
}

}  // namespace

Prepared prepare(const Table& table, const FitSpec& spec, const Params& params) {
  check_row_count(table.n_rows());
  Prepared prepared;
  prepared.n_rows = table.n_rows();
  const Schema schema = resolve_schema(table, spec);
  divide_schema(schema, spec, prepared.features, prepared.targets);
  for (const Field& field : prepared.targets.fields) check_target_cells(table, field);
  prepared.task = spec.treatment.empty() ? task_of_table(table, prepared.targets, params, prepared.notes)
                                         : effect_task(prepared.targets, params);
  check_class_params(prepared.task, params);
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
  prepared.row_marks = mark_targets(prepared, weights);
  apply_class_weight(prepared, params.class_weight, weights);
  prepared.case_weights = weights;
  apply_priors(prepared, params, weights);
  to_fixed_point(prepared.values, weights, table.n_rows());
  prepared.n_weighted = std::ssize(prepared.values.rows);
  check_total_weight(prepared.values.total_weight, prepared.values.weight_exponent);
  check_target_sizes(prepared);
  if (const auto zeros = std::count(weights.begin(), weights.end(), 0.0); zeros > 0)
    prepared.notes.push_back(zero_weight_note(zeros, prepared.n_rows));
  check_arms(prepared, params.min_samples_arm);
  note_no_overlap(table, prepared);
  prepared.weights = std::move(weights);
  for (std::string& note : integer_notes(table, prepared.features)) prepared.notes.push_back(std::move(note));
  add_data_warnings(prepared.targets, constant_targets(prepared), prepared.features, prepared.n_rows,
                    prepared.notes);
  return prepared;
}

}  // namespace bough
