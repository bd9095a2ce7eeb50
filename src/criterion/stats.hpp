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
#include <utility>

#include "base/fixed.hpp"

namespace bough {

/// Weight per class and in all, on one side of a split, of one output.
struct ClassSide {
  std::span<const std::int64_t> counts;
  std::int64_t weight = 0;
};

/// w_right * left_c - w_left * right_c, rounded once: how far class c is from being spread evenly.
inline double cross(const ClassSide& left, const ClassSide& right, std::size_t c) noexcept {
  if (left.weight < (std::int64_t{1} << 31) && right.weight < (std::int64_t{1} << 31))
    return static_cast<double>(right.weight * left.counts[c] - left.weight * right.counts[c]);
  return static_cast<double>(static_cast<int128>(right.weight) * left.counts[c] -
                             static_cast<int128>(left.weight) * right.counts[c]);
}

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

/// s_side * w_parent - s_parent * w_side, rounded once: positive where the side's mean is above the parent's, exactly 0
/// where they are equal, and the same for both sides but for the sign.
inline double cross(const Moments& parent, const Moments& side) noexcept {
  const auto small = [](int128 x) { return x == static_cast<std::int64_t>(x); };
  if (small(parent.sum) && small(side.sum))
    return static_cast<double>(side.sum * parent.weight - parent.sum * side.weight);
  // Weights in fixed point with a fraction can make the products longer than 128 bits.
  Wide a = Wide::product(magnitude(side.sum), static_cast<uint128>(parent.weight));
  Wide b = Wide::product(magnitude(parent.sum), static_cast<uint128>(side.weight));
  const double sign = side.sum < 0 ? -1.0 : 1.0;
  if ((side.sum < 0) != (parent.sum < 0)) {
    a += b;
    return sign * a.to_double();
  }
  const bool swapped = a.high != b.high ? a.high < b.high : a.low < b.low;
  if (swapped) std::swap(a, b);
  a -= b;
  return swapped ? -sign * a.to_double() : sign * a.to_double();
}

}  // namespace bough
