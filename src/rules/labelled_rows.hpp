// SPDX-License-Identifier: Apache-2.0
// The targets and weights of the rows that rules are counted on.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bough/rules.hpp"

namespace bough {

struct Truth {
  std::vector<std::vector<std::int32_t>> classes;  ///< per output, per row: the index of the class
  std::vector<std::vector<double>> numbers;        ///< per output, per row
  std::vector<double> weights;                     ///< per row; empty: all 1

  [[nodiscard]] double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};

/// Throws bad_data naming column and row when a target is absent, missing or unknown, or a weight makes no
/// sense.
Truth read_truth(const Table& table, Task task, const Schema& targets, std::string_view weight);

}  // namespace bough
