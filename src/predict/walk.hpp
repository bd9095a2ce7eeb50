// SPDX-License-Identifier: Apache-2.0
// The way of a row through a tree: to one node, or by shares to several.
#pragma once

#include <vector>

#include "predict/route.hpp"

namespace bough {

/// A node where (a part of) a row ends: a leaf, or an inner node where a missing cell stops it.
struct Ending {
  NodeId node = 0;
  double share = 1.0;     ///< of the row's weight
  bool is_split = false;  ///< the row has to be split by share at `node`: this is no end yet
};

/// Goes down from `node` as long as the row stays whole.
template <class Cells>
Ending walk_whole(const Tree& tree, const Cells& cells, NodeId node = 0) {
  while (!tree.is_leaf(node)) {
    const std::int32_t child = route(tree, node, cells);
    if (child == missing_by_share) return {node, 1.0, true};
    if (child == missing_stops) break;
    node = tree.children(node)[static_cast<std::size_t>(child)];
  }
  return {node, 1.0, false};
}

/// Every part of a row in preorder: calls visit(node, share, ends) for each node that gets a share above 0.
template <class Cells, class Visit>
void walk_parts(const Tree& tree, const Cells& cells, const Visit& visit) {
  std::vector<Ending> open{{0, 1.0, false}};
  while (!open.empty()) {
    const Ending part = open.back();
    open.pop_back();
    const std::int32_t child = tree.is_leaf(part.node) ? missing_stops : route(tree, part.node, cells);
    visit(part.node, part.share, child == missing_stops);
    if (child == missing_stops) continue;
    const auto children = tree.children(part.node);
    if (child >= 0) {
      open.push_back({children[static_cast<std::size_t>(child)], part.share, false});
      continue;
    }
    const auto shares = tree.child_shares(part.node);
    for (std::size_t i = children.size(); i-- > 0;) {
      if (shares[i] > 0.0) open.push_back({children[i], part.share * shares[i], false});
    }
  }
}

/// The node where a row ends; by shares the one of the largest share, ties to the lower id.
template <class Cells>
NodeId find_leaf(const Tree& tree, const Cells& cells) {
  const Ending whole = walk_whole(tree, cells);
  if (!whole.is_split) return whole.node;
  Ending best{0, -1.0, false};
  walk_parts(tree, cells, [&](NodeId node, double share, bool ends) {
    if (ends && share > best.share) best = {node, share, false};
  });
  return best.node;
}

}  // namespace bough
