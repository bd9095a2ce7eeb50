// SPDX-License-Identifier: Apache-2.0
// Sums of one node and the statistics that they make; what rows add to them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
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

}  // namespace bough
