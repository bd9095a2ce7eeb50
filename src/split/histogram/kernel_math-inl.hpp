// SPDX-License-Identifier: Apache-2.0
// Vector arithmetic that the score kernels share, once per instruction set.

// Included again for every target; the guard is toggled by Highway.
#if defined(BOUGH_SPLIT_KERNEL_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BOUGH_SPLIT_KERNEL_MATH_INL
#undef BOUGH_SPLIT_KERNEL_MATH_INL
#else
#define BOUGH_SPLIT_KERNEL_MATH_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// log2(x) for x > 0, within 1e-12 relative to max(1, |log2 x|): exponent, and the atanh series of the
// mantissa.
HWY_INLINE V log2_close(V x) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, x);
  const V magic = hn::Set(d, 0x1p52);
  const V exponent = hn::Sub(hn::BitCast(d, hn::Or(hn::ShiftRight<52>(bits), hn::BitCast(du, magic))),
                             hn::Set(d, 0x1p52 + 1023.0));
  const V m = hn::BitCast(
      d, hn::Or(hn::And(bits, hn::Set(du, 0xfffffffffffffULL)), hn::Set(du, 0x3ff0000000000000ULL)));
  // m in [1, 2): relative to sqrt(2) it is in [0.707, 1.414].
  const V root = hn::Set(d, 1.4142135623730951);
  const V s = hn::Div(hn::Sub(m, root), hn::Add(m, root));
  const V z = hn::Mul(s, s);
  V sum = hn::Set(d, 1.0 / 17.0);
  for (const double k : {15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0})
    sum = hn::Add(hn::Mul(sum, z), hn::Set(d, 1.0 / k));
  sum = hn::Add(hn::Mul(sum, z), hn::Set(d, 1.0));
  return hn::Add(hn::Add(exponent, hn::Set(d, 0.5)),
                 hn::Mul(hn::Mul(s, sum), hn::Set(d, 2.0 / 0.6931471805599453)));
}

// x log2 x, 0 at 0 and below.
HWY_INLINE V xlog2x_close(V x) {
  const D d;
  const V tiny = hn::Set(d, 0x1p-1000);
  return hn::IfThenElseZero(hn::Gt(x, tiny), hn::Mul(x, log2_close(hn::Max(x, tiny))));
}

HWY_INLINE V zero_or_more(V x) {
  return hn::Max(x, hn::Zero(D()));
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
