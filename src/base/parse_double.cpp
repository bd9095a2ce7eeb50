// SPDX-License-Identifier: Apache-2.0
// Doubles by strtod: the end of the number is found here, because strtod takes more than std::from_chars does.
#include "bough/parse_double.hpp"

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <locale>  // newlocale, on systems where <clocale> has none
#include <string>
#include <string_view>
#include <system_error>

namespace bough {

std::from_chars_result parse_double_by_strtod(const char* first, const char* last, double& value) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto begins = [&](const char* at, std::string_view word) {
    if (static_cast<std::size_t>(last - at) < word.size()) return false;
    for (const char c : word)
      if ((*at++ | 0x20) != c) return false;
    return true;
  };
  const char* at = first != last && *first == '-' ? first + 1 : first;
  bool is_zero = true, has_digits = false;
  const auto skip_digits = [&] {
    for (; at != last && is_digit(*at); ++at) {
      has_digits = true;
      is_zero = is_zero && *at == '0';
    }
  };
  if (begins(at, "inf")) {
    at += begins(at, "infinity") ? 8 : 3;
    is_zero = false;
    value = *first == '-' ? -HUGE_VAL : HUGE_VAL;
    return {at, std::errc()};
  }
  if (begins(at, "nan")) {
    at += 3;
    value = *first == '-' ? -std::nan("") : std::nan("");
    return {at, std::errc()};
  }
  skip_digits();
  if (at != last && *at == '.') {
    ++at;
    skip_digits();
  }
  if (!has_digits) return {first, std::errc::invalid_argument};
  if (at != last && (*at | 0x20) == 'e') {
    const char* exponent = at + 1;
    if (exponent != last && (*exponent == '+' || *exponent == '-')) ++exponent;
    const char* const digits = exponent;
    while (exponent != last && is_digit(*exponent)) ++exponent;
    if (exponent != digits) at = exponent;
  }
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const double found = strtod_l(std::string(first, at).c_str(), nullptr, plain);
  if (std::isinf(found) || (found == 0.0 && !is_zero)) return {at, std::errc::result_out_of_range};
  value = found;
  return {at, std::errc()};
}

}  // namespace bough
