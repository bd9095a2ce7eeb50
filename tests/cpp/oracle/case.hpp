// SPDX-License-Identifier: Apache-2.0
// A small table in the plainest form, with the parameters to grow a tree on it: what the brute force works
// on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough::oracle {

/// How a column reaches the library.
enum class Storage : std::uint8_t { f64, f32, text, sparse };

/// Cells are numbers, or level indices of an ordinal or category column; missing is NaN.
struct PlainColumn {
  std::string name;
  Kind kind = Kind::numeric;
  Storage storage = Storage::f64;
  std::size_t n_levels = 0;  ///< ordinal and category
  std::vector<double> cells;
};

struct Case {
  std::vector<PlainColumn> columns;
  bool classes = true;
  std::vector<std::vector<double>> targets;  ///< per output: class index or number
  std::vector<std::size_t> n_classes;        ///< per output; classes only
  std::vector<double> weights;               ///< empty: all 1
  Params params;

  [[nodiscard]] std::size_t n_rows() const { return targets.front().size(); }
  [[nodiscard]] double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};

/// The case as a table (text levels for Storage::text, numbers else), and what plays which part.
Table to_table(const Case& sample);
FitSpec fit_spec(const Case& sample);
/// Grows the tree of the case with an engine (Execution::engine).
Model grow_case(const Case& sample, const std::string& engine = "lists", int threads = 1);

/// The case as text, one row per line, to reproduce a failure.
std::string describe(const Case& sample);

}  // namespace bough::oracle
