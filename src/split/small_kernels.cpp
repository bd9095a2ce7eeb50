// SPDX-License-Identifier: Apache-2.0
// Vector kernels of the presorted engine, compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/small_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "split/small_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

float two_class(const float* l, const float* inverse, const std::uint32_t* list, std::size_t count, float n, float c,
                float first) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  using V = hn::Vec<decltype(d)>;
  const V none = hn::Set(d, -1.0F), weight = hn::Set(d, n), second = hn::Set(d, c);
  V best = none;
  V k = hn::Add(hn::Iota(d, 1.0F), hn::Set(d, first));
  const V step = hn::Set(d, static_cast<float>(hn::Lanes(d)));
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const V difference = hn::Sub(hn::Mul(weight, hn::LoadU(d, l + i)), hn::Mul(second, k));
    const V score = hn::Mul(hn::Mul(difference, difference), hn::LoadU(d, inverse + i));
    const auto change = hn::ShiftRight<16>(hn::Xor(hn::LoadU(du, list + i), hn::LoadU(du, list + i + 1)));
    const auto cut = hn::RebindMask(d, hn::Ne(change, hn::Zero(du)));
    const auto live = hn::FirstN(d, count - i);
    best = hn::Max(best, hn::IfThenElse(hn::And(cut, live), score, none));
    k = hn::Add(k, step);
  }
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

double moments(const double* s, const double* inverse, const std::uint32_t* list, std::size_t count, double mean,
               double first) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  const V none = hn::Set(d, -1.0), centre = hn::Set(d, mean);
  V best = none;
  V k = hn::Add(hn::Iota(d, 1.0), hn::Set(d, first));
  const V step = hn::Set(d, static_cast<double>(hn::Lanes(d)));
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint32_t, decltype(d)> narrow;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const V difference = hn::Sub(hn::LoadU(d, s + i), hn::Mul(centre, k));
    const V score = hn::Mul(hn::Mul(difference, difference), hn::LoadU(d, inverse + i));
    const auto change = hn::ShiftRight<16>(hn::Xor(hn::LoadU(narrow, list + i), hn::LoadU(narrow, list + i + 1)));
    const auto cut = hn::RebindMask(d, hn::Ne(hn::PromoteTo(du, change), hn::Zero(du)));
    const auto live = hn::FirstN(d, count - i);
    best = hn::Max(best, hn::IfThenElse(hn::And(cut, live), score, none));
    k = hn::Add(k, step);
  }
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

}  // namespace HWY_NAMESPACE
}  // namespace bough
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {

HWY_EXPORT(two_class);
HWY_EXPORT(moments);

float top_two_class(const float* l, const float* inverse, const std::uint32_t* list, std::size_t count, float n, float c,
                    float first) {
  return HWY_DYNAMIC_DISPATCH(two_class)(l, inverse, list, count, n, c, first);
}

double top_moments(const double* s, const double* inverse, const std::uint32_t* list, std::size_t count, double mean,
                   double first) {
  return HWY_DYNAMIC_DISPATCH(moments)(s, inverse, list, count, mean, first);
}

}  // namespace bough
#endif
