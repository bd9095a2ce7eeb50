// SPDX-License-Identifier: Apache-2.0
// A rule set as JSON that people can read and edit (docs/rules.md).
//
// Columns and levels stand there by name. What is said twice for the reader's sake ("text", "score") is not
// read back.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "bough/rules.hpp"
#include "model/document.hpp"
#include "model/file.hpp"

namespace bough {
namespace {

using Form = RuleCondition::Form;

constexpr std::array<std::string_view, 2> kTaskWords{"classification", "regression"};
constexpr std::array<std::string_view, 2> kMatches{"shares", "first"};
constexpr std::array<std::string_view, 2> kStates{"known", "missing"};
constexpr std::uint64_t kRulesMajor = 1;

Json numbers_json(std::span<const double> values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(number_json(value));
  return out;
}

Json write_condition(const RuleSet& rules, const RuleCondition& condition) {
  const std::vector<Field>& fields = rules.parts().features.fields;
  const auto name = [&](ColId column) { return text_json(fields[static_cast<std::size_t>(column)].name); };
  Json out = Json::object();
  if (condition.terms.empty()) {
    out["column"] = name(condition.column);
  } else {
    for (const ObliqueTerm& term : condition.terms)
      out["sum"].push_back({{"column", name(term.column)}, {"weight", number_json(term.weight)}});
  }
  if (condition.above) out["above"] = number_json(*condition.above);
  if (condition.at_most) out["at_most"] = number_json(*condition.at_most);
  if (condition.form == Form::known || condition.form == Form::missing)
    out["is"] = kStates[condition.form == Form::known ? 0 : 1];
  if (condition.form == Form::one_of || condition.form == Form::none_of) {
    Json& list = out[condition.form == Form::one_of ? "one_of" : "none_of"] = Json::array();
    for (const std::uint32_t level : condition.levels)
      list.push_back(text_json(fields[static_cast<std::size_t>(condition.column)].levels.names[level]));
  }
  out["missing"] = number_json(condition.missing);
  out["text"] = condition_text(rules, condition, 0);
  return out;
}

Json write_score(const RuleSet& rules, const Rule& rule) {
  Json out = Json::array();
  for (std::size_t output = 0; output < rules.n_outputs(); ++output) {
    const RuleScore score = rules.score(rule, output);
    const Field& target = rules.parts().targets.fields[output];
    Json& one = out.emplace_back(Json::object());
    const double answer = rules.answer(rule, output);
    one["target"] = text_json(target.name);
    one["prediction"] = rules.parts().task == Task::classification
                            ? text_json(target.levels.names[static_cast<std::size_t>(answer)])
                            : number_json(answer);
    one["coverage"] = number_json(score.coverage);
    if (score.support) one["support"] = number_json(*score.support);
    if (score.confidence) one["confidence"] = number_json(*score.confidence);
    if (score.lift) one["lift"] = number_json(*score.lift);
  }
  return out;
}

Json write_rule(const RuleSet& rules, const Rule& rule) {
  Json out = {{"if", Json::array()},
              {"values", numbers_json(rule.values)},
              {"n_rows", rule.n_rows},
              {"weight", number_json(rule.weight)},
              {"right", numbers_json(rule.right)},
              {"node", rule.node},
              {"score", write_score(rules, rule)}};
  for (const RuleCondition& condition : rule.conditions)
    out["if"].push_back(write_condition(rules, condition));
  if (rule.spread) out["spread"] = number_json(*rule.spread);
  if (rule.estimated_error) out["estimated_error"] = number_json(*rule.estimated_error);
  return out;
}

class Reader {
 public:
  explicit Reader(const JsonCursor& document) : place_(document) {}

  RuleSet::Parts run() {
    constexpr std::array<std::string_view, 14> members{
        "bough",  "format", "task",    "match", "features", "targets",      "n_rows",
        "weight", "base",   "default", "rules", "effect",   "date_columns", "day_columns"};
    place_.only(members);
    RuleSet::Parts parts;
    parts.task = static_cast<Task>(place_["task"].choice(kTaskWords));
    parts.match = static_cast<RuleMatch>(place_["match"].choice(kMatches));
    parts.features = read_fields(place_["features"]);
    parts.targets = read_fields(place_["targets"]);
    if (place_.has("effect")) parts.effect = place_["effect"].text();
    parts.n_rows = place_["n_rows"].integer<std::int64_t>();
    parts.weight = place_["weight"].number();
    parts.base = place_["base"].numbers<double>();
    parts.fallback = place_["default"].numbers<double>();
    index(parts.features);
    if (place_.has("date_columns")) parts.dates = read_columns("date_columns");
    if (place_.has("day_columns")) parts.days = read_columns("day_columns");
    place_["rules"].each([&](const JsonCursor& rule) {
      rule.take(1, 2 * sizeof(Rule));
      parts.rules.push_back(read_rule(rule));
    });
    return parts;
  }

 private:
  std::vector<ColId> read_columns(const char* member) {
    std::vector<ColId> columns;
    place_[member].each([&](const JsonCursor& column) {
      column.take(1, sizeof(ColId));
      columns.push_back(static_cast<ColId>(find(columns_, column, "column")));
    });
    std::ranges::sort(columns);  // a list by name has no order that counts
    return columns;
  }

  using Names = std::unordered_map<std::string, std::uint32_t>;

  void index(const Schema& features) {
    constexpr std::size_t per_name = 96;
    place_.take(features.fields.size(), sizeof(Names) + per_name);
    for (const Field& field : features.fields) place_.take(field.levels.size(), per_name);
    for (std::uint32_t column = 0; column < features.fields.size(); ++column) {
      const Field& field = features.fields[column];
      columns_.emplace(field.name, column);
      Names& names = levels_.emplace_back();
      for (std::uint32_t level = 0; level < field.levels.size(); ++level)
        names.emplace(field.levels.names[level], level);
    }
  }

  static std::uint32_t find(const Names& names, const JsonCursor& place, const char* what) {
    const auto found = names.find(place.text());
    if (found == names.end()) place.refuse(fmt::format("names no {}", what));
    return found->second;
  }

  Rule read_rule(const JsonCursor& place) const {
    constexpr std::array<std::string_view, 9> members{"if",   "values", "n_rows", "weight",         "right",
                                                      "node", "score",  "spread", "estimated_error"};
    place.only(members);
    Rule rule;
    place["if"].each([&](const JsonCursor& condition) {
      condition.take(1, 2 * sizeof(RuleCondition));
      rule.conditions.push_back(read_condition(condition));
    });
    rule.values = place["values"].numbers<double>();
    rule.n_rows = place["n_rows"].integer<std::int64_t>();
    rule.weight = place["weight"].number();
    rule.right = place["right"].numbers<double>();
    rule.node = place["node"].integer<NodeId>();
    if (place.has("spread")) rule.spread = place["spread"].number();
    if (place.has("estimated_error")) rule.estimated_error = place["estimated_error"].number();
    return rule;
  }

  RuleCondition read_condition(const JsonCursor& place) const {
    constexpr std::array<std::string_view, 9> members{"column", "sum",     "above",   "at_most", "is",
                                                      "one_of", "none_of", "missing", "text"};
    place.only(members);
    RuleCondition out;
    if (place.has("column")) out.column = static_cast<ColId>(find(columns_, place["column"], "column"));
    if (place.has("sum")) {
      place["sum"].each([&](const JsonCursor& term) {
        constexpr std::array<std::string_view, 2> term_members{"column", "weight"};
        term.only(term_members);
        term.take(1, 2 * sizeof(ObliqueTerm));
        out.terms.push_back(
            {static_cast<ColId>(find(columns_, term["column"], "column")), term["weight"].number()});
      });
    }
    const int forms = static_cast<int>(place.has("above") || place.has("at_most")) +
                      static_cast<int>(place.has("is")) + static_cast<int>(place.has("one_of")) +
                      static_cast<int>(place.has("none_of"));
    if (forms != 1) place.refuse("is not one of: bounds, one_of, none_of, is");
    if (place.has("above")) out.above = place["above"].number();
    if (place.has("at_most")) out.at_most = place["at_most"].number();
    if (place.has("is")) out.form = place["is"].choice(kStates) == 0 ? Form::known : Form::missing;
    if (place.has("one_of")) read_levels(place["one_of"], Form::one_of, out);
    if (place.has("none_of")) read_levels(place["none_of"], Form::none_of, out);
    out.missing = place["missing"].number();
    return out;
  }

  void read_levels(const JsonCursor& list, Form form, RuleCondition& out) const {
    out.form = form;
    if (out.column < 0) list.refuse("belongs to no column");
    list.each([&](const JsonCursor& level) {
      level.take(1, 2 * sizeof(std::uint32_t));
      out.levels.push_back(find(levels_[static_cast<std::size_t>(out.column)], level, "level of the column"));
    });
    std::ranges::sort(out.levels);  // a list by name has no order that counts
  }

  JsonCursor place_;
  Names columns_;
  std::vector<Names> levels_;
};

void check_envelope(const JsonCursor& place) {
  const auto [major, minor] = place.format_of("rules", "rule set");
  if (major == kRulesMajor) return;
  throw Error(ErrorCode::bad_model, fmt::format("the rule set is of format version {}.{}", major, minor),
              fmt::format("This library reads version {}.", kRulesMajor));
}

// The checked reader speaks of models.
[[noreturn]] void rethrow_for_rules(const Error& error) {
  std::string message = error.what();
  if (message.starts_with("the model")) message.replace(0, 9, "the rule set");
  throw Error(error.code(), message,
              error.code() == ErrorCode::bad_model
                  ? "The file is damaged, was edited wrongly, or was not written by bough."
                  : error.hint());
}

}  // namespace

std::string RuleSet::to_json() const {
  Json document = {{"bough", "rules"},
                   {"format", {kRulesMajor, 0}},
                   {"task", kTaskWords[static_cast<std::size_t>(parts_->task)]},
                   {"match", kMatches[static_cast<std::size_t>(parts_->match)]},
                   {"features", write_fields(parts_->features)},
                   {"targets", write_fields(parts_->targets)},
                   {"n_rows", parts_->n_rows},
                   {"weight", number_json(parts_->weight)},
                   {"base", numbers_json(parts_->base)},
                   {"default", numbers_json(parts_->fallback)},
                   {"rules", Json::array()}};
  if (!parts_->effect.empty()) document["effect"] = text_json(parts_->effect);
  const auto names = [&](const std::vector<ColId>& columns) {
    Json list = Json::array();
    for (const ColId column : columns)
      list.push_back(text_json(parts_->features.fields[static_cast<std::size_t>(column)].name));
    return list;
  };
  if (parts_->dates) document["date_columns"] = names(*parts_->dates);
  if (!parts_->days.empty()) document["day_columns"] = names(parts_->days);
  for (const Rule& rule : parts_->rules) document["rules"].push_back(write_rule(*this, rule));
  return lay_out(std::move(document), "rules");
}

RuleSet RuleSet::from_json(std::string_view text) {
  try {
    LoadBudget budget(text.size());
    const JsonCursor document = JsonCursor::root(text, budget);
    check_envelope(document);
    return RuleSet(Reader(document).run());
  } catch (const Error& error) {
    rethrow_for_rules(error);
  }
}

void RuleSet::save(const std::string& path) const {
  write_file(path, to_json());
}

RuleSet RuleSet::load(const std::string& path) {
  return load_file(path, [](const std::string& bytes) { return from_json(bytes); });
}

bool is_rule_set(std::string_view bytes) noexcept {
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || bytes[start] != '{') return false;
  // Written with sorted keys, "bough" comes among the first members; edited files may have it anywhere.
  for (std::size_t at = bytes.find("\"bough\""); at != std::string_view::npos;
       at = bytes.find("\"bough\"", at + 1)) {
    std::size_t next = bytes.find_first_not_of(" \t\r\n", at + 7);
    if (next == std::string_view::npos || bytes[next] != ':') continue;
    next = bytes.find_first_not_of(" \t\r\n", next + 1);
    if (next != std::string_view::npos && bytes.substr(next).starts_with("\"rules\"")) return true;
  }
  return false;
}

}  // namespace bough
