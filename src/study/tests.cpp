// SPDX-License-Identifier: Apache-2.0
// Tests of paired scores: Student's, corrected for resampling, McNemar's, and Holm's adjustment.
//
// Scores of overlapping training sets are not independent, so s^2 / J is too small for the variance of their
// mean; Nadeau and Bengio ("Inference for the generalization error", 2003) put (1 / J + n_test / n_train) s^2
// in its place.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/distributions.hpp"
#include "bough/significance.hpp"

namespace bough {

PairedTest paired_test(std::span<const double> differences, double ratio, double confidence) {
  PairedTest test;
  test.confidence = confidence;
  const double n = static_cast<double>(differences.size());
  if (!differences.empty()) test.mean = std::accumulate(differences.begin(), differences.end(), 0.0) / n;
  constexpr double endless = std::numeric_limits<double>::infinity();
  test.low = -endless;
  test.high = endless;
  test.standard_error = endless;
  if (differences.size() < 2) return test;
  double squares = 0.0;
  for (const double difference : differences) squares += (difference - test.mean) * (difference - test.mean);
  test.freedom = n - 1.0;
  test.standard_error = std::sqrt((1.0 / n + ratio) * squares / test.freedom);
  test.t = test.mean == 0.0 ? 0.0 : test.mean / test.standard_error;
  test.p = student_two_sided(test.t, test.freedom);
  const double half = student_quantile(0.5 + confidence / 2.0, test.freedom) * test.standard_error;
  test.low = test.mean - half;
  test.high = test.mean + half;
  return test;
}

double mcnemar_p(std::int64_t only_first, std::int64_t only_second) noexcept {
  const auto n = static_cast<double>(only_first + only_second);
  const auto least = static_cast<double>(std::min(only_first, only_second));
  if (only_first == only_second) return 1.0;
  return std::min(1.0, 2.0 * binomial_at_most(least, n, 0.5));
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::less<>(), [&](std::size_t i) { return p_values[i]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(order.size() - i) * p_values[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

}  // namespace bough
