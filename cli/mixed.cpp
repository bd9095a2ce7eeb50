// SPDX-License-Identifier: Apache-2.0
// Columns that hold both words and numbers or dates: found by their distinct values.
#include <fmt/format.h>

#include <algorithm>

#include "column_facts.hpp"
#include "errors.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

// Text columns are read as codes into their distinct values, so a look at those is enough.
void look_at(const ColumnView& column, std::string& number, std::string& word) {
  const Table::Column values(*column.dictionary);
  for (std::int64_t i = 0; i < column.dictionary->length(); ++i) {
    const std::string value = cell_text(values, i);
    std::string& place = is_number(value) || is_day(value) ? number : word;
    // A word says more about the column than a number with a comma.
    if (place.empty() || (is_comma_number(place) && !is_number(value) && !is_comma_number(value)))
      place = value;
  }
}

std::int64_t first_row_of(const Table::Column& column, const std::string& value, std::int64_t n_rows) {
  for (std::int64_t row = 0; row < n_rows; ++row)
    if (cell_text(column, row) == value) return row + 1;
  return 0;
}

}  // namespace

bool is_number(std::string_view text) {
  double value = 0.0;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  const auto [end, status] = parse_chars(text, value);
  return status != std::errc::invalid_argument && end == text.data() + text.size();
}

bool is_comma_number(std::string_view text) {
  if (text.find(',') == std::string_view::npos) return false;
  std::string plain;
  for (const char c : text)
    if (c != '.') plain += c == ',' ? '.' : c;
  return is_number(plain);
}

MixedColumns::MixedColumns(const ColumnPlan& plan, const std::string& path, const ReadOptions& reading)
    : plan_(plan), path_(path), declared_(declares_types(path, reading)) {}

void MixedColumns::look(const Table& rows) {
  if (declared_) return;
  seen_.resize(rows.n_columns());
  for (std::size_t i = 0; i < rows.n_columns(); ++i) {
    const auto* dense = std::get_if<ColumnView>(&rows.column(i));
    if (dense == nullptr || dense->dictionary == nullptr || plan_.settles(rows.name(i))) continue;
    Seen& seen = seen_[i];
    const std::string known = seen.word;
    look_at(*dense, seen.number, seen.word);
    if (seen.word != known) seen.row = n_rows_ + first_row_of(rows.column(i), seen.word, rows.n_rows());
    if (!seen.number.empty() && !seen.word.empty() && !seen.told) tell(rows.name(i), seen);
  }
  n_rows_ += rows.n_rows();
}

void MixedColumns::start_over() {
  seen_.clear();
  n_rows_ = 0;
}

void MixedColumns::tell(const std::string& name, Seen& seen) const {
  seen.told = true;
  const bool commas = is_comma_number(seen.word);
  const std::string_view kind = is_day(seen.number) ? "date" : "number";
  const std::string what = fmt::format(
      "column '{}' of {} holds {}s (such as {}) and {} (such as '{}' in row {})", name, source_name(path_),
      kind, seen.number, commas ? "numbers with a comma" : "words", seen.word, seen.row);
  const std::string missing =
      commas ? "if the comma is the decimal sign, --decimal , reads them (numbers must not have commas "
               "between thousands)"
             : fmt::format("if '{}' means that a {} is missing, add it to the words of --missing", seen.word,
                           kind);
  const std::vector<std::string>& targets = plan_.spec.targets;
  if (std::find(targets.begin(), targets.end(), name) != targets.end())
    throw Error(ErrorCode::bad_data, what,
                fmt::format("--category {} takes them as classes; {}", shell_word(csv_cell(name)), missing));
  warn(fmt::format(
      "{}: all are taken as categories (--category {} says that this is right, --ignore leaves the "
      "column out; {})",
      what, shell_word(csv_cell(name)), missing));
}

void warn_of_mixed_columns(const Table& table, const ColumnPlan& plan, const std::string& path,
                           const ReadOptions& reading) {
  MixedColumns(plan, path, reading).look(table);
}

}  // namespace bough::cli
