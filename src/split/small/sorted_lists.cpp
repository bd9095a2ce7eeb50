// SPDX-License-Identifier: Apache-2.0
// Sorting and dividing the lists of a small subtree.
#include "split/small/sorted_lists.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "base/order_key.hpp"
#include "base/vector_sort.hpp"
#include "split/small/small_kernels.hpp"

namespace bough {

void SortedLists::start(std::span<const RowId> rows) {
  const std::size_t n_columns = table_->columns.size();
  n_ = static_cast<std::uint32_t>(rows.size());
  stride_ = (n_ + kListPad + 15) / 16 * 16;
  lists_.resize(stride_ * (n_columns + 1) + kListPad);
  constant_.assign(n_columns, 0);
  rows_.assign(rows.begin(), rows.end());
  side_.assign(n_ + kListPad, 0);
  scratch_.resize(stride_);
  kept_.clear();
}

void SortedLists::load(std::span<const RowId> rows, std::span<const std::uint8_t> tags) {
  const std::size_t n_columns = table_->columns.size();
  start(rows);
  gather_floats();
  has_floats_ = true;
  for (std::size_t j = 0; j < n_columns; ++j) {
    is_float(j) ? sort_cells(j, floats_.data() + j * stride_, tags) : sort_column(j, tags);
    if (constant_[j] == 0) kept_.push_back(lists_.data() + j * stride_);
  }
  std::uint32_t* ids = lists_.data() + n_columns * stride_;
  std::iota(ids, ids + n_, 0U);
  kept_.push_back(ids);
}

void SortedLists::load_drawn(std::span<const RowId> rows, std::span<const std::uint8_t> tags) {
  start(rows);
  has_floats_ = false;
  tags_ = tags;
  known_.assign(table_->columns.size(), kUnknown);
  std::uint32_t* ids = lists_.data() + table_->columns.size() * stride_;
  for (std::uint32_t i = 0; i < n_; ++i)
    ids[i] = (tags.empty() ? 0U : std::uint32_t{tags[i]} << kTagShift) | i;
  kept_.push_back(ids);
  used_ = 0;
  if (table_->ranks.size() > 0) copy_ranks();
}

// The ranks of the subtree's rows side by side, so that nodes find them near.
void SortedLists::copy_ranks() {
  constexpr std::uint32_t ahead = 8;
  const std::size_t n_columns = table_->columns.size();
  ranks_.resize(n_ * n_columns + kListPad);
  for (std::uint32_t i = 0; i < n_; ++i) {
    if (i + ahead < n_) __builtin_prefetch(&table_->ranks[rows_[i + ahead] * n_columns]);
    std::copy_n(&table_->ranks[rows_[i] * n_columns], n_columns, &ranks_[i * n_columns]);
  }
  for (std::size_t j = 0; j < n_columns; ++j)
    if (table_->columns[j].ranked) known_[j] = table_->columns[j].two_ranks ? kRankedTwo : kRanked;
}

// The entries of a column by id, from its cells.
void SortedLists::prepare(std::size_t j) {
  std::uint32_t* out = lists_.data() + j * stride_;
  std::uint32_t most = 0;
  sort_column(j, tags_);
  arena_.resize(std::max<std::size_t>(arena_.size(), used_ + stride_));
  std::copy_n(out, n_, arena_.begin() + static_cast<std::ptrdiff_t>(used_));
  for (std::uint32_t i = 0; i < n_; ++i) {
    const std::uint32_t entry = arena_[used_ + i];
    most = std::max(most, rank_of(entry));
    out[id_of(entry)] = entry;
  }
  known_[j] = most <= 1 ? kTwoValues : kManyValues;
}

SortedLists::Drawn SortedLists::draw(std::size_t j, std::uint32_t begin, std::uint32_t end) {
  if (known_[j] == kUnknown) prepare(j);
  if (constant_[j] != 0) return {};
  const std::uint32_t n = end - begin;
  // Pointers into the arena stay: it has room for every column of the largest node before the first is drawn.
  if (used_ == 0)
    arena_.resize(std::max<std::size_t>(arena_.size(), (n + kListPad) * table_->columns.size() + stride_));
  std::uint32_t* out = arena_.data() + used_;
  const bool varies = known_[j] >= kRanked
                          ? gather_ranks(ranks_.data() + j, table_->columns.size(), ids() + begin, n, out)
                          : gather_entries(list(j), ids() + begin, n, out);
  if (!varies) {
    if (n == n_) constant_[j] = 1;
    return {};
  }
  used_ += n + kListPad;
  if (known_[j] == kTwoValues || known_[j] == kRankedTwo)
    return {out, divide_two_values(out, n, scratch_.data())};
  vector_sort(std::span(out, n));
  return {out, 0};
}

// Row by row, because the cells of a row often lie side by side.
void SortedLists::gather_floats() {
  constexpr std::uint32_t block = 64, ahead = 8;
  floats_.resize(stride_ * table_->columns.size());
  for (std::uint32_t begin = 0; begin < n_; begin += block) {
    const std::uint32_t end = std::min(n_, begin + block);
    for (std::size_t j = 0; j < table_->columns.size(); ++j) {
      if (!is_float(j)) continue;
      const CodedColumn& column = table_->columns[j];
      float* out = floats_.data() + j * stride_;
      if (j % 16 == 0)
        for (std::uint32_t i = end; i < std::min(n_, end + ahead); ++i) column.numbers.prefetch(rows_[i]);
      for (std::uint32_t i = begin; i < end; ++i) out[i] = column.numbers.float_at(rows_[i]);
    }
  }
}

// Keys hold the cell rounded to float; cells of doubles that round to one float are put in order by their full value.
template <class T>
void SortedLists::sort_cells(std::size_t j, const T* cells, std::span<const std::uint8_t> tags) {
  std::uint32_t* out = lists_.data() + j * stride_;
  std::uint32_t n_missing = 0;
  keys_.resize(n_);
  std::size_t n = 0;
  for (std::uint32_t i = 0; i < n_; ++i) {
    const std::uint32_t low_half = (tags.empty() ? 0U : std::uint32_t{tags[i]} << kTagShift) | i;
    keys_[n] = static_cast<std::uint64_t>(ordered_key(static_cast<float>(cells[i]))) << 32 | low_half;
    const bool missing = std::isnan(cells[i]);
    n += missing ? 0 : 1;
    if (missing) out[n_ - ++n_missing] = kMissingRank << 16 | low_half;
  }
  keys_.resize(n);
  vector_sort(std::span(keys_));
  const auto cell_of = [&](std::uint64_t key) { return cells[id_of(static_cast<std::uint32_t>(key))]; };
  constexpr bool exact = std::is_same_v<T, float>;
  if (!exact && table_->columns[j].kind == Kind::numeric) settle_equal_floats(std::span(keys_), cell_of);
  std::uint32_t rank = 0;
  const auto value_of = [&](std::uint64_t key) {
    if constexpr (exact)
      return key >> 32;
    else
      return cell_of(key);
  };
  auto last = n == 0 ? decltype(value_of(0)){} : value_of(keys_[0]);
  for (std::size_t i = 0; i < n; ++i) {
    const auto value = value_of(keys_[i]);
    rank += value != last ? 1 : 0;
    last = value;
    out[i] = rank << 16 | static_cast<std::uint32_t>(keys_[i]);
  }
  constant_[j] = (n == 0 || (rank == 0 && n_missing == 0)) ? 1 : 0;
}

void SortedLists::sort_column(std::size_t j, std::span<const std::uint8_t> tags) {
  const CodedColumn& column = table_->columns[j];
  cells_.resize(n_);
  if (column.kind == Kind::numeric) {
    constexpr std::uint32_t ahead = 8;
    for (std::uint32_t i = 0; i < n_; ++i) {
      column.numbers.prefetch(rows_[std::min(i + ahead, n_ - 1)]);
      cells_[i] = column.numbers.at(rows_[i]);
    }
  } else {
    for (std::uint32_t i = 0; i < n_; ++i) cells_[i] = table_->cell(static_cast<ColId>(j), rows_[i]);
  }
  sort_cells(j, cells_.data(), tags);
}

std::uint32_t SortedLists::choose_sides(std::span<const std::uint32_t> entries, const Candidate& candidate,
                                        std::uint32_t cut_at) {
  const auto column = static_cast<std::size_t>(candidate.column);
  const std::uint32_t* first = entries.data();
  const std::uint32_t* last = first + entries.size();
  const std::uint32_t* known =
      rank_of(last[-1]) != kMissingRank ? last : std::partition_point(first, last, [](std::uint32_t entry) {
        return rank_of(entry) != kMissingRank;
      });
  std::uint32_t n_left = 0;
  const auto put = [&](const std::uint32_t* from, const std::uint32_t* to, bool left) {
    for (; from != to; ++from) side_[id_of(*from)] = left ? 1 : 0;
  };
  put(known, last, candidate.missing_left);
  if (candidate.missing_left) n_left += static_cast<std::uint32_t>(last - known);
  if (candidate.kind == NodeKind::numeric || candidate.kind == NodeKind::ordinal) {
    const std::uint32_t* cut =
        cut_at != kNoCut ? first + cut_at : std::partition_point(first, known, [&](std::uint32_t entry) {
          return goes_left(candidate, cell(column, entry));
        });
    put(first, cut, true);
    put(cut, known, false);
    return n_left + static_cast<std::uint32_t>(cut - first);
  }
  // Equal ranks are equal categories: one look for each.
  bool left = false;
  for (const std::uint32_t* entry = first; entry != known; ++entry) {
    if (entry == first || rank_of(*entry) != rank_of(entry[-1]))
      left = goes_left(candidate, cell(column, *entry));
    side_[id_of(*entry)] = left ? 1 : 0;
    n_left += left ? 1 : 0;
  }
  return n_left;
}

void SortedLists::divide(std::uint32_t begin, std::uint32_t end, bool ids_only) {
  const std::span<std::uint32_t* const> lists = ids_only ? std::span(kept_).last(1) : std::span(kept_);
  divide_lists(lists, begin, end - begin, side_.data(), scratch_.data());
}

}  // namespace bough
