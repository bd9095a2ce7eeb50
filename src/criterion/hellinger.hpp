// SPDX-License-Identifier: Apache-2.0
// Hellinger distance (Cieslak, Hoens, Chawla, Kegelmeyer 2012), insensitive to class imbalance.
//
// For two classes with shares P_j = c1_j / T1 and Q_j = c0_j / T0 of their rows on side j, the squared distance is
// d^2 = sum_j (sqrt P_j - sqrt Q_j)^2 = 2 (1 - sum_j sqrt(P_j Q_j)). The score is d^2 / 2; above two classes it is the mean
// over the classes present of each against the rest. As node impurity, whose weighted decrease has the same order for two
// classes, 2 sqrt(p (1 - p)) is used, averaged in the same way over all classes.
#pragma once

#include <cmath>

#include "criterion/stats.hpp"

namespace bough {

struct Hellinger {
  // sqrt(class weight * weight of the rest)
  static double cross(const ClassSide& node, std::size_t c) noexcept {
    return std::sqrt(static_cast<double>(node.counts[c]) * static_cast<double>(node.weight - node.counts[c]));
  }

  static double impurity(const ClassSide& node) noexcept {
    double sum = 0.0;
    for (std::size_t c = 0; c < node.counts.size(); ++c) sum += cross(node, c);
    return 2.0 * sum / static_cast<double>(node.counts.size()) / static_cast<double>(node.weight);
  }

  static double score(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    double sum = 0.0;
    int present = 0;
    for (std::size_t c = 0; c < parent.counts.size(); ++c) {
      if (parent.counts[c] == 0 || parent.counts[c] == parent.weight) continue;
      const double own = static_cast<double>(parent.counts[c]);
      const double rest = static_cast<double>(parent.weight - parent.counts[c]);
      // (sqrt P - sqrt Q)^2 = ((P - Q) / (sqrt P + sqrt Q))^2, and P - Q is an exact integer over own * rest.
      const double difference = bough::cross(left, right, c) / (own * rest);
      const auto part = [&](const ClassSide& side) {
        const double p = static_cast<double>(side.counts[c]) / own;
        const double q = static_cast<double>(side.weight - side.counts[c]) / rest;
        const double root = difference / (std::sqrt(p) + std::sqrt(q));
        return root * root;
      };
      sum += (part(left) + part(right)) / 2;
      ++present;
    }
    return present > 0 ? sum / present : 0.0;
  }

  static double gain(const ClassSide& parent, const ClassSide& left, const ClassSide& right) noexcept {
    const auto weighted = [](const ClassSide& s) {
      return s.weight > 0 ? static_cast<double>(s.weight) * impurity(s) : 0.0;
    };
    const double gain = weighted(parent) - (weighted(left) + weighted(right));
    return gain > 0.0 ? gain : 0.0;
  }
};

}  // namespace bough
