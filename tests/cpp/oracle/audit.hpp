// SPDX-License-Identifier: Apache-2.0
// Checks a grown tree against brute force, node by node.
#pragma once

#include <string>

#include "oracle/case.hpp"

namespace bough::oracle {

/// Walks the tree with the rows of the case, by a routing of its own, and checks at every node
///   counts, weight, impurity and values of its rows
///   that the split respects the limits, stands where it should, has the gain it claims, and that no
///   admissible split scores more (splitter=best, max_features=none) that a leaf had to be one with
///   max_leaf_nodes: that the best open split was always made first.
/// Returns what is wrong first, or nothing.
std::string audit(const Case& sample, const Model& model);

}  // namespace bough::oracle
