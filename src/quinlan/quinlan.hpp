// SPDX-License-Identifier: Apache-2.0
// Quinlan's trees: ID3 (1986) and C4.5 (1993), with a branch per value and rows in fractions.
#pragma once

#include <cstdint>

#include "base/monitor.hpp"
#include "bough/tree.hpp"
#include "data/encoded.hpp"
#include "data/targets.hpp"

namespace bough {

struct QuinlanSpec {
  enum class Choice : std::uint8_t { gain, gain_ratio };         ///< ID3, C4.5
  enum class Intervals : std::uint8_t { none, all_rows, node };  ///< numeric columns by the MDL discretiser
  Choice choice = Choice::gain_ratio;
  Intervals intervals = Intervals::none;
  bool grouped = false;     ///< categories in groups of values instead of one branch per value
  bool j48 = false;         ///< Weka's tolerances and thresholds
  double min_branch = 2.0;  ///< weight that two branches at least must hold
  std::int32_t max_depth = INT32_MAX;
  std::int64_t min_samples_split = 2;
  double min_impurity_decrease = 0.0;
};

/// Grows a tree for one class target. Rows of missing cells go to every branch by its share; node weights and
/// class weights are sums of such fractions in row order, so that the tree does not depend on threads.
/// Branches that hold no row are leaves of weight 0 that answer with the class weights of their parent. With
/// choice gain and intervals none the table must have no numeric column.
[[nodiscard]] Tree grow_quinlan(const EncodedTable& table, const Targets& targets, const QuinlanSpec& spec,
                                Monitor& monitor);

}  // namespace bough
