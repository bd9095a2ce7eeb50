// SPDX-License-Identifier: Apache-2.0
// bench_tasks: times one job on one data set through the C++ API; a line of JSON per step, then one on the
// result.
//
// usage: bench_tasks fit|predict|path key=value...      bench_tasks dump out=FOLDER key=value...
// With serve=1 it answers {"ready": ...}, then a step for every line "go" and the result for "end", so that a
// caller can let two programs take turns.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

#include "driver/jobs.hpp"
#include "driver/memory.hpp"
#include "driver/simd.hpp"

namespace bench {

std::unique_ptr<Job> job(const Dataset& data, const Options& options) {
  if (options.job == "fit") return fit_job(data, options);
  if (options.job == "predict") return predict_job(data, options);
  if (options.job == "path") return path_job(data, options);
  throw std::runtime_error("unknown job '" + options.job + "'; there are fit, predict, path and dump");
}

namespace {

using nlohmann::json;

void say(const json& line) {
  std::cout << line.dump() << std::endl;
}

json step(Job& work, int inner) {
  json seconds = json::array();
  for (int i = 0; i < inner; ++i) {
    work.reset();
    const auto begin = std::chrono::steady_clock::now();
    work.run();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return {{"seconds", seconds}};
}

int run(const Options& options) {
  const std::string simd = restrict_simd(options.simd);
  const Dataset data = load(options);
  if (options.job == "dump") {
    write_folder(data, options.out);
    return 0;
  }
  const std::unique_ptr<Job> work = job(data, options);
  const PeakMemory memory;
  if (options.serve) say({{"ready", true}});
  std::string word;
  for (int i = 0; options.serve ? std::getline(std::cin, word) && word == "go" : i < options.fits; ++i)
    say(step(*work, options.inner));
  const auto peak = memory.above_start();
  json result = work->describe();
  result["simd"] = simd;
  result["version"] = bough::version();
  result["rows"] = data.rows;
  result["columns"] = data.columns + static_cast<std::int64_t>(data.categories.size());
  result["input_bytes"] = data.input_bytes();
  result["peak_bytes"] = peak ? json(*peak) : json();
  say(result);
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  try {
    return bench::run(bench::parse(argc, argv));
  } catch (const bough::Error& error) {
    std::fprintf(stderr, "bench: %s (%s)\n", error.what(), error.hint().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
  }
  return 1;
}
