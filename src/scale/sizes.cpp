// SPDX-License-Identifier: Apache-2.0
// Sizes in bytes, as people write and read them.
#include "scale/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "bough/out_of_core.hpp"

namespace bough {

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"bytes", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1000.0;
    ++unit;
  }
  return fmt::format("{:.3g} {}", value, kUnits[unit]);
}

std::int64_t parse_bytes(const std::string& text) {
  struct Unit {
    std::string_view name;
    double factor;
  };
  static constexpr Unit kUnits[] = {{"b", 1.0},      {"kb", 1e3},     {"mb", 1e6},     {"gb", 1e9},
                                    {"tb", 1e12},    {"kib", 1024.0}, {"mib", 0x1p20}, {"gib", 0x1p30},
                                    {"tib", 0x1p40}, {"", 1.0}};
  std::string lower(trim(text));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const std::size_t digits = lower.find_first_not_of("0123456789.");
  const std::optional<double> number = parse_number(std::string_view(lower).substr(0, digits));
  const std::string_view unit =
      digits == std::string::npos ? "" : trim(std::string_view(lower).substr(digits));
  const auto found =
      std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return u.name == unit; });
  if (!number || found == std::end(kUnits) || !(*number > 0.0) || *number * found->factor > 9e18)
    throw Error(ErrorCode::bad_params, fmt::format("'{}' is no size", text),
                "write it as 500MB, 2GB or 1.5GiB");
  return static_cast<std::int64_t>(*number * found->factor);
}

}  // namespace bough
