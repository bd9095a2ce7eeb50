// SPDX-License-Identifier: Apache-2.0
// The best tree of any depth and number of leaves.
#pragma once

#include "search/depth_three.hpp"

namespace bough::search {

struct Limits {
  std::int32_t leaves = 8;
  std::int32_t depth = 30;
};

/// Leaves of a tree of so many levels, at most.
inline std::int32_t most_leaves(std::int32_t depth) {
  return 1 << std::min(depth, 20);
}

/// Trees within the limits that cost less than `bound`; cost is errors + price * leaves. `outermost`: whether roots are
/// probed first.
Found best_tree(const Subset& subset, Limits limits, Cost price, Cost bound, Budget& budget,
                bool outermost = true);

}  // namespace bough::search
