// SPDX-License-Identifier: Apache-2.0
// Histograms that nodes leave to their children, where all columns are searched: the smaller child counts its rows, the larger one
// has what is left. Columns whose ranks fit a byte only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/internal_limits.hpp"
#include "split/ranked/ranked_kernels.hpp"
#include "split/ranked/ranked_table.hpp"
#include "split/ranked/ranked_targets.hpp"

namespace bough {

template <class TargetsT>
class InheritedHistograms {
 public:
  static constexpr std::int32_t kNone = -1;

  /// `targets` must outlive this.
  InheritedHistograms(const RankedTable& table, const TargetsT& targets)
      : table_(&table), targets_(&targets), begins_(table.columns.size(), SIZE_MAX) {
    if constexpr (TargetsT::kInherits) {
      for (std::size_t j = 0; j < begins_.size(); ++j) {
        if (table.columns[j].narrow == nullptr) continue;
        begins_[j] = plane_;
        plane_ += n_ranks(j);
      }
      size_ = plane_ * targets.n_planes();
    }
  }
  /// Makes ready for trees of the table's rows.
  void start() {
    if (started_) return;
    started_ = true;
    // That pays where they are many, and few rows at their rarer values.
    const TwoValued& two_valued = table_->two_valued;
    const std::size_t n_rows = table_->by_row.size() / table_->columns.size();
    by_words_ =
        two_valued.columns.size() * n_rows > internal_limits().ranked_words * (n_rows + two_valued.n_rare);
    for (std::size_t j = 0; j < begins_.size(); ++j)
      if (has(j) && (!by_words_ || table_->columns[j].bit < 0))
        counted_.push_back({table_->columns[j].narrow, begins_[j]});
  }

  [[nodiscard]] bool has(std::size_t column) const noexcept { return begins_[column] != SIZE_MAX; }
  /// Whether a node looks for the counts of a column here.
  [[nodiscard]] bool has(std::int32_t /*histogram*/, std::size_t column,
                         std::size_t /*n_rows*/) const noexcept {
    return has(column);
  }
  /// The ranks of a column.
  [[nodiscard]] RankedPositions positions(std::int32_t /*histogram*/, std::size_t column) const noexcept {
    return {nullptr, 0, n_ranks(column), 0, n_ranks(column) - 1};
  }
  void trim(std::int32_t, std::size_t, std::uint32_t, const TargetsT&) const noexcept {}
  /// No larger than what is worth keeping for every open node of a path.
  [[nodiscard]] bool fits() const noexcept { return size_ > 0 && size_ <= kMostCounters; }
  /// Counters from one class to the next.
  [[nodiscard]] std::size_t stride() const noexcept { return plane_; }
  [[nodiscard]] const std::uint32_t* planes(std::int32_t histogram, std::size_t column) const noexcept {
    return all_[static_cast<std::size_t>(histogram)].data() + begins_[column];
  }

  /// The histogram of some rows, which lie at `begin` among the tree's.
  std::int32_t count(std::span<const RowId> rows, std::size_t begin, std::int32_t /*above*/,
                     std::size_t /*most*/) {
    std::int32_t histogram = static_cast<std::int32_t>(all_.size());
    if (free_.empty()) {
      all_.emplace_back(size_ + kRankPad);
    } else {
      histogram = free_.back();
      free_.pop_back();
      std::ranges::fill(all_[static_cast<std::size_t>(histogram)], 0U);
    }
    std::vector<std::uint32_t>& counters = all_[static_cast<std::size_t>(histogram)];
    if constexpr (TargetsT::kInherits) {
      targets_->classes_of(begin, rows.size(), classes_);
      if (by_words_) count_two_valued(rows, counters);
      for (std::uint32_t& c : classes_) c *= static_cast<std::uint32_t>(plane_);
      std::size_t k = 0;
      for (; k + 4 <= counted_.size(); k += 4) count_columns<4>(rows, counted_.data() + k, counters.data());
      if (k + 2 <= counted_.size())
        count_columns<2>(rows, counted_.data() + std::exchange(k, k + 2), counters.data());
      if (k < counted_.size()) count_columns<1>(rows, counted_.data() + k, counters.data());
    }
    return histogram;
  }
  /// Takes one away from another.
  void subtract(std::int32_t from, std::int32_t what) {
    std::uint32_t* to = all_[static_cast<std::size_t>(from)].data();
    const std::uint32_t* less = all_[static_cast<std::size_t>(what)].data();
    for (std::size_t i = 0; i < size_; ++i) to[i] -= less[i];
  }
  void give_back(std::int32_t histogram) {
    if (histogram != kNone) free_.push_back(histogram);
  }

 private:
  struct Counted {
    const std::uint8_t* ranks;
    std::size_t begin;
  };
  [[nodiscard]] std::size_t n_ranks(std::size_t column) const noexcept {
    return table_->columns[column].cells.size();
  }
  // Several columns at a time: where many rows have one rank, its counter would have to wait for itself.
  template <std::size_t kColumns>
  void count_columns(std::span<const RowId> rows, const Counted* columns, std::uint32_t* counters) const {
    std::array<const std::uint8_t*, kColumns> ranks;
    std::array<std::uint32_t*, kColumns> to;
    for (std::size_t k = 0; k < kColumns; ++k) {
      ranks[k] = columns[k].ranks;
      to[k] = counters + columns[k].begin;
    }
    const std::uint32_t* begins = classes_.data();
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t k = 0; k < kColumns; ++k) ++to[k][begins[i] + ranks[k][rows[i]]];
  }
  // The rows at the rarer of the two values are counted one by one, those at the other one are the rest.
  void count_two_valued(std::span<const RowId> rows, std::vector<std::uint32_t>& counters) {
    const TwoValued& two_valued = table_->two_valued;
    const std::size_t n_planes = targets_->n_planes();
    std::vector<std::uint32_t>& all = all_of_class_;
    all.assign(n_planes, 0);
    for (const std::uint32_t c : classes_) ++all[c];
    found_.assign(64 * n_planes, 0);
    for (std::size_t w = 0; w < two_valued.by_row.size(); ++w) {
      const std::uint64_t* words = two_valued.by_row[w].data();
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::uint64_t bits = words[rows[i]]; bits != 0; bits &= bits - 1)
          ++found_[static_cast<std::size_t>(std::countr_zero(bits)) * n_planes + classes_[i]];
      for (std::size_t k = 64 * w; k < std::min(two_valued.columns.size(), 64 * w + 64); ++k) {
        const std::size_t j = two_valued.columns[k];
        std::uint32_t* planes = counters.data() + begins_[j];
        const std::size_t rare = table_->columns[j].rare;
        for (std::size_t c = 0; c < n_planes; ++c) {
          const std::uint32_t n = std::exchange(found_[k % 64 * n_planes + c], 0U);
          planes[c * plane_ + rare] = n;
          planes[c * plane_ + 1 - rare] = all[c] - n;
        }
      }
    }
  }

  static constexpr std::size_t kMostCounters = std::size_t{1} << 20;
  const RankedTable* table_;
  const TargetsT* targets_;
  std::vector<std::size_t> begins_;   // of the columns' ranks in a plane, which is a class
  std::size_t plane_ = 0, size_ = 0;  // counters of a class, and of a histogram
  std::vector<std::vector<std::uint32_t>> all_;
  std::vector<std::int32_t> free_;
  bool started_ = false, by_words_ = false;  // by_words_: two-valued columns are counted together
  std::vector<Counted> counted_;             // columns that are counted one by one
  std::vector<std::uint32_t> classes_, all_of_class_, found_;  // of the rows that are counted
};

}  // namespace bough
