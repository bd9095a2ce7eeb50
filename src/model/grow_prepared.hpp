// SPDX-License-Identifier: Apache-2.0
// From prepared targets to a tree that is not pruned yet: what fit() and cross-validation share.
#pragma once

#include <string>

#include "bough/model.hpp"
#include "data/fingerprint.hpp"
#include "grow/grow.hpp"
#include "model/prepare.hpp"

namespace bough {

/// Grows with the engine that fits, whose name is written to `engine_name`.
Grown grow_prepared(const Table& table, const Prepared& prepared, const Params& params,
                    const Execution& execution, Fingerprint& fingerprint, std::string& engine_name,
                    Monitor& monitor);

}  // namespace bough
