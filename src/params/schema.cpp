// SPDX-License-Identifier: Apache-2.0
// The table of parameters for other programs: as plain JSON and as a JSON schema (draft 2020-12).
#include <cmath>

#include "params/conflicts.hpp"
#include "params/values.hpp"

namespace bough {
namespace {

Json bounds(Json type, const ParamRange& range) {
  if (std::isfinite(range.low)) type[range.open_low ? "exclusiveMinimum" : "minimum"] = range.low;
  if (std::isfinite(range.high)) type["maximum"] = range.high;
  return type;
}

Json whole(const ParamRange& range) {
  Json type = bounds({{"type", "integer"}}, range);
  for (const char* key : {"minimum", "maximum"})
    if (type.contains(key)) type[key] = static_cast<std::int64_t>(type[key].get<double>());
  return type;
}

Json any_of(Json first, const Json& more) {
  Json list = first.contains("anyOf") ? first["anyOf"] : Json::array({std::move(first)});
  for (const Json& type : more) list.push_back(type);
  return {{"anyOf", std::move(list)}};
}

Json type_of(const ParamRow&, bool) {
  return {{"type", "boolean"}};
}
Json type_of(const ParamRow& row, std::int32_t) {
  return whole(row.range);
}
Json type_of(const ParamRow& row, std::int64_t) {
  return whole(row.range);
}
Json type_of(const ParamRow& row, double) {
  return bounds({{"type", "number"}}, row.range);
}
Json type_of(const ParamRow& row, const std::string&) {
  return {{"enum", row.choices}};
}
Json type_of(const ParamRow& row, const Amount&) {
  Json fraction{{"type", "number"}, {"exclusiveMinimum", 0}};
  if (most_fraction(row) <= 1.0) fraction["maximum"] = 1;
  Json more = Json::array({std::move(fraction)});
  if (takes_names(row)) more.push_back({{"enum", {"sqrt", "log2", "square", "auto"}}});
  return any_of(whole(row.range), more);
}
template <class T>
Json type_of(const ParamRow& row, const std::optional<T>&) {
  return any_of(type_of(row, T{}), Json::array({{{"type", "null"}}}));
}
Json type_of(const ParamRow& row, const ClassWeight&) {
  return any_of({{"type", "null"}},
                Json::array({{{"enum", {"balanced", "balanced_subsample"}}},
                             {{"type", "object"}, {"additionalProperties", type_of(row, 0.0)}}}));
}
Json type_of(const ParamRow& row, const Shrinkage&) {
  return any_of({{"type", "null"}}, Json::array({{{"enum", {"cv"}}}, type_of(row, 0.0)}));
}
Json type_of(const ParamRow& row, const NameNumbers&) {
  const Json number = takes_whole(row) ? whole(row.range) : type_of(row, 0.0);
  return any_of({{"type", "null"}}, Json::array({{{"type", "object"}, {"additionalProperties", number}}}));
}
Json type_of(const ParamRow&, const NameGroups&) {
  const Json group{{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}};
  return any_of({{"type", "null"}}, Json::array({{{"type", "array"}, {"items", group}}}));
}
Json type_of(const ParamRow& row, const NumberGrid&) {
  const Json line{{"type", "array"}, {"items", type_of(row, 0.0)}, {"minItems", 1}};
  return any_of({{"type", "null"}}, Json::array({{{"type", "array"}, {"items", line}}}));
}

std::string_view type_word(bool) {
  return "bool";
}
std::string_view type_word(std::int32_t) {
  return "int";
}
std::string_view type_word(std::int64_t) {
  return "int";
}
std::string_view type_word(double) {
  return "number";
}
std::string_view type_word(const std::string&) {
  return "choice";
}
std::string_view type_word(const Amount&) {
  return "amount";
}
template <class T>
std::string_view type_word(const std::optional<T>&) {
  return type_word(T{});
}
std::string_view type_word(const ClassWeight&) {
  return "class_weight";
}
std::string_view type_word(const Shrinkage&) {
  return "shrinkage";
}
std::string_view type_word(const NameNumbers&) {
  return "name_numbers";
}
std::string_view type_word(const NameGroups&) {
  return "name_groups";
}
std::string_view type_word(const NumberGrid&) {
  return "number_grid";
}

template <class T>
constexpr bool kTakesNone =
    IsOptional<T>::value || std::is_same_v<T, ClassWeight> || std::is_same_v<T, Shrinkage> ||
    std::is_same_v<T, NameNumbers> || std::is_same_v<T, NameGroups> || std::is_same_v<T, NumberGrid>;

bool takes_none(const ParamRow& row) {
  return visit_param(defaults(), row, []<class T>(const T&) { return kTakesNone<T>; });
}

std::string_view scope_word(ParamScope scope) {
  switch (scope) {
    case ParamScope::tree:
      return "tree";
    case ParamScope::forest:
      return "forest";
    case ParamScope::both:
      break;
  }
  return "both";
}

Json criteria_json() {
  Json list = Json::array();
  for (const CriterionInfo& info : kCriteria) {
    Json one{{"name", info.name},
             {"task", info.task == Task::classification ? "classification" : "regression"},
             {"measure", info.measure},
             {"definition", info.definition}};
    if (!info.alias.empty()) one["alias"] = info.alias;
    list.push_back(std::move(one));
  }
  return list;
}

// In which modes a parameter must keep its default, or must not have some values.
Json exclusions_json(const ParamRow& row) {
  Json list = Json::array();
  for (const Exclusion& rule : exclusions()) {
    if (rule.param != row.name) continue;
    Json one{{"mode", mode_name(rule.mode)}, {"hint", rule.hint}};
    if (!rule.values.empty()) one["values"] = rule.values;
    if (!rule.given.empty()) one["given"] = rule.given;
    list.push_back(std::move(one));
  }
  return list;
}

Json row_json(const ParamRow& row) {
  Json object{{"name", row.name},
              {"type", param_type(row)},
              {"none", takes_none(row)},
              {"default", param_json(row, defaults())},
              {"allowed", param_allowed(row)},
              {"group", row.group},
              {"doc", row.doc},
              {"scope", scope_word(row.scope)},
              {"tier", row.tier == ParamTier::basic ? "basic" : "expert"}};
  if (!row.choices.empty()) object["choices"] = row.choices;
  if (std::isfinite(row.range.low)) object["low"] = row.range.low;
  if (std::isfinite(row.range.high)) object["high"] = row.range.high;
  if (row.range.open_low) object["open_low"] = true;
  if (row.choices.data() == kCriterionChoices.data()) object["criteria"] = criteria_json();
  if (Json excluded = exclusions_json(row); !excluded.empty()) object["excluded"] = std::move(excluded);
  if (takes_names(row)) object["names"] = {"sqrt", "log2", "square", "auto"};
  return object;
}

}  // namespace

std::string_view param_type(const ParamRow& row) {
  return visit_param(defaults(), row, [](const auto& value) { return type_word(value); });
}

std::string params_table_json() {
  Json table = Json::array();
  for (const ParamRow& row : kParams) table.push_back(row_json(row));
  return table.dump(2);
}

std::string params_json_schema() {
  Json properties = Json::object();
  for (const ParamRow& row : kParams) {
    Json type = visit_param(defaults(), row, [&](const auto& value) { return type_of(row, value); });
    type["description"] = row.doc;
    type["default"] = param_json(row, defaults());
    properties[std::string(row.name)] = std::move(type);
  }
  const Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"title", "Parameters of bough"},
                    {"type", "object"},
                    {"additionalProperties", false},
                    {"properties", std::move(properties)}};
  return schema.dump(2);
}

}  // namespace bough
