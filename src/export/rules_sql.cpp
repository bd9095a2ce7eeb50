// SPDX-License-Identifier: Apache-2.0
// Rules as SQL of one engine: cells are typed as those of trees are (sql_cells.hpp), in a table of their own inside the
// expression, so that each is written once.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "bough/export.hpp"
#include "export/sql_cells.hpp"
#include "rules/sql_form.hpp"

namespace bough {
namespace {

using namespace sql;

// No feature may be called like a new column: DuckDB takes the new one as soon as it is being made.
std::string free_stem(Dialect dialect, const Schema& features) {
  std::string stem = "c";
  const auto taken = [&](const Field& field) { return folded(dialect, field.name).starts_with(stem); };
  while (std::ranges::any_of(features.fields, taken)) stem += "c";
  return stem;
}

}  // namespace

std::string rules_as_sql(const RuleSet& rules, std::string_view dialect_name) {
  const Dialect dialect = dialect_of(dialect_name);
  const Schema& features = rules.parts().features;
  check_columns(dialect, features);
  const std::string stem = free_stem(dialect, features);
  std::set<ColId> used;
  const RuleSqlForm form{
      [&](ColId column) {
        used.insert(column);
        return fmt::format("c.{}{}", stem, column);
      },
      [&](const Levels& levels, std::size_t i) { return cell_level(dialect, levels, i); },
      [&](const Levels& levels, std::size_t i) { return level(dialect, levels, i); },
      [&](double value) { return number(dialect, value); },
      [&](std::string_view name) { return quoted(dialect, name); },
      [&](std::string text) {
        if (used.empty()) return text;
        std::vector<std::string> cells;
        for (const ColId column : used) {
          const Field& field = features.fields[static_cast<std::size_t>(column)];
          cells.push_back(fmt::format("{} AS {}{}", typed_cell(dialect, quoted(dialect, field.name), field),
                                      stem, column));
        }
        return fmt::format("(SELECT {}\nFROM (SELECT {}) AS c)", text, fmt::join(cells, ",\n  "));
      }};
  return fmt::format("-- {}, written by bough {}\n{}", shown(dialect), version(), rules_sql(rules, form));
}

}  // namespace bough
