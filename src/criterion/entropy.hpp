// SPDX-License-Identifier: Apache-2.0
// Entropy in bits (Quinlan 1986; Shannon): - sum p_c log2 p_c. The score is the information gain times the weight.
//
// With f(x) = x log2 x, weight * entropy of a node is J = f(w) - sum f(c), and the gain is J(parent) - J(left) - J(right). It is
// computed without that cancellation: with t the weight of a class, e = a t / w its expected weight in a side of weight a
// and e (1 + d) its true one, the gain is the sum of e ((1 + d) ln(1 + d) - d) / ln 2 over classes and sides, where no term
// is negative and d comes from exact integers. A split that separates nothing scores exactly 0.
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

  static double impurity(const ClassSide& node) noexcept {
    return weighted(node) / static_cast<double>(node.weight);
  }

  static double score(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    constexpr double inverse_ln2 = 0x1.71547652b82fep0;
    const double a = static_cast<double>(left.weight), b = static_cast<double>(right.weight);
    double sum = 0.0;
    for (std::size_t c = 0; c < parent.counts.size(); ++c) {
      if (parent.counts[c] == 0) continue;
      const double t = static_cast<double>(parent.counts[c]);
      const double difference = cross(left, right, c);
      const double in_left = difference / (a * t), in_right = -difference / (b * t);
      sum += t * (a * xlogx_excess(in_left > -1.0 ? in_left : -1.0) +
                  b * xlogx_excess(in_right > -1.0 ? in_right : -1.0));
    }
    return sum / static_cast<double>(parent.weight) * inverse_ln2;
  }

  static double gain(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    return score(parent, left, right);
  }
};

}  // namespace bough
