// SPDX-License-Identifier: Apache-2.0
// Ranking all columns of a table.
#include "split/ranked/ranked_table.hpp"

#include <algorithm>
#include <atomic>

#include "base/parallel.hpp"
#include "data/ranks.hpp"

namespace bough {
namespace {

constexpr std::size_t kNarrowRanks = 256;
constexpr std::size_t kRowsTogether = 4096;

// False when the column does not fit.
bool take_column(const CodedTable& table, ColId id, RankedColumn& out) {
  const CodedColumn& column = table.columns[static_cast<std::size_t>(id)];
  out.kind = column.kind;
  out.n_levels = column.n_levels;
  if (column.kind == Kind::category) return false;
  const auto n_rows = static_cast<std::size_t>(table.n_rows);
  out.wide = Buffer<std::uint16_t>(n_rows);
  const std::span<std::uint16_t> ranks(out.wide.data(), n_rows);
  if (!rank_column(table, id, ranks, &out.cells)) return false;
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
  parallel_for(n_columns, [&](std::size_t j) {
    monitor.tick();
    if (fits && !take_column(table, static_cast<ColId>(j), ranked.columns[j])) fits = false;
  });
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
