// SPDX-License-Identifier: Apache-2.0
// Of trees that err equally, a purer one.
#pragma once

#include "search/budget.hpp"
#include "search/cases.hpp"

namespace bough::search {

/// What decides between trees of the same leaves: errors, then the sum over leaves of squared class weights divided by
/// the leaf's weight, which is more where the weighted gini impurity is less.
struct Purity {
  Cost errors = 0;
  double gini = 0.0;
  /// Fewer errors, or as many and a gini that is more by more than rounding.
  [[nodiscard]] bool is_better(const Purity& other) const noexcept {
    return errors != other.errors ? errors < other.errors : gini > other.gini * (1.0 + 1e-12);
  }
};
Purity purity_of(const SmallTree& tree, const Subset& subset);

/// The tree with tests chosen anew so that it errs no more and is purer: every node in turn by all cuts of all chains for
/// the subtrees as they are, and subtrees of two levels by all trees of two levels with as many leaves. Shape
/// above those, leaves and `min_cases` cases of every leaf are kept. Ends early when the budget is spent; the result
/// does not depend on threads.
SmallTree purified(const Subset& subset, SmallTree tree, std::int32_t min_cases, Budget& budget);

}  // namespace bough::search
