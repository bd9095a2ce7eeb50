// SPDX-License-Identifier: Apache-2.0
// Growing the trees of a forest on one coded table.
#pragma once

#include "base/monitor.hpp"
#include "bough/model.hpp"

namespace bough {

/// A model of params.forest trees, the first of them those of `so_far` (null: none). Throws bad_params naming
/// what `so_far` has otherwise.
Model fit_forest(const Table& table, const FitSpec& spec, const Params& params, const Execution& execution,
                 Monitor& monitor, const Model* so_far = nullptr);

}  // namespace bough
