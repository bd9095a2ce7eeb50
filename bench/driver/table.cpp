// SPDX-License-Identifier: Apache-2.0
// Benchmark data as bough sees it.
#include <stdexcept>

#include "driver/dataset.hpp"

namespace bench {
namespace {

bough::ColumnView view_of(bough::Dtype dtype, const void* data, std::ptrdiff_t stride, std::int64_t rows) {
  bough::Chunk chunk;
  chunk.data = data;
  chunk.stride = stride;
  chunk.length = rows;
  bough::ColumnView view;
  view.dtype = dtype;
  view.chunks.push_back(chunk);
  return view;
}

bough::ColumnView numbers_of(const std::vector<double>& values) {
  return view_of(bough::Dtype::f64, values.data(), sizeof(double), static_cast<std::int64_t>(values.size()));
}

void add_features(bough::Table& table, const Dataset& data) {
  if (data.sparse()) {
    table.view_csc({.dtype = bough::Dtype::f32,
                    .values = data.values.data(),
                    .indices = data.indices.data(),
                    .starts = data.starts.data(),
                    .wide = false,
                    .rows = data.rows,
                    .columns = data.columns});
  } else if (!data.x64.empty()) {
    table.view_matrix(bough::Dtype::f64, data.x64.data(), data.rows, data.columns, data.columns * 8, 8);
  } else if (!data.x32.empty()) {
    table.view_matrix(bough::Dtype::f32, data.x32.data(), data.rows, data.columns, data.columns * 4, 4);
  }
  for (const Category& category : data.categories) table.add(category.name, category.codes, category.levels);
}

}  // namespace

bough::Table table_of(const Dataset& data, const Options& options) {
  bough::Table table;
  add_features(table, data);
  const std::string target = options.target_name();
  const std::vector<double>& numbers = target == "counts" ? data.counts : data.z;
  if (target == "y" ? data.y.empty() : numbers.empty())
    throw std::runtime_error("the data has no target " + target);
  table.view("target", target == "y"
                           ? view_of(bough::Dtype::i32, data.y.data(), sizeof(std::int32_t), data.rows)
                           : numbers_of(numbers));
  if (options.weights) {
    if (data.weights.empty()) throw std::runtime_error("the data has no weights");
    table.view("weight", numbers_of(data.weights));
  }
  return table;
}

}  // namespace bench
