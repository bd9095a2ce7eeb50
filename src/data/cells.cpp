// SPDX-License-Identifier: Apache-2.0
// Cells of any column as numbers and as text.
#include "data/cells.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "data/chunks.hpp"

namespace bough {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Adding +0.0 turns -0.0 into 0.0 and leaves every other number alone.
template <class T>
void copy_plain(const Piece& piece, double* out) noexcept {
  const Chunk& chunk = *piece.chunk;
  const char* at = static_cast<const char*>(chunk.data) + piece.first * chunk.stride;
  if (chunk.stride == static_cast<std::ptrdiff_t>(sizeof(T))) {
    for (std::int64_t i = 0; i < piece.count; ++i)
      out[i] = static_cast<double>(load_as<T>(at + i * static_cast<std::ptrdiff_t>(sizeof(T)))) + 0.0;
    return;
  }
  for (std::int64_t i = 0; i < piece.count; ++i, at += chunk.stride)
    out[i] = static_cast<double>(load_as<T>(at)) + 0.0;
}

void copy_numbers(Dtype dtype, const Piece& piece, double* out) noexcept {
  const Chunk& chunk = *piece.chunk;
  if (is_boolean(dtype)) {
    for (std::int64_t i = 0; i < piece.count; ++i) out[i] = number_at(dtype, chunk, piece.first + i);
  } else {
    with_cell_type(dtype, [&](auto type) { copy_plain<typename decltype(type)::type>(piece, out); });
  }
  if (chunk.validity == nullptr) return;
  for (std::int64_t i = 0; i < piece.count; ++i)
    if (!is_valid(chunk, piece.first + i)) out[i] = kNaN;
}

double dictionary_number(const ColumnView& dictionary, std::int64_t code) noexcept {
  const CellPlace place = locate(dictionary, code);
  return is_valid(*place.chunk, place.index) ? number_at(dictionary.dtype, *place.chunk, place.index) : kNaN;
}

std::int64_t checked_code(const ColumnView& view, const Chunk& chunk, std::int64_t i, std::int64_t size) {
  const std::int64_t code = code_at(view.dtype, chunk, i);
  if (code < 0 || code >= size)
    throw Error(ErrorCode::bad_data, fmt::format("a code lies outside its dictionary of {} values", size));
  return code;
}

void read_dictionary_numbers(const ColumnView& view, std::int64_t begin, std::span<double> out) {
  const ColumnView& dictionary = *view.dictionary;
  const std::int64_t size = dictionary.length();
  // Decode the whole dictionary only when that is less work than the cells themselves.
  std::vector<double> values;
  if (size <= std::ssize(out)) {
    values.resize(static_cast<std::size_t>(size));
    each_piece(dictionary, 0, size,
               [&](const Piece& p) { copy_numbers(dictionary.dtype, p, values.data() + p.at); });
  }
  each_piece(view, begin, std::ssize(out), [&](const Piece& piece) {
    for (std::int64_t i = 0; i < piece.count; ++i) {
      double& cell = out[static_cast<std::size_t>(piece.at + i)];
      if (!is_valid(*piece.chunk, piece.first + i)) {
        cell = kNaN;
        continue;
      }
      const std::int64_t code = checked_code(view, *piece.chunk, piece.first + i, size);
      cell = values.empty() ? dictionary_number(dictionary, code) : values[static_cast<std::size_t>(code)];
    }
  });
}

void read_sparse(const SparseView& view, std::int64_t begin, std::span<double> out) noexcept {
  std::fill(out.begin(), out.end(), 0.0);
  const std::int64_t end = begin + std::ssize(out);
  for (std::int64_t k = sparse_lower_bound(view, begin); k < view.count; ++k) {
    const std::int64_t row = sparse_row(view, k);
    if (row >= end) return;
    out[static_cast<std::size_t>(row - begin)] = sparse_value(view, k);
  }
}

std::string plain_text(Dtype dtype, const Chunk& chunk, std::int64_t i) {
  if (dtype == Dtype::text) return std::string(text_at(chunk, i));
  if (is_boolean(dtype)) return number_at(dtype, chunk, i) != 0.0 ? "true" : "false";
  if (dtype == Dtype::f64) return number_text(number_at(dtype, chunk, i));
  if (dtype == Dtype::f32) {
    const float value = load_cell<float>(chunk, i);
    const bool plain = !std::isfinite(value) || value == std::floor(value);
    return plain ? number_text(static_cast<double>(value)) : fmt::format("{}", value);
  }
  return with_cell_type(dtype, [&](auto type) {
    return fmt::format("{}", load_cell<typename decltype(type)::type>(chunk, i));
  });
}

/// The chunk and index of the value behind a row (through the dictionary), or a null chunk when it is
/// missing.
CellPlace value_place(const ColumnView& view, std::int64_t row) {
  CellPlace place = locate(view, row);
  if (place.chunk == nullptr)
    throw Error(ErrorCode::bad_data,
                fmt::format("row {} is outside a column of {} rows", row, view.length()));
  if (!is_valid(*place.chunk, place.index)) return {};
  if (view.dictionary) {
    place =
        locate(*view.dictionary, checked_code(view, *place.chunk, place.index, view.dictionary->length()));
    if (!is_valid(*place.chunk, place.index)) return {};
  }
  const Dtype dtype = value_type(view);
  if (is_real(dtype) && std::isnan(number_at(dtype, *place.chunk, place.index))) return {};
  return place;
}

double sparse_cell(const SparseView& view, std::int64_t row) noexcept {
  double value = 0.0;
  read_sparse(view, row, {&value, 1});
  return value;
}

}  // namespace

bool is_number_column(const Table::Column& column) noexcept {
  return value_type(column) != Dtype::text;
}

void read_numbers(const Table::Column& column, std::int64_t begin, std::span<double> out) {
  const auto* view = std::get_if<ColumnView>(&column);
  const std::int64_t length = view != nullptr ? view->length() : std::get<SparseView>(column).length;
  if (begin < 0 || begin + std::ssize(out) > length)
    throw Error(ErrorCode::internal,
                fmt::format("rows {} to {} of a column of {} rows", begin, begin + std::ssize(out), length));
  if (view == nullptr) return read_sparse(std::get<SparseView>(column), begin, out);
  if (value_type(*view) == Dtype::text)
    throw Error(ErrorCode::bad_data, "text where numbers are needed", "read the column as a category");
  if (view->dictionary) return read_dictionary_numbers(*view, begin, out);
  each_piece(*view, begin, std::ssize(out),
             [&](const Piece& p) { copy_numbers(view->dtype, p, out.data() + p.at); });
}

std::string cell_text(const Table::Column& column, std::int64_t row) {
  if (const auto* sparse = std::get_if<SparseView>(&column)) {
    const double value = sparse_cell(*sparse, row);
    return std::isnan(value) ? std::string() : number_text(value);
  }
  const ColumnView& view = std::get<ColumnView>(column);
  const CellPlace place = value_place(view, row);
  return place.chunk == nullptr ? std::string() : plain_text(value_type(view), *place.chunk, place.index);
}

bool is_missing(const Table::Column& column, std::int64_t row) {
  if (const auto* sparse = std::get_if<SparseView>(&column)) return std::isnan(sparse_cell(*sparse, row));
  return value_place(std::get<ColumnView>(column), row).chunk == nullptr;
}

}  // namespace bough
