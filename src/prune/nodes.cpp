// SPDX-License-Identifier: Apache-2.0
// Cutting off nodes by hand.
#include <fmt/format.h>

#include "bough/cp.hpp"

namespace bough {

Tree cut(const Tree& tree, std::span<const NodeId> nodes) {
  TreeBuilder builder = TreeBuilder::from(tree);
  for (const NodeId node : nodes) {
    if (node < 0 || node >= tree.n_nodes())
      throw Error(ErrorCode::bad_params,
                  fmt::format("there is no node {}; the tree has {}", node, tree.n_nodes()),
                  fmt::format("nodes are numbered from 0 to {}", tree.n_nodes() - 1));
    builder.collapse(node);
  }
  return std::move(builder).finish();
}

}  // namespace bough
