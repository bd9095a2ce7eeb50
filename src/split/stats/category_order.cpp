// SPDX-License-Identifier: Apache-2.0
// Power iteration for the order of category levels.
#include "split/stats/category_order.hpp"

#include <cmath>

namespace bough {

std::vector<double> principal_direction(std::span<const double> points, std::span<const double> weights,
                                        std::size_t d) {
  const std::size_t n = weights.size();
  std::vector<double> centre(d, 0.0), direction(d), next(d);
  double total = 0.0;
  for (std::size_t l = 0; l < n; ++l) {
    total += weights[l];
    for (std::size_t c = 0; c < d; ++c) centre[c] += weights[l] * points[l * d + c];
  }
  for (double& c : centre) c /= total;
  // A start that no natural symmetry makes orthogonal to the answer.
  for (std::size_t c = 0; c < d; ++c)
    direction[c] = 1.0 / static_cast<double>(c + 1) * (c % 2 == 0 ? 1.0 : -1.0);
  for (int step = 0; step < 20; ++step) {
    std::fill(next.begin(), next.end(), 0.0);
    for (std::size_t l = 0; l < n; ++l) {
      double dot = 0.0;
      for (std::size_t c = 0; c < d; ++c) dot += (points[l * d + c] - centre[c]) * direction[c];
      for (std::size_t c = 0; c < d; ++c) next[c] += weights[l] * dot * (points[l * d + c] - centre[c]);
    }
    double norm = 0.0;
    for (const double x : next) norm += x * x;
    if (norm <= 0.0) break;
    norm = std::sqrt(norm);
    for (std::size_t c = 0; c < d; ++c) direction[c] = next[c] / norm;
  }
  return direction;
}

}  // namespace bough
