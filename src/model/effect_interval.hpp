// SPDX-License-Identifier: Apache-2.0
// How sure the effect of a node is.
//
// A node whose arms have the means m1, m0 with standard errors e1, e0 from n1, n0 rows estimates the average
// effect among its rows by m1 - m0, with the error sqrt(e1^2 + e0^2) and the degrees of freedom of Welch
// (1947),
//   (e1^2 + e0^2)^2 / (e1^4 / (n1 - 1) + e0^4 / (n0 - 1)).
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "base/distributions.hpp"
#include "bough/model.hpp"

namespace bough {

/// Coverage of intervals unless somebody asks for another.
inline constexpr double kEffectCoverage = 0.9;

/// The rows of both arms in a node; the standard error of its effect, and half the length of its interval, both
/// infinite where an arm has fewer than two rows.
struct NodeEffect {
  double treated_rows = 0.0;
  double control_rows = 0.0;
  double error = std::numeric_limits<double>::infinity();
  double half = std::numeric_limits<double>::infinity();
};

/// Nothing when the tree does not know its arms.
inline std::optional<NodeEffect> node_effect(const Tree& tree, NodeId node, double coverage) {
  const auto cell = [&](const char* name) -> std::optional<double> {
    const auto found = tree.extras().find(name);
    if (found == tree.extras().end()) return std::nullopt;
    return found->second[static_cast<std::size_t>(node)];
  };
  const auto treated = cell("treated_error"), control = cell("control_error");
  const auto n_treated = cell("treated_rows"), n_control = cell("control_rows");
  if (!treated || !control || !n_treated || !n_control) return std::nullopt;
  NodeEffect out{.treated_rows = *n_treated, .control_rows = *n_control};
  if (!(*n_treated > 1.0 && *n_control > 1.0)) return out;
  const double a = *treated * *treated, b = *control * *control;
  const double low = a * a / (*n_treated - 1.0) + b * b / (*n_control - 1.0);
  const double freedom = low > 0.0 ? (a + b) * (a + b) / low : 1.0;
  out.error = std::sqrt(a + b);
  out.half = out.error == 0.0 ? 0.0 : student_quantile(0.5 + coverage / 2.0, freedom) * out.error;
  return out;
}

/// Whether the rows that estimate effects have not chosen the splits: only then do intervals hold.
inline bool has_honest_effects(const Params& params) {
  return params.honest || params.causal_split == "propensity";
}

}  // namespace bough
