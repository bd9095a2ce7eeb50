// SPDX-License-Identifier: Apache-2.0
// Which side of a candidate the rows of a coded table go to: by their codes, and by a look at the cell where a bucket is divided.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "data/codes.hpp"
#include "split/candidate.hpp"

namespace bough {

class RowSides {
 public:
  /// `single`: buckets of the candidate's column that hold one value.
  RowSides(const CodedTable& table, const Candidate& candidate, const std::array<bool, kBuckets>& single)
      : table_(&table),
        candidate_(&candidate),
        column_(&table.columns[static_cast<std::size_t>(candidate.column)]) {
    if (column_->wide) return;
    if (column_->kind == Kind::numeric) {
      sides_.fill(kRight);
      const std::size_t bucket = column_->bucket_of(candidate.low);
      std::fill_n(sides_.begin(), bucket, std::uint8_t{kLeft});
      sides_[bucket] = single[bucket] ? kLeft : kLook;
    } else {
      for (std::size_t level = 0; level < kBuckets; ++level)
        sides_[level] =
            level < column_->n_levels && goes_left(candidate, static_cast<double>(level)) ? kLeft : kRight;
    }
    sides_[column_->missing_bucket()] = candidate.missing_left ? kLeft : kRight;
    if (column_->mark > 0) {  // down, except for one code of the slot
      const std::uint8_t up = sides_[1];
      sides_.fill(sides_[0]);
      sides_[column_->mark] = up;
    }
  }

  /// Calls visitor(left), where left(row) tells whether a row goes left.
  template <class Visitor>
  auto visit(const Visitor& visitor) const {
    if (column_->wide) return visitor([this](RowId row) { return looks_left(row); });
    const std::uint8_t* codes = table_->codes(candidate_->column);
    return visitor([this, codes](RowId row) {
      const std::uint8_t side = sides_[codes[row]];
      return side == kLook ? looks_left(row) : side == kLeft;
    });
  }

 private:
  enum : std::uint8_t { kRight = 0, kLeft = 1, kLook = 2 };
  [[nodiscard]] bool looks_left(RowId row) const {
    const double cell = table_->cell(candidate_->column, row);
    return std::isnan(cell) ? candidate_->missing_left : goes_left(*candidate_, cell);
  }

  const CodedTable* table_;
  const Candidate* candidate_;
  const CodedColumn* column_;
  std::array<std::uint8_t, kBuckets> sides_{};
};

}  // namespace bough
