// SPDX-License-Identifier: Apache-2.0
// Feature columns as integer codes that keep the order of their values: all that search sees.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "base/monitor.hpp"
#include "bough/table.hpp"
#include "data/fingerprint.hpp"

namespace bough {

inline constexpr std::uint32_t kMissingCode = 0xffffffffU;

/// One feature. Numeric: codes are dense ranks into `values`. Ordinal and category: codes are level indices.
struct EncodedColumn {
  Kind kind = Kind::numeric;
  bool sparse = false;
  bool has_missing = false;
  std::uint32_t n_codes = 0;
  std::vector<std::uint32_t> codes;  ///< dense: per row; sparse: per stored cell
  std::vector<RowId> stored;         ///< sparse: row of each stored cell, increasing
  std::uint32_t zero_code = 0;       ///< sparse: code of the rows that are not stored
  std::vector<double> values;        ///< numeric: value of each code, increasing

  /// The code of a row; binary search where the column is sparse.
  [[nodiscard]] std::uint32_t code(RowId row) const {
    if (!sparse) return codes[row];
    const auto found = std::lower_bound(stored.begin(), stored.end(), row);
    return found != stored.end() && *found == row ? codes[static_cast<std::size_t>(found - stored.begin())]
                                                  : zero_code;
  }
  /// The cell of a code that is not missing: a number, or a level index.
  [[nodiscard]] double cell(std::uint32_t code) const {
    return kind == Kind::numeric ? values[code] : static_cast<double>(code);
  }
  /// The cell of a row, NaN where missing.
  [[nodiscard]] double cell_at(RowId row) const {
    const std::uint32_t own = code(row);
    return own == kMissingCode ? std::numeric_limits<double>::quiet_NaN() : cell(own);
  }
  /// The used rows of a dense column, or the stored ones of a sparse one, by code and then by row, missing last: a counting
  /// sort that writes make(row, code).
  template <class T, class Make>
  [[nodiscard]] std::vector<T> sorted_cells(const std::vector<char>& used, const Make& make) const;
};

template <class T, class Make>
std::vector<T> EncodedColumn::sorted_cells(const std::vector<char>& used, const Make& make) const {
  const auto row_of = [&](std::size_t i) { return sparse ? stored[i] : static_cast<RowId>(i); };
  const auto slot = [&](std::size_t i) { return std::min(codes[i], n_codes); };
  std::vector<std::uint32_t> begins(n_codes + std::size_t{2}, 0);
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (used[row_of(i)]) ++begins[slot(i) + std::size_t{1}];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<T> cells(begins.back());
  for (std::size_t i = 0; i < codes.size(); ++i)
    if (used[row_of(i)]) cells[begins[slot(i)]++] = make(row_of(i), codes[i]);
  return cells;
}

struct EncodedTable {
  std::int64_t n_rows = 0;
  std::vector<EncodedColumn> columns;
};

/// Encodes the feature columns (schema fields matched by name). Level tables come from the schema.
EncodedTable encode(const Table& table, const Schema& features, Fingerprint& fingerprint, Monitor& monitor);

/// Throws bad_data for a cell that is none of the declared levels.
[[noreturn]] void refuse_unseen(const Table::Column& column, const Field& field, std::int64_t row);
/// Warnings about columns of whole numbers that doubles cannot tell apart.
std::vector<std::string> integer_notes(const Table& table, const Schema& features);

/// The cut between two neighbouring values a < b: a/2 + b/2, or a when that is not in [a, b).
inline double midpoint(double a, double b) noexcept {
  const double t = a / 2 + b / 2;
  return a <= t && t < b ? t : a;
}

}  // namespace bough
