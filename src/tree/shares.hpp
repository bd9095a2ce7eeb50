// SPDX-License-Identifier: Apache-2.0
// Which child of a node is the largest.
#pragma once

#include <algorithm>
#include <cstdint>

#include "bough/tree.hpp"

namespace bough {

/// Index of the child with the largest share of the training weight; ties go to the first.
inline std::int32_t largest_child(const Tree& tree, NodeId node) {
  const auto shares = tree.child_shares(node);
  return static_cast<std::int32_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
}

}  // namespace bough
