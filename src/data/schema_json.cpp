// SPDX-License-Identifier: Apache-2.0
// A Schema as JSON that people edit, and back.
//
// {"columns": [
//   {"name": "age", "kind": "numeric", "role": "feature"},
//   {"name": "size", "kind": "ordinal", "role": "feature", "type": "text", "order": ["small", "large"]},
//   {"name": "colour", "kind": "category", "role": "feature", "type": "text", "levels": ["blue", "red"]}]}
//
// kind may be left out with no levels (numeric), role too (feature), type too (told from the values).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "bough/table.hpp"
#include "data/levels.hpp"

namespace bough {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kKindNames{"numeric", "ordinal", "category"};
constexpr std::array<std::string_view, 6> kRoleNames{"feature", "target", "weight",
                                                     "ignored", "group",  "treatment"};
constexpr std::array<std::string_view, 4> kTypeNames{"text", "integer", "real", "boolean"};

Json level_json(const Levels& levels, std::size_t i) {
  switch (levels.type) {
    case Levels::Type::text:
      return levels.names[i];
    case Levels::Type::boolean:
      return levels.numbers[i] != 0.0;
    case Levels::Type::integer:
      if (std::fabs(levels.numbers[i]) < 9223372036854775808.0)
        return static_cast<std::int64_t>(levels.numbers[i]);
      return levels.numbers[i];
    case Levels::Type::real:
      break;
  }
  if (std::isfinite(levels.numbers[i])) return levels.numbers[i];
  return number_text(levels.numbers[i]);
}

Json field_json(const Field& field) {
  Json json;
  json["name"] = field.name;
  json["kind"] = kKindNames[static_cast<std::size_t>(field.kind)];
  json["role"] = kRoleNames[static_cast<std::size_t>(field.role)];
  if (field.kind == Kind::numeric && field.levels.size() == 0) return json;
  json["type"] = kTypeNames[static_cast<std::size_t>(field.levels.type)];
  Json& levels = json[field.kind == Kind::ordinal ? "order" : "levels"] = Json::array();
  for (std::size_t i = 0; i < field.levels.size(); ++i) levels.push_back(level_json(field.levels, i));
  return json;
}

Error schema_error(const std::string& where, const std::string& what, std::string hint = {}) {
  return Error(ErrorCode::bad_data, fmt::format("schema: {}{}{}", where, where.empty() ? "" : ": ", what),
               std::move(hint));
}

template <std::size_t N>
std::size_t choice(const Json& json, const char* key, const std::array<std::string_view, N>& names,
                   const std::string& where) {
  const std::vector<std::string> all(names.begin(), names.end());
  const Json& value = json.at(key);
  if (value.is_string()) {
    const auto at = std::find(names.begin(), names.end(), value.get<std::string>());
    if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  }
  throw schema_error(where, fmt::format("{} is {}", key, value.dump()),
                     fmt::format("{} is one of {}", key, join(all, ", ")));
}

Levels::Type told_type(const Json& values) {
  const auto all = [&](auto is) { return !values.empty() && std::all_of(values.begin(), values.end(), is); };
  if (all([](const Json& v) { return v.is_boolean(); })) return Levels::Type::boolean;
  if (all([](const Json& v) { return v.is_number_integer(); })) return Levels::Type::integer;
  if (all([](const Json& v) { return v.is_number(); })) return Levels::Type::real;
  return Levels::Type::text;
}

double level_value(const Json& value, Levels::Type type, const std::string& where) {
  if (value.is_boolean() && type == Levels::Type::boolean) return value.get<bool>() ? 1.0 : 0.0;
  if (value.is_number()) return value.get<double>() + 0.0;
  if (value.is_string()) {
    const std::optional<double> number = level_number(type, value.get<std::string>());
    if (number && !std::isnan(*number)) return *number;
  }
  throw schema_error(where, fmt::format("the level {} is not of type {}", value.dump(),
                                        kTypeNames[static_cast<std::size_t>(type)]));
}

Levels levels_from(const Json& values, std::optional<Levels::Type> type, const std::string& where) {
  if (!values.is_array()) throw schema_error(where, "levels and order must be lists");
  Levels levels;
  levels.type = type.value_or(told_type(values));
  for (const Json& value : values) {
    if (levels.type == Levels::Type::text) {
      if (!value.is_string())
        throw schema_error(where, fmt::format("the level {} is not text", value.dump()));
      levels.names.push_back(value.get<std::string>());
      continue;
    }
    levels.numbers.push_back(level_value(value, levels.type, where));
    levels.names.push_back(level_name(levels.type, levels.numbers.back()));
  }
  std::vector<std::string> sorted = levels.names;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw schema_error(where, fmt::format("the level \"{}\" appears twice", *twice));
  return levels;
}

void check_keys(const Json& json, std::span<const std::string> known, const std::string& where) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string near = nearest_name(key, known);
    throw schema_error(
        where, fmt::format("unknown key \"{}\"", key),
        near.empty() ? fmt::format("known keys: {}", join(known, ", ")) : fmt::format("is it \"{}\"?", near));
  }
}

Field field_from(const Json& json, std::size_t index) {
  static const std::vector<std::string> kKeys{"name", "kind", "role", "type", "levels", "order"};
  std::string where = fmt::format("column {}", index);
  if (!json.is_object() || !json.contains("name") || !json["name"].is_string())
    throw schema_error(where, "needs an object with a \"name\"");
  Field field;
  field.name = json["name"].get<std::string>();
  where = fmt::format("column \"{}\"", field.name);
  check_keys(json, kKeys, where);
  if (json.contains("levels") && json.contains("order"))
    throw schema_error(where, "has both levels and order",
                       "order is for ordinal columns, levels for the others");
  if (json.contains("order")) field.kind = Kind::ordinal;
  if (json.contains("levels")) field.kind = Kind::category;
  if (json.contains("kind")) field.kind = static_cast<Kind>(choice(json, "kind", kKindNames, where));
  if (json.contains("role")) field.role = static_cast<Role>(choice(json, "role", kRoleNames, where));
  if (json.contains("order") && field.kind != Kind::ordinal)
    throw schema_error(where, "has an order but is not ordinal",
                       "make its kind ordinal, or remove the order");
  std::optional<Levels::Type> type;
  if (json.contains("type")) type = static_cast<Levels::Type>(choice(json, "type", kTypeNames, where));
  const char* key = json.contains("order") ? "order" : "levels";
  field.levels = levels_from(json.contains(key) ? json[key] : Json::array(), type, where);
  return field;
}

}  // namespace

std::string schema_to_json(const Schema& schema) {
  std::string text = "{\"columns\": [";
  for (std::size_t i = 0; i < schema.fields.size(); ++i)
    text += fmt::format("{}\n  {}", i == 0 ? "" : ",", field_json(schema.fields[i]).dump());
  return text + "\n]}\n";
}

Schema schema_from_json(std::string_view text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    throw schema_error("", fmt::format("not valid JSON: {}", error.what()));
  }
  if (!json.is_object() || !json.contains("columns") || !json["columns"].is_array())
    throw schema_error("", "needs an object with a list \"columns\"");
  Schema schema;
  for (std::size_t i = 0; i < json["columns"].size(); ++i) {
    Field field = field_from(json["columns"][i], i);
    if (schema.find(field.name))
      throw schema_error("", fmt::format("the column \"{}\" appears twice", field.name));
    schema.fields.push_back(std::move(field));
  }
  return schema;
}

}  // namespace bough
