// SPDX-License-Identifier: Apache-2.0
// Delimiter, header and wanted types of delimited text.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "base/text.hpp"
#include "data/cell_scanner.hpp"
#include "data/csv.hpp"
#include "data/utf8.hpp"

namespace bough {
namespace {

constexpr std::string_view kDelimiters = ",;\t|";
constexpr std::size_t kGuessBytes = 64 * 1024;
constexpr std::size_t kGuessRows = 20;

/// Cells of the row at the front of `text`, and its length with the line end; length 0 when the row is not
/// whole.
struct RowShape {
  std::size_t cells = 1;
  std::size_t length = 0;
};

RowShape row_shape(std::string_view text, char delimiter) noexcept {
  RowShape row;
  bool cell_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && cell_start) {
      // Up to the closing quote; a doubled one opens the next stretch at once.
      do {
        i = text.find('"', i + 1);
        if (i == std::string_view::npos) return row;
        ++i;
      } while (i < text.size() && text[i] == '"');
      --i;
      cell_start = false;
    } else if (c == delimiter) {
      ++row.cells;
      cell_start = true;
    } else if (c == '\n' || c == '\r') {
      row.length = i + 1;
      return row;
    } else if (c != ' ') {
      cell_start = false;
    }
  }
  return row;
}

struct DelimiterScore {
  bool even = true;  // the same number of cells in every row
  std::size_t cells = 1;
};

DelimiterScore score_delimiter(std::string_view text, char delimiter) {
  DelimiterScore score;
  std::size_t n_rows = 0;
  while (n_rows < kGuessRows && !text.empty()) {
    const RowShape row = row_shape(text, delimiter);
    if (row.length == 0 && n_rows > 0) break;
    if (row.length > 1 || row.length == 0) {
      if (n_rows == 0) score.cells = row.cells;
      score.even &= row.cells == score.cells;
      ++n_rows;
    }
    if (row.length == 0) break;
    text.remove_prefix(row.length);
  }
  return score;
}

std::vector<std::string> read_cells(CellScanner& scan) {
  std::vector<std::string> names;
  for (;;) {
    names.emplace_back(scan.cell(fmt::format("{}", names.size() + 1)));
    if (!is_utf8(names.back()))
      throw scan.error("", fmt::format("the name of column {} is not valid UTF-8", names.size()),
                       "save the file as UTF-8 text");
    if (scan.at_row_end()) break;
    scan.next_cell();
  }
  return names;
}

void check_names(const CellScanner& scan, std::span<const std::string> names) {
  std::unordered_map<std::string_view, std::size_t> seen;
  std::vector<std::string> twice;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [at, fresh] = seen.emplace(names[i], i);
    if (!fresh) twice.push_back(fmt::format("\"{}\" (columns {} and {})", names[i], at->second + 1, i + 1));
  }
  if (!twice.empty())
    throw scan.error("", fmt::format("the column name {} appears twice", list_some(twice, 5)),
                     "give every column its own name, or say that the file has no header (--no-header)");
}

}  // namespace

std::size_t bom_length(std::string_view text) noexcept {
  return text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

char guess_delimiter(std::string_view text) {
  text = text.substr(0, kGuessBytes);
  char best = ',';
  DelimiterScore best_score{false, 1};
  for (const char candidate : kDelimiters) {
    const DelimiterScore score = score_delimiter(text, candidate);
    if (score.cells < 2) continue;
    if (score.even != best_score.even ? score.even : score.cells > best_score.cells) {
      best = candidate;
      best_score = score;
    }
  }
  return best;
}

void check_delimiter(char delimiter) {
  const auto c = static_cast<unsigned char>(delimiter);
  if (std::isalnum(c) != 0 || c >= 0x80 ||
      std::string_view("\"\n\r.+-_").find(delimiter) != std::string_view::npos)
    throw Error(ErrorCode::bad_params, fmt::format("the character '{}' cannot be a delimiter", delimiter),
                "use a comma, a semicolon, a tab, | or another sign");
}

std::vector<CsvWant> csv_wants(std::span<const std::string> names, const ReadOptions& options,
                               const std::string& source) {
  std::vector<CsvWant> wants(names.size(), CsvWant::any);
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < names.size(); ++i) index.emplace(names[i], i);
  std::vector<std::string> unknown;
  const auto mark = [&](const std::vector<std::string>& wanted, CsvWant want) {
    for (const std::string& name : wanted) {
      const auto at = index.find(name);
      if (at == index.end()) {
        const std::string near = nearest_name(name, names);
        unknown.push_back(near.empty() ? fmt::format("\"{}\"", name)
                                       : fmt::format("\"{}\" (is it \"{}\"?)", name, near));
        continue;
      }
      if (wants[at->second] != CsvWant::any && wants[at->second] != want)
        throw Error(ErrorCode::bad_params,
                    fmt::format("column \"{}\" is asked for as text and as numbers", name));
      wants[at->second] = want;
    }
  };
  mark(options.text_columns, CsvWant::text);
  mark(options.numeric_columns, CsvWant::number);
  if (!unknown.empty())
    throw Error(
        ErrorCode::bad_params,
        fmt::format("{} has no column {}", source.empty() ? "the text" : source, list_some(unknown, 10)),
        fmt::format("its columns are {}", list_some(names, 12)));
  return wants;
}

namespace {

// Whether the first row, which the scan has just read, holds names of columns.
bool holds_names(const std::vector<std::string>& first, CellScanner scan, const ReadOptions& options) {
  const auto is_number = [](const std::string& cell) { return parse_number(cell).has_value(); };
  if (std::ranges::none_of(first, is_number)) return true;
  const auto holds = [&](const std::string& name) { return std::ranges::find(first, name) != first.end(); };
  if (std::ranges::any_of(options.known_names, holds) || std::ranges::any_of(options.text_columns, holds) ||
      std::ranges::any_of(options.numeric_columns, holds))
    return true;
  scan.next_row();
  scan.skip_blank_rows();
  if (scan.at_end()) return false;
  std::vector<std::string> second;
  try {
    second = read_cells(scan);
  } catch (const Error&) {
    return false;  // the reader of the rows tells what is wrong; the beginning of a file may also end within a cell
  }
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
    if (is_number(second[i]) && !is_number(first[i]) &&
        std::ranges::find(options.missing, first[i]) == options.missing.end())
      return true;
  return false;
}

}  // namespace

CsvLayout csv_layout(std::string_view text, const ReadOptions& options, const std::string& source) {
  CsvLayout layout;
  layout.source = source;
  const std::size_t bom = bom_length(text);
  const std::string_view body = text.substr(bom);
  if (options.delimiter != 0) check_delimiter(options.delimiter);
  layout.delimiter = options.delimiter != 0    ? options.delimiter
                     : options.format == "tsv" ? '\t'
                                               : guess_delimiter(body);
  CellScanner scan(body, layout.delimiter, source);
  scan.skip_blank_rows();
  if (scan.at_end())
    throw Error(ErrorCode::bad_data, fmt::format("{} is empty", source.empty() ? "the text" : source),
                "give a file with a header line and at least one row");
  const char* const first = scan.at();
  const std::int64_t first_line = scan.line();
  layout.first_row = read_cells(scan);
  layout.names = layout.first_row;
  layout.header = options.header ? *options.header : holds_names(layout.first_row, scan, options);
  for (std::size_t i = 0; i < layout.names.size(); ++i)
    if (!layout.header || layout.names[i].empty()) layout.names[i] = fmt::format("x{}", i);
  if (layout.header) {
    check_names(scan, layout.names);
    scan.next_row();
  }
  layout.data_at = bom + static_cast<std::size_t>((layout.header ? scan.at() : first) - body.data());
  layout.data_line = layout.header ? scan.line() : first_line;
  layout.wants = csv_wants(layout.names, options, source);
  return layout;
}

}  // namespace bough
