// SPDX-License-Identifier: Apache-2.0
// Where a model of blocks came from, as fit() says it.
#pragma once

#include <string>
#include <vector>

#include "scale/plan.hpp"
#include "scale/row_block.hpp"

namespace bough {

/// Throws where the facts of all blocks together cannot be trained on: other rows than the plan's, no row
/// with a weight.
void check_facts(const ScalePlan& plan, const BlockFacts& facts);
/// The notes of fit(), less what growing finds (category_note).
std::vector<std::string> plan_notes(const ScalePlan& plan, const BlockFacts& facts);
/// Fills the provenance: version, data, rows, notes. The engine is the caller's.
void sign_blocks(Model::Parts& parts, const ScalePlan& plan, const BlockFacts& facts);

}  // namespace bough
