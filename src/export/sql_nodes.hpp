// SPDX-License-Identifier: Apache-2.0
// Trees as a table of nodes that a recursive query walks.
#pragma once

#include <string>
#include <vector>

#include "export/ends.hpp"
#include "export/sql_case.hpp"

namespace bough::sql {

/// The pieces of a walk. Rows are numbered; the walk goes through the trees in their order, so sums are added
/// in it.
class NodeWalk {
 public:
  NodeWalk(Dialect dialect, const Model& model, const YesNoModel& asked);

  /// Definition of the columns of the table of nodes, and its rows, each in parentheses.
  [[nodiscard]] std::string columns(bool typed) const;
  [[nodiscard]] std::vector<std::string> rows() const;
  /// Common table expressions up to the walk. `nodes` is the table of nodes or the name of one among them.
  [[nodiscard]] std::string expressions(const std::string& table, const std::string& nodes,
                                        bool with_rows) const;
  /// FROM and WHERE of what every row ends with: n is the node where it ends (one tree), w holds the sums a0,
  /// a1, ... (more).
  [[nodiscard]] std::string source(const std::string& nodes) const;
  /// The same for the end of every row in every tree.
  [[nodiscard]] std::string leaf_source(const std::string& nodes) const;

 private:
  /// The labels of one tree are columns of its nodes: l0, l1, ...
  [[nodiscard]] bool has_labels() const;
  void add_labels(std::string& row, EndParts& parts, std::size_t tree, bool ends, NodeId node) const;
  [[nodiscard]] std::string cells() const;
  [[nodiscard]] std::string code(ColId column) const;
  [[nodiscard]] std::string walk(const std::string& nodes) const;
  [[nodiscard]] std::string choice(const std::vector<std::size_t>& numbers, std::string_view prefix) const;

  Dialect dialect_;
  const Model& model_;
  const YesNoModel& asked_;
  Conditions conditions_;
  std::vector<std::size_t> numbers_;  // places looked at as numbers: features, then sums behind them
  std::vector<std::size_t> levels_;   // features looked at as codes
};

}  // namespace bough::sql
