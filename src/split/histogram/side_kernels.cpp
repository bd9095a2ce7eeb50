// SPDX-License-Identifier: Apache-2.0
// Scores and bounds of number targets, one output at a time, compiled once per instruction set.
//
// The bounds are those of curve_kernels.cpp; its proofs hold for weights as they stand:
//   squared_error  rows of weight w_i and target y_i. With m the mean of the bucket, sum w (y - m) over any
//   part of it is
//                minus that over the rest, so it is at most half of sum w |y - m| <= sqrt(k sum w (y - m)^2)
//                = sqrt(k Q - s^2) with k, s, Q the sums of w, w y, w y^2.
//   poisson      the left side moves by a point of [0, k] x [0, s]; and with every row alone, sum w y log y <= s log(Q / s).
// A score is the mean of the outputs' scores, and the maximum of a sum is at most the sum of the maxima.
//
// Rounding. Every input is within 2^-53 of an integer. The means of both sides differ by n_r s_l - n_l s_r =
// d over n_l n_r; with centred sums the error of d is at most 2^-51 n_l n_r (1 + that difference), so a score
// is right to 1e-9 of itself unless the means differ by less than 1e-6 units of the target's fixed point, and
// then it is below 1e-12 n: curve_slack covers both.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/histogram/side_kernels.cpp"
#include "split/histogram/side_kernels.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "split/histogram/kernel_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE void add_to(double* out, V share, V value) {
  const D d;
  hn::Store(hn::Add(hn::Load(d, out), hn::Mul(share, value)), d, out);
}

void side_squared_error(const SideCurves& c, const SideFrame& frame, CurveScores& out) {
  const D d;
  const V all = hn::Set(d, frame.n), share = hn::Set(d, frame.share), zero = hn::Zero(d),
          one = hn::Set(d, 1.0);
  const V inverse = hn::Set(d, 1.0 / frame.n), mean = hn::Set(d, frame.sum / frame.n),
          huge = hn::Set(d, 1e300);
  const V half = hn::Mul(all, hn::Set(d, 0.5 * (1 + 1e-9)));
  for (std::size_t b = 0; b < c.n_buckets; b += hn::Lanes(d)) {
    const V l0 = hn::LoadU(d, c.left_n + b), r0 = hn::LoadU(d, c.right_n + b);
    const V l1 = hn::LoadU(d, c.left_n + b + 1), r1 = hn::LoadU(d, c.right_n + b + 1);
    const V a0 = hn::LoadU(d, c.left_sum + b), z0 = hn::LoadU(d, c.right_sum + b);
    const V a1 = hn::LoadU(d, c.left_sum + b + 1), z1 = hn::LoadU(d, c.right_sum + b + 1);
    const V p0 = hn::Mul(l0, r0), p1 = hn::Mul(l1, r1);
    const V d0 = hn::Abs(hn::Sub(hn::Mul(r0, a0), hn::Mul(l0, z0)));
    const V d1 = hn::Abs(hn::Sub(hn::Mul(r1, a1), hn::Mul(l1, z1)));
    // d / (n_l n_r) first, as the criterion does: the square alone may be too large.
    const V score = hn::Mul(hn::Mul(hn::Div(d1, p1), d1), inverse);
    add_to(out.score + b, share, hn::IfThenElseZero(hn::Gt(p1, zero), score));
    const V k = hn::Load(d, c.n + b), s = hn::Load(d, c.sum + b), q = hn::Load(d, c.squares + b);
    const V h = hn::Mul(half, hn::Sqrt(zero_or_more(hn::Sub(hn::Mul(k, q), hn::Mul(s, s)))));
    const V e0 = hn::Add(d0, h), e1 = hn::Add(d1, h);
    const V slab0 = hn::IfThenElse(hn::Gt(p0, zero), hn::Mul(hn::Mul(hn::Div(e0, p0), e0), inverse), huge);
    const V slab1 = hn::IfThenElse(hn::Gt(p1, zero), hn::Mul(hn::Mul(hn::Div(e1, p1), e1), inverse), huge);
    const V c0 = hn::Sub(a0, hn::Mul(mean, l0)), c1 = hn::Sub(z1, hn::Mul(mean, r1));
    const V qc = zero_or_more(
        hn::Add(hn::Sub(q, hn::Mul(hn::Mul(hn::Set(d, 2.0), mean), s)), hn::Mul(hn::Mul(mean, mean), k)));
    const V sides =
        hn::Add(hn::Div(hn::Mul(c0, c0), hn::Max(l0, one)), hn::Div(hn::Mul(c1, c1), hn::Max(r1, one)));
    const V apart = hn::Mul(hn::Add(sides, qc), hn::Set(d, 1 + 1e-9));
    add_to(out.bound + b, share, hn::Min(hn::Max(slab0, slab1), apart));
  }
}

struct SidePoisson {
  V inverse_rate;
  HWY_INLINE V part(V n, V s) const {
    const D d;
    const V tiny = hn::Set(d, 0x1p-1000);
    const V value =
        hn::Mul(s, log2_close(hn::Mul(hn::Div(hn::Max(s, tiny), hn::Max(n, tiny)), inverse_rate)));
    return hn::IfThenElseZero(hn::Gt(s, hn::Zero(d)), value);
  }
  // The rows of a bucket one by one: at most s log(q / s).
  HWY_INLINE V alone(V s, V q) const {
    const D d;
    const V each = hn::Div(hn::Max(q, hn::Set(d, 0x1p-900)), hn::Max(s, hn::Set(d, 0x1p-1000)));
    return hn::IfThenElseZero(hn::Gt(s, hn::Zero(d)), hn::Mul(s, log2_close(hn::Mul(each, inverse_rate))));
  }
  HWY_INLINE V operator()(V ln, V ls, V rn, V rs) const {
    return hn::Mul(hn::Add(part(ln, ls), part(rn, rs)), hn::Set(D(), 0.6931471805599453));
  }
};

void side_poisson(const SideCurves& c, const SideFrame& frame, CurveScores& out) {
  const D d;
  const SidePoisson f{hn::Set(d, frame.n / frame.sum)};
  const V share = hn::Set(d, frame.share), zero = hn::Zero(d), open = hn::Set(d, 1e300);
  for (std::size_t b = 0; b < c.n_buckets; b += hn::Lanes(d)) {
    const V l0 = hn::LoadU(d, c.left_n + b), r0 = hn::LoadU(d, c.right_n + b);
    const V l1 = hn::LoadU(d, c.left_n + b + 1), r1 = hn::LoadU(d, c.right_n + b + 1);
    const V a0 = hn::LoadU(d, c.left_sum + b), z0 = hn::LoadU(d, c.right_sum + b);
    const V a1 = hn::LoadU(d, c.left_sum + b + 1), z1 = hn::LoadU(d, c.right_sum + b + 1);
    const auto inner = hn::And(hn::Gt(l1, zero), hn::Gt(r1, zero));
    add_to(out.score + b, share, hn::IfThenElseZero(inner, f(l1, a1, r1, z1)));
    // The whole sum of the bucket on the left without its weight, and the other way round; a sum without any
    // weight beside it has no finite bound.
    const V early = hn::IfThenElse(hn::Gt(l0, zero), f(l0, a1, r0, z1), open);
    const V late = hn::IfThenElse(hn::Gt(r1, zero), f(l1, a0, r1, z0), open);
    const V s = hn::Load(d, c.sum + b), q = hn::Load(d, c.squares + b);
    const V apart = hn::Mul(hn::Add(hn::Add(f.part(l0, a0), f.part(r1, z1)), f.alone(s, q)),
                            hn::Set(d, 0.6931471805599453));
    add_to(out.bound + b, share, hn::Min(hn::Max(early, late), apart));
  }
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {

HWY_EXPORT(side_squared_error);
HWY_EXPORT(side_poisson);

void add_side_scores(CriterionId criterion, const SideCurves& curves, const SideFrame& frame,
                     CurveScores& out) {
  if (criterion == CriterionId::squared_error) {
    HWY_DYNAMIC_DISPATCH(side_squared_error)(curves, frame, out);
  } else {
    HWY_DYNAMIC_DISPATCH(side_poisson)(curves, frame, out);
  }
}

}  // namespace bough
#endif
