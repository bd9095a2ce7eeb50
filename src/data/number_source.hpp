// SPDX-License-Identifier: Apache-2.0
// The numbers of one column by row: the caller's memory where its layout allows, else a copy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/table.hpp"

namespace bough {

class NumberSource {
 public:
  NumberSource() = default;
  /// Views one plain chunk of f32 or f64; anything else is copied to doubles. `column` must outlive the
  /// source.
  NumberSource(const Table::Column& column, std::int64_t n_rows);

  [[nodiscard]] bool is_float() const noexcept { return is_float_; }
  /// The value of a row, NaN when missing; never -0.0.
  [[nodiscard]] double at(RowId row) const noexcept {
    const char* cell = data_ + static_cast<std::ptrdiff_t>(row) * stride_;
    return is_float_ ? static_cast<double>(*reinterpret_cast<const float*>(cell)) + 0.0
                     : *reinterpret_cast<const double*>(cell) + 0.0;
  }
  /// The same where is_float().
  [[nodiscard]] float float_at(RowId row) const noexcept {
    return *reinterpret_cast<const float*>(data_ + static_cast<std::ptrdiff_t>(row) * stride_) + 0.0F;
  }
  /// Rows [begin, begin + out.size()) in the column's own type (is_float() says which).
  void load(std::int64_t begin, std::span<float> out) const noexcept { load_as(begin, out); }
  void load(std::int64_t begin, std::span<double> out) const noexcept { load_as(begin, out); }
  /// Whether `next` is the float behind this one in every row of a row-major matrix.
  [[nodiscard]] bool is_beside(const NumberSource& next) const noexcept {
    return is_float_ && next.is_float_ && stride_ == next.stride_ && data_ + sizeof(float) == next.data_;
  }
  /// Where a row's cell lies, and how far it is to the next row's.
  [[nodiscard]] const char* address(std::int64_t row) const noexcept { return data_ + row * stride_; }
  [[nodiscard]] std::ptrdiff_t stride() const noexcept { return stride_; }
  /// Asks for the row's cache line ahead of at().
  void prefetch(RowId row) const noexcept {
    __builtin_prefetch(data_ + static_cast<std::ptrdiff_t>(row) * stride_);
  }

 private:
  template <class T>
  void load_as(std::int64_t begin, std::span<T> out) const noexcept {
    const char* cell = data_ + begin * stride_;
    for (T& value : out) {
      value = *reinterpret_cast<const T*>(cell) + T{0};
      cell += stride_;
    }
  }

  const char* data_ = nullptr;
  std::ptrdiff_t stride_ = 0;
  bool is_float_ = false;
  std::vector<double> owned_;
};

}  // namespace bough
