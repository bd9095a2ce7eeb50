// SPDX-License-Identifier: Apache-2.0
// Quinlan's trees: ID3 (1986) and C4.5 (1993), with a branch per value and rows in fractions.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/exact_grid.hpp"
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

/// A row, or a part of one, that lies in a node.
struct QuinlanPart {
  RowId row = 0;
  double weight = 0.0;
};

/// A threshold that was looked at: the weight on its sides, and the gain in bits per unit of weight before any price.
struct QuinlanCut {
  double threshold = 0.0;
  double left = 0.0;
  double right = 0.0;
  double gain = 0.0;
  bool allowed = true;
};

/// Where the weights of rows and of parts of rows lie: sums of them are exact, so that a tree depends neither on threads nor on
/// the order of rows. Parts that weigh nothing there are none.
[[nodiscard]] inline ExactGrid part_grid(const Targets& targets) {
  return ExactGrid(std::ldexp(static_cast<double>(targets.total_weight), -targets.weight_exponent));
}
[[nodiscard]] inline double whole_weight(const Targets& targets, const ExactGrid& grid, RowId row) {
  return grid.nearest(std::ldexp(static_cast<double>(targets.weight(row)), -targets.weight_exponent));
}

/// Grows a tree for one class target. Rows of missing cells go to every branch by its share; node weights and
/// class weights are sums of such fractions.
/// Branches that hold no row are leaves of weight 0 that answer with the class weights of their parent. With
/// choice gain and intervals none the table must have no numeric column.
[[nodiscard]] Tree grow_quinlan(const EncodedTable& table, const Targets& targets, const QuinlanSpec& spec,
                                Monitor& monitor);

}  // namespace bough
