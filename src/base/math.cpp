// SPDX-License-Identifier: Apache-2.0
// Logarithms from the atanh series, in plain double arithmetic.
#include "base/math.hpp"

#include <bit>
#include <cstdint>
#include <limits>

namespace bough {
namespace {

struct Parts {
  double exponent;
  double log_mantissa;  // ln of a mantissa in [sqrt(1/2), sqrt(2))
};

// 1/3 + z/5 + z^2/7 + ...
double atanh_tail(double z) noexcept {
  double sum = 1.0 / 23.0;
  for (int k = 21; k >= 3; k -= 2) sum = sum * z + 1.0 / static_cast<double>(k);
  return sum;
}

// ln m = 2 atanh(s) = 2 (s + s^3/3 + s^5/5 + ...), s = (m - 1) / (m + 1), |s| < 0.1716: s^24 < 2^-61.
double log_near_one(double m) noexcept {
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  // f - s * (f - 2 z tail): keeps f, which is exact, as the leading term.
  return f - s * (f - 2.0 * z * atanh_tail(z));
}

Parts decompose(double x) noexcept {
  int shift = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    shift = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double mantissa = std::bit_cast<double>((bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);
  if (mantissa > 1.4142135623730951) {
    mantissa *= 0.5;
    ++exponent;
  }
  return {static_cast<double>(exponent + shift), log_near_one(mantissa)};
}

bool special(double x, double& result) noexcept {
  if (x > 0.0 && x <= std::numeric_limits<double>::max()) return false;
  if (x == 0.0) {
    result = -std::numeric_limits<double>::infinity();
  } else {
    result = x > 0.0 ? x : std::numeric_limits<double>::quiet_NaN();
  }
  return true;
}

}  // namespace

double log_exact(double x) noexcept {
  double result = 0.0;
  if (special(x, result)) return result;
  // ln 2 in two parts: the first has 33 bits, so its product with an exponent is exact.
  constexpr double ln2_high = 0x1.62e42feep-1;
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  const Parts parts = decompose(x);
  return parts.exponent * ln2_high + (parts.exponent * ln2_low + parts.log_mantissa);
}

double exp_exact(double x) noexcept {
  if (!(x > -708.0)) return x == x ? 0.0 : x;
  if (x > 709.0) return std::numeric_limits<double>::infinity();
  constexpr double ln2_high = 0x1.62e42feep-1;
  constexpr double ln2_low = 0x1.a39ef35793c76p-33;
  constexpr double inverse_ln2 = 0x1.71547652b82fep0;
  const double k = std::floor(x * inverse_ln2 + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;  // |r| < 0.35: r^18 / 18! < 2^-79
  double sum = 1.0;
  for (int i = 17; i >= 1; --i) sum = 1.0 + sum * r / static_cast<double>(i);
  return std::ldexp(sum, static_cast<int>(k));
}

double xlogx_excess(double d) noexcept {
  if (d < -0.29 || d > 0.41) return xlogx(1.0 + d) - d;
  // With ln(1 + d) = d - s (d - 2 z tail) and s = d / (2 + d) the terms of first order cancel by algebra.
  const double s = d / (2.0 + d);
  const double z = s * s;
  return s * (d + 2.0 * (1.0 + d) * z * atanh_tail(z));
}

double log2_exact(double x) noexcept {
  double result = 0.0;
  if (special(x, result)) return result;
  constexpr double inverse_ln2 = 0x1.71547652b82fep0;
  const Parts parts = decompose(x);
  return parts.exponent + parts.log_mantissa * inverse_ln2;
}

}  // namespace bough
