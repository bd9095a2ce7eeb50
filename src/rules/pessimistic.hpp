// SPDX-License-Identifier: Apache-2.0
// Quinlan's pessimistic error: how many more errors than seen must be feared.
#pragma once

namespace bough {

/// Errors to be added to `errors` among `n` rows so that the sum is the upper limit, at confidence factor
/// `cf` in (0, 0.5], of what a binomial error rate allows. Real numbers of rows are fine; 0 for n <= 0.
double pessimistic_extra_errors(double n, double errors, double cf) noexcept;

/// The quantile of the standard normal distribution for 1 - tail, tail in (0, 0.5].
double normal_upper_quantile(double tail) noexcept;

/// exp(x) - 1 for x <= 0, the same bits everywhere.
double expm1_exact(double x) noexcept;

}  // namespace bough
