// SPDX-License-Identifier: Apache-2.0
// What leaves know about their rows, as sums that can be added up elsewhere: exact, so that the order does
// not matter.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fixed.hpp"
#include "criterion/registry.hpp"
#include "data/targets.hpp"

namespace bough {

/// Sums of one number target. Values come from the fine sum (61 bits of the largest target) and the sum of
/// what those bits leave out (61 more), so that leaves of small targets beside large ones keep their digits;
/// impurities come from the squares of the fixed-point targets (squared_error) or from y log y made small
/// (poisson).
struct NumberTotals {
  int128 fine = 0;
  int128 rest = 0;
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  int128 sum = 0;
  Wide squares;
  int128 excess = 0;
  void merge(const NumberTotals& other) noexcept;
};

/// What all leaves measure y log y by, for one target: g(y) = y log(y / centre) - y + centre, with `centre`
/// the mean of all rows, in fixed point. The deviance of a node of mean m is the mean of g minus g(m),
/// whatever the centre is; near it both are small, so that little cancels.
struct PoissonFrame {
  double centre = 1.0;
  int exponent = 0;
  [[nodiscard]] double excess(double y) const noexcept;
};

/// What a leaf knows: weights of the classes of all outputs one after the other, or sums per number target.
struct LeafTotals {
  std::int64_t n_rows = 0;
  std::int64_t weight = 0;
  std::vector<std::int64_t> counts;
  std::vector<NumberTotals> numbers;

  /// Adds what the same leaf knows elsewhere; one of the two may be empty.
  void merge(const LeafTotals& other);
  void append_to(std::string& bytes) const;
  /// Reads what append_to() wrote from the front of `bytes`, and takes it off. Throws bad_data where that is
  /// not there.
  static LeafTotals read(std::string_view& bytes);
};

/// What a leaf knows about these rows. `poisson`: by output, where that is the criterion. Throws
/// not_supported for criteria whose values are not made of sums (absolute_error, quantile).
LeafTotals leaf_totals(std::span<const RowId> rows, const Targets& targets, CriterionId criterion,
                       std::span<const PoissonFrame> poisson = {});

/// The frame of one target, in two passes over blocks of rows: sums add up to `sum` and give the centre, and
/// the largest excess over all blocks gives the exponent.
int128 target_sum(std::span<const RowId> rows, const Targets& targets, std::size_t output);
double poisson_centre(int128 sum, std::int64_t total_weight, int target_exponent) noexcept;
double largest_excess(std::span<const RowId> rows, const NumberTarget& target, double centre);
PoissonFrame poisson_frame(double centre, double largest) noexcept;

}  // namespace bough
