// SPDX-License-Identifier: Apache-2.0
// Bundles: columns of two values that exclude each other, such as the 0/1 columns of one category, in one slot.
//
// A bundle is proposed by a sample and proved by coding: where two of its columns meet in a row after all, or one of them has a
// third value or a missing cell, the table is coded again without bundles.
#pragma once

#include <span>
#include <vector>

#include "data/codes.hpp"

namespace bough {

/// Gives every column its slot, and marks to those that share one. `samples[j]`: cells of some rows, the same for all
/// columns, NaN where missing; empty for columns that are not numeric. `bundled`: whether columns may share slots.
void assign_slots(CodedTable& table, std::span<const std::vector<double>> samples, bool bundled);

}  // namespace bough
