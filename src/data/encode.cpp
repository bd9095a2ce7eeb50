// SPDX-License-Identifier: Apache-2.0
// From columns of cells to columns of codes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/hash.hpp"
#include "base/order_key.hpp"
#include "base/parallel.hpp"
#include "base/vector_sort.hpp"
#include "data/cells.hpp"
#include "data/encoded.hpp"
#include "data/huge_integers.hpp"

namespace bough {
namespace {

// Dense ranks of `numbers` (NaN: missing) and the distinct values in order. Keys hold a number rounded to float and its place;
// numbers that round to one float are put in order by their full value.
void rank_numbers(std::span<const double> numbers, EncodedColumn& out) {
  std::vector<std::uint64_t> keys;
  keys.reserve(numbers.size());
  out.codes.assign(numbers.size(), kMissingCode);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!std::isnan(numbers[i]))
      keys.push_back(static_cast<std::uint64_t>(ordered_key(static_cast<float>(numbers[i]))) << 32 | i);
  out.has_missing = keys.size() < numbers.size();
  vector_sort(std::span(keys));
  const auto value_of = [&](std::uint64_t key) { return numbers[static_cast<std::uint32_t>(key)]; };
  settle_equal_floats(std::span(keys), value_of);
  out.values.clear();
  for (const std::uint64_t key : keys) {
    const double value = value_of(key);
    if (out.values.empty() || out.values.back() != value) out.values.push_back(value);
    out.codes[static_cast<std::uint32_t>(key)] = static_cast<std::uint32_t>(out.values.size() - 1);
  }
  out.values.shrink_to_fit();
  out.n_codes = static_cast<std::uint32_t>(out.values.size());
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
  fingerprint.whole(
      j, hash_values(std::span<const double>(numbers), hash_values(std::span<const RowId>(out.stored), 0)));
  numbers.push_back(0.0);  // so that 0 has a code of its own
  rank_numbers(numbers, out);
  out.zero_code = out.codes.back();
  out.codes.pop_back();
  return out;
}

EncodedColumn encode_numeric(const Table::Column& column, std::size_t j, std::int64_t n_rows,
                             Fingerprint& fingerprint) {
  if (const auto* sparse = std::get_if<SparseView>(&column)) return encode_sparse(*sparse, j, fingerprint);
  EncodedColumn out;
  std::vector<double> numbers(static_cast<std::size_t>(n_rows));
  read_numbers(column, 0, numbers);
  rank_numbers(numbers, out);
  return out;
}

EncodedColumn encode_levels(const Table::Column& column, const Field& field, std::int64_t n_rows) {
  EncodedColumn out;
  std::vector<std::int32_t> levels(static_cast<std::size_t>(n_rows));
  LevelReader(column, field.levels).read(0, levels);
  out.n_codes = static_cast<std::uint32_t>(field.levels.size());
  out.codes.resize(levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] == kUnseenLevel) refuse_unseen(column, field, static_cast<std::int64_t>(i));
    out.codes[i] = levels[i] < 0 ? kMissingCode : static_cast<std::uint32_t>(levels[i]);
    out.has_missing |= levels[i] < 0;
  }
  return out;
}

// Dense columns row by row, out of their codes.
void mark_rows(const EncodedTable& table, Fingerprint& fingerprint) {
  constexpr std::size_t at_once = Fingerprint::kBlockRows;
  const auto n = static_cast<std::size_t>(table.n_rows);
  parallel_ranges((n + at_once - 1) / at_once, 8, [&](std::size_t begin, std::size_t end) {
    std::vector<double> numbers(at_once);
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t first = k * at_once, count = std::min(at_once, n - first);
      Fingerprint::Rows rows(fingerprint, first, count);
      for (std::size_t j = 0; j < table.columns.size(); ++j) {
        const EncodedColumn& column = table.columns[j];
        if (column.sparse) continue;
        const std::uint32_t* codes = column.codes.data() + first;
        if (column.kind != Kind::numeric) {
          rows.column(j, std::span(reinterpret_cast<const std::int32_t*>(codes), count));
          continue;
        }
        for (std::size_t i = 0; i < count; ++i)
          numbers[i] =
              codes[i] == kMissingCode ? std::numeric_limits<double>::quiet_NaN() : column.values[codes[i]];
        rows.column(j, std::span<const double>(numbers.data(), count));
      }
      fingerprint.add(rows);
    }
  });
  // The cells of sparse columns are no part of their rows' numbers: targets are bound to them by their order.
  if (std::any_of(table.columns.begin(), table.columns.end(),
                  [](const EncodedColumn& column) { return column.sparse; }))
    fingerprint.whole(table.columns.size(), hash_values(fingerprint.marks(), 0));
}

}  // namespace

bool loses_integers(const Table::Column& column) {
  const auto* dense = std::get_if<ColumnView>(&column);
  if (dense == nullptr || dense->dictionary || (dense->dtype != Dtype::i64 && dense->dtype != Dtype::u64))
    return false;
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

std::string integer_note(const std::string& name) {
  return fmt::format(
      "column '{}' holds whole numbers beyond 2^53; those equal as doubles count as one value, unless the "
      "column is a category",
      name);
}

void refuse_unseen(const Table::Column& column, const Field& field, std::int64_t row) {
  throw Error(ErrorCode::bad_data,
              fmt::format("column '{}', row {}: value '{}' is not among the declared levels", field.name,
                          row + 1, cell_text(column, row)),
              "add it to the order or level list of this column, or make the cell missing");
}

std::vector<std::string> integer_notes(const Table& table, const Schema& features) {
  std::vector<std::string> notes;
  for (const Field& field : features.fields)
    if (field.kind == Kind::numeric && loses_integers(table.column(table.find(field.name).value())))
      notes.push_back(integer_note(field.name));
  return notes;
}

EncodedTable encode(const Table& table, const Schema& features, Fingerprint& fingerprint, Monitor& monitor) {
  monitor.stage("encode");
  fingerprint.restart();
  monitor.total(static_cast<std::int64_t>(features.fields.size()));
  EncodedTable out;
  out.n_rows = table.n_rows();
  out.columns.resize(features.fields.size());
  parallel_for(features.fields.size(), [&](std::size_t j) {
    monitor.tick();
    const Field& field = features.fields[j];
    const Table::Column& column = table.column(table.find(field.name).value());
    out.columns[j] = field.kind == Kind::numeric ? encode_numeric(column, j, out.n_rows, fingerprint)
                                                 : encode_levels(column, field, out.n_rows);
    out.columns[j].kind = field.kind;
    monitor.advance(1);
  });
  mark_rows(out, fingerprint);
  return out;
}

}  // namespace bough
