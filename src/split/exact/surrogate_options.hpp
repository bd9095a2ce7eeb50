// SPDX-License-Identifier: Apache-2.0
// What the surrogate engine is asked for beside the best split.
#pragma once

#include <cstdint>
#include <vector>

namespace bough {

/// Rows whose tested cell is missing.
enum class MissingPolicy : std::uint8_t {
  learn,      ///< on either side of the split, whichever is better
  surrogate,  ///< not part of the search; sent by the tests that agree best with the split
  stop        ///< not part of the search; in no child
};

struct SurrogateOptions {
  bool wanted = false;  ///< the surrogate engine runs
  MissingPolicy missing = MissingPolicy::learn;
  std::size_t surrogates = 5;  ///< most per node
  bool else_stops = false;     ///< rows that no surrogate decides stay; else they go to the heavier child
  bool known_agreement =
      false;  ///< agreement is a share of the rows whose surrogate cell is known, not of all
  std::size_t competitors = 0;  ///< most per node
  std::vector<double> costs;    ///< per column, above 0; empty: all 1
  std::vector<double> weights;  ///< per row, without what classes add, on an ExactGrid; empty: all 1
};

}  // namespace bough
