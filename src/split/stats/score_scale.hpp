// SPDX-License-Identifier: Apache-2.0
// What the rounding of a node's scores is measured by.
#pragma once

#include "criterion/registry.hpp"

namespace bough {

/// The weight of a node, or, for poisson, the sum of its targets.
template <class Node>
double score_scale(const Node& node, CriterionId criterion) noexcept {
  if constexpr (requires { node.counts; }) {
    return static_cast<double>(node.weight);
  } else {
    if (criterion != CriterionId::poisson) return static_cast<double>(node.totals[0].weight);
    double scale = 0.0;
    for (const auto& total : node.totals) scale += static_cast<double>(total.sum);
    return scale;
  }
}

}  // namespace bough
