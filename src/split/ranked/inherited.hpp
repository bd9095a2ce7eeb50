// SPDX-License-Identifier: Apache-2.0
// Histograms that nodes leave to their children, where all columns are searched: the smaller child counts its rows, the larger one
// has what is left. Columns whose ranks fit a byte only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

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
        begins_[j] = size_;
        size_ += stride(j) * targets.n_planes();
      }
    }
  }
  /// Makes ready for trees of the table's rows.
  void start() {
    if (started_) return;
    started_ = true;
    const std::size_t n_rows = table_->by_row.size() / table_->columns.size();
    for (std::size_t j = 0; j < begins_.size(); ++j) {
      if (!has(j)) continue;
      if (table_->columns[j].cells.size() != 2) {
        counted_.push_back(j);
      } else {
        two_valued_.push_back(j);
      }
    }
    for (std::size_t k = 0; k < two_valued_.size(); ++k) {
      const std::uint8_t* ranks = table_->columns[two_valued_[k]].narrow;
      if (k % 64 == 0) words_.emplace_back(n_rows);
      std::vector<std::uint64_t>& words = words_.back();
      std::size_t ones = 0;
      for (std::size_t row = 0; row < n_rows; ++row) ones += ranks[row];
      const std::uint8_t rare = 2 * ones <= n_rows ? 1 : 0;
      rare_.push_back(rare);
      for (std::size_t row = 0; row < n_rows; ++row)
        words[row] |= static_cast<std::uint64_t>(ranks[row] == rare ? 1 : 0) << k % 64;
    }
  }

  [[nodiscard]] bool has(std::size_t column) const noexcept { return begins_[column] != SIZE_MAX; }
  /// Whether a node looks for the counts of a column here.
  [[nodiscard]] bool has(std::int32_t /*histogram*/, std::size_t column,
                         std::size_t /*n_rows*/) const noexcept {
    return has(column);
  }
  /// The ranks of a column.
  [[nodiscard]] RankedPositions positions(std::int32_t /*histogram*/, std::size_t column) const noexcept {
    return {nullptr, 0, stride(column), 0, stride(column) - 1};
  }
  void trim(std::int32_t, std::size_t, std::uint32_t, const TargetsT&) const noexcept {}
  /// No larger than what is worth keeping for every open node of a path.
  [[nodiscard]] bool fits() const noexcept { return size_ > 0 && size_ <= kMostCounters; }
  [[nodiscard]] std::size_t stride(std::size_t column) const noexcept {
    return table_->columns[column].cells.size();
  }
  [[nodiscard]] const std::uint32_t* planes(std::int32_t histogram, std::size_t column) const noexcept {
    return all_[static_cast<std::size_t>(histogram)].data() + begins_[column];
  }

  /// The histogram of some rows.
  std::int32_t count(std::span<const RowId> rows, std::int32_t /*above*/, std::size_t /*most*/) {
    std::int32_t histogram = static_cast<std::int32_t>(all_.size());
    if (free_.empty()) {
      all_.emplace_back(size_);
    } else {
      histogram = free_.back();
      free_.pop_back();
    }
    std::vector<std::uint32_t>& counters = all_[static_cast<std::size_t>(histogram)];
    std::fill(counters.begin(), counters.end(), 0U);
    if constexpr (TargetsT::kInherits) {
      targets_->classes_of(rows, classes_);
      for (const std::size_t j : counted_) {
        const std::uint8_t* ranks = table_->columns[j].narrow;
        const std::size_t stride = this->stride(j);
        std::uint32_t* planes = counters.data() + begins_[j];
        for (std::size_t i = 0; i < rows.size(); ++i) ++planes[classes_[i] * stride + ranks[rows[i]]];
      }
      count_two_valued(rows, counters);
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
  // The rows at the rarer of the two values are counted one by one, those at the other one are the rest.
  void count_two_valued(std::span<const RowId> rows, std::vector<std::uint32_t>& counters) {
    if (two_valued_.empty()) return;
    const std::size_t n_planes = targets_->n_planes();
    std::vector<std::uint32_t>& all = all_of_class_;
    all.assign(n_planes, 0);
    for (const std::uint32_t c : classes_) ++all[c];
    found_.assign(64 * n_planes, 0);
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::uint64_t bits = words_[w][rows[i]]; bits != 0; bits &= bits - 1)
          ++found_[static_cast<std::size_t>(std::countr_zero(bits)) * n_planes + classes_[i]];
      for (std::size_t k = 64 * w; k < std::min(two_valued_.size(), 64 * w + 64); ++k) {
        std::uint32_t* planes = counters.data() + begins_[two_valued_[k]];
        const std::size_t stride = this->stride(two_valued_[k]);
        for (std::size_t c = 0; c < n_planes; ++c) {
          const std::uint32_t n = std::exchange(found_[k % 64 * n_planes + c], 0U);
          planes[c * stride + rare_[k]] = n;
          planes[c * stride + 1 - rare_[k]] = all[c] - n;
        }
      }
    }
  }

  static constexpr std::size_t kMostCounters = std::size_t{1} << 20;
  const RankedTable* table_;
  const TargetsT* targets_;
  std::vector<std::size_t> begins_;  // of the columns' planes in a histogram
  std::size_t size_ = 0;
  std::vector<std::vector<std::uint32_t>> all_;
  std::vector<std::int32_t> free_;
  bool started_ = false;
  std::vector<std::size_t> counted_, two_valued_;  // columns
  std::vector<std::uint8_t> rare_;                 // of each of two_valued_: the rank that fewer rows have
  std::vector<std::vector<std::uint64_t>> words_;  // by row, of 64 of them: who is at the rarer value
  std::vector<std::uint32_t> classes_, all_of_class_, found_;  // of the rows that are counted
};

}  // namespace bough
