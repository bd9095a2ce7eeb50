// SPDX-License-Identifier: Apache-2.0
// Delimited text (csv, tsv) to tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bough/table.hpp"
#include "data/csv_column.hpp"

namespace bough {

/// How a piece of delimited text is to be understood.
struct CsvLayout {
  std::string source;  ///< named in errors; may be empty
  char delimiter = ',';
  bool header = true;  ///< the first row holds the names
  std::vector<std::string> names;
  std::vector<std::string> first_row;  ///< its cells, whether they are names or not
  std::vector<CsvWant> wants;
  /// By column what is known of it, or null; empty: nothing. Blanks within the quotes of a cell are dropped, as around
  /// cells without quotes, unless a level has them.
  std::vector<const Field*> fields;
  std::size_t data_at = 0;     ///< where the first data row starts
  std::int64_t data_line = 1;  ///< and its line
};

/// Length of a UTF-8 byte order mark at the front: 0 or 3.
std::size_t bom_length(std::string_view text) noexcept;
/// The delimiter among , ; tab | that makes the first rows equally long.
char guess_delimiter(std::string_view text);
/// Throws bad_params for characters that cannot separate cells.
void check_delimiter(char delimiter);
/// Delimiter, names and wants. `text` must be followed by a NUL.
CsvLayout csv_layout(std::string_view text, const ReadOptions& options, const std::string& source);
/// Wants per column from the options. Throws bad_params for names that the file does not have.
std::vector<CsvWant> csv_wants(std::span<const std::string> names, const ReadOptions& options,
                               const std::string& source);

/// Rows read from a piece of text.
struct CsvRows {
  Table table;
  std::vector<CsvSeen> seen;  ///< by column
  std::size_t bytes = 0;      ///< of the text that were used up
  std::int64_t lines = 0;     ///< line number behind them
};
/// Reads at most `max_rows` rows (-1: all) of text that starts with a row at line `line` and is followed by a
/// NUL.
CsvRows read_csv_rows(std::string_view text, const CsvLayout& layout, const ReadOptions& options,
                      std::int64_t line, std::int64_t max_rows);
/// A whole file, of at least one row. `text` must be followed by a NUL.
Table read_csv(std::string_view text, const ReadOptions& options, const std::string& source);

}  // namespace bough
