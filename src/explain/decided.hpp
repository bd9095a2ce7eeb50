// SPDX-License-Identifier: Apache-2.0
// What decides where a row goes at a node: its cell, or what the node does about cells that decide nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "predict/route.hpp"

namespace bough {

enum class Decided : std::uint8_t {
  by_cell,
  by_default,    ///< one child for all such rows
  by_share,      ///< every child gets a part
  by_surrogate,  ///< other columns are asked
  stops          ///< the row ends here
};

/// Whether a cell of the tested column (not of an oblique test) decides by itself.
inline bool decides(const Tree& tree, NodeId node, double cell) {
  if (std::isnan(cell)) return false;
  switch (tree.kind(node)) {
    case NodeKind::ordinal:
      return cell >= 0.0;
    case NodeKind::subset:
    case NodeKind::multiway:
      return route_level(tree, node, cell) >= 0;
    default:
      return true;
  }
}

/// The same for an inner node that is not oblique, with what happens otherwise.
inline Decided how_decided(const Tree& tree, NodeId node, double cell) {
  if (decides(tree, node, cell)) return Decided::by_cell;
  const std::int32_t to = tree.missing_to(node);
  if (to == missing_surrogate || to == missing_surrogate_or_stops) {
    const auto tests = tree.alternatives(node);
    if (std::any_of(tests.begin(), tests.end(),
                    [](const Alternative& test) { return test.role == AlternativeRole::surrogate; }))
      return Decided::by_surrogate;
  }
  const std::int32_t way = route_missing(tree, node);
  return way == missing_by_share ? Decided::by_share
         : way == missing_stops  ? Decided::stops
                                 : Decided::by_default;
}

}  // namespace bough
