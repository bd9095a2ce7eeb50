// SPDX-License-Identifier: Apache-2.0
// Ranks of all cells of a column.
#include "data/ranks.hpp"

#include <algorithm>
#include <cmath>

#include "base/internal_limits.hpp"
#include "base/order_key.hpp"
#include "base/parallel.hpp"
#include "base/vector_sort.hpp"

namespace bough {
namespace {

// Buckets of one value each are ranks already.
bool is_ranked(const CodedColumn& column) {
  if (column.wide) return false;
  if (column.kind != Kind::numeric) return true;
  return std::all_of(column.single.begin(),
                     column.single.begin() + static_cast<std::ptrdiff_t>(column.missing_bucket()),
                     [](bool single) { return single; });
}

void rank_buckets(const CodedTable& table, ColId id, std::span<std::uint16_t> ranks) {
  const CodedColumn& column = table.columns[static_cast<std::size_t>(id)];
  const std::uint8_t* codes = table.codes(id);
  for (std::size_t row = 0; row < ranks.size(); ++row) {
    const std::size_t bucket = column.mark > 0 ? (codes[row] == column.mark ? 1U : 0U) : codes[row];
    ranks[row] = bucket == column.missing_bucket() ? kMissingRank : static_cast<std::uint16_t>(bucket);
  }
}

// False when there are too many distinct cells.
bool rank_cells(const CodedTable& table, ColId id, std::span<std::uint16_t> ranks,
                std::vector<double>* by_rank) {
  std::vector<double> cells(ranks.size());
  std::vector<std::uint64_t> keys;
  keys.reserve(ranks.size());
  for (std::size_t row = 0; row < ranks.size(); ++row) {
    cells[row] = table.cell(id, static_cast<RowId>(row));
    if (std::isnan(cells[row])) {
      ranks[row] = kMissingRank;
    } else {
      keys.push_back(static_cast<std::uint64_t>(ordered_key(static_cast<float>(cells[row]))) << 32 | row);
    }
  }
  vector_sort(std::span(keys));
  const auto cell_of = [&](std::uint64_t key) { return cells[key & 0xffffffffU]; };
  settle_equal_floats(std::span(keys), cell_of);
  const std::uint32_t most = internal_limits().ranks;
  std::uint32_t rank = 0;
  double last = keys.empty() ? 0.0 : cell_of(keys.front());
  for (const std::uint64_t key : keys) {
    const double cell = cell_of(key);
    rank += cell != last ? 1 : 0;
    last = cell;
    if (rank >= most) return false;
    if (by_rank != nullptr && by_rank->size() == rank) by_rank->push_back(cell);
    ranks[key & 0xffffffffU] = static_cast<std::uint16_t>(rank);
  }
  return true;
}

}  // namespace

bool rank_column(const CodedTable& table, ColId id, std::span<std::uint16_t> ranks,
                 std::vector<double>* by_rank) {
  const CodedColumn& column = table.columns[static_cast<std::size_t>(id)];
  if (!is_ranked(column)) return rank_cells(table, id, ranks, by_rank);
  rank_buckets(table, id, ranks);
  if (by_rank == nullptr) return true;
  for (std::size_t b = 0; b < column.missing_bucket(); ++b)
    by_rank->push_back(column.kind == Kind::numeric ? column.cuts[b] : static_cast<double>(b));
  return true;
}

void add_ranks(CodedTable& table, Monitor& monitor) {
  const std::size_t n_rows = static_cast<std::size_t>(table.n_rows), n_columns = table.columns.size();
  table.ranks = Buffer<std::uint16_t>(n_rows * n_columns);
  // Columns side by side: nodes look at many columns of few rows.
  const std::size_t together = internal_limits().rank_columns;  // a cache line of every row
  for (std::size_t begin = 0; begin < n_columns; begin += together) {
    const std::size_t count = std::min(together, n_columns - begin);
    std::vector<std::vector<std::uint16_t>> ranks(count);
    parallel_for(count, [&](std::size_t k) {
      monitor.tick();
      const auto id = static_cast<ColId>(begin + k);
      CodedColumn& column = table.columns[begin + k];
      ranks[k].resize(n_rows);
      column.ranked = rank_column(table, id, ranks[k], nullptr);
      column.two_ranks = column.ranked && *std::max_element(ranks[k].begin(), ranks[k].end()) <= 1;
    });
    parallel_ranges(n_rows, 4096, [&](std::size_t first, std::size_t last) {
      for (std::size_t row = first; row < last; ++row)
        for (std::size_t k = 0; k < count; ++k) table.ranks[row * n_columns + begin + k] = ranks[k][row];
    });
  }
}

}  // namespace bough
