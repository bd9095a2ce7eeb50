// SPDX-License-Identifier: Apache-2.0
// Parameters as JSON and back, and the table of parameters as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "base/json_depth.hpp"
#include "base/text.hpp"
#include "params/stored.hpp"
#include "params/values.hpp"

namespace bough {
namespace {

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(number_text(value));
}

template <class T>
Json json_of(const T& value) {
  return value;
}
Json json_of(double value) {
  return number_json(value);
}

Json json_of(const Amount& amount) {
  if (const char* name = amount_name(amount.unit)) return name;
  if (amount.unit == Amount::Unit::fraction) return number_json(amount.value);
  const bool whole = amount.value == std::floor(amount.value) && std::fabs(amount.value) < 0x1p62;
  return whole ? Json(static_cast<std::int64_t>(amount.value)) : number_json(amount.value);
}

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json(nullptr);
}

Json json_of(const NameNumbers& value) {
  if (value.empty()) return nullptr;
  Json object = Json::object();
  for (const auto& [name, number] : value) object[name] = json_of(Amount::count(number));
  return object;
}

Json json_of(const ClassWeight& value) {
  if (value.subsample) return "balanced_subsample";
  return value.balanced ? Json("balanced") : json_of(value.by_name);
}
Json json_of(const Shrinkage& value) {
  if (value.cross_validated) return "cv";
  return value.strength == 0.0 ? Json(nullptr) : number_json(value.strength);
}
Json json_of(const NameGroups& value) {
  return value.empty() ? Json(nullptr) : Json(value);
}

Json json_of(const NumberGrid& value) {
  if (value.empty()) return nullptr;
  Json rows = Json::array();
  for (const std::vector<double>& row : value) {
    Json numbers = Json::array();
    for (const double number : row) numbers.push_back(json_of(Amount::count(number)));
    rows.push_back(std::move(numbers));
  }
  return rows;
}

// Where a JSON value came from, for its errors.
struct Source {
  const ParamRow& row;
  const Json& json;

  [[noreturn]] void refuse(std::string hint = {}) const {
    std::string given = json.dump(-1, Json::BadText::replaced);
    if (given.size() > 60) given = given.substr(0, 57) + "...";
    throw param_error(row, given, std::move(hint));
  }
};

void read(const Source& from, bool& value) {
  if (!from.json.is_boolean()) from.refuse();
  value = from.json.get<bool>();
}

template <class T>
requires std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>
void read(const Source& from, T& value) {
  const Json& json = from.json;
  if (json.is_number_unsigned() && std::in_range<T>(json.get<std::uint64_t>())) {
    value = static_cast<T>(json.get<std::uint64_t>());
  } else if (json.is_number_integer() && !json.is_number_unsigned() &&
             std::in_range<T>(json.get<std::int64_t>())) {
    value = static_cast<T>(json.get<std::int64_t>());
  } else if (json.is_number_float() && json.get<double>() == std::floor(json.get<double>()) &&
             std::fabs(json.get<double>()) <= std::numeric_limits<std::int32_t>::max()) {
    value = static_cast<T>(json.get<double>());  // 8.0 is a whole number in JSON
  } else {
    from.refuse();
  }
}

void read(const Source& from, double& value) {
  if (!from.json.is_number()) from.refuse();
  value = from.json.get<double>();
}

void read(const Source& from, std::string& value) {
  if (!from.json.is_string()) from.refuse();
  value = from.json.get<std::string>();
}

void read(const Source& from, Amount& value) {
  const Json& json = from.json;
  if (json.is_number_float()) {
    value = Amount::fraction(json.get<double>());
  } else if (json.is_number_integer()) {
    value = Amount::count(json.get<double>());
  } else if (const auto named = json.is_string() ? named_amount(json.get<std::string>()) : std::nullopt) {
    value = *named;
  } else {
    from.refuse();
  }
}

template <class T>
void read(const Source& from, std::optional<T>& value) {
  value.reset();
  if (!from.json.is_null()) read(from, value.emplace());
}

void read(const Source& from, NameNumbers& value) {
  value.clear();
  if (from.json.is_null()) return;
  if (!from.json.is_object()) from.refuse();
  for (const auto& [name, number] : from.json.items()) {
    if (!number.is_number()) from.refuse(fmt::format("'{}' has no number", name));
    value[name] = number.get<double>();
  }
}

void read(const Source& from, ClassWeight& value) {
  value = {};
  value.subsample = from.json == "balanced_subsample";
  value.balanced = value.subsample || from.json == "balanced";
  if (!value.balanced) read(from, value.by_name);
}

void read(const Source& from, Shrinkage& value) {
  value = {};
  value.cross_validated = from.json == "cv";
  if (!value.cross_validated && !from.json.is_null()) read(from, value.strength);
}

// Lists within a list, whose cells are what `is` says; `rule` is the hint for anything else.
template <class T>
void read_lists(const Source& from, std::vector<std::vector<T>>& value, bool (Json::*is)() const noexcept,
                std::string_view rule) {
  value.clear();
  if (from.json.is_null()) return;
  if (!from.json.is_array()) from.refuse();
  for (const Json& list : from.json) {
    if (!list.is_array()) from.refuse(std::string(rule));
    std::vector<T>& cells = value.emplace_back();
    for (const Json& cell : list) {
      if (!(cell.*is)()) from.refuse(std::string(rule));
      cells.push_back(cell.get<T>());
    }
  }
}

void read(const Source& from, NameGroups& value) {
  read_lists(from, value, &Json::is_string, "every group is a list of names");
}

void read(const Source& from, NumberGrid& value) {
  read_lists(from, value, &Json::is_number, "every row is a list of numbers");
}

Json parse_object(std::string_view text) {
  if (nests_deeper(text))
    throw Error(ErrorCode::bad_params,
                fmt::format("the parameters nest deeper than {} levels", kMostJsonDepth),
                R"(write an object such as {"max_depth": 4})");
  try {
    Json json = Json::parse(text);
    if (json.is_object()) return json;
  } catch (const JsonError& failure) {
    throw Error(ErrorCode::bad_params, fmt::format("the parameters are not JSON: {}", failure.what()),
                R"(write an object such as {"max_depth": 4})");
  }
  throw Error(ErrorCode::bad_params, "the parameters are JSON but not an object",
              R"(write an object such as {"max_depth": 4})");
}

}  // namespace

Json param_json(const ParamRow& row, const Params& params) {
  return visit_param(params, row, [](const auto& value) { return json_of(value); });
}

void set_param_json(Params& params, const ParamRow& row, const Json& value) {
  const Source from{row, value};
  visit_param(params, row, [&](auto& member) { read(from, member); });
  if (std::optional<std::string> hint = fault(row, params)) from.refuse(std::move(*hint));
}

std::string params_to_json(const Params& params) {
  Json object = Json::object();
  for (const ParamRow& row : kParams) object[std::string(row.name)] = param_json(row, params);
  try {
    return object.dump();
  } catch (const JsonError&) {
    throw Error(ErrorCode::bad_params, "a name in the parameters is not UTF-8 text",
                "rename the class or column, or convert the data to UTF-8");
  }
}

namespace {

// Parameters of earlier versions.
constexpr std::array<std::string_view, 1> kRetired{"lookahead"};

Params read_object(std::string_view text, std::span<const std::string_view> ignored) {
  Params params;
  std::vector<Error> errors;
  const Json object = parse_object(text);
  for (const auto& [name, value] : object.items()) {
    try {
      if (std::ranges::find(ignored, name) != ignored.end()) continue;
      const ParamRow* row = find_param(name);
      if (row == nullptr) throw unknown_param(name);
      set_param_json(params, *row, value);
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }
  if (!errors.empty()) throw combined_error(errors);
  validate(params);
  return params;
}

}  // namespace

Params params_from_json(std::string_view text) {
  return read_object(text, {});
}

Params stored_params(std::string_view text) {
  return read_object(text, kRetired);
}

}  // namespace bough
