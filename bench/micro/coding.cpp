// SPDX-License-Identifier: Apache-2.0
// From a row-major matrix of floats to codes, and the bucket histograms of its rows.
#include <benchmark/benchmark.h>

#include "base/parallel.hpp"
#include "data/codes.hpp"
#include "driver/dataset.hpp"
#include "split/histogram/layouts.hpp"

namespace {

/// Made data as the first step of a fit sees it.
struct Coded {
  explicit Coded(std::int64_t rows) {
    options.rows = rows;
    data = bench::load(options);
    table = bench::table_of(data, options);
    schema = bough::infer_schema(table);
    schema.fields.pop_back();  // the target
  }
  [[nodiscard]] bough::CodedTable codes() const {
    bough::Fingerprint fingerprint;
    bough::Monitor monitor;
    bough::CodedTable coded;
    bough::with_threads(
        1, [&] { coded = bough::make_codes(table, schema, bough::CodeUse::search, fingerprint, monitor); });
    return coded;
  }

  bench::Options options;
  bench::Dataset data;
  bough::Table table;
  bough::Schema schema;
};

void coding(benchmark::State& state) {
  const Coded coded(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(coded.codes());
  state.SetItemsProcessed(state.iterations() * coded.data.rows * coded.data.columns);
}
BENCHMARK(coding)->ArgName("rows")->Arg(10'000)->Arg(200'000)->Unit(benchmark::kMillisecond);

void histogram_of_two_classes(benchmark::State& state) {
  const Coded coded(200'000);
  const bough::CodedTable codes = coded.codes();
  const auto step = static_cast<std::size_t>(state.range(0));
  std::vector<bough::RowId> rows;
  for (std::size_t i = 0; i < static_cast<std::size_t>(coded.data.rows); i += step)
    rows.push_back(static_cast<bough::RowId>(i));
  const bough::PackedTwoClass layout(codes, {});
  std::vector<bough::PackedTwoClass::Word> histogram(codes.n_buckets());
  for (auto _ : state) {
    layout.add_rows(rows, histogram);
    benchmark::DoNotOptimize(histogram.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows.size() * codes.columns.size()));
}
BENCHMARK(histogram_of_two_classes)->ArgName("every")->Arg(1)->Arg(4)->Arg(100);

}  // namespace
