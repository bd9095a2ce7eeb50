// SPDX-License-Identifier: Apache-2.0
// What a search of good trees makes small: the weight of cases that are answered wrong.
#pragma once

#include "search/greedy.hpp"

namespace bough::search {

/// A measure of trees: whole costs that add up over leaves, `gini` (more is purer) for greedy choices, the
/// best stump, and trees of two levels. Squares (squares.hpp) is the other one.
class Errors {
 public:
  using Cost = search::Cost;
  static constexpr Cost kNone = kNoLimit;
  using TwoLevels = DepthTwo;

  [[nodiscard]] Cost leaf(const Subset& subset) const { return subset.leaf_cost(); }
  [[nodiscard]] Cost of(const SmallTree& tree, const Subset& subset) const { return tree.errors(subset); }
  /// The best stump, or a leaf where none is better.
  [[nodiscard]] SmallTree stump(const Subset& subset, std::int32_t min_cases) const {
    return stump_tree(subset, min_cases);
  }
  [[nodiscard]] double purity(const Subset& subset) const {
    double sum = 0.0;
    for (const Cost weight : subset.class_weights()) sum += static_cast<double>(weight) * weight;
    return sum / subset.weight();
  }
  template <class Visit>
  void for_cuts(const Subset& subset, std::int32_t chain, std::int32_t min_cases, const Visit& visit) const {
    std::vector<double> left;
    search::for_cuts(subset, chain, min_cases, left, visit);
  }
  /// Work of table() over so many chains.
  [[nodiscard]] std::int64_t table_work(const Subset& subset, std::int64_t chains) const {
    return static_cast<std::int64_t>(subset.size()) * chains * chains *
           std::min<std::int64_t>(subset.cases().n_classes - 1, 6);
  }
  /// Costs of trees of two levels under every cut, kNone where it was not looked at.
  [[nodiscard]] std::vector<Cost> table(const Subset& subset, std::int32_t, TwoLevels& two,
                                        Budget& budget) const {
    return all_cuts(subset, two, budget);
  }
  [[nodiscard]] SmallTree shallow(const Subset& subset, const TwoLevels& two, std::int32_t leaves,
                                  std::int32_t) const {
    return depth_two_tree(subset, two, leaves);
  }
  [[nodiscard]] Rechosen rechosen(const Subset& subset, const SmallTree& tree, std::int32_t node) const {
    return rechoose(subset, tree, node, true);
  }
};

}  // namespace bough::search
