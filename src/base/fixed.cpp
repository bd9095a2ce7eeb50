// SPDX-License-Identifier: Apache-2.0
// Fixed-point numbers.
#include "base/fixed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace bough {
namespace {

constexpr int kSumBits = 61;

// Smallest number of fraction bits that makes every weight whole; at most `most`.
int fraction_bits(std::span<const double> weights, int most) noexcept {
  int bits = 0;
  for (const double w : weights) {
    while (bits < most && std::ldexp(w, bits) != std::floor(std::ldexp(w, bits))) ++bits;
  }
  return bits;
}

// Bits of sum(w * 2^exponent) rounded up, order-independent: each weight is rounded up to a multiple of 2^-40 of the
// largest first.
int sum_exponent(std::span<const double> weights, double largest) noexcept {
  const int top = std::ilogb(largest) + 1;  // largest < 2^top
  uint128 sum = 0;
  for (const double w : weights) sum += static_cast<uint128>(std::ceil(std::ldexp(w, 40 - top)));
  return bit_length(sum) - 40 + top;  // sum of weights < 2^this
}

}  // namespace

Wide& Wide::operator+=(const Wide& other) noexcept {
  low += other.low;
  high += other.high + (low < other.low ? 1 : 0);
  return *this;
}

Wide& Wide::operator-=(const Wide& other) noexcept {
  const bool borrow = low < other.low;
  low -= other.low;
  high -= other.high + (borrow ? 1 : 0);
  return *this;
}

Wide Wide::product(uint128 a, uint128 b) noexcept {
  const std::uint64_t a0 = static_cast<std::uint64_t>(a), a1 = static_cast<std::uint64_t>(a >> 64);
  const std::uint64_t b0 = static_cast<std::uint64_t>(b), b1 = static_cast<std::uint64_t>(b >> 64);
  Wide result{static_cast<uint128>(a1) * b1, static_cast<uint128>(a0) * b0};
  for (const uint128 cross : {static_cast<uint128>(a0) * b1, static_cast<uint128>(a1) * b0})
    result += Wide{cross >> 64, cross << 64};
  return result;
}

Wide Wide::times(std::uint64_t b) const noexcept {
  Wide result = product(low, b);
  result.high += high * b;
  return result;
}

double Wide::to_double() const noexcept {
  if (high == 0) return static_cast<double>(low);
  // The upper 128 bits with a sticky last bit for what is cut off: rounded once, wherever the number lies.
  const int shift = bit_length(high);
  const uint128 cut = shift == 128 ? high : (high << (128 - shift)) | (low >> shift);
  const bool rest = shift == 128 ? low != 0 : (low << (128 - shift)) != 0;
  return std::ldexp(static_cast<double>(cut | (rest ? 1 : 0)), shift);
}

int bit_length(uint128 value) noexcept {
  const auto top = static_cast<std::uint64_t>(value >> 64);
  return static_cast<int>(top != 0 ? 64 + std::bit_width(top) : std::bit_width(static_cast<std::uint64_t>(value)));
}

std::int64_t to_fixed(double value, int exponent) noexcept {
  return PowerOfTwo(exponent).nearest(value);
}

FixedWeights fix_weights(std::span<const double> weights) {
  FixedWeights fixed;
  fixed.values.resize(weights.size());
  const double largest = weights.empty() ? 0.0 : *std::max_element(weights.begin(), weights.end());
  if (largest <= 0.0) return fixed;
  const int room = kSumBits - sum_exponent(weights, largest);
  fixed.exponent = room > 0 ? fraction_bits(weights, room) : room;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    fixed.values[i] = to_fixed(weights[i], fixed.exponent);
    if (fixed.values[i] == 0 && weights[i] > 0.0 && fixed.lost < 0) fixed.lost = static_cast<std::int64_t>(i);
  }
  return fixed;
}

Fixed fix_targets(std::span<const double> targets, std::span<const std::int64_t> weights, int weight_exponent) {
  Fixed fixed;
  fixed.values.resize(targets.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (weights.empty() || weights[i] > 0) largest = std::max(largest, std::fabs(targets[i]));
  if (largest == 0.0) return fixed;
  const int top = std::ilogb(largest) + 1;
  const PowerOfTwo coarse(40 - top);
  uint128 sum = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!weights.empty() && weights[i] == 0) continue;
    const double units = coarse.times(std::fabs(targets[i]));  // below 2^40
    const auto floor = static_cast<std::uint64_t>(units);
    const std::uint64_t unit = floor + (static_cast<double>(floor) < units ? 1 : 0);
    sum += static_cast<uint128>(unit) * static_cast<std::uint64_t>(weights.empty() ? 1 : weights[i]);
  }
  const int sum_top = bit_length(sum) - weight_exponent + top - 40;  // sum w |y| < 2^sum_top
  fixed.exponent = kSumBits - std::max(sum_top, top);
  const PowerOfTwo scale(fixed.exponent);
  for (std::size_t i = 0; i < targets.size(); ++i)
    if (weights.empty() || weights[i] > 0) fixed.values[i] = scale.nearest(targets[i]);
  return fixed;
}

int fine_exponent(std::span<const double> values) noexcept {
  double largest = 0.0;
  for (const double v : values) largest = std::max(largest, std::fabs(v));
  return largest == 0.0 ? 0 : kSumBits - (std::ilogb(largest) + 1);
}

}  // namespace bough
