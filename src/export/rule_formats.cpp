// SPDX-License-Identifier: Apache-2.0
// The table of formats of rules. It stands above them because SQL is written as that of trees is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "bough/export.hpp"
#include "bough/rules.hpp"
#include "explain/words.hpp"
#include "rules/words.hpp"

namespace bough {
namespace {

std::string rules_json(const RuleSet& rules) {
  return rules.to_json();
}

std::string rules_sql(const RuleSet& rules) {
  return rules_as_sql(rules);
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
