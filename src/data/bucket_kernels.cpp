// SPDX-License-Identifier: Apache-2.0
// Vector kernels of coding, compiled once per instruction set.
//
// Bucket search: the 255 cuts stand in 16 blocks of 16. Comparing a value with the last cut of every block at
// once and counting the hits gives its block; comparing it with the 16 cuts of that block gives the rest. Two
// loads, no branches, no gathers, the same steps for any distribution. Where one block has all the cuts, many values are
// compared with each cut at once instead.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "data/bucket_kernels.cpp"
#include "data/bucket_kernels.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE std::size_t count_below(const T* cuts, T x) {
  const hn::CappedTag<T, 16> d;
  const auto value = hn::Set(d, x);
  std::size_t count = 0;
  for (std::size_t i = 0; i < 16; i += hn::Lanes(d))
    count += hn::CountTrue(d, hn::Lt(hn::Load(d, cuts + i), value));
  return count;
}

template <class T>
HWY_INLINE bool is_cut(const T* cuts, T x) {
  const hn::CappedTag<T, 16> d;
  const auto value = hn::Set(d, x);
  std::size_t count = 0;
  for (std::size_t i = 0; i < 16; i += hn::Lanes(d))
    count += hn::CountTrue(d, hn::Eq(hn::Load(d, cuts + i), value));
  return count > 0;
}

// Values side by side, one cut after the other.
template <class T>
CellsSeen find_few(const CutTable<T>& table, const T* x, std::size_t n, std::uint8_t* out) {
  const hn::ScalableTag<T> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const std::size_t lanes = hn::Lanes(d), n_cuts = table.missing - std::size_t{1};
  const auto missing = hn::Set(du, static_cast<hwy::MakeUnsigned<T>>(table.missing));
  const auto no = hn::Ne(hn::Zero(d), hn::Zero(d));
  auto any_missing = no, any_between = no;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto value = hn::LoadU(d, x + i);
    auto count = hn::Zero(du);
    auto cut = no;
    for (std::size_t c = 0; c < n_cuts; ++c) {
      const auto at = hn::Set(d, table.cuts[c]);
      count = hn::Sub(count, hn::VecFromMask(du, hn::RebindMask(du, hn::Lt(at, value))));
      cut = hn::Or(cut, hn::Eq(at, value));
    }
    const auto none = hn::IsNaN(value);
    any_missing = hn::Or(any_missing, none);
    any_between = hn::Or(any_between, hn::Not(hn::Or(cut, none)));
    const auto code = hn::IfThenElse(hn::RebindMask(du, none), missing, count);
    if constexpr (sizeof(T) ==
                  sizeof(
                      float)) {  // Highway 1.0.3 truncates 32 bits wrongly under AVX3_DL; demoting is right
      hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(hn::RebindToSigned<decltype(d)>(), code)), bytes, out + i);
    } else {
      hn::StoreU(hn::TruncateTo(bytes, code), bytes, out + i);
    }
  }
  CellsSeen seen{!hn::AllFalse(d, any_missing), !hn::AllFalse(d, any_between)};
  for (; i < n; ++i) {
    const bool none = x[i] != x[i];
    out[i] = none ? table.missing : static_cast<std::uint8_t>(count_below(table.cuts.data(), x[i]));
    seen.missing |= none;
    seen.between |= !none && !is_cut(table.cuts.data(), x[i]);
  }
  return seen;
}

template <bool kDense, class T>
CellsSeen find_many(const CutTable<T>& table, const T* x, std::size_t n, std::uint8_t* out) {
  CellsSeen seen;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t block = count_below(table.blocks.data(), x[i]);
    const T* cuts = table.cuts.data() + block * 16;
    const bool none = x[i] != x[i];
    out[i] = none ? table.missing : static_cast<std::uint8_t>(block * 16 + count_below(cuts, x[i]));
    seen.missing |= none;
    if constexpr (kDense) seen.between |= !none && !is_cut(cuts, x[i]);
  }
  return seen;
}

template <class T>
CellsSeen find(const CutTable<T>& table, bool dense, const T* x, std::size_t n, std::uint8_t* out) {
  if (table.few) return find_few(table, x, n, out);
  return dense ? find_many<true>(table, x, n, out) : find_many<false>(table, x, n, out);
}

CellsSeen find_f32(const CutTable<float>& table, bool dense, const float* x, std::size_t n,
                   std::uint8_t* out) {
  return find(table, dense, x, n, out);
}

CellsSeen find_f64(const CutTable<double>& table, bool dense, const double* x, std::size_t n,
                   std::uint8_t* out) {
  return find(table, dense, x, n, out);
}

#if HWY_TARGET == HWY_SCALAR
void transpose(const std::uint8_t* from, std::size_t from_stride, std::uint8_t* to, std::size_t to_stride,
               std::size_t n_rows) {
  for (std::size_t r = 0; r < n_rows; ++r)
    for (std::size_t c = 0; c < 16; ++c) to[r * to_stride + c] = from[c * from_stride + r];
}

void transpose4(const char* from, std::ptrdiff_t from_stride, float* to, std::size_t to_stride,
                std::size_t n_rows) {
  for (std::size_t r = 0; r < n_rows; ++r, from += from_stride)
    for (std::size_t c = 0; c < 4; ++c)
      to[c * to_stride + r] = reinterpret_cast<const float*>(from)[c] + 0.0F;
}
#else
void transpose4(const char* from, std::ptrdiff_t from_stride, float* to, std::size_t to_stride,
                std::size_t n_rows) {
  const hn::Full128<float> d;
  const auto zero = hn::Zero(d);
  for (std::size_t r = 0; r < n_rows; r += 4, from += 4 * from_stride) {
    const auto row = [&](std::ptrdiff_t i) {
      return hn::Add(hn::LoadU(d, reinterpret_cast<const float*>(from + i * from_stride)), zero);
    };
    const auto a = row(0), b = row(1), c = row(2), e = row(3);
    const auto ac = hn::InterleaveLower(d, a, c), be = hn::InterleaveLower(d, b, e);
    const auto ac2 = hn::InterleaveUpper(d, a, c), be2 = hn::InterleaveUpper(d, b, e);
    hn::StoreU(hn::InterleaveLower(d, ac, be), d, to + r);
    hn::StoreU(hn::InterleaveUpper(d, ac, be), d, to + to_stride + r);
    hn::StoreU(hn::InterleaveLower(d, ac2, be2), d, to + 2 * to_stride + r);
    hn::StoreU(hn::InterleaveUpper(d, ac2, be2), d, to + 3 * to_stride + r);
  }
}

// Four rounds of interleaving rows i and i + 8 turn a 16 x 16 block over.
void transpose(const std::uint8_t* from, std::size_t from_stride, std::uint8_t* to, std::size_t to_stride,
               std::size_t n_rows) {
  const hn::Full128<std::uint8_t> d;
  using V = hn::Vec<decltype(d)>;
  for (std::size_t r = 0; r < n_rows; r += 16) {
    V a[16], b[16];
    for (std::size_t c = 0; c < 16; ++c) a[c] = hn::LoadU(d, from + c * from_stride + r);
    for (int round = 0; round < 4; ++round) {
      for (std::size_t i = 0; i < 8; ++i) {
        b[2 * i] = hn::InterleaveLower(d, a[i], a[i + 8]);
        b[2 * i + 1] = hn::InterleaveUpper(d, a[i], a[i + 8]);
      }
      for (std::size_t i = 0; i < 16; ++i) a[i] = b[i];
    }
    for (std::size_t i = 0; i < 16; ++i) hn::StoreU(a[i], d, to + (r + i) * to_stride);
  }
}
#endif

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {

HWY_EXPORT(find_f32);
HWY_EXPORT(find_f64);
HWY_EXPORT(transpose);
HWY_EXPORT(transpose4);

CellsSeen find_buckets(const CutTable<float>& table, bool dense, const float* x, std::size_t n,
                       std::uint8_t* out) {
  return HWY_DYNAMIC_DISPATCH(find_f32)(table, dense, x, n, out);
}

CellsSeen find_buckets(const CutTable<double>& table, bool dense, const double* x, std::size_t n,
                       std::uint8_t* out) {
  return HWY_DYNAMIC_DISPATCH(find_f64)(table, dense, x, n, out);
}

void transpose_bytes(const std::uint8_t* from, std::size_t from_stride, std::uint8_t* to,
                     std::size_t to_stride, std::size_t n_rows) {
  HWY_DYNAMIC_DISPATCH(transpose)(from, from_stride, to, to_stride, n_rows);
}

void transpose_floats(const char* from, std::ptrdiff_t from_stride, float* to, std::size_t to_stride,
                      std::size_t n_rows) {
  HWY_DYNAMIC_DISPATCH(transpose4)(from, from_stride, to, to_stride, n_rows);
}

}  // namespace bough
#endif
