// SPDX-License-Identifier: Apache-2.0
// Rules in words: conditions, answers, paragraphs, a Markdown table.
#include "rules/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "explain/outcome.hpp"
#include "predict/answer.hpp"

namespace bough {
namespace {

using Form = RuleCondition::Form;

std::string subject_words(const RuleSet& rules, const RuleCondition& condition, int digits) {
  const std::vector<Field>& fields = rules.parts().features.fields;
  if (condition.terms.empty()) return shown_name(fields[static_cast<std::size_t>(condition.column)].name);
  std::string words;
  for (const ObliqueTerm& term : condition.terms) {
    const bool negative = term.weight < 0.0;
    words += words.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    if (std::fabs(term.weight) != 1.0) words += shown_number(std::fabs(term.weight), digits) + " * ";
    words += shown_name(fields[static_cast<std::size_t>(term.column)].name);
  }
  return words;
}

std::string range_words(const std::string& subject, const RuleCondition& condition, int digits,
                        Shown as = Shown::numbers) {
  const auto shown = [&](double bound) {
    return condition.terms.empty() ? shown_cut(bound, digits, as) : shown_number(bound, digits);
  };
  if (!condition.above) return fmt::format("{} ≤ {}", subject, shown(*condition.at_most));
  if (!condition.at_most) return fmt::format("{} > {}", subject, shown(*condition.above));
  return fmt::format("{} < {} ≤ {}", shown(*condition.above), subject, shown(*condition.at_most));
}

// Of an ordinal column bounds are level indices; the levels themselves are named, both ends included. A bound
// outside the levels stands for none.
std::string order_words(const std::string& subject, const RuleCondition& condition, const Levels& levels,
                        int digits) {
  // Files may tell of columns without levels, and of bounds that are no numbers: then the bounds as they are.
  if (levels.names.empty() || std::isnan(condition.above.value_or(0.0)) ||
      std::isnan(condition.at_most.value_or(0.0)))
    return range_words(subject, condition, digits);
  const double last = static_cast<double>(levels.size()) - 1.0;
  const double low = std::clamp(std::floor(condition.above.value_or(-1.0)) + 1.0, 0.0, last);
  const double high = std::clamp(std::floor(condition.at_most.value_or(last)), 0.0, last);
  const auto name = [&](double level) { return shown_name(levels.names[static_cast<std::size_t>(level)]); };
  if (!condition.above) return fmt::format("{} ≤ {}", subject, name(high));
  if (!condition.at_most) return fmt::format("{} ≥ {}", subject, name(low));
  if (low == high) return fmt::format("{} = {}", subject, name(low));
  return fmt::format("{} ≤ {} ≤ {}", name(low), subject, name(high));
}

// All levels but those of a condition.
std::vector<std::uint32_t> levels_beside(const RuleCondition& condition, const Levels& levels) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t level = 0; level < levels.size(); ++level)
    if (!std::ranges::binary_search(condition.levels, level)) out.push_back(level);
  return out;
}

// Whether a list says better what it leaves out: where that is little and the rest is much, or nothing is left.
bool by_exclusion(const RuleCondition& condition, const Levels& levels) {
  constexpr std::size_t kMany = 5;
  if (condition.form != Form::none_of) return false;
  const std::size_t in = levels.size() - std::min(levels.size(), condition.levels.size());
  return in == 0 || (in > kMany && 2 * condition.levels.size() <= in);
}

// Unseen categories pass a list of what must not be.
std::string list_words(const std::string& subject, const RuleCondition& condition, const Field& field) {
  const Levels& levels = field.levels;
  const auto list = [&](std::span<const std::uint32_t> chosen) {
    return shown_list(levels.names, chosen, chosen.size());
  };
  if (condition.form == Form::one_of) return fmt::format("{} = {}", subject, list(condition.levels));
  if (!by_exclusion(condition, levels))
    return fmt::format("{} = {}{}", subject, list(levels_beside(condition, levels)),
                       field.kind == Kind::category ? " or other" : "");
  // What is excluded comes last: "is not a, or missing" could be read as "is neither".
  return fmt::format("{} is {}{} {}", subject, condition.missing == 0.0 ? "" : "missing or ",
                     condition.levels.size() == 1 ? "not" : "none of", list(condition.levels));
}

std::string plain_words(const RuleSet& rules, const RuleCondition& condition, int digits) {
  const std::string subject = subject_words(rules, condition, digits);
  if (condition.form == Form::known) return subject + " is known";
  if (condition.form == Form::missing) return subject + " is missing";
  if (!condition.terms.empty()) return range_words(subject, condition, digits);
  const Field& field = rules.parts().features.fields[static_cast<std::size_t>(condition.column)];
  if (condition.form != Form::range) return list_words(subject, condition, field);
  if (field.kind == Kind::ordinal) return order_words(subject, condition, field.levels, digits);
  const bool days = std::ranges::binary_search(rules.parts().days, condition.column);
  return range_words(subject, condition, digits, days ? Shown::days : Shown::numbers);
}

std::string optional_share(const std::optional<double>& share) {
  return share ? shown_share(*share) : "";
}

std::string optional_number(const std::optional<double>& number, int digits = 3) {
  return number ? shown_number(*number, digits) : "";
}

// "50 rows (33.3% of all), confidence 100%, lift 3".
std::string head_words(const RuleSet& rules, const Rule& rule) {
  const RuleScore score = rules.score(rule);
  std::string words =
      fmt::format("{} ({} of all)", shown_count(rule.n_rows, "row"), shown_share(score.coverage));
  for (std::size_t output = 0; output < rules.n_outputs(); ++output) {
    const RuleScore one = rules.score(rule, output);
    const std::string of =
        rules.n_outputs() == 1 ? "" : shown_name(rules.parts().targets.fields[output].name) + " ";
    if (one.confidence) words += fmt::format(", {}confidence {}", of, shown_share(*one.confidence));
    if (one.lift) words += fmt::format(", lift {}", shown_number(*one.lift, 3));
  }
  if (rule.estimated_error)
    words += fmt::format(", estimated accuracy {}", shown_share(std::max(1.0 - *rule.estimated_error, 0.0)));
  if (rule.spread) words += fmt::format(", spread {}", shown_number(*rule.spread));
  return words;
}

// Parts of rows weigh less than their number; more, or another sum, comes of weights.
bool is_by_weight(const RuleSet& rules) {
  const auto exceeds = [](double weight, std::int64_t n_rows) {
    return weight > static_cast<double>(n_rows) * (1.0 + 1e-9);
  };
  const double all = static_cast<double>(rules.parts().n_rows);
  return exceeds(rules.parts().weight, rules.parts().n_rows) || rules.parts().weight < all * (1.0 - 1e-9) ||
         std::ranges::any_of(rules.rules(),
                             [&](const Rule& rule) { return exceeds(rule.weight, rule.n_rows); });
}

std::string set_words(const RuleSet& rules) {
  const std::string counted = shown_count(std::ssize(rules.rules()), "rule");
  const std::string conditions = shown_count(static_cast<std::int64_t>(rules.n_conditions()), "condition");
  const std::string rows =
      shown_count(rules.parts().n_rows, "row") + (is_by_weight(rules) ? ", shares by weight" : "");
  const bool known = rules.parts().task == Task::regression ||
                     std::ranges::none_of(rules.rules(), [](const Rule& rule) { return rule.right.empty(); });
  if (rules.parts().match == RuleMatch::shares)
    return fmt::format("{} with {}, one per leaf; {}counts from {}{}", counted, conditions,
                       rules.parts().effect.empty() ? "" : rules.parts().effect + "; ", rows,
                       known ? "" : " (how often rules are right: give rows to count on)");
  return fmt::format("{} with {}; the first matching rule decides; counts from {}", counted, conditions,
                     rows);
}

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// What Markdown or HTML would read as a mark is escaped; "x < 1" and "a_b" are none.
std::string escape_cell(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char before = i > 0 ? text[i - 1] : ' ', after = i + 1 < text.size() ? text[i + 1] : ' ';
    const bool comparison = after == ' ' || after == '=';
    const bool mark = std::string_view("|`*[]\\&~").find(c) != std::string_view::npos ||
                      ((c == '<' || c == '>') && !comparison) ||
                      (c == '_' && !(is_word(before) && is_word(after)));
    if (mark) out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_row(const RuleSet& rules, std::size_t number) {
  const Rule& rule = rules.rules()[number];
  std::string line = fmt::format("| {} | {} | {} | {} | {} |", number + 1,
                                 escape_cell(conditions_text(rules, rule, kShownDigits)),
                                 escape_cell(answer_text(rules, rule.values, kShownDigits)), rule.n_rows,
                                 shown_share(rules.score(rule).coverage));
  for (std::size_t output = 0; output < rules.n_outputs(); ++output) {
    if (rules.parts().task == Task::regression) break;
    const RuleScore score = rules.score(rule, output);
    line += fmt::format(" {} | {} |", optional_share(score.confidence), optional_number(score.lift));
  }
  if (rules.parts().task == Task::regression)
    line += fmt::format(" {} |", optional_number(rule.spread, kShownDigits));
  if (rules.parts().match == RuleMatch::first)
    line += fmt::format(" {} |",
                        rule.estimated_error ? shown_share(std::max(1.0 - *rule.estimated_error, 0.0)) : "");
  return line + "\n";
}

}  // namespace

std::string condition_text(const RuleSet& rules, const RuleCondition& condition, int digits) {
  std::string words = plain_words(rules, condition, digits);
  if (condition.missing == 0.0) return words;
  if (condition.form == Form::missing)
    return condition.missing == 1.0 ? words
                                    : fmt::format("{} ({} of it)", words, shown_share(condition.missing));
  const bool said =
      condition.form == Form::none_of &&
      by_exclusion(condition,
                   rules.parts().features.fields[static_cast<std::size_t>(condition.column)].levels);
  if (!said) words += ", or missing";
  return condition.missing == 1.0 ? words
                                  : fmt::format("{} ({} of it)", words, shown_share(condition.missing));
}

std::string conditions_text(const RuleSet& rules, const Rule& rule, int digits) {
  std::string words;
  for (const RuleCondition& condition : rule.conditions) {
    const std::string one = condition_text(rules, condition, digits);
    const bool has_or = condition.missing != 0.0 && condition.form != Form::missing;
    words += words.empty() ? "" : " and ";
    words += has_or && rule.conditions.size() > 1 ? fmt::format("({})", one) : one;
  }
  return words.empty() ? "always" : words;
}

std::string answer_text(const RuleSet& rules, std::span<const double> values, int digits) {
  std::string words;
  std::size_t at = 0;
  for (const Field& field : rules.parts().targets.fields) {
    const bool classes = rules.parts().task == Task::classification;
    const auto part = values.subspan(at, classes ? field.levels.size() : 1);
    at += part.size();
    words += words.empty() ? "" : ", ";
    if (rules.n_outputs() > 1) words += shown_name(field.name) + " = ";
    if (!rules.parts().effect.empty()) words += "effect ";
    words += classes ? (rules.n_outputs() > 1 ? shown_name(field.levels.names[largest(part)])
                                              : class_words(field, largest(part)))
                     : shown_number(part.front(), digits);
  }
  return words;
}

std::string rules_text(const RuleSet& rules) {
  std::string text = set_words(rules) + "\n";
  for (std::size_t i = 0; i < rules.rules().size(); ++i) {
    const Rule& rule = rules.rules()[i];
    text += fmt::format("\nRule {}: {}\n", i + 1, head_words(rules, rule));
    const char* word = "if ";
    for (const RuleCondition& condition : rule.conditions) {
      text += fmt::format("  {} {}\n", word, condition_text(rules, condition, kShownDigits));
      word = "and";
    }
    text += fmt::format("  then {}\n", answer_text(rules, rule.values, kShownDigits));
  }
  if (rules.parts().match == RuleMatch::first)
    text += fmt::format("\nOtherwise {}\n", answer_text(rules, rules.parts().fallback, kShownDigits));
  return text;
}

std::string rules_markdown(const RuleSet& rules) {
  std::string head = "| rule | if | then | rows | coverage |";
  std::string line = "|---:|---|---|---:|---:|";
  for (std::size_t output = 0; output < rules.n_outputs() && rules.parts().task == Task::classification;
       ++output) {
    const std::string of =
        rules.n_outputs() == 1
            ? ""
            : fmt::format(" of {}", escape_cell(shown_name(rules.parts().targets.fields[output].name)));
    head += fmt::format(" confidence{} | lift{} |", of, of);
    line += "---:|---:|";
  }
  const int extra = static_cast<int>(rules.parts().task == Task::regression) +
                    static_cast<int>(rules.parts().match == RuleMatch::first);
  if (rules.parts().task == Task::regression) head += " spread |";
  if (rules.parts().match == RuleMatch::first) head += " estimated accuracy |";
  for (int i = 0; i < extra; ++i) line += "---:|";
  std::string text = head + "\n" + line + "\n";
  for (std::size_t i = 0; i < rules.rules().size(); ++i) text += markdown_row(rules, i);
  if (rules.parts().match == RuleMatch::first)
    text += fmt::format("\nOtherwise {}.\n",
                        escape_cell(answer_text(rules, rules.parts().fallback, kShownDigits)));
  return text;
}

}  // namespace bough
