// SPDX-License-Identifier: Apache-2.0
// Rows of small nodes on their way to whoever grows them to the end, and what comes back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/pack.hpp"
#include "scale/request.hpp"
#include "scale/row_block.hpp"

namespace bough {

/// Cells, targets and weights of some rows of a block.
void pack_rows(const BlockRows& block, const Targets& targets, bool weighted, Rows rows, Packer& to);
/// About how many bytes a row takes on the way.
std::size_t gathered_row_bytes(const ScalePlan& plan, bool weighted);

/// A subtree that was grown elsewhere, in preorder.
struct GrownSubtree {
  std::vector<FinishedNode> nodes;
  std::vector<LeafTotals> totals;  ///< by node; of leaves
};
/// What finish_group() gave.
std::vector<GrownSubtree> unpack_subtrees(std::string_view bytes);

}  // namespace bough
