// SPDX-License-Identifier: Apache-2.0
// A tree as one CASE. Missing cells are NULL everywhere and NaN where the engine has it; DuckDB and
// PostgreSQL order NaN above all numbers, so x <= t is no yes for it, whatever t is.
#include "export/sql_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>

namespace bough::sql {
namespace {

std::size_t index(std::int32_t node) {
  return static_cast<std::size_t>(node);
}

std::vector<std::int32_t> depths_of(const YesNoTree& tree) {
  std::vector<std::int32_t> depth(tree.nodes.size(), 0);
  std::vector<std::int32_t> open{0};
  while (!open.empty()) {
    const std::int32_t at = open.back();
    open.pop_back();
    for (const std::int32_t child : {tree.nodes[index(at)].yes, tree.nodes[index(at)].no}) {
      if (child < 0) continue;
      depth[index(child)] = depth[index(at)] + 1;
      open.push_back(child);
    }
  }
  return depth;
}

}  // namespace

std::string Conditions::cell(ColId column) const {
  return prefix_ + quoted(dialect_, model_.features().fields[static_cast<std::size_t>(column)].name);
}

std::string Conditions::sum(std::size_t number_of_sum) const {
  std::string text;
  for (const ObliqueTerm& term : asked_.sums[number_of_sum])
    text += fmt::format("{}{} * {}", text.empty() ? "" : " + ", number(dialect_, term.weight),
                        as_double(dialect_, cell(term.column)));
  return fmt::format("({})", text);
}

std::string Conditions::yes(const YesNoNode& node) const {
  if (node.question == Question::set) return in_set(asked_.sets[node.part]);
  const std::string value = node.question == Question::sum ? sum(node.part) : cell(node.column);
  const std::string threshold = number(dialect_, node.threshold);
  if (!node.missing_yes) return fmt::format("{} <= {}", value, threshold);
  return fmt::format("COALESCE({} <= {}, TRUE)", without_nan(dialect_, value), threshold);
}

std::string Conditions::no(const YesNoNode& node) const {
  return fmt::format("({}) IS NOT TRUE", yes(node));
}

std::string Conditions::in_set(const LevelSet& set) const {
  const Levels& levels = model_.features().fields[static_cast<std::size_t>(set.column)].levels;
  const bool unknown = set.members[unknown_code(levels.size())] == '1';
  const bool missing = set.members[missing_code(levels.size())] == '1';
  const bool numbers = levels.type == Levels::Type::integer || levels.type == Levels::Type::real;
  const std::string value = numbers ? without_nan(dialect_, cell(set.column)) : cell(set.column);
  std::string list;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if ((set.members[i] == '1') != unknown) list += (list.empty() ? "" : ", ") + level(dialect_, levels, i);
  if (list.empty()) {
    // All known cells are on one side.
    if (unknown == missing) return unknown ? "TRUE" : "FALSE";
    return fmt::format("{} IS {}NULL", value, missing ? "" : "NOT ");
  }
  const std::string test = fmt::format("{} {}IN ({})", value, unknown ? "NOT " : "", list);
  return missing ? fmt::format("COALESCE({}, TRUE)", test) : test;
}

CaseSize case_size(const YesNoTree& tree, int nesting) {
  CaseSize size;
  std::vector<std::uint8_t> parents(tree.nodes.size(), 0);
  for (const YesNoNode& node : tree.nodes) {
    if (node.question == Question::end) ++size.ends;
    for (const std::int32_t child : {node.yes, node.no})
      if (child >= 0 && parents[index(child)]++ > 0) size.shared = true;
  }
  if (size.shared) return size;
  const std::vector<std::int32_t> depth = depths_of(tree);
  for (std::size_t i = 0; i < depth.size(); ++i) {
    size.depth = std::max(size.depth, static_cast<std::size_t>(depth[i]));
    const bool starts = depth[i] > 0 && depth[i] % nesting == 0 && tree.nodes[i].question != Question::end;
    if (starts) size.way_length += static_cast<std::size_t>(depth[i]);
  }
  return size;
}

std::string tree_case(const Conditions& conditions, const YesNoTree& tree, int nesting,
                      const std::function<std::string(NodeId)>& end) {
  const std::vector<std::int32_t> depth = depths_of(tree);
  std::vector<std::int32_t> parent(tree.nodes.size(), -1);
  std::vector<std::int32_t> tops;  // roots of the parts that are nested as one
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const YesNoNode& node = tree.nodes[i];
    for (const std::int32_t child : {node.yes, node.no})
      if (child >= 0) parent[index(child)] = static_cast<std::int32_t>(i);
    if (node.question != Question::end && depth[i] > 0 && depth[i] % nesting == 0)
      tops.push_back(static_cast<std::int32_t>(i));
  }
  const auto nested = [&](std::int32_t top) {
    std::string text;
    std::vector<std::variant<std::int32_t, std::string_view>> open{top};
    while (!open.empty()) {
      const auto next = open.back();
      open.pop_back();
      if (const auto* word = std::get_if<std::string_view>(&next)) {
        text += *word;
        continue;
      }
      const std::int32_t at = std::get<std::int32_t>(next);
      const YesNoNode& node = tree.nodes[index(at)];
      if (node.question == Question::end) {
        text += end(node.origin);
      } else if (at != top && depth[index(at)] % nesting == 0) {
        text += "NULL";  // an earlier WHEN has these rows
      } else {
        text += fmt::format("CASE WHEN {} THEN ", conditions.yes(node));
        open.insert(open.end(), {std::string_view(" END"), node.no, std::string_view(" ELSE "), node.yes});
      }
    }
    return text;
  };
  if (tops.empty()) return nested(0);
  // Deeper parts first: their rows meet the conditions of the parts above, too.
  std::ranges::stable_sort(tops,
                           [&](std::int32_t a, std::int32_t b) { return depth[index(a)] > depth[index(b)]; });
  std::string text = "CASE";
  for (const std::int32_t top : tops) {
    std::vector<std::string> way;
    for (std::int32_t at = top; parent[index(at)] >= 0; at = parent[index(at)]) {
      const YesNoNode& above = tree.nodes[index(parent[index(at)])];
      way.push_back(above.yes == at ? conditions.yes(above) : conditions.no(above));
    }
    std::ranges::reverse(way);
    text += fmt::format("\n  WHEN {} THEN {}", fmt::join(way, " AND "), nested(top));
  }
  return fmt::format("{}\n  ELSE {} END", text, nested(0));
}

}  // namespace bough::sql
