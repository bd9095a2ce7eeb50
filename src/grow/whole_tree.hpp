// SPDX-License-Identifier: Apache-2.0
// A tree that an engine has grown as a whole, with the statistics of its nodes.
#pragma once

#include <span>
#include <vector>

#include "bough/tree.hpp"
#include "criterion/registry.hpp"
#include "data/targets.hpp"
#include "split/engine.hpp"

namespace bough {

/// What fill() and TreeBuilder would make of the nodes, in one go. `rows`: those of all leaves, one after the other; `widths`:
/// of the outputs. Classes and number targets with criteria of sums.
Tree whole_tree(std::span<const WholeNode> nodes, std::span<const RowId> rows, const Targets& targets,
                std::vector<std::uint32_t> widths, std::size_t n_columns, CriterionId criterion);

}  // namespace bough
