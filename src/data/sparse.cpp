// SPDX-License-Identifier: Apache-2.0
// Compressed sparse matrices as columns: columns are viewed, rows are transposed once.
#include <fmt/format.h>

#include "bough/table.hpp"
#include "data/chunks.hpp"

namespace bough {
namespace {

std::int64_t index_at(const void* indices, bool wide, std::int64_t k) noexcept {
  const auto* at = static_cast<const char*>(indices);
  return wide ? load_as<std::int64_t>(at + k * 8) : load_as<std::int32_t>(at + k * 4);
}

/// Starts must be 0 or more and never fall; the names must fit.
void check_matrix(const Table::Compressed& matrix, std::int64_t lines, std::span<const std::string> names) {
  if (!is_real(matrix.dtype)) throw Error(ErrorCode::bad_data, "sparse values must be float32 or float64");
  if (matrix.rows < 0 || matrix.columns < 0)
    throw Error(ErrorCode::bad_data, "a sparse matrix has a negative shape");
  if (!names.empty() && std::ssize(names) != matrix.columns)
    throw Error(ErrorCode::bad_data,
                fmt::format("{} names for a matrix of {} columns", names.size(), matrix.columns));
  if (matrix.starts == nullptr) throw Error(ErrorCode::bad_data, "a sparse matrix has no starts");
  std::int64_t last = index_at(matrix.starts, matrix.wide, 0);
  if (last < 0) throw Error(ErrorCode::bad_data, "the first start of a sparse matrix is negative");
  for (std::int64_t i = 1; i <= lines; ++i) {
    const std::int64_t next = index_at(matrix.starts, matrix.wide, i);
    if (next < last)
      throw Error(ErrorCode::bad_data, fmt::format("the starts of a sparse matrix fall at {}", i));
    last = next;
  }
  if (last > 0 && (matrix.values == nullptr || matrix.indices == nullptr))
    throw Error(ErrorCode::bad_data, "the cells of a sparse matrix have no memory");
}

std::string name_of(std::span<const std::string> names, std::int64_t column) {
  return names.empty() ? fmt::format("x{}", column) : names[static_cast<std::size_t>(column)];
}

/// A matrix by columns in memory of its own.
struct Transposed {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> rows;
  std::vector<char> values;
};

Transposed transpose(const Table::Compressed& matrix) {
  Transposed out;
  out.starts.assign(static_cast<std::size_t>(matrix.columns) + 1, 0);
  const std::int64_t first = index_at(matrix.starts, matrix.wide, 0);
  const std::int64_t end = index_at(matrix.starts, matrix.wide, matrix.rows);
  for (std::int64_t k = first; k < end; ++k) {
    const std::int64_t column = index_at(matrix.indices, matrix.wide, k);
    if (column < 0 || column >= matrix.columns)
      throw Error(ErrorCode::bad_data,
                  fmt::format("a sparse row names column {} of {}", column, matrix.columns));
    ++out.starts[static_cast<std::size_t>(column) + 1];
  }
  for (std::size_t c = 1; c < out.starts.size(); ++c) out.starts[c] += out.starts[c - 1];
  const auto width = static_cast<std::size_t>(cell_bytes(matrix.dtype));
  out.rows.resize(static_cast<std::size_t>(end - first));
  out.values.resize(out.rows.size() * width);
  std::vector<std::int64_t> next(out.starts.begin(), out.starts.end());
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    for (std::int64_t k = index_at(matrix.starts, matrix.wide, row);
         k < index_at(matrix.starts, matrix.wide, row + 1); ++k) {
      const auto to = static_cast<std::size_t>(
          next[static_cast<std::size_t>(index_at(matrix.indices, matrix.wide, k))]++);
      out.rows[to] = row;
      std::memcpy(out.values.data() + to * width,
                  static_cast<const char*>(matrix.values) + k * std::ptrdiff_t(width), width);
    }
  }
  return out;
}

}  // namespace

void Table::view_csc(const Compressed& matrix, std::span<const std::string> names) {
  check_matrix(matrix, matrix.columns, names);
  const std::int64_t width = cell_bytes(matrix.dtype);
  const std::int64_t index_width = matrix.wide ? 8 : 4;
  for (std::int64_t c = 0; c < matrix.columns; ++c) {
    const std::int64_t from = index_at(matrix.starts, matrix.wide, c);
    const std::int64_t count = index_at(matrix.starts, matrix.wide, c + 1) - from;
    SparseView column{.dtype = matrix.dtype, .wide_rows = matrix.wide, .count = count, .length = matrix.rows};
    if (count > 0) {
      column.values = static_cast<const char*>(matrix.values) + from * width;
      column.rows = static_cast<const char*>(matrix.indices) + from * index_width;
    }
    view(name_of(names, c), column);
  }
}

void Table::add_csr(const Compressed& matrix, std::span<const std::string> names) {
  check_matrix(matrix, matrix.rows, names);
  const auto own = std::make_shared<const Transposed>(transpose(matrix));
  Compressed columns = matrix;
  columns.values = own->values.data();
  columns.indices = own->rows.data();
  columns.starts = own->starts.data();
  columns.wide = true;
  view_csc(columns, names);
  hold(own);
}

}  // namespace bough
