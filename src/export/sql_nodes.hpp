// SPDX-License-Identifier: Apache-2.0
// Trees as a table of nodes that a recursive query walks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "export/leaf_answers.hpp"
#include "export/sql_case.hpp"

namespace bough::sql {

/// The pieces of a walk. Rows of a table that hold the same cells are walked once: what the tree looks at is
/// the key by which answers find their rows, so nothing is added to the columns of the table and none of them
/// can be mistaken for a part of the walk. The walk goes through the trees in their order, so sums are added
/// in it.
class NodeWalk {
 public:
  /// `table` is the table that is asked.
  NodeWalk(Dialect dialect, const Model& model, const YesNoModel& asked, std::string table);

  /// Definition of the columns of the table of nodes, and its rows, each in parentheses.
  [[nodiscard]] std::string columns(bool typed) const;
  [[nodiscard]] std::vector<std::string> rows() const;
  /// Common table expressions up to the walk. `nodes` is the table of nodes or the name of one among them.
  [[nodiscard]] std::string expressions(const std::string& nodes, bool with_rows) const;
  /// FROM of the ends: i is a row, n the node where it ends, once for every tree.
  [[nodiscard]] std::string ends(const std::string& nodes) const;
  /// FROM and WHERE of several trees together: i is a row, w holds its sums a0, a1, ...
  [[nodiscard]] std::string sums() const;

 private:
  /// The labels of one tree are columns of its nodes: l0, l1, ...
  [[nodiscard]] bool has_labels() const;
  void add_labels(std::string& row, EndParts& parts, std::size_t tree, bool ends, NodeId node) const;
  /// What the trees look at in a row of i, each with the name that it has among the cells.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> cells() const;
  [[nodiscard]] std::string cells_expression() const;
  /// FROM: rows and the ends of their walks.
  [[nodiscard]] std::string walked() const;
  [[nodiscard]] std::string code(ColId column) const;
  [[nodiscard]] std::string marked_members(const YesNoNode& node) const;
  /// Whether some node divides rows among its children.
  [[nodiscard]] bool divides() const;
  [[nodiscard]] std::string walk(const std::string& nodes) const;
  [[nodiscard]] std::string choice(const std::vector<std::size_t>& numbers, std::string_view prefix) const;

  Dialect dialect_;
  const Model& model_;
  const YesNoModel& asked_;
  Conditions conditions_;
  std::string table_;
  std::string input_, cells_, walk_;  // of the common table expressions
  std::vector<std::size_t> numbers_;  // places looked at as numbers: features, then sums behind them
  std::vector<std::size_t> levels_;   // features looked at as codes
};

}  // namespace bough::sql
