// SPDX-License-Identifier: Apache-2.0
// The questions of a tree as conditions, and a whole tree as one CASE.
#pragma once

#include <functional>
#include <string>

#include "bough/seen_rows.hpp"
#include "export/binary_ir.hpp"
#include "export/sql_cells.hpp"

namespace bough::sql {

/// Questions as conditions over typed cells (sql_cells.hpp). A condition is true for a yes, and false or NULL
/// for a no.
class Conditions {
 public:
  /// Cells are typed where they are asked: those of the table with this alias, or of any table.
  Conditions(Dialect dialect, const Model& model, const YesNoModel& asked, std::string_view alias = "")
      : dialect_(dialect),
        model_(model),
        asked_(asked),
        types_(dialect, model.features(), model.targets(), date_columns(model)),
        prefix_(alias.empty() ? "" : std::string(alias) + ".") {}

  /// The same over cells that stand typed in the table that cells() gives.
  [[nodiscard]] Conditions over_cells() const {
    Conditions out = *this;
    out.stands_typed_ = true;
    return out;
  }
  /// The columns that the tree looks at, typed, as a table called c.
  [[nodiscard]] std::string cells(const YesNoTree& tree) const;

  [[nodiscard]] std::string yes(const YesNoNode& node) const;
  [[nodiscard]] std::string no(const YesNoNode& node) const;
  /// Typed cell of a feature.
  [[nodiscard]] std::string cell(ColId column) const;
  /// Value of a sum, term after term.
  [[nodiscard]] std::string sum(std::size_t number) const;

 private:
  [[nodiscard]] std::string in_set(const LevelSet& set) const;
  [[nodiscard]] std::string in_table(ColId column) const;
  [[nodiscard]] std::string alias(ColId column) const;
  [[nodiscard]] std::string divided(const YesNoNode& node) const;

  Dialect dialect_;
  const Model& model_;
  const YesNoModel& asked_;
  CellTypes types_;
  std::string prefix_;
  bool stands_typed_ = false;
};

/// The tree without questions that change nothing: `end(node)` says what stands for a node where rows end.
YesNoTree without_idle_questions(const YesNoTree& tree, const std::function<std::string(NodeId)>& end);

/// A tree as one expression: `end(node)` says what stands for a node where rows end. Nesting is bounded:
/// subtrees below it have a WHEN of their own, whose condition is the way to them.
std::string tree_case(const Conditions& conditions, const YesNoTree& tree, int nesting,
                      const std::function<std::string(NodeId)>& end);

/// What tree_case() would have to write.
struct CaseSize {
  std::size_t ends = 0;
  std::size_t depth = 0;
  std::size_t way_length = 0;  ///< conditions of all ways to subtrees
  bool shared = false;         ///< a node has several parents: no CASE can say it
};
CaseSize case_size(const YesNoTree& tree, int nesting);

}  // namespace bough::sql
