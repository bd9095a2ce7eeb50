// SPDX-License-Identifier: Apache-2.0
// Sums of number targets by rank that nodes leave to their children, where all columns are searched: the smaller child adds up its
// rows, the larger one has what is left. A column is kept as long as the ranks between the lowest and the highest of a node are not
// more than its rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "base/internal_limits.hpp"
#include "split/ranked/inherited.hpp"
#include "split/ranked/ranked_table.hpp"
#include "split/ranked/ranked_targets.hpp"

namespace bough {

template <>
class InheritedHistograms<RankedNumbers> {
 public:
  static constexpr std::int32_t kNone = -1;

  InheritedHistograms(const RankedTable& table, const RankedNumbers& targets)
      : table_(&table), targets_(&targets), begins_(table.columns.size()) {
    for (std::size_t j = 0; j < begins_.size(); ++j) {
      begins_[j] = size_;
      size_ += table.columns[j].cells.size();
    }
  }
  void start() const noexcept {}
  [[nodiscard]] bool fits() const noexcept { return size_ <= kMostSums; }

  /// Whether a node of so many rows looks for a column's sums here.
  [[nodiscard]] bool has(std::int32_t histogram, std::size_t column, std::size_t n_rows) const noexcept {
    const std::size_t n = ranges(histogram)[column].size();
    return n > 0 && 2 * n <= internal_limits().ranked_counters * n_rows;
  }
  /// The ranks of a column that the node may have.
  [[nodiscard]] RankedPositions positions(std::int32_t histogram, std::size_t column) const noexcept {
    const Range range = ranges(histogram)[column];
    return {nullptr, range.low, range.size(), 0, range.size() - 1};
  }
  /// By position.
  [[nodiscard]] const NumberSum* sums(std::int32_t histogram, std::size_t column) const noexcept {
    return all_[static_cast<std::size_t>(histogram)].sums.data() + begins_[column] +
           ranges(histogram)[column].low;
  }
  /// Leaves out the ranks at both ends that the node has not, after a search of the column from rank `low` on.
  void trim(std::int32_t histogram, std::size_t column, std::uint32_t low,
            const RankedNumbers& targets) noexcept {
    Range& range = all_[static_cast<std::size_t>(histogram)].ranges[column];
    std::size_t first = 0, last = range.size() - 1;
    while (targets.left_weight(first) == 0) ++first;
    while (last > first && targets.left_weight(last) == targets.left_weight(last - 1)) --last;
    range = {low + static_cast<std::uint32_t>(first), low + static_cast<std::uint32_t>(last) + 1};
  }

  /// The sums of some rows. `above`: of a node that has these rows too, or kNone. Columns of more ranks than `most` are left out.
  std::int32_t count(std::span<const RowId> rows, std::size_t /*begin*/, std::int32_t above,
                     std::size_t most) {
    const std::int32_t histogram = make();
    One& one = all_[static_cast<std::size_t>(histogram)];
    for (std::size_t j = 0; j < begins_.size(); ++j) {
      const Range range = above != kNone
                              ? ranges(above)[j]
                              : Range{0, static_cast<std::uint32_t>(table_->columns[j].cells.size())};
      one.ranges[j] = range.size() <= most ? range : Range{};
    }
    targets_->sums_of(rows, rows_);
    if (spare_.size() < rows.size()) spare_ = Buffer<NumberSum>(rows.size());
    if (ranks_.size() < rows.size() + kRankPad) ranks_.resize(rows.size() + kRankPad);
    for (std::size_t j = 0; j < begins_.size(); ++j) {
      const Range range = one.ranges[j];
      if (range.size() == 0) continue;
      const RankedColumn& column = table_->columns[j];
      column.narrow != nullptr ? gather_column(column.narrow, rows, ranks_.data())
                               : gather_column(column.wide, rows, ranks_.data());
      add_numbers({ranks_.data(), rows_.data(), rows.size(), range.low, range.size(),
                   one.sums.data() + begins_[j] + range.low, spare_.data()});
    }
    return histogram;
  }
  /// Takes one away from another; columns that are not in it are gone.
  void subtract(std::int32_t from, std::int32_t what) {
    One& one = all_[static_cast<std::size_t>(from)];
    for (std::size_t j = 0; j < begins_.size(); ++j) {
      const Range range = one.ranges[j] = ranges(what)[j];
      const std::size_t begin = begins_[j] + range.low;
      const NumberSum* less = all_[static_cast<std::size_t>(what)].sums.data() + begin;
      NumberSum* to = one.sums.data() + begin;
      for (std::size_t p = 0; p < range.size(); ++p) {
        to[p].sum -= less[p].sum;
        to[p].weight -= less[p].weight;
      }
    }
  }
  void give_back(std::int32_t histogram) {
    if (histogram != kNone) free_.push_back(histogram);
  }

 private:
  static constexpr std::size_t kMostSums = std::size_t{1} << 19;
  // Ranks [low, end).
  struct Range {
    std::uint32_t low = 0, end = 0;
    [[nodiscard]] std::size_t size() const noexcept { return end - low; }
  };
  struct One {
    Buffer<NumberSum> sums;
    std::vector<Range> ranges;  // by column; none: not kept
  };
  [[nodiscard]] const std::vector<Range>& ranges(std::int32_t histogram) const noexcept {
    return all_[static_cast<std::size_t>(histogram)].ranges;
  }
  std::int32_t make() {
    if (!free_.empty()) {
      const std::int32_t histogram = free_.back();
      free_.pop_back();
      return histogram;
    }
    all_.push_back({Buffer<NumberSum>(size_ + kRankPad), std::vector<Range>(begins_.size())});
    return static_cast<std::int32_t>(all_.size()) - 1;
  }

  const RankedTable* table_;
  const RankedNumbers* targets_;
  std::vector<std::size_t> begins_;  // of the columns in a histogram
  std::size_t size_ = 0;
  std::vector<One> all_;
  std::vector<std::int32_t> free_;
  std::vector<NumberSum> rows_;
  Buffer<NumberSum> spare_;
  std::vector<std::uint16_t> ranks_;
};

}  // namespace bough
