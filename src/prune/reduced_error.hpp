// SPDX-License-Identifier: Apache-2.0
// Reduced-error pruning of one tree with rows that it was not grown on.
#pragma once

#include "bough/prune.hpp"
#include "prune/node_errors.hpp"

namespace bough {

/// The smallest among the pruned trees of the lowest error on `rows`. See bough::reduced_error(Model). `own`
/// is the loss that leaf values minimise, `loss` the one that judges.
Tree reduced_error(const Tree& tree, const JudgeRows& rows, const Loss& loss, LeafValues leaf_values,
                   const Loss& own);

}  // namespace bough
