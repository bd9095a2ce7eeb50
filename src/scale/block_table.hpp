// SPDX-License-Identifier: Apache-2.0
// The columns of a block as a plan wants them.
#pragma once

#include "scale/plan.hpp"

namespace bough {

/// True where some cell of the column is known.
bool has_known_cell(const Table::Column& column);
/// Throws not_supported for a sparse column.
void check_dense(const std::string& name, const Table::Column& column);

/// The features, targets and weights of a plan out of the rows of a block. A column without any known cell
/// may come in any type. Throws bad_data naming columns that are absent, or of another type than the plan's.
Table block_table(const Table& rows, const ScalePlan::Parts& plan);

}  // namespace bough
