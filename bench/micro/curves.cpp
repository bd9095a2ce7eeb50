// SPDX-License-Identifier: Apache-2.0
// Scores and bounds of one column's 256 buckets.
#include <benchmark/benchmark.h>

#include "made.hpp"
#include "split/histogram/side_kernels.hpp"

namespace {

/// A node of about 100,000 rows whose target leans along the column.
bough::Curve lean(bench::Random& random, bough::CurveFrame& frame) {
  bough::Curve curve{};
  for (std::size_t b = 0; b < bough::kBuckets; ++b) {
    const double rows = 300.0 + 200.0 * random.unit();
    frame.n += rows;
    frame.sum += rows * (0.3 + 0.001 * static_cast<double>(b));
    curve.n[b] = frame.n;
    curve.sum[b] = frame.sum;
  }
  return curve;
}

void two_classes(benchmark::State& state) {
  bench::Random random(1);
  bough::CurveFrame frame;
  const bough::Curve curve = lean(random, frame);
  bough::CurveScores out;
  for (auto _ : state) {
    bough::score_two_classes(static_cast<bough::CriterionId>(state.range(0)), curve, frame, out);
    benchmark::DoNotOptimize(out);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(bough::kBuckets));
}
BENCHMARK(two_classes)
    ->ArgName("criterion")
    ->Arg(static_cast<int>(bough::CriterionId::gini))
    ->Arg(static_cast<int>(bough::CriterionId::entropy))
    ->Arg(static_cast<int>(bough::CriterionId::hellinger));

void moments(benchmark::State& state) {
  bench::Random random(1);
  bough::CurveFrame frame;
  const bough::Curve curve = lean(random, frame);
  bough::SideCurves sides{};
  for (std::size_t b = 0; b < bough::kBuckets; ++b) {
    sides.left_n[b + 1] = curve.n[b];
    sides.left_sum[b + 1] = curve.sum[b];
    sides.n[b] = sides.squares[b] = curve.n[b] - sides.left_n[b];
    sides.sum[b] = curve.sum[b] - sides.left_sum[b];
  }
  for (std::size_t b = 0; b <= bough::kBuckets; ++b) {
    sides.right_n[b] = frame.n - sides.left_n[b];
    sides.right_sum[b] = frame.sum - sides.left_sum[b];
  }
  bough::CurveScores out{};
  for (auto _ : state) {
    bough::add_side_scores(static_cast<bough::CriterionId>(state.range(0)), sides, {frame.n, frame.sum, 1.0},
                           out);
    benchmark::DoNotOptimize(out);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(bough::kBuckets));
}
BENCHMARK(moments)
    ->ArgName("criterion")
    ->Arg(static_cast<int>(bough::CriterionId::squared_error))
    ->Arg(static_cast<int>(bough::CriterionId::poisson));

}  // namespace
