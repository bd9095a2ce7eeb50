// SPDX-License-Identifier: Apache-2.0
// Columns that hold both numbers and words: found by their distinct values.
#include <fmt/format.h>

#include <algorithm>

#include "bough/table_blocks.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

// Text columns are read as codes into their distinct values, so a look at those is enough.
void look_at(const ColumnView& column, std::string& number, std::string& word) {
  const Table::Column values(*column.dictionary);
  for (std::int64_t i = 0; i < column.dictionary->length(); ++i) {
    const std::string value = cell_text(values, i);
    std::string& place = is_number(value) ? number : word;
    if (place.empty()) place = value;
  }
}

std::int64_t first_row_of(const Table::Column& column, const std::string& value, std::int64_t n_rows) {
  for (std::int64_t row = 0; row < n_rows; ++row)
    if (cell_text(column, row) == value) return row + 1;
  return 0;
}

// An ARFF file says which values a column has, and Parquet and Arrow files say what is text.
bool declares_types(std::string_view path) {
  return path.find(".arff") != std::string_view::npos || is_typed_file(std::string(path));
}

bool is_settled(const ColumnPlan& plan, const std::string& name) {
  const FitSpec& spec = plan.spec;
  const bool has_kind = std::any_of(spec.columns.begin(), spec.columns.end(), [&](const ColumnSpec& column) {
    return column.name == name && column.kind.has_value();
  });
  return has_kind || std::find(spec.ignored.begin(), spec.ignored.end(), name) != spec.ignored.end();
}

}  // namespace

bool is_number(std::string_view text) {
  double value = 0.0;
  const auto [end, status] = parse_chars(text, value);
  return status != std::errc::invalid_argument && end == text.data() + text.size();
}

MixedColumns::MixedColumns(const ColumnPlan& plan, std::string_view path)
    : plan_(plan), path_(path), declared_(declares_types(path)) {}

void MixedColumns::look(const Table& rows) {
  if (declared_) return;
  seen_.resize(rows.n_columns());
  bool mixed = false;
  for (std::size_t i = 0; i < rows.n_columns(); ++i) {
    const auto* dense = std::get_if<ColumnView>(&rows.column(i));
    if (dense == nullptr || dense->dictionary == nullptr || is_settled(plan_, rows.name(i))) continue;
    Seen& seen = seen_[i];
    const bool new_word = seen.word.empty();
    look_at(*dense, seen.number, seen.word);
    if (new_word && !seen.word.empty())
      seen.row = n_rows_ + first_row_of(rows.column(i), seen.word, rows.n_rows());
    mixed |= !seen.number.empty() && !seen.word.empty();
  }
  n_rows_ += rows.n_rows();
  if (mixed) refuse(rows);
}

void MixedColumns::start_over() {
  seen_.clear();
  n_rows_ = 0;
}

void MixedColumns::refuse(const Table& rows) const {
  std::string problems;
  std::string names;
  std::string word;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Seen& seen = seen_[i];
    if (seen.number.empty() || seen.word.empty()) continue;
    problems += fmt::format("{}column '{}' holds numbers (such as {}) and words (such as '{}' in row {})",
                            problems.empty() ? "" : "\n", rows.name(i), seen.number, seen.word, seen.row);
    if (!names.empty()) names += ",";
    names += csv_cell(rows.name(i));
    if (word.empty()) word = seen.word;
  }
  throw Error(
      ErrorCode::bad_data, fmt::format("{}: {}", source_name(path_), problems),
      fmt::format("--category {} takes them as categories, --ignore leaves them out; if '{}' means that "
                  "a number is missing, add it to the words of --missing",
                  shell_word(names), word));
}

void refuse_mixed_columns(const Table& table, const ColumnPlan& plan, std::string_view path) {
  MixedColumns(plan, path).look(table);
}

}  // namespace bough::cli
