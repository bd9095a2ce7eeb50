// SPDX-License-Identifier: Apache-2.0
// The family of two arms (families.hpp): sums of treated and of untreated rows, and the limit that both must
// be on both sides.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "criterion/arms.hpp"
#include "split/options.hpp"
#include "split/stats/families.hpp"

namespace bough {

/// Rows of each arm that a side needs: variances need two.
inline std::int64_t arm_rows_needed(const TreatmentOptions& options, double variance_price) noexcept {
  return std::max<std::int64_t>(options.min_rows, options.effect && variance_price > 0.0 ? 2 : 1);
}

inline void add_row(const Targets& targets, RowId row, ArmPair& arms) noexcept {
  ArmSums& arm = arms[targets.treated[row]];
  const std::int64_t y = targets.numbers.front().fixed.values[row], weight = targets.weight(row);
  arm.sum += static_cast<int128>(y) * weight;
  arm.squares += Wide::product(magnitude(static_cast<int128>(y) * y), static_cast<std::uint64_t>(weight));
  arm.weight += weight;
  ++arm.rows;
}

template <class Rule>
class TreatmentFamily {
 public:
  static constexpr bool kAdditive = true;
  /// A split that gains nothing is none: what it costs is part of the score.
  static constexpr bool kOnlyGains = true;

  TreatmentFamily(const Targets& targets, const TreatmentOptions& options, double variance_price)
      : targets_(&targets), price_(variance_price), min_rows_(arm_rows_needed(options, variance_price)) {
    const Node root = node(targets.rows);
    if (root.arms[0].weight > 0 && root.arms[1].weight > 0) {
      centre_ = root.centre;
      effect_ = EffectGain::effect(root.arms, centre_);
    }
    unit_ = Rule::kLooksAtTarget ? TargetUnits(targets, 2).real : -targets.weight_exponent;
  }

  struct Node : ParentArms {
    bool pure = true;
  };

  [[nodiscard]] Node node(Rows rows) const {
    ArmPair arms;
    for (const RowId row : rows) add(row, arms);
    const bool few = std::min(arms[0].rows, arms[1].rows) < 2 * min_rows_;
    return {make_parent(arms), few};
  }

  class Sweep {
   public:
    using Sums = Node;
    static constexpr bool kValuesNeedSets = false;
    Sweep(const TreatmentFamily& family, const Node& node) : family_(&family), node_(&node) {}

    void begin(Rows left_first, Rows /*order*/, Rows /*right_rest*/) {
      left_ = {};
      for (const RowId row : left_first) move(row);
    }
    void move(RowId row) { family_->add(row, left_); }
    /// Sets given by their sums, which must outlive the sweep; `left_first` (may be null) starts on the left.
    void begin_sums(const Node* left_first, std::span<const Node> sets) {
      left_ = left_first != nullptr ? left_first->arms : ArmPair{};
      sets_ = sets;
      is_left_.assign(sets.size(), false);
    }
    void toggle(std::size_t set) {
      for (std::size_t a = 0; a < 2; ++a)
        is_left_[set] ? take(left_[a], sets_[set].arms[a]) : join(left_[a], sets_[set].arms[a]);
      is_left_[set] = !is_left_[set];
    }

    [[nodiscard]] std::int64_t left_weight() const noexcept { return left_[0].weight + left_[1].weight; }
    [[nodiscard]] std::int64_t right_weight() const noexcept {
      return node_->arms[0].weight + node_->arms[1].weight - left_weight();
    }
    [[nodiscard]] bool allowed() const noexcept {
      for (std::size_t a = 0; a < 2; ++a)
        if (std::min(left_[a].rows, node_->arms[a].rows - left_[a].rows) < family_->min_rows_) return false;
      return true;
    }
    [[nodiscard]] double score() const noexcept {
      return Rule::score(*node_, left_, right(), family_->price_);
    }
    [[nodiscard]] double gain() const noexcept { return std::ldexp(score(), family_->unit_); }
    [[nodiscard]] double left_value() const noexcept { return family_->effect_of(left_); }
    [[nodiscard]] double right_value() const noexcept { return family_->effect_of(right()); }

   private:
    [[nodiscard]] ArmPair right() const noexcept {
      ArmPair out = node_->arms;
      for (std::size_t a = 0; a < 2; ++a) take(out[a], left_[a]);
      return out;
    }
    static void join(ArmSums& to, const ArmSums& from) noexcept {
      to.sum += from.sum;
      to.squares += from.squares;
      to.weight += from.weight;
      to.rows += from.rows;
    }
    static void take(ArmSums& from, const ArmSums& what) noexcept {
      from.sum -= what.sum;
      from.squares -= what.squares;
      from.weight -= what.weight;
      from.rows -= what.rows;
    }

    const TreatmentFamily* family_;
    const Node* node_;
    ArmPair left_;
    std::span<const Node> sets_;
    std::vector<bool> is_left_;
  };

  /// By share of treated rows as for two classes. For effects no order is known to hold the best subset.
  [[nodiscard]] bool order_is_exact() const noexcept { return !Rule::kLooksAtTarget; }
  [[nodiscard]] std::size_t vector_size() const noexcept { return 1; }
  /// The effect at the level; at one that lacks an arm, the effect among all rows.
  void level_vector(const Node& sums, std::span<double> out) const { out[0] = order_key(sums); }
  [[nodiscard]] double level_weight(const Node& sums) const noexcept {
    return static_cast<double>(sums.arms[0].weight + sums.arms[1].weight);
  }
  [[nodiscard]] double order_key(const Node& sums) const noexcept {
    if constexpr (!Rule::kLooksAtTarget) return static_cast<double>(sums.arms[1].weight) / level_weight(sums);
    const bool both = sums.arms[0].weight > 0 && sums.arms[1].weight > 0;
    return both ? EffectGain::effect(sums.arms, centre_) : effect_;
  }

 private:
  void add(RowId row, ArmPair& arms) const noexcept { add_row(*targets_, row, arms); }
  [[nodiscard]] double effect_of(const ArmPair& side) const noexcept {
    return std::ldexp(EffectGain::effect(side, centre_), -targets_->numbers.front().fixed.exponent);
  }

  const Targets* targets_;
  double price_;
  std::int64_t min_rows_;
  std::int64_t centre_ = 0;
  double effect_ = 0.0;
  int unit_ = 0;
};

}  // namespace bough
