// SPDX-License-Identifier: Apache-2.0
// Columns that hold both numbers and words: found by their distinct values.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "bough/table_blocks.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

struct Mixture {
  std::string column;
  std::string number;
  std::string word;
};

// Text columns are read as codes into their distinct values, so a look at those is enough.
std::optional<Mixture> mixture_in(const std::string& name, const Table::Column& column) {
  const auto* dense = std::get_if<ColumnView>(&column);
  if (dense == nullptr || dense->dictionary == nullptr) return std::nullopt;
  const Table::Column values(*dense->dictionary);
  Mixture mixture{name, {}, {}};
  for (std::int64_t i = 0; i < dense->dictionary->length(); ++i) {
    const std::string value = cell_text(values, i);
    std::string& place = is_number(value) ? mixture.number : mixture.word;
    if (place.empty()) place = value;
  }
  if (mixture.number.empty() || mixture.word.empty()) return std::nullopt;
  return mixture;
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
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status != std::errc::invalid_argument && end == text.data() + text.size();
}

void refuse_mixed_columns(const Table& table, const ColumnPlan& plan, std::string_view path) {
  if (declares_types(path)) return;
  std::string problems;
  std::string names;
  std::string word;
  for (std::size_t i = 0; i < table.n_columns(); ++i) {
    if (is_settled(plan, table.name(i))) continue;
    const std::optional<Mixture> mixture = mixture_in(table.name(i), table.column(i));
    if (!mixture) continue;
    problems += fmt::format("{}column '{}' holds numbers (such as {}) and words (such as '{}' in row {})",
                            problems.empty() ? "" : "\n", mixture->column, mixture->number, mixture->word,
                            first_row_of(table.column(i), mixture->word, table.n_rows()));
    if (!names.empty()) names += ",";
    names += csv_cell(mixture->column);
    if (word.empty()) word = mixture->word;
  }
  if (problems.empty()) return;
  throw Error(
      ErrorCode::bad_data, fmt::format("{}: {}", source_name(path), problems),
      fmt::format("--category {} takes them as categories, --ignore leaves them out; if '{}' means that "
                  "a number is missing, add it to the words of --missing",
                  shell_word(names), word));
}

}  // namespace bough::cli
