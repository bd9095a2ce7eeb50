// SPDX-License-Identifier: Apache-2.0
// Histograms that nodes leave to their children, where all columns are searched: the smaller child counts its rows, the larger one
// has what is left. Columns whose ranks fit a byte only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "split/ranked/ranked_table.hpp"

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
        if (table.columns[j].narrow.size() == 0) continue;
        begins_[j] = size_;
        size_ += stride(j) * targets.n_planes();
      }
    }
  }

  [[nodiscard]] bool has(std::size_t column) const noexcept { return begins_[column] != SIZE_MAX; }
  /// No larger than what is worth keeping for every open node of a path.
  [[nodiscard]] bool fits() const noexcept { return size_ > 0 && size_ <= kMostCounters; }
  [[nodiscard]] std::size_t stride(std::size_t column) const noexcept {
    return (table_->columns[column].cells.size() + 15) / 16 * 16;
  }
  [[nodiscard]] const std::uint32_t* planes(std::int32_t histogram, std::size_t column) const noexcept {
    return all_[static_cast<std::size_t>(histogram)].data() + begins_[column];
  }

  /// The histogram of some rows.
  std::int32_t count(std::span<const RowId> rows) {
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
      for (std::size_t j = 0; j < begins_.size(); ++j) {
        if (!has(j)) continue;
        const std::uint8_t* ranks = table_->columns[j].narrow.data();
        const std::size_t stride = this->stride(j);
        std::uint32_t* planes = counters.data() + begins_[j];
        for (std::size_t i = 0; i < rows.size(); ++i) ++planes[classes_[i] * stride + ranks[rows[i]]];
      }
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
  static constexpr std::size_t kMostCounters = std::size_t{1} << 20;
  const RankedTable* table_;
  const TargetsT* targets_;
  std::vector<std::size_t> begins_;  // of the columns' planes in a histogram
  std::size_t size_ = 0;
  std::vector<std::vector<std::uint32_t>> all_;
  std::vector<std::int32_t> free_;
  std::vector<std::uint32_t> classes_;  // of the rows that are counted
};

}  // namespace bough
