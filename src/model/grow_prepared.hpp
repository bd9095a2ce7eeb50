// SPDX-License-Identifier: Apache-2.0
// From prepared targets to a tree that is not pruned yet: what fit() and cross-validation share.
#pragma once

#include <string>

#include "bough/model.hpp"
#include "data/fingerprint.hpp"
#include "grow/grow.hpp"
#include "model/prepare.hpp"

namespace bough {

/// What the parameters ask of search and growth. Throws bad_params where they do not fit the columns.
GrowSpec grow_spec(const Prepared& prepared, const Params& params, CriterionId criterion);

/// Grows with the engine that fits, whose name is written to `engine_name`.
Grown grow_prepared(const Table& table, const Prepared& prepared, const Params& params,
                    const Execution& execution, Fingerprint& fingerprint, std::string& engine_name,
                    Monitor& monitor);

}  // namespace bough
