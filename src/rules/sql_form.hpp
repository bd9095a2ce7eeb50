// SPDX-License-Identifier: Apache-2.0
// How SQL writes the parts of rules: plainly here, and by the types of an engine where its dialect is known (src/export).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "bough/rules.hpp"

namespace bough {

struct RuleSqlForm {
  std::function<std::string(ColId column)> cell;                          ///< of a feature
  std::function<std::string(const Levels& levels, std::size_t i)> level;  ///< beside a cell
  std::function<std::string(const Levels& levels, std::size_t i)> answer;
  std::function<std::string(double value)> number;
  std::function<std::string(std::string_view name)> name;
  std::function<std::string(std::string text)> whole;  ///< a CASE, with what its cells need around it
};

/// One CASE per target. Throws not_supported for what SQL cannot hold.
std::string rules_sql(const RuleSet& rules, const RuleSqlForm& form);

}  // namespace bough
