// SPDX-License-Identifier: Apache-2.0
// Chosen cells of a dense column, copied.
#pragma once

#include <span>

#include "bough/table.hpp"
#include "data/owned.hpp"

namespace bough {

/// Cells `rows` of the view, in this order, in memory of their own: one chunk of the same type (bits become
/// bytes, text becomes codes into a dictionary).
OwnedColumn gather(const ColumnView& view, std::span<const RowId> rows);

}  // namespace bough
