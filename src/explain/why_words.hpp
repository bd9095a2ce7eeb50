// SPDX-License-Identifier: Apache-2.0
// Criteria as formulas with numbers put in.
#pragma once

#include <string>

#include "bough/why.hpp"
#include "criterion/registry.hpp"

namespace bough {

/// What the search maximises, in words: "decrease of gini impurity".
std::string measure_words(CriterionId criterion);
/// Fills WhySplit::arithmetic for the best test.
void tell_arithmetic(const Model& model, WhySplit& why);

}  // namespace bough
