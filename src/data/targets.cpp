// SPDX-License-Identifier: Apache-2.0
// Targets and weights in fixed point.
#include "data/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/buffer.hpp"
#include "base/internal_limits.hpp"
#include "base/parallel.hpp"

namespace bough {
namespace {

// The fixed-point part of the numbers, the weights being there.
void fix_numbers(Targets& targets) {
  for (NumberTarget& target : targets.numbers) {
    target.fixed = fix_targets(target.raw, targets.weights, targets.weight_exponent);
    const double largest = largest_size(target.raw, targets.rows);
    target.fine = fine_exponent(std::span(&largest, 1));
  }
}

}  // namespace

double largest_size(std::span<const double> numbers, std::span<const RowId> rows) {
  const auto largest_of = [&](std::size_t begin, std::size_t end) {
    double largest = 0.0;
    for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::fabs(numbers[rows[i]]));
    return largest;
  };
  return parallel_reduce(rows.size(), internal_limits().parallel_rows, 0.0, largest_of,
                         [](double a, double b) { return std::max(a, b); });
}

void to_fixed_point(Targets& targets, std::span<const std::uint32_t> counts) {
  constexpr std::uint32_t few = 1 << 20;  // whose sums stay within what fixed point allows
  if (std::any_of(counts.begin(), counts.end(), [](std::uint32_t count) { return count >= few; })) {
    const std::vector<double> weights(counts.begin(), counts.end());
    to_fixed_point(targets, weights, static_cast<std::int64_t>(counts.size()));
    return;
  }
  targets.weights.assign(counts.begin(), counts.end());
  targets.rows.resize(counts.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    targets.rows[n] = static_cast<RowId>(i);
    n += counts[i] != 0 ? 1 : 0;
    targets.total_weight += counts[i];
  }
  targets.rows.resize(n);
  fix_numbers(targets);
}

void to_fixed_point(Targets& targets, std::span<const double> weights, std::int64_t n_rows) {
  if (weights.empty()) {
    targets.rows = zeros<RowId>(static_cast<std::size_t>(n_rows));
    parallel_ranges(targets.rows.size(), internal_limits().parallel_rows,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) targets.rows[i] = static_cast<RowId>(i);
                    });
    targets.total_weight = n_rows;
  } else {
    FixedWeights fixed = fix_weights(weights);
    if (fixed.lost >= 0)
      throw Error(
          ErrorCode::bad_data,
          fmt::format("the weight of row {} is lost beside the sum of all weights (some 2^52 times smaller)",
                      fixed.lost + 1),
          "use weights of comparable size, or 0 to leave a row out");
    targets.weights = std::move(fixed.values);
    targets.weight_exponent = fixed.exponent;
    for (std::size_t i = 0; i < targets.weights.size(); ++i) {
      if (targets.weights[i] == 0) continue;
      targets.rows.push_back(static_cast<RowId>(i));
      targets.total_weight += targets.weights[i];
    }
  }
  fix_numbers(targets);
}

}  // namespace bough
