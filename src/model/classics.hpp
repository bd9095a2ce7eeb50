// SPDX-License-Identifier: Apache-2.0
// The classics inside the pipeline: which parameters ID3 and C4.5 take, growing them, and pessimistic
// pruning.
#pragma once

#include "base/monitor.hpp"
#include "bough/model.hpp"
#include "data/fingerprint.hpp"
#include "model/prepare.hpp"
#include "quinlan/quinlan.hpp"

namespace bough {

/// Whether params.algorithm is id3 or c45.
bool is_classic(const Params& params);
/// Throws bad_params naming the parameters that the algorithm does not take.
void check_algorithm(const Params& params);
/// params.criterion, or what the algorithm means by auto (auto itself where the task leaves it open).
std::string wanted_criterion(const Params& params, Task task);
/// What the parameters ask of the search of ID3 and C4.5 on so many rows.
QuinlanSpec quinlan_spec(const Params& params, std::int64_t n_rows);
/// Grows an ID3 or C4.5 tree, without its idle branches where params.collapse says so. Throws bad_params naming columns that they do not take, and
/// not_supported for targets that are not one class target.
Tree grow_classic(const Table& table, const Prepared& prepared, const Params& params,
                  Fingerprint& fingerprint, Monitor& monitor);
/// A tree grown on the rows of `prepared`, pruned pessimistically.
Tree pessimistic_by_rows(const Tree& tree, const Table& table, const Prepared& prepared,
                         const Params& params);

}  // namespace bough
