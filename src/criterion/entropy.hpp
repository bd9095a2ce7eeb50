// SPDX-License-Identifier: Apache-2.0
// Entropy in bits (Quinlan 1986; Shannon): - sum p_c log2 p_c. The score is the information gain times the weight.
//
// With f(x) = x log2 x, weight * entropy of a node is J = f(w) - sum f(c); the gain is J(parent) - (J(left) + J(right)).
#pragma once

#include "base/math.hpp"
#include "criterion/stats.hpp"

namespace bough {

struct Entropy {
  static double weighted(const ClassSide& node) noexcept {
    double sum = 0.0;
    for (const std::int64_t c : node.counts) sum += xlog2x(static_cast<double>(c));
    const double j = xlog2x(static_cast<double>(node.weight)) - sum;
    return j > 0.0 ? j : 0.0;
  }

  static double impurity(const ClassSide& node) noexcept { return weighted(node) / static_cast<double>(node.weight); }

  static double score(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    const double gain = weighted(parent) - (weighted(left) + weighted(right));
    return gain > 0.0 ? gain : 0.0;
  }

  static double gain(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    return score(parent, left, right);
  }
};

}  // namespace bough
