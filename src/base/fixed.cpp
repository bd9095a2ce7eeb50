// SPDX-License-Identifier: Apache-2.0
// Fixed-point numbers.
#include "base/fixed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/buffer.hpp"
#include "base/fixed_scale.hpp"
#include "base/internal_limits.hpp"
#include "base/parallel.hpp"

namespace bough {
namespace {

constexpr int kSumBits = 61;

// Whole numbers of less than 2^20, of which fewer than 2^32 add up to little enough: they stay themselves.
bool take_counts(std::span<const double> weights, std::vector<std::int64_t>& values) {
  if (weights.size() >= (std::size_t{1} << 32)) return false;
  bool whole = true;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto count = static_cast<std::int32_t>(weights[i] < 0x1p20 ? weights[i] : 0.5);
    whole &= static_cast<double>(count) == weights[i];
    values[i] = count;
  }
  return whole;
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
  return static_cast<int>(top != 0 ? 64 + std::bit_width(top)
                                   : std::bit_width(static_cast<std::uint64_t>(value)));
}

std::int64_t to_fixed(double value, int exponent) noexcept {
  return PowerOfTwo(exponent).nearest(value);
}

FixedWeights fix_weights(std::span<const double> weights) {
  FixedWeights fixed;
  fixed.values.resize(weights.size());
  if (take_counts(weights, fixed.values)) return fixed;
  const double largest = weights.empty() ? 0.0 : *std::max_element(weights.begin(), weights.end());
  if (largest <= 0.0) return fixed;
  const SizeUnits sizes(largest);
  uint128 units = 0;
  for (const double w : weights) units += sizes.of(w);
  const int room = kSumBits - sizes.sum_top(units);
  int bits = 0;
  const auto whole = [](double w) {
    return w < 0x1p62 && static_cast<double>(static_cast<std::int64_t>(w)) == w;
  };
  for (const double w : weights)
    if (!whole(w)) bits = fraction_bits(w, bits, std::max(room, 0));
  fixed.exponent = weight_exponent(largest, units, bits);
  const PowerOfTwo scale(fixed.exponent);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    fixed.values[i] = scale.nearest(weights[i]);
    if (fixed.lost < 0 && loses_weight(weights[i], fixed.values[i], scale))
      fixed.lost = static_cast<std::int64_t>(i);
  }
  return fixed;
}

Fixed fix_targets(std::span<const double> targets, std::span<const std::int64_t> weights,
                  int exponent_of_weights) {
  Fixed fixed;
  const std::size_t at_once = internal_limits().parallel_rows;
  const std::size_t n = targets.size();
  fixed.values = zeros<std::int64_t>(n);
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1 : weights[i]; };
  // 0 where the row weighs nothing. Which rows do is as good as random to a processor, so that there is no branch.
  const auto weighed = [&](std::size_t i) {
    const std::uint64_t kept = std::uint64_t{0} - static_cast<std::uint64_t>(weight(i) != 0 ? 1 : 0);
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(targets[i]) & kept);
  };
  const auto largest_of = [&](std::size_t begin, std::size_t end) {
    double largest = 0.0;
    for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::fabs(weighed(i)));
    return largest;
  };
  const double largest =
      parallel_reduce(n, at_once, 0.0, largest_of, [](double a, double b) { return std::max(a, b); });
  if (largest == 0.0) return fixed;
  const SizeUnits sizes(largest);
  struct Total {
    uint128 units = 0;
    std::int64_t weight = 0;
  };
  const auto total_of = [&](std::size_t begin, std::size_t end) {
    Total total;
    for (std::size_t i = begin; i < end; ++i) {
      total.weight += weight(i);
      total.units +=
          static_cast<uint128>(sizes.of(std::fabs(weighed(i)))) * static_cast<std::uint64_t>(weight(i));
    }
    return total;
  };
  const Total total = parallel_reduce(n, at_once, Total{}, total_of, [](Total a, const Total& b) {
    return Total{a.units + b.units, a.weight + b.weight};
  });
  fixed.exponent = target_exponent(largest, total.units, exponent_of_weights, total.weight);
  const PowerOfTwo scale(fixed.exponent);
  parallel_ranges(n, at_once, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) fixed.values[i] = scale.nearest(weighed(i));
  });
  return fixed;
}

int fine_exponent(std::span<const double> values) noexcept {
  double largest = 0.0;
  for (const double v : values) largest = std::max(largest, std::fabs(v));
  return largest == 0.0 ? 0 : kSumBits - (std::ilogb(largest) + 1);
}

}  // namespace bough
