// SPDX-License-Identifier: Apache-2.0
// What cells add to the number of their row, compiled once per instruction set.
//
// The bits of a cell meet the key of its column, and the two halves are multiplied: one vector multiplication
// per cell (the bits are added, should a half be 0). The sum over the columns of a row is mixed once per row.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "data/fingerprint.cpp"
#include "data/fingerprint.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using U64 = hn::ScalableTag<std::uint64_t>;
using F64 = hn::ScalableTag<double>;

template <class V>
HWY_INLINE void add_bits(V bits, V key, std::uint64_t* row) {
  const U64 d;
  const V met = hn::Xor(bits, key);
#if HWY_TARGET == HWY_SCALAR
  const V product = hn::Set(d, (hn::GetLane(met) & 0xffffffffULL) * (hn::GetLane(met) >> 32));
#else
  const hn::Repartition<std::uint32_t, U64> halves;
  const V product = hn::MulEven(hn::BitCast(halves, met), hn::BitCast(halves, hn::ShiftRight<32>(met)));
#endif
  hn::StoreU(hn::Add(hn::LoadU(d, row), hn::Add(product, bits)), d, row);
}

template <class V>
HWY_INLINE auto bits_of(V value) {
  const F64 d;
  const U64 du;
  const auto nan = hn::BitCast(d, hn::Set(du, 0x7ff8000000000000ULL));
  return hn::BitCast(du, hn::IfThenElse(hn::IsNaN(value), nan, value));
}

// `load(i)`: the bits of a vector of cells from i on.
template <class Load>
HWY_INLINE void add_all(std::uint64_t key, std::size_t n, std::uint64_t* rows, const Load& load) {
  const U64 d;
  const auto keys = hn::Set(d, key);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) add_bits(load(i), keys, rows + i);
}

void mark_f64(std::uint64_t key, const double* cells, std::size_t n, std::uint64_t* rows) {
  add_all(key, n, rows, [&](std::size_t i) { return bits_of(hn::LoadU(F64(), cells + i)); });
}

void mark_f32(std::uint64_t key, const float* cells, std::size_t n, std::uint64_t* rows) {
  const hn::Rebind<float, F64> d;
  add_all(key, n, rows,
          [&](std::size_t i) { return bits_of(hn::PromoteTo(F64(), hn::LoadU(d, cells + i))); });
}

void mark_i32(std::uint64_t key, const std::int32_t* cells, std::size_t n, std::uint64_t* rows) {
  const hn::Rebind<std::uint32_t, U64> d;
  const auto* words = reinterpret_cast<const std::uint32_t*>(cells);
  add_all(key, n, rows, [&](std::size_t i) { return hn::PromoteTo(U64(), hn::LoadU(d, words + i)); });
}

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "base/hash.hpp"

namespace bough {
namespace {

HWY_EXPORT(mark_f32);
HWY_EXPORT(mark_f64);
HWY_EXPORT(mark_i32);

// As many cells as vectors of any width divide; the rest goes through room of its own.
constexpr std::size_t kTogether = 64;

template <class T, class Mark>
void mark_any(std::uint64_t column, std::span<const T> cells, std::uint64_t* rows, const Mark& mark) {
  const std::uint64_t key = mix_bits(column + 1);
  const std::size_t whole = cells.size() / kTogether * kTogether, rest = cells.size() - whole;
  mark(key, cells.data(), whole, rows);
  if (rest == 0) return;
  T some[kTogether] = {};
  std::uint64_t sums[kTogether] = {};
  for (std::size_t i = 0; i < rest; ++i) some[i] = cells[whole + i];
  mark(key, some, kTogether, sums);
  for (std::size_t i = 0; i < rest; ++i) rows[whole + i] += sums[i];
}

}  // namespace

void mark_cells(std::uint64_t column, std::span<const float> cells, std::uint64_t* rows) noexcept {
  mark_any(column, cells, rows, [](auto... all) { HWY_DYNAMIC_DISPATCH(mark_f32)(all...); });
}

void mark_cells(std::uint64_t column, std::span<const double> cells, std::uint64_t* rows) noexcept {
  mark_any(column, cells, rows, [](auto... all) { HWY_DYNAMIC_DISPATCH(mark_f64)(all...); });
}

void mark_cells(std::uint64_t column, std::span<const std::int32_t> levels, std::uint64_t* rows) noexcept {
  mark_any(column, levels, rows, [](auto... all) { HWY_DYNAMIC_DISPATCH(mark_i32)(all...); });
}

std::uint64_t Fingerprint::finish(std::uint64_t sum, const Schema& features) noexcept {
  std::uint64_t hash = mix_bits(sum);
  for (const Field& field : features.fields) {
    hash = hash_text(field.name, hash);
    for (const std::string& level : field.levels.names) hash = hash_text(level, hash);
  }
  return hash;
}

}  // namespace bough
#endif
