// SPDX-License-Identifier: Apache-2.0
// Table: names, columns and the memory they live in.
#include "bough/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>

#include "data/chunks.hpp"
#include "data/owned.hpp"
#include "data/utf8.hpp"

namespace bough {
namespace {

Error column_error(const std::string& name, const std::string& what, std::string hint = {}) {
  return Error(ErrorCode::bad_data, fmt::format("column \"{}\": {}", name, what), std::move(hint));
}

void check_chunk(const std::string& name, Dtype dtype, const Chunk& chunk) {
  if (chunk.length < 0 || chunk.offset < 0)
    throw column_error(name, "a chunk has a negative length or offset");
  if (chunk.length > 0 && chunk.data == nullptr) throw column_error(name, "a chunk of cells has no memory");
  if (dtype != Dtype::text) return;
  for (std::int64_t i = 0; i <= chunk.length && chunk.data != nullptr; ++i) {
    const std::int64_t at = chunk.offset + i;
    const auto* offsets = static_cast<const char*>(chunk.data);
    const auto offset = [&](std::int64_t k) -> std::int64_t {
      return chunk.wide_offsets ? load_as<std::int64_t>(offsets + k * 8)
                                : load_as<std::int32_t>(offsets + k * 4);
    };
    if (i == 0 ? offset(at) < 0 : offset(at) < offset(at - 1))
      throw column_error(name, fmt::format("the text offsets decrease at cell {}", i));
    if (offset(at) > 0 && chunk.chars == nullptr)
      throw column_error(name, "the text has offsets but no characters");
  }
}

void check_codes(const std::string& name, const ColumnView& view) {
  const std::int64_t size = view.dictionary->length();
  std::int64_t row = 0;
  for (const Chunk& chunk : view.chunks) {
    for (std::int64_t i = 0; i < chunk.length; ++i, ++row) {
      if (!is_valid(chunk, i)) continue;
      const std::int64_t code = code_at(view.dtype, chunk, i);
      if (code < 0 || code >= size)
        throw column_error(
            name, fmt::format("the code in row {} is outside its dictionary of {} values", row + 1, size),
            "codes start at 0; mark missing cells in the validity bitmap");
    }
  }
}

void check_view(const std::string& name, const ColumnView& view) {
  for (const Chunk& chunk : view.chunks) check_chunk(name, view.dtype, chunk);
  if (!view.dictionary) return;
  if (!is_integer(view.dtype)) throw column_error(name, "the codes of a dictionary must be integers");
  if (view.dictionary->dictionary) throw column_error(name, "a dictionary of dictionaries is not supported");
  for (const Chunk& chunk : view.dictionary->chunks) check_chunk(name, view.dictionary->dtype, chunk);
  check_codes(name, view);
}

void check_view(const std::string& name, const SparseView& view) {
  if (!is_real(view.dtype)) throw column_error(name, "sparse values must be float32 or float64");
  if (view.count < 0 || view.count > view.length)
    throw column_error(name, fmt::format("{} sparse cells in {} rows", view.count, view.length));
  if (view.count > 0 && (view.values == nullptr || view.rows == nullptr))
    throw column_error(name, "sparse cells have no memory");
  std::int64_t last = -1;
  for (std::int64_t k = 0; k < view.count; ++k) {
    const std::int64_t row = sparse_row(view, k);
    if (row <= last || row >= view.length)
      throw column_error(
          name, fmt::format("sparse row {} follows {} in a table of {} rows", row, last, view.length),
          "row ids must strictly increase: sort the indices and sum duplicates first");
    last = row;
  }
}

template <class T>
ColumnView view_of(const std::vector<T>& cells, Dtype dtype) {
  ColumnView view;
  view.dtype = dtype;
  view.chunks.push_back(Chunk{.data = cells.data(), .stride = sizeof(T), .length = std::ssize(cells)});
  return view;
}

template <class T>
void more_room(std::vector<T>& values, std::size_t more) {
  if (values.capacity() - values.size() < more)
    values.reserve(std::max(values.size() + more, 2 * values.size() + 4));
}

std::string default_name(std::span<const std::string> names, std::int64_t column) {
  return names.empty() ? fmt::format("x{}", column) : names[static_cast<std::size_t>(column)];
}

}  // namespace

struct Table::Body {
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::int64_t n_rows = 0;
  std::vector<std::string> names;
  std::vector<Column> columns;
  std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>> index;
  std::vector<std::shared_ptr<const void>> owners;

  void expect_columns(std::size_t more) {
    more_room(names, more);
    more_room(columns, more);
    index.reserve(columns.capacity());
  }

  static void append(std::shared_ptr<Body>& body, std::string name, Column column, std::int64_t length) {
    if (!is_utf8(name)) throw Error(ErrorCode::bad_data, "a column name is not valid UTF-8");
    if (body->index.contains(name))
      throw Error(ErrorCode::bad_data, fmt::format("the column name \"{}\" appears twice", name),
                  "give every column its own name");
    if (!body->columns.empty() && length != body->n_rows)
      throw Error(
          ErrorCode::bad_data,
          fmt::format("column \"{}\" has {} rows, the columns before it have {}", name, length, body->n_rows),
          "all columns of a table must have the same length");
    if (length > std::numeric_limits<RowId>::max())
      throw Error(ErrorCode::not_supported, fmt::format("column \"{}\" has {} rows; a table holds at most {}",
                                                        name, length, std::numeric_limits<RowId>::max()));
    if (body.use_count() > 1) body = std::make_shared<Body>(*body);
    // What needs memory comes first: without it the table stays as it was.
    body->expect_columns(1);
    body->index.emplace(name, body->columns.size());
    body->n_rows = length;
    body->names.push_back(std::move(name));
    body->columns.push_back(std::move(column));
  }
};

std::int64_t ColumnView::length() const noexcept {
  std::int64_t total = 0;
  for (const Chunk& chunk : chunks) total += chunk.length;
  return total;
}

Table::Table() : body_(std::make_shared<Body>()) {}

std::int64_t Table::n_rows() const noexcept {
  return body_->n_rows;
}

std::size_t Table::n_columns() const noexcept {
  return body_->columns.size();
}

const std::string& Table::name(std::size_t column) const {
  return body_->names.at(column);
}

std::optional<std::size_t> Table::find(std::string_view name) const noexcept {
  const auto at = body_->index.find(name);
  if (at == body_->index.end()) return std::nullopt;
  return at->second;
}

const Table::Column& Table::column(std::size_t index) const {
  return body_->columns.at(index);
}

void Table::add(std::string name, std::span<const double> values) {
  auto cells = std::make_shared<const std::vector<double>>(values.begin(), values.end());
  hold(cells);  // first: a view of cells that nobody holds must not stay behind
  view(std::move(name), view_of(*cells, Dtype::f64));
}

void Table::add(std::string name, std::span<const float> values) {
  auto cells = std::make_shared<const std::vector<float>>(values.begin(), values.end());
  hold(cells);
  view(std::move(name), view_of(*cells, Dtype::f32));
}

void Table::add(std::string name, std::span<const std::int64_t> values) {
  auto cells = std::make_shared<const std::vector<std::int64_t>>(values.begin(), values.end());
  hold(cells);
  view(std::move(name), view_of(*cells, Dtype::i64));
}

void Table::add(std::string name, std::span<const std::string> values) {
  TextDictionary dictionary;
  std::vector<std::int32_t> codes;
  codes.reserve(values.size());
  for (const std::string& value : values) codes.push_back(dictionary.code(value));
  add_owned(*this, std::move(name), own_text(std::move(codes), std::move(dictionary)));
}

void Table::add(std::string name, std::span<const std::int32_t> codes,
                std::span<const std::string> dictionary) {
  TextDictionary values;
  std::vector<std::int32_t> unique(dictionary.size());
  for (std::size_t i = 0; i < dictionary.size(); ++i) unique[i] = values.code(dictionary[i]);
  std::vector<std::int32_t> own(codes.begin(), codes.end());
  for (std::size_t row = 0; row < own.size(); ++row) {
    if (own[row] == -1) continue;
    if (own[row] < 0 || static_cast<std::size_t>(own[row]) >= unique.size())
      throw column_error(name,
                         fmt::format("code {} in row {} is outside its dictionary of {} values", own[row],
                                     row + 1, unique.size()),
                         "codes start at 0; -1 is missing");
    own[row] = unique[static_cast<std::size_t>(own[row])];
  }
  add_owned(*this, std::move(name), own_text(std::move(own), std::move(values)));
}

void Table::view(std::string name, ColumnView column) {
  check_view(name, column);
  const std::int64_t length = column.length();
  Body::append(body_, std::move(name), std::move(column), length);
}

void Table::view(std::string name, SparseView column) {
  check_view(name, column);
  Body::append(body_, std::move(name), column, column.length);
}

void Table::view_matrix(Dtype dtype, const void* data, std::int64_t rows, std::int64_t columns,
                        std::ptrdiff_t row_stride, std::ptrdiff_t column_stride,
                        std::span<const std::string> names) {
  if (dtype == Dtype::bits || dtype == Dtype::text)
    throw Error(ErrorCode::bad_data, "a matrix must hold numbers or booleans of fixed width");
  if (!names.empty() && std::ssize(names) != columns)
    throw Error(ErrorCode::bad_data,
                fmt::format("{} names for a matrix of {} columns", names.size(), columns));
  if (body_.use_count() > 1) body_ = std::make_shared<Body>(*body_);
  if (columns > 0) body_->expect_columns(static_cast<std::size_t>(columns) + 1);  // a target often follows
  for (std::int64_t c = 0; c < columns; ++c) {
    ColumnView column;
    column.dtype = dtype;
    const char* first = data == nullptr ? nullptr : static_cast<const char*>(data) + c * column_stride;
    column.chunks.push_back(Chunk{.data = first, .stride = row_stride, .length = rows});
    view(default_name(names, c), std::move(column));
  }
}

void Table::hold(std::shared_ptr<const void> owner) {
  if (body_.use_count() > 1) body_ = std::make_shared<Body>(*body_);
  body_->owners.push_back(std::move(owner));
}

}  // namespace bough
