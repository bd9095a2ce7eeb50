// SPDX-License-Identifier: Apache-2.0
// What the oblique engine is asked for.
#pragma once

#include <cstddef>

namespace bough {

struct ObliqueOptions {
  bool wanted = false;           ///< the oblique engine runs
  double combinations = 1.5;     ///< columns per combination, on average
  bool continuous = false;       ///< weights between -1 and 1; else 1 or -1
  bool standard = false;         ///< weights are divided by the standard deviation of their column
  bool axis = true;              ///< columns by themselves are tried too, as in other trees
  std::size_t n_candidates = 0;  ///< combinations drawn per node
};

}  // namespace bough
