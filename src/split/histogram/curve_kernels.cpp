// SPDX-License-Identifier: Apache-2.0
// Scores and bounds of classes along a column, compiled once per instruction set. Numbers: side_kernels.cpp.
//
// Why the bounds of both hold. Weight times impurity J is concave and homogeneous of degree one in the class weights (or in weight
// and sum), so the score S(left) = J(all) - J(left) - J(right) is convex in the left side. Inside a bucket the left side is
// start + u, u from a convex set, and a convex function takes its maximum at a vertex:
//   two classes  u in [0, b0] x [0, b1]; the vertices (0, 0) and (b0, b1) are bucket boundaries, which are scored anyway, so
//                the bound is the larger score of (b0, 0) and (0, b1).
//   poisson      targets are >= 0, so u in [0, k] x [0, s]; again the two mixed vertices, unless one of them has no rows.
// Concavity and homogeneity also give J(x + y) >= J(x) + J(y). Let every row of the bucket stand alone, where its impurity is
// 0: then S <= J(all) - J(left of the bucket) - J(right of it).
//   many classes this is the bound.
//   poisson      here J = -s log(s / n), and a row alone adds -y log y. With Q the sum of squares in the bucket, the rows
//                together have sum y log y <= s log(Q / s), because the logarithm is concave. The smaller bound counts.
//   squared_error  with Q the sum of squares in the bucket (centred): S <= s_l^2/n_l + s_r^2/n_r + Q - s^2/n. A second bound
//                comes from Cauchy-Schwarz: the partial sums of a bucket of k rows deviate from the straight line between its
//                ends by at most h = sqrt(k Q - s^2) / 2, so the left sum lies in a slab whose ends are the two boundaries;
//                convexity again takes the maximum to its four corners. The smaller of the two counts.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/histogram/curve_kernels.cpp"
#include "split/histogram/curve_kernels.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "split/histogram/kernel_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Score of a two-class split with weight n and second-class weight l on the left.
struct TwoGini {
  V all, second, scale;
  HWY_INLINE TwoGini(double n, double c)
      : all(hn::Set(D(), n)), second(hn::Set(D(), c)), scale(hn::Set(D(), 2.0 / n)) {}
  HWY_INLINE V operator()(V n, V l) const {
    const V d = hn::Sub(hn::Mul(all, l), hn::Mul(second, n));
    const V p = hn::Mul(n, hn::Sub(all, n));
    return hn::Mul(hn::Div(hn::Mul(d, d), p), scale);
  }
};

struct TwoMisclassification {
  V all, second, parent;
  HWY_INLINE TwoMisclassification(double n, double c) : all(hn::Set(D(), n)), second(hn::Set(D(), c)) {
    parent = hn::Max(second, hn::Sub(all, second));
  }
  HWY_INLINE V operator()(V n, V l) const {
    const V r = hn::Sub(second, l);
    return hn::Sub(hn::Add(hn::Max(l, hn::Sub(n, l)), hn::Max(r, hn::Sub(hn::Sub(all, n), r))), parent);
  }
};

struct TwoHellinger {
  V all, second, inverse;
  HWY_INLINE TwoHellinger(double n, double c) : all(hn::Set(D(), n)), second(hn::Set(D(), c)) {
    inverse = hn::Div(hn::Set(D(), 1.0), hn::Sqrt(hn::Mul(second, hn::Sub(all, second))));
  }
  HWY_INLINE V operator()(V n, V l) const {
    const V r = hn::Sub(second, l);
    const V left = hn::Sqrt(zero_or_more(hn::Mul(l, hn::Sub(n, l))));
    const V right = hn::Sqrt(zero_or_more(hn::Mul(r, hn::Sub(hn::Sub(all, n), r))));
    return hn::Sub(hn::Set(D(), 1.0), hn::Mul(hn::Add(left, right), inverse));
  }
};

// What stands left of buckets b, b + 1 and so on: sums up to the bucket before, and `left` on top.
HWY_INLINE V before(const double* sums, double left, std::size_t b) {
  const D d;
  alignas(64) double out[64];
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) out[i] = left + (b + i > 0 ? sums[b + i - 1] : 0.0);
  return hn::Load(d, out);
}

// Scores at boundaries, and the two mixed vertices of every bucket's box.
template <class F>
void score_box(const F& f, const Curve& curve, const CurveFrame& frame, CurveScores& out) {
  const D d;
  const V all = hn::Set(d, frame.n), zero = hn::Zero(d), none = hn::Set(d, -1.0);
  const V first_n = hn::Set(d, frame.left_n), first_s = hn::Set(d, frame.left_sum);
  for (std::size_t b = 0; b < curve.n_buckets; b += hn::Lanes(d)) {
    const V n = hn::Add(hn::Load(d, curve.n + b), first_n), s = hn::Add(hn::Load(d, curve.sum + b), first_s);
    const auto inner = hn::And(hn::Gt(n, zero), hn::Lt(n, all));
    hn::Store(hn::IfThenElse(inner, f(n, s), none), d, out.score + b);
  }
  for (std::size_t b = 0; b < curve.n_buckets; b += hn::Lanes(d)) {
    const V n0 = before(curve.n, frame.left_n, b), s0 = before(curve.sum, frame.left_sum, b);
    const V n1 = hn::Add(hn::Load(d, curve.n + b), first_n),
            s1 = hn::Add(hn::Load(d, curve.sum + b), first_s);
    const V sb = hn::Sub(s1, s0), nb = hn::Sub(n1, n0);
    // Rows of the second class are rows too, so their vertices move n.
    const V na = hn::Add(n0, sb), nz = hn::Sub(hn::Add(n0, nb), sb);
    const auto ok_a = hn::And(hn::Gt(na, zero), hn::Lt(na, all)),
               ok_z = hn::And(hn::Gt(nz, zero), hn::Lt(nz, all));
    const V a = hn::IfThenElse(ok_a, f(na, hn::Add(s0, sb)), none), z = hn::IfThenElse(ok_z, f(nz, s0), none);
    hn::Store(hn::Max(a, z), d, out.bound + b);
  }
}

// Entropy by hand: a mixed vertex has one class of the boundary before the bucket and the other of the one behind it, so the
// logarithms of the boundaries serve it too.
void entropy(const Curve& curve, const CurveFrame& frame, CurveScores& out) {
  const D d;
  // What both sides take off for each class: [0] what stands left of the first bucket, [b + 1] the boundary after bucket b.
  alignas(64) double first[kBuckets + 16], second[kBuckets + 16];
  const auto sides = [&](V left, V all) HWY_ATTR {
    return hn::Add(xlog2x_close(left), xlog2x_close(zero_or_more(hn::Sub(all, left))));
  };
  const V all = hn::Set(d, frame.n), all_second = hn::Set(d, frame.sum), all_first = hn::Sub(all, all_second);
  const V parent = hn::Sub(xlog2x_close(all), hn::Add(xlog2x_close(all_second), xlog2x_close(all_first)));
  const V zero = hn::Zero(d), none = hn::Set(d, -1.0), left_n = hn::Set(d, frame.left_n),
          left_second = hn::Set(d, frame.left_sum);
  hn::StoreU(sides(hn::Sub(left_n, left_second), all_first), d, first);
  hn::StoreU(sides(left_second, all_second), d, second);
  for (std::size_t b = 0; b < curve.n_buckets; b += hn::Lanes(d)) {
    const V n = hn::Add(hn::Load(d, curve.n + b), left_n),
            l = hn::Add(hn::Load(d, curve.sum + b), left_second);
    const V f = sides(hn::Sub(n, l), all_first), s = sides(l, all_second);
    hn::StoreU(f, d, first + b + 1);
    hn::StoreU(s, d, second + b + 1);
    const auto inner = hn::And(hn::Gt(n, zero), hn::Lt(n, all));
    hn::Store(hn::IfThenElse(inner, hn::Sub(parent, hn::Sub(sides(n, all), hn::Add(f, s))), none), d,
              out.score + b);
  }
  for (std::size_t b = 0; b < curve.n_buckets; b += hn::Lanes(d)) {
    const V n0 = before(curve.n, frame.left_n, b), l0 = before(curve.sum, frame.left_sum, b);
    const V n1 = hn::Add(hn::Load(d, curve.n + b), left_n),
            l1 = hn::Add(hn::Load(d, curve.sum + b), left_second);
    const V na = hn::Add(hn::Sub(n0, l0), l1), nz = hn::Add(hn::Sub(n1, l1), l0);
    const V a = hn::Sub(
        parent, hn::Sub(sides(na, all), hn::Add(hn::LoadU(d, first + b), hn::LoadU(d, second + b + 1))));
    const V z = hn::Sub(
        parent, hn::Sub(sides(nz, all), hn::Add(hn::LoadU(d, first + b + 1), hn::LoadU(d, second + b))));
    const auto ok_a = hn::And(hn::Gt(na, zero), hn::Lt(na, all)),
               ok_z = hn::And(hn::Gt(nz, zero), hn::Lt(nz, all));
    hn::Store(hn::Max(hn::IfThenElse(ok_a, a, none), hn::IfThenElse(ok_z, z, none)), d, out.bound + b);
  }
}

void two_classes(CriterionId criterion, const Curve& curve, const CurveFrame& frame, CurveScores& out) {
  switch (criterion) {
    case CriterionId::entropy:
      return entropy(curve, frame, out);
    case CriterionId::misclassification:
      return score_box(TwoMisclassification(frame.n, frame.sum), curve, frame, out);
    case CriterionId::hellinger:
      return score_box(TwoHellinger(frame.n, frame.sum), curve, frame, out);
    default:
      return score_box(TwoGini(frame.n, frame.sum), curve, frame, out);
  }
}

// Adds up one side of many classes; finish() gives J(side), up to what all sides of a node have in common.
struct ManyGini {
  V squares;
  HWY_INLINE ManyGini() : squares(hn::Zero(D())) {}
  HWY_INLINE void add(V c, V) { squares = hn::Add(squares, hn::Mul(c, c)); }
  HWY_INLINE V finish(V n, V) const {
    return hn::Sub(n, hn::Div(squares, hn::Max(n, hn::Set(D(), 0x1p-60))));
  }
};
struct ManyEntropy {
  V sum;
  HWY_INLINE ManyEntropy() : sum(hn::Zero(D())) {}
  HWY_INLINE void add(V c, V) { sum = hn::Add(sum, xlog2x_close(c)); }
  HWY_INLINE V finish(V n, V) const { return hn::Sub(xlog2x_close(n), sum); }
};
struct ManyMisclassification {
  V most;
  HWY_INLINE ManyMisclassification() : most(hn::Zero(D())) {}
  HWY_INLINE void add(V c, V) { most = hn::Max(most, c); }
  HWY_INLINE V finish(V n, V) const { return hn::Sub(n, most); }
};

template <class Side>
void score_many(const ClassCurves& curves, CurveScores& out) {
  const D d;
  const std::size_t stride = padded(curves.n_buckets);
  const V all = hn::Set(d, curves.n), zero = hn::Zero(d), none = hn::Set(d, -1.0);
  Side whole;
  for (std::size_t c = 0; c < curves.n_classes; ++c) whole.add(hn::Set(d, curves.totals[c]), zero);
  const V parent = whole.finish(all, zero);
  for (std::size_t b = 0; b < curves.n_buckets; b += hn::Lanes(d)) {
    Side left, right, before;
    V n = zero, n0 = zero;
    for (std::size_t c = 0; c < curves.n_classes; ++c) {
      const double* at = curves.left + c * stride + b;
      const V l = hn::Add(hn::LoadU(d, at), hn::Set(d, curves.first[c]));
      alignas(64) double starts[64];
      for (std::size_t i = 0; i < hn::Lanes(d); ++i)
        starts[i] = b + i > 0 ? at[static_cast<std::ptrdiff_t>(i) - 1] : 0.0;
      const V l0 = hn::Add(hn::Load(d, starts), hn::Set(d, curves.first[c]));
      left.add(l, zero);
      right.add(hn::Sub(hn::Set(d, curves.totals[c]), l), zero);
      before.add(l0, zero);
      n = hn::Add(n, l);
      n0 = hn::Add(n0, l0);
    }
    const V after = right.finish(hn::Sub(all, n), zero);
    const V score = hn::Sub(parent, hn::Add(left.finish(n, zero), after));
    const auto inner = hn::And(hn::Gt(n, zero), hn::Lt(n, all));
    hn::Store(hn::IfThenElse(inner, score, none), d, out.score + b);
    hn::Store(hn::Sub(parent, hn::Add(before.finish(n0, zero), after)), d, out.bound + b);
  }
}

// Hellinger: one against the rest for every class that is present, each with its own scale.
void many_hellinger(const ClassCurves& curves, CurveScores& out) {
  const D d;
  const std::size_t stride = padded(curves.n_buckets);
  const V all = hn::Set(d, curves.n), zero = hn::Zero(d), none = hn::Set(d, -1.0);
  double present = 0.0;
  for (std::size_t c = 0; c < curves.n_classes; ++c)
    present += curves.totals[c] > 0.0 && curves.totals[c] < curves.n ? 1.0 : 0.0;
  for (std::size_t b = 0; b < curves.n_buckets; b += hn::Lanes(d)) {
    V n = zero, n0 = zero;
    alignas(64) double starts[64];
    const auto start = [&](std::size_t c) HWY_ATTR {
      const double* at = curves.left + c * stride + b;
      for (std::size_t i = 0; i < hn::Lanes(d); ++i)
        starts[i] = b + i > 0 ? at[static_cast<std::ptrdiff_t>(i) - 1] : 0.0;
      return hn::Add(hn::Load(d, starts), hn::Set(d, curves.first[c]));
    };
    for (std::size_t c = 0; c < curves.n_classes; ++c) {
      n = hn::Add(n, hn::Add(hn::LoadU(d, curves.left + c * stride + b), hn::Set(d, curves.first[c])));
      n0 = hn::Add(n0, start(c));
    }
    const auto cross = [&](V l, V weight)
                           HWY_ATTR { return hn::Sqrt(zero_or_more(hn::Mul(l, hn::Sub(weight, l)))); };
    V score = zero, bound = zero;
    for (std::size_t c = 0; c < curves.n_classes; ++c) {
      const double t = curves.totals[c];
      if (t <= 0.0 || t >= curves.n) continue;
      const V inverse = hn::Set(d, 1.0 / std::sqrt(t * (curves.n - t)));
      const V l = hn::Add(hn::LoadU(d, curves.left + c * stride + b), hn::Set(d, curves.first[c]));
      const V right = cross(hn::Sub(hn::Set(d, t), l), hn::Sub(all, n));
      score = hn::Add(score, hn::Sub(hn::Set(d, 1.0), hn::Mul(hn::Add(cross(l, n), right), inverse)));
      bound = hn::Add(bound, hn::Sub(hn::Set(d, 1.0), hn::Mul(hn::Add(cross(start(c), n0), right), inverse)));
    }
    const V scale = hn::Set(d, 1.0 / (present > 0.0 ? present : 1.0));
    const auto inner = hn::And(hn::Gt(n, zero), hn::Lt(n, all));
    hn::Store(hn::IfThenElse(inner, hn::Mul(score, scale), none), d, out.score + b);
    hn::Store(hn::Mul(bound, scale), d, out.bound + b);
  }
}

void many_classes(CriterionId criterion, const ClassCurves& curves, CurveScores& out) {
  switch (criterion) {
    case CriterionId::entropy:
      return score_many<ManyEntropy>(curves, out);
    case CriterionId::misclassification:
      return score_many<ManyMisclassification>(curves, out);
    case CriterionId::hellinger:
      return many_hellinger(curves, out);
    default:
      return score_many<ManyGini>(curves, out);
  }
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {

HWY_EXPORT(two_classes);
HWY_EXPORT(many_classes);

void score_two_classes(CriterionId criterion, const Curve& curve, const CurveFrame& frame, CurveScores& out) {
  HWY_DYNAMIC_DISPATCH(two_classes)(criterion, curve, frame, out);
}

void score_many_classes(CriterionId criterion, const ClassCurves& curves, CurveScores& out) {
  HWY_DYNAMIC_DISPATCH(many_classes)(criterion, curves, out);
}

double curve_slack(CriterionId criterion, double scale, double best) noexcept {
  const double relative = 1e-9 * best;
  switch (criterion) {
    case CriterionId::entropy:
      return relative + 1e-10 * scale * (1.0 + std::log2(scale + 1.0));
    // Beyond 2^53 weights are rounded, and the root of a difference that should be 0 is as large as the root of its
    // rounding, over a class that may be as small: no bound holds, so all is decided exactly.
    case CriterionId::hellinger:
      return relative + (scale < 0x1p53 ? 1e-9 : 2.0);
    // Means of the sides that differ by less than a few units of the target's fixed point may be lost in the node's mean.
    case CriterionId::squared_error:
      return relative + 1e-10 * scale + (scale < 0x1p32 ? 2e-13 * scale * scale : 0.0);
    case CriterionId::poisson:
      return relative + 1e-9 * scale;
    default:
      return relative + 1e-11 * scale;
  }
}

}  // namespace bough
#endif
