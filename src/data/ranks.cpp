// SPDX-License-Identifier: Apache-2.0
// Ranks of all cells of a column.
#include <algorithm>
#include <cmath>

#include "base/order_key.hpp"
#include "base/parallel.hpp"
#include "base/vector_sort.hpp"
#include "data/codes.hpp"

namespace bough {
namespace {

// Buckets of one value each are ranks already.
bool is_ranked(const CodedColumn& column) {
  if (column.wide) return false;
  if (column.kind != Kind::numeric) return true;
  return std::all_of(column.single.begin(), column.single.begin() + static_cast<std::ptrdiff_t>(column.missing_bucket()),
                     [](bool single) { return single; });
}

void rank_buckets(const CodedTable& table, ColId id, CodedColumn& column) {
  const std::uint8_t* codes = table.codes(id);
  for (std::size_t row = 0; row < column.ranks.size(); ++row) {
    const std::size_t bucket = column.mark > 0 ? (codes[row] == column.mark ? 1U : 0U) : codes[row];
    column.ranks[row] = bucket == column.missing_bucket() ? kMissingRank : static_cast<std::uint16_t>(bucket);
  }
}

// False when there are too many distinct cells.
bool rank_cells(const CodedTable& table, ColId id, CodedColumn& column) {
  std::vector<std::uint64_t> keys;
  keys.reserve(column.ranks.size());
  for (std::size_t row = 0; row < column.ranks.size(); ++row) {
    const double cell = table.cell(id, static_cast<RowId>(row));
    if (std::isnan(cell)) {
      column.ranks[row] = kMissingRank;
    } else {
      keys.push_back(static_cast<std::uint64_t>(ordered_key(static_cast<float>(cell))) << 32 | row);
    }
  }
  vector_sort(std::span(keys));
  const auto cell_of = [&](std::uint64_t key) { return table.cell(id, static_cast<RowId>(key & 0xffffffffU)); };
  settle_equal_floats(std::span(keys), cell_of);
  std::uint32_t rank = 0;
  double last = keys.empty() ? 0.0 : cell_of(keys.front());
  for (const std::uint64_t key : keys) {
    const double cell = cell_of(key);
    rank += cell != last ? 1 : 0;
    last = cell;
    if (rank == kMissingRank) return false;
    column.ranks[key & 0xffffffffU] = static_cast<std::uint16_t>(rank);
  }
  return true;
}

}  // namespace

void add_ranks(CodedTable& table, Monitor& monitor) {
  parallel_for(table.columns.size(), [&](std::size_t j) {
    monitor.tick();
    CodedColumn& column = table.columns[j];
    const auto id = static_cast<ColId>(j);
    column.ranks.resize(static_cast<std::size_t>(table.n_rows));
    if (is_ranked(column)) {
      rank_buckets(table, id, column);
    } else if (!rank_cells(table, id, column)) {
      column.ranks = {};
    }
  });
}

}  // namespace bough
