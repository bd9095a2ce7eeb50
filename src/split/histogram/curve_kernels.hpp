// SPDX-License-Identifier: Apache-2.0
// Vector kernels of the refine engine: approximate scores at bucket boundaries and upper bounds inside buckets.
//
// They propose; the criteria decide (src/criterion). A score here differs from the exact one by rounding only, at most
// `slack`, so everything within slack of the best is evaluated exactly, and a bucket is dropped only when its bound plus
// slack stays below the best.
#pragma once

#include <cstddef>

#include "criterion/registry.hpp"
#include "data/codes.hpp"

namespace bough {

/// Curves are computed in steps of so many buckets; arrays have room for that, and the last ones repeat the end.
constexpr std::size_t padded(std::size_t n_buckets) noexcept {
  return (n_buckets + 7) / 8 * 8;
}

/// Sums up to and including each bucket, without the missing ones, as doubles; valid up to padded(n_buckets).
struct alignas(64) Curve {
  double n[kBuckets];    ///< weight
  double sum[kBuckets];  ///< weight of the second class
  std::size_t n_buckets = kBuckets;
};

/// Totals of the node and what stands left of the first bucket (the missing rows, when they go left).
struct CurveFrame {
  double n = 0.0;
  double sum = 0.0;
  double left_n = 0.0;
  double left_sum = 0.0;
};

/// Valid up to the number of buckets.
struct CurveScores {
  alignas(64) double score[kBuckets];  ///< at the boundary after each bucket; -1 when a side is empty
  alignas(64) double bound[kBuckets];  ///< over all cuts inside the bucket
};

/// Two classes.
void score_two_classes(CriterionId criterion, const Curve& curve, const CurveFrame& frame, CurveScores& out);

/// More classes: `left[c * padded(n_buckets) + b]`, totals and missing-left weights per class.
struct ClassCurves {
  std::size_t n_buckets = 0;
  std::size_t n_classes = 0;
  const double* left = nullptr;
  const double* totals = nullptr;
  const double* first = nullptr;  ///< weight per class left of the first bucket
  double n = 0.0;
  double first_n = 0.0;
};
void score_many_classes(CriterionId criterion, const ClassCurves& curves, CurveScores& out);

/// How far a score of these kernels may be from the exact one. `scale`: weight of the node (poisson: its sum of targets).
double curve_slack(CriterionId criterion, double scale, double best) noexcept;

}  // namespace bough
