// SPDX-License-Identifier: Apache-2.0
// One column of an Arrow stream, over all its batches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bough/arrow_abi.h"
#include "bough/table.hpp"
#include "data/arrow_type.hpp"

namespace bough {

/// A column of one batch: the array, and the cells of it that count.
struct ArrowPart {
  const ArrowArray* array = nullptr;
  std::int64_t first = 0;  ///< in cells of the array's buffers
  std::int64_t length = 0;
};

struct ArrowColumn {
  std::string name;
  const ArrowSchema* schema = nullptr;
  ArrowType type;    ///< of the cells, or of the codes
  ArrowType values;  ///< of the dictionary, where there is one
  std::vector<ArrowPart> parts;
};

/// Appends the column: a view of the batches' memory where that is possible, else a copy.
void add_arrow_column(Table& table, const ArrowColumn& column);

}  // namespace bough
