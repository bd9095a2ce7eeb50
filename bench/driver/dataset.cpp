// SPDX-License-Identifier: Apache-2.0
// Makes benchmark data and shapes it as the options ask.
#include "driver/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "driver/folder.hpp"
#include "made.hpp"
#include "made_sparse.hpp"

namespace bench {
namespace {

/// Independent of the stream that makes the cells, so that the other cells stay the same.
void strike_out(std::vector<float>& x, double share) {
  if (share <= 0.0) return;
  Random random(2);
  for (float& cell : x)
    if (random.unit() < share) cell = std::numeric_limits<float>::quiet_NaN();
}

Dataset made(const Options& options) {
  Made source = make(options.rows, options.columns);
  Dataset data;
  data.rows = source.rows;
  data.columns = source.columns;
  data.x32 = std::move(source.x);
  data.y = std::move(source.y);
  data.z = std::move(source.z);
  strike_out(data.x32, options.missing);
  Random random(3);
  for (const double value : data.z) {
    data.counts.push_back(std::floor(std::max(0.0, value + 2.0)));
    data.weights.push_back(0.5 + random.unit());
  }
  return data;
}

Dataset made_sparse(const Options& options) {
  MadeSparse source = make_sparse(options.rows, options.columns);
  Dataset data;
  data.rows = options.rows;
  data.columns = options.columns;
  data.values = std::move(source.values);
  data.indices = std::move(source.indices);
  data.starts = std::move(source.starts);
  data.y = std::move(source.y);
  data.z = std::move(source.z);
  return data;
}

void make_dense(Dataset& data) {
  data.x32.assign(static_cast<std::size_t>(data.rows * data.columns), 0.0F);
  for (std::size_t j = 0; j < static_cast<std::size_t>(data.columns); ++j)
    for (auto k = static_cast<std::size_t>(data.starts[j]); k < static_cast<std::size_t>(data.starts[j + 1]);
         ++k)
      data.x32[static_cast<std::size_t>(data.indices[k]) * static_cast<std::size_t>(data.columns) + j] =
          data.values[k];
  data.values = {};
  data.indices = {};
  data.starts = {};
}

}  // namespace

std::size_t Dataset::input_bytes() const {
  return x32.size() * sizeof(float) + x64.size() * sizeof(double) + values.size() * sizeof(float) +
         (indices.size() + starts.size()) * sizeof(std::int32_t) +
         categories.size() * static_cast<std::size_t>(rows) * sizeof(std::int32_t);
}

Dataset load(const Options& options) {
  Dataset data = options.data == "made"     ? made(options)
                 : options.data == "sparse" ? made_sparse(options)
                                            : read_folder(options.data);
  if (options.dense && data.sparse()) make_dense(data);
  if (options.dtype == "f64" && !data.x32.empty()) {
    data.x64.assign(data.x32.begin(), data.x32.end());
    data.x32 = {};
  }
  return data;
}

}  // namespace bench
