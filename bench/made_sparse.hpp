// SPDX-License-Identifier: Apache-2.0
// Made sparse data: compressed columns of which a fixed share is filled; the first hundredth of them carries
// the signal.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "made.hpp"

namespace bench {

struct MadeSparse {
  std::vector<float> values;
  std::vector<std::int32_t> indices;  ///< rows, increasing inside a column
  std::vector<std::int32_t> starts;
  std::vector<std::int32_t> y;
  std::vector<double> z;
};

inline MadeSparse make_sparse(std::int64_t rows, std::int64_t columns, double fill = 0.01,
                              std::uint64_t seed = 4) {
  MadeSparse made;
  made.starts.push_back(0);
  made.z.resize(static_cast<std::size_t>(rows));
  Random random(seed);
  const double per_gap = 1.0 / std::log1p(-fill);
  const std::int64_t telling = std::max<std::int64_t>(5, columns / 100);
  for (std::int64_t j = 0; j < columns; ++j) {
    // The gaps between filled rows are geometric.
    for (double row = -1.0;;) {
      row += 1.0 + std::floor(std::log(1.0 - random.unit()) * per_gap);
      if (row >= static_cast<double>(rows)) break;
      const double v = random.bell();
      const auto cell =
          static_cast<float>(j % 2 == 0 ? v : 1.0 + std::floor(std::abs(v) * 2.0));  // or small counts
      made.values.push_back(cell);
      made.indices.push_back(static_cast<std::int32_t>(row));
      if (j < telling)
        made.z[static_cast<std::size_t>(row)] += (j % 3 == 0 ? -1.0 : 1.0) * static_cast<double>(cell);
    }
    made.starts.push_back(static_cast<std::int32_t>(made.values.size()));
  }
  for (double& z : made.z) {
    z += 0.3 * random.bell();
    made.y.push_back(z > 0.0 ? 1 : 0);
  }
  return made;
}

}  // namespace bench
