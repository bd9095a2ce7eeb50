// SPDX-License-Identifier: Apache-2.0
// Criteria as formulas with numbers put in.
#pragma once

#include "bough/why.hpp"

namespace bough {

/// Fills WhySplit::arithmetic for the best test.
void tell_arithmetic(const Model& model, WhySplit& why);

}  // namespace bough
