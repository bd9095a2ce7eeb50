// SPDX-License-Identifier: Apache-2.0
// Gauss-Legendre quadrature on [0, 1]: exact for polynomials of degree up to 2 n - 1.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

namespace bough {

struct Quadrature {
  std::vector<double> points;
  std::vector<double> weights;  ///< all positive, summing to 1
};

inline Quadrature gauss_legendre(std::size_t n) {
  Quadrature out;
  out.points.resize(n);
  out.weights.resize(n);
  const auto count = static_cast<double>(n);
  for (std::size_t i = 0; i < (n + 1) / 2; ++i) {
    double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (count + 0.5)), slope = 1.0;
    for (int step = 0; step < 100; ++step) {
      double before = 1.0, here = x;  // Legendre polynomials of degree k - 1 and k
      for (std::size_t k = 2; k <= n; ++k) {
        const auto d = static_cast<double>(k);
        const double next = ((2.0 * d - 1.0) * x * here - (d - 1.0) * before) / d;
        before = here;
        here = next;
      }
      slope = count * (x * here - before) / (x * x - 1.0);
      const double move = here / slope;
      x -= move;
      if (std::fabs(move) < 1e-15) break;
    }
    const double weight = 1.0 / ((1.0 - x * x) * slope * slope);
    out.points[i] = (1.0 - x) / 2.0;
    out.points[n - 1 - i] = (1.0 + x) / 2.0;
    out.weights[i] = out.weights[n - 1 - i] = weight;
  }
  return out;
}

}  // namespace bough
