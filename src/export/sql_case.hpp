// SPDX-License-Identifier: Apache-2.0
// The questions of a tree as conditions, and a whole tree as one CASE.
#pragma once

#include <functional>
#include <string>

#include "export/binary_ir.hpp"
#include "export/sql_text.hpp"

namespace bough::sql {

/// Questions as conditions over the columns of a table. A condition is true for a yes, and false or NULL for
/// a no.
class Conditions {
 public:
  Conditions(Dialect dialect, const Model& model, const YesNoModel& asked)
      : dialect_(dialect), model_(model), asked_(asked) {}

  /// The same over the columns of the table with this alias, whatever other tables stand beside it.
  [[nodiscard]] Conditions from(std::string_view alias) const {
    Conditions out = *this;
    out.prefix_ = std::string(alias) + ".";
    return out;
  }

  [[nodiscard]] std::string yes(const YesNoNode& node) const;
  [[nodiscard]] std::string no(const YesNoNode& node) const;
  /// Cell of a feature: a bare name, or one of the table that from() named.
  [[nodiscard]] std::string cell(ColId column) const;
  /// Value of a sum, term after term.
  [[nodiscard]] std::string sum(std::size_t number) const;

 private:
  [[nodiscard]] std::string in_set(const LevelSet& set) const;

  Dialect dialect_;
  const Model& model_;
  const YesNoModel& asked_;
  std::string prefix_;
};

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
