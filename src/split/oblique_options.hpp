// SPDX-License-Identifier: Apache-2.0
// What the oblique engine is asked for.
#pragma once

#include <cstddef>
#include <vector>

namespace bough {

struct ObliqueOptions {
  bool wanted = false;           ///< the oblique engine runs
  double combinations = 1.5;     ///< columns per combination, on average
  bool continuous = false;       ///< weights between -1 and 1; else 1 or -1
  bool axis = true;              ///< every column by itself is tried too
  std::size_t n_candidates = 0;  ///< combinations drawn per node
  std::vector<double> scales;    ///< per column: what a drawn weight is divided by; empty: all 1
};

}  // namespace bough
