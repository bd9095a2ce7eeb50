// SPDX-License-Identifier: Apache-2.0
// Tables over Python's memory: matrices, columns, sparse matrices and Arrow streams, viewed where they are.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "bindings.hpp"
#include "bough/arrow_abi.h"

namespace bough::python {
namespace {

// Keeps a Python object alive; the last table may die on any thread.
std::shared_ptr<const void> keeper(nb::object object) {
  return {new nb::object(std::move(object)), [](const nb::object* p) {
            const nb::gil_scoped_acquire lock;
            delete p;
          }};
}

std::ptrdiff_t stride_bytes(const AnyArray& array, std::size_t axis) {
  return static_cast<std::ptrdiff_t>(array.stride(axis)) * static_cast<std::ptrdiff_t>(array.itemsize());
}

ColumnView view_of(const AnyArray& array) {
  if (array.ndim() != 1) throw Error(ErrorCode::bad_data, "a column must be an array of one dimension");
  ColumnView view;
  view.dtype = dtype_of(array);
  Chunk chunk;
  chunk.data = array.data();
  chunk.stride = stride_bytes(array, 0);
  chunk.length = static_cast<std::int64_t>(array.shape(0));
  view.chunks.push_back(chunk);
  return view;
}

void add_matrix(Table& table, const AnyArray& matrix, const std::vector<std::string>& names,
                nb::object owner) {
  const MatrixView view = matrix_of(matrix);
  table.hold(keeper(std::move(owner)));  // first: a view of cells that nobody holds must not stay behind
  table.view_matrix(view.dtype, view.data, view.rows, view.columns, view.row_stride, view.column_stride,
                    names);
}

void add_column(Table& table, const std::string& name, const AnyArray& values, nb::object owner) {
  table.hold(keeper(std::move(owner)));
  table.view(name, view_of(values));
}

void add_coded_text(Table& table, const std::string& name,
                    const nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig>& codes,
                    const std::vector<std::string>& dictionary) {
  table.add(name, {codes.data(), codes.shape(0)}, dictionary);
}

void add_coded(Table& table, const std::string& name, const AnyArray& codes, const AnyArray& dictionary,
               nb::object owners) {
  ColumnView view = view_of(codes);
  view.dictionary = std::make_shared<const ColumnView>(view_of(dictionary));
  table.hold(keeper(std::move(owners)));
  table.view(name, std::move(view));
}

struct SparseParts {
  AnyArray values, indices, starts;
};

Table::Compressed compressed(const SparseParts& parts, std::int64_t rows, std::int64_t columns) {
  Table::Compressed out;
  out.dtype = dtype_of(parts.values);
  out.values = parts.values.data();
  out.indices = parts.indices.data();
  out.starts = parts.starts.data();
  const Dtype width = dtype_of(parts.indices);
  if (width != dtype_of(parts.starts) || (width != Dtype::i32 && width != Dtype::i64))
    throw Error(ErrorCode::bad_data, "the indices of a sparse matrix must be int32 or int64");
  out.wide = width == Dtype::i64;
  out.rows = rows;
  out.columns = columns;
  return out;
}

void add_csc(Table& table, const AnyArray& values, const AnyArray& indices, const AnyArray& starts,
             std::int64_t rows, const std::vector<std::string>& names, nb::object owner) {
  table.hold(keeper(std::move(owner)));
  table.view_csc(compressed({values, indices, starts}, rows, static_cast<std::int64_t>(names.size())), names);
}

void add_csr(Table& table, const AnyArray& values, const AnyArray& indices, const AnyArray& starts,
             std::int64_t rows, const std::vector<std::string>& names) {
  table.add_csr(compressed({values, indices, starts}, rows, static_cast<std::int64_t>(names.size())), names);
}

Table from_arrow(const nb::object& capsule) {
  if (!PyCapsule_IsValid(capsule.ptr(), "arrow_array_stream"))
    throw Error(ErrorCode::bad_data, "__arrow_c_stream__ gave something that is no Arrow stream");
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  // The stream may call back into Python, so the lock stays.
  return Table::from_arrow(stream);
}

nb::list names_of(const Table& table) {
  nb::list names;
  for (std::size_t c = 0; c < table.n_columns(); ++c) names.append(table.name(c));
  return names;
}

// The same columns under other names, in order.
Table renamed(const Table& table, const std::vector<std::string>& names) {
  if (names.size() != table.n_columns())
    throw Error(ErrorCode::bad_data, "as many names as columns are needed");
  Table out;
  for (std::size_t c = 0; c < names.size(); ++c)
    std::visit([&](const auto& column) { out.view(names[c], column); }, table.column(c));
  out.hold(std::make_shared<const Table>(table));
  return out;
}

template <class T, class Odd>
bool has_cell(const ColumnView& column, const Odd& is_odd) {
  for (const Chunk& chunk : column.chunks)
    for (std::int64_t i = 0; i < chunk.length; ++i) {
      T cell;
      std::memcpy(&cell, static_cast<const char*>(chunk.data) + i * chunk.stride, sizeof cell);
      const std::int64_t bit = chunk.offset + i;
      const bool valid = chunk.validity == nullptr || (chunk.validity[bit / 8] >> (bit % 8) & 1) != 0;
      if (valid && is_odd(cell)) return true;
    }
  return false;
}

// Name of the first dense column of numbers that `is_odd` picks.
template <class Odd>
std::optional<std::string> first_column(const Table& table, const Odd& is_odd) {
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    const auto* column = std::get_if<ColumnView>(&table.column(c));
    if (column != nullptr && !column->dictionary && is_odd(*column)) return table.name(c);
  }
  return std::nullopt;
}

// That of an infinite number.
std::optional<std::string> infinite_column(const Table& table) {
  const auto is_infinite = [](auto cell) { return std::isinf(cell); };
  return first_column(table, [&](const ColumnView& column) {
    return (column.dtype == Dtype::f32 && has_cell<float>(column, is_infinite)) ||
           (column.dtype == Dtype::f64 && has_cell<double>(column, is_infinite));
  });
}

// That of a whole number beyond 2^53, which the nearest double stands for.
std::optional<std::string> inexact_column(const Table& table) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  return first_column(table, [&](const ColumnView& column) {
    return (column.dtype == Dtype::i64 &&
            has_cell<std::int64_t>(column,
                                   [](std::int64_t cell) { return cell > kMost || cell < -kMost; })) ||
           (column.dtype == Dtype::u64 && has_cell<std::uint64_t>(column, [](std::uint64_t cell) {
              return cell > static_cast<std::uint64_t>(kMost);
            }));
  });
}

// Cells in `outer` runs of `inner`, which lie `step` and `outer_step` bytes apart, at any address.
struct Runs {
  const char* data;
  std::size_t inner, outer;
  std::ptrdiff_t step, outer_step;
};

// The difference of a number with itself is 0 for finite ones and NaN for the others, and NaN stays in a sum.
// Several sums side by side, so that the loop over cells that lie side by side becomes vector instructions.
template <class T, class Step>
bool all_finite(const Runs& runs, Step step) {
  constexpr std::size_t kLanes = 16;
  T sums[kLanes] = {};
  const char* run = runs.data;
  const auto add = [&](std::size_t lane, std::size_t cell) {
    T value;
    std::memcpy(&value, run + static_cast<std::ptrdiff_t>(cell) * step, sizeof(T));
    sums[lane] += value - value;
  };
  for (std::size_t i = 0; i < runs.outer; ++i, run += runs.outer_step) {
    std::size_t j = 0;
    for (; j + kLanes <= runs.inner; j += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane) add(lane, j + lane);
    for (std::size_t lane = 0; j + lane < runs.inner; ++lane) add(lane, j + lane);
  }
  return std::none_of(std::begin(sums), std::end(sums), [](T sum) { return std::isnan(sum); });
}

template <class T>
Finiteness finiteness_of_runs(const Runs& runs) {
  const bool side_by_side = runs.step == sizeof(T);
  if (side_by_side ? all_finite<T>(runs, std::integral_constant<std::ptrdiff_t, sizeof(T)>())
                   : all_finite<T>(runs, runs.step))
    return Finiteness::finite;
  for (std::size_t i = 0; i < runs.outer; ++i)
    for (std::size_t j = 0; j < runs.inner; ++j) {
      T value;
      std::memcpy(&value,
                  runs.data + static_cast<std::ptrdiff_t>(i) * runs.outer_step +
                      static_cast<std::ptrdiff_t>(j) * runs.step,
                  sizeof(T));
      if (std::isinf(value)) return Finiteness::some_infinite;
    }
  return Finiteness::some_nan;
}

template <class T>
Finiteness finiteness_as(const MatrixView& matrix) {
  Runs runs{static_cast<const char*>(matrix.data), static_cast<std::size_t>(matrix.columns),
            static_cast<std::size_t>(matrix.rows), matrix.column_stride, matrix.row_stride};
  if (runs.inner == 0 || runs.outer == 0) return Finiteness::finite;
  // Runs go along the cells that lie closer together, all of them where they lie as one.
  if (std::abs(runs.outer_step) < std::abs(runs.step) || runs.inner == 1) {
    std::swap(runs.inner, runs.outer);
    std::swap(runs.step, runs.outer_step);
  }
  if (runs.outer_step == static_cast<std::ptrdiff_t>(runs.inner) * runs.step) {
    runs.inner *= runs.outer;
    runs.outer = 1;
  }
  return finiteness_of_runs<T>(runs);
}

int finiteness_of(const AnyArray& array) {
  const Dtype dtype = dtype_of(array);
  if (dtype != Dtype::f32 && dtype != Dtype::f64) return 0;
  if (array.ndim() == 2) return static_cast<int>(finiteness(matrix_of(array)));
  const MatrixView column{dtype, array.data(),           static_cast<std::int64_t>(array.shape(0)),
                          1,     stride_bytes(array, 0), 0};
  return static_cast<int>(finiteness(column));
}

// Whether all whole numbers of a column are different as doubles, too.
bool exact_as_doubles(const nb::ndarray<const std::int64_t, nb::ndim<1>, nb::device::cpu>& array) {
  constexpr std::int64_t kEdge = std::int64_t{1} << 53;
  const std::int64_t* cells = array.data();
  bool exact = true;
  for (std::size_t i = 0; i < array.shape(0); ++i) {
    const std::int64_t cell = cells[static_cast<std::ptrdiff_t>(i) * array.stride(0)];
    exact &= -kEdge < cell && cell < kEdge;
  }
  return exact;
}

}  // namespace

Dtype dtype_of(const AnyArray& array) {
  const auto type = array.dtype();
  using Code = nb::dlpack::dtype_code;
  const auto code = static_cast<Code>(type.code);
  if (type.lanes == 1) {
    if (code == Code::Float && type.bits == 32) return Dtype::f32;
    if (code == Code::Float && type.bits == 64) return Dtype::f64;
    if (code == Code::Bool && type.bits == 8) return Dtype::boolean;
    if (code == Code::Int || code == Code::UInt) {
      const bool is_signed = code == Code::Int;
      if (type.bits == 8) return is_signed ? Dtype::i8 : Dtype::u8;
      if (type.bits == 16) return is_signed ? Dtype::i16 : Dtype::u16;
      if (type.bits == 32) return is_signed ? Dtype::i32 : Dtype::u32;
      if (type.bits == 64) return is_signed ? Dtype::i64 : Dtype::u64;
    }
  }
  throw Error(ErrorCode::bad_data, "the elements of an array are no numbers that a column can hold",
              "convert it to float64");
}

Finiteness finiteness(const MatrixView& matrix) {
  return matrix.dtype == Dtype::f32 ? finiteness_as<float>(matrix) : finiteness_as<double>(matrix);
}

MatrixView matrix_of(const AnyArray& array) {
  if (array.ndim() != 2) throw Error(ErrorCode::bad_data, "a matrix must have two dimensions");
  return {dtype_of(array),
          array.data(),
          static_cast<std::int64_t>(array.shape(0)),
          static_cast<std::int64_t>(array.shape(1)),
          stride_bytes(array, 0),
          stride_bytes(array, 1)};
}

void add_tables(nb::module_& module) {
  nb::class_<Table>(module, "Table", "Named columns over the memory of Python objects.")
      .def(nb::init<>())
      .def_prop_ro("n_rows", &Table::n_rows)
      .def("__len__", &Table::n_rows)
      .def_prop_ro("names", &names_of)
      .def("add_matrix", &add_matrix, "matrix"_a, "names"_a, "owner"_a)
      .def("add_column", &add_column, "name"_a, "values"_a, "owner"_a)
      .def("add_coded_text", &add_coded_text, "name"_a, "codes"_a, "dictionary"_a)
      .def("add_coded", &add_coded, "name"_a, "codes"_a, "dictionary"_a, "owners"_a)
      .def("add_csc", &add_csc, "values"_a, "indices"_a, "starts"_a, "rows"_a, "names"_a, "owner"_a)
      .def("add_csr", &add_csr, "values"_a, "indices"_a, "starts"_a, "rows"_a, "names"_a)
      .def("renamed", &renamed, "names"_a)
      .def("infinite_column", &infinite_column)
      .def("inexact_column", &inexact_column)
      .def_static("from_arrow", &from_arrow, "capsule"_a);
  module.def("exact_as_doubles", &exact_as_doubles, "array"_a, "Whether all numbers lie within +-2^53.");
  module.def("finiteness", &finiteness_of, "array"_a,
             "0: all numbers are finite; 1: some are NaN; 2: some are infinite.");
}

}  // namespace bough::python
