// SPDX-License-Identifier: Apache-2.0
// Coding some rows of a table by cuts that were chosen before, into memory of the caller.
#pragma once

#include <span>
#include <vector>

#include "data/codes.hpp"
#include "data/cuts.hpp"

namespace bough {

/// What coding must know about a column.
struct ColumnShape {
  Kind kind = Kind::numeric;
  std::size_t n_levels = 0;
  ColumnCuts cuts;  ///< numeric
};

/// A table of so many rows without any cells: columns with buckets and slots (none shared), and the strides
/// of codes.
CodedTable plan_codes(std::span<const ColumnShape> columns, std::int64_t n_rows);

/// Fills by_column, by_row and the wide codes of a table of plan_codes(), which have room for them already,
/// has_missing and single. `cells[j]`: room for the numbers of column j in the type of its cuts. The numbers
/// of columns are those of `table` until the caller gives them others.
void code_planned(CodedTable& out, const Table& table, const Schema& features,
                  std::span<const ColumnCuts> cuts, std::span<void* const> cells, Fingerprint& fingerprint,
                  Monitor& monitor);

}  // namespace bough
