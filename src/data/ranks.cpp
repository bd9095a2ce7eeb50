// SPDX-License-Identifier: Apache-2.0
// Ranks of all cells of a column.
#include "data/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

#include "base/internal_limits.hpp"
#include "base/order_key.hpp"
#include "base/parallel.hpp"
#include "base/vector_sort.hpp"
#include "data/bucket_kernels.hpp"
#include "data/rank_kernels.hpp"

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

ColumnRanks rank_buckets(const CodedTable& table, ColId id, const RankRoom& room) {
  const CodedColumn& column = table.columns[static_cast<std::size_t>(id)];
  const std::uint8_t* codes = table.codes(id);
  const std::size_t n = static_cast<std::size_t>(table.n_rows), none = column.missing_bucket();
  const auto bucket = [&](std::size_t row) -> std::size_t {
    return column.mark > 0 ? (codes[row] == column.mark ? 1U : 0U) : codes[row];
  };
  const bool missing =
      column.mark == 0 && none < kBuckets && std::memchr(codes, static_cast<int>(none), n) != nullptr;
  if (room.narrow != nullptr && !missing) {
    for (std::size_t row = 0; row < n; ++row) room.narrow[row] = static_cast<std::uint8_t>(bucket(row));
    return {true, true, false};
  }
  for (std::size_t row = 0; row < n; ++row)
    room.wide[row] = bucket(row) == none ? kMissingRank : static_cast<std::uint16_t>(bucket(row));
  return {true, false, missing};
}

// Whole numbers of [first, first + range), each with its rank.
class WholeRanks {
 public:
  /// Of so many numbers, the smallest and the largest of which are the ends of the range.
  WholeRanks(const std::int32_t* whole, std::size_t n, std::int32_t first, std::size_t range)
      : whole_(whole), n_(n), first_(first), count_(range) {
    if (range <= 2) return;
    // A byte each: a bit would have to wait for the number before.
    constexpr std::size_t together = sizeof(std::uint64_t);
    std::vector<std::uint8_t> seen(range + together);
    for (std::size_t i = 0; i < n; ++i) seen[static_cast<std::size_t>(whole[i] - first)] = 1;
    const auto some_from = [&](std::size_t v) {
      std::uint64_t some;
      std::memcpy(&some, seen.data() + v, together);
      return some;
    };
    count_ = 0;
    for (std::size_t v = 0; v < range; v += together)
      count_ += some_from(v) * 0x0101010101010101U >> 56;  // its bytes, added up
    if (count_ == range) return;
    rank_of_ = Buffer<std::uint16_t>(range + together);
    numbers_ = Buffer<std::int32_t>(count_ + 1);
    std::size_t rank = 0;
    for (std::size_t v = 0; v < range; v += together) {
      if (some_from(v) == 0) continue;
      for (std::size_t k = v; k < v + together; ++k) {
        rank_of_[k] = static_cast<std::uint16_t>(rank);
        numbers_[rank] = first + static_cast<std::int32_t>(k);
        rank += seen[k];
      }
    }
  }

  /// Of the distinct numbers. Above 65536 the others do not hold.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  /// The one of a rank.
  [[nodiscard]] double number(std::size_t rank) const noexcept {
    return numbers_.size() == 0 ? static_cast<double>(first_) + static_cast<double>(rank) : numbers_[rank];
  }
  template <class Rank>
  void write(Rank* ranks) const {
    if (numbers_.size() == 0) return subtract_first(whole_, n_, first_, ranks);
    for (std::size_t i = 0; i < n_; ++i)
      ranks[i] = static_cast<Rank>(rank_of_[static_cast<std::size_t>(whole_[i] - first_)]);
  }

 private:
  const std::int32_t* whole_;
  std::size_t n_;
  std::int32_t first_;
  std::size_t count_;
  // Empty where all of the range are there.
  Buffer<std::int32_t> numbers_;   // by rank
  Buffer<std::uint16_t> rank_of_;  // by number
};

// Cells that are whole numbers of some scale, by a table of all numbers between the smallest and the largest. Nothing: other
// cells.
template <class T>
std::optional<ColumnRanks> rank_whole(std::span<const T> cells, const RankRoom& room,
                                      std::vector<double>* by_rank) {
  Buffer<std::int32_t> whole(cells.size());
  for (const double scale : {1.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0}) {
    const WholeCells found = scale_to_whole(cells.data(), cells.size(), scale, whole.data());
    if (!found.all) continue;
    const auto range = static_cast<std::size_t>(std::int64_t{found.high} - found.low) + 1;
    if (range > std::max<std::size_t>(std::size_t{1} << 16, 4 * cells.size())) return std::nullopt;
    const WholeRanks ranks(whole.data(), cells.size(), found.low, range);
    if (ranks.count() > internal_limits().ranks) return ColumnRanks{};
    if (by_rank != nullptr) {
      by_rank->resize(ranks.count());
      for (std::size_t rank = 0; rank < ranks.count(); ++rank)
        (*by_rank)[rank] = static_cast<double>(static_cast<T>(ranks.number(rank) / scale));
    }
    const bool narrow = room.narrow != nullptr && ranks.count() <= kNarrowRanks;
    narrow ? ranks.write(room.narrow) : ranks.write(room.wide);
    return ColumnRanks{true, narrow, false};
  }
  return std::nullopt;
}

// Vector loads may run past the end of the cells.
template <class T>
ColumnRanks rank_cells(std::span<const T> cells, const RankRoom& room, std::vector<double>* by_rank) {
  if (cells.empty()) return {true, room.narrow != nullptr, false};
  if (const std::optional<ColumnRanks> quick = rank_whole(cells, room, by_rank)) return *quick;
  std::vector<std::uint64_t> keys;
  keys.reserve(cells.size());
  for (std::size_t row = 0; row < cells.size(); ++row) {
    if (std::isnan(cells[row])) {
      room.wide[row] = kMissingRank;
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
    if (rank >= most) return {};
    if (by_rank != nullptr && by_rank->size() == rank) by_rank->push_back(static_cast<double>(cell));
    room.wide[key & 0xffffffffU] = static_cast<std::uint16_t>(rank);
  }
  const bool missing = keys.size() < cells.size(),
             narrow = room.narrow != nullptr && !missing && rank < kNarrowRanks;
  for (std::size_t row = 0; narrow && row < cells.size(); ++row)
    room.narrow[row] = static_cast<std::uint8_t>(room.wide[row]);
  return {true, narrow, missing};
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
  constexpr std::size_t block = 64;  // rows whose cells stay in the nearest cache
  for (std::size_t begin = 0; begin < n_rows; begin += block)
    for (std::size_t k = 0; k < count;) k += load(k, begin, std::min(block, n_rows - begin));
}

std::size_t ColumnRanker::load(std::size_t k, std::size_t begin, std::size_t n) {
  constexpr std::size_t together = 4;
  const auto n_rows = static_cast<std::size_t>(table_->n_rows);
  const auto numbers = [&](std::size_t at) -> const NumberSource& {
    return table_->columns[first_ + at].numbers;
  };
  const auto is_beside = [&](std::size_t at) {
    return kept_[at] == Kept::floats && numbers(at - 1).is_beside(numbers(at));
  };
  if (kept_[k] == Kept::floats && n % together == 0 && k + together <= kept_.size() && is_beside(k + 1) &&
      is_beside(k + 2) && is_beside(k + 3)) {
    transpose_floats(numbers(k).address(static_cast<std::int64_t>(begin)), numbers(k).stride(),
                     floats_.data() + k * n_rows + begin, n_rows, n);
    return together;
  }
  const auto copy = [&](auto& cells) {
    numbers(k).load(static_cast<std::int64_t>(begin), std::span(cells.data() + k * n_rows + begin, n));
  };
  if (kept_[k] == Kept::floats) copy(floats_);
  if (kept_[k] == Kept::doubles) copy(doubles_);
  return 1;
}

ColumnRanks ColumnRanker::rank(std::size_t k, const RankRoom& room, std::vector<double>* by_rank) const {
  const CodedColumn& column = table_->columns[first_ + k];
  const auto id = static_cast<ColId>(first_ + k);
  const auto n_rows = static_cast<std::size_t>(table_->n_rows);
  if (kept_[k] == Kept::floats)
    return rank_cells(std::span<const float>(floats_.data() + k * n_rows, n_rows), room, by_rank);
  if (kept_[k] == Kept::doubles)
    return rank_cells(std::span<const double>(doubles_.data() + k * n_rows, n_rows), room, by_rank);
  if (column.wide) {
    Buffer<double> cells(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) cells[row] = table_->cell(id, static_cast<RowId>(row));
    return rank_cells(std::span<const double>(cells.data(), n_rows), room, by_rank);
  }
  if (by_rank != nullptr)
    for (std::size_t b = 0; b < column.missing_bucket(); ++b)
      by_rank->push_back(column.kind == Kind::numeric ? column.cuts[b] : static_cast<double>(b));
  return rank_buckets(*table_, id, room);
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
      column.ranked = ranker.rank(k, {nullptr, ranks[k].data()}, nullptr).fits;
      column.two_ranks = column.ranked && *std::max_element(ranks[k].begin(), ranks[k].end()) <= 1;
    });
    parallel_ranges(n_rows, 4096, [&](std::size_t first, std::size_t last) {
      for (std::size_t row = first; row < last; ++row)
        for (std::size_t k = 0; k < count; ++k) table.ranks[row * n_columns + begin + k] = ranks[k][row];
    });
  }
}

}  // namespace bough
