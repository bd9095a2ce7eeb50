// SPDX-License-Identifier: Apache-2.0
// The judge of cuts: what a split must respect at a node, and whether it replaces the best so far.
//
// Engines look for cuts as they like; whichever they look at closely ends here. Scores come from the criteria, ties are
// settled by better() (candidate.hpp, and cut.hpp for cuts in buckets). Limits on rows are left to the callers, who count
// rows on their way and skip what is too small before they ask for sums.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "split/candidate.hpp"

namespace bough {

/// What a split must respect at a node.
struct Limits {
  std::int64_t min_rows = 1;
  double min_weight = 0.0;    ///< fixed-point units
  bool missing_alone = true;  ///< numeric, ordinal: "all known against missing" is a test
  bool monotone = false;      ///< some column is constrained, so `low`, `high` and the signs count
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  TieOrder ties;  ///< of the node's columns
};

/// Whether the two sides that `sides` holds respect the limits on weight and values; `sign` is the column's monotone
/// constraint. Fills the values of the cut where these count.
template <class Sides, class Cut>
bool respects(const Limits& limits, int sign, const Sides& sides, Cut& cut) {
  if (!sides.allowed()) return false;
  if (static_cast<double>(std::min(sides.left_weight(), sides.right_weight())) < limits.min_weight)
    return false;
  if (!limits.monotone) return true;
  cut.left_value = sides.left_value();
  cut.right_value = sides.right_value();
  if (sign > 0 && cut.left_value > cut.right_value) return false;
  if (sign < 0 && cut.left_value < cut.right_value) return false;
  const auto inside = [&](double v) { return limits.low <= v && v <= limits.high; };
  return inside(cut.left_value) && inside(cut.right_value);
}

/// Keeps a cut whose score is set where it precedes the best so far; true if so.
template <class Sides, class Cut>
bool keep_if_better(Cut&& cut, const Sides& sides, Cut& best) {
  if (!better(cut, best)) return false;
  cut.gain = sides.gain();
  cut.left_heavier = sides.left_weight() > sides.right_weight();
  best = std::forward<Cut>(cut);
  return true;
}

}  // namespace bough
