// SPDX-License-Identifier: Apache-2.0
// The key=value options of the benchmark programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct Options {
  std::string job = "fit";      ///< fit, predict, path, dump
  std::string data = "made";    ///< made, sparse, or a folder that `dump` or Python wrote
  std::int64_t rows = 200'000;  ///< made, sparse
  std::int64_t columns = 28;    ///< made, sparse
  double missing = 0.0;         ///< share of cells that are missing (made)
  std::string dtype = "f32";    ///< f32 or f64: what the features are given as
  bool dense = false;           ///< give sparse data as a dense matrix
  bool weights = false;         ///< use the row weights
  std::string target;           ///< y (classes), z (numbers), counts; empty: by criterion
  std::string criterion = "gini";
  std::string splitter = "best";
  std::int32_t depth = 0;  ///< 0: no limit
  int threads = 1;
  std::string engine = "auto";
  std::string simd;    ///< best vector target allowed: scalar, SSSE3, SSE4, AVX2, AVX3; empty: all
  int fits = 3;        ///< steps to run; with serve: as many as asked for
  int inner = 1;       ///< runs per step, for work of microseconds
  bool serve = false;  ///< a step for every line "go" on standard input
  std::string out;     ///< dump: the folder; bench_scale: the csv file
  std::string thread_list = "1,2,4,8,16";  ///< bench_scale

  [[nodiscard]] bool classes() const;
  /// The target, chosen by the criterion where none is named.
  [[nodiscard]] std::string target_name() const;
};

/// The first word is the job unless it holds a "=". Ends the program with a list of the keys when one is
/// unknown.
Options parse(int argc, char** argv);

/// "1,2,4" as numbers.
std::vector<int> numbers(const std::string& list);

}  // namespace bench
