// SPDX-License-Identifier: Apache-2.0
// bench_scale: how training speeds up with threads, on data it makes itself; needs no other file on the
// machine.
//
// usage: bench_scale [rows=10000000] [depth=8] [criterion=gini] [fits=3] [thread_list=1,2,4,8,16]
// [out=scale.csv] Thread counts take turns; the models must have the same bytes.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "driver/jobs.hpp"
#include "driver/simd.hpp"

namespace {

using bench::Dataset;
using bench::Options;

struct Line {
  int threads = 0;
  double first = 0.0;
  double best = 0.0;
};

/// One fit; fills the line and the hash of the first model, and says whether this one is the same.
bool measure(const bough::Table& table, Options options, Line& line, std::uint64_t& hash) {
  options.threads = line.threads;
  const auto begin = std::chrono::steady_clock::now();
  const bough::Model model = bench::fit(table, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (line.first == 0.0) line.first = line.best = seconds;
  if (seconds < line.best) line.best = seconds;
  const std::uint64_t mine = bench::hash_of(model);
  if (hash == 0) hash = mine;
  std::printf("%d threads: %.4f s, %d nodes, hash %016llx\n", line.threads, seconds,
              static_cast<int>(model.tree().n_nodes()), static_cast<unsigned long long>(mine));
  std::fflush(stdout);
  return mine == hash;
}

int run(Options options, const std::string& simd) {
  if (options.out.empty()) options.out = "scale.csv";
  const Dataset data = bench::load(options);
  const bough::Table table = bench::table_of(data, options);
  std::vector<Line> lines;
  for (const int threads : bench::numbers(options.thread_list)) lines.push_back({threads, 0.0, 0.0});
  std::uint64_t hash = 0;
  bool same = true;
  for (int i = 0; i < options.fits; ++i)
    for (Line& line : lines) same = measure(table, options, line, hash) && same;
  std::ofstream file(options.out);
  file << "rows,columns,criterion,depth,simd,cores,threads,first_s,best_s,speedup,same_model\n";
  for (const Line& line : lines) {
    file << options.rows << ',' << options.columns << ',' << options.criterion << ',' << options.depth << ','
         << simd << ',' << std::thread::hardware_concurrency() << ',' << line.threads << ',' << line.first
         << ',' << line.best << ',' << lines.front().best / line.best << ',' << same << '\n';
    std::printf("%2d threads: best %.4f s, %.2f times as fast as %d\n", line.threads, line.best,
                lines.front().best / line.best, lines.front().threads);
  }
  if (!same) std::fprintf(stderr, "bench: the models differ between thread counts\n");
  return same && file ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // The defaults come first, so that the caller's words win.
  std::vector<std::string> words{argv[0], "rows=10000000", "depth=8"};
  words.insert(words.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  try {
    const Options options = bench::parse(static_cast<int>(pointers.size()), pointers.data());
    return run(options, bench::restrict_simd(options.simd));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
    return 1;
  }
}
