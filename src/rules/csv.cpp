// SPDX-License-Identifier: Apache-2.0
// Rules for programs: CSV.
#include <fmt/format.h>

#include "base/text.hpp"
#include "predict/answer.hpp"
#include "rules/words.hpp"

namespace bough {
namespace {

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

}  // namespace bough
