// SPDX-License-Identifier: Apache-2.0
// Where a model of blocks came from, as fit() says it.
#pragma once

#include <string>
#include <vector>

#include "model/assemble.hpp"
#include "scale/plan.hpp"
#include "scale/row_block.hpp"

namespace bough {

/// Throws where the facts of all blocks together cannot be trained on: other rows than the plan's, no row
/// with a weight.
void check_facts(const ScalePlan& plan, const BlockFacts& facts);
/// The notes of fit(), less what growing finds (a heuristic search).
std::vector<std::string> plan_notes(const ScalePlan& plan, const BlockFacts& facts);
/// What the model says besides its trees.
ModelFacts model_facts(const ScalePlan& plan, const BlockFacts& facts);

}  // namespace bough
