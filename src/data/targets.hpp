// SPDX-License-Identifier: Apache-2.0
// Targets and weights as search and leaves see them: class codes, fixed-point numbers, fixed-point weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/fixed.hpp"
#include "bough/table.hpp"

namespace bough {

/// One class target.
struct ClassTarget {
  std::uint32_t n_classes = 0;
  std::vector<std::uint32_t> codes;  ///< per row
};

/// One number target.
struct NumberTarget {
  std::vector<double> raw;  ///< per row, as given
  Fixed fixed;              ///< what sums are made of (fix_targets)
  int fine = 0;             ///< exponent for leaf values (fine_exponent)
};

/// Targets of the rows that may be used. Exactly one of `classes` and `numbers` is filled.
struct Targets {
  std::vector<ClassTarget> classes;
  std::vector<NumberTarget> numbers;
  std::vector<std::int64_t> weights;  ///< fixed point per row; empty: all 1
  int weight_exponent = 0;            ///< weight = integer * 2^-weight_exponent
  std::vector<RowId> rows;            ///< rows of positive weight, increasing: the rows to grow on
  std::int64_t total_weight = 0;      ///< fixed point, over `rows`
  std::vector<std::uint8_t> treated;  ///< per row, 1 or 0; empty: no treatment

  [[nodiscard]] bool is_classification() const noexcept { return !classes.empty(); }
  [[nodiscard]] std::size_t n_outputs() const noexcept { return classes.size() + numbers.size(); }
  [[nodiscard]] std::int64_t weight(RowId row) const noexcept { return weights.empty() ? 1 : weights[row]; }
};

/// The largest size of a number in these rows.
double largest_size(std::span<const double> numbers, std::span<const RowId> rows);

/// Fills weights, rows and total_weight from row weights (empty: all 1), and the fixed-point part of `numbers` from
/// their raw values. Throws bad_data naming the row when a weight is lost beside the largest.
void to_fixed_point(Targets& targets, std::span<const double> weights, std::int64_t n_rows);
/// The same of whole weights, one for every row.
void to_fixed_point(Targets& targets, std::span<const std::uint32_t> counts);

}  // namespace bough
