// SPDX-License-Identifier: Apache-2.0
// What the ends of one tree of a forest add to the sum of all trees, ready to be added.
//
// Most leaves of a forest's trees hold one class: then a word says which, and the shares are not even stored.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/combine.hpp"
#include "predict/compact.hpp"

namespace bough {

class EndSums {
 public:
  using Slot = CompactTree::Slot;

  /// Of tree `i` of the combiner's model.
  EndSums(Combiner& combiner, std::size_t i, const CompactTree& compact);

  /// Adds to the sum of a row what Combiner::add would for a row that ends at `place`; false where that is nothing.
  bool add(Slot place, double* sum) const noexcept {
    const std::uint32_t end = ends_[place];
    if (end < kMany) {
      sum[end] += 1.0;
      return true;
    }
    if (end == kSilent) return false;
    const double* values = values_.data() + (end - kMany) * width_;
    for (std::size_t i = 0; i < width_; ++i) sum[i] += values[i];
    return true;
  }

 private:
  static constexpr std::uint32_t kMany = 0x80000000U, kSilent = 0xffffffffU;

  std::size_t width_;
  std::vector<std::uint32_t>
      ends_;  // by place: the one number that 1 is added to, or kMany + a row of values_
  std::vector<double> values_;
};

}  // namespace bough
