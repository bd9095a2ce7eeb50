// SPDX-License-Identifier: Apache-2.0
// The classics inside the pipeline: which parameters ID3 and C4.5 take, growing them, and pessimistic
// pruning.
#pragma once

#include "base/monitor.hpp"
#include "bough/model.hpp"
#include "data/fingerprint.hpp"
#include "model/prepare.hpp"

namespace bough {

/// Whether params.algorithm is id3 or c45.
bool is_classic(const Params& params);
/// The criterion that the algorithm uses when params.criterion is auto.
std::string algorithm_criterion(const Params& params);
/// Grows an ID3 or C4.5 tree. Throws bad_params naming parameters and columns that they do not take, and
/// not_supported for targets that are not one class target.
Tree grow_classic(const Table& table, const Prepared& prepared, const Params& params,
                  Fingerprint& fingerprint, Monitor& monitor);
/// What params.pruning and params.collapse ask for, done to a tree grown on the rows of `prepared`.
Tree prune_classic(Tree tree, const Table& table, const Prepared& prepared, const Params& params);

}  // namespace bough
