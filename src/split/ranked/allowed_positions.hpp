// SPDX-License-Identifier: Apache-2.0
// Limits on the rows and the weight of leaves, for the positions of a column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "split/ranked/ranked_targets.hpp"
#include "split/subtree.hpp"

namespace bough {

class AllowedPositions {
 public:
  /// Leaves the positions with enough rows and weight on both sides.
  template <class TargetsT>
  void leave(RankedPositions& at, std::size_t n_rows, const TargetsT& targets, const SubtreeRules& rules) {
    rows_at_.assign(at.count, 0);
    weights_at_.assign(at.count, 0);
    std::int64_t all = 0;
    for (std::size_t i = 0; i < n_rows; ++i) {
      ++rows_at_[at.ranks[i] - at.low];
      weights_at_[at.ranks[i] - at.low] += targets.weight(i);
      all += targets.weight(i);
    }
    const auto enough = [&](std::int64_t n, std::int64_t weight) {
      return n >= rules.min_samples_leaf && static_cast<double>(weight) >= rules.min_weight;
    };
    const auto n = static_cast<std::int64_t>(n_rows);
    std::int64_t left = 0, weight = 0;
    std::size_t end = 0;
    at.begin = at.end;
    for (std::size_t p = 0; p < at.end; ++p) {
      left += rows_at_[p];
      weight += weights_at_[p];
      if (enough(left, weight)) at.begin = std::min(at.begin, p);
      if (enough(n - left, all - weight)) end = p + 1;
    }
    at.end = std::max(end, at.begin);
  }

 private:
  std::vector<std::uint32_t> rows_at_;
  std::vector<std::int64_t> weights_at_;
};

}  // namespace bough
