// SPDX-License-Identifier: Apache-2.0
// Rows of delimited text to typed columns.
//
// One pass: every cell goes straight from the text into its column, numbers by scan_number without a look at
// their end first. A column that changes its mind late (numbers, then a word) is read again from the text in
// a second pass that stores only such columns.
#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "data/cell_scanner.hpp"
#include "data/dates.hpp"
#include "data/levels.hpp"

namespace bough {
namespace {

/// The tokens that stand for a missing cell; most cells are told apart by their first character.
class MissingTokens {
 public:
  explicit MissingTokens(std::span<const std::string> tokens) : tokens_(tokens.begin(), tokens.end()) {
    for (const std::string& token : tokens_) {
      if (token.empty()) {
        empty_ = true;
      } else {
        first_[static_cast<unsigned char>(token.front())] = true;
        any_decimal_ |= scan_number(token.c_str(), token.c_str() + token.size()).end != nullptr;
      }
    }
  }
  /// True when some token starts like a decimal, so that numbers must be looked up too.
  [[nodiscard]] bool any_decimal() const noexcept { return any_decimal_; }
  [[nodiscard]] bool contains(std::string_view cell) const noexcept {
    if (cell.empty()) return empty_;
    return first_[static_cast<unsigned char>(cell.front())] &&
           std::find(tokens_.begin(), tokens_.end(), cell) != tokens_.end();
  }

 private:
  std::vector<std::string> tokens_;
  std::array<bool, 256> first_{};
  bool empty_ = false;
  bool any_decimal_ = false;
};

class RowsReader {
 public:
  RowsReader(CellScanner scan, const CsvLayout& layout, const ReadOptions& options)
      : scan_(std::move(scan)),
        layout_(layout),
        missing_(options.missing),
        scans_numbers_(!missing_.any_decimal() && options.decimal == '.') {
    columns_.reserve(layout.wants.size());
    for (const CsvWant want : layout.wants) columns_.emplace_back(want, options.decimal);
  }

  /// One pass over at most `max_rows` rows; gives their number.
  std::int64_t pass(std::int64_t max_rows) {
    std::int64_t n_rows = 0;
    const bool one_column = columns_.size() == 1;
    for (; n_rows != max_rows; ++n_rows) {
      // An empty line is a missing cell where there is one column, and nothing elsewhere.
      if (!one_column) scan_.skip_blank_rows();
      if (scan_.at_end()) break;
      row();
    }
    return n_rows;
  }

  [[nodiscard]] bool wants_second_pass() const noexcept {
    return std::any_of(columns_.begin(), columns_.end(),
                       [](const CsvColumn& c) { return c.wants_second_reading(); });
  }
  void second_pass(CellScanner scan, std::int64_t n_rows) {
    for (CsvColumn& column : columns_) {
      if (column.wants_second_reading()) {
        column.start_again();
      } else {
        column.leave_alone();
      }
    }
    scan_ = std::move(scan);
    pass(n_rows);
  }

  void reserve(std::size_t bytes) {
    const std::size_t row_bytes = bytes_of_first_row();
    const std::size_t n_rows = row_bytes == 0 ? 0 : bytes / row_bytes + bytes / row_bytes / 16 + 1;
    for (CsvColumn& column : columns_) column.reserve(n_rows);
  }
  [[nodiscard]] const CellScanner& scan() const noexcept { return scan_; }

  [[nodiscard]] std::vector<CsvSeen> seen() const {
    std::vector<CsvSeen> all;
    for (const CsvColumn& column : columns_) all.push_back(column.seen());
    return all;
  }
  Table finish() {
    Table table;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      add_owned(table, layout_.names[c], std::move(columns_[c]).finish());
    return table;
  }

 private:
  void row() {
    const char* at = scan_.at();
    const std::size_t last = columns_.size() - 1;
    for (std::size_t c = 0; c <= last; ++c) {
      CsvColumn& column = columns_[c];
      if (column.shape() == CsvColumn::Shape::numbers && scans_numbers_) {
        const ScannedNumber number = scan_number(at, scan_.end());
        const bool zeros = (number.whole || number.letter) && number.end - at > 1 &&
                           (*at == '0' || (*at == '-' && at[1] == '0'));
        if (number.end != nullptr && scan_.is_stop(*number.end) && !zeros) {
          column.push(number);
          at = number.end;
        } else {
          at = slow_cell(at, c);
        }
      } else {
        at = slow_cell(at, c);
      }
      if (c == last) break;
      if (*at != scan_.delimiter() || at == scan_.end()) throw ragged(at, c + 1);
      ++at;
    }
    scan_.seek(at);
    if (!scan_.at_row_end()) throw ragged(at, columns_.size());
    scan_.next_row();
  }

  // What to do about a cell that is no number.
  static const char* way_out(std::string_view cell, CsvWant want) {
    if (want == CsvWant::number_or_day && parse_boolean(cell))
      return "dates or numbers are wanted here, no truth values: correct the cell";
    if (parse_date(cell) || parse_boolean(cell))
      return "plain numbers are wanted here, no dates and truth values: correct the cell";
    const bool has_comma = cell.find(',') != std::string_view::npos;
    return has_comma && cell.find_first_not_of("0123456789.,+-") == std::string_view::npos
               ? "say that numbers have a decimal comma (--decimal ,), or correct the cell"
               : "correct the cell, or name its word as missing (--missing)";
  }

  const char* slow_cell(const char* at, std::size_t c) {
    scan_.seek(at);
    CsvColumn& column = columns_[c];
    const std::string& name = layout_.names[c];
    std::string_view cell = scan_.cell(name);
    if (!layout_.fields.empty() && layout_.fields[c] != nullptr && trim(cell).size() != cell.size() &&
        std::ranges::find(layout_.fields[c]->levels.names, cell) == layout_.fields[c]->levels.names.end())
      cell = trim(cell);
    if (missing_.contains(cell)) {
      column.push_missing();
      return scan_.at();
    }
    switch (column.push(cell)) {
      case CsvColumn::Verdict::stored:
        break;
      case CsvColumn::Verdict::not_a_number:
        throw scan_.error(name, fmt::format("\"{}\" is not a number", cell.substr(0, 40)),
                          way_out(cell, layout_.wants[c]));
      case CsvColumn::Verdict::not_utf8:
        throw scan_.error(name, "the cell is not valid UTF-8",
                          "save the file as UTF-8 text (iconv -t UTF-8)");
    }
    return scan_.at();
  }

  /// `found` cells were read when the row ended too early, or went on.
  Error ragged(const char* at, std::size_t found) {
    scan_.seek(at);
    if (*at == '\0' && at != scan_.end())
      return scan_.error("", "a NUL byte",
                         "the file is binary, or text of another encoding: save it as UTF-8 text");
    const std::string& column = layout_.names[std::min(found, columns_.size()) - 1];
    while (scan_.at_delimiter()) {
      scan_.next_cell();
      scan_.cell("");
      ++found;
    }
    return scan_.error("",
                       fmt::format("{} cell{} where {} are expected (the row {} column \"{}\")", found,
                                   found == 1 ? "" : "s", columns_.size(),
                                   found < columns_.size() ? "ends after" : "goes on behind", column),
                       "complete the row, or put quotes around cells that hold the delimiter");
  }

  std::size_t bytes_of_first_row() const {
    CellScanner probe = scan_;
    probe.skip_blank_rows();
    const char* const first = probe.at();
    const char* const stop = std::find(first, probe.end(), '\n');
    return static_cast<std::size_t>(stop - first) + (stop == probe.end() ? 0 : 1);
  }

  CellScanner scan_;
  const CsvLayout& layout_;
  MissingTokens missing_;
  bool scans_numbers_;  // without a look at the cell first
  std::vector<CsvColumn> columns_;
};

}  // namespace

CsvRows read_csv_rows(std::string_view text, const CsvLayout& layout, const ReadOptions& options,
                      std::int64_t line, std::int64_t max_rows) {
  const CellScanner start(text, layout.delimiter, layout.source, line);
  RowsReader reader(start, layout, options);
  if (max_rows < 0) reader.reserve(text.size());
  const std::int64_t n_rows = reader.pass(max_rows);
  const char* const stop = reader.scan().at();
  const std::int64_t lines = reader.scan().line();
  if (reader.wants_second_pass()) reader.second_pass(start, n_rows);
  std::vector<CsvSeen> seen = reader.seen();
  return {reader.finish(), std::move(seen), static_cast<std::size_t>(stop - text.data()), lines};
}

Table read_csv(std::string_view text, const ReadOptions& options, const std::string& source) {
  const CsvLayout layout = csv_layout(text, options, source);
  Table table =
      read_csv_rows(text.substr(layout.data_at), layout, options, layout.data_line, options.max_rows).table;
  if (table.n_rows() == 0)
    throw Error(ErrorCode::bad_data,
                fmt::format("{} has a header of {} columns and no rows", source.empty() ? "the text" : source,
                            layout.names.size()),
                "add at least one row of data below the header");
  return table;
}

}  // namespace bough
