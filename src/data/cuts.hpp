// SPDX-License-Identifier: Apache-2.0
// Cuts of numeric columns, chosen by some of their cells.
#pragma once

#include <vector>

namespace bough {

/// How a numeric column is divided into buckets; empty for other columns.
struct ColumnCuts {
  bool is_float = false;  ///< cells are float32, else double
  std::vector<double>
      cuts;  ///< bucket b holds (cuts[b - 1], cuts[b]]; one more bucket above, one for missing cells
  bool dense = false;  ///< every value of the sample is a cut
};

/// `sample`: some cells of the column, NaN where missing. The cuts decide how much work search has, never its
/// answer.
ColumnCuts choose_cuts(std::vector<double> sample, bool is_float);

}  // namespace bough
