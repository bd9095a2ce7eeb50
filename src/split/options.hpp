// SPDX-License-Identifier: Apache-2.0
// What engines are asked for beside the best split of columns.
#pragma once

#include <cstddef>
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

struct ObliqueOptions {
  bool wanted = false;           ///< the oblique engine runs
  double combinations = 1.5;     ///< columns per combination, on average
  bool continuous = false;       ///< weights between -1 and 1; else 1 or -1
  bool standard = false;         ///< weights are divided by the standard deviation of their column
  bool axis = true;              ///< columns by themselves are tried too, as in other trees
  std::size_t n_candidates = 0;  ///< combinations drawn per node
};

/// Rows are treated or not (Targets::treated).
struct TreatmentOptions {
  bool wanted = false;        ///< the engine of two arms runs
  bool effect = true;         ///< splits where the effect differs; else where the share of treated rows does
  std::int64_t min_rows = 5;  ///< treated rows, and untreated ones, that each side must hold
};

}  // namespace bough
