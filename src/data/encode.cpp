// SPDX-License-Identifier: Apache-2.0
// From columns of cells to columns of codes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "data/cells.hpp"
#include "data/encoded.hpp"

namespace bough {
namespace {

struct Encoding {
  EncodedColumn column;
  std::uint64_t hash = 0;
  std::string note;
};

// Dense ranks of `numbers` (NaN: missing) and the distinct values in order.
void rank_numbers(std::span<const double> numbers, EncodedColumn& out) {
  out.values.clear();
  out.values.reserve(numbers.size());
  for (const double x : numbers)
    if (!std::isnan(x)) out.values.push_back(x);
  out.has_missing = out.values.size() < numbers.size();
  std::sort(out.values.begin(), out.values.end());
  out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
  out.values.shrink_to_fit();
  out.n_codes = static_cast<std::uint32_t>(out.values.size());
  out.codes.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto at = std::lower_bound(out.values.begin(), out.values.end(), numbers[i]);
    out.codes[i] = std::isnan(numbers[i]) ? kMissingCode : static_cast<std::uint32_t>(at - out.values.begin());
  }
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

Encoding encode_sparse(const SparseView& view, std::uint64_t seed) {
  Encoding out;
  out.column.sparse = true;
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < view.count; ++i) {
    const double x = view.dtype == Dtype::f32 ? static_cast<double>(static_cast<const float*>(view.values)[i])
                                              : static_cast<const double*>(view.values)[i];
    if (x == 0.0) continue;
    numbers.push_back(x);
    out.column.stored.push_back(static_cast<RowId>(view.wide_rows ? static_cast<const std::int64_t*>(view.rows)[i]
                                                                  : static_cast<const std::int32_t*>(view.rows)[i]));
  }
  out.hash = hash_values(std::span<const RowId>(out.column.stored), seed);
  out.hash = hash_values(std::span<const double>(numbers), out.hash);
  numbers.push_back(0.0);  // so that 0 has a code of its own
  rank_numbers(numbers, out.column);
  out.column.zero_code = out.column.codes.back();
  out.column.codes.pop_back();
  return out;
}

Encoding encode_numeric(const Table::Column& column, const Field& field, std::int64_t n_rows, std::uint64_t seed) {
  Encoding out;
  if (const auto* sparse = std::get_if<SparseView>(&column)) return encode_sparse(*sparse, seed);
  std::vector<double> numbers(static_cast<std::size_t>(n_rows));
  read_numbers(column, 0, numbers);
  out.hash = hash_values(std::span<const double>(numbers), seed);
  rank_numbers(numbers, out.column);
  if (loses_integers(column))
    out.note = fmt::format("column '{}' holds whole numbers beyond 2^53; those equal as doubles count as one value",
                           field.name);
  return out;
}

Encoding encode_levels(const Table::Column& column, const Field& field, std::int64_t n_rows, std::uint64_t seed) {
  Encoding out;
  std::vector<std::int32_t> levels(static_cast<std::size_t>(n_rows));
  LevelReader(column, field.levels).read(0, levels);
  out.hash = hash_values(std::span<const std::int32_t>(levels), seed);
  for (const std::string& name : field.levels.names) out.hash = hash_text(name, out.hash);
  out.column.n_codes = static_cast<std::uint32_t>(field.levels.size());
  out.column.codes.resize(levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] == kUnseenLevel)
      throw Error(ErrorCode::bad_data,
                  fmt::format("column '{}', row {}: value '{}' is not among the declared levels", field.name, i + 1,
                              cell_text(column, static_cast<std::int64_t>(i))),
                  "add it to the order or level list of this column, or make the cell missing");
    out.column.codes[i] = levels[i] < 0 ? kMissingCode : static_cast<std::uint32_t>(levels[i]);
    out.column.has_missing |= levels[i] < 0;
  }
  return out;
}

}  // namespace

EncodedTable encode(const Table& table, const Schema& features, Monitor& monitor) {
  monitor.stage("encode");
  monitor.total(static_cast<std::int64_t>(features.fields.size()));
  EncodedTable out;
  out.n_rows = table.n_rows();
  std::vector<Encoding> encodings(features.fields.size());
  parallel_for(features.fields.size(), [&](std::size_t j) {
    monitor.tick();
    const Field& field = features.fields[j];
    const Table::Column& column = table.column(table.find(field.name).value());
    const std::uint64_t seed = hash_text(field.name);
    encodings[j] = field.kind == Kind::numeric ? encode_numeric(column, field, out.n_rows, seed)
                                               : encode_levels(column, field, out.n_rows, seed);
    encodings[j].column.kind = field.kind;
    monitor.advance(1);
  });
  for (Encoding& encoding : encodings) {
    out.hash = hash_bytes(&encoding.hash, sizeof encoding.hash, out.hash);
    if (!encoding.note.empty()) out.notes.push_back(std::move(encoding.note));
    out.columns.push_back(std::move(encoding.column));
  }
  return out;
}

}  // namespace bough
