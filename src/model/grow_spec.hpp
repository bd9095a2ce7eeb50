// SPDX-License-Identifier: Apache-2.0
// From parameters to what growing and search are told.
#pragma once

#include "grow/grow.hpp"
#include "model/prepare.hpp"

namespace bough {

/// Throws bad_params where a parameter names a column that is none, or one that it is not for.
GrowSpec grow_spec(const Prepared& prepared, const Params& params, CriterionId criterion);

/// Tells the engine how to search as Execution::engine asks ("auto", "refine", ...).
void force_engine(GrowSpec& spec, std::string_view engine);

}  // namespace bough
