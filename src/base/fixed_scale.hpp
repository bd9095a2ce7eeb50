// SPDX-License-Identifier: Apache-2.0
// How fixed points are chosen, from sums that several blocks of numbers can make of their own and add up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/fixed.hpp"

namespace bough {

/// Fraction bits that make a weight whole, at most `most`; `least` of them at least.
inline int fraction_bits(double weight, int least, int most) noexcept {
  int bits = least;
  while (bits < most && std::ldexp(weight, bits) != std::floor(std::ldexp(weight, bits))) ++bits;
  return bits;
}
/// More than any weight has.
inline constexpr int kMostFractionBits = 1100;

/// A size (>= 0) in units of 2^-40 of the power of two above the largest, rounded up: sums of units do not
/// depend on order.
class SizeUnits {
 public:
  explicit SizeUnits(double largest) noexcept : top_(std::ilogb(largest) + 1), scale_(40 - top_) {}
  [[nodiscard]] std::uint64_t of(double size) const noexcept {
    const double units = scale_.times(size);  // at most 2^40
    const auto floor = static_cast<std::uint64_t>(units);
    return floor + (static_cast<double>(floor) < units ? 1 : 0);
  }
  /// Sizes whose units add up to `sum` add up to less than 2^this.
  [[nodiscard]] int sum_top(uint128 sum) const noexcept { return bit_length(sum) - 40 + top_; }
  [[nodiscard]] int top() const noexcept { return top_; }

 private:
  int top_;
  PowerOfTwo scale_;
};

/// The exponent of weights whose largest is `largest` (> 0), whose units add up to `units`, and that need
/// `bits` fraction bits.
inline int weight_exponent(double largest, uint128 units, int bits) noexcept {
  const int room = 61 - SizeUnits(largest).sum_top(units);
  return room > 0 ? std::min(bits, room) : room;
}

/// Whether the fixed point of a weight is more than 2^-8 of it away: the weight is some 2^52 times smaller than the sum,
/// where sums of doubles lose it too.
inline bool loses_weight(double weight, std::int64_t fixed, const PowerOfTwo& scale) noexcept {
  const double wanted = scale.times(weight);
  return std::fabs(static_cast<double>(fixed) - wanted) > 0x1p-8 * wanted;
}
inline bool loses_weight(double weight, std::int64_t fixed, int exponent) noexcept {
  return loses_weight(weight, fixed, PowerOfTwo(exponent));
}

/// Weights that add up to more count like this sum: no table has as many rows, and larger weights cost
/// targets no digits.
inline constexpr int kMostWeightBits = 32;

/// The exponent of targets whose largest size is `largest` (> 0) and whose units times fixed-point weights
/// add up to `units`. `total`: the sum of the fixed-point weights.
inline int target_exponent(double largest, uint128 units, int weight_exponent, std::int64_t total) noexcept {
  const SizeUnits sizes(largest);
  const int weight_bits = bit_length(static_cast<uint128>(total)) - weight_exponent;
  const int spare = std::max(0, weight_bits - kMostWeightBits);
  return 61 - std::max(sizes.sum_top(units) - weight_exponent - spare, sizes.top());
}

}  // namespace bough
