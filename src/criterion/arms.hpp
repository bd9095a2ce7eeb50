// SPDX-License-Identifier: Apache-2.0
// Two arms: treated and untreated rows. What a split is worth when effects, or chances of treatment, are to
// differ.
//
// EffectGain is the splitting rule of the honest causal tree (Athey and Imbens, Recursive partitioning for
// heterogeneous causal effects, PNAS 113, 2016). A node of weight w whose arms have the means m1 and m0 is
// worth
//   V = w t^2 - c w (s1 / n1 + s0 / n0),   t = m1 - m0,   s = sum of w (y - m)^2 over the arm / its weight *
//   n / (n - 1),
// n being rows: the squared effect, less the variance with which it is estimated. A split is worth V(left) +
// V(right) - V(node) and is made when that is above 0. The sum of V over leaves, over N rows, is their
// estimate of minus the expected squared error of the effects, up to a constant, with c = 1 + N /
// N_estimation: 1 / honest_fraction. They divide s by the share of treated rows among all; here every node
// counts its own, as their program does. Without honest rows c is 0, their adaptive rule: every difference
// counts, and only the limits stop the tree.
//
// ShareGain is the rule of the propensity tree (Wager and Athey, Estimation and inference of heterogeneous
// treatment effects using random forests, JASA 113, 2018, procedure 2): the decrease of the gini impurity of
// the treatment. It looks at no y, so estimates of effects in the leaves are honest without further rows.
#pragma once

#include <array>
#include <cstdint>

#include "criterion/gini.hpp"

namespace bough {

/// Exact sums over the rows of one arm.
struct ArmSums {
  int128 sum = 0;
  Wide squares;
  std::int64_t weight = 0;
  std::int64_t rows = 0;
};

/// Untreated rows, then treated ones.
using ArmPair = std::array<ArmSums, 2>;

/// A whole node: `centre` is a whole number near its mean, to which means are shifted before they are
/// rounded; `narrow` when weight * squares fits 128 bits.
struct ParentArms {
  ArmPair arms;
  std::int64_t centre = 0;
  bool narrow = false;
};

inline ParentArms make_parent(const ArmPair& arms) noexcept {
  ParentArms parent{arms, 0, false};
  const std::int64_t weight = arms[0].weight + arms[1].weight;
  if (weight > 0) parent.centre = static_cast<std::int64_t>((arms[0].sum + arms[1].sum) / weight);
  Wide squares = arms[0].squares;
  squares += arms[1].squares;
  parent.narrow =
      squares.high == 0 && bit_length(squares.low) + bit_length(static_cast<uint128>(weight)) <= 127;
  return parent;
}

struct EffectGain {
  static constexpr bool kLooksAtTarget = true;

  /// m1 - m0; both arms have weight.
  static double effect(const ArmPair& side, std::int64_t centre) noexcept {
    return shifted_mean(side[1], centre) - shifted_mean(side[0], centre);
  }

  /// Variance of the mean of an arm: s / n. 0 where one row alone cannot tell.
  static double variance_of_mean(const ArmSums& arm, bool narrow) noexcept {
    if (arm.rows < 2) return 0.0;
    const double w = static_cast<double>(arm.weight);
    double difference = 0.0;  // weight * squares - sum^2 is never negative, and exact
    if (narrow) {
      const uint128 sum = magnitude(arm.sum);
      difference = static_cast<double>(static_cast<uint128>(arm.weight) * arm.squares.low - sum * sum);
    } else {
      Wide wide = arm.squares.times(static_cast<std::uint64_t>(arm.weight));
      wide -= Wide::product(magnitude(arm.sum), magnitude(arm.sum));
      difference = wide.to_double();
    }
    return difference / w / w / static_cast<double>(arm.rows - 1);
  }

  /// V of a side.
  static double worth(const ArmPair& side, const ParentArms& parent, double price) noexcept {
    const double t = effect(side, parent.centre);
    return weight(side) * (t * t - price * variance(side, parent.narrow));
  }

  static double score(const ParentArms& parent, const ArmPair& left, const ArmPair& right,
                      double price) noexcept {
    const double t = effect(parent.arms, parent.centre);
    const double tl = effect(left, parent.centre), tr = effect(right, parent.centre);
    // w = wl + wr, so w t^2 can be taken off side by side: a large effect that is common to both costs no
    // digits.
    const double squares = weight(left) * ((tl - t) * (tl + t)) + weight(right) * ((tr - t) * (tr + t));
    if (price == 0.0) return squares;
    const double costs =
        weight(left) * variance(left, parent.narrow) + weight(right) * variance(right, parent.narrow);
    return squares - price * (costs - weight(parent.arms) * variance(parent.arms, parent.narrow));
  }

 private:
  static double weight(const ArmPair& side) noexcept {
    return static_cast<double>(side[0].weight + side[1].weight);
  }
  static double variance(const ArmPair& side, bool narrow) noexcept {
    return variance_of_mean(side[0], narrow) + variance_of_mean(side[1], narrow);
  }
  static double shifted_mean(const ArmSums& arm, std::int64_t centre) noexcept {
    return static_cast<double>(arm.sum - static_cast<int128>(centre) * arm.weight) /
           static_cast<double>(arm.weight);
  }
};

struct ShareGain {
  static constexpr bool kLooksAtTarget = false;

  static double score(const ParentArms& parent, const ArmPair& left, const ArmPair& right,
                      double /*price*/) noexcept {
    const auto p = counts(parent.arms), l = counts(left), r = counts(right);
    return Gini::score({p, p[0] + p[1]}, {l, l[0] + l[1]}, {r, r[0] + r[1]});
  }
  static double impurity(const ArmPair& side) noexcept {
    const auto c = counts(side);
    return Gini::impurity({c, c[0] + c[1]});
  }

 private:
  static std::array<std::int64_t, 2> counts(const ArmPair& side) noexcept {
    return {side[0].weight, side[1].weight};
  }
};

}  // namespace bough
