// SPDX-License-Identifier: Apache-2.0
// Rules as SQL of one engine: cells are typed as those of trees are (sql_cells.hpp), in a table of their own inside the
// expression, so that each is written once.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "bough/export.hpp"
#include "bough/rules.hpp"
#include "export/sql_cells.hpp"

namespace bough {
namespace {

using namespace sql;
using Form = RuleCondition::Form;

[[noreturn]] void refuse_rules(const std::string& what) {
  throw Error(ErrorCode::not_supported, "SQL cannot hold these rules: " + what, "Use another format.");
}

// No feature may be called like a new column: DuckDB takes the new one as soon as it is being made.
std::string free_stem(Dialect dialect, const Schema& features) {
  std::string stem = "c";
  const auto taken = [&](const Field& field) { return folded(dialect, field.name).starts_with(stem); };
  while (std::ranges::any_of(features.fields, taken)) stem += "c";
  return stem;
}

class RulesWriter {
 public:
  RulesWriter(const RuleSet& rules, Dialect dialect)
      : rules_(rules),
        dialect_(dialect),
        types_(dialect, rules.parts().features, rules.parts().targets,
               rules.parts().dates.value_or(std::vector<ColId>())),
        stem_(free_stem(dialect, rules.parts().features)) {}

  std::string run() {
    std::string text;
    for (std::size_t output = 0; output < rules_.n_outputs(); ++output) {
      const Field& target = rules_.parts().targets.fields[output];
      std::string cases = "CASE\n";
      for (const Rule& rule : rules_.rules())
        cases += fmt::format("  WHEN {} THEN {}\n", conditions(rule), answer(rule, output));
      if (rules_.rules().empty()) cases += "  WHEN 1 = 0 THEN NULL\n";  // a CASE needs one
      Rule otherwise;
      otherwise.values = rules_.parts().fallback;
      cases += fmt::format("  ELSE {}\nEND", answer(otherwise, output));
      text += fmt::format("{}{} AS {}", text.empty() ? "" : ",\n", over_cells(cases),
                          quoted(dialect_, target.name));
    }
    return text + "\n";
  }

 private:
  [[nodiscard]] const Field& field(ColId column) const {
    return rules_.parts().features.fields[static_cast<std::size_t>(column)];
  }

  std::string cell(ColId column) {
    used_.insert(column);
    return fmt::format("c.{}{}", stem_, column);
  }

  [[nodiscard]] std::string over_cells(const std::string& text) const {
    if (used_.empty()) return text;
    std::vector<std::string> cells;
    for (const ColId column : used_)
      cells.push_back(fmt::format(
          "{} AS {}{}", types_.typed(bare_column(dialect_, field(column).name), column), stem_, column));
    return fmt::format("(SELECT {}\nFROM (SELECT {}) AS c)", text, fmt::join(cells, ",\n  "));
  }

  [[nodiscard]] std::string answer(const Rule& rule, std::size_t output) const {
    const double value = rules_.answer(rule, output);
    if (rules_.parts().task == Task::regression) return number(dialect_, value);
    return level(dialect_, rules_.parts().targets.fields[output].levels, static_cast<std::size_t>(value));
  }

  std::string conditions(const Rule& rule) {
    std::string text;
    for (const RuleCondition& one : rule.conditions) text += (text.empty() ? "" : " AND ") + condition(one);
    return text.empty() ? "1 = 1" : text;
  }

  // Levels of ordinal columns that nobody knows count as missing.
  std::string condition(const RuleCondition& one) {
    if (one.missing != 0.0 && one.missing != 1.0)
      refuse_rules("rows with missing cells are divided between rules");
    const std::string subject = subject_of(one);
    const bool ordinal = one.terms.empty() && field(one.column).kind == Kind::ordinal;
    const std::string known =
        ordinal ? in_list(subject, field(one.column), all_levels(one.column)) : subject + " IS NOT NULL";
    if (one.form == Form::known) return known;
    if (one.form == Form::missing)
      return ordinal ? fmt::format("({}) IS NOT TRUE", known) : subject + " IS NULL";
    const std::string test = plain(one, subject);
    if (one.missing == 0.0) return test;
    return ordinal ? fmt::format("({} OR ({}) IS NOT TRUE)", test, known)
                   : fmt::format("({} OR {} IS NULL)", test, subject);
  }

  std::string subject_of(const RuleCondition& one) {
    if (one.terms.empty()) return cell(one.column);
    std::string sum;
    for (const ObliqueTerm& term : one.terms) {
      if (field(term.column).kind != Kind::numeric) refuse_rules("a sum over levels");
      sum += fmt::format("{}{} * {}", sum.empty() ? "(" : " + ", number(dialect_, term.weight),
                         cell(term.column));
    }
    // Infinite cells may cancel, which is missing, too.
    return without_nan(dialect_, sum + ")");
  }

  [[nodiscard]] std::string plain(const RuleCondition& one, const std::string& subject) const {
    if (!one.terms.empty() || field(one.column).kind == Kind::numeric) return range(one, subject);
    const Field& of = field(one.column);
    if (one.form == Form::none_of && of.kind == Kind::category)
      return fmt::format("{} NOT IN ({})", subject, list(of, one.levels));
    // SQL does not know the order of the levels.
    std::vector<std::uint32_t> inside;
    for (const std::uint32_t level : all_levels(one.column)) {
      const bool listed = std::ranges::find(one.levels, level) != one.levels.end();
      const bool within = (!one.above || level > *one.above) && (!one.at_most || level <= *one.at_most);
      if (one.form == Form::range ? within : listed == (one.form == Form::one_of)) inside.push_back(level);
    }
    return in_list(subject, of, inside);
  }

  [[nodiscard]] std::string range(const RuleCondition& one, const std::string& subject) const {
    std::string text;
    if (one.above) text = fmt::format("{} > {}", subject, number(dialect_, *one.above));
    if (one.at_most)
      text += fmt::format("{}{} <= {}", text.empty() ? "" : " AND ", subject, number(dialect_, *one.at_most));
    return one.above && one.at_most && one.missing == 1.0 ? "(" + text + ")" : text;
  }

  [[nodiscard]] std::vector<std::uint32_t> all_levels(ColId column) const {
    std::vector<std::uint32_t> all(field(column).levels.size());
    for (std::uint32_t level = 0; level < all.size(); ++level) all[level] = level;
    return all;
  }

  [[nodiscard]] std::string list(const Field& of, std::span<const std::uint32_t> levels) const {
    std::vector<std::string> out;
    for (const std::uint32_t level : levels) out.push_back(cell_level(dialect_, of.levels, level));
    return fmt::format("{}", fmt::join(out, ", "));
  }

  [[nodiscard]] std::string in_list(const std::string& subject, const Field& of,
                                    std::span<const std::uint32_t> levels) const {
    return levels.empty() ? "1 = 0" : fmt::format("{} IN ({})", subject, list(of, levels));
  }

  const RuleSet& rules_;
  Dialect dialect_;
  CellTypes types_;
  std::string stem_;
  std::set<ColId> used_{};
};

}  // namespace

std::string rules_as_sql(const RuleSet& rules, std::string_view dialect_name) {
  const Dialect dialect = dialect_of(dialect_name);
  check_columns(dialect, rules.parts().features);
  return fmt::format("-- {}, written by bough {}\n{}", shown(dialect), version(),
                     RulesWriter(rules, dialect).run());
}

}  // namespace bough
