// SPDX-License-Identifier: Apache-2.0
// What search needs to know about targets, one class per family of criteria.
//
// A family gives
//   Node   totals of one node (node(rows)), with `pure` when no split can help
//   Sweep  the two sides of a split under way: begin() puts rows on the left or the right, move() and toggle() change sides,
//          score(), gain(), the weights and the values of the sides can be asked at any time
//   order_is_exact(), order_key(), level_vector(): how categories are ordered
// An additive family judges a set of rows by its Node; OrderFamily (order_family.hpp) needs the rows themselves.
// A Sweep may be used by one thread; Node and the family are read-only.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "criterion/registry.hpp"
#include "data/targets.hpp"
#include "split/exact/node_column.hpp"

namespace bough {

/// Weights per class, all outputs side by side.
class ClassFamily {
 public:
  /// Sums of rows are all that is needed to judge them; otherwise sets of rows stand for themselves.
  static constexpr bool kAdditive = true;
  ClassFamily(const Targets& targets, CriterionId criterion)
      : criterion_(criterion), targets_(&targets), unit_(std::ldexp(1.0, -targets.weight_exponent)) {
    begins_.push_back(0);
    for (const ClassTarget& target : targets.classes) begins_.push_back(begins_.back() + target.n_classes);
  }
  [[nodiscard]] CriterionId criterion() const noexcept { return criterion_; }
  [[nodiscard]] const Targets& targets() const noexcept { return *targets_; }

  struct Node {
    std::vector<std::int64_t> counts;
    std::int64_t weight = 0;
    bool pure = true;
  };

  [[nodiscard]] Node node(Rows rows) const {
    Node node;
    node.counts.assign(begins_.back(), 0);
    for (const RowId row : rows) node.weight += add(node.counts, row);
    for (std::size_t o = 0; o + 1 < begins_.size(); ++o)
      for (std::size_t c = begins_[o]; c < begins_[o + 1]; ++c)
        node.pure &= node.counts[c] == 0 || node.counts[c] == node.weight;
    return node;
  }

  class Sweep {
   public:
    using Sums = Node;
    static constexpr bool kValuesNeedSets = false;
    Sweep(const ClassFamily& family, const Node& node)
        : family_(&family), node_(&node), left_(node.counts.size()), right_(node.counts.size()) {}

    void begin(Rows left_first, Rows /*order*/, Rows /*right_rest*/) {
      std::fill(left_.begin(), left_.end(), 0);
      right_ = node_->counts;
      left_weight_ = 0;
      for (const RowId row : left_first) move(row);
    }
    void move(RowId row) {
      const Targets& targets = *family_->targets_;
      const std::int64_t weight = targets.weight(row);
      for (std::size_t o = 0; o < targets.classes.size(); ++o) {
        const std::size_t c = family_->begins_[o] + targets.classes[o].codes[row];
        left_[c] += weight;
        right_[c] -= weight;
      }
      left_weight_ += weight;
    }
    /// Sets given by their sums, which must outlive the sweep; `left_first` (may be null) starts on the left.
    void begin_sums(const Node* left_first, std::span<const Node> sets) {
      begin({}, {}, {});
      if (left_first != nullptr) set_left(*left_first);
      sets_ = sets;
      is_left_.assign(sets.size(), false);
    }
    void toggle(std::size_t set) {
      const std::int64_t sign = is_left_[set] ? -1 : 1;
      for (std::size_t c = 0; c < left_.size(); ++c) {
        left_[c] += sign * sets_[set].counts[c];
        right_[c] -= sign * sets_[set].counts[c];
      }
      left_weight_ += sign * sets_[set].weight;
      is_left_[set] = !is_left_[set];
    }

    /// Puts exactly these sums on the left.
    void set_left(const Node& left) noexcept {
      for (std::size_t c = 0; c < left_.size(); ++c) {
        left_[c] = left.counts[c];
        right_[c] = node_->counts[c] - left.counts[c];
      }
      left_weight_ = left.weight;
    }

    [[nodiscard]] std::int64_t left_weight() const noexcept { return left_weight_; }
    [[nodiscard]] std::int64_t right_weight() const noexcept { return node_->weight - left_weight_; }
    [[nodiscard]] bool allowed() const noexcept { return left_weight_ > 0 && right_weight() > 0; }
    [[nodiscard]] double score() const noexcept {
      return with_class_criterion(family_->criterion_,
                                  [&](auto tag) { return mean(decltype(tag)::type::score); });
    }
    [[nodiscard]] double gain() const noexcept {
      return family_->unit_ * with_class_criterion(family_->criterion_,
                                                   [&](auto tag) { return mean(decltype(tag)::type::gain); });
    }
    /// Chance of the second class of the first output.
    [[nodiscard]] double left_value() const noexcept { return share(left_, left_weight_); }
    [[nodiscard]] double right_value() const noexcept { return share(right_, right_weight()); }

   private:
    static double share(const std::vector<std::int64_t>& counts, std::int64_t weight) noexcept {
      return static_cast<double>(counts[1]) / static_cast<double>(weight);
    }
    template <class F>
    double mean(F f) const noexcept {
      double sum = 0.0;
      const auto& begins = family_->begins_;
      for (std::size_t o = 0; o + 1 < begins.size(); ++o) {
        const std::size_t begin = begins[o], size = begins[o + 1] - begins[o];
        sum += f(ClassSide{std::span(node_->counts).subspan(begin, size), node_->weight},
                 ClassSide{std::span(left_).subspan(begin, size), left_weight_},
                 ClassSide{std::span(right_).subspan(begin, size), right_weight()});
      }
      return sum / static_cast<double>(begins.size() - 1);
    }

    const ClassFamily* family_;
    const Node* node_;
    std::vector<std::int64_t> left_, right_;
    std::int64_t left_weight_ = 0;
    std::span<const Node> sets_;
    std::vector<bool> is_left_;
  };

  /// Two classes: the cut of the order by class share that is best is the best of all subsets (CART, theorem 4.5).
  [[nodiscard]] bool order_is_exact() const noexcept { return begins_.size() == 2 && begins_[1] <= 2; }
  [[nodiscard]] std::size_t vector_size() const noexcept { return begins_.back(); }
  void level_vector(const Node& sums, std::span<double> out) const {
    for (std::size_t c = 0; c < out.size(); ++c)
      out[c] = static_cast<double>(sums.counts[c]) / static_cast<double>(sums.weight);
  }
  [[nodiscard]] double level_weight(const Node& sums) const noexcept {
    return static_cast<double>(sums.weight);
  }
  [[nodiscard]] double order_key(const Node& sums) const {
    return begins_[1] < 2 ? 0.0 : static_cast<double>(sums.counts[1]) / static_cast<double>(sums.weight);
  }

 private:
  std::int64_t add(std::vector<std::int64_t>& counts, RowId row) const {
    const std::int64_t weight = targets_->weight(row);
    for (std::size_t o = 0; o < targets_->classes.size(); ++o)
      counts[begins_[o] + targets_->classes[o].codes[row]] += weight;
    return weight;
  }

  CriterionId criterion_;
  const Targets* targets_;
  double unit_;
  std::vector<std::size_t> begins_;
};

/// Powers of two that bring scores of several number targets to one unit, and scores to the user's units.
struct TargetUnits {
  std::vector<double> relative;  ///< per output, for scores
  std::vector<double> linear;    ///< per output, for targets
  int real = 0;                  ///< exponent from scores to weight * target^power

  TargetUnits(const Targets& targets, int power) {
    int reference = targets.numbers.front().fixed.exponent;
    for (const NumberTarget& target : targets.numbers) reference = std::min(reference, target.fixed.exponent);
    for (const NumberTarget& target : targets.numbers) {
      relative.push_back(std::ldexp(1.0, power * (reference - target.fixed.exponent)));
      linear.push_back(std::ldexp(1.0, reference - target.fixed.exponent));
    }
    real = -power * reference - targets.weight_exponent;
  }
};

/// Weighted sums of number targets.
class MomentFamily {
 public:
  static constexpr bool kAdditive = true;
  MomentFamily(const Targets& targets, CriterionId criterion)
      : criterion_(criterion),
        targets_(&targets),
        units_(targets,
               with_moment_criterion(criterion, [](auto tag) { return decltype(tag)::type::kTargetPower; })) {
  }
  [[nodiscard]] CriterionId criterion() const noexcept { return criterion_; }
  [[nodiscard]] const Targets& targets() const noexcept { return *targets_; }
  /// Whether both sides of a split need a positive sum of the target.
  [[nodiscard]] bool needs_positive_sums() const noexcept {
    return with_moment_criterion(criterion_, [](auto tag) { return decltype(tag)::type::kNeedsPositiveSum; });
  }

  struct Node {
    std::vector<ParentMoments> totals;  // per output; their weights are equal
    bool pure = true;
  };

  [[nodiscard]] Node node(Rows rows) const {
    Node node;
    for (const NumberTarget& target : targets_->numbers) {
      Moments moments;
      std::int64_t low = INT64_MAX, high = INT64_MIN;
      for (const RowId row : rows) {
        const std::int64_t y = target.fixed.values[row], weight = targets_->weight(row);
        moments.sum += static_cast<int128>(y) * weight;
        moments.weight += weight;
        low = std::min(low, y);
        high = std::max(high, y);
      }
      node.totals.push_back(make_parent(moments));
      node.pure &= low >= high;
    }
    return node;
  }

  /// True when every target of the rows is the same.
  [[nodiscard]] bool is_constant(Rows rows) const {
    for (const NumberTarget& target : targets_->numbers)
      for (const RowId row : rows)
        if (target.fixed.values[row] != target.fixed.values[rows.front()]) return false;
    return true;
  }

  class Sweep {
   public:
    using Sums = Node;
    static constexpr bool kValuesNeedSets = false;
    Sweep(const MomentFamily& family, const Node& node)
        : family_(&family), node_(&node), left_(node.totals.size()) {}

    void begin(Rows left_first, Rows /*order*/, Rows /*right_rest*/) {
      std::fill(left_.begin(), left_.end(), Moments{});
      for (const RowId row : left_first) move(row);
    }
    void move(RowId row) {
      const Targets& targets = *family_->targets_;
      const std::int64_t weight = targets.weight(row);
      for (std::size_t o = 0; o < left_.size(); ++o) {
        left_[o].sum += static_cast<int128>(targets.numbers[o].fixed.values[row]) * weight;
        left_[o].weight += weight;
      }
    }
    /// Sets given by their sums, which must outlive the sweep; `left_first` (may be null) starts on the left.
    void begin_sums(const Node* left_first, std::span<const Node> sets) {
      begin({}, {}, {});
      if (left_first != nullptr) set_left(*left_first);
      sets_ = sets;
      is_left_.assign(sets.size(), false);
    }
    void toggle(std::size_t set) {
      const std::int64_t sign = is_left_[set] ? -1 : 1;
      for (std::size_t o = 0; o < left_.size(); ++o) {
        left_[o].sum += sign * sets_[set].totals[o].sum;
        left_[o].weight += sign * sets_[set].totals[o].weight;
      }
      is_left_[set] = !is_left_[set];
    }

    /// Puts exactly these sums on the left.
    void set_left(const Node& left) noexcept {
      for (std::size_t o = 0; o < left_.size(); ++o) left_[o] = left.totals[o];
    }

    [[nodiscard]] std::int64_t left_weight() const noexcept { return left_[0].weight; }
    [[nodiscard]] std::int64_t right_weight() const noexcept {
      return node_->totals[0].weight - left_[0].weight;
    }
    [[nodiscard]] bool allowed() const noexcept {
      if (left_weight() <= 0 || right_weight() <= 0) return false;
      return with_moment_criterion(family_->criterion_, [&](auto tag) {
        for (std::size_t o = 0; o < left_.size(); ++o)
          if (!decltype(tag)::type::allows(left_[o]) || !decltype(tag)::type::allows(right(o))) return false;
        return true;
      });
    }
    [[nodiscard]] double score() const noexcept {
      return with_moment_criterion(family_->criterion_, [&](auto tag) {
        double sum = 0.0;
        for (std::size_t o = 0; o < left_.size(); ++o)
          sum +=
              family_->units_.relative[o] * decltype(tag)::type::score(node_->totals[o], left_[o], right(o));
        return sum / static_cast<double>(left_.size());
      });
    }
    [[nodiscard]] double gain() const noexcept { return std::ldexp(score(), family_->units_.real); }
    [[nodiscard]] double left_value() const noexcept { return family_->mean(left_[0]); }
    [[nodiscard]] double right_value() const noexcept { return family_->mean(right(0)); }

   private:
    [[nodiscard]] Moments right(std::size_t o) const noexcept {
      return {node_->totals[o].sum - left_[o].sum, node_->totals[o].weight - left_[o].weight};
    }

    const MomentFamily* family_;
    const Node* node_;
    std::vector<Moments> left_;
    std::span<const Node> sets_;
    std::vector<bool> is_left_;
  };

  /// One output: the best cut of the order by mean is the best of all subsets (Fisher 1958).
  [[nodiscard]] bool order_is_exact() const noexcept { return targets_->numbers.size() == 1; }
  [[nodiscard]] std::size_t vector_size() const noexcept { return targets_->numbers.size(); }
  void level_vector(const Node& sums, std::span<double> out) const {
    for (std::size_t o = 0; o < out.size(); ++o)
      out[o] = static_cast<double>(sums.totals[o].sum) / static_cast<double>(sums.totals[o].weight) *
               units_.linear[o];
  }
  [[nodiscard]] double level_weight(const Node& sums) const noexcept {
    return static_cast<double>(sums.totals[0].weight);
  }
  [[nodiscard]] double order_key(const Node& sums) const {
    return static_cast<double>(sums.totals[0].sum) / static_cast<double>(sums.totals[0].weight);
  }

 private:
  [[nodiscard]] double mean(const Moments& side) const noexcept {
    return std::ldexp(static_cast<double>(side.sum) / static_cast<double>(side.weight),
                      -targets_->numbers[0].fixed.exponent);
  }

  CriterionId criterion_;
  const Targets* targets_;
  TargetUnits units_;
};

/// Sets the sums of an additive family to those of no rows.
template <class Node>
void clear(Node& sums) noexcept {
  if constexpr (requires { sums.counts; }) {
    std::fill(sums.counts.begin(), sums.counts.end(), 0);
    sums.weight = 0;
  } else {
    std::fill(sums.totals.begin(), sums.totals.end(), ParentMoments{});
  }
}

/// Sums of no rows, shaped like `sums`.
template <class Node>
Node zero_like(Node sums) {
  clear(sums);
  return sums;
}

}  // namespace bough
