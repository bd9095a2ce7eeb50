// SPDX-License-Identifier: Apache-2.0
// Cells of a table as the model reads them, whatever types its columns have.
#pragma once

#include <string>
#include <vector>

#include "export/sql_text.hpp"

namespace bough::sql {

/// An expression that ends the query with a message when it is evaluated: `about` is a text in SQL that the
/// message ends with and that depends on the row, because engines evaluate what is constant beforehand.
enum class Refusal : std::uint8_t { number, text, truth };
std::string refuse(Dialect dialect, std::string_view message, const std::string& about, Refusal type);

/// How the cells of a table become those of a model.
class CellTypes {
 public:
  /// `dates`: numeric features whose cells may be days such as 2013-01-31, as dates or texts, which are numbers of days
  /// since 1970-01-01; times of a day are an error.
  CellTypes(Dialect dialect, const Schema& features, const Schema& targets, std::vector<ColId> dates);

  /// `cell`, a column of the table, as a feature of the model: NULL where it is missing, a double for a numeric
  /// field and for levels that are numbers, 1 or 0 for booleans, a text for other levels. Texts are read as
  /// bough reads files: words for missing cells are NULL, blanks around them do not count. A cell that cannot
  /// be what the field wants, such as a word in a column of numbers or a number where leading zeros matter, is
  /// an error of the query.
  [[nodiscard]] std::string typed(const std::string& cell, ColId column) const;

 private:
  [[nodiscard]] std::string missing_words(const Levels& levels) const;
  [[nodiscard]] std::string day_cell(const std::string& cell, const Field& field) const;
  [[nodiscard]] std::string without_odd_signs(const std::string& cell, const Field& field) const;
  [[nodiscard]] std::string number_cell(const std::string& cell, const Field& field, bool dates) const;
  [[nodiscard]] std::string boolean_cell(const std::string& cell, const Field& field) const;
  [[nodiscard]] std::string text_cell(const std::string& cell, const Field& field) const;

  Dialect dialect_;
  const Schema& features_;
  std::vector<ColId> dates_;
  std::vector<std::string> missing_ = ReadOptions().missing;  // words for missing cells
};

/// An error, in place of a truth, for rows that the model divides among the children of a node. `about`: as in
/// refuse().
std::string divided_refusal(Dialect dialect, const std::string& about);

/// A level of a feature beside a typed cell: booleans are 1 and 0.
std::string cell_level(Dialect dialect, const Levels& levels, std::size_t i);

}  // namespace bough::sql
