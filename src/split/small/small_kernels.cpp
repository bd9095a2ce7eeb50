// SPDX-License-Identifier: Apache-2.0
// Vector kernels of the presorted engine, compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/small/small_kernels.cpp"
#include "split/small/small_kernels.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::uint32_t kMarkBit = 0x8000U, kIds = 0x0fffU;

template <class D, class M>
std::uint32_t mask_bits(D d, M mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint32_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

float two_class_top(const Strip& strip, const StripNode& node, float c, const float* inverse) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  const auto none = hn::Set(d, -1.0F), weight = hn::Set(d, static_cast<float>(node.n)),
             second = hn::Set(d, c);
  const auto low = hn::Set(d, static_cast<float>(node.low)), step = hn::Set(d, static_cast<float>(lanes));
  const float last = static_cast<float>(std::min(node.high, strip.rows_before + strip.positions));
  const auto high = hn::Set(d, last);
  // Lane i counts the marks of lanes 0 .. i.
  const auto upto = hn::Sub(hn::Shl(hn::Set(du, 2U), hn::Iota(du, 0U)), hn::Set(du, 1U));
  const auto mark = hn::Set(du, kMarkBit);
  auto k = hn::Iota(d, static_cast<float>(strip.rows_before + 1));
  auto best = none;
  auto before = static_cast<std::int32_t>(strip.sum_before);
  for (std::size_t i = 0; i < strip.positions; i += lanes) {
    const auto entries = hn::LoadU(du, strip.entries + i);
    const std::uint32_t marks = mask_bits(du, hn::TestBit(entries, mark));
    const auto counted = hn::PopulationCount(hn::And(hn::Set(du, marks), upto));
    const auto l = hn::ConvertTo(d, hn::Add(hn::BitCast(di, counted), hn::Set(di, before)));
    before += std::popcount(marks);
    const auto difference = hn::Sub(hn::Mul(weight, l), hn::Mul(second, k));
    const auto score =
        hn::Mul(hn::Mul(difference, difference), hn::LoadU(d, inverse + strip.rows_before + 1 + i));
    const auto change = hn::ShiftRight<16>(hn::Xor(entries, hn::LoadU(du, strip.entries + i + 1)));
    const auto cut = hn::RebindMask(d, hn::Ne(change, hn::Zero(du)));
    const auto inside = hn::And(hn::Ge(k, low), hn::Le(k, high));
    best = hn::Max(best, hn::IfThenElse(hn::And(cut, inside), score, none));
    k = hn::Add(k, step);
  }
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

std::size_t two_class(std::span<const Strip> strips, const StripNode& node, float c, const float* inverse,
                      float enough, float* tops) {
  for (std::size_t s = 0; s < strips.size(); ++s) {
    tops[s] = two_class_top(strips[s], node, c, inverse);
    if (tops[s] >= enough) return s + 1;
  }
  return strips.size();
}

double moment_top(const Strip& strip, const StripNode& node, const MomentNode& moments) {
  const hn::ScalableTag<double> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint32_t, decltype(d)> narrow;
  const std::size_t lanes = hn::Lanes(d);
  std::int64_t sum = strip.sum_before;
  for (std::size_t i = 0; i < strip.positions; ++i) {
    sum += moments.targets[strip.entries[i] & kIds] - moments.centre;
    moments.sums[i] = sum;
  }
  const auto none = hn::Set(d, -1.0), mean = hn::Set(d, moments.mean), low = hn::Set(d, node.low);
  const auto high = hn::Set(d, std::min(node.high, strip.rows_before + strip.positions));
  const auto step = hn::Set(d, static_cast<double>(lanes));
  auto k = hn::Iota(d, static_cast<double>(strip.rows_before + 1));
  auto best = none;
  for (std::size_t i = 0; i < strip.positions; i += lanes) {
    const auto s = hn::ConvertTo(d, hn::LoadU(di, moments.sums + i));
    const auto difference = hn::Sub(s, hn::Mul(mean, k));
    const auto score =
        hn::Mul(hn::Mul(difference, difference), hn::LoadU(d, moments.inverse + strip.rows_before + 1 + i));
    const auto change = hn::ShiftRight<16>(
        hn::Xor(hn::LoadU(narrow, strip.entries + i), hn::LoadU(narrow, strip.entries + i + 1)));
    const auto cut = hn::RebindMask(d, hn::Ne(hn::PromoteTo(du, change), hn::Zero(du)));
    const auto inside = hn::And(hn::Ge(k, low), hn::Le(k, high));
    best = hn::Max(best, hn::IfThenElse(hn::And(cut, inside), score, none));
    k = hn::Add(k, step);
  }
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

void moments(std::span<const Strip> strips, const StripNode& node, const MomentNode& moments, double* tops) {
  for (std::size_t s = 0; s < strips.size(); ++s) tops[s] = moment_top(strips[s], node, moments);
}

// Counts one list after the other. With l and t the rows of a class on the left and in all, own is the sum of l^2 and cross that
// of l t, so the right side's squares are those of the totals - 2 cross + own.
template <bool kWeighted>
struct ClassCounts {
  const ClassNode* node;
  std::uint32_t* left;
  std::int32_t* own_at;
  std::int32_t* cross_at;
  std::int32_t* weight_at;
  std::int32_t own = 0, cross = 0, weight = 0;

  HWY_INLINE std::uint32_t class_of(std::uint32_t entry) const {
    return node->classes == nullptr ? entry >> 12 & 15U : node->classes[entry & kIds];
  }
  HWY_INLINE void add(std::uint32_t entry) {
    const std::uint32_t c = class_of(entry);
    if constexpr (kWeighted) {
      const std::uint32_t w = node->weights[entry & kIds], l = left[c];
      own += static_cast<std::int32_t>(w * (2 * l + w));
      cross += static_cast<std::int32_t>(w * node->totals[c]);
      weight += static_cast<std::int32_t>(w);
      left[c] = l + w;
    } else {
      own += static_cast<std::int32_t>(2 * left[c]++ + 1);
      cross += static_cast<std::int32_t>(node->totals[c]);
    }
  }
  // Missing rows that go left are the entries behind the known ones.
  void begin(const Strip& strip) {
    std::fill_n(left, node->n_classes, 0U);
    own = cross = weight = 0;
    for (std::uint32_t i = 0; i < strip.rows_before; ++i) add(strip.entries[strip.positions + 1 + i]);
  }
  HWY_INLINE void put(std::uint32_t entry, std::size_t i) {
    add(entry);
    own_at[i] = own;
    cross_at[i] = cross;
    if constexpr (kWeighted) weight_at[i] = weight;
  }
};

// Calls use(i, scores, none) with the scores of the lanes from position i on, -1 where there is no cut.
template <bool kWeighted, class Use>
HWY_INLINE void class_scores(const Strip& strip, const StripNode& node, const ClassNode& classes,
                             const ClassCounts<kWeighted>& counts, const Use& use) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  const auto none = hn::Set(d, -1.0F), low = hn::Set(d, static_cast<float>(node.low));
  const auto high = hn::Set(d, static_cast<float>(std::min(node.high, strip.rows_before + strip.positions)));
  const auto step = hn::Set(d, static_cast<float>(lanes));
  const auto squares = hn::Set(di, classes.squares), total = hn::Set(di, classes.total);
  auto k = hn::Iota(d, static_cast<float>(strip.rows_before + 1));
  for (std::size_t i = 0; i < strip.positions; i += lanes) {
    const std::size_t at = strip.rows_before + 1 + i;
    const auto own = hn::LoadU(di, counts.own_at + i), cross = hn::LoadU(di, counts.cross_at + i);
    const auto others = hn::Add(hn::Sub(squares, hn::Add(cross, cross)), own);
    auto score = none;
    if constexpr (kWeighted) {
      const auto left = hn::LoadU(di, counts.weight_at + i);
      score = hn::Add(hn::Div(hn::ConvertTo(d, own), hn::ConvertTo(d, left)),
                      hn::Div(hn::ConvertTo(d, others), hn::ConvertTo(d, hn::Sub(total, left))));
    } else {
      score = hn::Add(hn::Mul(hn::ConvertTo(d, own), hn::LoadU(d, classes.left_inverse + at)),
                      hn::Mul(hn::ConvertTo(d, others), hn::LoadU(d, classes.right_inverse + at)));
    }
    const auto change =
        hn::ShiftRight<16>(hn::Xor(hn::LoadU(du, strip.entries + i), hn::LoadU(du, strip.entries + i + 1)));
    const auto cut = hn::RebindMask(d, hn::Ne(change, hn::Zero(du)));
    const auto inside = hn::And(hn::Ge(k, low), hn::Le(k, high));
    use(i, hn::IfThenElse(hn::And(cut, inside), score, none));
    k = hn::Add(k, step);
  }
}

template <bool kWeighted>
float class_top(const Strip& strip, const StripNode& node, const ClassNode& classes,
                const ClassCounts<kWeighted>& counts) {
  const hn::ScalableTag<float> d;
  auto best = hn::Set(d, -1.0F);
  class_scores(strip, node, classes, counts,
               [&](std::size_t, auto scores) HWY_ATTR { best = hn::Max(best, scores); });
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

template <bool kWeighted>
ClassCounts<kWeighted> class_counts(const ClassNode& in, std::size_t which) {
  std::int32_t* const sums = in.sums + 3 * which * in.sums_stride;
  return {&in, in.counts + which * in.n_classes, sums, sums + in.sums_stride, sums + 2 * in.sums_stride};
}

// Two lists at a time: a class that follows itself has to wait for its count, and the other list fills the gap.
template <bool kWeighted>
void each_class_top(std::span<const Strip> strips, const StripNode& node, const ClassNode& in, float* tops) {
  auto a = class_counts<kWeighted>(in, 0), b = class_counts<kWeighted>(in, 1);
  for (std::size_t s = 0; s < strips.size(); s += 2) {
    const bool two_lists = s + 1 < strips.size();
    const Strip& one = strips[s];
    a.begin(one);
    std::uint32_t i = 0;
    if (two_lists) {
      const Strip& two = strips[s + 1];
      b.begin(two);
      const std::uint32_t both = std::min(one.positions, two.positions);
      for (; i < both; ++i) {
        a.put(one.entries[i], i);
        b.put(two.entries[i], i);
      }
      for (std::uint32_t j = i; j < two.positions; ++j) b.put(two.entries[j], j);
      tops[s + 1] = class_top(two, node, in, b);
    }
    for (; i < one.positions; ++i) a.put(one.entries[i], i);
    tops[s] = class_top(one, node, in, a);
  }
}

void classes(std::span<const Strip> strips, const StripNode& node, const ClassNode& in, float* tops) {
  in.weights == nullptr ? each_class_top<false>(strips, node, in, tops)
                        : each_class_top<true>(strips, node, in, tops);
}

template <bool kWeighted>
std::size_t positions_above(const Strip& strip, const StripNode& node, const ClassNode& in, float floor,
                            std::uint32_t* out) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  auto counts = class_counts<kWeighted>(in, 0);
  counts.begin(strip);
  for (std::uint32_t i = 0; i < strip.positions; ++i) counts.put(strip.entries[i], i);
  std::size_t n = 0;
  const auto least = hn::Set(d, floor);
  class_scores(strip, node, in, counts, [&](std::size_t i, auto scores) HWY_ATTR {
    const auto near = hn::RebindMask(du, hn::Ge(scores, least));
    if (hn::AllFalse(du, near)) return;
    hn::StoreU(compress(du, hn::Iota(du, static_cast<std::uint32_t>(i)), near), du, out + n);
    n += hn::CountTrue(du, near);
  });
  return n;
}

std::size_t near_positions(const Strip& strip, const StripNode& node, const ClassNode& in, float floor,
                           std::uint32_t* out) {
  return in.weights == nullptr ? positions_above<false>(strip, node, in, floor, out)
                               : positions_above<true>(strip, node, in, floor, out);
}

// Entries from i on, one by one, behind the `left` and `right` ones so far.
inline void divide_rest(std::uint32_t* entries, std::size_t i, std::size_t n, const std::uint8_t* side,
                        std::uint32_t* others, std::size_t& left, std::size_t& right) {
  for (; i < n; ++i) {
    const std::uint32_t entry = entries[i];
    const std::size_t s = side[entry & kIds];
    entries[left] = entry;
    others[right] = entry;
    left += s;
    right += 1 - s;
  }
}

void divide_few(std::uint32_t* entries, std::size_t n, const std::uint8_t* side, std::uint32_t* others) {
  std::size_t left = 0, right = 0;
  divide_rest(entries, 0, n, side, others, left, right);
  for (std::size_t i = 0; i < right; ++i) entries[left + i] = others[i];
}

// Whole vectors are written: on the left never past what has been read, on the right into scratch.
void divide_many(std::uint32_t* entries, std::size_t n, const std::uint8_t* side, std::uint32_t* others) {
  const hn::ScalableTag<std::uint32_t> du;
  const hn::RebindToSigned<decltype(du)> di;
  const std::size_t lanes = hn::Lanes(du);
  const auto ids = hn::Set(du, kIds), one = hn::Set(du, 1U);
  const auto* sides = reinterpret_cast<const std::uint32_t*>(side);
  std::size_t left = 0, right = 0, i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto entry = hn::LoadU(du, entries + i);
    const auto looked = hn::GatherOffset(du, sides, hn::BitCast(di, hn::And(entry, ids)));
    const auto goes = hn::TestBit(looked, one);
    const std::size_t n_left = hn::CountTrue(du, goes);
    hn::StoreU(compress(du, entry, goes), du, entries + left);
    hn::StoreU(compress(du, entry, hn::Not(goes)), du, others + right);
    left += n_left;
    right += lanes - n_left;
  }
  divide_rest(entries, i, n, side, others, left, right);
  std::memcpy(entries + left, others, right * sizeof *others);
}

void divide(std::span<std::uint32_t* const> lists, std::size_t begin, std::size_t n, const std::uint8_t* side,
            std::uint32_t* scratch) {
  constexpr std::size_t few = 24;
  for (std::uint32_t* const list : lists)
    n < few ? divide_few(list + begin, n, side, scratch) : divide_many(list + begin, n, side, scratch);
}

// Writes one(id) for n ids; whether they differ in rank. `many` is the same for a vector of ids.
template <class One, class Many>
HWY_INLINE bool gather_with(const std::uint32_t* ids, std::size_t n, std::uint32_t* out, const One& one,
                            [[maybe_unused]] const Many& many) {
  std::uint32_t seen = 0;
  const std::uint32_t first = one(ids[0]);
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint32_t> du;
  const std::size_t lanes = hn::Lanes(du);
  auto differences = hn::Zero(du);
  const auto start = hn::Set(du, first);
  for (; i + lanes <= n; i += lanes) {
    const auto entries = many(hn::LoadU(du, ids + i));
    hn::StoreU(entries, du, out + i);
    differences = hn::Or(differences, hn::Xor(entries, start));
  }
  alignas(64) std::uint32_t parts[HWY_MAX_BYTES / sizeof(std::uint32_t)];
  hn::Store(differences, du, parts);
  for (std::size_t lane = 0; lane < lanes; ++lane) seen |= parts[lane];
#endif
  for (; i < n; ++i) {
    out[i] = one(ids[i]);
    seen |= out[i] ^ first;
  }
  return seen >> 16 != 0;
}

bool gather(const std::uint32_t* by_id, const std::uint32_t* ids, std::size_t n, std::uint32_t* out) {
  const hn::ScalableTag<std::uint32_t> du;
  const hn::RebindToSigned<decltype(du)> di;
  const auto low = hn::Set(du, kIds);
  return gather_with(
      ids, n, out, [&](std::uint32_t id) { return by_id[id & kIds]; },
      [&](auto some) HWY_ATTR { return hn::GatherIndex(du, by_id, hn::BitCast(di, hn::And(some, low))); });
}

bool ranks_of(const std::uint16_t* ranks, std::size_t stride, const std::uint32_t* ids, std::size_t n,
              std::uint32_t* out) {
  const hn::ScalableTag<std::uint32_t> du;
  const hn::RebindToSigned<decltype(du)> di;
  const auto low = hn::Set(du, kIds), step = hn::Set(du, static_cast<std::uint32_t>(2 * stride));
  const auto* words = reinterpret_cast<const std::uint32_t*>(ranks);
  return gather_with(
      ids, n, out, [&](std::uint32_t id) { return std::uint32_t{ranks[(id & kIds) * stride]} << 16 | id; },
      [&](auto some) HWY_ATTR {
        const auto looked = hn::GatherOffset(du, words, hn::BitCast(di, hn::Mul(hn::And(some, low), step)));
        return hn::Or(hn::ShiftLeft<16>(looked), some);
      });
}

std::uint32_t two_values(std::uint32_t* entries, std::size_t n, std::uint32_t* others) {
  std::size_t low = 0, high = 0, i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint32_t> du;
  const std::size_t lanes = hn::Lanes(du);
  const auto bit = hn::Set(du, 0x10000U);
  for (; i + lanes <= n; i += lanes) {
    const auto entry = hn::LoadU(du, entries + i);
    const auto is_high = hn::TestBit(entry, bit);
    const std::size_t n_high = hn::CountTrue(du, is_high);
    hn::StoreU(compress(du, entry, hn::Not(is_high)), du, entries + low);
    hn::StoreU(compress(du, entry, is_high), du, others + high);
    low += lanes - n_high;
    high += n_high;
  }
#endif
  for (; i < n; ++i) {
    const std::uint32_t entry = entries[i];
    const std::size_t is_high = entry >> 16 & 1U;
    entries[low] = entry;
    others[high] = entry;
    low += 1 - is_high;
    high += is_high;
  }
  std::memcpy(entries + low, others, high * sizeof *others);
  return static_cast<std::uint32_t>(low);
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {

HWY_EXPORT(two_class);
HWY_EXPORT(moments);
HWY_EXPORT(classes);
HWY_EXPORT(near_positions);
HWY_EXPORT(divide);
HWY_EXPORT(gather);
HWY_EXPORT(ranks_of);
HWY_EXPORT(two_values);

std::size_t two_class_tops(std::span<const Strip> strips, const StripNode& node, float c,
                           const float* inverse, float enough, float* tops) {
  return HWY_DYNAMIC_DISPATCH(two_class)(strips, node, c, inverse, enough, tops);
}

void moment_tops(std::span<const Strip> strips, const StripNode& node, const MomentNode& in, double* tops) {
  HWY_DYNAMIC_DISPATCH(moments)(strips, node, in, tops);
}

void class_tops(std::span<const Strip> strips, const StripNode& node, const ClassNode& in, float* tops) {
  HWY_DYNAMIC_DISPATCH(classes)(strips, node, in, tops);
}

std::size_t class_positions(const Strip& strip, const StripNode& node, const ClassNode& in, float floor,
                            std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(near_positions)(strip, node, in, floor, out);
}

void divide_lists(std::span<std::uint32_t* const> lists, std::size_t begin, std::size_t n,
                  const std::uint8_t* side, std::uint32_t* scratch) {
  HWY_DYNAMIC_DISPATCH(divide)(lists, begin, n, side, scratch);
}

bool gather_entries(const std::uint32_t* by_id, const std::uint32_t* ids, std::size_t n, std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(gather)(by_id, ids, n, out);
}

bool gather_ranks(const std::uint16_t* ranks, std::size_t stride, const std::uint32_t* ids, std::size_t n,
                  std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(ranks_of)(ranks, stride, ids, n, out);
}

std::uint32_t divide_two_values(std::uint32_t* entries, std::size_t n, std::uint32_t* scratch) {
  return HWY_DYNAMIC_DISPATCH(two_values)(entries, n, scratch);
}

}  // namespace bough
#endif
