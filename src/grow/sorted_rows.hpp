// SPDX-License-Identifier: Apache-2.0
// Rows in an order that their targets and weights decide, for sums that round.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "data/targets.hpp"

namespace bough {

/// `rows` by number (null: none) and weight: terms of rounded sums, in the same order for any order of the table's rows.
inline std::vector<RowId> sorted_rows(std::span<const RowId> rows, const double* numbers,
                                      const Targets& targets) {
  const auto terms = [&](RowId row) {
    return std::pair(numbers == nullptr ? 0.0 : numbers[row], targets.weight(row));
  };
  std::vector<RowId> out(rows.begin(), rows.end());
  std::sort(out.begin(), out.end(), [&](RowId a, RowId b) { return terms(a) < terms(b); });
  return out;
}

}  // namespace bough
