// SPDX-License-Identifier: Apache-2.0
// Ranks of one column.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/codes.hpp"

namespace bough {

/// The rank of every cell of a column, kMissingRank for missing ones; false when there are more than 65535 distinct cells.
/// `by_rank` (may be null, else empty) gets them in order.
bool rank_column(const CodedTable& table, ColId id, std::span<std::uint16_t> ranks,
                 std::vector<double>* by_rank);

}  // namespace bough
