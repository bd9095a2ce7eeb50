// SPDX-License-Identifier: Apache-2.0
// Quantiles of the normal and of Student's distribution, and upper limits of the binomial one, the same bits on every machine.
#pragma once

namespace bough {

/// z with P(standard normal <= z) = p, for p in (0, 1), within 1e-15 relative.
double normal_quantile(double p) noexcept;

/// Chance of at most `errors` errors among `n` cases when each is an error with chance p. Both may have
/// fractions: it is the incomplete beta function I_{1-p}(n - errors, errors + 1), which is the binomial sum
/// at whole numbers. 0 <= errors < n, 0 < p < 1; within 1e-11.
double binomial_at_most(double errors, double n, double p) noexcept;

/// The error rate above which at most `errors` errors among `n` cases (both >= 0, fractions allowed) would be
/// seen with a chance below `confidence`: the one-sided upper limit, 1 where errors >= n.
double binomial_upper_limit(double errors, double n, double confidence) noexcept;

/// Chance that a value of Student's distribution with `freedom` > 0 degrees (fractions allowed) is at least |t| away
/// from 0; within 1e-9.
double student_two_sided(double t, double freedom) noexcept;
/// t with P(Student's distribution <= t) = p, for p in (0, 1), within 1e-9 relative.
double student_quantile(double p, double freedom) noexcept;

}  // namespace bough
