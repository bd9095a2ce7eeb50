// SPDX-License-Identifier: Apache-2.0
// Reading and checking the treatment.
#include "model/treatment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "data/cells.hpp"
#include "data/encoded.hpp"
#include "model/classics.hpp"

namespace bough {
namespace {

void check_missing(const Table::Column& column, const std::string& name, std::int64_t n_rows) {
  std::int64_t count = 0, first = -1;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    if (!is_missing(column, row)) continue;
    if (count++ == 0) first = row;
  }
  if (count == 0) return;
  throw Error(ErrorCode::bad_data,
              fmt::format("the treatment '{}' is missing in {} of {} rows, first in row {}", name, count,
                          n_rows, first + 1),
              "remove those rows, or say what they are: treated or not");
}

// Levels with fewer rows than this on average are of one arm by chance too often to be spoken of.
constexpr std::int64_t kFewRows = 5;

// Whether cells still tell the arms apart: by one threshold for numbers and ordered levels, by sets of levels
// for categories; missing cells of one arm only go with that arm.
class ArmDivider {
 public:
  explicit ArmDivider(const Field& field) {
    if (field.kind == Kind::category) level_arms_.assign(field.levels.size(), 0);
  }

  bool add(double cell, bool treated) {
    const auto arm = static_cast<std::uint8_t>(treated ? 2 : 1);
    if (std::isnan(cell) || (cell < 0.0 && !level_arms_.empty())) return (missing_arms_ |= arm) != 3;
    if (!level_arms_.empty()) {
      std::uint8_t& seen = level_arms_[static_cast<std::size_t>(cell)];
      n_levels_ += seen == 0 ? 1 : 0;
      return (seen |= arm) != 3;
    }
    low_[treated] = std::min(low_[treated], cell);
    high_[treated] = std::max(high_[treated], cell);
    return high_[0] < low_[1] || high_[1] < low_[0];
  }

  [[nodiscard]] std::int64_t n_levels() const noexcept { return n_levels_; }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<std::uint8_t> level_arms_;  // bits: 1 untreated, 2 treated
  std::uint8_t missing_arms_ = 0;
  std::int64_t n_levels_ = 0;
  std::array<double, 2> low_{kInfinity, kInfinity}, high_{-kInfinity, -kInfinity};
};

// Whether some of the columns would put an arm at one end with a chance above one in a thousand, if they had
// nothing to do with the treatment: 2 of all orders of the arms do so.
bool divides_by_chance(std::int64_t treated, std::int64_t all, std::size_t n_columns) {
  const auto log_factorial = [](std::int64_t n) { return std::lgamma(static_cast<double>(n) + 1.0); };
  const double log_orders = log_factorial(all) - log_factorial(treated) - log_factorial(all - treated);
  return log_orders < std::log(2.0 * static_cast<double>(n_columns) / 0.001);
}

// Most columns show both arms on the same side within the first few rows, so this reads little.
bool divides_arms(const Table& table, const Field& field, const Targets& targets) {
  Schema one;
  one.fields.push_back(field);
  const RowReader reader(table, one);
  ArmDivider divider(one.fields.front());
  constexpr std::int64_t block = 1024;
  std::vector<double> cells(block);
  std::int64_t begin = 0, end = 0;  // rows in `cells`
  for (const RowId id : targets.rows) {
    const auto row = static_cast<std::int64_t>(id);
    if (row >= end) {
      begin = row;
      end = std::min(row + block, table.n_rows());
      reader.load(begin, end - begin, std::span(cells).first(static_cast<std::size_t>(end - begin)));
    }
    if (!divider.add(cells[static_cast<std::size_t>(row - begin)], targets.treated[id] != 0)) return false;
  }
  return divider.n_levels() * kFewRows <= static_cast<std::int64_t>(targets.rows.size());
}

}  // namespace

Task effect_task(const Schema& targets, const Params& params) {
  if (params.task == "classification")
    throw Error(ErrorCode::bad_params,
                "the effect of a treatment is on a number, but the task is classification",
                "leave the task out; for two classes use a target of 0 and 1: the effect is then on the "
                "probability of 1");
  if (targets.fields.size() != 1)
    throw Error(
        ErrorCode::bad_params,
        fmt::format("the effect of a treatment is on one target, but {} are named", targets.fields.size()),
        "fit one model per target");
  return Task::regression;
}

Field read_treatment(const Table& table, Field field, std::vector<std::uint8_t>& treated) {
  const Table::Column& column = table.column(table.find(field.name).value());
  check_missing(column, field.name, table.n_rows());
  if (field.levels.size() == 0) field.levels = collect_levels(column);
  if (field.levels.size() < 2)
    throw Error(ErrorCode::bad_data,
                fmt::format("the treatment '{}' is {} in every row", field.name, field.levels.names.front()),
                "an effect compares treated rows with untreated ones: give rows of both");
  if (field.levels.size() > 2)
    throw Error(ErrorCode::bad_data,
                fmt::format("the treatment '{}' must have two values, but has {}: {}", field.name,
                            field.levels.size(), list_some(field.levels.names, 6)),
                "keep the rows of two of them, or join values; the second in order is the treatment");
  std::vector<std::int32_t> codes(static_cast<std::size_t>(table.n_rows()));
  LevelReader(column, field.levels).read(0, codes);
  treated.assign(codes.begin(), codes.end());
  return field;
}

void check_arms(const Prepared& prepared, std::int64_t min_rows) {
  if (prepared.treatment.fields.empty()) return;
  const Targets& targets = prepared.values;
  const auto all = static_cast<std::int64_t>(targets.rows.size());
  const std::int64_t treated = std::count_if(targets.rows.begin(), targets.rows.end(),
                                             [&](RowId row) { return targets.treated[row] != 0; });
  const Field& field = prepared.treatment.fields.front();
  if (treated == 0 || treated == all)
    throw Error(ErrorCode::bad_data,
                fmt::format("every row of positive weight has the treatment '{}' at {}", field.name,
                            field.levels.names[treated == all ? 1 : 0]),
                "an effect compares treated rows with untreated ones: give rows of both a weight");
  for (const std::size_t arm : {0, 1}) {
    const std::int64_t rows = arm == 1 ? treated : all - treated;
    if (rows >= min_rows) continue;
    throw Error(
        ErrorCode::bad_data,
        fmt::format("the arm '{}' of the treatment '{}' has {} of {} rows, fewer than min_samples_arm={}",
                    field.levels.names[arm], field.name, rows, all, min_rows),
        "give more rows of that arm, or lower min_samples_arm");
  }
}

void note_no_overlap(const Table& table, Prepared& prepared) {
  if (prepared.treatment.fields.empty()) return;
  const Targets& targets = prepared.values;
  const auto all = static_cast<std::int64_t>(targets.rows.size());
  const std::int64_t treated = std::count_if(targets.rows.begin(), targets.rows.end(),
                                             [&](RowId row) { return targets.treated[row] != 0; });
  if (divides_by_chance(treated, all, prepared.features.fields.size())) return;
  std::vector<std::string> names;
  for (const Field& field : prepared.features.fields)
    if (divides_arms(table, field, targets)) names.push_back(field.name);
  if (names.empty()) return;
  prepared.notes.push_back(fmt::format(
      "the arms do not overlap: {}{} alone tells treated rows from untreated ones, so differences between "
      "the "
      "arms may come from it and not from the treatment '{}'",
      names.size() > 1 ? "each of " : "", list_some(names, 6), prepared.treatment.fields.front().name));
}

TreatmentOptions arm_options(const Prepared& prepared, const Params& params) {
  TreatmentOptions arms;
  arms.wanted = !prepared.treatment.fields.empty();
  arms.effect = params.causal_split == "effect";
  arms.min_rows = params.min_samples_arm;
  return arms;
}

bool is_causal(const Model& model) noexcept {
  return !model.parts().treatment.fields.empty();
}

void refuse_treatment(const Model& model, std::string_view what, std::string_view hint) {
  if (model.parts().treatment.fields.empty()) return;
  throw Error(
      ErrorCode::not_supported,
      fmt::format("{} is not for models of a treatment: they answer with effects, which no row shows", what),
      std::string(hint));
}

double variance_price(const Params& params) noexcept {
  return params.honest && params.causal_split == "effect" ? 1.0 / params.honest_fraction : 0.0;
}

std::string model_criterion(const Prepared& prepared, const Params& params, CriterionId criterion) {
  if (prepared.treatment.fields.empty()) return std::string(criterion_info(criterion).name);
  return params.causal_split == "effect" ? "effect_error" : "treatment_gini";
}

}  // namespace bough
