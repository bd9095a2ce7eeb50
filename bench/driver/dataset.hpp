// SPDX-License-Identifier: Apache-2.0
// The data of one benchmark in memory, as raw files, and as a bough::Table.
//
// A folder of raw files lets every peer read the very same bytes: meta.json says rows, columns and what is
// there; x.f32 or x.f64 hold the numbers row after row; values.f32, rows.i32, starts.i32 a sparse matrix by
// columns; codes.i32 the categories column after column (-1: missing), their texts in meta.json; y.i32
// classes, z.f64 numbers, counts.f64 counts, weights.f64 row weights.
#pragma once

#include <bough/bough.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/options.hpp"

namespace bench {

struct Category {
  std::string name;
  std::vector<std::string> levels;
  std::vector<std::int32_t> codes;
};

struct Dataset {
  std::int64_t rows = 0;
  std::int64_t columns = 0;  ///< of numbers
  std::vector<float> x32;    ///< one of x32, x64 or the sparse triple
  std::vector<double> x64;
  std::vector<float> values;
  std::vector<std::int32_t> indices;
  std::vector<std::int32_t> starts;
  std::vector<Category> categories;
  std::vector<std::int32_t> y;
  std::vector<double> z;
  std::vector<double> counts;
  std::vector<double> weights;

  [[nodiscard]] bool sparse() const { return !starts.empty(); }
  /// Bytes of the features.
  [[nodiscard]] std::size_t input_bytes() const;
};

/// Made or read, then changed to the dtype and density that the options ask for.
Dataset load(const Options& options);
void write_folder(const Dataset& data, const std::string& folder);

/// Views the features, the target "target" and, when asked for, the weights "weight".
bough::Table table_of(const Dataset& data, const Options& options);

}  // namespace bench
