// SPDX-License-Identifier: Apache-2.0
// Numbers that doubles add up without rounding, so that sums do not depend on the order of their terms.
//
// Where parts of rows are divided again and again, weights cannot stay integers (base/fixed.hpp). They are rounded to
// multiples of a power of two instead, of which 2^52 make up the total at most: sums and differences of such numbers are
// multiples below 2^53, which doubles hold.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "base/fixed.hpp"

namespace bough {

class ExactGrid {
 public:
  /// For numbers of one sign whose sum is `total`.
  explicit ExactGrid(double total) noexcept : ExactGrid(total > 0.0 ? 51 - std::ilogb(total) : 0, {}) {}
  /// For these weights.
  explicit ExactGrid(std::span<const double> weights) : ExactGrid(total_of(weights)) {}
  [[nodiscard]] double nearest(double x) const noexcept {
    return down_.times(static_cast<double>(up_.nearest(x)));
  }

 private:
  struct Exponent {};
  ExactGrid(int exponent, Exponent) noexcept : up_(exponent), down_(-exponent) {}
  static double total_of(std::span<const double> weights) {
    const FixedWeights fixed = fix_weights(weights);
    std::int64_t total = 0;
    for (const std::int64_t w : fixed.values) total += w;
    return std::ldexp(static_cast<double>(total), -fixed.exponent);
  }

  PowerOfTwo up_, down_;
};

/// Weights whose sums are exact.
inline std::vector<double> exact_weights(std::span<const double> weights) {
  const ExactGrid grid(weights);
  std::vector<double> out;
  out.reserve(weights.size());
  for (const double w : weights) out.push_back(grid.nearest(w));
  return out;
}

/// The sum from the lowest to the highest term: rounded, but the same for every order that they come in.
inline double sorted_sum(std::vector<double> terms) {
  std::sort(terms.begin(), terms.end());
  return std::accumulate(terms.begin(), terms.end(), 0.0);
}

}  // namespace bough
