// SPDX-License-Identifier: Apache-2.0
// Vectors of 64 bytes for sorted tiles, and sorting in them. For sorted_tile.cpp, which includes it once per instruction set.
#if defined(BOUGH_SPLIT_SORTED_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BOUGH_SPLIT_SORTED_LANES
#undef BOUGH_SPLIT_SORTED_LANES
#else
#define BOUGH_SPLIT_SORTED_LANES
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>

#include "split/ranked/sorted_tile.hpp"

#if HWY_TARGET == HWY_AVX3_DL
HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Bytes = hn::FixedTag<std::uint8_t, kTileRows>;
using Whole = hn::FixedTag<std::int64_t, 8>;
using Reals = hn::FixedTag<double, 8>;
using VBytes = hn::Vec<Bytes>;
using VWhole = hn::Vec<Whole>;
using VReals = hn::Vec<Reals>;

HWY_INLINE std::size_t first_of(std::uint64_t rows) {
  return static_cast<std::size_t>(std::countr_zero(rows));
}
HWY_INLINE std::size_t last_of(std::uint64_t rows) {
  return static_cast<std::size_t>(63 - std::countl_zero(rows));
}
// Bits up to position p.
HWY_INLINE std::uint64_t up_to(std::size_t p) {
  return UINT64_MAX >> (63 - p);
}
HWY_INLINE VBytes pick(VBytes from, VBytes index) {
  return VBytes{_mm512_permutexvar_epi8(index.raw, from.raw)};
}

// Sums up to every lane.
HWY_INLINE VWhole running(VWhole v) {
  const __m512i zero = _mm512_setzero_si512();
  __m512i x = v.raw;
  x = _mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 7));
  x = _mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 6));
  return VWhole{_mm512_add_epi64(x, _mm512_alignr_epi64(x, zero, 4))};
}

// Sixteen keys of which lanes i and i ^ kDistance change places where they are in the wrong order; `upper`: lanes that get the larger.
template <int kDistance>
HWY_INLINE __m512i compare(__m512i x, __mmask16 upper) {
  __m512i y;
  if constexpr (kDistance == 1) y = _mm512_shuffle_epi32(x, _MM_PERM_CDAB);
  if constexpr (kDistance == 2) y = _mm512_shuffle_epi32(x, _MM_PERM_BADC);
  if constexpr (kDistance == 4) y = _mm512_shuffle_i32x4(x, x, 0xb1);
  if constexpr (kDistance == 8) y = _mm512_shuffle_i32x4(x, x, 0x4e);
  return _mm512_mask_max_epu32(_mm512_min_epu32(x, y), upper, x, y);
}
// Bitonic sorting (Batcher 1968).
HWY_INLINE __m512i merge(__m512i x) {
  return compare<1>(compare<2>(compare<4>(compare<8>(x, 0xff00), 0xf0f0), 0xcccc), 0xaaaa);
}
HWY_INLINE __m512i sort(__m512i x) {
  x = compare<1>(x, 0x6666);
  x = compare<1>(compare<2>(x, 0x3c3c), 0x5a5a);
  x = compare<1>(compare<2>(compare<4>(x, 0x0ff0), 0x33cc), 0x55aa);
  return merge(x);
}
HWY_INLINE __m512i reverse(__m512i x) {
  return hn::Reverse(hn::FixedTag<std::uint32_t, 16>(), hn::Vec<hn::FixedTag<std::uint32_t, 16>>{x}).raw;
}
// Of 16, 32 or 64.
HWY_INLINE void sort(__m512i* x, std::size_t n_vectors) {
  for (std::size_t k = 0; k < n_vectors; ++k) x[k] = sort(x[k]);
  for (std::size_t k = 0; k + 1 < n_vectors; k += 2) {
    const __m512i other = reverse(x[k + 1]);
    x[k + 1] = merge(_mm512_max_epu32(x[k], other));
    x[k] = merge(_mm512_min_epu32(x[k], other));
  }
  if (n_vectors < 4) return;
  const __m512i a = reverse(x[3]), b = reverse(x[2]);
  const __m512i low[] = {_mm512_min_epu32(x[0], a), _mm512_min_epu32(x[1], b)};
  const __m512i high[] = {_mm512_max_epu32(x[0], a), _mm512_max_epu32(x[1], b)};
  x[0] = merge(_mm512_min_epu32(low[0], low[1]));
  x[1] = merge(_mm512_max_epu32(low[0], low[1]));
  x[2] = merge(_mm512_min_epu32(high[0], high[1]));
  x[3] = merge(_mm512_max_epu32(high[0], high[1]));
}

/// Sorts a column of n rows. `from`: its rank in the first row of the table; at[i / 8]: how many ranks lie between that and rank i.
inline void sort_column(const std::uint16_t* from, const __m512i* at, std::size_t n,
                        SortedTile::Column& column) {
  const std::uint64_t rows_of_tile = UINT64_MAX >> (kTileRows - n);
  // Ranks and rows; behind the last one come higher ranks.
  const std::size_t n_vectors = n <= 16 ? 1 : n <= 32 ? 2 : 4;
  __m512i keys[4];
  const __m256i rank_bits = _mm256_set1_epi32(0xffff);
  for (std::size_t k = 0; k < n_vectors; ++k) {
    const auto inside = static_cast<__mmask16>(16 * k < n ? rows_of_tile >> (16 * k) : 0);
    const __m256i ones = _mm256_set1_epi32(-1);
    const __m256i low = _mm512_mask_i64gather_epi32(ones, static_cast<__mmask8>(inside), at[2 * k], from, 2);
    const __m256i high =
        _mm512_mask_i64gather_epi32(ones, static_cast<__mmask8>(inside >> 8), at[2 * k + 1], from, 2);
    const __m512i ranks = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_and_si256(low, rank_bits)),
                                             _mm256_and_si256(high, rank_bits), 1);
    const __m512i rows = _mm512_add_epi32(hn::Iota(hn::FixedTag<std::int32_t, 16>(), 0).raw,
                                          _mm512_set1_epi32(static_cast<int>(16 * k)));
    keys[k] = _mm512_mask_or_epi32(_mm512_set1_epi32(-1), inside, _mm512_slli_epi32(ranks, 6), rows);
  }
  sort(keys, n_vectors);
  std::uint64_t ends = 0;
  for (std::size_t k = 0; k < n_vectors; ++k) {
    const __m512i next =
        _mm512_alignr_epi32(k + 1 < n_vectors ? keys[k + 1] : _mm512_set1_epi32(-1), keys[k], 1);
    const std::uint64_t differ =
        _mm512_cmp_epu32_mask(_mm512_srli_epi32(keys[k], 6), _mm512_srli_epi32(next, 6), _MM_CMPINT_NE);
    ends |= differ << (16 * k);
    _mm_store_si128(reinterpret_cast<__m128i*>(column.order + 16 * k),
                    _mm512_cvtepi32_epi8(_mm512_and_si512(keys[k], _mm512_set1_epi32(63))));
  }
  for (std::size_t k = n_vectors; k < 4; ++k)
    _mm_store_si128(reinterpret_cast<__m128i*>(column.order + 16 * k), _mm_set1_epi8(63));
  // All of the last vector: keys behind the rows are alike.
  column.ends = ends = (ends & rows_of_tile) | std::uint64_t{1} << (n - 1);
  const __m512i all_ends = _mm512_set1_epi64(static_cast<long long>(ends));
  __m512i before = _mm512_sub_epi64(_mm512_sllv_epi64(_mm512_set1_epi64(1), hn::Iota(Whole(), 0).raw),
                                    _mm512_set1_epi64(1));
  for (std::size_t i = 0; i < n; i += 8) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(column.ranks + i),
                     _mm512_cvtepi64_epi8(_mm512_popcnt_epi64(_mm512_and_si512(all_ends, before))));
    before = _mm512_or_si512(_mm512_slli_epi64(before, 8), _mm512_set1_epi64(255));
  }
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
