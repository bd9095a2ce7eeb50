// SPDX-License-Identifier: Apache-2.0
// Which known cells of the tested column go to which child: what boxes, rules and smallest changes are made of.
#pragma once

#include <algorithm>
#include <limits>

#include "bough/tree.hpp"

namespace bough {

/// Numbers, or the indices of ordered levels: low < x <= high.
struct CellInterval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// True for tests that send an interval to each child: on a number, a sum of numbers, an ordered level.
inline bool tests_intervals(NodeKind kind) noexcept {
  return kind == NodeKind::numeric || kind == NodeKind::ordinal || kind == NodeKind::interval ||
         kind == NodeKind::oblique;
}

/// What a child gets of a test for which tests_intervals() holds.
inline CellInterval child_interval(const Tree& tree, NodeId node, std::int32_t child) {
  CellInterval out;
  if (tree.kind(node) == NodeKind::interval) {
    const auto cuts = tree.cuts(node);
    const auto at = static_cast<std::size_t>(child);
    if (at > 0) out.low = cuts[at - 1];
    if (at < cuts.size()) out.high = cuts[at];
    return out;
  }
  // Ordered levels go right from the threshold on.
  const double cut = tree.kind(node) == NodeKind::ordinal ? tree.threshold(node) - 1.0 : tree.threshold(node);
  (child == 0 ? out.high : out.low) = cut;
  return out;
}

/// Child of a level (any double but NaN) at a subset or multiway node; negative: as a missing cell.
inline std::int32_t route_level(const Tree& tree, NodeId node, double level) {
  const auto levels = tree.map_levels(node);
  // Compared as doubles: no cell, however strange, is cast out of range.
  const auto found = std::lower_bound(levels.begin(), levels.end(), level,
                                      [](std::uint32_t known, double wanted) { return known < wanted; });
  if (found == levels.end() || static_cast<double>(*found) != level) return tree.unseen_to(node);
  return tree.map_children(node)[static_cast<std::size_t>(found - levels.begin())];
}

}  // namespace bough
