// SPDX-License-Identifier: Apache-2.0
// The table of parameters at work: look up, describe, check.
#include "bough/params.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "params/values.hpp"

namespace bough {
namespace {

constexpr double kMostCount = 9007199254740992.0;  // 2^53: larger counts are not exact doubles

std::string range_words(std::string_view noun, const ParamRange& range) {
  const bool low = std::isfinite(range.low);
  const bool high = std::isfinite(range.high);
  if (low && high) {
    return fmt::format("{} in {}{}, {}]", noun, range.open_low ? '(' : '[', number_text(range.low),
                       number_text(range.high));
  }
  if (low) return fmt::format("{} {} {}", noun, range.open_low ? ">" : ">=", number_text(range.low));
  if (high) return fmt::format("{} <= {}", noun, number_text(range.high));
  return std::string(noun);
}

std::string allowed(const ParamRow&, bool) {
  return "true or false";
}
std::string allowed(const ParamRow& row, std::int64_t) {
  return range_words("a whole number", row.range);
}
std::string allowed(const ParamRow& row, std::int32_t) {
  return range_words("a whole number", row.range);
}
std::string allowed(const ParamRow& row, double) {
  return range_words("a number", row.range);
}
std::string allowed(const ParamRow& row, const std::string&) {
  return fmt::format("one of {}", fmt::join(row.choices, ", "));
}
std::string allowed(const ParamRow& row, const Amount&) {
  return fmt::format("{}{} a fraction {}{}", range_words("a whole number", row.range),
                     takes_names(row) ? "," : " or", most_fraction(row) > 1.0 ? "> 0" : "in (0, 1]",
                     takes_names(row) ? ", sqrt, log2, square, auto" : "");
}
template <class T>
std::string allowed(const ParamRow& row, const std::optional<T>&) {
  return allowed(row, T{}) + " or none";
}
std::string allowed(const ParamRow& row, const ClassWeight&) {
  return fmt::format(
      "none, balanced, balanced_subsample (forests), or name=weight pairs where a weight is {}",
      range_words("a number", row.range));
}
std::string allowed(const ParamRow& row, const Shrinkage&) {
  return fmt::format("none, cv or {}", range_words("a number", row.range));
}
std::string allowed(const ParamRow& row, const NameNumbers&) {
  return fmt::format("none, or name=number pairs where a number is {}",
                     range_words(takes_whole(row) ? "a whole number" : "a number", row.range));
}
std::string allowed(const ParamRow&, const NameGroups&) {
  return "none, or groups of names: a,b;c,d";
}
std::string allowed(const ParamRow& row, const NumberGrid&) {
  return fmt::format("none, or rows of numbers: 0,1;5,0, where a number is {}",
                     range_words("a number", row.range));
}

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(Json(text).dump());
    return true;
  } catch (const JsonError&) {
    return false;
  }
}

constexpr std::string_view kUtf8Hint = "names must be UTF-8 text";

// What the row's doc says about none ("none: no limit.").
std::string none_hint(const ParamRow& row) {
  const std::size_t at = row.doc.find("none: ");
  if (at == std::string_view::npos) return "use `none` to leave it unset";
  const std::string_view rest = row.doc.substr(at + 6);
  return fmt::format("use `none` for {}", rest.substr(0, rest.find('.')));
}

std::optional<std::string> fault_of(const ParamRow&, bool) {
  return std::nullopt;
}

std::optional<std::string> fault_of(const ParamRow& row, double value) {
  if (std::isfinite(value) && contains(row.range, value)) return std::nullopt;
  return "";
}
std::optional<std::string> fault_of(const ParamRow& row, std::int64_t value) {
  return fault_of(row, static_cast<double>(value));
}
std::optional<std::string> fault_of(const ParamRow& row, std::int32_t value) {
  return fault_of(row, static_cast<double>(value));
}

std::optional<std::string> fault_of(const ParamRow& row, const std::string& value) {
  if (std::ranges::find(row.choices, value) != row.choices.end()) return std::nullopt;
  const std::string near =
      nearest_name(value, std::vector<std::string>(row.choices.begin(), row.choices.end()));
  return near.empty() ? "" : fmt::format("did you mean {}?", near);
}

std::optional<std::string> fault_of(const ParamRow& row, const Amount& amount) {
  const bool whole = amount.value == std::floor(amount.value);
  switch (amount.unit) {
    case Amount::Unit::count:
      if (whole && amount.value <= kMostCount && contains(row.range, amount.value)) return std::nullopt;
      return "a number with a decimal point is a fraction, one without is a count";
    case Amount::Unit::fraction:
      if (amount.value > 0.0 && amount.value <= most_fraction(row)) return std::nullopt;
      if (whole && contains(row.range, amount.value))
        return fmt::format("a number with a decimal point is a fraction; write {} for a count",
                           number_text(amount.value));
      return "a number with a decimal point is a fraction, one without is a count";
    default:
      break;
  }
  if (takes_names(row)) return std::nullopt;
  return "sqrt, log2, square and auto are for max_features";
}

template <class T>
std::optional<std::string> fault_of(const ParamRow& row, const std::optional<T>& value) {
  if (!value) return std::nullopt;
  std::optional<std::string> found = fault_of(row, *value);
  if (found) *found = found->empty() ? none_hint(row) : fmt::format("{}; {}", *found, none_hint(row));
  return found;
}

std::optional<std::string> fault_of(const ParamRow& row, const ClassWeight& value) {
  if (value.balanced && !value.by_name.empty()) return "choose between balanced and weights by name";
  for (const auto& [name, weight] : value.by_name) {
    if (!is_utf8(name)) return std::string(kUtf8Hint);
    if (fault_of(row, weight))
      return fmt::format("the weight of class '{}' is {}", name, number_text(weight));
  }
  return std::nullopt;
}

std::optional<std::string> fault_of(const ParamRow& row, const Shrinkage& value) {
  return fault_of(row, value.strength);
}

std::optional<std::string> fault_of(const ParamRow& row, const NameNumbers& value) {
  for (const auto& [name, number] : value) {
    if (!is_utf8(name)) return std::string(kUtf8Hint);
    if (fault_of(row, number) || (takes_whole(row) && number != std::floor(number)))
      return fmt::format("the number of {} '{}' is {}", row.name == "priors" ? "class" : "column", name,
                         number_text(number));
  }
  return std::nullopt;
}

std::optional<std::string> fault_of(const ParamRow&, const NameGroups& value) {
  for (const std::vector<std::string>& group : value) {
    if (group.empty()) return "a group without columns has no meaning: leave it out";
    if (!std::ranges::all_of(group, is_utf8)) return std::string(kUtf8Hint);
  }
  return std::nullopt;
}

std::optional<std::string> fault_of(const ParamRow& row, const NumberGrid& value) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i].size() != value.size())
      return fmt::format("row {} has {} numbers; there must be as many as rows, {}", i + 1, value[i].size(),
                         value.size());
    for (const double number : value[i])
      if (fault_of(row, number)) return fmt::format("row {} holds {}", i + 1, number_text(number));
    if (value[i][i] != 0.0)
      return fmt::format("the diagonal holds {} in row {}; a right answer costs 0", number_text(value[i][i]),
                         i + 1);
  }
  return std::nullopt;
}

std::optional<Error> task_conflict(const Params& params) {
  if (params.task == "auto" || params.criterion == "auto") return std::nullopt;
  const Task task = params.task == "classification" ? Task::classification : Task::regression;
  const CriterionInfo* row = find_criterion(params.criterion);
  if (row == nullptr || row->task == task) return std::nullopt;
  std::vector<std::string> fitting;
  for (const CriterionInfo& info : kCriteria)
    if (info.task == task) fitting.emplace_back(info.name);
  return Error(ErrorCode::bad_params,
               fmt::format("criterion={} is not for task={}", params.criterion, params.task),
               fmt::format("use one of {}, or auto", join(fitting, ", ")));
}

std::optional<Error> pruning_conflict(const Params& params) {
  const std::string_view pruning = resolved_pruning(params);
  const bool priced = pruning == "none" || pruning == "cost_complexity";
  if (!priced && params.ccp_alpha > 0.0)
    return Error(ErrorCode::bad_params,
                 fmt::format("ccp_alpha={} is not for pruning={}", number_text(params.ccp_alpha), pruning),
                 "choose one of the two, or use pruning=cost_complexity");
  if (params.pruning == "critical_value" && params.critical_value == 0.0)
    return Error(ErrorCode::bad_params, "pruning=critical_value with critical_value=0 would cut nothing",
                 "set critical_value to the decrease in impurity that a split must reach");
  return std::nullopt;
}

}  // namespace

std::string_view resolved_pruning(const Params& params) noexcept {
  if (params.pruning != "auto") return params.pruning;
  return params.algorithm == "c45" ? "pessimistic" : "none";
}

const ParamRow* find_param(std::string_view name) noexcept {
  const auto row = std::ranges::find(kParams, name, &ParamRow::name);
  return row == kParams.end() ? nullptr : &*row;
}

std::optional<std::string> fault(const ParamRow& row, const Params& params) {
  return visit_param(params, row, [&](const auto& value) { return fault_of(row, value); });
}

std::string param_allowed(const ParamRow& row) {
  return visit_param(defaults(), row, [&](const auto& value) { return allowed(row, value); });
}

std::string param_default(const ParamRow& row) {
  return param_text(defaults(), row);
}

Error param_error(const ParamRow& row, std::string_view given, std::string hint) {
  return {ErrorCode::bad_params, fmt::format("{} must be {}, but is {}", row.name, param_allowed(row), given),
          std::move(hint)};
}

Error unknown_param(std::string_view name) {
  std::vector<std::string> names;
  for (const ParamRow& row : kParams) names.emplace_back(row.name);
  const std::string near = nearest_name(name, names);
  return {ErrorCode::bad_params, fmt::format("there is no parameter '{}'", name),
          near.empty() ? "the parameters are " + join(names, ", ") : fmt::format("did you mean {}?", near)};
}

Error combined_error(const std::vector<Error>& errors) {
  if (errors.size() == 1) return errors.front();
  std::string message = fmt::format("{} parameters are wrong:", errors.size());
  std::vector<std::string> hints;
  for (const Error& error : errors) {
    message += fmt::format("\n  {}", error.what());
    if (!error.hint().empty() && std::ranges::find(hints, error.hint()) == hints.end())
      hints.push_back(error.hint());
  }
  return {ErrorCode::bad_params, message, join(hints, "; ")};
}

void validate(const Params& params) {
  std::vector<Error> errors;
  for (const ParamRow& row : kParams) {
    std::optional<std::string> hint = fault(row, params);
    if (hint) errors.push_back(param_error(row, param_text(params, row), std::move(*hint)));
  }
  if (errors.empty()) {
    if (std::optional<Error> conflict = task_conflict(params)) errors.push_back(*conflict);
    if (std::optional<Error> conflict = pruning_conflict(params)) errors.push_back(*conflict);
  }
  if (!errors.empty()) throw combined_error(errors);
}

}  // namespace bough
