// SPDX-License-Identifier: Apache-2.0
// Parameters that say nothing without another one.
#pragma once

#include "bough/params.hpp"

namespace bough {

/// Throws bad_params naming a parameter that was changed although what it belongs to is off.
void check_needs(const Params& params, bool treatment);

}  // namespace bough
