// SPDX-License-Identifier: Apache-2.0
// Times fits on the made data through the C++ API; one line of JSON per fit.
// usage: bench_fit ROWS DEPTH CRITERION [THREADS] [FITS] [ENGINE]     DEPTH 0: no limit
//        bench_fit dump ROWS PREFIX     writes the data as PREFIX.x (float32), PREFIX.y (int32), PREFIX.z (float64)
#include <bough/bough.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include "made.hpp"

namespace {

template <class T>
void write(const std::string& path, const std::vector<T>& values) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
}

int dump(std::int64_t rows, const std::string& prefix) {
  const bench::Made made = bench::make(rows);
  write(prefix + ".x", made.x);
  write(prefix + ".y", made.y);
  write(prefix + ".z", made.z);
  return 0;
}

bough::Table table_of(const bench::Made& made, bool classes) {
  bough::Table table;
  table.view_matrix(bough::Dtype::f32, made.x.data(), made.rows, made.columns, made.columns * 4, 4);
  bough::ColumnView target;
  target.dtype = classes ? bough::Dtype::i32 : bough::Dtype::f64;
  bough::Chunk chunk;
  chunk.data = classes ? static_cast<const void*>(made.y.data()) : made.z.data();
  chunk.stride = classes ? 4 : 8;
  chunk.length = made.rows;
  target.chunks.push_back(chunk);
  table.view("y", target);
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "dump") return dump(std::atoll(argv[2]), argv[3]);
  const std::int64_t rows = argc > 1 ? std::atoll(argv[1]) : 200000;
  const int depth = argc > 2 ? std::atoi(argv[2]) : 8;
  bough::Params params;
  params.criterion = argc > 3 ? argv[3] : "gini";
  if (depth > 0) params.max_depth = depth;
  const bool classes = params.criterion == "gini" || params.criterion == "entropy" ||
                       params.criterion == "misclassification" || params.criterion == "hellinger";
  params.task = classes ? "classification" : "regression";
  bough::Execution execution;
  execution.threads = argc > 4 ? std::atoi(argv[4]) : 1;
  const int fits = argc > 5 ? std::atoi(argv[5]) : 3;
  if (argc > 6) execution.engine = argv[6];
  const bench::Made made = bench::make(rows);
  const bough::Table table = table_of(made, classes);
  for (int i = 0; i < fits; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    const bough::Model model = bough::fit(table, {.targets = {"y"}}, params, execution);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("{\"seconds\": %.5f, \"cpu\": %.5f, \"nodes\": %d, \"column\": %d, \"threshold\": %.17g}\n", wall,
                static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC, static_cast<int>(model.tree().n_nodes()),
                static_cast<int>(model.tree().column(0)), model.tree().threshold(0));
    std::fflush(stdout);
  }
}
