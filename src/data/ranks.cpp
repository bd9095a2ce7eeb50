// SPDX-License-Identifier: Apache-2.0
// Ranks of all cells of a column.
#include "data/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

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

// Cells that are whole numbers once they are multiplied by `scale`, in `whole`; false when some are not. Halves of 2^52 round
// doubles of less than 2^51 to whole numbers.
template <class T>
bool scale_to_whole(std::span<const T> cells, double scale, std::span<std::int32_t> whole) {
  constexpr double round = 0x1.8p52, most = 0x1p30;
  const auto fits = [&](std::size_t begin, std::size_t end) {
    bool right = true;
    for (std::size_t i = begin; i < end; ++i) {
      const double x = static_cast<double>(cells[i]) * scale, r = (x + round) - round;
      right &= r < most && r > -most && static_cast<T>(scale == 1.0 ? r : r / scale) == cells[i];
      whole[i] = static_cast<std::int32_t>(r < most && r > -most ? r : 0.0);
    }
    return right;
  };
  constexpr std::size_t few = 8, block = 256;  // most columns that are not show it at once
  if (!fits(0, std::min(few, cells.size()))) return false;
  for (std::size_t i = few; i < cells.size(); i += block)
    if (!fits(i, std::min(cells.size(), i + block))) return false;
  return true;
}

enum class Ranked : std::uint8_t { done, too_many, other };

// Cells that are whole numbers of some scale, by a table of all numbers between the smallest and the largest.
template <class T>
Ranked rank_whole(std::span<const T> cells, std::span<std::uint16_t> ranks, std::vector<double>* by_rank) {
  std::vector<std::int32_t> whole(cells.size());
  for (const double scale : {1.0, 10.0, 100.0, 1000.0, 10000.0}) {
    if (!scale_to_whole(cells, scale, std::span(whole))) continue;
    const auto [low, high] = std::minmax_element(whole.begin(), whole.end());
    const std::int32_t first = *low;
    const auto range = static_cast<std::size_t>(std::int64_t{*high} - first) + 1;
    if (range > std::max<std::size_t>(std::size_t{1} << 16, 4 * cells.size())) return Ranked::other;
    std::vector<std::uint8_t> seen(range);
    std::vector<std::uint16_t> rank_of(range);
    for (const std::int32_t v : whole) seen[static_cast<std::size_t>(v - first)] = 1;
    const std::uint32_t most = internal_limits().ranks;
    std::uint32_t rank = 0;
    for (std::size_t v = 0; v < range; ++v) {
      rank_of[v] = static_cast<std::uint16_t>(rank);
      if (seen[v] == 0) continue;
      if (rank >= most) return Ranked::too_many;
      ++rank;
      if (by_rank != nullptr)
        by_rank->push_back(static_cast<double>(
            static_cast<T>(scale == 1.0 ? static_cast<double>(first) + static_cast<double>(v)
                                        : (static_cast<double>(first) + static_cast<double>(v)) / scale)));
    }
    for (std::size_t i = 0; i < ranks.size(); ++i)
      ranks[i] = rank_of[static_cast<std::size_t>(whole[i] - first)];
    return Ranked::done;
  }
  return Ranked::other;
}

// False when there are too many distinct cells.
template <class T>
bool rank_cells(std::span<const T> cells, std::span<std::uint16_t> ranks, std::vector<double>* by_rank) {
  if (!cells.empty())
    if (const Ranked quick = rank_whole(cells, ranks, by_rank); quick != Ranked::other)
      return quick == Ranked::done;
  std::vector<std::uint64_t> keys;
  keys.reserve(ranks.size());
  for (std::size_t row = 0; row < ranks.size(); ++row) {
    if (std::isnan(cells[row])) {
      ranks[row] = kMissingRank;
    } else {
      keys.push_back(static_cast<std::uint64_t>(ordered_key(static_cast<float>(cells[row]))) << 32 | row);
    }
  }
  vector_sort(std::span(keys));
  const auto cell_of = [&](std::uint64_t key) { return cells[key & 0xffffffffU]; };
  if constexpr (std::is_same_v<T, double>) settle_equal_floats(std::span(keys), cell_of);
  const std::uint32_t most = internal_limits().ranks;
  std::uint32_t rank = 0;
  T last = keys.empty() ? T{0} : cell_of(keys.front());
  for (const std::uint64_t key : keys) {
    const T cell = cell_of(key);
    rank += cell != last ? 1 : 0;
    last = cell;
    if (rank >= most) return false;
    if (by_rank != nullptr && by_rank->size() == rank) by_rank->push_back(static_cast<double>(cell));
    ranks[key & 0xffffffffU] = static_cast<std::uint16_t>(rank);
  }
  return true;
}

}  // namespace

ColumnRanker::ColumnRanker(const CodedTable& table, std::size_t first, std::size_t count)
    : table_(&table), first_(first), kept_(count, Kept::codes) {
  const auto n_rows = static_cast<std::size_t>(table.n_rows);
  for (std::size_t k = 0; k < count; ++k) {
    const CodedColumn& column = table.columns[first + k];
    if (column.kind == Kind::numeric && !is_ranked(column))
      kept_[k] = column.numbers.is_float() ? Kept::floats : Kept::doubles;
  }
  const auto some = [&](Kept what) { return std::find(kept_.begin(), kept_.end(), what) != kept_.end(); };
  if (some(Kept::floats)) floats_ = Buffer<float>(n_rows * count);
  if (some(Kept::doubles)) doubles_ = Buffer<double>(n_rows * count);
  constexpr std::size_t block = 256;
  for (std::size_t begin = 0; begin < n_rows; begin += block)
    for (std::size_t k = 0; k < count; ++k) {
      const auto load = [&](auto& cells) {
        table.columns[first + k].numbers.load(
            static_cast<std::int64_t>(begin),
            std::span(cells.data() + k * n_rows + begin, std::min(block, n_rows - begin)));
      };
      if (kept_[k] == Kept::floats) load(floats_);
      if (kept_[k] == Kept::doubles) load(doubles_);
    }
}

bool ColumnRanker::rank(std::size_t k, std::span<std::uint16_t> ranks, std::vector<double>* by_rank) const {
  const CodedColumn& column = table_->columns[first_ + k];
  const auto id = static_cast<ColId>(first_ + k);
  const std::size_t n_rows = ranks.size();
  if (kept_[k] == Kept::floats)
    return rank_cells(std::span<const float>(floats_.data() + k * n_rows, n_rows), ranks, by_rank);
  if (kept_[k] == Kept::doubles)
    return rank_cells(std::span<const double>(doubles_.data() + k * n_rows, n_rows), ranks, by_rank);
  if (column.wide) {
    std::vector<double> cells(ranks.size());
    for (std::size_t row = 0; row < ranks.size(); ++row)
      cells[row] = table_->cell(id, static_cast<RowId>(row));
    return rank_cells(std::span<const double>(cells), ranks, by_rank);
  }
  rank_buckets(*table_, id, ranks);
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
    const ColumnRanker ranker(table, begin, count);
    parallel_for(count, [&](std::size_t k) {
      monitor.tick();
      CodedColumn& column = table.columns[begin + k];
      ranks[k].resize(n_rows);
      column.ranked = ranker.rank(k, ranks[k], nullptr);
      column.two_ranks = column.ranked && *std::max_element(ranks[k].begin(), ranks[k].end()) <= 1;
    });
    parallel_ranges(n_rows, 4096, [&](std::size_t first, std::size_t last) {
      for (std::size_t row = first; row < last; ++row)
        for (std::size_t k = 0; k < count; ++k) table.ranks[row * n_columns + begin + k] = ranks[k][row];
    });
  }
}

}  // namespace bough
