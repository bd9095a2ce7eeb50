// SPDX-License-Identifier: Apache-2.0
// Wichura's rational functions for the normal quantile (AS 241, 1988), Stirling's series for the gamma
// function, and the continued fraction of the incomplete beta function (Didonato and Morris 1992).
#include "base/distributions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/math.hpp"

namespace bough {
namespace {

using Terms = std::array<double, 8>;

double polynomial(const Terms& terms, double x) noexcept {
  double sum = 0.0;
  for (std::size_t i = terms.size(); i-- > 0;) sum = sum * x + terms[i];
  return sum;
}

// AS 241: near the middle in 0.180625 - q^2, in the tails in sqrt(-ln p) less 1.6 or 5.
constexpr Terms kMiddle{3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                        1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                        3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr Terms kMiddleUnder{1.0,
                             4.2313330701600911252e+1,
                             6.8718700749205790830e+2,
                             5.3941960214247511077e+3,
                             2.1213794301586595867e+4,
                             3.9307895800092710610e+4,
                             2.8729085735721942674e+4,
                             5.2264952788528545610e+3};
constexpr Terms kTail{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                      3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                      2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Terms kTailUnder{1.0,
                           2.05319162663775882187e0,
                           1.67638483018380384940e0,
                           6.89767334985100004550e-1,
                           1.48103976427480074590e-1,
                           1.51986665636164571966e-2,
                           5.47593808499534494600e-4,
                           1.05075007164441684324e-9};
constexpr Terms kFar{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                     2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr Terms kFarUnder{1.0,
                          5.99832206555887937690e-1,
                          1.36929880922735805310e-1,
                          1.48753612908506148525e-2,
                          7.86869131145613259100e-4,
                          1.84631831751005468180e-5,
                          1.42151175831644588870e-7,
                          2.04426310338993978564e-15};

// ln of the gamma function, x > 0.
double log_gamma(double x) noexcept {
  double product = 1.0;
  for (; x < 12.0; x += 1.0) product *= x;
  const double y = 1.0 / (x * x);
  const double series =
      (1.0 / 12.0 + y * (-1.0 / 360.0 + y * (1.0 / 1260.0 + y * (-1.0 / 1680.0 + y / 1188.0)))) / x;
  constexpr double half_log_2pi = 0.91893853320467274178;
  return (x - 0.5) * log_exact(x) - x + half_log_2pi + series - log_exact(product);
}

// The continued fraction of I_x(a, b) without its leading factor, by Lentz's method; quick for x < (a + 1) /
// (a + b + 2).
double beta_fraction(double a, double b, double x) noexcept {
  constexpr double tiny = 1e-300;
  const auto away = [](double v) { return std::fabs(v) < tiny ? tiny : v; };
  double c = 1.0, d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0)), value = d;
  for (int m = 1; m < 100000; ++m) {
    const double k = m;
    const auto step = [&](double factor) {
      d = 1.0 / away(1.0 + factor * d);
      c = away(1.0 + factor / c);
      value *= d * c;
      return std::fabs(d * c - 1.0) < 1e-15;
    };
    step(k * (b - k) * x / ((a + 2.0 * k - 1.0) * (a + 2.0 * k)));
    if (step(-(a + k) * (a + b + k) * x / ((a + 2.0 * k) * (a + 2.0 * k + 1.0)))) break;
  }
  return value;
}

// ln of x^a (1 - x)^b / B(a, b), with `log_inverse_beta` = -ln B(a, b).
double log_density(double a, double b, double x, double log_inverse_beta) noexcept {
  return log_inverse_beta + a * log_exact(x) + b * log_exact(1.0 - x);
}

double log_inverse_beta(double a, double b) noexcept {
  return log_gamma(a + b) - log_gamma(a) - log_gamma(b);
}

// I_x(a, b).
double incomplete_beta(double a, double b, double x, double inverse) noexcept {
  const double front = exp_exact(log_density(a, b, x, inverse));
  if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(a, b, x) / a;
  return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

}  // namespace

double normal_quantile(double p) noexcept {
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kMiddle, r) / polynomial(kMiddleUnder, r);
  }
  const double r = std::sqrt(-log_exact(q < 0.0 ? p : 1.0 - p));
  const double z = r <= 5.0 ? polynomial(kTail, r - 1.6) / polynomial(kTailUnder, r - 1.6)
                            : polynomial(kFar, r - 5.0) / polynomial(kFarUnder, r - 5.0);
  return q < 0.0 ? -z : z;
}

double binomial_at_most(double errors, double n, double p) noexcept {
  const double a = n - errors, b = errors + 1.0;
  return incomplete_beta(a, b, 1.0 - p, log_inverse_beta(a, b));
}

double binomial_upper_limit(double errors, double n, double confidence) noexcept {
  if (errors >= n) return 1.0;
  if (errors <= 0.0) return 1.0 - exp_exact(log_exact(confidence) / n);
  const double a = n - errors, b = errors + 1.0, inverse = log_inverse_beta(a, b);
  double low = 0.0, high = 1.0;
  const double z = normal_quantile(1.0 - confidence), f = errors / n;
  double p = std::clamp(f + z * std::sqrt(f * (1.0 - f) / n) + 0.5 / n, 1e-12, 1.0 - 1e-12);
  // Newton's steps inside a bracket: the chance falls as p rises.
  for (int i = 0; i < 200; ++i) {
    const double excess = incomplete_beta(a, b, 1.0 - p, inverse) - confidence;
    (excess > 0.0 ? low : high) = p;
    const double slope = exp_exact(log_density(a, b, 1.0 - p, inverse)) / ((1.0 - p) * p);
    double next = slope > 0.0 ? p + excess / slope : -1.0;
    if (!(next > low && next < high)) next = low / 2 + high / 2;
    if (std::fabs(next - p) <= 1e-14 * p || high - low <= 1e-14 * high) return next;
    p = next;
  }
  return p;
}

double student_two_sided(double t, double freedom) noexcept {
  if (t == 0.0) return 1.0;
  if (std::isinf(t)) return 0.0;
  const double a = freedom / 2.0, b = 0.5, inverse = log_inverse_beta(a, b);
  const double square = t * t, x = freedom / (freedom + square);
  // The smaller of x and 1 - x is the one known to all its digits.
  if (x <= 0.5) return incomplete_beta(a, b, x, inverse);
  return 1.0 - incomplete_beta(b, a, square / (freedom + square), inverse);
}

double student_quantile(double p, double freedom) noexcept {
  if (p == 0.5) return 0.0;
  const double z = normal_quantile(p);
  constexpr double many = 1000.0;
  if (freedom >= many) {  // Cornish and Fisher's series; what follows is of the order of freedom^-4
    const double s = z * z, d = freedom;
    return z + z * (s + 1.0) / (4.0 * d) + z * ((5.0 * s + 16.0) * s + 3.0) / (96.0 * d * d) +
           z * (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / (384.0 * d * d * d);
  }
  const double tail = 2.0 * (p < 0.5 ? p : 1.0 - p);
  double low = 0.0, high = std::max(std::fabs(z), 1.0);
  while (student_two_sided(high, freedom) > tail && high < 1e300) {
    low = high;
    high *= 2.0;
  }
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = low / 2 + high / 2;
    (student_two_sided(middle, freedom) > tail ? low : high) = middle;
  }
  return p < 0.5 ? -high : high;
}

}  // namespace bough
