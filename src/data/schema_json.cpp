// SPDX-License-Identifier: Apache-2.0
// A Schema as JSON that people edit, and back.
//
// {"columns": [
//   {"name": "age", "kind": "numeric", "role": "feature"},
//   {"name": "size", "kind": "ordinal", "role": "feature", "type": "text", "order": ["small", "large"]},
//   {"name": "colour", "kind": "category", "role": "feature", "type": "text", "levels": ["blue", "red"]}]}
//
// A column may have a "note", which is for people. kind may be left out with no levels (numeric), role too (feature), type too (told from the values).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json_depth.hpp"
#include "base/text.hpp"
#include "bough/json.hpp"
#include "bough/schema_notes.hpp"
#include "bough/table.hpp"
#include "data/levels.hpp"
#include "data/utf8.hpp"

namespace bough {
namespace {

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

Json field_json(const Field& field, const std::string& note) {
  Json json;
  json["name"] = field.name;
  json["kind"] = kKindNames[static_cast<std::size_t>(field.kind)];
  json["role"] = kRoleNames[static_cast<std::size_t>(field.role)];
  if (!note.empty()) json["note"] = note;
  if (field.role == Role::ignored) return json;
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
  if (value.is_number()) {
    const double number = value.get<double>() + 0.0;
    const bool fits = type == Levels::Type::boolean
                          ? number == 0.0 || number == 1.0
                          : type != Levels::Type::integer || std::trunc(number) == number;
    if (fits) return number;
  }
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

// `line`: "line 3: ", the beginning of what is said about the column.
Field field_from(const Json& json, std::size_t index, const std::string& line) {
  static const std::vector<std::string> kKeys{"name", "kind", "role", "type", "levels", "order", "note"};
  std::string where = fmt::format("{}column {}", line, index);
  if (!json.is_object() || !json.contains("name") || !json["name"].is_string())
    throw schema_error(where, "needs an object with a \"name\"");
  Field field;
  field.name = json["name"].get<std::string>();
  where = fmt::format("{}column \"{}\"", line, field.name);
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
  if (field.kind == Kind::numeric && json.contains("levels"))
    throw schema_error(where, "levels do nothing, because its kind is numeric",
                       "make its kind category, or remove the levels");
  // The type is that of the levels: numbers have none.
  if (field.kind == Kind::numeric && field.levels.size() == 0) field.levels.type = Levels{}.type;
  if (field.kind == Kind::numeric && type && *type != Levels::Type::real)
    throw schema_error(where,
                       fmt::format("type \"{}\" does nothing, because its kind is numeric",
                                   kTypeNames[static_cast<std::size_t>(*type)]),
                       "make its kind category, or remove the type");
  if (field.role == Role::weight && field.kind != Kind::numeric)
    throw schema_error(where,
                       fmt::format("kind \"{}\" does nothing, because its role is weight",
                                   kKindNames[static_cast<std::size_t>(field.kind)]),
                       "weights are numbers: make its kind numeric, or give it another role");
  return field;
}

std::size_t line_of(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n'));
}

// Lines where the elements of the list "columns" begin, so that errors can name them.
std::vector<std::size_t> column_lines(std::string_view text) {
  std::vector<std::size_t> lines;
  int depth = 0;
  bool in_string = false;
  bool in_columns = false;
  std::size_t string_start = 0;
  bool awaits_element = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c != '"') continue;
      in_string = false;
      if (depth == 1) in_columns = text.substr(string_start, i + 1 - string_start) == "\"columns\"";
      continue;
    }
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (awaits_element && !blank && c != ']') {
      lines.push_back(line_of(text, i));
      awaits_element = false;
    }
    if (c == '"') {
      in_string = true;
      string_start = i;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (in_columns && depth == 2 && (c == '[' || c == ',')) awaits_element = true;
  }
  return lines;
}

// What stands where the parser stopped, in our own words.
Error syntax_error(std::string_view text, std::size_t byte) {
  std::size_t at = std::min(byte == 0 ? 0 : byte - 1, text.size());
  if (at >= text.size())
    return schema_error(fmt::format("line {}", line_of(text, text.size())),
                        text.empty() ? "there is no JSON in it" : "the JSON stops in the middle",
                        "see whether a bracket or a quote is left open");
  const std::size_t start = text.substr(0, at).rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view rest = text.substr(start, text.find('\n', start) - start);
  const auto sign = static_cast<unsigned char>(text[at]);
  const std::string found = sign == '\n'                 ? "the end of the line"
                            : sign > 0x20 && sign < 0x7f ? fmt::format("'{}'", text[at])
                                                         : fmt::format("byte 0x{:02x}", sign);
  return schema_error(fmt::format("line {}, character {}", line_of(text, at), at - start + 1),
                      fmt::format("no valid JSON: {} does not belong here", found),
                      rest.size() <= 120 && is_utf8(rest) ? fmt::format("the line is: {}", trim(rest)) : "");
}

}  // namespace

std::string schema_to_json(const Schema& schema) {
  return schema_to_json(schema, {});
}

std::string schema_to_json(const Schema& schema, const SchemaNotes& notes) {
  for (std::size_t i = 0; i < schema.fields.size(); ++i) {
    const Field& field = schema.fields[i];
    if (!is_utf8(field.name) || !std::all_of(field.levels.names.begin(), field.levels.names.end(), is_utf8))
      throw schema_error(fmt::format("column {}", i),
                         "its name or one of its levels is not UTF-8, which JSON cannot hold");
  }
  std::string text = "{\"columns\": [";
  for (std::size_t i = 0; i < schema.fields.size(); ++i) {
    const auto note = notes.find(schema.fields[i].name);
    const Json json = field_json(schema.fields[i], note == notes.end() ? "" : note->second);
    text += fmt::format("{}\n  {}", i == 0 ? "" : ",", json.dump());
  }
  return text + "\n]}\n";
}

Schema schema_from_json(std::string_view text) {
  if (nests_deeper(text))
    throw schema_error("", fmt::format("the JSON nests deeper than {} levels", kMostJsonDepth));
  Json json;
  try {
    json = Json::parse(text);
  } catch (const JsonError& error) {
    if (error.position() == 0) throw schema_error("", "no valid JSON: a number is out of range");
    throw syntax_error(text, error.position());
  }
  if (!json.is_object() || !json.contains("columns") || !json["columns"].is_array())
    throw schema_error("", "needs an object with a list \"columns\"");
  Schema schema;
  const std::vector<std::size_t> lines = column_lines(text);
  for (std::size_t i = 0; i < json["columns"].size(); ++i) {
    const std::string line = i < lines.size() ? fmt::format("line {}: ", lines[i]) : "";
    Field field = field_from(json["columns"][i], i, line);
    if (schema.find(field.name))
      throw schema_error("", fmt::format("{}the column \"{}\" appears twice", line, field.name));
    schema.fields.push_back(std::move(field));
  }
  static const std::vector<std::string> kTop{"columns"};
  check_keys(json, kTop, "");
  return schema;
}

}  // namespace bough
