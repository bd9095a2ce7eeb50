// SPDX-License-Identifier: Apache-2.0
// Vector kernels of the ranked engine, compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/ranked/ranked_kernels.cpp"
#include "split/ranked/ranked_kernels.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bits.hpp"
#include "base/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

RankRange range_of(const std::uint16_t* ranks, std::size_t n) {
  const hn::ScalableTag<std::uint16_t> d;
  const std::size_t lanes = hn::Lanes(d);
  RankRange range{ranks[0], ranks[0]};
  std::size_t i = 0;
  if (n >= lanes) {
    auto low = hn::LoadU(d, ranks), high = low;
    for (i = lanes; i + lanes <= n; i += lanes) {
      const auto x = hn::LoadU(d, ranks + i);
      low = hn::Min(low, x);
      high = hn::Max(high, x);
    }
    // The last vector may overlap the one before.
    const auto x = hn::LoadU(d, ranks + n - lanes);
    range.low = hn::GetLane(hn::MinOfLanes(d, hn::Min(low, x)));
    range.high = hn::GetLane(hn::MaxOfLanes(d, hn::Max(high, x)));
    return range;
  }
  for (i = 1; i < n; ++i) {
    range.low = std::min<std::uint32_t>(range.low, ranks[i]);
    range.high = std::max<std::uint32_t>(range.high, ranks[i]);
  }
  return range;
}

template <class Rank>
RankRange gather_ranks_of(const Rank* column, std::span<const RowId> rows, std::uint16_t* ranks) {
  const std::size_t n = rows.size();
  const RowId* row = rows.data();
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::size_t k = 0; k < 8; ++k) ranks[i + k] = column[row[i + k]];
  for (; i < n; ++i) ranks[i] = column[row[i]];
  return range_of(ranks, n);
}
RankRange gather_narrow(const std::uint8_t* column, std::span<const RowId> rows, std::uint16_t* ranks) {
  return gather_ranks_of(column, rows, ranks);
}
RankRange gather_wide(const std::uint16_t* column, std::span<const RowId> rows, std::uint16_t* ranks) {
  return gather_ranks_of(column, rows, ranks);
}

RankRange gather_by_row(const std::uint16_t* by_row, std::size_t stride, std::span<const RowId> rows,
                        std::uint16_t* ranks) {
  for (std::size_t i = 0; i < rows.size(); ++i) ranks[i] = by_row[rows[i] * stride];
  return range_of(ranks, rows.size());
}

template <class T>
HWY_INLINE std::size_t near(const T* scores, std::size_t begin, std::size_t end, T floor,
                            std::uint32_t* positions) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto least = hn::Set(d, floor);
  std::size_t n = 0;
  for (std::size_t p = begin; p < end; p += lanes) {
    const auto found = hn::And(hn::Ge(hn::LoadU(d, scores + p), least), hn::FirstN(d, end - p));
    if (hn::AllFalse(d, found)) continue;
    for (std::size_t i = p; i < std::min(end, p + lanes); ++i)
      if (scores[i] >= floor) positions[n++] = static_cast<std::uint32_t>(i);
  }
  return n;
}
std::size_t near_floats(const float* scores, std::size_t begin, std::size_t end, float floor,
                        std::uint32_t* positions) {
  return near(scores, begin, end, floor, positions);
}
std::size_t near_doubles(const double* scores, std::size_t begin, std::size_t end, double floor,
                         std::uint32_t* positions) {
  return near(scores, begin, end, floor, positions);
}

HWY_INLINE std::uint32_t ones(std::uint64_t word) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_SSSE3
  return static_cast<std::uint32_t>(count_bits(word));
#else
  return static_cast<std::uint32_t>(std::popcount(word));
#endif
}

std::uint32_t number(std::span<std::uint16_t> ranks, RankRange range, const PresentRanks& present) {
  const std::size_t words = (range.high - range.low) / 64 + 1;
  std::memset(present.bits, 0, words * sizeof(std::uint64_t));
  for (const std::uint16_t rank : ranks)
    present.bits[(rank - range.low) >> 6] |= std::uint64_t{1} << ((rank - range.low) & 63);
  std::uint32_t n = 0;
  for (std::size_t w = 0; w < words; ++w) {
    present.before[w] = n;
    n += ones(present.bits[w]);
  }
  for (std::uint16_t& rank : ranks) {
    const std::uint32_t at = rank - range.low;
    const std::uint64_t lower = present.bits[at >> 6] & ((std::uint64_t{1} << (at & 63)) - 1);
    rank = static_cast<std::uint16_t>(present.before[at >> 6] + ones(lower));
  }
  return n;
}

std::size_t divide_by_rank(std::span<RowId> rows, const std::uint16_t* ranks, std::uint32_t cut,
                           RowId* scratch) {
  const std::size_t n = rows.size();
  RowId* own = rows.data();
  std::size_t left = 0, right = 0, i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint32_t> d;
  const hn::Rebind<std::uint16_t, decltype(d)> narrow;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  const auto last = hn::Set(di, static_cast<std::int32_t>(cut));
  // A vector that is stored whole reaches no row that is yet to be read.
  for (; i + lanes <= n; i += lanes) {
    const auto row = hn::LoadU(d, own + i);
    const auto high =
        hn::RebindMask(d, hn::Gt(hn::BitCast(di, hn::PromoteTo(d, hn::LoadU(narrow, ranks + i))), last));
    const std::size_t n_high = hn::CountTrue(d, high);
    hn::StoreU(compress(d, row, hn::Not(high)), d, own + left);
    hn::StoreU(compress(d, row, high), d, scratch + right);
    left += lanes - n_high;
    right += n_high;
  }
#endif
  for (; i < n; ++i) {
    const RowId row = own[i];
    const std::size_t is_high = ranks[i] > cut ? 1 : 0;
    own[left] = row;
    scratch[right] = row;
    left += 1 - is_high;
    right += is_high;
  }
  std::memcpy(own + left, scratch, right * sizeof(RowId));
  return left;
}

void count(const ClassColumn& in) {
  for (std::size_t c = 0; c < in.n_classes; ++c)
    std::memset(in.counts + c * in.stride, 0, in.n_positions * sizeof(std::uint32_t));
  constexpr std::uint32_t class_mask = (1U << kClassBits) - 1;
  for (std::size_t i = 0; i < in.n_rows; ++i) {
    const std::uint32_t tag = in.tags[i];
    in.counts[(tag & class_mask) * in.stride + (in.ranks[i] - in.low)] += tag >> kClassBits;
  }
}

// The rows that most of the rest has are not touched.
void count_others(const ClassColumn& in, std::uint32_t common, const float* totals) {
  constexpr std::uint32_t class_mask = (1U << kClassBits) - 1;
  for (std::size_t c = 0; c < in.n_classes; ++c)
    std::memset(in.counts + c * in.stride, 0, in.n_positions * sizeof(std::uint32_t));
  const auto add = [&](std::size_t i) HWY_ATTR {
    const std::uint32_t tag = in.tags[i];
    in.counts[(tag & class_mask) * in.stride + (in.ranks[i] - in.low)] += tag >> kClassBits;
  };
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < in.n_rows; ++i)
    if (in.ranks[i] != common) add(i);
#else
  const hn::CappedTag<std::uint16_t, 64> d;
  const auto rest = hn::Set(d, static_cast<std::uint16_t>(common));
  for (std::size_t i = 0; i < in.n_rows; i += hn::Lanes(d)) {
    std::uint8_t bytes[16] = {};
    // A lane need not hold the number of all rows that are left.
    const auto inside = hn::FirstN(d, std::min(in.n_rows - i, hn::Lanes(d)));
    const auto others = hn::AndNot(hn::Eq(hn::LoadU(d, in.ranks + i), rest), inside);
    hn::StoreMaskBits(d, others, bytes);
    std::uint64_t bits;
    std::memcpy(&bits, bytes, sizeof(bits));
    for (; bits != 0; bits &= bits - 1) add(i + static_cast<std::size_t>(std::countr_zero(bits)));
  }
#endif
  for (std::size_t c = 0; c < in.n_classes; ++c) {
    std::uint32_t* counts = in.counts + c * in.stride;
    std::uint32_t sum = 0;
    for (std::size_t p = 0; p < in.n_positions; ++p) sum += counts[p];
    counts[common - in.low] = static_cast<std::uint32_t>(totals[c]) - sum;
  }
}

template <class V>
HWY_INLINE auto numbers_of(hn::ScalableTag<float> d, V counts) {
  return hn::ConvertTo(d, hn::BitCast(hn::RebindToSigned<decltype(d)>(), counts));
}
template <class V>
HWY_INLINE auto numbers_of(hn::ScalableTag<double> d, V counts) {
  return hn::PromoteTo(d, hn::BitCast(hn::Rebind<std::int32_t, decltype(d)>(), counts));
}

// Sums of lanes up to each: inside blocks of four first, then over the blocks before.
template <class D>
HWY_INLINE hn::Vec<D> sum_lanes([[maybe_unused]] D d, hn::Vec<D> v) {
#if HWY_TARGET != HWY_SCALAR
  v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
  if (hn::Lanes(d) > 2) v = hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
  for (std::uint32_t blocks = 1; 4 * blocks < hn::Lanes(d); blocks *= 2) {
    // The last lane of the block that lies so many blocks before.
    const auto own = hn::And(hn::Iota(d, 0), hn::Set(d, ~3U));
    const auto last = hn::And(hn::Sub(own, hn::Set(d, 4 * blocks - 3)),
                              hn::Set(d, static_cast<std::uint32_t>(hn::Lanes(d)) - 1));
    const auto moved = hn::TableLookupLanes(v, hn::IndicesFromVec(d, last));
    v = hn::Add(v, hn::IfThenZeroElse(hn::FirstN(d, 4 * blocks), moved));
  }
#endif
  return v;
}

template <class T>
T sum_of(const T* totals, std::size_t n) {
  T sum = 0;
  for (std::size_t c = 0; c < n; ++c) sum += totals[c];
  return sum;
}

#if HWY_TARGET == HWY_SCALAR
// Some positions at once, in arrays: compilers know vectors that Highway has no name for.
template <class T>
T class_scores(const ClassColumn& in, const ClassCounters& from, const T* totals, std::size_t begin,
               std::size_t end, T* scores) {
  constexpr std::size_t block = 16;
  const T all = sum_of(totals, in.n_classes);
  T best[block];
  std::fill_n(best, block, T{-1});
  for (std::size_t p = 0; p < in.n_positions; p += block) {
    T own[block] = {}, other[block] = {}, left[block] = {};
    for (std::size_t c = 0; c < in.n_classes; ++c) {
      const std::size_t plane = from.which == nullptr ? c : from.which[c];
      const std::uint32_t* counters = from.counters + plane * from.stride + p;
      std::uint32_t* to = in.counts + c * in.stride + p;
      std::uint32_t sum = p == 0 ? 0U : to[-1], counts[block];
      for (std::size_t i = 0; i < block; ++i) counts[i] = sum += counters[i];
      std::copy_n(counts, block, to);
      for (std::size_t i = 0; i < block; ++i) {
        const T l = static_cast<T>(static_cast<std::int32_t>(counts[i])), r = totals[c] - l;
        own[i] = l * l + own[i];
        other[i] = r * r + other[i];
        left[i] += l;
      }
    }
    T kept[block];
    for (std::size_t i = 0; i < block; ++i) {
      const T right = all - left[i], product = left[i] * right;
      const T score = (own[i] * right + other[i] * left[i]) / product;
      kept[i] = product > 0 ? score : T{-1};
    }
    for (std::size_t i = p; i < begin && i < p + block; ++i) kept[i - p] = -1;
    for (std::size_t i = std::max(p, end); i < p + block; ++i) kept[i - p] = -1;
    for (std::size_t i = 0; i < block; ++i) best[i] = std::max(best[i], kept[i]);
    std::copy_n(kept, block, scores + p);
  }
  return *std::max_element(best, best + block);
}
#else
template <class T>
HWY_INLINE T class_scores(const ClassColumn& in, const ClassCounters& from, const T* totals,
                          std::size_t begin, std::size_t end, T* scores) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d), none = hn::Set(d, T{-1}), all = hn::Set(d, sum_of(totals, in.n_classes));
  const hn::Rebind<std::uint32_t, decltype(d)> counters;
  auto best = none;
  for (std::size_t p = 0; p < in.n_positions; p += lanes) {
    auto own = zero, other = zero, left = zero;
    for (std::size_t c = 0; c < in.n_classes; ++c) {
      const std::size_t plane = from.which == nullptr ? c : from.which[c];
      std::uint32_t* to = in.counts + c * in.stride + p;
      const auto here = sum_lanes(counters, hn::LoadU(counters, from.counters + plane * from.stride + p));
      const auto counts = hn::Add(here, hn::Set(counters, p == 0 ? 0U : to[-1]));
      hn::StoreU(counts, counters, to);
      const auto l = numbers_of(d, counts), r = hn::Sub(hn::Set(d, totals[c]), l);
      own = hn::MulAdd(l, l, own);
      other = hn::MulAdd(r, r, other);
      left = hn::Add(left, l);
    }
    const auto right = hn::Sub(all, left);
    const auto score = hn::Div(hn::MulAdd(own, right, hn::Mul(other, left)), hn::Mul(left, right));
    const auto before = hn::FirstN(d, begin > p ? begin - p : 0),
               inside = hn::FirstN(d, end > p ? end - p : 0);
    const auto cut = hn::And(hn::And(hn::Gt(left, zero), hn::Gt(right, zero)), hn::AndNot(before, inside));
    const auto kept = hn::IfThenElse(cut, score, none);
    hn::StoreU(kept, d, scores + p);
    best = hn::Max(best, kept);
  }
  return hn::GetLane(hn::MaxOfLanes(d, best));
}
#endif
float float_class_scores(const ClassColumn& in, const ClassCounters& from, const float* totals,
                         std::size_t begin, std::size_t end, float* scores) {
  return class_scores(in, from, totals, begin, end, scores);
}
double double_class_scores(const ClassColumn& in, const ClassCounters& from, const double* totals,
                           std::size_t begin, std::size_t end, double* scores) {
  return class_scores(in, from, totals, begin, end, scores);
}

void renumber(const std::uint32_t* tags, std::size_t n, const std::uint8_t* numbers,
              [[maybe_unused]] std::size_t n_classes, std::uint32_t* to) {
  constexpr std::uint32_t class_mask = (1U << kClassBits) - 1;
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX3_DL
  if (n_classes <= 64) {
    const __m512i table = _mm512_loadu_si512(numbers), own = _mm512_set1_epi32(class_mask);
    for (; i + 16 <= n; i += 16) {
      const __m512i tag = _mm512_loadu_si512(tags + i);
      // The lowest byte of every tag is looked up, the others stay.
      _mm512_storeu_si512(to + i,
                          _mm512_ternarylogic_epi32(own, _mm512_permutexvar_epi8(tag, table), tag, 0xca));
    }
  }
#endif
  for (; i < n; ++i) to[i] = (tags[i] & ~class_mask) | numbers[tags[i] & class_mask];
}

// A pass for each of few classes; a look-up per row where there are many.
void class_sums(const std::uint16_t* ranks, const std::uint32_t* tags, std::size_t n_rows, std::uint32_t cut,
                std::span<std::uint32_t> sums) {
  constexpr std::size_t few = 8;
  constexpr std::uint32_t class_mask = (1U << kClassBits) - 1;
  if (sums.size() > few) {
    // Sums in turns, so that none waits for the one before.
    constexpr std::size_t turns = 4, most = std::size_t{1} << kClassBits;
    std::uint32_t parts[turns * most];
    for (std::size_t k = 0; k < turns; ++k) std::memset(parts + k * most, 0, sums.size() * sizeof(parts[0]));
    for (std::size_t i = 0; i < n_rows; ++i)
      parts[i % turns * most + (tags[i] & class_mask)] += ranks[i] <= cut ? tags[i] >> kClassBits : 0U;
    for (std::size_t c = 0; c < sums.size(); ++c) {
      sums[c] = 0;
      for (std::size_t k = 0; k < turns; ++k) sums[c] += parts[k * most + c];
    }
    return;
  }
  const hn::ScalableTag<std::uint32_t> d;
  const hn::Rebind<std::uint16_t, decltype(d)> narrow;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  const auto last = hn::Set(di, static_cast<std::int32_t>(cut));
  for (std::size_t c = 0; c < sums.size(); ++c) {
    const auto own = hn::Set(d, static_cast<std::uint32_t>(c));
    auto sum = hn::Zero(d);
    for (std::size_t i = 0; i < n_rows; i += lanes) {
      const auto tag = hn::LoadU(d, tags + i);
      const auto rank = hn::BitCast(di, hn::PromoteTo(d, hn::LoadU(narrow, ranks + i)));
      const auto right = hn::RebindMask(d, hn::Gt(rank, last));
      const auto here = hn::And(hn::Eq(hn::And(tag, hn::Set(d, class_mask)), own), hn::FirstN(d, n_rows - i));
      sum = hn::Add(sum, hn::IfThenElseZero(hn::AndNot(right, here), hn::ShiftRight<kClassBits>(tag)));
    }
    sums[c] = hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

void left_counts(const std::uint16_t* ranks, std::uint32_t cut, std::span<const std::uint32_t> ends,
                 std::uint32_t* counts) {
  const hn::ScalableTag<std::uint16_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto last = hn::Set(d, static_cast<std::uint16_t>(cut));
  std::size_t i = 0;
  for (std::size_t c = 0; c < ends.size(); ++c) {
    std::size_t right = 0;
    const std::size_t n = ends[c] - i;
    for (; i + lanes <= ends[c]; i += lanes) right += hn::CountTrue(d, hn::Gt(hn::LoadU(d, ranks + i), last));
    const auto inside = hn::FirstN(d, ends[c] - i);
    right += hn::CountTrue(d, hn::And(hn::Gt(hn::LoadU(d, ranks + i), last), inside));
    counts[c] = static_cast<std::uint32_t>(n - right);
    i = ends[c];
  }
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {
HWY_EXPORT(gather_narrow);
HWY_EXPORT(gather_wide);
HWY_EXPORT(gather_by_row);
HWY_EXPORT(near_floats);
HWY_EXPORT(near_doubles);
HWY_EXPORT(number);
HWY_EXPORT(divide_by_rank);
HWY_EXPORT(count);
HWY_EXPORT(count_others);
HWY_EXPORT(float_class_scores);
HWY_EXPORT(double_class_scores);
HWY_EXPORT(renumber);
HWY_EXPORT(class_sums);
HWY_EXPORT(left_counts);

RankRange gather_column(const std::uint8_t* column, std::span<const RowId> rows, std::uint16_t* ranks) {
  return HWY_DYNAMIC_DISPATCH(gather_narrow)(column, rows, ranks);
}

RankRange gather_column(const std::uint16_t* column, std::span<const RowId> rows, std::uint16_t* ranks) {
  return HWY_DYNAMIC_DISPATCH(gather_wide)(column, rows, ranks);
}

RankRange gather_near(const std::uint16_t* by_row, std::size_t stride, std::span<const RowId> rows,
                      std::uint16_t* ranks) {
  return HWY_DYNAMIC_DISPATCH(gather_by_row)(by_row, stride, rows, ranks);
}

std::size_t find_near(const float* scores, std::size_t begin, std::size_t end, float floor,
                      std::uint32_t* positions) {
  return HWY_DYNAMIC_DISPATCH(near_floats)(scores, begin, end, floor, positions);
}

std::size_t find_near(const double* scores, std::size_t begin, std::size_t end, double floor,
                      std::uint32_t* positions) {
  return HWY_DYNAMIC_DISPATCH(near_doubles)(scores, begin, end, floor, positions);
}

std::uint32_t number_present(std::span<std::uint16_t> ranks, RankRange range, const PresentRanks& present) {
  return HWY_DYNAMIC_DISPATCH(number)(ranks, range, present);
}

std::size_t divide_rows(std::span<RowId> rows, const std::uint16_t* ranks, std::uint32_t cut,
                        RowId* scratch) {
  return HWY_DYNAMIC_DISPATCH(divide_by_rank)(rows, ranks, cut, scratch);
}

void count_classes(const ClassColumn& column) {
  HWY_DYNAMIC_DISPATCH(count)(column);
}

void count_classes(const ClassColumn& column, std::uint32_t common, const float* totals) {
  HWY_DYNAMIC_DISPATCH(count_others)(column, common, totals);
}

float score_classes(const ClassColumn& column, const ClassCounters& from, const float* totals,
                    std::size_t begin, std::size_t end, float* scores) {
  return HWY_DYNAMIC_DISPATCH(float_class_scores)(column, from, totals, begin, end, scores);
}

double score_classes(const ClassColumn& column, const ClassCounters& from, const double* totals,
                     std::size_t begin, std::size_t end, double* scores) {
  return HWY_DYNAMIC_DISPATCH(double_class_scores)(column, from, totals, begin, end, scores);
}

void number_classes(std::span<const std::uint32_t> tags, const std::uint8_t* numbers, std::size_t n_classes,
                    std::uint32_t* to) {
  HWY_DYNAMIC_DISPATCH(renumber)(tags.data(), tags.size(), numbers, n_classes, to);
}

void sum_classes(const std::uint16_t* ranks, const std::uint32_t* tags, std::size_t n_rows, std::uint32_t cut,
                 std::span<std::uint32_t> sums) {
  HWY_DYNAMIC_DISPATCH(class_sums)(ranks, tags, n_rows, cut, sums);
}

void count_left(const std::uint16_t* ranks, std::uint32_t cut, std::span<const std::uint32_t> ends,
                std::uint32_t* counts) {
  HWY_DYNAMIC_DISPATCH(left_counts)(ranks, cut, ends, counts);
}

}  // namespace bough
#endif
