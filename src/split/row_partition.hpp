// SPDX-License-Identifier: Apache-2.0
// Dividing a list of rows in two, keeping the order inside both parts, by several threads where it is long.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "bough/table.hpp"

namespace bough {

/// Moves the items for which `left` holds to the front; returns how many they are. `scratch` has room for as many items.
/// Without branches: the sides of rows in the order of a column are a coin toss.
template <class T, class IsLeft>
std::size_t partition_in_order(std::span<T> items, std::span<T> scratch, const IsLeft& left) {
  std::size_t out = 0, others = 0;
  for (const T item : items) {
    const std::size_t is_left = left(item) ? 1 : 0;
    items[out] = item;
    scratch[others] = item;
    out += is_left;
    others += 1 - is_left;
  }
  std::copy_n(scratch.begin(), others, items.begin() + static_cast<std::ptrdiff_t>(out));
  return out;
}

/// The same, by several threads where there are many rows; returns how many they are. `scratch` has room for as
/// many rows.
template <class IsLeft>
std::size_t partition_rows(std::span<RowId> rows, std::span<RowId> scratch, const IsLeft& left) {
  const std::size_t n = rows.size(), at_once = internal_limits().parallel_divide;
  if (n <= 2 * at_once || available_threads() == 1) return partition_in_order(rows, scratch, left);
  // Every chunk is divided into its stretch of scratch, the right rows backwards from its end; then all go to
  // their places.
  const std::size_t n_chunks = (n + at_once - 1) / at_once;
  std::vector<std::size_t> counts(n_chunks);
  const auto end_of = [&](std::size_t chunk) { return std::min(n, (chunk + 1) * at_once); };
  parallel_for(n_chunks, [&](std::size_t chunk) {
    std::size_t front = chunk * at_once, back = end_of(chunk);
    for (std::size_t i = chunk * at_once; i < end_of(chunk); ++i) {
      const RowId row = rows[i];
      const std::size_t is_left = left(row) ? 1 : 0;
      scratch[is_left ? front : back - 1] = row;
      front += is_left;
      back -= 1 - is_left;
    }
    counts[chunk] = front - chunk * at_once;
  });
  std::vector<std::size_t> before(n_chunks + 1, 0);
  for (std::size_t chunk = 0; chunk < n_chunks; ++chunk) before[chunk + 1] = before[chunk] + counts[chunk];
  const std::size_t n_left = before[n_chunks];
  parallel_for(n_chunks, [&](std::size_t chunk) {
    const auto at = [](std::span<RowId> list, std::size_t i) {
      return list.begin() + static_cast<std::ptrdiff_t>(i);
    };
    const std::size_t begin = chunk * at_once, middle = begin + counts[chunk];
    std::copy(at(scratch, begin), at(scratch, middle), at(rows, before[chunk]));
    std::reverse_copy(at(scratch, middle), at(scratch, end_of(chunk)),
                      at(rows, n_left + begin - before[chunk]));
  });
  return n_left;
}

}  // namespace bough
