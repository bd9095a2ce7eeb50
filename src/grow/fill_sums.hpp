// SPDX-License-Identifier: Apache-2.0
// Sums of one node and the statistics that they make; what rows add to them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bough/tree.hpp"
#include "grow/totals.hpp"

namespace bough {

// Sums of one node: a cell per class of every output, or per number target.
template <class Cell>
struct NodeSums {
  std::span<Cell> cells;
  std::int64_t weight = 0;
  std::int64_t n_rows = 0;
};

// Throws not_supported: leaves of this criterion are not made of sums.
[[noreturn]] void refuse_order(CriterionId criterion);

// Class weights of all outputs.
class ClassFiller {
 public:
  using Cell = std::int64_t;
  ClassFiller(const Targets& targets, CriterionId criterion)
      : targets_(&targets), criterion_(criterion), unit_(-targets.weight_exponent) {
    for (const ClassTarget& target : targets.classes) width_ += target.n_classes;
  }
  [[nodiscard]] std::size_t width() const noexcept { return width_; }

  void add(NodeSums<Cell>& sums, std::span<const RowId> rows) const {
    for (const RowId row : rows) add(sums, row);
  }
  void add(NodeSums<Cell>& sums, RowId row) const {
    const std::int64_t w = targets_->weight(row);
    std::size_t begin = 0;
    for (const ClassTarget& target : targets_->classes) {
      sums.cells[begin + target.codes[row]] += w;
      begin += target.n_classes;
    }
    sums.weight += w;
    ++sums.n_rows;
  }
  /// Asks for what add() reads of a row.
  void prefetch(RowId row) const noexcept {
    if (!targets_->weights.empty()) __builtin_prefetch(&targets_->weights[row]);
    for (const ClassTarget& target : targets_->classes) __builtin_prefetch(&target.codes[row]);
  }
  static void join(Cell& to, const Cell& from) noexcept { to += from; }
  static std::span<const Cell> cells(const LeafTotals& leaf) noexcept { return leaf.counts; }

  /// Values have room for width() numbers.
  void stats(const NodeSums<Cell>& sums, double& weight, double& impurity, std::span<double> values) const;

 private:
  const Targets* targets_;
  CriterionId criterion_;
  PowerOfTwo unit_;  // from fixed-point weights to real ones
  std::size_t width_ = 0;
};

// Moments of all outputs.
class MomentFiller {
 public:
  using Cell = NumberTotals;
  // Rows are measured by these frames.
  MomentFiller(const Targets& targets, CriterionId criterion, std::span<const PoissonFrame> frames);
  // Frames of all rows of the targets.
  MomentFiller(const Targets& targets, CriterionId criterion);

  [[nodiscard]] std::size_t width() const noexcept { return targets_->numbers.size(); }
  void add(NodeSums<Cell>& sums, std::span<const RowId> rows) const;
  void prefetch(RowId row) const noexcept {
    if (!targets_->weights.empty()) __builtin_prefetch(&targets_->weights[row]);
    for (const NumberTarget& target : targets_->numbers) {
      __builtin_prefetch(&target.raw[row]);
      __builtin_prefetch(&target.fixed.values[row]);
    }
  }
  static void join(NumberTotals& to, const NumberTotals& from) noexcept { to.merge(from); }
  static std::span<const Cell> cells(const LeafTotals& leaf) noexcept { return leaf.numbers; }

  /// Values have room for width() numbers.
  void stats(const NodeSums<Cell>& sums, double& weight, double& impurity, std::span<double> values) const;

 private:
  void add_units(const NumberTarget& target);
  template <bool kWeighted>
  void add(NumberTotals& sums, std::span<const RowId> rows, std::size_t o) const;
  [[nodiscard]] std::int64_t excess(std::size_t o, RowId row) const;
  [[nodiscard]] double mean(const NumberTotals& sums, std::int64_t weight, std::size_t o) const;
  [[nodiscard]] double variance(const NumberTotals& sums, std::int64_t weight, std::size_t o) const;
  [[nodiscard]] double deviance(const NumberTotals& sums, std::int64_t weight, std::size_t o, double m) const;

  const Targets* targets_;
  bool poisson_;
  PowerOfTwo weight_;                  // from fixed-point weights to real ones
  std::vector<PowerOfTwo> scales_;     // per output: to the fine fixed point
  std::vector<PowerOfTwo> means_;      // per output: back from it
  std::vector<PowerOfTwo> variances_;  // per output: from the square of the fixed point of sums
  std::vector<PoissonFrame> frames_;   // per output; poisson only
  std::vector<std::vector<std::int64_t>>
      excesses_;  // per output and row, where all rows are going to be asked for; or empty
};

// The moments of one number target under squared error, with whole weights below 2^31 in all: what MomentFiller computes, from
// shorter sums.
class NumberFiller {
 public:
  struct Cell {
    int128 fine = 0;
    int128 rest = 0;
    uint128 squares = 0;  // at most the largest |y| times the sum of all, both below 2^61
    std::int64_t sum = 0;
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
  };
  explicit NumberFiller(const Targets& targets);
  /// Whether the targets are such.
  [[nodiscard]] static bool fits(const Targets& targets, CriterionId criterion) noexcept {
    return criterion == CriterionId::squared_error && targets.numbers.size() == 1 &&
           targets.weight_exponent == 0 && targets.total_weight < std::int64_t{1} << 31;
  }

  [[nodiscard]] static constexpr std::size_t width() noexcept { return 1; }
  void add(NodeSums<Cell>& sums, std::span<const RowId> rows) const {
    Cell& out = sums.cells[0];
    for (const RowId row : rows) {
      const std::int64_t w = weights_ != nullptr ? weights_[row] : 1, y = values_[row];
      const double raw = raw_[row], units = scale_.times(raw);
      const std::int64_t fine = PowerOfTwo::round(units);
      const double left_out = units - static_cast<double>(fine);
      out.fine += static_cast<int128>(fine) * w;
      if (left_out != 0.0) out.rest += static_cast<int128>(PowerOfTwo::round(left_out * kRestUnit)) * w;
      out.sum += y * w;
      out.squares += static_cast<uint128>(static_cast<int128>(y) * (y * w));
      out.lowest = raw < out.lowest ? raw : out.lowest;
      out.highest = raw > out.highest ? raw : out.highest;
      sums.weight += w;
    }
    sums.n_rows += static_cast<std::int64_t>(rows.size());
  }
  void prefetch(RowId row) const noexcept {
    if (weights_ != nullptr) __builtin_prefetch(weights_ + row);
    __builtin_prefetch(raw_ + row);
    __builtin_prefetch(values_ + row);
  }
  static void join(Cell& to, const Cell& from) noexcept {
    to.fine += from.fine;
    to.rest += from.rest;
    to.squares += from.squares;
    to.sum += from.sum;
    to.lowest = std::min(to.lowest, from.lowest);
    to.highest = std::max(to.highest, from.highest);
  }
  void stats(const NodeSums<Cell>& sums, double& weight, double& impurity, std::span<double> values) const {
    const Cell& cell = sums.cells[0];
    weight = static_cast<double>(sums.weight);
    if (cell.lowest == cell.highest) {
      values[0] = cell.lowest;
      impurity = 0.0;
    } else {
      inner_stats(cell, sums.weight, impurity, values[0]);
    }
  }

  static constexpr double kRestUnit = 0x1p61;

 private:
  void inner_stats(const Cell& cell, std::int64_t weight, double& impurity, double& value) const;

  const double* raw_;
  const std::int64_t* values_;
  const std::int64_t* weights_;  // or null: all 1
  PowerOfTwo scale_, mean_, variance_;
};

}  // namespace bough
