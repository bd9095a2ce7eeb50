// SPDX-License-Identifier: Apache-2.0
// Whole numbers that doubles cannot tell apart.
#pragma once

#include <string>

#include "bough/table.hpp"

namespace bough {

/// True where a column of whole numbers has some beyond 2^53.
bool loses_integers(const Table::Column& column);
/// What is noted about such a feature.
std::string integer_note(const std::string& name);

}  // namespace bough
