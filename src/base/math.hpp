// SPDX-License-Identifier: Apache-2.0
// Logarithms and powers that decide or are stored: the same bits on every machine.
//
// glibc picks its log by CPU, so results that enter a model may not come from it. The routine here uses only + - * /
// in a fixed order (the build forbids contraction), so every IEEE machine gives the same bits.
#pragma once

#include <cmath>

namespace bough {

/// Natural logarithm of x > 0, within 2 ulp. 0 gives -inf; negative and NaN give NaN.
double log_exact(double x) noexcept;
/// Logarithm to base 2, within 3 ulp; exact for powers of two.
double log2_exact(double x) noexcept;
/// e^x, within 3 ulp; 0 below -708, +inf above 709.
double exp_exact(double x) noexcept;
/// x * log2(x), 0 at 0.
inline double xlog2x(double x) noexcept {
  return x > 0.0 ? x * log2_exact(x) : 0.0;
}
/// (1 + d) ln(1 + d) - d for d >= -1: by how much x ln x exceeds its tangent at 1, with full precision near d = 0.
double xlogx_excess(double d) noexcept;
/// x * ln(x), 0 at 0.
inline double xlogx(double x) noexcept {
  return x > 0.0 ? x * log_exact(x) : 0.0;
}

}  // namespace bough
