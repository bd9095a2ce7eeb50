// SPDX-License-Identifier: Apache-2.0
// C4.5rules, first part: conditions that do not earn their place are dropped from a rule.
#pragma once

#include <span>
#include <vector>

#include "rules/bits.hpp"

namespace bough {

/// A rule as sets of rows: what each of its tests lets pass, and the rows of its class.
struct DropTask {
  std::vector<const Bits*> tests;
  const Bits* of_class = nullptr;
  const Bits* everything = nullptr;  ///< all rows
  double confidence = 0.25;
};

struct Dropped {
  std::vector<std::size_t> kept;  ///< indices of the tests that stay, increasing
  Bits covered;
  double weight = 0.0;           ///< of the rows covered
  double errors = 0.0;           ///< of those that are not of the class
  double estimated_error = 1.0;  ///< pessimistic error rate; 1 when nothing is covered
};

/// pessimistic_errors() as a share of the weight, 1 when there is no weight.
double pessimistic_rate(double weight, double errors, double cf);

/// Greedy: as long as the best rule with one test fewer has no higher pessimistic error rate than the rule
/// itself, it takes its place; among equals the earliest test goes.
Dropped drop_conditions(const DropTask& task, const RowWeights& weights);

}  // namespace bough
