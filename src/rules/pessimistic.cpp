// SPDX-License-Identifier: Apache-2.0
// Quinlan's pessimistic error (C4.5: Programs for Machine Learning, 1993, chapter 4, and the released
// program).
//
// Seen E errors among N rows, the error rate p that makes "E or fewer" as rare as CF is the upper limit U;
// the rows are then said to hold N U errors. With E = 0 that is (1 - p)^N = CF, so N U = N (1 - CF^(1/N)).
// From E = 1 on the binomial is replaced by the normal distribution with a correction of half an error, f =
// (E + 1/2) / N, z = quantile(1 - CF):
//   U = (f + z^2 / 2N + z sqrt(f / N - f^2 / N + z^2 / 4N^2)) / (1 + z^2 / N)
// Between 0 and 1 the two are joined by a line; where nearly all rows are errors two thirds of the rest are
// added.
#include "rules/pessimistic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/math.hpp"

namespace bough {
namespace {

double polynomial(std::span<const double> coefficients, double x) {
  double sum = 0.0;
  for (const double coefficient : coefficients) sum = sum * x + coefficient;
  return sum;
}

// Highest power first: Wichura, Algorithm AS 241 (1988), the middle and the near tail.
constexpr std::array<double, 8> kMiddleTop{
    2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
    13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.3871328727963666080};
constexpr std::array<double, 8> kMiddleBottom{
    5226.4952788528545610, 28729.085735721942674, 39307.895800092710610, 21213.794301586595867,
    5394.1960214247511077, 687.18700749205790830, 42.313330701600911252, 1.0};
constexpr std::array<double, 8> kTailTop{
    7.74545014278341407640e-4, 2.27238449892691845833e-2, 0.241780725177450611770, 1.27045825245236838258,
    3.64784832476320460504,    5.76949722146069140550,    4.63033784615654529590,  1.42343711074968357734};
constexpr std::array<double, 8> kTailBottom{
    1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 0.148103976427480074590,
    0.689767334985100004550,   1.67638483018380384940,    2.05319162663775882187,    1.0};
constexpr double kLeastTail = 1.4e-11;  // where the near tail ends

}  // namespace

double normal_upper_quantile(double tail) noexcept {
  const double q = 0.5 - tail;
  if (q <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kMiddleTop, r) / polynomial(kMiddleBottom, r);
  }
  const double r = std::sqrt(-log_exact(std::max(tail, kLeastTail))) - 1.6;
  return polynomial(kTailTop, r) / polynomial(kTailBottom, r);
}

double expm1_exact(double x) noexcept {
  if (x < -64.0) return -1.0;
  int halvings = 0;
  for (; x < -0.125; x *= 0.5) ++halvings;
  // The series of exp(x) - 1 up to x^12 / 12!, whose rest is below 1e-17 x for |x| <= 1/8.
  double sum = 0.0;
  for (int k = 12; k >= 2; --k) sum = (sum + 1.0) * x / static_cast<double>(k);
  double value = x * (sum + 1.0);
  for (; halvings > 0; --halvings) value *= 2.0 + value;
  return value;
}

double pessimistic_extra_errors(double n, double errors, double cf) noexcept {
  if (!(n > 0.0)) return 0.0;
  if (errors < 1.0) {
    const double none = -n * expm1_exact(log_exact(cf) / n);
    if (errors < 1e-6) return none;
    return none + errors * (pessimistic_extra_errors(n, 1.0, cf) - none);
  }
  if (errors + 0.5 >= n) return std::max(0.67 * (n - errors), 0.0);
  const double z = normal_upper_quantile(cf);
  const double f = (errors + 0.5) / n;
  const double z2 = z * z;
  const double root = std::sqrt(f / n - f * f / n + z2 / (4.0 * n * n));
  const double limit = (f + z2 / (2.0 * n) + z * root) / (1.0 + z2 / n);
  return std::max(limit * n - errors, 0.0);
}

}  // namespace bough
