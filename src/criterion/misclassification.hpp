// SPDX-License-Identifier: Apache-2.0
// Misclassification (resubstitution error): 1 - max p_c. Exact in integers; flat, so many splits tie at 0.
#pragma once

#include <algorithm>

#include "criterion/stats.hpp"

namespace bough {

struct Misclassification {
  static std::int64_t majority(const ClassSide& node) noexcept {
    return *std::max_element(node.counts.begin(), node.counts.end());
  }

  static double impurity(const ClassSide& node) noexcept {
    return static_cast<double>(node.weight - majority(node)) / static_cast<double>(node.weight);
  }

  static double score(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    return static_cast<double>(majority(left) + majority(right) - majority(parent));
  }

  static double gain(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    return score(parent, left, right);
  }
};

}  // namespace bough
