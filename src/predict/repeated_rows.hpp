// SPDX-License-Identifier: Apache-2.0
// Rows that are the same as the row before need no walk of their own. Tables of pixels or of connections are full of them; where
// a look at some rows finds few, all are walked as they are.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "predict/compact.hpp"

namespace bough {

template <class T>
class RepeatedRows {
 public:
  /// Looks at some rows; true when they lie row by row and so many are repeated that it pays to leave these out.
  [[nodiscard]] static bool worth(const CellGrid<T>& cells, std::size_t count, std::size_t n_columns) {
    constexpr std::size_t kLooks = 32;
    if (cells.column_stride != 1 || count < 4 * kLooks) return false;
    std::size_t same = 0;
    for (std::size_t k = 0; k < kLooks; ++k)
      same += repeats(cells, 1 + k * (count - 1) / kLooks, n_columns) ? 1 : 0;
    return 5 * same >= kLooks;
  }

  /// Copies the rows that are not repeated side by side.
  void leave_out(const CellGrid<T>& cells, std::size_t count, std::size_t n_columns) {
    n_columns_ = n_columns;
    numbers_.resize(count);
    kept_.resize(count * n_columns);
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i == 0 || !repeats(cells, i, n_columns)) {
        const T* row = cells.skip(i).data;
        std::copy(row, row + n_columns, kept_.data() + n * n_columns);
        ++n;
      }
      numbers_[i] = n - 1;
    }
    size_ = n;
  }
  [[nodiscard]] CellGrid<T> cells() const {
    return {kept_.data(), static_cast<std::ptrdiff_t>(n_columns_), 1};
  }
  /// How many rows are left.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Which of these a row is.
  [[nodiscard]] std::size_t number(std::size_t row) const noexcept { return numbers_[row]; }

 private:
  // Whether a row has the bits of the row before.
  static bool repeats(const CellGrid<T>& cells, std::size_t row, std::size_t n_columns) {
    const T *own = cells.skip(row).data, *before = own - cells.row_stride;
    constexpr std::size_t kFew = 8;
    if (n_columns > kFew) return std::memcmp(own, before, n_columns * sizeof(T)) == 0;
    using Bits = std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
    Bits differ = 0;
    for (std::size_t j = 0; j < n_columns; ++j)
      differ |= std::bit_cast<Bits>(own[j]) ^ std::bit_cast<Bits>(before[j]);
    return differ == 0;
  }

  std::size_t n_columns_ = 0, size_ = 0;
  std::vector<T> kept_;
  std::vector<std::uint32_t> numbers_;  // by row
};

}  // namespace bough
