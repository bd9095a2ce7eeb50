// SPDX-License-Identifier: Apache-2.0
// Rules for programs: CSV, SQL, and the table of formats.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "explain/words.hpp"
#include "predict/answer.hpp"
#include "rules/sql_form.hpp"
#include "rules/words.hpp"

namespace bough {
namespace {

using Form = RuleCondition::Form;

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && trim(text).size() == text.size()) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string csv_number(const std::optional<double>& number) {
  return number ? number_text(*number) : "";
}

std::string plain_answer(const RuleSet& rules, std::span<const double> values, std::size_t output) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < output; ++i)
    at += rules.parts().task == Task::classification ? rules.parts().targets.fields[i].levels.size() : 1;
  if (rules.parts().task == Task::regression) return number_text(values[at]);
  const Levels& levels = rules.parts().targets.fields[output].levels;
  return levels.names[largest(values.subspan(at, levels.size()))];
}

[[noreturn]] void refuse_sql(const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::not_supported, "SQL cannot hold these rules: " + what, hint);
}

std::string sql_number(double value) {
  if (!std::isfinite(value)) refuse_sql("a bound is infinite", "Use another format.");
  return number_text(value);
}

std::string sql_level(const Levels& levels, std::size_t level) {
  switch (levels.type) {
    case Levels::Type::text:
      return in_quotes(levels.names[level], '\'');
    case Levels::Type::boolean:
      return levels.numbers[level] != 0.0 ? "TRUE" : "FALSE";
    case Levels::Type::integer:
    case Levels::Type::real:
      break;
  }
  return sql_number(levels.numbers[level]);
}

class SqlWriter {
 public:
  SqlWriter(const RuleSet& rules, const RuleSqlForm& form) : rules_(rules), form_(form) {}

  std::string run() {
    std::string text;
    for (std::size_t output = 0; output < rules_.n_outputs(); ++output) {
      const Field& target = rules_.parts().targets.fields[output];
      std::string cases = "CASE\n";
      for (const Rule& rule : rules_.rules())
        cases += fmt::format("  WHEN {} THEN {}\n", conditions(rule), answer(rule.values, output));
      if (rules_.rules().empty()) cases += "  WHEN 1 = 0 THEN NULL\n";  // a CASE needs one
      cases += fmt::format("  ELSE {}\nEND", answer(rules_.parts().fallback, output));
      text += fmt::format("{}{} AS {}", text.empty() ? "" : ",\n", form_.whole(std::move(cases)),
                          form_.name(target.name));
    }
    return text + "\n";
  }

 private:
  [[nodiscard]] std::string answer(std::span<const double> values, std::size_t output) const {
    if (rules_.parts().task == Task::regression)
      return form_.number(parse_number(plain_answer(rules_, values, output)).value());
    const Levels& levels = rules_.parts().targets.fields[output].levels;
    const auto found = std::ranges::find(levels.names, plain_answer(rules_, values, output));
    return form_.answer(levels, static_cast<std::size_t>(found - levels.names.begin()));
  }

  [[nodiscard]] std::string conditions(const Rule& rule) const {
    std::string text;
    for (const RuleCondition& one : rule.conditions) text += (text.empty() ? "" : " AND ") + condition(one);
    return text.empty() ? "1 = 1" : text;
  }

  [[nodiscard]] std::string condition(const RuleCondition& one) const {
    if (one.missing != 0.0 && one.missing != 1.0)
      refuse_sql("rows with missing cells are divided between rules", "Use another format.");
    const std::string subject = subject_of(one);
    if (one.form == Form::missing) return subject + " IS NULL";
    if (one.form == Form::known) return subject + " IS NOT NULL";
    const std::string test = plain(one, subject);
    return one.missing == 1.0 ? fmt::format("({} OR {} IS NULL)", test, subject) : test;
  }

  [[nodiscard]] std::string subject_of(const RuleCondition& one) const {
    const std::vector<Field>& fields = rules_.parts().features.fields;
    if (one.terms.empty()) return form_.cell(one.column);
    std::string sum;
    for (const ObliqueTerm& term : one.terms) {
      const Field& field = fields[static_cast<std::size_t>(term.column)];
      if (field.kind != Kind::numeric) refuse_sql("a sum over levels", "Use another format.");
      sum += fmt::format("{}{} * {}", sum.empty() ? "(" : " + ", form_.number(term.weight),
                         form_.cell(term.column));
    }
    return sum + ")";
  }

  [[nodiscard]] std::string plain(const RuleCondition& one, const std::string& subject) const {
    if (!one.terms.empty()) return range(one, subject);
    const Field& field = rules_.parts().features.fields[static_cast<std::size_t>(one.column)];
    if (field.kind == Kind::numeric) return range(one, subject);
    if (one.form != Form::range) return list(one.form == Form::one_of, one.levels, field, subject);
    // SQL does not know the order of the levels. Unknown ones count as missing.
    std::vector<std::uint32_t> inside;
    std::vector<std::uint32_t> outside;
    for (std::uint32_t level = 0; level < field.levels.size(); ++level)
      ((!one.above || level > *one.above) && (!one.at_most || level <= *one.at_most) ? inside : outside)
          .push_back(level);
    const bool takes_missing = one.missing == 1.0;
    if (takes_missing && outside.empty()) return subject + " IS NOT NULL";
    return list(!takes_missing, takes_missing ? outside : inside, field, subject);
  }

  [[nodiscard]] std::string range(const RuleCondition& one, const std::string& subject) const {
    std::string text;
    if (one.above) text = fmt::format("{} > {}", subject, form_.number(*one.above));
    if (one.at_most)
      text += fmt::format("{}{} <= {}", text.empty() ? "" : " AND ", subject, form_.number(*one.at_most));
    return one.above && one.at_most && one.missing == 1.0 ? "(" + text + ")" : text;
  }

  [[nodiscard]] std::string list(bool in, std::span<const std::uint32_t> levels, const Field& field,
                                 const std::string& subject) const {
    std::string text;
    for (const std::uint32_t level : levels)
      text += (text.empty() ? "" : ", ") + form_.level(field.levels, level);
    return fmt::format("{} {} ({})", subject, in ? "IN" : "NOT IN", text.empty() ? "NULL" : text);
  }

  const RuleSet& rules_;
  const RuleSqlForm& form_;
};

std::string rules_json(const RuleSet& rules) {
  return rules.to_json();
}

// clang-format off
constexpr std::array<RuleFormat, 5> kFormats{{
  {"csv", ".csv", "a line per rule, for spreadsheets", rules_csv},
  {"json", ".json", "the whole set; predict reads it", rules_json},
  {"md", ".md", "a Markdown table", rules_markdown},
  {"sql", ".sql", "a CASE expression per target", rules_sql},
  {"text", ".txt", "sentences", rules_text},
}};
// clang-format on

static_assert(std::ranges::is_sorted(kFormats, {}, &RuleFormat::name));

}  // namespace

std::string rules_csv(const RuleSet& rules) {
  std::string text = "rule,conditions,rows,weight,coverage";
  for (const Field& target : rules.parts().targets.fields) {
    const std::string of = rules.n_outputs() == 1 ? "" : "_" + target.name;
    for (const char* what : {"prediction", "support", "confidence", "lift"})
      text += fmt::format(",{}", csv_cell(what + of));
  }
  text += ",spread,estimated_error,node\n";
  const auto line = [&](const std::string& number, const Rule& rule) {
    text += fmt::format("{},{},{},{},{}", number,
                        number == "default" ? "" : csv_cell(conditions_text(rules, rule, 0)), rule.n_rows,
                        number_text(rule.weight), number_text(rules.score(rule).coverage));
    for (std::size_t output = 0; output < rules.n_outputs(); ++output) {
      const RuleScore score = rules.score(rule, output);
      text += fmt::format(",{},{},{},{}", csv_cell(plain_answer(rules, rule.values, output)),
                          csv_number(score.support), csv_number(score.confidence), csv_number(score.lift));
    }
    text += fmt::format(",{},{},{}\n", csv_number(rule.spread), csv_number(rule.estimated_error),
                        rule.node < 0 ? "" : fmt::format("{}", rule.node));
  };
  for (std::size_t i = 0; i < rules.rules().size(); ++i) line(fmt::format("{}", i + 1), rules.rules()[i]);
  if (rules.parts().match == RuleMatch::shares) return text;
  text += "default,,,,";
  for (std::size_t output = 0; output < rules.n_outputs(); ++output)
    text += fmt::format(",{},,,", csv_cell(plain_answer(rules, rules.parts().fallback, output)));
  return text + ",,,\n";
}

std::string rules_sql(const RuleSet& rules, const RuleSqlForm& form) {
  return SqlWriter(rules, form).run();
}

std::string rules_sql(const RuleSet& rules) {
  const RuleSqlForm plain{[&](ColId column) {
                            return in_quotes(
                                rules.parts().features.fields[static_cast<std::size_t>(column)].name, '"');
                          },
                          sql_level,
                          sql_level,
                          sql_number,
                          [](std::string_view name) { return in_quotes(name, '"'); },
                          [](std::string text) { return text; }};
  return rules_sql(rules, plain);
}

std::span<const RuleFormat> rule_formats() noexcept {
  return kFormats;
}

std::string write_rules(const RuleSet& rules, std::string_view format) {
  const auto found = std::ranges::find(kFormats, format, &RuleFormat::name);
  if (found != kFormats.end()) return found->write(rules);
  std::array<std::string_view, kFormats.size()> names;
  std::ranges::transform(kFormats, names.begin(), &RuleFormat::name);
  throw Error(ErrorCode::bad_params, fmt::format("there is no format {} of rules", shown_name(format)),
              fmt::format("the formats are {}", fmt::join(names, ", ")));
}

}  // namespace bough
