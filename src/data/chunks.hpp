// SPDX-License-Identifier: Apache-2.0
// Typed access to single cells of chunks: bits, numbers, codes and text, without assuming alignment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "bough/table.hpp"

namespace bough {

inline bool bit_at(const void* bits, std::int64_t index) noexcept {
  return ((static_cast<const std::uint8_t*>(bits)[index >> 3] >> (index & 7)) & 1) != 0;
}

/// False when the validity bitmap says that cell i is missing (NaN is not looked at).
inline bool is_valid(const Chunk& chunk, std::int64_t i) noexcept {
  return chunk.validity == nullptr || bit_at(chunk.validity, chunk.offset + i);
}

template <class T>
T load_as(const void* address) noexcept {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

/// Cell i of a chunk of fixed-width cells.
template <class T>
T load_cell(const Chunk& chunk, std::int64_t i) noexcept {
  return load_as<T>(static_cast<const char*>(chunk.data) + i * chunk.stride);
}

/// Cell i of a text chunk.
inline std::string_view text_at(const Chunk& chunk, std::int64_t i) noexcept {
  const std::int64_t at = chunk.offset + i;
  std::int64_t from = 0;
  std::int64_t to = 0;
  if (chunk.wide_offsets) {
    const char* offsets = static_cast<const char*>(chunk.data) + at * 8;
    from = load_as<std::int64_t>(offsets);
    to = load_as<std::int64_t>(offsets + 8);
  } else {
    const char* offsets = static_cast<const char*>(chunk.data) + at * 4;
    from = load_as<std::int32_t>(offsets);
    to = load_as<std::int32_t>(offsets + 4);
  }
  return to > from ? std::string_view(chunk.chars + from, static_cast<std::size_t>(to - from))
                   : std::string_view();
}

/// Calls f(std::type_identity<T>{}) with the C++ type of fixed-width cells; boolean cells are bytes.
/// Not for bits and text.
template <class F>
decltype(auto) with_cell_type(Dtype dtype, F&& f) {
  switch (dtype) {
    case Dtype::f32:
      return f(std::type_identity<float>{});
    case Dtype::f64:
      return f(std::type_identity<double>{});
    case Dtype::i8:
      return f(std::type_identity<std::int8_t>{});
    case Dtype::i16:
      return f(std::type_identity<std::int16_t>{});
    case Dtype::i32:
      return f(std::type_identity<std::int32_t>{});
    case Dtype::i64:
      return f(std::type_identity<std::int64_t>{});
    case Dtype::u16:
      return f(std::type_identity<std::uint16_t>{});
    case Dtype::u32:
      return f(std::type_identity<std::uint32_t>{});
    case Dtype::u64:
      return f(std::type_identity<std::uint64_t>{});
    case Dtype::u8:
    case Dtype::boolean:
    case Dtype::bits:
    case Dtype::text:
      break;
  }
  return f(std::type_identity<std::uint8_t>{});
}

/// Bytes of one cell; 0 for bits and text.
inline std::ptrdiff_t cell_bytes(Dtype dtype) noexcept {
  if (dtype == Dtype::bits || dtype == Dtype::text) return 0;
  return with_cell_type(dtype,
                        [](auto type) -> std::ptrdiff_t { return sizeof(typename decltype(type)::type); });
}

inline bool is_integer(Dtype dtype) noexcept {
  return dtype >= Dtype::i8 && dtype <= Dtype::u64;
}
inline bool is_real(Dtype dtype) noexcept {
  return dtype == Dtype::f32 || dtype == Dtype::f64;
}
inline bool is_boolean(Dtype dtype) noexcept {
  return dtype == Dtype::boolean || dtype == Dtype::bits;
}

/// Type of the values: that of the dictionary where there is one.
inline Dtype value_type(const ColumnView& view) noexcept {
  return view.dictionary ? view.dictionary->dtype : view.dtype;
}
inline Dtype value_type(const Table::Column& column) noexcept {
  const auto* view = std::get_if<ColumnView>(&column);
  return view != nullptr ? value_type(*view) : std::get<SparseView>(column).dtype;
}

/// Dictionary code of cell i; -1 for a code that does not fit.
template <class T>
std::int64_t code_of(const Chunk& chunk, std::int64_t i) noexcept {
  const T code = load_cell<T>(chunk, i);
  if constexpr (std::is_same_v<T, std::uint64_t>)
    if (code > static_cast<T>(INT64_MAX)) return -1;
  return static_cast<std::int64_t>(code);
}
inline std::int64_t code_at(Dtype dtype, const Chunk& chunk, std::int64_t i) noexcept {
  return with_cell_type(dtype, [&](auto type) { return code_of<typename decltype(type)::type>(chunk, i); });
}

/// Cell i of a numeric or boolean chunk as a double, -0.0 as 0.0; validity is not looked at.
inline double number_at(Dtype dtype, const Chunk& chunk, std::int64_t i) noexcept {
  if (dtype == Dtype::bits) return bit_at(chunk.data, chunk.offset + i) ? 1.0 : 0.0;
  if (dtype == Dtype::boolean) return load_cell<std::uint8_t>(chunk, i) != 0 ? 1.0 : 0.0;
  return with_cell_type(dtype, [&](auto type) -> double {
    return static_cast<double>(load_cell<typename decltype(type)::type>(chunk, i)) + 0.0;
  });
}

/// A cell by its chunk and its place in it; chunk is null outside the column.
struct CellPlace {
  const Chunk* chunk = nullptr;
  std::int64_t index = 0;
};
inline CellPlace locate(const ColumnView& view, std::int64_t row) noexcept {
  for (const Chunk& chunk : view.chunks) {
    if (row < chunk.length) return {&chunk, row};
    row -= chunk.length;
  }
  return {};
}

/// A piece of a run of rows that lies in one chunk: cells [first, first + count), to be put at `at`.
struct Piece {
  const Chunk* chunk = nullptr;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t at = 0;
};
/// Calls f(Piece) for the pieces of rows [begin, begin + count).
template <class F>
void each_piece(const ColumnView& view, std::int64_t begin, std::int64_t count, F&& f) {
  std::int64_t done = 0;
  for (const Chunk& chunk : view.chunks) {
    if (done == count) return;
    if (begin >= chunk.length) {
      begin -= chunk.length;
      continue;
    }
    const std::int64_t n = std::min(chunk.length - begin, count - done);
    f(Piece{&chunk, begin, n, done});
    done += n;
    begin = 0;
  }
}

/// Stored cell k of a sparse column.
inline std::int64_t sparse_row(const SparseView& view, std::int64_t k) noexcept {
  const auto* rows = static_cast<const char*>(view.rows);
  return view.wide_rows ? load_as<std::int64_t>(rows + k * 8) : load_as<std::int32_t>(rows + k * 4);
}
inline double sparse_value(const SparseView& view, std::int64_t k) noexcept {
  const auto* values = static_cast<const char*>(view.values);
  return (view.dtype == Dtype::f32 ? static_cast<double>(load_as<float>(values + k * 4))
                                   : load_as<double>(values + k * 8)) +
         0.0;
}
/// First stored cell whose row is not below `row`.
inline std::int64_t sparse_lower_bound(const SparseView& view, std::int64_t row) noexcept {
  std::int64_t low = 0;
  std::int64_t high = view.count;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (sparse_row(view, middle) < row) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace bough
