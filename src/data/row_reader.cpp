// SPDX-License-Identifier: Apache-2.0
// RowReader: the columns of a table matched by name to the features of a model.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.hpp"
#include "data/cells.hpp"
#include "data/chunks.hpp"
#include "data/levels.hpp"

namespace bough {
namespace {

constexpr std::size_t kPiece = 1024;
constexpr std::size_t kMostListed = 10;

/// First row whose cell is not missing.
std::optional<std::int64_t> first_present(const Table::Column& column, std::int64_t n_rows) {
  std::vector<double> numbers(kPiece);
  const bool numeric = is_number_column(column);
  for (std::int64_t begin = 0; begin < n_rows; begin += static_cast<std::int64_t>(kPiece)) {
    const std::int64_t count = std::min<std::int64_t>(kPiece, n_rows - begin);
    if (numeric) read_numbers(column, begin, {numbers.data(), static_cast<std::size_t>(count)});
    for (std::int64_t i = 0; i < count; ++i) {
      const double number = numbers[static_cast<std::size_t>(i)];
      if (numeric ? number == number : !is_missing(column, begin + i)) return begin + i;
    }
  }
  return std::nullopt;
}

std::string shorten(std::string text) {
  constexpr std::size_t kMost = 40;
  if (text.size() > kMost) {
    text.resize(kMost);
    text += "...";
  }
  return text;
}

/// What speaks against reading the column as this field, or nothing.
// Words where every known level is a number: the column was retyped, unless some cell reads as a number.
std::string text_problem(const Table::Column& column, const Field& field, std::int64_t n_rows) {
  if (field.levels.type == Levels::Type::text || field.levels.type == Levels::Type::boolean) return {};
  for (std::int64_t row = 0; row < n_rows; ++row)
    if (!is_missing(column, row) && parse_number(cell_text(column, row))) return {};
  const std::optional<std::int64_t> row = first_present(column, n_rows);
  if (!row) return {};
  return fmt::format("column \"{}\" must hold numbers ({}) but holds text, first in row {}: \"{}\"",
                     field.name, list_some(field.levels.names, 3), *row + 1,
                     shorten(cell_text(column, *row)));
}

std::string type_problem(const Table::Column& column, const Field& field, std::int64_t n_rows) {
  const bool text_cells = !is_number_column(column);
  if (field.kind == Kind::numeric) {
    if (!text_cells) return {};
    const std::optional<std::int64_t> row = first_present(column, n_rows);
    if (!row) return {};
    return fmt::format("column \"{}\" must hold numbers but holds text, first in row {}: \"{}\"", field.name,
                       *row + 1, shorten(cell_text(column, *row)));
  }
  if (text_cells) return text_problem(column, field, n_rows);
  if (field.levels.type != Levels::Type::text) return {};
  // Numbers match text levels by their shortest text, so they make sense only where some level looks like
  // one.
  for (const std::string& name : field.levels.names)
    if (parse_number(name) || parse_boolean(name)) return {};
  const std::optional<std::int64_t> row = first_present(column, n_rows);
  if (!row) return {};
  return fmt::format("column \"{}\" must hold text ({}) but holds numbers, first in row {}: {}", field.name,
                     list_some(field.levels.names, 3), *row + 1, cell_text(column, *row));
}

std::vector<std::string> column_names(const Table& table) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.n_columns(); ++i) names.push_back(table.name(i));
  return names;
}

std::string absent_problem(const std::vector<std::string>& absent, const std::vector<std::string>& present) {
  std::vector<std::string> words;
  for (const std::string& name : absent) {
    const std::string near = nearest_name(name, present);
    words.push_back(near.empty() ? fmt::format("\"{}\"", name)
                                 : fmt::format("\"{}\" (is it \"{}\"?)", name, near));
  }
  return fmt::format("the table lacks the column{} {}", absent.size() == 1 ? "" : "s",
                     list_some(words, kMostListed));
}

}  // namespace

RowReader::RowReader(const Table& table, const Schema& features) : n_rows_(table.n_rows()) {
  std::vector<std::string> absent;
  std::vector<std::string> retyped;
  for (const Field& field : features.fields) {
    const std::optional<std::size_t> at = table.find(field.name);
    if (!at) {
      absent.push_back(field.name);
      continue;
    }
    const Table::Column& column = table.column(*at);
    if (std::string problem = type_problem(column, field, n_rows_); !problem.empty()) {
      retyped.push_back(std::move(problem));
      continue;
    }
    Source& source = columns_.emplace_back();
    source.column = &column;
    source.field = &field;
    if (field.kind != Kind::numeric) source.levels.emplace_back(column, field.levels);
  }
  if (absent.empty() && retyped.empty()) return;
  std::vector<std::string> problems;
  if (!absent.empty()) problems.push_back(absent_problem(absent, column_names(table)));
  if (!retyped.empty()) problems.push_back(list_some(retyped, kMostListed));
  throw Error(
      ErrorCode::bad_data, join(problems, "; "),
      retyped.empty()
          ? "columns are matched by name; rename or add the missing ones"
          : "columns are matched by name and type: give them as they were in training; text that stands for "
            "numbers must be read or converted as numbers before");
}

void RowReader::load(std::int64_t begin, std::int64_t count, std::span<double> out) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::array<std::int32_t, kPiece> levels;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Source& source = columns_[c];
    const std::span<double> cells =
        out.subspan(c * static_cast<std::size_t>(count), static_cast<std::size_t>(count));
    if (source.levels.empty()) {
      if (is_number_column(*source.column)) {
        read_numbers(*source.column, begin, cells);
      } else {
        std::fill(cells.begin(), cells.end(), nan);  // text without a single present cell
      }
      continue;
    }
    const double unseen = source.field->kind == Kind::ordinal ? nan : kUnseenCell;
    for (std::size_t at = 0; at < cells.size(); at += kPiece) {
      const std::span<std::int32_t> part(levels.data(), std::min(kPiece, cells.size() - at));
      source.levels.front().read(begin + static_cast<std::int64_t>(at), part);
      for (std::size_t i = 0; i < part.size(); ++i)
        cells[at + i] = part[i] >= 0 ? part[i] : part[i] == kMissingLevel ? nan : unseen;
    }
  }
}

std::optional<MatrixView> RowReader::matrix() const {
  MatrixView view;
  view.rows = n_rows_;
  view.columns = static_cast<std::int64_t>(columns_.size());
  const char* first = nullptr;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const auto* dense = std::get_if<ColumnView>(columns_[c].column);
    const bool plain = columns_[c].levels.empty() && dense != nullptr && !dense->dictionary &&
                       is_real(dense->dtype) && dense->chunks.size() == 1 &&
                       dense->chunks[0].validity == nullptr;
    if (!plain) return std::nullopt;
    const auto* data = static_cast<const char*>(dense->chunks[0].data);
    if (c == 0) {
      first = data;
      view.dtype = dense->dtype;
      view.data = data;
      view.row_stride = dense->chunks[0].stride;
    }
    if (c == 1) view.column_stride = data - first;
    if (dense->dtype != view.dtype || dense->chunks[0].stride != view.row_stride ||
        data != first + static_cast<std::ptrdiff_t>(c) * view.column_stride)
      return std::nullopt;
  }
  if (columns_.empty()) return std::nullopt;
  return view;
}

}  // namespace bough
