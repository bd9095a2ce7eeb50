// SPDX-License-Identifier: Apache-2.0
// Fixed-point numbers: sums that do not depend on the order of their terms.
//
// Weights and targets become 64-bit integers times a power of two, so that sums are exact and every thread, engine and
// worker adds up to the same bits. Sums of products use 128 bits; sums of weighted squares use 256.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace bough {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

/// Unsigned 256-bit integer with the few operations that variances need.
struct Wide {
  uint128 high = 0;
  uint128 low = 0;

  Wide& operator+=(const Wide& other) noexcept;
  Wide& operator-=(const Wide& other) noexcept;
  /// a * b, exact.
  static Wide product(uint128 a, uint128 b) noexcept;
  /// This times b; the result must fit.
  [[nodiscard]] Wide times(std::uint64_t b) const noexcept;
  /// Nearest double (to 1 ulp).
  [[nodiscard]] double to_double() const noexcept;
};

/// Numbers as integer * 2^-exponent.
struct Fixed {
  std::vector<std::int64_t> values;
  int exponent = 0;
};

/// Weights (finite, >= 0) in fixed point with a sum below 2^61: whole numbers stay themselves, dyadic fractions are exact,
/// anything else is rounded to the nearest. `lost`: the first row whose weight is off by more than 2^-8 of itself, or -1.
struct FixedWeights : Fixed {
  std::int64_t lost = -1;
};
FixedWeights fix_weights(std::span<const double> weights);

/// Targets (finite) in fixed point: |y| < 2^61 and sum |y| * weight < 2^61 (weights as they are; target_exponent: large ones).
/// The scale depends on the weighted multiset of values only: not on the order of rows, and a row twice counts like
/// weight 2. `weights` may be empty (all 1). Rows of weight 0 have no say and become 0.
Fixed fix_targets(std::span<const double> targets, std::span<const std::int64_t> weights,
                  int weight_exponent);

/// The exponent at which the largest |value| uses 61 bits; 0 when all are 0.
int fine_exponent(std::span<const double> values) noexcept;
/// x * 2^exponent, as ldexp gives it.
class PowerOfTwo {
 public:
  explicit PowerOfTwo(int exponent) noexcept
      : exponent_(exponent),
        factor_(exponent >= -1022 && exponent <= 1023 ? std::ldexp(1.0, exponent) : 0.0) {}
  [[nodiscard]] double times(double x) const noexcept {
    return factor_ != 0.0 ? x * factor_ : std::ldexp(x, exponent_);
  }
  /// The nearest integer to that, halves to even; below 2^63.
  [[nodiscard]] std::int64_t nearest(double x) const noexcept { return round(times(x)); }
  static std::int64_t round(double x) noexcept {
    const double shift = x < 0.0 ? -0x1p52 : 0x1p52;
    return static_cast<std::int64_t>(std::fabs(x) < 0x1p52 ? (x + shift) - shift : x);
  }

 private:
  int exponent_;
  double factor_;
};
/// Nearest integer to value * 2^exponent.
std::int64_t to_fixed(double value, int exponent) noexcept;

/// Number of bits of a magnitude (0 for 0).
int bit_length(uint128 value) noexcept;
/// |value|.
inline uint128 magnitude(int128 value) noexcept {
  return value < 0 ? uint128{0} - static_cast<uint128>(value) : static_cast<uint128>(value);
}

}  // namespace bough
