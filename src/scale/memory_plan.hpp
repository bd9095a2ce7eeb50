// SPDX-License-Identifier: Apache-2.0
// How a given memory is divided among reading, notes of blocks, histograms and gathered rows.
#pragma once

#include <cstdint>

#include "bough/scale.hpp"

namespace bough {

struct MemoryPlan {
  BlockOptions blocks;
  bool keep_notes =
      true;  ///< blocks keep which rows are in which node; else they find out again for every request
};

/// Throws bad_params where no table could be trained on in so little memory.
void check_least_memory(std::int64_t memory);
/// What the cells of a table take, about.
std::int64_t bytes_per_row(const Table& table);
/// Rows that are read, coded and looked at together.
std::int64_t rows_per_block(std::int64_t memory, std::int64_t table_row_bytes);
/// Divides what is left. Throws bad_params, naming the least, where that is too little.
MemoryPlan plan_memory(std::int64_t memory, const ScalePlan& plan, const Params& params,
                       std::int64_t block_rows, std::int64_t table_row_bytes);

}  // namespace bough
