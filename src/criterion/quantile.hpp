// SPDX-License-Identifier: Apache-2.0
// Absolute error (median) and quantile (pinball) loss: not additive, so search works on ordered targets.
//
// The loss of a side with quantile q at level a is a * sum (y - q)+ + (1 - a) * sum (q - y)+, both sums exact integers. The
// quantile is the smallest y whose cumulated weight reaches a * weight; where it is reached exactly, the value of a leaf is
// the midpoint with the next y (the loss is the same at both). absolute_error is twice the loss at a = 1/2.
#pragma once

#include "criterion/stats.hpp"

namespace bough {

struct QuantileLoss {
  double level = 0.5;   ///< a
  double factor = 2.0;  ///< 2 for absolute_error, 1 for quantile

  /// True when `cumulated` weight reaches the level's share of `weight`.
  [[nodiscard]] bool reached(std::int64_t cumulated, std::int64_t weight) const noexcept {
    return static_cast<double>(cumulated) >= level * static_cast<double>(weight);
  }
  [[nodiscard]] bool reached_exactly(std::int64_t cumulated, std::int64_t weight) const noexcept {
    return static_cast<double>(cumulated) == level * static_cast<double>(weight);
  }
  /// Loss from sum (y - q)+ and sum (q - y)+.
  template <class Integer>
  [[nodiscard]] double loss(Integer above, Integer below) const noexcept {
    return factor * (level * static_cast<double>(above) + (1.0 - level) * static_cast<double>(below));
  }
};

}  // namespace bough
