// SPDX-License-Identifier: Apache-2.0
// Trees as a table of nodes. Node ids count through all trees; a place is a feature or, behind them, a sum.
// Sets are texts of '0' and '1' by code. An end has no place; `next` is the root of the next tree, and -1
// behind the last one.
#include "export/sql_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "export/sql_cells.hpp"

namespace bough::sql {

NodeWalk::NodeWalk(Dialect dialect, const Model& model, const YesNoModel& asked, std::string table)
    : dialect_(dialect),
      model_(model),
      asked_(asked),
      conditions_(dialect, model, asked, "i"),
      table_(std::move(table)),
      input_(helper_table("bough_input", table_)),
      cells_(helper_table("bough_cells", table_)),
      walk_(helper_table("bough_walk", table_)) {
  const std::size_t n_features = model.features().fields.size();
  std::set<std::size_t> numbers, levels;
  for (const YesNoTree& tree : asked.trees)
    for (const YesNoNode& node : tree.nodes) {
      if (node.question == Question::number) numbers.insert(static_cast<std::size_t>(node.column));
      if (node.question == Question::sum) numbers.insert(n_features + node.part);
      if (node.question == Question::set) levels.insert(static_cast<std::size_t>(node.column));
    }
  numbers_.assign(numbers.begin(), numbers.end());
  levels_.assign(levels.begin(), levels.end());
}

std::string NodeWalk::columns(bool typed) const {
  const std::string_view number = dialect_ == Dialect::sqlite   ? "REAL"
                                  : dialect_ == Dialect::duckdb ? "DOUBLE"
                                                                : "float8";
  const auto one = [&](std::string_view name, std::string_view type) {
    return typed ? fmt::format("\"{}\" {}", name, type) : fmt::format("\"{}\"", name);
  };
  std::vector<std::string> all{one("id", "INTEGER PRIMARY KEY"),
                               one("place", "INTEGER"),
                               one("threshold", number),
                               one("missing", "BOOLEAN"),
                               one("members", "TEXT"),
                               one("yes", "INTEGER"),
                               one("no", "INTEGER"),
                               one("next", "INTEGER"),
                               one("tree", "INTEGER"),
                               one("node", "INTEGER")};
  const std::size_t width = EndParts(model_).width();
  for (std::size_t i = 0; i < width; ++i) all.push_back(one(fmt::format("v{}", i), number));
  for (std::size_t o = 0; has_labels() && o < model_.n_outputs(); ++o) {
    const Levels& levels = model_.targets().fields[o].levels;
    const Levels::Type type = levels.type;
    all.push_back(one(fmt::format("l{}", o), are_words(dialect_, levels)     ? "TEXT"
                                             : type == Levels::Type::integer ? "BIGINT"
                                             : type == Levels::Type::boolean ? "BOOLEAN"
                                                                             : number));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

bool NodeWalk::has_labels() const {
  const EndParts parts(model_);
  return parts.is_single() && parts.is_classes();
}

void NodeWalk::add_labels(std::string& row, EndParts& parts, std::size_t tree, bool ends, NodeId node) const {
  if (!has_labels()) return;
  const std::vector<std::size_t> chosen = ends ? parts.classes(tree, node) : std::vector<std::size_t>();
  for (std::size_t o = 0; o < model_.n_outputs(); ++o)
    row += fmt::format(", {}", ends ? level(dialect_, model_.targets().fields[o].levels, chosen[o]) : "NULL");
}

std::vector<std::string> NodeWalk::rows() const {
  EndParts parts(model_);
  const std::size_t n_features = model_.features().fields.size();
  std::vector<std::string> out;
  std::size_t start = 0;
  for (std::size_t t = 0; t < asked_.trees.size(); ++t) {
    const std::vector<YesNoNode>& nodes = asked_.trees[t].nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const YesNoNode& node = nodes[i];
      const bool ends = node.question == Question::end, set = node.question == Question::set;
      const std::size_t place = node.question == Question::sum
                                    ? n_features + node.part
                                    : static_cast<std::size_t>(std::max(node.column, 0));
      const auto child = [&](std::int32_t at) { return static_cast<std::int64_t>(start) + at; };
      std::string row = fmt::format(
          "({}, {}, {}, {}, {}, {}, {}, {}, {}, {}", start + i,
          ends ? std::string("-1") : std::to_string(place),
          number(dialect_, ends || set ? 0.0 : node.threshold),
          node.divides_missing ? "NULL"
          : node.missing_yes   ? "TRUE"
                               : "FALSE",
          literal(dialect_, set ? marked_members(node) : ""), ends ? -1 : child(node.yes),
          ends ? -1 : child(node.no),
          t + 1 < asked_.trees.size() ? static_cast<std::int64_t>(start + nodes.size()) : -1, t, node.origin);
      const std::span<const double> part = ends ? parts.part(t, node.origin) : std::span<const double>();
      for (std::size_t v = 0; v < parts.width(); ++v)
        row += fmt::format(", {}", number(dialect_, ends ? part[v] : 0.0));
      add_labels(row, parts, t, ends, node.origin);
      out.push_back(row + ")");
    }
    start += nodes.size();
  }
  return out;
}

// Codes of rows that the tree divides have a mark of their own.
std::string NodeWalk::marked_members(const YesNoNode& node) const {
  std::string members = asked_.sets[node.part].members;
  if (node.divides_missing) members[members.size() - 1] = '!';
  if (node.divides_unknown) members[members.size() - 2] = '!';
  return members;
}

std::string NodeWalk::code(ColId column) const {
  const Levels& levels = model_.features().fields[static_cast<std::size_t>(column)].levels;
  const std::string value = conditions_.cell(column);
  std::string text =
      fmt::format("CASE WHEN {0} IS NULL THEN {1} ELSE CASE {0}", value, missing_code(levels.size()));
  for (std::size_t i = 0; i < levels.size(); ++i)
    text += fmt::format(" WHEN {} THEN {}", cell_level(dialect_, levels, i), i);
  return levels.size() == 0 ? fmt::format("CASE WHEN {} IS NULL THEN 1 ELSE 0 END", value)
                            : fmt::format("{} ELSE {} END END", text, unknown_code(levels.size()));
}

std::vector<std::pair<std::string, std::string>> NodeWalk::cells() const {
  const std::size_t n_features = model_.features().fields.size();
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::size_t place : numbers_) {
    const std::string value = place < n_features ? conditions_.cell(static_cast<ColId>(place))
                                                 : conditions_.sum(place - n_features);
    out.emplace_back(fmt::format("\"x{}\"", place), without_null(dialect_, value));
  }
  for (const std::size_t place : levels_)
    out.emplace_back(fmt::format("\"c{}\"", place), code(static_cast<ColId>(place)));
  return out;
}

std::string NodeWalk::cells_expression() const {
  std::string list;
  for (const auto& [name, value] : cells())
    list += fmt::format("{}{} AS {}", list.empty() ? "" : ",\n    ", value, name);
  if (list.empty()) return fmt::format("{} AS MATERIALIZED (SELECT 1 AS \"row\")", cells_);
  return fmt::format(
      "{} AS MATERIALIZED (\n  SELECT d.*, ROW_NUMBER() OVER () AS \"row\" FROM (SELECT DISTINCT {}\n"
      "  FROM {} AS i) AS d)",
      cells_, list, input_);
}

std::string NodeWalk::walked() const {
  // SQLite nests its loops from left to right at a CROSS JOIN, and reads no more than 1000 ANDs in a row.
  const bool lite = dialect_ == Dialect::sqlite;
  constexpr std::size_t kGroup = 40;
  std::string same;
  const auto all = cells();
  for (std::size_t at = 0; at < all.size(); at += kGroup) {
    std::string group;
    for (std::size_t k = at; k < std::min(all.size(), at + kGroup); ++k)
      group += fmt::format("{}c.{} {} {}", group.empty() ? "" : "\n    AND ", all[k].first, lite ? "IS" : "=",
                           all[k].second);
    same += fmt::format("{}({})", same.empty() ? "" : " AND ", group);
  }
  return fmt::format("FROM {0} AS i {3} {1} AS c ON {4}\n  {3} {2} AS w ON w.\"row\" = c.\"row\"", input_,
                     cells_, walk_, lite ? "CROSS JOIN" : "JOIN", same.empty() ? "1 = 1" : same);
}

// The cell that a node looks at.
std::string NodeWalk::choice(const std::vector<std::size_t>& places, std::string_view prefix) const {
  std::string text = "CASE n.\"place\"";
  for (const std::size_t place : places) text += fmt::format(" WHEN {0} THEN c.\"{1}{0}\"", place, prefix);
  return text + " END";
}

bool NodeWalk::divides() const {
  return std::ranges::any_of(asked_.trees, [](const YesNoTree& tree) {
    return std::ranges::any_of(
        tree.nodes, [](const YesNoNode& node) { return node.divides_missing || node.divides_unknown; });
  });
}

std::string NodeWalk::walk(const std::string& nodes) const {
  const EndParts parts(model_);
  const std::size_t width = parts.is_single() ? 0 : parts.width();
  std::string names, zeros, sums;
  for (std::size_t i = 0; i < width; ++i) {
    names += fmt::format(", \"a{}\"", i);
    zeros += fmt::format(", {}", number(dialect_, 0.0));
    sums += fmt::format(", w.\"a{0}\" + n.\"v{0}\"", i);
  }
  const std::string refusal = divided_refusal(dialect_, as_text(dialect_, "n.\"node\""));
  std::string yes = "FALSE";
  if (!numbers_.empty())
    yes = fmt::format("COALESCE({} <= n.\"threshold\", n.\"missing\"{})",
                      without_nan(dialect_, choice(numbers_, "x")), divides() ? ", " + refusal : "");
  if (!levels_.empty()) {
    const std::string mark = fmt::format("SUBSTR(n.\"members\", {} + 1, 1)", choice(levels_, "c"));
    yes =
        fmt::format("CASE WHEN n.\"members\" <> '' THEN {} ELSE {} END",
                    divides() ? fmt::format("CASE WHEN {0} = '!' THEN {1} ELSE {0} = '1' END", mark, refusal)
                              : fmt::format("{} = '1'", mark),
                    yes);
  }
  return fmt::format(
      "{7}(\"row\", \"id\"{0}) AS (\n"
      "  SELECT c.\"row\", 0{1} FROM {6} AS c\n"
      "  UNION ALL\n"
      "  SELECT w.\"row\", CASE WHEN n.\"place\" < 0 THEN n.\"next\" WHEN {2} THEN n.\"yes\" ELSE "
      "n.\"no\" END{3}\n"
      "  FROM {7} AS w JOIN {4} AS n ON n.\"id\" = w.\"id\"\n"
      "    JOIN {6} AS c ON c.\"row\" = w.\"row\"{5})",
      names, zeros, yes, sums, nodes, parts.is_single() ? "\n  WHERE n.\"place\" >= 0" : "", cells_, walk_);
}

std::string NodeWalk::expressions(const std::string& nodes, bool with_rows) const {
  std::string text = fmt::format("WITH RECURSIVE {} AS MATERIALIZED (SELECT * FROM {}),\n{},\n", input_,
                                 quoted_table(dialect_, table_), cells_expression());
  if (with_rows)
    text += fmt::format("{}({}) AS {}(\n  VALUES {}),\n", nodes, columns(false),
                        dialect_ == Dialect::postgresql ? "" : "MATERIALIZED ", fmt::join(rows(), ",\n    "));
  return text + walk(nodes) + "\n";
}

std::string NodeWalk::sums() const {
  return walked() + "\nWHERE w.\"id\" = -1";
}

std::string NodeWalk::ends(const std::string& nodes) const {
  return fmt::format("{}\n  {} {} AS n ON n.\"id\" = w.\"id\" AND n.\"place\" < 0", walked(),
                     dialect_ == Dialect::sqlite ? "CROSS JOIN" : "JOIN", nodes);
}

}  // namespace bough::sql
