// SPDX-License-Identifier: Apache-2.0
// Vector kernels of the presorted engine: the best approximate score along a sorted list.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bough {

/// Largest ((n * l[i] - c * (first + i + 1))^2 * inverse[i]) over i < count where list[i] and list[i + 1] differ in their high
/// halves, or -1. With l the cumulated second class and inverse[i] = 1 / (left * right), the score of two classes under gini,
/// up to a factor. Floats: exact differences up to 4096 rows.
float top_two_class(const float* l, const float* inverse, const std::uint32_t* list, std::size_t count, float n, float c,
                    float first);
/// The same for sums in double: (s[i] - mean * (first + i + 1))^2 * inverse[i].
double top_moments(const double* s, const double* inverse, const std::uint32_t* list, std::size_t count, double mean,
                   double first);

}  // namespace bough
