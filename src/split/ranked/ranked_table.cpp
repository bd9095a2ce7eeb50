// SPDX-License-Identifier: Apache-2.0
// Ranking all columns of a table.
#include "split/ranked/ranked_table.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "data/ranks.hpp"

namespace bough {
namespace {

constexpr std::size_t kNarrowRanks = 256;
constexpr std::size_t kRowsTogether = 4096;

// Whether a column of numbers has too many distinct cells, as far as some of its rows can tell: ranking it would be in vain.
bool looks_continuous(const CodedTable& table, const CodedColumn& column) {
  constexpr std::size_t n_sample = 2048;
  const auto n_rows = static_cast<std::size_t>(table.n_rows);
  if (column.kind != Kind::numeric || n_rows <= internal_limits().ranks) return false;
  std::vector<double> cells(n_sample);
  for (std::size_t i = 0; i < n_sample; ++i)
    cells[i] = column.numbers.at(static_cast<RowId>(i * n_rows / n_sample));
  std::erase_if(cells, [](double cell) { return std::isnan(cell); });
  std::sort(cells.begin(), cells.end());
  const auto distinct = std::unique(cells.begin(), cells.end()) - cells.begin();
  return distinct > static_cast<std::ptrdiff_t>(n_sample - n_sample / 16);
}

// False when the column does not fit.
bool take_column(const CodedTable& table, const ColumnRanker& ranker, std::size_t first, std::size_t k,
                 RankedColumn& out) {
  const CodedColumn& column = table.columns[first + k];
  out.kind = column.kind;
  out.n_levels = column.n_levels;
  const auto n_rows = static_cast<std::size_t>(table.n_rows);
  out.wide = Buffer<std::uint16_t>(n_rows);
  const std::span<std::uint16_t> ranks(out.wide.data(), n_rows);
  if (!ranker.rank(k, ranks, &out.cells)) return false;
  if (std::find(ranks.begin(), ranks.end(), kMissingRank) != ranks.end()) return false;
  if (out.cells.size() > kNarrowRanks) return true;
  out.narrow = Buffer<std::uint8_t>(n_rows);
  std::transform(ranks.begin(), ranks.end(), out.narrow.data(),
                 [](std::uint16_t rank) { return static_cast<std::uint8_t>(rank); });
  out.wide = Buffer<std::uint16_t>();
  return true;
}

}  // namespace

std::optional<RankedTable> rank_table(const CodedTable& table, Monitor& monitor) {
  const std::size_t n_rows = static_cast<std::size_t>(table.n_rows), n_columns = table.columns.size();
  RankedTable ranked;
  ranked.columns.resize(n_columns);
  std::atomic<bool> fits{n_rows > 0 && n_columns > 0};
  for (const CodedColumn& column : table.columns)
    if (fits && (column.kind == Kind::category || looks_continuous(table, column))) fits = false;
  const std::size_t together = internal_limits().rank_columns;
  for (std::size_t first = 0; first < n_columns && fits; first += together) {
    const std::size_t count = std::min(together, n_columns - first);
    const ColumnRanker ranker(table, first, count);
    parallel_for(count, [&](std::size_t k) {
      monitor.tick();
      if (fits && !take_column(table, ranker, first, k, ranked.columns[first + k])) fits = false;
    });
  }
  if (!fits) return std::nullopt;
  ranked.by_row = Buffer<std::uint16_t>(n_rows * n_columns);
  parallel_ranges(n_rows, kRowsTogether, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = 0; j < n_columns; ++j) {
      const RankedColumn& column = ranked.columns[j];
      const bool narrow = column.narrow.size() > 0;
      for (std::size_t row = begin; row < end; ++row)
        ranked.by_row[row * n_columns + j] = narrow ? column.narrow[row] : column.wide[row];
    }
  });
  return ranked;
}

}  // namespace bough
