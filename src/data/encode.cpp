// SPDX-License-Identifier: Apache-2.0
// From columns of cells to columns of codes.
#include <fmt/format.h>
#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "data/cells.hpp"
#include "data/encoded.hpp"
#include "data/number_source.hpp"

namespace bough {
namespace {

// Unsigned integers in the order of the numbers (never NaN or -0.0).
std::uint32_t order_bits(float x) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return bits ^ (bits >> 31 != 0 ? 0xffffffffU : 0x80000000U);
}
std::uint64_t order_bits(double x) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return bits ^ (bits >> 63 != 0 ? ~std::uint64_t{0} : std::uint64_t{1} << 63);
}

// Calls visit(row) for all rows that are not missing, by increasing number.
template <class Visit>
void visit_sorted(std::span<const float> numbers, const Visit& visit) {
  std::vector<std::uint64_t> keys;
  keys.reserve(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isnan(numbers[i])) keys.push_back(std::uint64_t{order_bits(numbers[i])} << 32 | i);
  hwy::Sorter()(keys.data(), keys.size(), hwy::SortAscending());
  for (const std::uint64_t key : keys) visit(static_cast<std::size_t>(key & 0xffffffffU));
}
template <class Visit>
void visit_sorted(std::span<const double> numbers, const Visit& visit) {
  std::vector<hwy::uint128_t> keys;
  keys.reserve(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isnan(numbers[i])) keys.push_back({i, order_bits(numbers[i])});
  hwy::Sorter()(keys.data(), keys.size(), hwy::SortAscending());
  for (const hwy::uint128_t& key : keys) visit(static_cast<std::size_t>(key.lo));
}

// Dense ranks of `numbers` (NaN: missing) and the distinct values in order.
template <class Number>
void rank_numbers(std::span<const Number> numbers, EncodedColumn& out) {
  out.values.clear();
  out.codes.assign(numbers.size(), kMissingCode);
  std::size_t n_known = 0;
  visit_sorted(numbers, [&](std::size_t row) {
    const auto value = static_cast<double>(numbers[row]);
    if (out.values.empty() || out.values.back() != value) out.values.push_back(value);
    out.codes[row] = static_cast<std::uint32_t>(out.values.size() - 1);
    ++n_known;
  });
  out.has_missing = n_known < numbers.size();
  out.values.shrink_to_fit();
  out.n_codes = static_cast<std::uint32_t>(out.values.size());
}

bool loses_integers(const Table::Column& column) {
  const auto* dense = std::get_if<ColumnView>(&column);
  if (dense == nullptr || dense->dictionary || (dense->dtype != Dtype::i64 && dense->dtype != Dtype::u64)) return false;
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  for (const Chunk& chunk : dense->chunks) {
    const char* at = static_cast<const char*>(chunk.data);
    for (std::int64_t i = 0; i < chunk.length; ++i, at += chunk.stride) {
      const auto value = *reinterpret_cast<const std::int64_t*>(at);
      if (value > exact || value < -exact) return true;
    }
  }
  return false;
}

EncodedColumn encode_sparse(const SparseView& view, std::size_t j, Fingerprint& fingerprint) {
  EncodedColumn out;
  out.sparse = true;
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < view.count; ++i) {
    const double x = view.dtype == Dtype::f32 ? static_cast<double>(static_cast<const float*>(view.values)[i])
                                              : static_cast<const double*>(view.values)[i];
    if (x == 0.0) continue;
    numbers.push_back(x);
    out.stored.push_back(static_cast<RowId>(view.wide_rows ? static_cast<const std::int64_t*>(view.rows)[i]
                                                           : static_cast<const std::int32_t*>(view.rows)[i]));
  }
  fingerprint.whole(j, hash_values(std::span<const double>(numbers), hash_values(std::span<const RowId>(out.stored), 0)));
  numbers.push_back(0.0);  // so that 0 has a code of its own
  rank_numbers(std::span<const double>(numbers), out);
  out.zero_code = out.codes.back();
  out.codes.pop_back();
  return out;
}

EncodedColumn encode_numeric(const Table::Column& column, std::size_t j, std::int64_t n_rows, Fingerprint& fingerprint) {
  if (const auto* sparse = std::get_if<SparseView>(&column)) return encode_sparse(*sparse, j, fingerprint);
  EncodedColumn out;
  const NumberSource source(column, n_rows);
  const auto rank = [&](auto numbers) {
    using Number = typename decltype(numbers)::value_type;
    source.load(0, std::span(numbers));
    fingerprint.column(j, std::span<const Number>(numbers));
    rank_numbers(std::span<const Number>(numbers), out);
  };
  source.is_float() ? rank(std::vector<float>(static_cast<std::size_t>(n_rows)))
                    : rank(std::vector<double>(static_cast<std::size_t>(n_rows)));
  return out;
}

EncodedColumn encode_levels(const Table::Column& column, const Field& field, std::size_t j, std::int64_t n_rows,
                            Fingerprint& fingerprint) {
  EncodedColumn out;
  std::vector<std::int32_t> levels(static_cast<std::size_t>(n_rows));
  LevelReader(column, field.levels).read(0, levels);
  fingerprint.column(j, std::span<const std::int32_t>(levels));
  out.n_codes = static_cast<std::uint32_t>(field.levels.size());
  out.codes.resize(levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] == kUnseenLevel) refuse_unseen(column, field, static_cast<std::int64_t>(i));
    out.codes[i] = levels[i] < 0 ? kMissingCode : static_cast<std::uint32_t>(levels[i]);
    out.has_missing |= levels[i] < 0;
  }
  return out;
}

}  // namespace

void refuse_unseen(const Table::Column& column, const Field& field, std::int64_t row) {
  throw Error(ErrorCode::bad_data,
              fmt::format("column '{}', row {}: value '{}' is not among the declared levels", field.name, row + 1,
                          cell_text(column, row)),
              "add it to the order or level list of this column, or make the cell missing");
}

std::vector<std::string> integer_notes(const Table& table, const Schema& features) {
  std::vector<std::string> notes;
  for (const Field& field : features.fields)
    if (field.kind == Kind::numeric && loses_integers(table.column(table.find(field.name).value())))
      notes.push_back(fmt::format(
          "column '{}' holds whole numbers beyond 2^53; those equal as doubles count as one value", field.name));
  return notes;
}

EncodedTable encode(const Table& table, const Schema& features, Fingerprint& fingerprint, Monitor& monitor) {
  monitor.stage("encode");
  monitor.total(static_cast<std::int64_t>(features.fields.size()));
  EncodedTable out;
  out.n_rows = table.n_rows();
  out.columns.resize(features.fields.size());
  parallel_for(features.fields.size(), [&](std::size_t j) {
    monitor.tick();
    const Field& field = features.fields[j];
    const Table::Column& column = table.column(table.find(field.name).value());
    out.columns[j] = field.kind == Kind::numeric ? encode_numeric(column, j, out.n_rows, fingerprint)
                                                 : encode_levels(column, field, j, out.n_rows, fingerprint);
    out.columns[j].kind = field.kind;
    monitor.advance(1);
  });
  return out;
}

}  // namespace bough
