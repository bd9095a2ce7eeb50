// SPDX-License-Identifier: Apache-2.0
// Sorting numbers by vectors.
#pragma once

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <span>

namespace bough {

/// Increasing order. Floats must not be NaN.
template <class T>
void vector_sort(std::span<T> values) {
  constexpr std::size_t few = 48;
  if (values.size() < few) return std::sort(values.begin(), values.end());
  // One per thread: making a sorter costs more than sorting a few hundred numbers.
  static thread_local const hwy::Sorter sorter;
  sorter(values.data(), values.size(), hwy::SortAscending());
}

}  // namespace bough
