// SPDX-License-Identifier: Apache-2.0
// Scores and bounds of number targets. Weights and sums may not fit doubles: both sides are given, each rounded
// once.
#pragma once

#include <cstddef>

#include "split/histogram/curve_kernels.hpp"

namespace bough {

/// One output along a column. Sides are those of the boundary before bucket b ([b]) and after it ([b + 1]),
/// missing rows on their side. Every number is the rounded value of an exact integer, so none suffers from
/// cancellation.
struct alignas(64) SideCurves {
  static constexpr std::size_t kRoom = kBuckets + 8;
  double left_n[kRoom];
  double left_sum[kRoom];
  double right_n[kRoom];
  double right_sum[kRoom];
  // The bucket itself; squares is an upper estimate.
  double n[kBuckets];
  double sum[kBuckets];
  double squares[kBuckets];
  std::size_t n_buckets = kBuckets;
};

/// Totals of the node, in the units of the curves, and what the output's score counts for.
struct SideFrame {
  double n = 0.0;
  double sum = 0.0;
  double share = 1.0;
};

/// Adds the output's scores and bounds to `out`. squared_error: sums are less the node's centre, a whole
/// number near its mean.
void add_side_scores(CriterionId criterion, const SideCurves& curves, const SideFrame& frame,
                     CurveScores& out);

}  // namespace bough
