// SPDX-License-Identifier: Apache-2.0
// Targets in order, for absolute error and quantiles, whose loss is no function of sums.
//
// A sweep along a column asks for the loss of a growing left side and a shrinking right one. Both are computed ahead for
// all cuts (side_losses.hpp). Cuts of one number target, by far the most frequent case, are searched without a sweep.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "split/exact/scan.hpp"
#include "split/stats/families.hpp"
#include "split/stats/side_losses.hpp"

namespace bough {

/// The quantile of sorted rows in fixed point, doubled: the sum of the two neighbours where the level is hit exactly.
struct QuantilePoint {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::size_t low_at = 0;  ///< where they stand
  std::size_t high_at = 0;
  double loss = 0.0;
};

/// Quantile and loss of rows sorted by target (`y`, `weights` run in that order).
template <class YAt, class WeightAt>
QuantilePoint quantile_point(std::size_t n, const QuantileLoss& rule, YAt y, WeightAt weight) {
  std::int64_t total = 0;
  int128 sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    total += weight(i);
    sum += static_cast<int128>(y(i)) * weight(i);
  }
  QuantilePoint point;
  std::int64_t below = 0;
  int128 below_sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (weight(i) > 0 && rule.reached(below + weight(i), total)) {
      point.low = point.high = y(i);
      point.low_at = point.high_at = i;
      if (rule.reached_exactly(below + weight(i), total))
        for (std::size_t j = i + 1; j < n; ++j)
          if (weight(j) > 0) {
            point.high = y(j);
            point.high_at = j;
            break;
          }
      point.loss = rule.loss(sum - below_sum - static_cast<int128>(point.low) * (total - below),
                             static_cast<int128>(point.low) * below - below_sum);
      return point;
    }
    below += weight(i);
    below_sum += static_cast<int128>(y(i)) * weight(i);
  }
  return point;
}

class OrderFamily {
 public:
  static constexpr bool kAdditive = false;
  OrderFamily(const Targets& targets, QuantileLoss rule)
      : targets_(&targets), rule_(rule), units_(targets, 1) {
    ranks_.resize(targets.numbers.size());
    for (auto& ranks : ranks_) ranks.resize(targets.numbers.front().raw.size());
    if (targets.weights.empty()) units_before_ = UnitRanks(rule, targets.rows.size());
    for (const NumberTarget& target : targets.numbers) {
      uint128 sum = 0;  // below 2^122
      for (const RowId row : targets.rows)
        sum += magnitude(static_cast<int128>(target.fixed.values[row]) * targets.weight(row));
      narrow_.push_back(sum < uint128{1} << 61);
    }
  }

  struct Sorted {
    std::vector<RowId> rows;
    std::vector<std::int64_t> y;
    std::vector<std::int64_t> weights;  // empty: all 1
    double loss = 0.0;
    bool narrow = false;
    RankedStart start;
    [[nodiscard]] RankedTargets ranked() const noexcept { return {y, weights, narrow, start}; }
  };
  struct Node {
    std::vector<Sorted> outputs;
    std::int64_t weight = 0;
    bool pure = true;
  };

  /// Also notes each row's rank in the node, so a row may be in one live Node at a time.
  [[nodiscard]] Node node(Rows rows) {
    Node node;
    for (std::size_t o = 0; o < targets_->numbers.size(); ++o) {
      node.outputs.push_back(sort(rows, o));
      const Sorted& sorted = node.outputs.back();
      for (std::size_t i = 0; i < sorted.rows.size(); ++i)
        ranks_[o][sorted.rows[i]] = static_cast<std::uint32_t>(i);
      node.pure &= sorted.y.empty() || sorted.y.front() == sorted.y.back();
    }
    for (const RowId row : rows) node.weight += targets_->weight(row);
    return node;
  }

  class Sweep {
   public:
    static constexpr bool kValuesNeedSets = true;
    Sweep(const OrderFamily& family, const Node& node) : family_(&family), node_(&node) {}

    void begin(Rows left_first, Rows order, Rows right_rest) {
      const std::size_t n_outputs = node_->outputs.size();
      by_sets_ = false;
      at_ = 0;
      left_weights_.assign(order.size() + 1, 0);
      for (const RowId row : left_first) left_weights_[0] += family_->targets_->weight(row);
      for (std::size_t i = 0; i < order.size(); ++i)
        left_weights_[i + 1] = left_weights_[i] + family_->targets_->weight(order[i]);
      losses_.resize(n_outputs);
      for (std::size_t o = 0; o < n_outputs; ++o) {
        const auto ranks = [&](Rows rows, std::vector<std::uint32_t>& out) {
          out.clear();
          for (const RowId row : rows) out.push_back(family_->ranks_[o][row]);
        };
        ranks(left_first, first_);
        ranks(order, order_);
        ranks(right_rest, rest_);
        sides_losses_.run(family_->rule_, family_->units_before_, node_->outputs[o].ranked(), first_, order_,
                          rest_, losses_[o]);
      }
    }
    void move(RowId) noexcept { ++at_; }

    void begin_sets(Rows left_first, std::span<const Rows> sets, Rows /*right_rest*/) {
      by_sets_ = true;
      sets_.assign(sets.begin(), sets.end());
      is_left_.assign(sets.size(), false);
      left_weight_ = 0;
      sides_.assign(node_->outputs.size(), std::vector<char>(node_->outputs[0].rows.size(), 0));
      for (const RowId row : left_first) flip(row);
    }
    void toggle(std::size_t set) {
      for (const RowId row : sets_[set]) flip(row);
    }

    [[nodiscard]] std::int64_t left_weight() const noexcept {
      return by_sets_ ? left_weight_ : left_weights_[at_];
    }
    [[nodiscard]] std::int64_t right_weight() const noexcept { return node_->weight - left_weight(); }
    [[nodiscard]] bool allowed() const noexcept { return left_weight() > 0 && right_weight() > 0; }
    [[nodiscard]] double score() const {
      double sum = 0.0;
      for (std::size_t o = 0; o < node_->outputs.size(); ++o) {
        const double children = by_sets_ ? point(o, 1).loss + point(o, 0).loss : losses_[o][at_];
        const double gain = node_->outputs[o].loss - children;
        sum += family_->units_.relative[o] * (gain > 0.0 ? gain : 0.0);
      }
      return sum / static_cast<double>(node_->outputs.size());
    }
    [[nodiscard]] double gain() const { return std::ldexp(score(), family_->units_.real); }

    /// Quantiles of the sides; only sets keep the sides, so a row sweep must be replayed as sets first.
    [[nodiscard]] double left_value() const { return family_->real(point(0, 1)); }
    [[nodiscard]] double right_value() const { return family_->real(point(0, 0)); }

   private:
    void flip(RowId row) {
      char& first = sides_[0][family_->ranks_[0][row]];
      left_weight_ += (first ? -1 : 1) * family_->targets_->weight(row);
      for (std::size_t o = 0; o < sides_.size(); ++o) sides_[o][family_->ranks_[o][row]] ^= 1;
    }
    [[nodiscard]] QuantilePoint point(std::size_t o, char side) const {
      const Sorted& sorted = node_->outputs[o];
      return quantile_point(
          sorted.rows.size(), family_->rule_, [&](std::size_t i) { return sorted.y[i]; },
          [&](std::size_t i) {
            return sides_[o][i] == side ? family_->targets_->weight(sorted.rows[i]) : std::int64_t{0};
          });
    }

    const OrderFamily* family_;
    const Node* node_;
    SideLosses sides_losses_;
    std::vector<std::uint32_t> first_, order_, rest_;
    bool by_sets_ = false;
    std::size_t at_ = 0;
    std::vector<std::int64_t> left_weights_;
    std::vector<std::vector<double>> losses_;
    std::vector<Rows> sets_;
    std::vector<bool> is_left_;
    std::int64_t left_weight_ = 0;
    std::vector<std::vector<char>> sides_;
  };

  /// What best_cut() needs of a column: its rows at the node by code, and all codes and values.
  struct CutColumn {
    ColId id = 0;
    Kind kind = Kind::numeric;
    Rows rows;                             ///< missing last
    std::span<const std::uint32_t> codes;  ///< per row of the table
    std::span<const double> values;        ///< numeric: by code
    [[nodiscard]] std::uint32_t code(std::size_t i) const noexcept { return codes[rows[i]]; }
    [[nodiscard]] double cell(std::size_t i) const noexcept {
      return kind == Kind::numeric ? values[code(i)] : static_cast<double>(code(i));
    }
  };
  /// The best cut of a number or ordinal column for one target, the one that Scan finds.
  [[nodiscard]] Candidate best_cut(const Node& node, const CutColumn& column, const Limits& limits) const;

  [[nodiscard]] bool order_is_exact() const noexcept { return false; }
  [[nodiscard]] std::size_t vector_size() const noexcept { return targets_->numbers.size(); }
  void level_vector(Rows rows, std::span<double> out) const {
    for (std::size_t o = 0; o < out.size(); ++o) {
      const Sorted sorted = sort(rows, o);
      const QuantilePoint point = find(sorted);
      out[o] = (static_cast<double>(point.low) / 2 + static_cast<double>(point.high) / 2) * units_.linear[o];
    }
  }
  [[nodiscard]] double level_weight(Rows rows) const {
    std::int64_t weight = 0;
    for (const RowId row : rows) weight += targets_->weight(row);
    return static_cast<double>(weight);
  }
  [[nodiscard]] double order_key(Rows rows) const {
    double key = 0.0;
    level_vector(rows, std::span(&key, 1));
    return key;
  }

 private:
  [[nodiscard]] Sorted sort(Rows rows, std::size_t o) const {
    const auto& y = targets_->numbers[o].fixed.values;
    Sorted sorted;
    sorted.rows.assign(rows.begin(), rows.end());
    std::sort(sorted.rows.begin(), sorted.rows.end(),
              [&](RowId a, RowId b) { return y[a] != y[b] ? y[a] < y[b] : a < b; });
    sorted.y.reserve(sorted.rows.size());
    for (const RowId row : sorted.rows) sorted.y.push_back(y[row]);
    if (!targets_->weights.empty())
      for (const RowId row : sorted.rows) sorted.weights.push_back(targets_->weight(row));
    const QuantilePoint point = find(sorted);
    sorted.loss = point.loss;
    sorted.narrow = narrow_[o];
    sorted.start = start_of(sorted, point.low_at);
    return sorted;
  }
  // All cuts of one column with the missing cells on one side: ranks that are left of every cut, the others in order,
  // the losses, and whether all of them may go left.
  struct Cuts {
    std::span<const std::uint32_t> first, order;
    std::span<const double> losses;
    bool all_known_left = false;
  };
  // The rows known on the left (0: no cut is allowed), and the score.
  struct Cut {
    std::size_t at = 0;
    double score = 0.0;
    bool left_heavier = false;
  };
  [[nodiscard]] Cut best_of(const Node& node, const CutColumn& column, const Limits& limits,
                            const Cuts& cuts) const;
  [[nodiscard]] RankedStart start_of(const Sorted& sorted, std::size_t quantile) const {
    RankedStart start;
    start.at = quantile;
    for (std::size_t i = 0; i < sorted.rows.size(); ++i) {
      if (i == quantile) {
        start.below_weight = start.weight;
        start.below_sum = start.sum;
      }
      start.weight += sorted.ranked().weight(i);
      start.sum += static_cast<int128>(sorted.y[i]) * sorted.ranked().weight(i);
    }
    return start;
  }
  [[nodiscard]] QuantilePoint find(const Sorted& sorted) const {
    return quantile_point(
        sorted.rows.size(), rule_, [&](std::size_t i) { return sorted.y[i]; },
        [&](std::size_t i) { return targets_->weight(sorted.rows[i]); });
  }
  [[nodiscard]] double real(const QuantilePoint& point) const {
    return std::ldexp(static_cast<double>(point.low) / 2 + static_cast<double>(point.high) / 2,
                      -targets_->numbers[0].fixed.exponent);
  }

  const Targets* targets_;
  QuantileLoss rule_;
  TargetUnits units_;
  UnitRanks units_before_;
  std::vector<bool> narrow_;  // per output
  std::vector<std::vector<std::uint32_t>> ranks_;
};

extern template class Scan<OrderFamily>;  // compiled in scan.cpp

/// Calls f with the family of a criterion; `quantile` is the level of the quantile loss.
template <class F>
decltype(auto) with_family(const Targets& targets, CriterionId id, double quantile, const F& f) {
  switch (criterion_info(id).family) {
    case Family::classes:
      return f(ClassFamily(targets, id));
    case Family::moments:
      return f(MomentFamily(targets, id));
    case Family::order:
      break;
  }
  return f(OrderFamily(targets, quantile_loss(id, quantile)));
}

}  // namespace bough
