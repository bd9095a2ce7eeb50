// SPDX-License-Identifier: Apache-2.0
// Where a drawn threshold lies among the ranks of a node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/internal_limits.hpp"
#include "split/ranked/ranked_kernels.hpp"

namespace bough {

/// The last rank on the left of a threshold between two cells of the range: of the rows where they are few, else of the column.
inline std::uint32_t last_left(const std::vector<double>& cells, std::span<const std::uint16_t> ranks,
                               RankRange range, double threshold) {
  if (ranks.size() <= internal_limits().ranked_few_rows) {
    std::uint32_t last = range.low;
    for (const std::uint16_t rank : ranks)
      last = cells[rank] <= threshold ? std::max<std::uint32_t>(last, rank) : last;
    return last;
  }
  const auto first = cells.begin() + range.low;
  return range.low +
         static_cast<std::uint32_t>(std::upper_bound(first, cells.begin() + range.high, threshold) - first) -
         1;
}

}  // namespace bough
