// SPDX-License-Identifier: Apache-2.0
// Vector kernels of tiles, compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/ranked/tile_kernels.cpp"
#include "split/ranked/tile_kernels.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bits.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Words = hn::ScalableTag<std::uint64_t>;

void sets_up_to(const std::uint16_t* ranks, const std::uint16_t* cuts, std::size_t n_cuts,
                std::uint64_t* sets) {
#if HWY_TARGET == HWY_SCALAR
  // The product has the lowest bits of eight bytes side by side, in its highest byte.
  constexpr std::uint64_t pack =
      std::endian::native == std::endian::little ? 0x0102040810204080U : 0x8040201008040201U;
  for (std::size_t i = 0; i < n_cuts; ++i) {
    std::uint8_t low[kTileRows];
    for (std::size_t k = 0; k < kTileRows; ++k) low[k] = ranks[k] <= cuts[i] ? 1 : 0;
    std::uint64_t set = 0;
    for (std::size_t k = 0; k < kTileRows; k += 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, low + k, sizeof(bytes));
      set |= bytes * pack >> 56 << k;
    }
    sets[i] = set;
  }
#else
  const hn::CappedTag<std::uint16_t, kTileRows> d;  // bytes of bits are whole
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < n_cuts; ++i) {
    const auto cut = hn::Set(d, cuts[i]);
    std::uint8_t bits[kTileRows / 8 + 8];
    for (std::size_t k = 0; k < kTileRows; k += lanes)
      hn::StoreMaskBits(d, hn::Gt(hn::LoadU(d, ranks + k), cut), bits + k / 8);
    std::uint64_t above;
    std::memcpy(&above, bits, sizeof(above));
    sets[i] = ~above;
  }
#endif
}

// Whole numbers below 2^52.
HWY_INLINE hn::Vec<Doubles> doubles_of(hn::Vec<Words> v) {
  const Doubles d;
  const auto shift = hn::Set(d, 0x1p52);
  return hn::Sub(hn::BitCast(d, hn::Or(v, hn::BitCast(Words(), shift))), shift);
}

HWY_INLINE hn::Vec<Words> count_rows(hn::Vec<Words> sets) {
#if HWY_TARGET == HWY_SCALAR  // Highway calls a function of the compiler's
  return hn::Set(Words(), count_bits(hn::GetLane(sets)));
#else
  return hn::PopulationCount(sets);
#endif
}

// The weight of sets of rows.
HWY_INLINE hn::Vec<Doubles> weights_of(hn::Vec<Words> sets, const std::uint64_t* planes,
                                       std::size_t n_planes) {
  const Words d;
  auto sum = count_rows(hn::And(sets, hn::Set(d, planes[0])));
  for (std::size_t k = 1; k < n_planes; ++k)
    sum = hn::Add(sum,
                  hn::ShiftLeftSame(count_rows(hn::And(sets, hn::Set(d, planes[k]))), static_cast<int>(k)));
  return doubles_of(sum);
}

HWY_INLINE hn::Vec<Doubles> class_values(const TileClasses& node, hn::Vec<Words> sets) {
  const Doubles d;
  auto left = hn::Zero(d), squares = left, products = left;
  for (std::size_t c = 0; c < node.n_classes; ++c) {
    const auto own = weights_of(sets, node.planes + c * node.n_planes, node.n_planes);
    left = hn::Add(left, own);
    squares = hn::MulAdd(own, own, squares);
    products = hn::MulAdd(own, hn::Set(d, node.totals[c]), products);
  }
  const auto all = hn::Set(d, node.all), right = hn::Sub(all, left), product = hn::Mul(left, right);
  const auto mixed = hn::Mul(hn::Add(left, left), products);
  const auto sum = hn::MulAdd(all, hn::Sub(hn::Mul(all, squares), mixed),
                              hn::Mul(hn::Mul(left, left), hn::Set(d, node.squares)));
  return hn::IfThenElse(hn::Gt(product, hn::Zero(d)), hn::Div(sum, product), hn::Set(d, -1.0));
}

HWY_INLINE hn::Vec<Doubles> number_values(const TileNumbers& node, hn::Vec<Words> sets) {
  const Doubles d;
  const hn::RebindToSigned<Doubles> di;
  auto sum = hn::Zero(di);
  for (std::size_t i = 0; i < node.n_rows; ++i) {
    const auto inside = hn::RebindMask(di, hn::TestBit(sets, hn::Set(Words(), node.bits[i])));
    sum = hn::Add(sum, hn::IfThenElseZero(inside, hn::Set(di, node.targets[i])));
  }
  const auto left = weights_of(sets, node.planes, node.n_planes), all = hn::Set(d, node.all);
  const auto difference = hn::Sub(hn::Mul(all, hn::ConvertTo(d, sum)), hn::Mul(hn::Set(d, node.sum), left));
  const auto product = hn::Mul(left, hn::Sub(all, left));
  const auto value = hn::Mul(hn::Div(difference, product), difference);
  return hn::IfThenElse(hn::Gt(product, hn::Zero(d)), value, hn::Set(d, -1.0));
}
HWY_INLINE hn::Vec<Doubles> values_of(const TileClasses& node, hn::Vec<Words> sets) {
  return class_values(node, sets);
}
HWY_INLINE hn::Vec<Doubles> values_of(const TileNumbers& node, hn::Vec<Words> sets) {
  return number_values(node, sets);
}

constexpr double kNear = 1e-12;

// Which of the values reach a floor.
HWY_INLINE std::uint64_t values_from(const double* values, std::size_t n, double floor) {
#if HWY_TARGET == HWY_SCALAR
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < n; ++i) found |= static_cast<std::uint64_t>(values[i] >= floor ? 1 : 0) << i;
  return found;
#else
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < n; i += lanes) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Ge(hn::LoadU(d, values + i), hn::Set(d, floor)), bits);
    found |= static_cast<std::uint64_t>(bits[0] & ((1U << lanes) - 1)) << i;
  }
  return found;
#endif
}

template <class NodeT>
HWY_INLINE double tile_values(const NodeT& node, const TileCuts* columns, std::size_t n_columns,
                              const TileValues& out) {
  const Doubles d;
  const Words words;
  const std::size_t lanes = hn::Lanes(d);
  const auto rows = hn::Set(words, node.rows);
  double top = -1.0;
  for (std::size_t k = 0; k < n_columns; ++k) {
    const TileCuts& column = columns[k];
    double* values = out.values + k * kTileStride;
    auto best = hn::Set(d, -1.0);
    for (std::size_t i = 0; i < column.n_cuts; i += lanes) {
      // No rows behind the last cut: no value.
      const auto inside = hn::FirstN(words, column.n_cuts - i);
      const auto sets = hn::IfThenElseZero(inside, hn::And(hn::LoadU(words, column.cuts + i), rows));
      const auto found = values_of(node, sets);
      hn::StoreU(found, d, values + i);
      best = hn::Max(best, found);
    }
    out.tops[k] = hn::GetLane(hn::MaxOfLanes(d, best));
    out.near[k] = out.tops[k] < top * (1.0 - kNear)
                      ? 0
                      : values_from(values, column.n_cuts, out.tops[k] * (1.0 - kNear));
    top = std::max(top, out.tops[k]);
  }
  return top;
}

double class_tile(const TileClasses& node, const TileCuts* columns, std::size_t n_columns,
                  const TileValues& found) {
  return tile_values(node, columns, n_columns, found);
}
double number_tile(const TileNumbers& node, const TileCuts* columns, std::size_t n_columns,
                   const TileValues& found) {
  return tile_values(node, columns, n_columns, found);
}

RanksBeside find_beside(const std::uint16_t* ranks, std::uint64_t left, std::uint64_t right) {
#if HWY_TARGET == HWY_SCALAR
  RanksBeside found{0, UINT16_MAX};
  for (std::size_t i = 0; i < kTileRows; ++i) {
    if ((left >> i & 1U) != 0) found.low = std::max(found.low, ranks[i]);
    if ((right >> i & 1U) != 0) found.high = std::min(found.high, ranks[i]);
  }
  return found;
#else
  const hn::CappedTag<std::uint16_t, kTileRows> d;
  std::uint8_t lefts[kTileRows / 8 + 8], rights[kTileRows / 8 + 8];
  std::memcpy(lefts, &left, sizeof(left));
  std::memcpy(rights, &right, sizeof(right));
  auto low = hn::Zero(d), high = hn::Set(d, UINT16_MAX);
  for (std::size_t k = 0; k < kTileRows; k += hn::Lanes(d)) {
    const auto rank = hn::LoadU(d, ranks + k);
    low = hn::Max(low, hn::IfThenElseZero(hn::LoadMaskBits(d, lefts + k / 8), rank));
    high = hn::Min(high, hn::IfThenElse(hn::LoadMaskBits(d, rights + k / 8), rank, hn::Set(d, UINT16_MAX)));
  }
  return {hn::GetLane(hn::MaxOfLanes(d, low)), hn::GetLane(hn::MinOfLanes(d, high))};
#endif
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {
HWY_EXPORT(sets_up_to);
HWY_EXPORT(class_tile);
HWY_EXPORT(number_tile);
HWY_EXPORT(find_beside);

void rows_up_to(const std::uint16_t* ranks, const std::uint16_t* cuts, std::size_t n_cuts,
                std::uint64_t* sets) {
  HWY_DYNAMIC_DISPATCH(sets_up_to)(ranks, cuts, n_cuts, sets);
}

double score_tile(const TileClasses& node, const TileCuts* columns, std::size_t n_columns,
                  const TileValues& found) {
  return HWY_DYNAMIC_DISPATCH(class_tile)(node, columns, n_columns, found);
}

double score_tile(const TileNumbers& node, const TileCuts* columns, std::size_t n_columns,
                  const TileValues& found) {
  return HWY_DYNAMIC_DISPATCH(number_tile)(node, columns, n_columns, found);
}

RanksBeside ranks_beside(const std::uint16_t* ranks, std::uint64_t left, std::uint64_t right) {
  return HWY_DYNAMIC_DISPATCH(find_beside)(ranks, left, right);
}

}  // namespace bough
#endif
