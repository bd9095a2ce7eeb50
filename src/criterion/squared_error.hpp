// SPDX-License-Identifier: Apache-2.0
// Squared error (variance reduction; Fisher 1958, CART): mean of (y - mean y)^2.
//
// The decrease of the sum of squares is (w_r s_l - w_l s_r)^2 / (w w_l w_r) with s the sums of y, and the difference is an
// exact integer: no common mean, however large, costs digits, and equal means score exactly 0.
#pragma once

#include "criterion/stats.hpp"

namespace bough {

struct SquaredError {
  static constexpr int kTargetPower = 2;
  static constexpr bool kNeedsPositiveSum = false;

  static double score(const ParentMoments& parent, const Moments& left, const Moments& right) noexcept {
    const double wl = static_cast<double>(left.weight);
    const double wr = static_cast<double>(right.weight);
    const double d = cross(parent, left);
    // Two divisions keep the square from overflowing: d / (wl wr) is the difference of the means.
    return d / (wl * wr) * d / static_cast<double>(parent.weight);
  }

  static bool allows(const Moments&) noexcept { return true; }
};

}  // namespace bough
