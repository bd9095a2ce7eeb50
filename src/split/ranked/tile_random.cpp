// SPDX-License-Identifier: Apache-2.0
// Random cuts of tiles, compiled once per instruction set: a lane is a column.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/ranked/tile_random.cpp"
#include "split/ranked/tile_random.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/random.hpp"
#include "split/philox_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, kRandomColumns>;
using Words = hn::RebindToUnsigned<Doubles>;
using Integers = hn::RebindToSigned<Doubles>;

// draw(mix(key, column), 0) of base/random.hpp.
#if HWY_TARGET == HWY_SCALAR
hn::Vec<Words> draws(std::uint64_t key, const std::uint64_t* columns) {
  return hn::Set(Words(), draw(mix(key, columns[0]), 0));
}
#else
HWY_INLINE hn::Vec<Words> draws(std::uint64_t key, const std::uint64_t* columns) {
  const Words d;
  const std::uint64_t own = key ^ 0x9e3779b97f4a7c15ULL;
  using Philox = PhiloxLanes<Words>;
  const Philox keys(hn::Add(hn::LoadU(d, columns), hn::Set(d, 1)), hn::Set(d, own), hn::Set(d, own >> 32));
  return Philox(hn::Zero(d), keys.first, keys.second).bits();
}
#endif

// random_cut(), in the same order of operations.
HWY_INLINE hn::Vec<Doubles> cuts_between(hn::Vec<Doubles> low, hn::Vec<Doubles> high, hn::Vec<Words> bits) {
  const Doubles d;
  const auto half = hn::Set(d, 0.5);
  const auto unit =
      hn::Mul(hn::ConvertTo(d, hn::BitCast(Integers(), hn::ShiftRight<11>(bits))), hn::Set(d, 0x1p-53));
  const auto width = hn::Mul(hn::Sub(hn::Mul(high, half), hn::Mul(low, half)), hn::Set(d, 2.0));
  const auto cut = hn::Add(low, hn::Mul(width, unit));
  return hn::IfThenElse(hn::And(hn::Ge(cut, low), hn::Lt(cut, high)), cut, low);
}

HWY_INLINE hn::Vec<Doubles> cells_of(const RandomColumns& in, std::size_t i, std::size_t k) {
  return hn::LoadU(Doubles(), in.cells + in.ids[i] * in.stride + k);
}

// Scores of the cuts of columns k, ...
HWY_INLINE hn::Vec<Doubles> scores_of(const RandomColumns& in, const RandomClasses& node, std::size_t k,
                                      hn::Vec<Doubles> cut, RandomCuts& /*out*/) {
  const Doubles d;
  auto left = hn::Zero(d), squares = left, products = left;
  std::size_t i = 0;
  for (std::size_t c = 0; c < node.n_classes; ++c) {
    auto own = hn::Zero(d);
    for (const std::size_t end = i + node.class_rows[c]; i < end; ++i)
      own = hn::Add(own,
                    hn::IfThenElseZero(hn::Le(cells_of(in, i, k), cut), hn::Set(d, node.weights[in.ids[i]])));
    left = hn::Add(left, own);
    squares = hn::MulAdd(own, own, squares);
    products = hn::MulAdd(own, hn::Set(d, node.totals[c]), products);
  }
  const auto all = hn::Set(d, node.all), mixed = hn::Mul(hn::Add(left, left), products);
  const auto sum = hn::MulAdd(all, hn::Sub(hn::Mul(all, squares), mixed),
                              hn::Mul(hn::Mul(left, left), hn::Set(d, node.squares)));
  return hn::Div(hn::Div(sum, hn::Mul(left, hn::Sub(all, left))), all);
}

HWY_INLINE hn::Vec<Doubles> scores_of(const RandomColumns& in, const RandomNumbers& node, std::size_t k,
                                      hn::Vec<Doubles> cut, RandomCuts& out) {
  const Doubles d;
  const Integers di;
  auto sum = hn::Zero(di), weight = sum;
  for (std::size_t i = 0; i < in.n_rows; ++i) {
    const auto left = hn::RebindMask(di, hn::Le(cells_of(in, i, k), cut));
    sum = hn::Add(sum, hn::IfThenElseZero(left, hn::Set(di, node.targets[i])));
    weight = hn::Add(weight, hn::IfThenElseZero(left, hn::Set(di, node.weights[i])));
  }
  hn::StoreU(sum, di, out.sums + k);
  hn::StoreU(weight, di, out.weights + k);
  const auto all = hn::Set(d, node.all), w = hn::ConvertTo(d, weight);
  const auto difference = hn::Sub(hn::Mul(all, hn::ConvertTo(d, sum)), hn::Mul(hn::Set(d, node.sum), w));
  const auto value = hn::Mul(hn::Div(difference, hn::Mul(w, hn::Sub(all, w))), difference);
  return hn::Div(value, all);
}

template <class NodeT>
HWY_INLINE void draw_all(const RandomColumns& in, const NodeT& node, RandomCuts& out) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t k = 0; k < kRandomColumns; k += lanes) {
    auto low = cells_of(in, 0, k), high = low;
    for (std::size_t i = 1; i < in.n_rows; ++i) {
      const auto cell = cells_of(in, i, k);
      low = hn::Min(low, cell);
      high = hn::Max(high, cell);
    }
    const auto cut = cuts_between(low, high, draws(in.key, in.columns + k));
    hn::StoreU(cut, d, out.cuts + k);
    hn::StoreU(hn::IfThenElse(hn::Lt(low, high), scores_of(in, node, k, cut, out), hn::Set(d, -1.0)), d,
               out.scores + k);
  }
}

void class_cuts(const RandomColumns& in, const RandomClasses& node, RandomCuts& out) {
  draw_all(in, node, out);
}
void number_cuts(const RandomColumns& in, const RandomNumbers& node, RandomCuts& out) {
  draw_all(in, node, out);
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {
HWY_EXPORT(class_cuts);
HWY_EXPORT(number_cuts);

void draw_cuts(const RandomColumns& columns, const RandomClasses& node, RandomCuts& out) {
  HWY_DYNAMIC_DISPATCH(class_cuts)(columns, node, out);
}

void draw_cuts(const RandomColumns& columns, const RandomNumbers& node, RandomCuts& out) {
  HWY_DYNAMIC_DISPATCH(number_cuts)(columns, node, out);
}

}  // namespace bough
#endif
