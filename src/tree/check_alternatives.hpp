// SPDX-License-Identifier: Apache-2.0
// The invariants of a node's competitors and surrogates.
#pragma once

#include <span>

#include "bough/tree.hpp"

namespace bough {

/// Throws bad_model, naming the node, unless its alternatives fit it and the columns. `n_levels` as in
/// Tree::check.
void check_alternatives(const Tree& tree, NodeId node, std::size_t n_columns,
                        std::span<const std::uint32_t> n_levels);

}  // namespace bough
