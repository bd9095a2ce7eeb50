// SPDX-License-Identifier: Apache-2.0
// Quantile losses of the two sides of all cuts along one order of rows, in linear time.
//
// A cut after i rows has the rows before it on the left. Adding rows to a side would mean finding their place
// among the targets of the side; taking rows away from a full side is easier: the rows form a doubly linked
// list in the order of their targets, and a row that leaves knows its neighbours. So the left losses are
// found from the last cut to the first and the right ones from the first to the last, both at once, because
// neither has to wait for the other.
//
// Beside the list stand the row at the quantile and the weight and sum of the rows below it. A row of weight
// 1 that leaves moves the quantile by one place at most. In general the way is bounded by weights; should
// they differ so much that it gets long, a Fenwick tree over the targets does the same in O(log m) per row.
//
// Sums are exact. Often |y| * weight adds up to less than B = 2^61 over all rows (always when weights are 1).
// Let q be the quantile at level a. If q < 0, a share a of the weight lies at or below q, so that |q| * (that
// weight) < B and |q| * (weight above) < B * (1 - a) / a; in the same way for q > 0. For 1/3 <= a <= 2/3 both
// parts of the loss then stay below 3 B and 64 bits are enough, with unsigned steps that may wrap on the way.
// All else takes 128 bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "criterion/quantile.hpp"

namespace bough {

/// The quantile of all rows of a node, and what lies below it.
struct RankedStart {
  std::size_t at = 0;  ///< its rank
  std::int64_t below_weight = 0, weight = 0;
  int128 below_sum = 0, sum = 0;
};

/// The rows of a node in the order of their targets.
struct RankedTargets {
  std::span<const std::int64_t> y;        ///< by rank
  std::span<const std::int64_t> weights;  ///< by rank, all positive; empty: all 1
  bool narrow = false;                    ///< |y| * weight adds up to less than 2^61
  RankedStart start;
  [[nodiscard]] std::int64_t weight(std::size_t rank) const noexcept {
    return weights.empty() ? 1 : weights[rank];
  }
};

/// Weights and weighted targets by rank, with the loss of everything added so far.
class LossTree {
 public:
  void reset(std::size_t size) {
    weights_.assign(size + 1, 0);
    sums_.assign(size + 1, 0);
    weight_ = 0;
    sum_ = 0;
  }
  void add(std::size_t rank, std::int64_t y, std::int64_t weight) {
    const int128 product = static_cast<int128>(y) * weight;
    for (std::size_t i = rank + 1; i < weights_.size(); i += i & (~i + 1)) {
      weights_[i] += weight;
      sums_[i] += product;
    }
    weight_ += weight;
    sum_ += product;
  }
  /// Loss of what was added; `sorted` are the targets by rank.
  [[nodiscard]] double loss(const QuantileLoss& rule, std::span<const std::int64_t> sorted) const {
    if (weight_ == 0) return 0.0;
    std::size_t at = 0;
    std::int64_t below_weight = 0;
    int128 below_sum = 0;
    for (std::size_t step = std::bit_floor(sorted.size()); step > 0; step /= 2) {
      if (at + step > sorted.size() || rule.reached(below_weight + weights_[at + step], weight_)) continue;
      at += step;
      below_weight += weights_[at];
      below_sum += sums_[at];
    }
    const int128 quantile = sorted[std::min(at, sorted.size() - 1)];
    return rule.loss(sum_ - below_sum - quantile * (weight_ - below_weight),
                     quantile * below_weight - below_sum);
  }

 private:
  std::vector<std::int64_t> weights_;
  std::vector<int128> sums_;
  std::int64_t weight_ = 0;
  int128 sum_ = 0;
};

/// How many of m rows of weight 1 lie before their quantile, for every m.
class UnitRanks {
 public:
  UnitRanks() = default;
  UnitRanks(const QuantileLoss& rule, std::size_t most) : before_(most + 1, 0) {
    std::uint32_t c = 0;
    for (std::size_t m = 1; m <= most; ++m) {
      const std::uint32_t last = c;
      while (!rule.reached(std::int64_t{c} + 1, static_cast<std::int64_t>(m))) ++c;
      even_ &= c <= last + 1;
      before_[m] = c;
    }
  }
  [[nodiscard]] const std::uint32_t* data() const noexcept { return before_.data(); }
  /// False when one row more can move the quantile by more than one place (rounding of strange levels).
  [[nodiscard]] bool even() const noexcept { return even_; }

 private:
  std::vector<std::uint32_t> before_;
  bool even_ = true;
};

/// One side: rows that leave one by one. `Index` holds the number of rows.
template <class Sum, class Index>
class LeavingSide {
 public:
  using Bits = std::conditional_t<std::is_same_v<Sum, std::int64_t>, std::uint64_t, uint128>;

  /// All rows but `absent`; returns the number of steps to the quantile.
  std::size_t fill(const RankedTargets& targets, const QuantileLoss& rule,
                   std::span<const std::uint32_t> absent) {
    const std::size_t size = targets.y.size();
    links_.resize(size + 1);
    for (std::size_t i = 0; i <= size; ++i)
      links_[i] = {static_cast<Index>(i - 1), static_cast<Index>(i + 1)};
    links_[size].after = 0;
    links_[0].before = static_cast<Index>(size);
    weight_ = targets.start.weight;
    sum_ = static_cast<Bits>(targets.start.sum);
    at_ = static_cast<std::uint32_t>(targets.start.at);
    below_weight_ = targets.start.below_weight;
    below_sum_ = static_cast<Bits>(targets.start.below_sum);
    std::size_t steps = 0;
    for (const std::uint32_t rank : absent) steps += remove(targets, rule, rank);
    return steps;
  }

  /// Moves to the quantile from where the side stands; returns the number of steps.
  std::size_t settle(const RankedTargets& targets, const QuantileLoss& rule) {
    std::size_t steps = 0;
    if (weight_ == 0) return 0;
    while (below_weight_ > 0 && rule.reached(below_weight_, weight_)) {
      at_ = links_[at_].before;
      below_weight_ -= targets.weight(at_);
      below_sum_ -= product(targets, at_);
      ++steps;
    }
    while (!rule.reached(below_weight_ + targets.weight(at_), weight_)) {
      below_weight_ += targets.weight(at_);
      below_sum_ += product(targets, at_);
      at_ = links_[at_].after;
      ++steps;
    }
    return steps;
  }

  std::size_t remove(const RankedTargets& targets, const QuantileLoss& rule, std::uint32_t rank) {
    const std::uint32_t after = unlink(rank);
    const std::int64_t w = targets.weight(rank);
    const Bits wy = product(targets, rank);
    weight_ -= w;
    sum_ -= wy;
    if (rank < at_) {
      below_weight_ -= w;
      below_sum_ -= wy;
    }
    if (rank == at_) at_ = after;
    return settle(targets, rule);
  }

  /// The same for rows of weight 1, without branches: which way the quantile goes is a coin toss.
  void remove_unit(const std::int64_t* y, const std::uint32_t* before, std::uint32_t rank) noexcept {
    const std::uint32_t after = unlink(rank);
    const auto value = static_cast<Bits>(y[rank]);
    sum_ -= value;
    --weight_;
    const std::int64_t is_below = rank < at_ ? 1 : 0;
    below_weight_ -= is_below;
    below_sum_ -= value & (Bits{0} - static_cast<Bits>(is_below));
    const std::uint32_t is_here = 0U - static_cast<std::uint32_t>(rank == at_);
    at_ = (after & is_here) | (at_ & ~is_here);
    const std::int64_t wanted = before[weight_];
    const std::uint32_t up = 0U - static_cast<std::uint32_t>(below_weight_ < wanted);
    const std::uint32_t down = 0U - static_cast<std::uint32_t>(below_weight_ > wanted);
    const Link here = links_[at_];
    const auto step = static_cast<Bits>(y[(at_ & up) | (here.before & down)]);
    below_sum_ += (step & (Bits{0} - (up & 1U))) - (step & (Bits{0} - (down & 1U)));
    at_ = (here.after & up) | (here.before & down) | (at_ & ~(up | down));
    below_weight_ = wanted;
  }

  [[nodiscard]] double loss(const std::int64_t* y, const QuantileLoss& rule) const noexcept {
    if (weight_ == 0) return 0.0;
    const auto q = static_cast<Bits>(y[at_]);
    const Bits above = sum_ - below_sum_ - q * static_cast<Bits>(weight_ - below_weight_);
    const Bits below = q * static_cast<Bits>(below_weight_) - below_sum_;
    return rule.loss(static_cast<Sum>(above), static_cast<Sum>(below));
  }

 private:
  struct Link {
    Index before, after;  // the number of rows stands for both ends
  };
  static Bits product(const RankedTargets& targets, std::size_t rank) noexcept {
    return static_cast<Bits>(targets.y[rank]) * static_cast<Bits>(targets.weight(rank));
  }
  std::uint32_t unlink(std::uint32_t rank) noexcept {
    const Link gone = links_[rank];
    links_[gone.before].after = gone.after;
    links_[gone.after].before = gone.before;
    return gone.after;
  }

  std::vector<Link> links_;
  std::int64_t weight_ = 0, below_weight_ = 0;
  Bits sum_ = 0, below_sum_ = 0;
  std::uint32_t at_ = 0;  // the quantile
};

/// Losses of all cuts of one order; keep one per thread.
class SideLosses {
 public:
  /// losses[i]: of `first` and the first i rows of `order`, plus that of the others (all by rank; `rest` are
  /// the rows that stay right). The three together are all rows of the node.
  void run(const QuantileLoss& rule, const UnitRanks& units, const RankedTargets& targets,
           std::span<const std::uint32_t> first, std::span<const std::uint32_t> order,
           std::span<const std::uint32_t> rest, std::vector<double>& losses) {
    losses.resize(order.size() + 1);
    right_.resize(order.size() + 1);
    const bool narrow = targets.narrow && rule.level >= 1.0 / 3.0 && rule.level <= 2.0 / 3.0;
    const bool few = targets.y.size() <= std::numeric_limits<std::uint16_t>::max();
    const auto with = [&](auto& sides) {
      return by_lists(sides, rule, units, targets, first, order, rest, losses);
    };
    const bool done = !narrow ? with(wide_) : few ? with(few_) : with(narrow_);
    if (!done) by_tree(rule, targets, first, order, rest, losses);
    for (std::size_t i = 0; i < losses.size(); ++i) losses[i] += right_[i];
  }

 private:
  template <class Sum, class Index>
  struct Sides {
    LeavingSide<Sum, Index> left, right;
  };

  // False when the quantile has to travel too far.
  template <class Sum, class Index>
  bool by_lists(Sides<Sum, Index>& sides, const QuantileLoss& rule, const UnitRanks& units,
                const RankedTargets& targets, std::span<const std::uint32_t> first,
                std::span<const std::uint32_t> order, std::span<const std::uint32_t> rest,
                std::span<double> losses) {
    const std::size_t n = order.size();
    const std::int64_t* y = targets.y.data();
    std::size_t steps = sides.left.fill(targets, rule, rest) + sides.right.fill(targets, rule, first);
    losses[n] = sides.left.loss(y, rule);
    right_[0] = sides.right.loss(y, rule);
    if (targets.weights.empty() && units.even()) {
      LeavingSide<Sum, Index> left = std::move(sides.left), right = std::move(sides.right);  // into registers
      for (std::size_t i = 0; i < n; ++i) {
        left.remove_unit(y, units.data(), order[n - 1 - i]);
        right.remove_unit(y, units.data(), order[i]);
        losses[n - 1 - i] = left.loss(y, rule);
        right_[i + 1] = right.loss(y, rule);
      }
      sides.left = std::move(left);
      sides.right = std::move(right);
      return true;
    }
    const std::size_t most = 8 * targets.y.size() + 64;
    for (std::size_t i = 0; i < n && steps <= most; ++i) {
      steps +=
          sides.left.remove(targets, rule, order[n - 1 - i]) + sides.right.remove(targets, rule, order[i]);
      losses[n - 1 - i] = sides.left.loss(y, rule);
      right_[i + 1] = sides.right.loss(y, rule);
    }
    return steps <= most;
  }

  void by_tree(const QuantileLoss& rule, const RankedTargets& targets, std::span<const std::uint32_t> first,
               std::span<const std::uint32_t> order, std::span<const std::uint32_t> rest,
               std::span<double> losses) {
    const auto add = [&](std::uint32_t rank) { tree_.add(rank, targets.y[rank], targets.weight(rank)); };
    tree_.reset(targets.y.size());
    for (const std::uint32_t rank : first) add(rank);
    for (std::size_t i = 0;; ++i) {
      losses[i] = tree_.loss(rule, targets.y);
      if (i == order.size()) break;
      add(order[i]);
    }
    tree_.reset(targets.y.size());
    for (const std::uint32_t rank : rest) add(rank);
    for (std::size_t i = order.size();; --i) {
      right_[i] = tree_.loss(rule, targets.y);
      if (i == 0) break;
      add(order[i - 1]);
    }
  }

  Sides<std::int64_t, std::uint16_t> few_;
  Sides<std::int64_t, std::uint32_t> narrow_;
  Sides<int128, std::uint32_t> wide_;
  LossTree tree_;
  std::vector<double> right_;
};

}  // namespace bough
