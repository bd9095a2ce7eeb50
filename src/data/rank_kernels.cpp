// SPDX-License-Identifier: Apache-2.0
// Vector kernels of ranking, compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "data/rank_kernels.cpp"
#include "data/rank_kernels.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
// `step(i, right)` gives cell i as a whole number; it sets `right` to false where it is none. Loops that compilers vectorise.
template <class Step>
HWY_INLINE WholeCells all_whole(std::size_t n, std::int32_t* whole, const Step& step) {
  constexpr std::size_t block = 64;  // most columns that are not show it at once
  std::int32_t low = 1 << 30, high = -low;
  for (std::size_t begin = 0; begin < n; begin += block) {
    bool right = true;
    for (std::size_t i = begin; i < std::min(n, begin + block); ++i) {
      whole[i] = step(i, right);
      low = std::min(low, whole[i]);
      high = std::max(high, whole[i]);
    }
    if (!right) return {};
  }
  return {true, low, high};
}

template <class T>
HWY_INLINE std::int32_t whole_below(T x, bool& right) {
  const bool small = std::abs(x) < T{0x1p30};
  right &= small;
  return small ? static_cast<std::int32_t>(x) : 0;
}

WholeCells unscaled_floats(const float* cells, std::size_t n, std::int32_t* whole) {
  return all_whole(n, whole, [&](std::size_t i, bool& right) {
    const std::int32_t v = whole_below(cells[i], right);
    right &= static_cast<float>(v) == cells[i];
    return v;
  });
}

template <class T>
HWY_INLINE WholeCells scaled(const T* cells, std::size_t n, double scale, std::int32_t* whole) {
  return all_whole(n, whole, [&](std::size_t i, bool& right) {
    // Halves of 2^52 round doubles of less than 2^51 to whole numbers.
    const double r = (static_cast<double>(cells[i]) * scale + 0x1.8p52) - 0x1.8p52;
    right &= static_cast<T>(scale == 1.0 ? r : r / scale) == cells[i];
    return whole_below(r, right);
  });
}
#else
// `step(i, inside)` writes a vector of whole numbers from cell i on, of which those `inside` are meant, and gives them as numbers
// of tag D; `right` loses the lanes that are none.
template <class D, class Step>
HWY_INLINE WholeCells all_whole(D d, std::size_t n, const Step& step) {
  constexpr std::size_t block = 64;  // most columns that are not show it at once
  const std::size_t lanes = hn::Lanes(d);
  auto low = hn::Set(d, 0x1p30F), high = hn::Neg(low);
  auto right = hn::Eq(low, low);
  for (std::size_t begin = 0; begin < n; begin += block) {
    for (std::size_t i = begin; i < std::min(n, begin + block); i += lanes) {
      const auto r = step(i, hn::FirstN(d, n - i), right);
      low = hn::Min(low, r);
      high = hn::Max(high, r);
    }
    if (!hn::AllTrue(d, right)) return {};
  }
  return {true, static_cast<std::int32_t>(hn::GetLane(hn::MinOfLanes(d, low))),
          static_cast<std::int32_t>(hn::GetLane(hn::MaxOfLanes(d, high)))};
}

WholeCells unscaled_floats(const float* cells, std::size_t n, std::int32_t* whole) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto first = hn::Set(d, cells[0]), most = hn::Set(d, 0x1p30F);
  return all_whole(d, n, [&](std::size_t i, auto inside, auto& right) {
    const auto x = hn::IfThenElse(inside, hn::LoadU(d, cells + i), first);
    const auto v = hn::ConvertTo(di, x);
    hn::StoreU(v, di, whole + i);
    const auto r = hn::ConvertTo(d, v);
    right = hn::And(right, hn::And(hn::Eq(r, x), hn::Lt(hn::Abs(x), most)));
    return r;
  });
}

// Cells as doubles, and a double rounded to the cells' type.
HWY_INLINE auto load_cells(hn::ScalableTag<double> d, const float* cells) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, decltype(d)>(), cells));
}
HWY_INLINE auto load_cells(hn::ScalableTag<double> d, const double* cells) {
  return hn::LoadU(d, cells);
}
template <class V>
HWY_INLINE V rounded(hn::ScalableTag<double> d, V x, const float* /*type*/) {
  return hn::PromoteTo(d, hn::DemoteTo(hn::Rebind<float, decltype(d)>(), x));
}
template <class V>
HWY_INLINE V rounded(hn::ScalableTag<double> /*d*/, V x, const double* /*type*/) {
  return x;
}

template <class T>
HWY_INLINE WholeCells scaled(const T* cells, std::size_t n, double scale, std::int32_t* whole) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<std::int32_t, decltype(d)> di;
  // Halves of 2^52 round doubles of less than 2^51 to whole numbers.
  const auto first = hn::Set(d, static_cast<double>(cells[0])), scales = hn::Set(d, scale),
             round = hn::Set(d, 0x1.8p52), most = hn::Set(d, 0x1p30);
  return all_whole(d, n, [&](std::size_t i, auto inside, auto& right) {
    const auto x = hn::IfThenElse(inside, load_cells(d, cells + i), first);
    const auto r = hn::Sub(hn::Add(hn::Mul(x, scales), round), round);
    const auto back = rounded(d, scale == 1.0 ? r : hn::Div(r, scales), cells);
    right = hn::And(right, hn::And(hn::Eq(back, x), hn::Lt(hn::Abs(r), most)));
    hn::StoreU(hn::DemoteTo(di, r), di, whole + i);
    return r;
  });
}
#endif
WholeCells scaled_floats(const float* cells, std::size_t n, double scale, std::int32_t* whole) {
  return scaled(cells, n, scale, whole);
}
WholeCells scaled_doubles(const double* cells, std::size_t n, double scale, std::int32_t* whole) {
  return scaled(cells, n, scale, whole);
}

void to_bytes(const std::int32_t* whole, std::size_t n, std::int32_t first, std::uint8_t* ranks) {
  for (std::size_t i = 0; i < n; ++i) ranks[i] = static_cast<std::uint8_t>(whole[i] - first);
}
void to_pairs_of_bytes(const std::int32_t* whole, std::size_t n, std::int32_t first, std::uint16_t* ranks) {
  for (std::size_t i = 0; i < n; ++i) ranks[i] = static_cast<std::uint16_t>(whole[i] - first);
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {
HWY_EXPORT(unscaled_floats);
HWY_EXPORT(scaled_floats);
HWY_EXPORT(scaled_doubles);
HWY_EXPORT(to_bytes);
HWY_EXPORT(to_pairs_of_bytes);

WholeCells scale_to_whole(const float* cells, std::size_t n, double scale, std::int32_t* whole) {
  return scale == 1.0 ? HWY_DYNAMIC_DISPATCH(unscaled_floats)(cells, n, whole)
                      : HWY_DYNAMIC_DISPATCH(scaled_floats)(cells, n, scale, whole);
}

WholeCells scale_to_whole(const double* cells, std::size_t n, double scale, std::int32_t* whole) {
  return HWY_DYNAMIC_DISPATCH(scaled_doubles)(cells, n, scale, whole);
}

void subtract_first(const std::int32_t* whole, std::size_t n, std::int32_t first, std::uint8_t* ranks) {
  HWY_DYNAMIC_DISPATCH(to_bytes)(whole, n, first, ranks);
}

void subtract_first(const std::int32_t* whole, std::size_t n, std::int32_t first, std::uint16_t* ranks) {
  HWY_DYNAMIC_DISPATCH(to_pairs_of_bytes)(whole, n, first, ranks);
}

}  // namespace bough
#endif
