// SPDX-License-Identifier: Apache-2.0
// Parameters as text and back: what flags, prompts and printed models use.
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_depth.hpp"
#include "params/values.hpp"

namespace bough {
namespace {

// A name that the short forms "a=1,b=2" and "a,b;c" would read as something else; the value is then written
// as JSON.
bool is_awkward(const std::string& name) {
  return name.empty() || trim(name).size() != name.size() || name == "none" || name == "balanced" ||
         name.find_first_of(",;=[]{}\"\n\r\t") != std::string::npos;
}

std::string dump(const Json& json) {
  return json.dump(-1, Json::BadText::replaced);
}

std::string text_of(bool value) {
  return value ? "true" : "false";
}
std::string text_of(std::int32_t value) {
  return fmt::format("{}", value);
}
std::string text_of(std::int64_t value) {
  return fmt::format("{}", value);
}
std::string text_of(double value) {
  return number_text(value);
}
std::string text_of(const std::string& value) {
  return value;
}

std::string text_of(const Amount& amount) {
  if (const char* name = amount_name(amount.unit)) return name;
  if (amount.unit == Amount::Unit::count)
    return amount.value == std::floor(amount.value) ? fmt::format("{:.0f}", amount.value)
                                                    : number_text(amount.value);
  std::string text = number_text(amount.value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";  // n: nan, inf
  return text;
}

template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? text_of(*value) : "none";
}

std::string text_of(const NameNumbers& value) {
  if (value.empty()) return "none";
  if (std::ranges::any_of(value, [](const auto& pair) { return is_awkward(pair.first); }))
    return dump(Json(value));
  std::vector<std::string> parts;
  for (const auto& [name, number] : value) parts.push_back(fmt::format("{}={}", name, number_text(number)));
  return join(parts, ",");
}

std::string text_of(const ClassWeight& value) {
  if (value.subsample) return "balanced_subsample";
  return value.balanced ? "balanced" : text_of(value.by_name);
}

std::string text_of(const Shrinkage& value) {
  return value.cross_validated ? "cv" : value.strength == 0.0 ? "none" : number_text(value.strength);
}

std::string text_of(const NameGroups& value) {
  if (value.empty()) return "none";
  std::vector<std::string> groups;
  for (const std::vector<std::string>& group : value) {
    if (group.empty() || std::ranges::any_of(group, is_awkward)) return dump(Json(value));
    groups.push_back(join(group, ","));
  }
  return join(groups, ";");
}

std::string text_of(const NumberGrid& value) {
  if (value.empty()) return "none";
  std::vector<std::string> rows;
  for (const std::vector<double>& row : value) {
    std::vector<std::string> numbers;
    for (const double number : row) numbers.push_back(number_text(number));
    rows.push_back(join(numbers, ","));
  }
  return join(rows, ";");
}

// Where the text of a value came from, for its errors.
struct Source {
  const ParamRow& row;
  std::string_view text;

  [[noreturn]] void refuse(std::string hint = {}) const {
    throw param_error(row, fmt::format("'{}'", text), std::move(hint));
  }
};

void read(const Source& from, bool& value) {
  if (from.text != "true" && from.text != "false") from.refuse();
  value = from.text == "true";
}

template <class T>
requires std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>
void read(const Source& from, T& value) {
  const std::optional<std::int64_t> number = parse_integer(from.text);
  if (!number || !std::in_range<T>(*number)) from.refuse();
  value = static_cast<T>(*number);
}

void read(const Source& from, double& value) {
  const std::optional<double> number = parse_number(from.text);
  if (!number) from.refuse();
  value = *number;
}

void read(const Source& from, std::string& value) {
  value = from.text;
}

void read(const Source& from, Amount& value) {
  if (const std::optional<Amount> named = named_amount(from.text)) {
    value = *named;
    return;
  }
  const std::optional<double> number = parse_number(from.text);
  if (!number || !std::isfinite(*number)) from.refuse();
  const bool fraction = from.text.find_first_of(".eE") != std::string_view::npos;
  value = fraction ? Amount::fraction(*number) : Amount::count(*number);
}

template <class T>
void read(const Source& from, std::optional<T>& value) {
  value.reset();
  if (from.text != "none") read(from, value.emplace());
}

bool is_json(std::string_view text) {
  return text.starts_with('{') || text.starts_with('[');
}

// Parts between separators outside double quotes.
std::vector<std::string_view> split_outside_quotes(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  bool inside = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '"') inside = !inside;
    if (i < text.size() && (inside || text[i] != separator)) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

// A name, which stands in double quotes where it holds signs that mean something; "" is a quote in it.
std::string name_of(std::string_view part) {
  part = trim(part);
  if (part.size() < 2 || part.front() != '"' || part.back() != '"') return std::string(part);
  std::string name;
  for (std::size_t i = 1; i + 1 < part.size(); ++i) {
    name += part[i];
    if (part[i] == '"' && part[i + 1] == '"') ++i;
  }
  return name;
}

void read_pairs(const Source& from, NameNumbers& value) {
  for (const std::string_view part : split_outside_quotes(from.text, ',')) {
    const std::size_t equals = part.rfind('=');
    if (equals == std::string_view::npos) from.refuse(fmt::format("'{}' is not name=number", trim(part)));
    const std::string name = name_of(part.substr(0, equals));
    const std::optional<double> number = parse_number(trim(part.substr(equals + 1)));
    if (name.empty() || !number) from.refuse(fmt::format("'{}' is not name=number", trim(part)));
    if (!value.emplace(name, *number).second) from.refuse(fmt::format("'{}' is given twice", name));
  }
}

void read(const Source& from, NameNumbers& value) {
  value.clear();
  if (from.text != "none") read_pairs(from, value);
}

void read(const Source& from, ClassWeight& value) {
  value = {};
  value.subsample = from.text == "balanced_subsample";
  value.balanced = value.subsample || from.text == "balanced";
  if (!value.balanced) read(from, value.by_name);
}

void read(const Source& from, Shrinkage& value) {
  value = {};
  value.cross_validated = from.text == "cv";
  if (!value.cross_validated && from.text != "none") read(from, value.strength);
}

void read(const Source& from, NameGroups& value) {
  value.clear();
  if (from.text == "none") return;
  for (const std::string_view group : split_outside_quotes(from.text, ';')) {
    std::vector<std::string>& names = value.emplace_back();
    for (const std::string_view name : split_outside_quotes(group, ',')) {
      names.push_back(name_of(name));
      if (names.back().empty())
        from.refuse("a name is empty; names go between commas, groups between semicolons");
    }
  }
}

void read(const Source& from, NumberGrid& value) {
  value.clear();
  if (from.text == "none") return;
  for (const std::string_view row : split_text(from.text, ';')) {
    std::vector<double>& numbers = value.emplace_back();
    for (const std::string_view part : split_text(row, ',')) {
      const std::optional<double> number = parse_number(trim(part));
      if (!number) from.refuse(fmt::format("'{}' is not a number", trim(part)));
      numbers.push_back(*number);
    }
  }
}

// Types whose values may also be written as JSON.
template <class T>
constexpr bool kHasNames = std::is_same_v<T, ClassWeight> || std::is_same_v<T, NameNumbers> ||
                           std::is_same_v<T, NameGroups> || std::is_same_v<T, NumberGrid>;

Json parse_value(const Source& from) {
  if (nests_deeper(from.text)) from.refuse("the value nests too deep");
  try {
    return Json::parse(from.text);
  } catch (const JsonError&) {
    from.refuse("the value begins like JSON but is not JSON");
  }
}

}  // namespace

std::string param_text(const Params& params, const ParamRow& row) {
  return visit_param(params, row, [](const auto& value) { return text_of(value); });
}

void set_param(Params& params, std::string_view name, std::string_view text) {
  const ParamRow* row = find_param(name);
  if (row == nullptr) throw unknown_param(name);
  const Source from{*row, trim(text)};
  Params changed = params;
  visit_param(changed, *row, [&]<class T>(T& value) {
    if constexpr (kHasNames<T>) {
      if (is_json(from.text)) return set_param_json(changed, *row, parse_value(from));
    }
    read(from, value);
  });
  if (std::optional<std::string> hint = fault(*row, changed)) from.refuse(std::move(*hint));
  params = std::move(changed);
}

}  // namespace bough
