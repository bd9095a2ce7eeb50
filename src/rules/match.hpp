// SPDX-License-Identifier: Apache-2.0
// Does a row satisfy a condition? The one place that knows what conditions mean.
#pragma once

#include <algorithm>
#include <cmath>

#include "bough/rules.hpp"

namespace bough {

/// The cell or sum that a condition is about; NaN when missing. `cells(column)` gives a cell as RowReader
/// lays it out.
template <class Cells>
double subject_of(const RuleCondition& condition, const Cells& cells) {
  if (condition.terms.empty()) return cells(condition.column);
  double sum = 0.0;
  for (const ObliqueTerm& term : condition.terms) sum += term.weight * cells(term.column);
  return sum;
}

/// Whether a value that is not missing passes.
inline bool passes_known(const RuleCondition& condition, double value) {
  const auto listed = [&] {
    // Compared as doubles: no cell, however strange, is cast out of range.
    const auto found = std::lower_bound(condition.levels.begin(), condition.levels.end(), value,
                                        [](std::uint32_t level, double wanted) { return level < wanted; });
    return found != condition.levels.end() && static_cast<double>(*found) == value;
  };
  switch (condition.form) {
    case RuleCondition::Form::range:
      return (!condition.above || value > *condition.above) &&
             (!condition.at_most || value <= *condition.at_most);
    case RuleCondition::Form::one_of:
      return listed();
    case RuleCondition::Form::none_of:
      return !listed();
    case RuleCondition::Form::known:
      return true;
    case RuleCondition::Form::missing:
      break;
  }
  return false;
}

}  // namespace bough
