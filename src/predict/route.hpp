// SPDX-License-Identifier: Apache-2.0
// Where a row goes at a node: the one place that knows what the kinds of tests mean.
//
// A cell is a double: a number, or the level index of an ordinal or category column; missing is NaN, an
// unknown category is kUnseenCell. What happens to cells that the test does not decide:
//   missing            as the node's missing_to says; surrogates are asked in their order, the first whose cell is known
//                      decides
//   unknown category   equality: not equal; subset, multiway: unseen_to; ordinal: as a missing cell
//   known category that the map does not name (absent from the node in training): unseen_to
//   oblique            a missing cell in any term makes the whole test missing
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bough/tree.hpp"
#include "tree/child_cells.hpp"
#include "tree/shares.hpp"
#include "tree/surrogate.hpp"

namespace bough {

/// Where missing cells go at a node when no surrogate decides: a child index, missing_by_share or missing_stops.
inline std::int32_t route_missing(const Tree& tree, NodeId node) {
  const std::int32_t to = tree.missing_to(node);
  if (to == missing_surrogate_or_stops) return missing_stops;
  return to == missing_surrogate ? largest_child(tree, node) : to;
}

/// Where a row goes whose tested cell is missing: a child index, missing_by_share or missing_stops.
template <class Cells>
std::int32_t route_missing(const Tree& tree, NodeId node, const Cells& cells) {
  const std::int32_t to = tree.missing_to(node);
  if (to == missing_surrogate || to == missing_surrogate_or_stops) {
    for (const Alternative& test : tree.alternatives(node)) {
      if (test.role != AlternativeRole::surrogate) continue;
      if (const std::int32_t child = route_surrogate(test, cells(test.column)); child >= 0) return child;
    }
  }
  return route_missing(tree, node);
}

/// Value of an oblique test; NaN when a cell of it is missing.
template <class Cells>
double oblique_sum(const Tree& tree, NodeId node, const Cells& cells) {
  double sum = 0.0;
  for (const ObliqueTerm& term : tree.terms(node)) sum += term.weight * cells(term.column);
  return sum;
}

/// Index of the child a row goes to at an inner node, or missing_by_share or missing_stops.
/// `cells(column)` gives the row's cell of a column.
template <class Cells>
std::int32_t route(const Tree& tree, NodeId node, const Cells& cells) {
  const NodeKind kind = tree.kind(node);
  const double cell = kind == NodeKind::oblique ? oblique_sum(tree, node, cells) : cells(tree.column(node));
  if (std::isnan(cell)) return route_missing(tree, node, cells);
  switch (kind) {
    case NodeKind::numeric:
    case NodeKind::oblique:
      return cell <= tree.threshold(node) ? 0 : 1;
    case NodeKind::ordinal:
      return cell < 0.0 ? route_missing(tree, node, cells) : cell < tree.threshold(node) ? 0 : 1;
    case NodeKind::equality:
      return cell == tree.threshold(node) ? 0 : 1;
    case NodeKind::subset:
    case NodeKind::multiway:
      if (const std::int32_t child = route_level(tree, node, cell); child >= 0) return child;
      return route_missing(tree, node, cells);
    case NodeKind::interval: {
      const auto cuts = tree.cuts(node);
      return static_cast<std::int32_t>(std::lower_bound(cuts.begin(), cuts.end(), cell) - cuts.begin());
    }
    case NodeKind::leaf:
      break;
  }
  return missing_stops;
}

}  // namespace bough
