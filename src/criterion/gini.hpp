// SPDX-License-Identifier: Apache-2.0
// Gini impurity (Breiman, Friedman, Olshen, Stone 1984): 1 - sum p_c^2.
//
// With l, r, t the class weights left, right and in all and a, b, w their sums, the decrease of weight * impurity is
//   sum l^2/a + sum r^2/b - sum t^2/w = sum_c (b l_c - a r_c)^2 / (a b w),
// whose right side has no cancellation: the differences are exact integers.
#pragma once

#include "criterion/stats.hpp"

namespace bough {

struct Gini {
  static double impurity(const ClassSide& node) noexcept {
    return impurity(node.counts, static_cast<double>(node.weight));
  }
  /// Of whole numbers, stored as they may be.
  template <class Count>
  static double impurity(std::span<const Count> counts, double weight) noexcept {
    double squares = 0.0;
    for (const Count c : counts) {
      const double p = static_cast<double>(c) / weight;
      squares += p * p;
    }
    const double impurity = 1.0 - squares;
    return impurity > 0.0 ? impurity : 0.0;
  }

  static double score(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    double squares = 0.0;
    if (parent.weight < (std::int64_t{1} << 31)) {
      for (std::size_t c = 0; c < left.counts.size(); ++c) {
        const double d = static_cast<double>(right.weight * left.counts[c] - left.weight * right.counts[c]);
        squares += d * d;
      }
    } else {
      for (std::size_t c = 0; c < left.counts.size(); ++c) {
        const auto d = static_cast<double>(static_cast<int128>(right.weight) * left.counts[c] -
                                           static_cast<int128>(left.weight) * right.counts[c]);
        squares += d * d;
      }
    }
    return squares / (static_cast<double>(left.weight) * static_cast<double>(right.weight)) /
           static_cast<double>(parent.weight);
  }

  static double gain(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    return score(parent, left, right);
  }
};

}  // namespace bough
