// SPDX-License-Identifier: Apache-2.0
// A tree as one CASE. Missing cells are NULL everywhere and NaN where the engine has it; DuckDB and
// PostgreSQL order NaN above all numbers, so x <= t is no yes for it, whatever t is.
#include "export/sql_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
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

// The nodes that the root reaches, in their order.
YesNoTree reachable(const YesNoTree& tree) {
  std::vector<std::int32_t> place(tree.nodes.size(), -1);
  place[0] = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    for (const std::int32_t child : {tree.nodes[i].yes, tree.nodes[i].no})
      if (place[i] >= 0 && child >= 0) place[index(child)] = 0;
  YesNoTree out;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<std::int32_t>(out.nodes.size());
    out.nodes.push_back(tree.nodes[i]);
  }
  for (YesNoNode& node : out.nodes)
    for (std::int32_t* child : {&node.yes, &node.no})
      if (*child >= 0) *child = place[index(*child)];
  return out;
}

// Lines of a CASE are indented by its level, to where a screen ends.
std::string new_line(std::int32_t level) {
  return "\n" + std::string(2 * static_cast<std::size_t>(std::min(level, 30)), ' ');
}

}  // namespace

// DuckDB takes a name for the new column of that name as soon as one is being made. The end that makes none of them one of
// the others is the same for all, so that they stay different.
std::string Conditions::alias(ColId column) const {
  const std::vector<Field>& fields = model_.features().fields;
  std::string end;
  if (dialect_ == Dialect::duckdb && prefix_.empty()) {
    std::set<std::string> names;
    for (const Field& field : fields) names.insert(folded(dialect_, field.name));
    const auto meets = [&](const std::string& name) { return names.contains(name + end); };
    while (std::ranges::any_of(names, meets)) end += "_";
  }
  return quoted(dialect_, fields[static_cast<std::size_t>(column)].name + end);
}

std::string Conditions::cell(ColId column) const {
  return stands_typed_ ? "c." + alias(column) : types_.typed(in_table(column), column);
}

std::string Conditions::in_table(ColId column) const {
  const std::string& name = model_.features().fields[static_cast<std::size_t>(column)].name;
  return prefix_.empty() ? bare_column(dialect_, name) : prefix_ + quoted(dialect_, name);
}

std::string Conditions::cells(const YesNoTree& tree) const {
  std::set<ColId> columns;
  for (const YesNoNode& node : tree.nodes) {
    if (node.question == Question::number || node.question == Question::set) columns.insert(node.column);
    if (node.question != Question::sum) continue;
    for (const ObliqueTerm& term : asked_.sums[node.part]) columns.insert(term.column);
  }
  std::vector<std::string> list;
  for (const ColId column : columns)
    list.push_back(fmt::format("{} AS {}", types_.typed(in_table(column), column), alias(column)));
  return list.empty() ? "" : fmt::format("(SELECT {}) AS c", fmt::join(list, ",\n    "));
}

std::string Conditions::sum(std::size_t number_of_sum) const {
  std::string text;
  for (const ObliqueTerm& term : asked_.sums[number_of_sum])
    text +=
        fmt::format("{}{} * {}", text.empty() ? "" : " + ", number(dialect_, term.weight), cell(term.column));
  // Infinite cells may cancel, which is missing, too.
  return without_nan(dialect_, fmt::format("({})", text));
}

std::string Conditions::yes(const YesNoNode& node) const {
  std::string test;
  if (node.question == Question::set) {
    test = in_set(asked_.sets[node.part]);
  } else {
    const std::string value = node.question == Question::sum ? sum(node.part) : cell(node.column);
    test = fmt::format("{} <= {}", value, number(dialect_, node.threshold));
    if (node.missing_yes) test = fmt::format("COALESCE({}, TRUE)", test);
  }
  if (!node.divides_missing && !node.divides_unknown) return test;
  const std::string about =
      fmt::format("'{}: ' || COALESCE({}, 'NULL')", node.origin, as_text(dialect_, cell(node.column)));
  return fmt::format("CASE WHEN {} THEN {} ELSE {} END", divided(node), divided_refusal(dialect_, about),
                     test);
}

// Rows that the model divides among several children: no condition can say that.
std::string Conditions::divided(const YesNoNode& node) const {
  const std::string value = cell(node.column);
  const std::string missing = fmt::format("{} IS NULL", value);
  if (!node.divides_unknown) return missing;
  const Levels& levels = model_.features().fields[static_cast<std::size_t>(node.column)].levels;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < levels.size(); ++i) names.push_back(cell_level(dialect_, levels, i));
  return fmt::format("COALESCE({} NOT IN ({}), {})", value, fmt::join(names, ", "),
                     node.divides_missing ? "TRUE" : "FALSE");
}

std::string Conditions::no(const YesNoNode& node) const {
  return fmt::format("({}) IS NOT TRUE", yes(node));
}

std::string Conditions::in_set(const LevelSet& set) const {
  const Levels& levels = model_.features().fields[static_cast<std::size_t>(set.column)].levels;
  const bool unknown = set.members[unknown_code(levels.size())] == '1';
  const bool missing = set.members[missing_code(levels.size())] == '1';
  const std::string value = cell(set.column);
  std::string list;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if ((set.members[i] == '1') != unknown)
      list += (list.empty() ? "" : ", ") + cell_level(dialect_, levels, i);
  if (list.empty()) {
    // All known cells are on one side.
    if (unknown == missing) return unknown ? "TRUE" : "FALSE";
    return fmt::format("{} IS {}NULL", value, missing ? "" : "NOT ");
  }
  const std::string test = fmt::format("{} {}IN ({})", value, unknown ? "NOT " : "", list);
  return missing ? fmt::format("COALESCE({}, TRUE)", test) : test;
}

YesNoTree without_idle_questions(const YesNoTree& tree, const std::function<std::string(NodeId)>& end) {
  std::vector<std::string> ends(tree.nodes.size());  // what all rows below get, or nothing
  YesNoTree out = tree;
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    YesNoNode& node = out.nodes[i];
    if (node.question == Question::end) {
      ends[i] = end(node.origin);
      continue;
    }
    const std::string& yes = ends[index(node.yes)];
    if (yes.empty() || yes != ends[index(node.no)]) continue;
    ends[i] = yes;
    node = YesNoNode{.origin = out.nodes[index(node.yes)].origin};
  }
  return reachable(out);
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
  const auto nested = [&](std::int32_t top, std::int32_t indent) {
    // A question of the no side goes on in the same CASE.
    struct Item {
      std::int32_t at = -1;  // -1: only the text
      std::int32_t level = 0;
      bool inside = false;  // of a CASE that goes on
      std::string text{};
    };
    std::string text;
    std::vector<Item> open{{top, indent}};
    while (!open.empty()) {
      const Item item = std::move(open.back());
      open.pop_back();
      text += item.text;
      if (item.at < 0) continue;
      const YesNoNode& node = tree.nodes[index(item.at)];
      const bool cut = item.at != top && depth[index(item.at)] % nesting == 0;
      if (node.question == Question::end || cut) {
        if (item.inside) text += new_line(item.level + 1) + "ELSE ";
        text += node.question == Question::end ? end(node.origin) : "NULL";  // an earlier WHEN has these rows
        continue;
      }
      if (!item.inside) text += "CASE";
      text += fmt::format("{}WHEN {} THEN ", new_line(item.level + 1), conditions.yes(node));
      if (!item.inside) open.push_back({-1, 0, false, " END"});
      open.push_back({node.no, item.level, true});
      open.push_back({node.yes, item.level + 1});
    }
    return text;
  };
  if (tops.empty()) return nested(0, 0);
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
    text += fmt::format("\n  WHEN {} THEN {}", fmt::join(way, " AND "), nested(top, 1));
  }
  return fmt::format("{}\n  ELSE {} END", text, nested(0, 1));
}

}  // namespace bough::sql
