// SPDX-License-Identifier: Apache-2.0
// Rules in words.
#pragma once

#include <string>
#include <vector>

#include "bough/rules.hpp"

namespace bough {

/// Conditions in words, joined by " and "; "always" when there are none.
std::string conditions_text(const RuleSet& rules, const Rule& rule, int digits);
/// What values answer: "setosa", "3.25"; with several outputs "species setosa, width 3.1".
std::string answer_text(const RuleSet& rules, std::span<const double> values, int digits);

/// Text for people: a paragraph per rule.
std::string rules_text(const RuleSet& rules);
/// A Markdown table.
std::string rules_markdown(const RuleSet& rules);
/// A table for programs: all digits, one line per rule.
std::string rules_csv(const RuleSet& rules);

}  // namespace bough
