// SPDX-License-Identifier: Apache-2.0
// Vector kernels of tiles, compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/ranked/tile_kernels.cpp"
#include "split/ranked/tile_kernels.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace bough {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using HalfFloats = hn::Rebind<float, Doubles>;

// From the weight, the squares and the products with the totals of the right sides.
template <class V>
HWY_INLINE hn::Vec<Doubles> class_values(const TileClasses& node, V weight, V squares, V products) {
  const Doubles d;
  const auto all = hn::Set(d, node.all), right = hn::PromoteTo(d, weight), left = hn::Sub(all, right);
  const auto mixed = hn::Mul(hn::Add(right, right), hn::PromoteTo(d, products));
  const auto sum = hn::MulAdd(all, hn::Sub(hn::Mul(all, hn::PromoteTo(d, squares)), mixed),
                              hn::Mul(hn::Mul(right, right), hn::Set(d, node.squares)));
  return hn::IfThenElse(hn::Gt(right, hn::Zero(d)), hn::Div(sum, hn::Mul(left, right)), hn::Set(d, -1.0));
}

// One vector of positions from row i on.
template <class D>
HWY_INLINE void add_classes(D d, const TileClasses& node, const std::int32_t* ranks, std::size_t i,
                            hn::Vec<D>& weight, hn::Vec<D>& squares, hn::Vec<D>& products) {
  const hn::RebindToSigned<D> di;
  const auto own = hn::LoadU(di, ranks + i);
  weight = squares = products = hn::Zero(d);
  std::size_t j = 0;
  for (std::size_t c = 0; c < node.n_classes; ++c) {
    auto sum = hn::Zero(d);
    for (const std::size_t end = j + node.class_rows[c]; j < end; ++j) {
      const auto right = hn::RebindMask(d, hn::Gt(hn::Set(di, ranks[j]), own));
      sum = hn::Add(sum, hn::IfThenElseZero(right, hn::Set(d, node.weights[j])));
    }
    weight = hn::Add(weight, sum);
    squares = hn::MulAdd(sum, sum, squares);
    products = hn::MulAdd(sum, hn::Set(d, node.totals[c]), products);
  }
}

HWY_INLINE double class_column(const TileClasses& node, const std::int32_t* ranks, double* values) {
  const Doubles dd;
  const HalfFloats half;
  const std::size_t lanes = hn::Lanes(dd);
  auto best = hn::Set(dd, -1.0);
  const auto put = [&](std::size_t i, auto found) HWY_ATTR {
    const auto kept = hn::IfThenElse(hn::FirstN(dd, node.n_rows - i), found, hn::Set(dd, -1.0));
    hn::StoreU(kept, dd, values + i);
    best = hn::Max(best, kept);
  };
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::Twice<HalfFloats> d;
  for (; i + lanes < node.n_rows; i += 2 * lanes) {
    hn::Vec<decltype(d)> weight, squares, products;
    add_classes(d, node, ranks, i, weight, squares, products);
    put(i, class_values(node, hn::LowerHalf(half, weight), hn::LowerHalf(half, squares),
                        hn::LowerHalf(half, products)));
    put(i + lanes, class_values(node, hn::UpperHalf(half, weight), hn::UpperHalf(half, squares),
                                hn::UpperHalf(half, products)));
  }
#endif
  for (; i < node.n_rows; i += lanes) {
    hn::Vec<HalfFloats> weight, squares, products;
    add_classes(half, node, ranks, i, weight, squares, products);
    put(i, class_values(node, weight, squares, products));
  }
  return hn::GetLane(hn::MaxOfLanes(dd, best));
}

HWY_INLINE double number_column(const TileNumbers& node, const std::int64_t* ranks, double* values) {
  const Doubles d;
  const hn::RebindToSigned<Doubles> di;
  const std::size_t lanes = hn::Lanes(d);
  const auto all = hn::Set(d, node.all), none = hn::Set(d, -1.0);
  auto best = none;
  for (std::size_t i = 0; i < node.n_rows; i += lanes) {
    const auto own = hn::LoadU(di, ranks + i);
    auto sum = hn::Zero(di), weight = hn::Zero(di);
    for (std::size_t j = 0; j < node.n_rows; ++j) {
      const auto right = hn::Gt(hn::Set(di, ranks[j]), own);
      sum = hn::Add(sum, hn::IfThenElseZero(right, hn::Set(di, node.targets[j])));
      weight = hn::Add(weight, hn::IfThenElseZero(right, hn::Set(di, node.weights[j])));
    }
    const auto w = hn::ConvertTo(d, weight);
    const auto difference = hn::Sub(hn::Mul(all, hn::ConvertTo(d, sum)), hn::Mul(hn::Set(d, node.sum), w));
    const auto value = hn::Mul(hn::Div(difference, hn::Mul(hn::Sub(all, w), w)), difference);
    const auto cut = hn::And(hn::Gt(w, hn::Zero(d)), hn::FirstN(d, node.n_rows - i));
    const auto kept = hn::IfThenElse(cut, value, none);
    hn::StoreU(kept, d, values + i);
    best = hn::Max(best, kept);
  }
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

double class_tile(const TileClasses& node, const std::int32_t* ranks, std::size_t n_columns, double* values,
                  double* tops) {
  double top = -1.0;
  for (std::size_t k = 0; k < n_columns; ++k) {
    tops[k] = class_column(node, ranks + k * kTileStride, values + k * kTileStride);
    top = std::max(top, tops[k]);
  }
  return top;
}

double number_tile(const TileNumbers& node, const std::int64_t* ranks, std::size_t n_columns, double* values,
                   double* tops) {
  double top = -1.0;
  for (std::size_t k = 0; k < n_columns; ++k) {
    tops[k] = number_column(node, ranks + k * kTileStride, values + k * kTileStride);
    top = std::max(top, tops[k]);
  }
  return top;
}

}  // namespace HWY_NAMESPACE
}  // namespace bough
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {
HWY_EXPORT(class_tile);
HWY_EXPORT(number_tile);

double score_tile(const TileClasses& node, const std::int32_t* ranks, std::size_t n_columns, double* values,
                  double* tops) {
  return HWY_DYNAMIC_DISPATCH(class_tile)(node, ranks, n_columns, values, tops);
}

double score_tile(const TileNumbers& node, const std::int64_t* ranks, std::size_t n_columns, double* values,
                  double* tops) {
  return HWY_DYNAMIC_DISPATCH(number_tile)(node, ranks, n_columns, values, tops);
}

}  // namespace bough
#endif
