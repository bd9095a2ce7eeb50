// SPDX-License-Identifier: Apache-2.0
// Half Poisson deviance: mean of y log(y / m) with m the mean; targets are counts or rates, y >= 0.
//
// The decrease of the sum is s_l log((s_l / w_l) / (s / w)) + s_r log((s_r / w_r) / (s / w)): a divergence, never negative.
// Both children need a positive sum.
#pragma once

#include "base/math.hpp"
#include "criterion/stats.hpp"

namespace bough {

struct Poisson {
  static constexpr int kTargetPower = 1;

  static double score(const ParentMoments& parent, const Moments& left, const Moments& right) noexcept {
    const double rate = static_cast<double>(parent.sum) / static_cast<double>(parent.weight);
    const auto part = [&](const Moments& side) {
      const double sum = static_cast<double>(side.sum);
      return sum > 0.0 ? sum * log_exact(sum / static_cast<double>(side.weight) / rate) : 0.0;
    };
    const double gain = part(left) + part(right);
    return gain > 0.0 ? gain : 0.0;
  }

  static bool allows(const Moments& side) noexcept { return side.sum > 0; }
};

}  // namespace bough
