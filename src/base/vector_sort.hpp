// SPDX-License-Identifier: Apache-2.0
// Sorting numbers by vectors.
#pragma once

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>

namespace bough {

/// Increasing order. Floats must not be NaN.
template <class T>
void vector_sort(std::span<T> values) {
  constexpr std::size_t few = 48;
  if (values.size() < few) return std::sort(values.begin(), values.end());
  if constexpr (std::is_floating_point_v<T>) {
    // Highway 1.0.3 takes the largest finite number for the end of all numbers, and now and then puts it in the place of an
    // infinity.
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const auto first = std::partition(values.begin(), values.end(), [](T x) { return x == -infinity; });
    const auto last = std::partition(first, values.end(), [](T x) { return x != infinity; });
    values = std::span<T>(first, last);
  }
  // One per thread: making a sorter costs more than sorting a few hundred numbers.
  static thread_local const hwy::Sorter sorter;
  sorter(values.data(), values.size(), hwy::SortAscending());
}

}  // namespace bough
