// SPDX-License-Identifier: Apache-2.0
// Gain ratio of a two-sided split (Quinlan 1986, 1993): information gain / split information, both in bits.
//
// With sides of weight a and b = w - a, the split information is (a log2(w / a) + b log2(w / b)) / w. As a
// function of the left class weights the gain is convex and the split information concave, so the ratio is
// quasi-convex: its maximum over the subsets of categories lies among those ordered by class share, as for
// convex criteria (two classes). The bounds of the fast engines are not made for ratios; the lists engine
// serves this criterion. The impurity is the entropy.
#pragma once

#include "criterion/entropy.hpp"

namespace bough {

struct GainRatio {
  static double impurity(const ClassSide& node) noexcept { return Entropy::impurity(node); }

  /// side * ln(all / side); the heavier side from what it lacks, because its ratio is near 1.
  static double surprise(double side, double other, double all) noexcept {
    return side > other ? other - all * xlogx_excess(-other / all) : side * log_exact(all / side);
  }

  static double score(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    constexpr double inverse_ln2 = 0x1.71547652b82fep0;
    const double a = static_cast<double>(left.weight), b = static_cast<double>(right.weight);
    const double w = static_cast<double>(parent.weight);
    const double split_information = (surprise(a, b, w) + surprise(b, a, w)) * inverse_ln2;
    return split_information > 0.0 ? Entropy::score(parent, left, right) / split_information : 0.0;
  }

  static double gain(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    return Entropy::score(parent, left, right);
  }
};

}  // namespace bough
