// SPDX-License-Identifier: Apache-2.0
// Functions of small counts as tables, made once: small trees should not pay for them.
#pragma once

#include <algorithm>
#include <vector>

#include "base/internal_limits.hpp"
#include "base/math.hpp"
#include "split/small/small_kernels.hpp"

namespace bough {

/// x^2 or x log x for x = 0 .. kMostSmallRows.
inline const std::vector<double>& count_values(bool squares) {
  const auto make = [](auto f) {
    std::vector<double> table(kMostSmallRows + 1);
    for (std::size_t x = 0; x < table.size(); ++x) table[x] = f(static_cast<double>(x));
    return table;
  };
  static const std::vector<double> square = make([](double x) { return x * x; });
  static const std::vector<double> times_log = make([](double x) { return xlogx(x); });
  return squares ? square : times_log;
}

/// 1 / x for x = 1 .. kMostSmallRows, and 0 for 0; padded for vector loads.
template <class T>
const std::vector<T>& count_reciprocals() {
  static const std::vector<T> table = [] {
    std::vector<T> out(kMostSmallRows + 1 + kListPad, T{0});
    for (std::size_t x = 1; x <= kMostSmallRows; ++x) out[x] = static_cast<T>(1.0 / static_cast<double>(x));
    return out;
  }();
  return table;
}

}  // namespace bough
