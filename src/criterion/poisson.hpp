// SPDX-License-Identifier: Apache-2.0
// Half Poisson deviance: mean of y log(y / m) with m the mean; targets are counts or rates, y >= 0.
//
// The decrease of the sum is s_l log((s_l / w_l) / m) + s_r log((s_r / w_r) / m): a divergence, never negative. With
// d = (s_l / w_l) / m - 1 and the like on the right, sum w m d = 0, so that it equals
//   w_l m ((1 + d_l) log(1 + d_l) - d_l) + w_r m ((1 + d_r) log(1 + d_r) - d_r),
// where neither side is negative and nothing cancels; d comes from exact integers, and equal means score exactly 0.
// Both children need a positive sum.
#pragma once

#include "base/math.hpp"
#include "criterion/stats.hpp"

namespace bough {

struct Poisson {
  static constexpr int kTargetPower = 1;
  static constexpr bool kNeedsPositiveSum = true;

  static double score(const ParentMoments& parent, const Moments& left, const Moments& right) noexcept {
    const double sum = static_cast<double>(parent.sum);
    const double mean = sum / static_cast<double>(parent.weight);
    const double difference = cross(parent, left);
    const auto part = [&](const Moments& side, double sign) {
      const double w = static_cast<double>(side.weight);
      const double d = sign * difference / (w * sum);
      return w * mean * xlogx_excess(d > -1.0 ? d : -1.0);
    };
    return part(left, 1.0) + part(right, -1.0);
  }

  static bool allows(const Moments& side) noexcept { return side.sum > 0; }
};

}  // namespace bough
