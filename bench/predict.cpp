// SPDX-License-Identifier: Apache-2.0
// Times predictions on the made data through the C++ API; one line of JSON per run.
// usage: bench_predict TRAIN_ROWS DEPTH ROWS [f32|f64] [row|column] [RUNS] [MODEL]     DEPTH 0: no limit
// MODEL: the model is saved there. The last line gives the nanoseconds of one row asked for alone.
#include <bough/bough.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "made.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

bough::Model train(std::int64_t rows, int depth) {
  const bench::Made made = bench::make(rows);
  bough::Table table;
  table.view_matrix(bough::Dtype::f32, made.x.data(), made.rows, made.columns, made.columns * 4, 4);
  const std::vector<std::int64_t> y(made.y.begin(), made.y.end());
  table.add("y", y);
  bough::Params params;
  params.task = "classification";
  if (depth > 0) params.max_depth = depth;
  return bough::fit(table, {.targets = {"y"}}, params, {.threads = 1});
}

template <class T>
std::vector<T> cells_of(const bench::Made& made, bool by_column) {
  std::vector<T> cells(made.x.size());
  const auto rows = static_cast<std::size_t>(made.rows), columns = static_cast<std::size_t>(made.columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      cells[by_column ? j * rows + i : i * columns + j] = static_cast<T>(made.x[i * columns + j]);
  return cells;
}

template <class T>
void time_runs(const bough::Model& model, const bench::Made& made, bool by_column, int runs) {
  const std::vector<T> cells = cells_of<T>(made, by_column);
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(T));
  const bough::Dtype dtype = sizeof(T) == 4 ? bough::Dtype::f32 : bough::Dtype::f64;
  bough::Table table;
  table.view_matrix(dtype, cells.data(), made.rows, made.columns, by_column ? size : made.columns * size,
                    by_column ? made.rows * size : size);
  for (int run = 0; run < runs; ++run) {
    const auto begin = Clock::now();
    const std::vector<double> out = model.predict(table, {.threads = 1});
    const double seconds = since(begin);
    double sum = 0.0;
    for (const double value : out) sum += value;
    std::printf("{\"seconds\": %.5f, \"ns_per_row\": %.1f, \"nodes\": %d, \"sum\": %.0f}\n", seconds,
                seconds * 1e9 / static_cast<double>(made.rows), static_cast<int>(model.tree().n_nodes()),
                sum);
    std::fflush(stdout);
  }
}

void time_single(const bough::Model& model, const bench::Made& made) {
  const auto columns = static_cast<std::size_t>(made.columns);
  const auto begin = Clock::now();
  double sum = 0.0, out = 0.0;
  constexpr std::size_t kCalls = 200'000;
  for (std::size_t i = 0; i < kCalls; ++i) {
    const std::size_t row = i % static_cast<std::size_t>(made.rows);
    model.predict_row(std::span(made.x).subspan(row * columns, columns), {&out, 1});
    sum += out;
  }
  std::printf("{\"ns_per_single_row\": %.1f, \"sum\": %.0f}\n", since(begin) * 1e9 / kCalls, sum);
}

}  // namespace

int main(int argc, char** argv) {
  const auto word = [&](int i, const char* otherwise) { return std::string(argc > i ? argv[i] : otherwise); };
  const bough::Model model = train(std::atoll(word(1, "200000").c_str()), std::atoi(word(2, "8").c_str()));
  const bench::Made made = bench::make(std::atoll(word(3, "1000000").c_str()), 28, 2);
  const bool by_column = word(5, "row") == "column";
  const int runs = std::atoi(word(6, "5").c_str());
  if (argc > 7) model.save(argv[7]);
  if (word(4, "f32") == "f64") {
    time_runs<double>(model, made, by_column, runs);
  } else {
    time_runs<float>(model, made, by_column, runs);
  }
  time_single(model, made);
}
