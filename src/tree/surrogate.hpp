// SPDX-License-Identifier: Apache-2.0
// What surrogates of a node decide.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bough/tree.hpp"

namespace bough {

/// True when tests on other columns may decide where rows of a missing cell go.
inline bool has_surrogates(const Tree& tree, NodeId node) {
  const auto all = tree.alternatives(node);
  return !all.empty() && all.back().role == AlternativeRole::surrogate;
}

/// Child that a surrogate chooses for a cell of its column, -1 when the cell does not decide.
inline std::int32_t route_surrogate(const Alternative& test, double cell) {
  if (std::isnan(cell)) return -1;
  if (test.kind == NodeKind::subset) {
    const auto found = std::lower_bound(test.map_levels.begin(), test.map_levels.end(), cell,
                                        [](std::uint32_t known, double wanted) { return known < wanted; });
    if (found == test.map_levels.end() || static_cast<double>(*found) != cell) return -1;
    return test.map_children[static_cast<std::size_t>(found - test.map_levels.begin())];
  }
  if (test.kind != NodeKind::numeric && cell < 0.0) return -1;
  const bool holds = test.kind == NodeKind::numeric   ? cell <= test.threshold
                     : test.kind == NodeKind::ordinal ? cell < test.threshold
                                                      : cell == test.threshold;
  return holds != test.turned ? 0 : 1;
}

}  // namespace bough
