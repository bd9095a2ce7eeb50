// SPDX-License-Identifier: Apache-2.0
// The columns that the nodes of a tile look at, in the order of ColumnDraw. For byte_tile.cpp, which includes it once per
// instruction set.
#if defined(BOUGH_SPLIT_TILE_DRAW) == defined(HWY_TARGET_TOGGLE)
#ifdef BOUGH_SPLIT_TILE_DRAW
#undef BOUGH_SPLIT_TILE_DRAW
#else
#define BOUGH_SPLIT_TILE_DRAW
#endif

#include <utility>

#include "base/random.hpp"
#include "split/philox_lanes.hpp"
#include "split/subtree.hpp"

#if HWY_TARGET == HWY_AVX3_DL
HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {

/// Up to 64 columns are a vector of bytes, so that a node starts with one store; `more` draws from more.
class TileDraw {
 public:
  TileDraw(ColumnDraw& more, std::size_t n_columns, bool drawn)
      : more_(more), n_columns_(n_columns), drawn_(drawn) {}

  HWY_INLINE void begin(std::uint64_t key) {
    n_ = 0;
    if (!drawn_) return;
    if (n_columns_ > sizeof(columns_)) return more_.begin(key, false);
    key_ = mix(key, UINT64_MAX);
    hn::Store(hn::Iota(hn::CappedTag<std::uint8_t, 64>(), 0), hn::CappedTag<std::uint8_t, 64>(), columns_);
    draw_some();
  }
  /// The next column; at most as often as there are columns.
  HWY_INLINE std::size_t next() {
    const std::size_t i = n_++;
    if (!drawn_) return i;
    if (n_columns_ > sizeof(columns_)) return static_cast<std::size_t>(more_.next());
    if (i > 0 && i % kDrawsAtOnce == 0) draw_some();
    // A shuffle that does not need what it has dealt.
    const std::size_t at = i + below(bits_[i % kDrawsAtOnce], n_columns_ - i);
    return std::exchange(columns_[at], columns_[i]);
  }

 private:
  HWY_INLINE void draw_some() {
    const hn::CappedTag<std::uint64_t, kDrawsAtOnce> d;
    const std::size_t first = n_ / kDrawsAtOnce * kDrawsAtOnce;
    const PhiloxLanes<decltype(d)> lanes(hn::Iota(d, first), hn::Set(d, key_), hn::Set(d, key_ >> 32));
    hn::Store(lanes.bits(), d, bits_);
  }

  ColumnDraw& more_;
  std::size_t n_columns_;
  bool drawn_;
  std::size_t n_ = 0;
  std::uint64_t key_ = 0;
  alignas(64) std::uint8_t columns_[64];
  alignas(64) std::uint64_t bits_[kDrawsAtOnce];
};

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
