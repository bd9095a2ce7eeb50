// SPDX-License-Identifier: Apache-2.0
// Ranking all columns of a table.
#include "split/ranked/ranked_table.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <span>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "data/cells.hpp"
#include "data/ranks.hpp"

namespace bough {
namespace {

// Few rows at a time, whose cells of all columns stay in the nearest cache.
template <class Do>
void for_blocks(std::size_t n_rows, const Do& block) {
  constexpr std::size_t worth_sharing = 1024, together = 64;
  parallel_ranges(n_rows, worth_sharing, [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; at += together) block(at, std::min(end, at + together));
  });
}

// Cells of rows evenly apart.
std::vector<double> sample_of(const Table::Column& column, std::size_t n_rows, std::size_t n_sample) {
  std::vector<double> cells(std::min(n_sample, n_rows));
  for (std::size_t i = 0; i < cells.size(); ++i)
    read_numbers(column, static_cast<std::int64_t>(i * n_rows / cells.size()), std::span(&cells[i], 1));
  return cells;
}

// Whether a column of numbers has missing cells or too many distinct ones, as far as some of its rows can tell.
bool looks_unrankable(const Table::Column& column, std::size_t n_rows) {
  constexpr std::size_t to_find_missing = 64, to_count_distinct = 2048;
  const bool many_rows = n_rows > internal_limits().ranks;
  std::vector<double> cells = sample_of(column, n_rows, many_rows ? to_count_distinct : to_find_missing);
  if (std::ranges::any_of(cells, [](double cell) { return std::isnan(cell); })) return true;
  if (!many_rows) return false;
  std::ranges::sort(cells);
  const auto repeated = cells.end() - std::unique(cells.begin(), cells.end());
  return static_cast<std::size_t>(repeated) < cells.size() / 16;
}

// The rank, of so many, that so many rows have that the others are counted instead, as far as some of them can tell; -1: none.
std::int16_t common_rank(std::span<const std::uint8_t> ranks, std::size_t n_ranks) {
  std::array<std::uint32_t, kNarrowRanks> room;
  const std::span<std::uint32_t> times = std::span(room).first(n_ranks);
  std::ranges::fill(times, 0U);
  constexpr std::size_t n_sample = 256;
  const std::size_t step = ranks.size() / n_sample + 1;
  std::size_t n = 0;
  for (std::size_t row = 0; row < ranks.size(); row += step, ++n) ++times[ranks[row]];
  std::uint32_t most = 0;
  for (const std::uint32_t own : times) most = std::max(most, own);
  return 8 * std::size_t{most} > internal_limits().ranked_common_eighths * n
             ? static_cast<std::int16_t>(std::ranges::find(times, most) - times.begin())
             : std::int16_t{-1};
}

// Ranks column j; false when it does not fit.
bool take_column(const CodedTable& table, const ColumnRanker& ranker, std::size_t k, std::size_t j,
                 RankedTable& ranked) {
  RankedColumn& out = ranked.columns[j];
  out.kind = table.columns[j].kind;
  out.n_levels = table.columns[j].n_levels;
  const auto n_rows = static_cast<std::size_t>(table.n_rows);
  std::uint8_t* narrow = ranked.narrow.data() + j * n_rows;
  std::uint16_t* wide = ranked.wide.data() + j * n_rows;
  const ColumnRanks ranks = ranker.rank(k, {narrow, wide}, &out.cells);
  if (!ranks.fits || ranks.missing) return false;
  if (ranks.narrow) {
    out.narrow = narrow;
    out.common = common_rank({narrow, n_rows}, out.cells.size());
  } else {
    out.wide = wide;
  }
  return true;
}

void find_two_valued(RankedTable& ranked, std::size_t n_rows) {
  TwoValued& all = ranked.two_valued;
  for (std::size_t j = 0; j < ranked.columns.size(); ++j) {
    RankedColumn& column = ranked.columns[j];
    if (column.narrow == nullptr || column.cells.size() != 2) continue;
    column.bit = static_cast<std::int32_t>(all.columns.size());
    if (column.bit % 64 == 0) all.by_row.emplace_back(n_rows);
    all.columns.push_back(j);
    std::size_t ones = 0;
    for (std::size_t row = 0; row < n_rows; ++row) ones += column.narrow[row];
    column.rare = 2 * ones <= n_rows ? 1 : 0;
    all.n_rare += std::min(ones, n_rows - ones);
  }
  for_blocks(n_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = 0; k < all.columns.size(); ++k) {
      const RankedColumn& column = ranked.columns[all.columns[k]];
      std::uint64_t* words = all.by_row[k / 64].data();
      for (std::size_t row = begin; row < end; ++row)
        words[row] |= static_cast<std::uint64_t>(column.narrow[row] == column.rare ? 1 : 0) << k % 64;
    }
  });
}

}  // namespace

bool may_rank(const Table& table, const Schema& features) {
  // Of few rows, looking at the cells would cost as much as ranking them in vain.
  const auto n_rows = static_cast<std::size_t>(table.n_rows());
  return std::ranges::none_of(features.fields, [&](const Field& field) {
    if (field.kind == Kind::category) return true;
    return field.kind == Kind::numeric && n_rows > internal_limits().ranked_sampled_rows &&
           looks_unrankable(table.column(table.find(field.name).value()), n_rows);
  });
}

std::optional<RankedTable> rank_table(const CodedTable& table, Monitor& monitor) {
  const std::size_t n_rows = static_cast<std::size_t>(table.n_rows), n_columns = table.columns.size();
  RankedTable ranked;
  ranked.columns.resize(n_columns);
  std::atomic<bool> fits{n_rows > 0 && n_columns > 0};
  for (const CodedColumn& column : table.columns)
    if (column.kind == Kind::category) fits = false;
  if (fits) {
    ranked.narrow = Buffer<std::uint8_t>(n_rows * n_columns);
    ranked.wide = Buffer<std::uint16_t>(n_rows * n_columns);
  }
  const std::size_t together = internal_limits().rank_columns;
  for (std::size_t first = 0; first < n_columns && fits; first += together) {
    const std::size_t count = std::min(together, n_columns - first);
    const ColumnRanker ranker(table, first, count);
    parallel_for(count, [&](std::size_t k) {
      monitor.tick();
      if (fits && !take_column(table, ranker, k, first + k, ranked)) fits = false;
    });
  }
  if (!fits) return std::nullopt;
  ranked.by_row = Buffer<std::uint16_t>(n_rows * n_columns);
  for_blocks(n_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = 0; j < n_columns; ++j) {
      const RankedColumn& column = ranked.columns[j];
      std::uint16_t* to = ranked.by_row.data() + j;
      if (column.narrow != nullptr) {
        for (std::size_t row = begin; row < end; ++row) to[row * n_columns] = column.narrow[row];
      } else {
        for (std::size_t row = begin; row < end; ++row) to[row * n_columns] = column.wide[row];
      }
    }
  });
  find_two_valued(ranked, n_rows);
  return ranked;
}

}  // namespace bough
