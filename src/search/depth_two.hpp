// SPDX-License-Identifier: Apache-2.0
// Trees of depth 2: for every cut of every chain the least errors of the stumps on both sides.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "search/budget.hpp"
#include "search/cases.hpp"

namespace bough::search {

inline constexpr Cost kNoLimit = std::numeric_limits<Cost>::max();

/// The best single test of a subset, or none where a leaf errs no more. Of equal errors the test of the lower
/// weighted gini impurity, then the lower chain and cut.
struct Stump {
  Cost errors = 0;
  std::int32_t chain = -1;
  std::int32_t group = 0;  ///< groups on the left
};
Stump best_stump(const Subset& subset, std::int32_t min_cases = 1);
/// The stump, or the leaf, as a tree.
SmallTree stump_tree(const Subset& subset, std::int32_t min_cases = 1);

/// A cut of a chain by its code.
struct Cut {
  std::int32_t chain = -1;
  std::int32_t code = 0;
};

/// Least errors of trees of depth 2 with at most 1, 2, 3, 4 leaves whose roots were looked at, and the roots of
/// those with 3 and 4.
struct DepthTwo {
  std::array<Cost, 5> errors{};
  Cut three, four;
  bool cut_short = false;  ///< some cuts were left where their errors reached the limit
};
/// The tree of at most `leaves` <= 4 leaves that `found` tells of.
SmallTree depth_two_tree(const Subset& subset, const DepthTwo& found, std::int32_t leaves);

/// Errors of four-leaf trees under the listed root cuts (numbers of cuts, increasing): one number per cut, exact where
/// it is below `limit`, else a lower bound that is at least `limit`. The least values go to `found`.
std::vector<Cost> listed_cuts(const Subset& subset, std::span<const std::int32_t> cuts, Cost limit,
                              DepthTwo& found, Budget& budget);
/// All cuts that divide the subset: their errors by number of cut, kNoLimit for the others.
std::vector<Cost> all_cuts(const Subset& subset, DepthTwo& found, Budget& budget);

}  // namespace bough::search
