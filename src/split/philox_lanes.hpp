// SPDX-License-Identifier: Apache-2.0
// Random numbers of base/random.hpp in the lanes of vectors. For kernel files, which include it once per instruction set.
#if defined(BOUGH_SPLIT_PHILOX_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BOUGH_SPLIT_PHILOX_LANES
#undef BOUGH_SPLIT_PHILOX_LANES
#else
#define BOUGH_SPLIT_PHILOX_LANES
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
/// Philox in the lower halves of 64-bit lanes; what is in the upper halves does not matter.
template <class D>
struct PhiloxLanes {
  using V = hn::Vec<D>;
  V first, second;  // of the four words

  HWY_INLINE PhiloxLanes(V counter, V key0, V key1) {
    const D d;
    const hn::Repartition<std::uint32_t, D> halves;
    const auto times = [&](V v, std::uint64_t factor) HWY_ATTR {
      return hn::MulEven(hn::BitCast(halves, v), hn::BitCast(halves, hn::Set(d, factor)));
    };
    V c0 = counter, c1 = hn::Zero(d), c2 = c1, c3 = c1;
    for (int round = 0; round < 10; ++round) {
      const V a = times(c0, 0xD2511F53), b = times(c2, 0xCD9E8D57);
      c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(b), c1), key0);
      c1 = b;
      c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(a), c3), key1);
      c3 = a;
      key0 = hn::Add(key0, hn::Set(d, 0x9E3779B9));
      key1 = hn::Add(key1, hn::Set(d, 0xBB67AE85));
    }
    first = c0;
    second = c1;
  }
  /// As draw() returns them.
  [[nodiscard]] HWY_INLINE V bits() const {
    return hn::Or(hn::And(first, hn::Set(D(), 0xffffffff)), hn::ShiftLeft<32>(second));
  }
};
#endif

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
