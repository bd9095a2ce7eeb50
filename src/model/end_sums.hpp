// SPDX-License-Identifier: Apache-2.0
// What the ends of one tree of a forest add to the sum of all trees, ready to be added.
//
// Most leaves of a forest's trees hold one class: then a word says which. The others keep their numbers that
// are not 0. Beyond kMostReady numbers per row nothing is kept: ends times classes would not fit any memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/combine.hpp"
#include "predict/compact.hpp"

namespace bough {

class EndSums {
 public:
  using End = CompactTree::End;

  /// Of tree `i` of the combiner's model. `compact` must outlive this.
  EndSums(Combiner& combiner, std::size_t i, const CompactTree& compact);

  /// Adds to the sum of a row what Combiner::add would for a row that ends at `end`; false where that is nothing.
  bool add(Combiner& combiner, End end, double* sum) const {
    if (codes_.empty()) return values_.empty() ? add_fresh(combiner, end, sum) : add_number(end, sum);
    const std::uint32_t code = codes_[end];
    if (code < kMany) {
      sum[code] += 1.0;
      return true;
    }
    if (code == kSilent) return false;
    add_numbers(code, sum);
    return true;
  }

  /// Whether every end says something that is ready: then add_all() does what add() does for each row.
  [[nodiscard]] bool all_ready() const noexcept { return all_ready_; }
  /// Adds to the sums of rows that end at `ends`.
  void add_all(std::span<const End> ends, std::span<double> sums) const noexcept {
    const std::size_t width = sums.size() / ends.size();
    if (codes_.empty()) {
      for (std::size_t i = 0; i < ends.size(); ++i) sums[i] += values_[ends[i]];
      return;
    }
    double* sum = sums.data();
    for (const End end : ends) {
      const std::uint32_t code = codes_[end];
      code < kMany ? static_cast<void>(sum[code] += 1.0) : add_numbers(code, sum);
      sum += width;
    }
  }

 private:
  static constexpr std::uint32_t kMany = 0x80000000U, kSilent = 0xffffffffU;
  static constexpr std::size_t kMostReady = 256;

  void add_numbers(std::uint32_t code, double* sum) const noexcept {
    for (std::uint32_t k = starts_[code - kMany]; k < starts_[code - kMany + 1]; ++k)
      sum[indices_[k]] += values_[k];
  }
  bool add_number(End end, double* sum) const noexcept {
    if (std::isnan(values_[end])) return false;
    *sum += values_[end];
    return true;
  }
  bool add_fresh(Combiner& combiner, End end, double* sum) const;

  std::size_t tree_;
  const CompactTree* compact_;
  // By end: the one class that 1 is added to, kSilent, or kMany + k: numbers starts_[k] .. starts_[k + 1]. Empty
  // where a row has one number, which is values_[end], and where nothing is ready.
  std::vector<std::uint32_t> codes_;
  std::vector<std::uint32_t> starts_, indices_;
  std::vector<double> values_;
  bool all_ready_ = false;
};

}  // namespace bough
