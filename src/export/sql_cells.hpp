// SPDX-License-Identifier: Apache-2.0
// Cells of a table as the model reads them, whatever types its columns have.
#pragma once

#include <string>

#include "export/sql_text.hpp"

namespace bough::sql {

/// An expression that ends the query with a message when it is evaluated: `about` is a text in SQL that the
/// message ends with and that depends on the row, because engines evaluate what is constant beforehand.
enum class Refusal : std::uint8_t { number, text, truth };
std::string refuse(Dialect dialect, std::string_view message, const std::string& about, Refusal type);

/// `cell`, a column of the table, as the model's field: NULL where it is missing, a double for a numeric field
/// and for levels that are numbers, 1 or 0 for booleans, a text for other levels. Texts are read as bough
/// reads files: words for missing cells are NULL, blanks around them do not count. A cell that cannot be what
/// the field wants, such as a word in a column of numbers or a number where leading zeros matter, is an
/// error of the query. `dates`: a day such as 2013-01-31, as a date or a text, is a number of days since 1970-01-01; times
/// of a day are an error.
std::string typed_cell(Dialect dialect, const std::string& cell, const Field& field, bool dates = false);

/// An error, in place of a truth, for rows that the model divides among the children of a node. `about`: as in
/// refuse().
std::string divided_refusal(Dialect dialect, const std::string& about);

/// A level of a feature beside a typed cell: booleans are 1 and 0.
std::string cell_level(Dialect dialect, const Levels& levels, std::size_t i);

}  // namespace bough::sql
