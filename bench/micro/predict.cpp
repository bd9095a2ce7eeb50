// SPDX-License-Identifier: Apache-2.0
// Rows to answers: many rows of a row-major matrix, and one row.
#include <benchmark/benchmark.h>

#include "driver/jobs.hpp"

namespace {

/// A depth of 0 grows the tree fully.
bench::Options made(std::int64_t rows, std::int64_t depth) {
  bench::Options options;
  options.rows = rows;
  options.depth = static_cast<std::int32_t>(depth);
  return options;
}

void predict_rows(benchmark::State& state) {
  const bench::Options options = made(100'000, state.range(0));
  const bench::Dataset data = bench::load(options);
  const bough::Table table = bench::table_of(data, options);
  const bough::Model model = bench::fit(table, options);
  bough::Execution execution;
  execution.threads = 1;
  for (auto _ : state) benchmark::DoNotOptimize(model.predict(table, execution));
  state.SetItemsProcessed(state.iterations() * data.rows);
}
BENCHMARK(predict_rows)->ArgName("depth")->Arg(8)->Arg(0)->Unit(benchmark::kMillisecond);

void predict_one_row(benchmark::State& state) {
  const bench::Options options = made(20'000, 8);
  const bench::Dataset data = bench::load(options);
  const bough::Model model = bench::fit(bench::table_of(data, options), options);
  const bench::Options one = made(1, 8);
  const bench::Dataset row = bench::load(one);
  const bough::Table table = bench::table_of(row, one);
  bough::Execution execution;
  execution.threads = 1;
  for (auto _ : state) benchmark::DoNotOptimize(model.predict(table, execution));
}
BENCHMARK(predict_one_row);

}  // namespace
