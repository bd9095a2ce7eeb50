// SPDX-License-Identifier: Apache-2.0
// All cuts of a column in a node of few rows, one behind each row, in vectors that are no longer than the node needs. For
// byte_tile.cpp, which includes it once per instruction set.
#if defined(BOUGH_SPLIT_CUT_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BOUGH_SPLIT_CUT_LANES
#undef BOUGH_SPLIT_CUT_LANES
#else
#define BOUGH_SPLIT_CUT_LANES
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "split/ranked/tile_kernels.hpp"

#if HWY_TARGET == HWY_AVX3_DL
HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Of every cut: its score, the squares of the weights of the classes on each side, added up, and the weight on its left.
struct alignas(64) ScoredCuts {
  float scores[kTileRows];
  std::uint16_t left_squares[kTileRows], right_squares[kTileRows];
  std::uint8_t left[kTileRows];
};

/// Rows come in the order of their classes: where those of each end, and what they weigh.
struct NodeClasses {
  const std::size_t* ends;
  const std::uint32_t* totals;
  std::size_t count;
};

/// For nodes of at most kRows rows, 8 to 64.
template <std::size_t kRows>
class CutLanes {
 public:
  /// `here`: the rows of the node among those of the tile; `all`: what they weigh.
  HWY_INLINE CutLanes(std::uint64_t here, std::uint32_t all, const std::uint8_t* weights)
      : here_(here),
        rows_(UINT64_MAX >> (kTileRows - static_cast<std::size_t>(std::popcount(here)))),
        weights_(together(_mm512_loadu_si512(weights))),
        all_(hn::Set(DReals(), static_cast<float>(all))),
        best_(hn::Set(DReals(), -1.0F)) {}

  /// `bytes`: the ranks of the rows of the tile.
  template <bool kUnit>
  HWY_INLINE void score(__m512i bytes, const NodeClasses& classes, ScoredCuts& out) {
    const DBytes d;
    const DWords words;
    const VBytes ranks = together(bytes), one = hn::Set(d, 1);
    VBytes left = hn::Zero(d), at = left;
    VWords left_squares[kWords], right_squares[kWords];
    for (std::size_t k = 0; k < kWords; ++k) left_squares[k] = right_squares[k] = hn::Zero(words);
    std::size_t row = 0;
    for (std::size_t c = 0; c < classes.count; ++c) {
      VBytes own = hn::Zero(d);  // the weight of the class on the left of every cut
      for (const std::size_t end = classes.ends[c]; row < end; ++row) {
        own = add_where(own, pick(ranks, at), ranks, kUnit ? one : pick(weights_, at));
        at = hn::Add(at, one);
      }
      left = hn::Add(left, own);
      const VWords total = hn::Set(words, static_cast<std::uint16_t>(classes.totals[c]));
      for (std::size_t k = 0; k < kWords; ++k) {
        const VWords l = part<kWordLanes>(own, k), r = hn::Sub(total, l);
        left_squares[k] = hn::Add(left_squares[k], hn::Mul(l, l));
        right_squares[k] = hn::Add(right_squares[k], hn::Mul(r, r));
      }
    }
    hn::Store(left, d, out.left);
    for (std::size_t k = 0; k < kWords; ++k) {
      hn::Store(left_squares[k], words, out.left_squares + k * kWordLanes);
      hn::Store(right_squares[k], words, out.right_squares + k * kWordLanes);
    }
    for (std::size_t k = 0; k < kVectors; ++k) {
      if (k > 0 && (rows_ >> (k * kLanes)) == 0) break;
      put(k, reals(left, k), reals(left_squares, k), reals(right_squares, k), out);
    }
  }
  /// The best score so far.
  [[nodiscard]] HWY_INLINE float top() const { return hn::GetLane(hn::MaxOfLanes(DReals(), best_)); }
  /// The cuts whose scores are not below a floor.
  [[nodiscard]] HWY_INLINE std::uint64_t near(const ScoredCuts& cuts, float floor) const {
    const DReals d;
    const auto least = hn::Set(d, floor);
    std::uint64_t near = 0;
    for (std::size_t k = 0; k < kVectors; ++k) {
      if (k > 0 && (rows_ >> (k * kLanes)) == 0) break;
      const auto found = hn::Ge(hn::Load(d, cuts.scores + k * kLanes), least);
      near |= static_cast<std::uint64_t>(found.raw) << (k * kLanes);
    }
    return near;
  }

 private:
  static constexpr std::size_t kBytes = std::max<std::size_t>(kRows, 16);
  static constexpr std::size_t kWordLanes = std::min<std::size_t>(kRows, 32), kWords = kRows / kWordLanes;
  static constexpr std::size_t kLanes = std::min<std::size_t>(kRows, 16), kVectors = kRows / kLanes;
  using DBytes = hn::FixedTag<std::uint8_t, kBytes>;
  using DWords = hn::FixedTag<std::uint16_t, kWordLanes>;
  using DReals = hn::FixedTag<float, kLanes>;
  using VBytes = hn::Vec<DBytes>;
  using VWords = hn::Vec<DWords>;
  using VReals = hn::Vec<DReals>;

  // The rows of the node, of those of the tile.
  [[nodiscard]] HWY_INLINE VBytes together(__m512i tile) const {
    const __m512i all = _mm512_maskz_compress_epi8(here_, tile);
    if constexpr (kBytes == 16) return VBytes{_mm512_castsi512_si128(all)};
    if constexpr (kBytes == 32) return VBytes{_mm512_castsi512_si256(all)};
    if constexpr (kBytes == 64) return VBytes{all};
  }
  static HWY_INLINE VBytes pick(VBytes from, VBytes at) {
    if constexpr (kBytes == 16) return VBytes{_mm_shuffle_epi8(from.raw, at.raw)};
    if constexpr (kBytes == 32) return VBytes{_mm256_permutexvar_epi8(at.raw, from.raw)};
    if constexpr (kBytes == 64) return VBytes{_mm512_permutexvar_epi8(at.raw, from.raw)};
  }
  // to + more where a <= b.
  static HWY_INLINE VBytes add_where(VBytes to, VBytes a, VBytes b, VBytes more) {
    if constexpr (kBytes == 16)
      return VBytes{_mm_mask_add_epi8(to.raw, _mm_cmple_epu8_mask(a.raw, b.raw), to.raw, more.raw)};
    if constexpr (kBytes == 32)
      return VBytes{_mm256_mask_add_epi8(to.raw, _mm256_cmple_epu8_mask(a.raw, b.raw), to.raw, more.raw)};
    if constexpr (kBytes == 64)
      return VBytes{_mm512_mask_add_epi8(to.raw, _mm512_cmple_epu8_mask(a.raw, b.raw), to.raw, more.raw)};
  }
  // The k-th kCount bytes as words.
  template <std::size_t kCount>
  static HWY_INLINE VWords part(VBytes bytes, std::size_t k) {
    if constexpr (kCount == 8) return VWords{_mm_cvtepu8_epi16(bytes.raw)};
    if constexpr (kCount == 16) return VWords{_mm256_cvtepu8_epi16(bytes.raw)};
    if constexpr (kCount == 32 && kBytes == 32) return VWords{_mm512_cvtepu8_epi16(bytes.raw)};
    if constexpr (kBytes == 64)
      return VWords{_mm512_cvtepu8_epi16(k == 0 ? _mm512_castsi512_si256(bytes.raw)
                                                : _mm512_extracti64x4_epi64(bytes.raw, 1))};
  }
  // The k-th kLanes of them.
  static HWY_INLINE VReals reals(VBytes bytes, std::size_t k) {
    if constexpr (kRows == 8) return VReals{_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes.raw))};
    if constexpr (kRows == 16) return VReals{_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes.raw))};
    if constexpr (kRows == 32)
      return VReals{_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(
          k == 0 ? _mm256_castsi256_si128(bytes.raw) : _mm256_extracti128_si256(bytes.raw, 1)))};
    if constexpr (kRows == 64) {
      const __m128i parts[] = {_mm512_castsi512_si128(bytes.raw), _mm512_extracti32x4_epi32(bytes.raw, 1),
                               _mm512_extracti32x4_epi32(bytes.raw, 2),
                               _mm512_extracti32x4_epi32(bytes.raw, 3)};
      return VReals{_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(parts[k]))};
    }
  }
  static HWY_INLINE VReals reals(const VWords* words, std::size_t k) {
    if constexpr (kRows == 8) return VReals{_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(words[0].raw))};
    if constexpr (kRows == 16) return VReals{_mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(words[0].raw))};
    if constexpr (kRows >= 32) {
      const __m512i of = words[k / 2].raw;
      return VReals{_mm512_cvtepi32_ps(
          _mm512_cvtepu16_epi32(k % 2 == 0 ? _mm512_castsi512_si256(of) : _mm512_extracti64x4_epi64(of, 1)))};
    }
  }

  // sum l^2 / w_left + sum r^2 / w_right of kLanes cuts. Up to the division all numbers but one sum are whole ones below 2^24.
  HWY_INLINE void put(std::size_t k, VReals left, VReals left_squares, VReals right_squares,
                      ScoredCuts& out) {
    const DReals d;
    const VReals right = hn::Sub(all_, left);
    const VReals score =
        hn::Div(hn::Add(hn::Mul(left_squares, right), hn::Mul(right_squares, left)), hn::Mul(left, right));
    const auto cuts = hn::And(hn::Gt(right, hn::Zero(d)), rows_from(k));
    const VReals kept = hn::IfThenElse(cuts, score, hn::Set(d, -1.0F));
    hn::Store(kept, d, out.scores + k * kLanes);
    best_ = hn::Max(best_, kept);
  }
  [[nodiscard]] HWY_INLINE hn::Mask<DReals> rows_from(std::size_t k) const {
    if constexpr (kRows == 8) return {static_cast<__mmask8>(rows_)};
    if constexpr (kRows > 8) return {static_cast<__mmask16>(rows_ >> (k * kLanes))};
  }

  std::uint64_t here_, rows_;
  VBytes weights_;  // of the rows
  VReals all_, best_;
};

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
