// SPDX-License-Identifier: Apache-2.0
// A plain decimal at the front of NUL-terminated text, fast.
//
// A decimal m / 10^k with m <= 2^53 and k <= 22 is two exact doubles and one correctly rounded division,
// hence the correctly rounded value (Clinger 1990, "How to read floating point numbers accurately").
// Everything else goes to parse_double, which is exact too.
#pragma once

#include <cstdint>

#include "bough/parse_double.hpp"

namespace bough {

struct ScannedNumber {
  const char* end = nullptr;  ///< behind the number; null when there is none, or none that is simple
  double value = 0.0;
  bool whole = false;   ///< digits only, exactly representable
  bool letter = false;  ///< digits, e and digits: 1e2, which may be a code
};

inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Reads [-]digits[.digits][e[+-]digits] at `text`. `end` bounds the text; *end must be readable and no
/// digit.
inline ScannedNumber scan_number(const char* text, const char* end) noexcept {
  const char* at = text;
  const bool negative = *at == '-';
  at += negative ? 1 : 0;
  const char* const first = at;
  std::uint64_t mantissa = 0;
  unsigned digit = 0;
  while ((digit = static_cast<unsigned>(*at) - '0') < 10) {
    mantissa = mantissa * 10 + digit;
    ++at;
  }
  auto n_digits = at - first;
  std::ptrdiff_t n_decimals = 0;
  const bool point = *at == '.';
  if (point) {
    const char* const decimals = ++at;
    while ((digit = static_cast<unsigned>(*at) - '0') < 10) {
      mantissa = mantissa * 10 + digit;
      ++at;
    }
    n_decimals = at - decimals;
    n_digits += n_decimals;
  }
  if (n_digits == 0) return {};
  const bool exponent = (*at | 0x20) == 'e';
  if (n_digits > 19 || mantissa > (std::uint64_t{1} << 53) || exponent) {
    if (!point && !exponent) return {};
    double value = 0.0;
    const auto [stop, status] = parse_double(text, end, value);
    if (status != std::errc()) return {};
    const bool letter = exponent && !negative && !point && static_cast<unsigned>(at[1]) - '0' < 10;
    return {stop, value + 0.0, false, letter};
  }
  double value = static_cast<double>(mantissa);
  if (n_decimals > 0) value /= kPowersOfTen[n_decimals];
  return {at, (negative ? -value : value) + 0.0, !point};
}

}  // namespace bough
