// SPDX-License-Identifier: Apache-2.0
// Fits on the made data through the C++ API and prints seconds. usage: fit ROWS DEPTH(0: full) CRITERION [THREADS] [REPS] [ENGINE]
#include <bough/bough.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "made.hpp"

int main(int argc, char** argv) {
  const std::int64_t rows = argc > 1 ? std::atoll(argv[1]) : 200000;
  const int depth = argc > 2 ? std::atoi(argv[2]) : 8;
  const std::string criterion = argc > 3 ? argv[3] : "gini";
  const int threads = argc > 4 ? std::atoi(argv[4]) : 1;
  const int reps = argc > 5 ? std::atoi(argv[5]) : 3;
  const bench::Made made = bench::make(rows);
  bough::Params params;
  params.criterion = criterion;
  if (depth > 0) params.max_depth = depth;
  const bool classes = criterion == "gini" || criterion == "entropy" || criterion == "misclassification" || criterion == "hellinger";
  params.task = classes ? "classification" : "regression";
  bough::Table table;
  table.view_matrix(bough::Dtype::f32, made.x.data(), made.rows, made.columns, made.columns * 4, 4);
  bough::ColumnView target;
  target.dtype = classes ? bough::Dtype::i32 : bough::Dtype::f64;
  target.chunks.push_back({classes ? static_cast<const void*>(made.y.data()) : made.z.data(), classes ? 4 : 8, rows});
  table.view("y", target);
  bough::Execution execution;
  execution.threads = threads;
  if (argc > 6) execution.engine = argv[6];
  for (int r = 0; r < reps; ++r) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    const bough::Model model = bough::fit(table, {{"y"}}, params, execution);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%s rows=%lld depth=%d threads=%d: %.4f s wall, %.4f s cpu, %d nodes\n", criterion.c_str(),
                static_cast<long long>(rows), depth, threads, wall, static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC,
                static_cast<int>(model.tree().n_nodes()));
  }
}
