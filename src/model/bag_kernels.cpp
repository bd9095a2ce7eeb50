// SPDX-License-Identifier: Apache-2.0
// Philox draws by vectors, compiled once per instruction set.
//
// draw() is Philox4x32 with ten rounds (Salmon et al. 2011) on the words (i, i >> 32, 0, 0). A lane of 64
// bits holds one word; its upper half is never read by the products, so that the halves of a product need no
// masks. below(bits, n) = row is the same as bits in [ceil(row * 2^64 / n), ceil((row + 1) * 2^64 / n)), so
// one comparison of the raw bits tells whether a row is in range. One draw takes 1 to 2 ns by AVX-512 or
// AVX2, 7 by the scalar function.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/bag_kernels.cpp"
#include "model/bag_kernels.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "base/random.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
// Without vectors everything is drawn one by one.
std::uint64_t count_some(const RangeDraws&, BitRange, std::uint64_t begin, std::uint64_t, std::uint32_t*) {
  return begin;
}
#else
constexpr std::uint32_t kFirstFactor = 0xD2511F53U, kSecondFactor = 0xCD9E8D57U;
constexpr std::uint32_t kFirstStep = 0x9E3779B9U, kSecondStep = 0xBB67AE85U;
constexpr int kRounds = 10;

template <class D, class V>
HWY_INLINE V times_low(D /*d*/, V a, std::uint32_t b) {
  const hn::Repartition<std::uint32_t, D> half;
  return hn::MulEven(hn::BitCast(half, a), hn::Set(half, b));
}

template <class D, class V>
HWY_INLINE void round(D d, V& w0, V& w1, V& w2, V& w3, std::uint32_t k0, std::uint32_t k1) {
  const V p0 = times_low(d, w0, kFirstFactor), p1 = times_low(d, w2, kSecondFactor);
  w0 = hn::Xor3(hn::ShiftRight<32>(p1), w1, hn::Set(d, k0));
  w2 = hn::Xor3(hn::ShiftRight<32>(p0), w3, hn::Set(d, k1));
  w1 = p1;
  w3 = p0;
}

template <class D>
HWY_INLINE void count(D d, hn::Vec<D> bits, const RangeDraws& draws, BitRange range, std::uint32_t* times) {
  const auto outside = hn::Gt(hn::Sub(bits, hn::Set(d, range.low)), hn::Set(d, range.last));
  if (hn::AllTrue(d, outside)) return;
  HWY_ALIGN std::uint64_t each[hn::MaxLanes(d)];
  hn::Store(bits, d, each);
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane)
    if (each[lane] - range.low <= range.last) ++times[below(each[lane], draws.n_all) - draws.first];
}

// Draws of [begin, end), a multiple of the step, the counters' upper words being one.
std::uint64_t count_some(const RangeDraws& draws, BitRange range, std::uint64_t begin, std::uint64_t end,
                         std::uint32_t* times) {
  const hn::ScalableTag<std::uint64_t> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kAtOnce = 4;  // chains of products, so that none waits for another
  const std::size_t lanes = hn::Lanes(d), step = kAtOnce * lanes;
  const V mask = hn::Set(d, 0xffffffffULL);
  std::uint64_t i = begin;
  for (; i + step <= end; i += step) {
    // No struct of four: g++ refuses its constructor, which it writes without the instruction set of this part, on 64-bit ARM.
    V w0[kAtOnce], w1[kAtOnce], w2[kAtOnce], w3[kAtOnce];
    for (std::size_t j = 0; j < kAtOnce; ++j) {
      w0[j] = hn::Iota(d, i + j * lanes);
      w1[j] = hn::Set(d, i >> 32);
      w2[j] = w3[j] = hn::Zero(d);
    }
    auto k0 = static_cast<std::uint32_t>(draws.key), k1 = static_cast<std::uint32_t>(draws.key >> 32);
#pragma GCC unroll 10
    for (int r = 0; r < kRounds; ++r, k0 += kFirstStep, k1 += kSecondStep)
      for (std::size_t j = 0; j < kAtOnce; ++j) round(d, w0[j], w1[j], w2[j], w3[j], k0, k1);
    for (std::size_t j = 0; j < kAtOnce; ++j)
      count(d, hn::Or(hn::And(w0[j], mask), hn::ShiftLeft<32>(w1[j])), draws, range, times);
  }
  return i;
}
#endif

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {
namespace {

HWY_EXPORT(count_some);

// The lowest bits that are row `row` or a later one; 2^64 for n_all.
uint128 first_bits(std::uint64_t row, std::uint64_t n_all) {
  return ((static_cast<uint128>(row) << 64U) + n_all - 1) / n_all;
}

}  // namespace

void count_draws(const RangeDraws& draws, std::span<std::uint32_t> times) {
  if (times.empty()) return;
  const uint128 low = first_bits(draws.first, draws.n_all),
                end = first_bits(draws.first + times.size(), draws.n_all);
  const BitRange range{static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(end - 1 - low)};
  // The upper word of the counter changes every 2^32 draws; ends that fill no vector are drawn one by one.
  for (std::uint64_t i = 0; i < draws.n_draws;) {
    const std::uint64_t stop = std::min(draws.n_draws, ((i >> 32U) + 1) << 32U);
    for (i = HWY_DYNAMIC_DISPATCH(count_some)(draws, range, i, stop, times.data()); i < stop; ++i) {
      const std::uint64_t bits = draw(draws.key, i);
      if (bits - range.low <= range.last) ++times[below(bits, draws.n_all) - draws.first];
    }
  }
}

}  // namespace bough
#endif
