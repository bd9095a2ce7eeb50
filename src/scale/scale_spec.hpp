// SPDX-License-Identifier: Apache-2.0
// What search and growing are told about a tree whose rows are in blocks.
#pragma once

#include "data/targets.hpp"
#include "grow/grow.hpp"
#include "scale/answer.hpp"
#include "scale/plan.hpp"

namespace bough {

/// Targets without rows: classes, exponents, the total weight.
Targets target_shape(const ScalePlan::Parts& plan, const TreeFrame& frame);
/// As fit() makes it from all rows, for a tree of this seed.
GrowSpec block_grow_spec(const ScalePlan::Parts& plan, const TreeFrame& frame, std::uint64_t seed);
/// Columns without rows, with what all blocks together know about their buckets.
CodedTable column_shape(const ScalePlan::Parts& plan, const BlockFacts& facts);

}  // namespace bough
