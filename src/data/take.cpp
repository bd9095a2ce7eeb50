// SPDX-License-Identifier: Apache-2.0
// Table::take: chosen rows as a table that owns its cells.
#include <fmt/format.h>

#include <algorithm>

#include "bough/table.hpp"
#include "data/chunks.hpp"
#include "data/copy_cells.hpp"

namespace bough {
namespace {

/// For every old row, the new rows that hold it: new rows of row r are [starts[r], starts[r + 1]) of
/// `places`.
struct Inverse {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> places;
};

Inverse invert(std::span<const RowId> rows, std::int64_t n_rows) {
  Inverse inverse;
  inverse.starts.assign(static_cast<std::size_t>(n_rows) + 1, 0);
  for (const RowId row : rows) ++inverse.starts[row + std::size_t{1}];
  for (std::size_t r = 1; r < inverse.starts.size(); ++r) inverse.starts[r] += inverse.starts[r - 1];
  inverse.places.resize(rows.size());
  std::vector<std::int64_t> next(inverse.starts.begin(), inverse.starts.end());
  for (std::size_t i = 0; i < rows.size(); ++i)
    inverse.places[static_cast<std::size_t>(next[rows[i]]++)] = static_cast<std::int64_t>(i);
  return inverse;
}

void take_sparse(Table& out, const std::string& name, const SparseView& view, const Inverse& inverse) {
  struct Memory {
    std::vector<std::int64_t> rows;
    std::vector<double> wide;
    std::vector<float> narrow;
  };
  std::vector<std::pair<std::int64_t, double>> cells;
  for (std::int64_t k = 0; k < view.count; ++k) {
    const auto row = static_cast<std::size_t>(sparse_row(view, k));
    for (std::int64_t p = inverse.starts[row]; p < inverse.starts[row + 1]; ++p)
      cells.emplace_back(inverse.places[static_cast<std::size_t>(p)], sparse_value(view, k));
  }
  const auto by_row = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(cells.begin(), cells.end(), by_row)) std::sort(cells.begin(), cells.end(), by_row);
  auto memory = std::make_shared<Memory>();
  for (const auto& [row, value] : cells) {
    memory->rows.push_back(row);
    if (view.dtype == Dtype::f32) {
      memory->narrow.push_back(static_cast<float>(value));
    } else {
      memory->wide.push_back(value);
    }
  }
  SparseView own{.dtype = view.dtype, .rows = memory->rows.data(), .wide_rows = true};
  own.values =
      view.dtype == Dtype::f32 ? static_cast<const void*>(memory->narrow.data()) : memory->wide.data();
  own.count = std::ssize(cells);
  own.length = std::ssize(inverse.places);
  out.view(name, own);
  out.hold(memory);
}

}  // namespace

Table Table::take(std::span<const RowId> rows) const {
  for (const RowId row : rows)
    if (row >= n_rows())
      throw Error(ErrorCode::bad_data, fmt::format("row {} is outside a table of {} rows", row, n_rows()));
  Table out;
  Inverse inverse;  // made for the first sparse column
  for (std::size_t c = 0; c < n_columns(); ++c) {
    if (const auto* dense = std::get_if<ColumnView>(&column(c))) {
      add_owned(out, name(c), gather(*dense, rows));
      continue;
    }
    if (inverse.starts.empty()) inverse = invert(rows, n_rows());
    take_sparse(out, name(c), std::get<SparseView>(column(c)), inverse);
  }
  return out;
}

}  // namespace bough
