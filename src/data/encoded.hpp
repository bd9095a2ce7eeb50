// SPDX-License-Identifier: Apache-2.0
// Feature columns as integer codes that keep the order of their values: all that search sees.
#pragma once

#include <cstdint>
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
};

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
