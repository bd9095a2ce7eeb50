// SPDX-License-Identifier: Apache-2.0
// Moves chosen lanes of a vector side by side, once per instruction set.
//
// Highway's Compress() has its tables in automatic arrays. g++ 12 copies them to the stack at every call, up to a KiB, wherever
// there is no instruction for this: the tables here stay where they are.

// Included again for every target; the guard is toggled by Highway.
#if defined(BOUGH_BASE_COMPRESS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BOUGH_BASE_COMPRESS_INL
#undef BOUGH_BASE_COMPRESS_INL
#else
#define BOUGH_BASE_COMPRESS_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>

#ifndef BOUGH_BASE_COMPRESS_TABLES
#define BOUGH_BASE_COMPRESS_TABLES
namespace bough {

// By the bits of a mask: the lanes that it has, as numbers of bytes, kBytes to a lane; then zeros.
template <std::size_t kLanes, std::size_t kBytes>
struct CompressTable {
  alignas(16) std::uint8_t from[std::size_t{1} << kLanes][kLanes * kBytes]{};

  constexpr CompressTable() {
    for (std::size_t bits = 0; bits < std::size_t{1} << kLanes; ++bits) {
      std::size_t to = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if ((bits >> lane & 1) == 0) continue;
        for (std::size_t byte = 0; byte < kBytes; ++byte)
          from[bits][to++] = static_cast<std::uint8_t>(lane * kBytes + byte);
      }
    }
  }
};
inline constexpr CompressTable<4, 4> kCompressFour{};
inline constexpr CompressTable<8, 1> kCompressEight{};

}  // namespace bough
#endif

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Lanes of 32 bits that the mask has, in their order, from the first lane on; the lanes behind them mean nothing.
template <class D>
HWY_INLINE hn::Vec<D> compress([[maybe_unused]] D d, hn::Vec<D> v, hn::Mask<D> mask) {
  static_assert(sizeof(hn::TFromD<D>) == 4);
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_SCALAR
  return hn::Compress(v, mask);
#else
  std::uint8_t bits[8];
  hn::StoreMaskBits(d, mask, bits);
  if constexpr (hn::MaxLanes(D()) == 4) {
    const hn::Repartition<std::uint8_t, D> bytes;
    return hn::TableLookupBytes(v, hn::BitCast(d, hn::Load(bytes, kCompressFour.from[bits[0]])));
  } else {
    static_assert(hn::MaxLanes(D()) == 8);
    const hn::Rebind<std::uint8_t, D> bytes;
    const auto lanes = hn::PromoteTo(hn::RebindToSigned<D>(), hn::LoadU(bytes, kCompressEight.from[bits[0]]));
    return hn::TableLookupLanes(v, hn::IndicesFromVec(d, lanes));
  }
#endif
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
