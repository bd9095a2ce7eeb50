// SPDX-License-Identifier: Apache-2.0
// The sufficient statistics criteria are made of: exact integers, one set per side of a split.
//
// A class criterion C has
//   static double impurity(ClassSide node)                                   of one node, per unit weight
//   static double score(ClassSide parent, ClassSide left, ClassSide right)   what the search maximises
//   static double gain(...)  decrease of weight * impurity (often the score itself)
// a moment criterion the same over Moments. score is bitwise symmetric in left and right, never negative, and a pure
// function of integers, so that equal sides tie exactly. Units: fixed-point weight, and fixed-point target where there
// is one; power() says with which power of the target unit a score scales.
#pragma once

#include <cstdint>
#include <span>

#include "base/fixed.hpp"

namespace bough {

/// Weight per class and in all, on one side of a split, of one output.
struct ClassSide {
  std::span<const std::int64_t> counts;
  std::int64_t weight = 0;
};

/// Weight and weighted sum of the target on one side of a split, of one output.
struct Moments {
  int128 sum = 0;
  std::int64_t weight = 0;
};

/// Moments of a whole node with the whole number nearest to its mean, to which sums are shifted before rounding:
/// the shift is exact and removes the cancellation that a large common mean would cause.
struct ParentMoments : Moments {
  std::int64_t centre = 0;
};

inline ParentMoments make_parent(const Moments& moments) noexcept {
  ParentMoments parent{moments, 0};
  if (moments.weight > 0) parent.centre = static_cast<std::int64_t>(moments.sum / moments.weight);
  return parent;
}

}  // namespace bough
