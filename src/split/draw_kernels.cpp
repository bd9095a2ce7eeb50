// SPDX-License-Identifier: Apache-2.0
// Random numbers in vectors, compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/draw_kernels.cpp"
#include "split/draw_kernels.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "base/random.hpp"
#include "split/philox_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void draws_of_key(std::uint64_t key, std::uint64_t first, std::uint64_t* bits) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < kDrawsAtOnce; ++i) bits[i] = draw(key, first + i);
#else
  const hn::CappedTag<std::uint64_t, kDrawsAtOnce> d;
  for (std::size_t i = 0; i < kDrawsAtOnce; i += hn::Lanes(d))
    hn::StoreU(
        PhiloxLanes<decltype(d)>(hn::Iota(d, first + i), hn::Set(d, key), hn::Set(d, key >> 32)).bits(), d,
        bits + i);
#endif
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {
HWY_EXPORT(draws_of_key);

void draw_some(std::uint64_t key, std::uint64_t first, std::uint64_t* bits) {
  HWY_DYNAMIC_DISPATCH(draws_of_key)(key, first, bits);
}

}  // namespace bough
#endif
