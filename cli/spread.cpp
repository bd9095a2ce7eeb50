// SPDX-License-Identifier: Apache-2.0
// How far answers may be off, as columns.
#include "spread.hpp"

#include <fmt/format.h>

#include "bough/intervals.hpp"
#include "command.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

using Grids = std::vector<std::vector<double>>;

std::vector<double> column_of(const std::vector<double>& grid, std::size_t column, std::size_t width) {
  std::vector<double> out;
  for (std::size_t i = column; i < grid.size(); i += width) out.push_back(grid[i]);
  return out;
}

// One column per output of numbers, or per class of every output; `fill(output)` gives row after row.
template <class Fill>
void add_grid(const Model& model, const std::vector<std::string>& names, const Fill& fill,
              std::vector<SpreadColumn>& out) {
  const bool classes = model.task() == Task::classification, several = model.n_outputs() > 1;
  for (std::size_t output = 0; output < (classes ? model.n_outputs() : 1); ++output) {
    const auto grids = fill(output);
    const std::size_t width = classes ? model.targets().fields[output].levels.size() : model.n_outputs();
    for (std::size_t k = 0; k < width; ++k) {
      std::string tail = several ? fmt::format("_{}", model.targets().fields[classes ? output : k].name) : "";
      if (classes) tail += fmt::format("_{}", model.targets().fields[output].levels.names[k]);
      for (std::size_t i = 0; i < names.size(); ++i)
        out.push_back(SpreadColumn{names[i] + tail, column_of(grids[i], k, width), {}});
    }
  }
}

void add_sets(const Model& model, const Table& rows, const SpreadFlags& flags, CalibrateBy by,
              const Execution& execution, std::vector<SpreadColumn>& out) {
  for (std::size_t output = 0; output < model.n_outputs(); ++output) {
    const Field& field = model.targets().fields[output];
    const std::vector<char> marks = predict_set(model, rows, flags.interval, by, output, execution);
    SpreadColumn column{model.n_outputs() == 1 ? "set" : fmt::format("set_{}", field.name), {}, {}};
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (i % field.levels.size() == 0) column.sets.emplace_back();
      if (marks[i]) column.sets.back().push_back(field.levels.names[i % field.levels.size()]);
    }
    out.push_back(std::move(column));
  }
}

double level_of(const std::string& text) {
  std::size_t used = 0;
  double level = -1.0;
  try {
    level = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == text.size() && !text.empty()) return level;
  throw Error(ErrorCode::bad_params, fmt::format("--quantile: '{}' is not a number", text),
              "levels are between 0 and 1");
}

void check_chance(double value, std::string_view flag) {
  if (!(value > 0.0 && value < 1.0))
    throw Error(ErrorCode::bad_params, fmt::format("{} must lie between 0 and 1, but is {}", flag, value),
                fmt::format("it is a probability: {} 0.9", flag));
}

}  // namespace

void check_spread_flags(const SpreadFlags& flags) {
  if (flags.interval != SpreadFlags::kNone) check_chance(flags.interval, "--interval");
  if (flags.mean_interval != SpreadFlags::kNone) check_chance(flags.mean_interval, "--mean-interval");
  if (!flags.quantiles.empty() && split_lists(flags.quantiles).empty())
    throw Error(ErrorCode::bad_params, "--quantile is empty",
                "it takes levels between 0 and 1: --quantile 0.1,0.9");
}

void add_spread_flags(Command& command, SpreadFlags& flags) {
  command.group("Uncertainty of predictions");
  command.option(flags.interval,
                 {"--interval",
                  "Add bounds that contain a new target with this probability: lower, upper (classes: a set)",
                  "COVERAGE"});
  command.option(
      flags.method,
      {"--interval-by",
       "Which errors to use: of all calibration rows, or of those in the leaf (default: conformal)",
       "METHOD",
       {"conformal", "leaf"}});
  command.option(flags.mean_interval,
                 {"--mean-interval",
                  "Add mean_lower and mean_upper, for the mean of an honest leaf or forest", "COVERAGE"});
  command.toggle(flags.std_error,
                 {"--std-error", "Add the standard error of an honest forest with little_bags"});
  command.option(flags.quantiles,
                 {"--quantile", "Add quantiles of the leaf's targets (leaf_samples)", "LEVELS"});
  command.effects({{"--interval,--mean-interval,--std-error,--quantile"}, {"--interval-by", {"--interval"}}});
}

std::vector<SpreadColumn> spread_columns(const Model& model, const Table& rows, const SpreadFlags& flags,
                                         const Execution& execution) {
  std::vector<SpreadColumn> out;
  const CalibrateBy by = flags.method == "leaf" ? CalibrateBy::leaf : CalibrateBy::all;
  if (flags.interval != SpreadFlags::kNone && model.task() == Task::classification)
    add_sets(model, rows, flags, by, execution, out);
  if (flags.interval != SpreadFlags::kNone && model.task() == Task::regression)
    add_grid(
        model, {"lower", "upper"},
        [&](std::size_t) {
          Intervals ends = predict_interval(model, rows, flags.interval, by, execution);
          return Grids{std::move(ends.lower), std::move(ends.upper)};
        },
        out);
  if (flags.mean_interval != SpreadFlags::kNone)
    add_grid(
        model, {"mean_lower", "mean_upper"},
        [&](std::size_t output) {
          Intervals ends = predict_mean_interval(model, rows, flags.mean_interval, output, execution);
          return Grids{std::move(ends.lower), std::move(ends.upper)};
        },
        out);
  if (flags.std_error)
    add_grid(
        model, {"std_error"},
        [&](std::size_t output) { return Grids{predict_std_error(model, rows, output, execution)}; }, out);
  const std::vector<std::string> texts = split_lists(flags.quantiles);
  if (texts.empty()) return out;
  std::vector<double> levels;
  for (const std::string& text : texts) levels.push_back(level_of(text));
  const std::vector<double> values = predict_quantile(model, rows, levels, execution);
  for (std::size_t k = 0; k < levels.size(); ++k)
    out.push_back(
        SpreadColumn{fmt::format("quantile_{}", texts[k]), column_of(values, k, levels.size()), {}});
  return out;
}

}  // namespace bough::cli
