// SPDX-License-Identifier: Apache-2.0
// A model as a JSON document: schema, parameters, origin.
#include "model/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/utf8.hpp"
#include "params/stored.hpp"

namespace bough {
namespace {

// Words for enumerators, in their order.
constexpr std::array<std::string_view, 2> kTaskNames{"classification", "regression"};
constexpr std::array<std::string_view, 3> kCombineNames{"single", "mean", "vote"};
constexpr std::array<std::string_view, 3> kKindNames{"numeric", "ordinal", "category"};
constexpr std::array<std::string_view, 6> kRoleNames{"feature", "target", "weight",
                                                     "ignored", "group",  "treatment"};
constexpr std::array<std::string_view, 4> kMeasures{"class_error", "squared_error", "absolute_error",
                                                    "pinball"};
constexpr std::array<std::string_view, 4> kLevelTypes{"text", "integer", "real", "boolean"};

template <class Enum, std::size_t N>
std::string word(const std::array<std::string_view, N>& names, Enum value) {
  return std::string(names.at(static_cast<std::size_t>(value)));
}

Json texts_json(const std::vector<std::string>& texts) {
  Json array = Json::array();
  for (const std::string& text : texts) array.push_back(text_json(text));
  return array;
}

Json write_field(const Field& field) {
  Json json = {{"name", text_json(field.name)},
               {"kind", word(kKindNames, field.kind)},
               {"role", word(kRoleNames, field.role)}};
  if (field.levels == Levels{}) return json;
  Json numbers = Json::array();
  for (const double number : field.levels.numbers) numbers.push_back(number_json(number));
  json["levels"] = {{"type", word(kLevelTypes, field.levels.type)},
                    {"names", texts_json(field.levels.names)},
                    {"numbers", std::move(numbers)}};
  return json;
}

Field read_field(const JsonCursor& place) {
  constexpr std::array<std::string_view, 4> members{"name", "kind", "role", "levels"};
  constexpr std::array<std::string_view, 3> level_members{"type", "names", "numbers"};
  place.only(members);
  Field field;
  field.name = place["name"].text();
  field.kind = static_cast<Kind>(place["kind"].choice(kKindNames));
  field.role = static_cast<Role>(place["role"].choice(kRoleNames));
  if (!place.has("levels")) return field;
  const JsonCursor levels = place["levels"];
  levels.only(level_members);
  field.levels.type = static_cast<Levels::Type>(levels["type"].choice(kLevelTypes));
  field.levels.names = levels["names"].texts();
  field.levels.numbers = levels["numbers"].numbers<double>();
  return field;
}

Json write_schema(const Schema& schema) {
  Json fields = Json::array();
  for (const Field& field : schema.fields) fields.push_back(write_field(field));
  return fields;
}

Schema read_schema(const JsonCursor& place) {
  Schema schema;
  constexpr std::size_t shortest = 40;  // bytes of text that a field takes
  schema.fields.reserve(std::min(place.size(), place.raw().size() / shortest + 1));
  place.each([&](const JsonCursor& field) {
    field.take(1, sizeof(Field) + 64);  // 64: in the set of names that Model's constructor makes
    schema.fields.push_back(read_field(field));
  });
  return schema;
}

// The engine is left out: which one ran never shows in a model.
Json write_provenance(const Provenance& provenance) {
  return {{"library_version", text_json(provenance.library_version)},
          {"command", text_json(provenance.command)},
          {"data_hash", text_json(provenance.data_hash)},
          {"n_rows", provenance.n_rows},
          {"notes", texts_json(provenance.notes)}};
}

Provenance read_provenance(const JsonCursor& place) {
  constexpr std::array<std::string_view, 5> members{"library_version", "command", "data_hash", "n_rows",
                                                    "notes"};
  place.only(members);
  Provenance provenance;
  provenance.library_version = place["library_version"].text();
  provenance.command = place["command"].text();
  provenance.data_hash = place["data_hash"].text();
  provenance.n_rows = place["n_rows"].integer<std::int64_t>();
  provenance.engine.clear();
  provenance.notes = place["notes"].texts();
  return provenance;
}

Json numbers_json(const std::vector<double>& numbers) {
  Json array = Json::array();
  for (const double number : numbers) array.push_back(number_json(number));
  return array;
}

Json write_pruning_table(const PruningTable& table) {
  return {{"alpha", numbers_json(table.alphas)},
          {"leaves", table.n_leaves},
          {"error", numbers_json(table.errors)},
          {"standard_error", numbers_json(table.standard_errors)},
          {"chosen", table.chosen},
          {"folds", table.folds},
          {"risk", text_json(table.risk)},
          {"rule", text_json(table.rule)},
          {"measure", text_json(table.measure)}};
}

PruningTable read_pruning_table(const JsonCursor& place) {
  constexpr std::array<std::string_view, 9> members{"alpha", "leaves", "error", "standard_error", "chosen",
                                                    "folds", "risk",   "rule",  "measure"};
  place.only(members);
  PruningTable table;
  table.alphas = place["alpha"].numbers<double>();
  table.n_leaves = place["leaves"].numbers<NodeId>();
  table.errors = place["error"].numbers<double>();
  table.standard_errors = place["standard_error"].numbers<double>();
  table.chosen = place["chosen"].integer<std::uint32_t>();
  table.folds = place["folds"].integer<std::int32_t>();
  table.risk = kPruningRisks[place["risk"].choice(kPruningRisks)];
  table.rule = kPruningRules[place["rule"].choice(kPruningRules)];
  table.measure = kMeasures[place["measure"].choice(kMeasures)];
  return table;
}

Json write_search(const SearchProof& proof) {
  return {{"errors", number_json(proof.errors)},
          {"cost", number_json(proof.cost)},
          {"lower_bound", number_json(proof.lower_bound)},
          {"work", proof.work}};
}

SearchProof read_search(const JsonCursor& place) {
  constexpr std::array<std::string_view, 4> members{"errors", "cost", "lower_bound", "work"};
  place.only(members);
  SearchProof proof;
  proof.errors = place["errors"].number();
  proof.cost = place["cost"].number();
  proof.lower_bound = place["lower_bound"].number();
  proof.work = place["work"].integer<std::int64_t>();
  if (!(proof.errors >= 0.0) || !(proof.cost >= proof.errors) || !(proof.lower_bound >= 0.0) ||
      !(proof.lower_bound <= proof.cost) || !std::isfinite(proof.cost) || proof.work < 0)
    place.refuse("holds a bound above the cost, or a value that is not a number");
  return proof;
}

Json write_cp_table(const std::vector<CpRow>& rows) {
  Json out = Json::array();
  for (const CpRow& row : rows)
    out.push_back(Json::array({number_json(row.cp), number_json(row.n_splits), number_json(row.rel_error),
                               number_json(row.xerror), number_json(row.xstd)}));
  return out;
}

std::vector<CpRow> read_cp_table(const JsonCursor& place) {
  std::vector<CpRow> rows;
  place.each([&](const JsonCursor& row) {
    row.take(1, 2 * sizeof(CpRow));
    const std::vector<double> numbers = row.numbers<double>();
    if (numbers.size() != 5) row.refuse("has not five numbers");
    if (!(numbers[1] >= 0.0 && numbers[1] < 2147483647.0) || numbers[1] != std::floor(numbers[1]))
      row.refuse("has no number of splits");
    rows.push_back({numbers[0], static_cast<NodeId>(numbers[1]), numbers[2], numbers[3], numbers[4]});
  });
  return rows;
}

// Parameters are read through a document of their own. Their members are few; what they hold may be long.
Params read_params(const JsonCursor& place) {
  constexpr std::size_t per_value = 24, per_name = 160, per_list = 64;
  if (!place.is_object()) place.refuse("is no JSON object");
  const std::string_view text = place.raw();
  place.take(static_cast<std::size_t>(std::ranges::count(text, ',')), per_value);
  place.take(static_cast<std::size_t>(std::ranges::count(text, ':')), per_name);
  place.take(static_cast<std::size_t>(std::ranges::count(text, '[')), per_list);
  static_cast<void>(place.has(""));  // refuses members that come twice
  try {
    return stored_params(text);
  } catch (const Error& error) {
    place.refuse(fmt::format("cannot be understood: {}", error.what()));
  }
}

}  // namespace

void check_version(std::uint64_t major, std::uint64_t minor) {
  if (major == 0) {
    throw Error(ErrorCode::bad_model, fmt::format("format version {}.{} does not exist", major, minor),
                "The file is damaged; make the model again.");
  }
  if (major < kFormatMajor || (major == kFormatMajor && minor <= kFormatMinor)) return;
  throw Error(
      ErrorCode::bad_model,
      fmt::format("the model is of format version {}.{}, newer than {}.{}, the newest that bough {} reads",
                  major, minor, kFormatMajor, kFormatMinor, version()),
      "Use the version of bough that wrote it, or a later one.");
}

const std::string& extra_key(const std::string& name) {
  if (is_utf8(name)) return name;
  throw Error(ErrorCode::not_supported, "the name of an extra array of a tree is not UTF-8 text",
              "Rename the array.");
}

Json describe(const Model::Parts& parts) {
  Json document = {{"task", word(kTaskNames, parts.task)},
                   {"combine", word(kCombineNames, parts.combine)},
                   {"criterion", text_json(parts.criterion)},
                   {"features", write_schema(parts.features)},
                   {"targets", write_schema(parts.targets)},
                   {"params", Json::parse(params_to_json(parts.params))},
                   {"provenance", write_provenance(parts.provenance)}};
  if (parts.pruning_table) document["pruning_table"] = write_pruning_table(*parts.pruning_table);
  if (parts.search) document["search"] = write_search(*parts.search);
  if (!parts.cp_table.empty()) document["cp_table"] = write_cp_table(parts.cp_table);
  if (!parts.treatment.fields.empty()) document["treatment"] = write_schema(parts.treatment);
  for (const auto& [name, numbers] : parts.extras)
    document["extras"][extra_key(name)] = numbers_json(numbers);
  return document;
}

Model::Parts read_description(const JsonCursor& place, std::span<const std::string_view> envelope) {
  constexpr std::array<std::string_view, 13> members{
      "task",  "combine",       "criterion", "features", "targets",   "params", "provenance",
      "trees", "pruning_table", "search",    "cp_table", "treatment", "extras"};
  std::vector<std::string_view> known(members.begin(), members.end());
  known.insert(known.end(), envelope.begin(), envelope.end());
  place.only(known);
  Model::Parts parts;
  parts.task = static_cast<Task>(place["task"].choice(kTaskNames));
  parts.combine = static_cast<Combine>(place["combine"].choice(kCombineNames));
  parts.criterion = place["criterion"].text();
  parts.features = read_schema(place["features"]);
  parts.targets = read_schema(place["targets"]);
  parts.params = read_params(place["params"]);
  parts.provenance = read_provenance(place["provenance"]);
  if (place.has("pruning_table")) parts.pruning_table = read_pruning_table(place["pruning_table"]);
  if (place.has("search")) parts.search = read_search(place["search"]);
  if (place.has("cp_table")) parts.cp_table = read_cp_table(place["cp_table"]);
  if (place.has("treatment")) parts.treatment = read_schema(place["treatment"]);
  if (place.has("extras")) {
    place["extras"].each_member([&](const std::string& name, const JsonCursor& numbers) {
      if (parts.extras.contains(name)) numbers.refuse("is there twice");
      numbers.take(1, kExtraSize + name.size());
      parts.extras[name] = numbers.numbers<double>();
    });
  }
  return parts;
}

Json write_fields(const Schema& schema) {
  return write_schema(schema);
}

Schema read_fields(const JsonCursor& place) {
  return read_schema(place);
}

Tree read_outputs(const JsonCursor& tree, Task task) {
  Tree empty;
  TreeAccess::set_outputs(empty, task, tree["outputs"].numbers<std::uint32_t>());
  return empty;
}

std::string lay_out(Json document, std::string_view spread) {
  document = Json::sorted(std::move(document));
  std::string text = "{";
  const char* before = "\n";
  for (const auto& [key, value] : document.items()) {
    text += fmt::format("{}{}: ", before, Json(key).dump());
    before = ",\n";
    if (key != spread || value.empty()) {
      text += value.dump();
      continue;
    }
    const char* between = "[\n";
    for (const Json& one : value) {
      text += between + one.dump();
      between = ",\n";
    }
    text += "]";
  }
  return text + "\n}\n";
}

}  // namespace bough
