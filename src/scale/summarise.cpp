// SPDX-License-Identifier: Apache-2.0
// What a block says about its columns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "bough/scale.hpp"
#include "data/cells.hpp"
#include "data/chunks.hpp"
#include "data/fingerprint.hpp"
#include "data/huge_integers.hpp"
#include "model/prepare_rules.hpp"
#include "scale/block_table.hpp"
#include "scale/summary.hpp"

namespace bough {
namespace {

CellType cell_type(const Table::Column& column) {
  const Dtype dtype = value_type(column);
  return dtype == Dtype::text ? CellType::text : is_boolean(dtype) ? CellType::boolean : CellType::number;
}

// Of columns without known cells nobody can say whether wishes about kinds fit.
FitSpec without_unclear(const FitSpec& spec, const Table& table, const std::vector<bool>& known) {
  FitSpec clear = spec;
  for (ColumnSpec& column : clear.columns) {
    const auto index = table.find(column.name);
    if (!index || known[*index]) continue;
    column.kind.reset();
    column.order.clear();
  }
  return clear;
}

ValueSet values_of(Levels levels) {
  ValueSet values;
  if (levels.type == Levels::Type::text) {
    values.texts = std::move(levels.names);
  } else {
    values.numbers = std::move(levels.numbers);
  }
  return values;
}

/// Calls body(numbers) for one piece of a number column after the other, as long as it says so.
template <class F>
void each_numbers(const Table::Column& column, std::int64_t n_rows, F&& body) {
  std::vector<double> some(1 << 14);
  for (std::int64_t row = 0; row < n_rows; row += std::ssize(some)) {
    const std::span<double> part(
        some.data(), static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(some), n_rows - row)));
    read_numbers(column, row, part);
    if (!body(std::span<const double>(part))) return;
  }
}

// Whole numbers, as long as they are few.
void few_values(const Table::Column& column, std::int64_t n_rows, ColumnSummary& out) {
  std::vector<double>& values = out.values.numbers;
  out.few = true;
  each_numbers(column, n_rows, [&](std::span<const double> part) {
    for (const double y : part) {
      if (std::find(values.begin(), values.end(), y) != values.end()) continue;
      if (y != std::floor(y) || values.size() == kFewClasses) {
        out.many = true;
        values.clear();
        return false;
      }
      values.push_back(y);
    }
    return true;
  });
  std::sort(values.begin(), values.end());
}

void range_of(const Table::Column& column, std::int64_t n_rows, ColumnSummary& out) {
  out.low = std::numeric_limits<double>::infinity();
  out.high = -out.low;
  each_numbers(column, n_rows, [&](std::span<const double> part) {
    for (const double y : part) {
      out.low = std::min(out.low, y);
      out.high = std::max(out.high, y);
    }
    return true;
  });
}

// What the rows weigh; empty: 1 each.
std::vector<double> row_weights(const Table& table, const Schema& schema) {
  std::vector<double> weights;
  for (std::size_t c = 0; c < schema.fields.size(); ++c) {
    if (schema.fields[c].role != Role::weight || cell_type(table.column(c)) == CellType::text) continue;
    weights.resize(static_cast<std::size_t>(table.n_rows()));
    read_numbers(table.column(c), 0, weights);
  }
  return weights;
}

std::vector<ExactSum> weigh_values(const Table::Column& column, const Levels& levels, std::int64_t n_rows,
                                   std::span<const double> weights) {
  std::vector<ExactSum> sums(levels.size());
  const LevelReader reader(column, levels);
  std::vector<std::int32_t> some(1 << 14);
  for (std::int64_t row = 0; row < n_rows; row += std::ssize(some)) {
    const std::span<std::int32_t> part(
        some.data(), static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(some), n_rows - row)));
    reader.read(row, part);
    for (std::size_t i = 0; i < part.size(); ++i)
      sums[static_cast<std::size_t>(part[i])].add(
          weights.empty() ? 1.0 : weights[static_cast<std::size_t>(row) + i]);
  }
  return sums;
}

// Names the first row whose number cannot be a target.
void check_numbers(const std::string& name, const Table::Column& column, std::int64_t n_rows,
                   const Params& params, const ColumnSummary& range) {
  std::int64_t row = 0;
  each_numbers(column, n_rows, [&](std::span<const double> part) {
    if (std::max(-range.low, range.high) <= 1e150 && range.low >= 0.0) return false;
    check_number_target(name, part, params, row);
    row += std::ssize(part);
    return true;
  });
}

void summarise_target(const Table& table, const Schema& schema, const Field& field,
                      const Table::Column& column, const Params& params, ColumnSummary& out) {
  if (table.n_rows() == 0) return;
  check_target_cells(table, field);
  const int task = task_of_params(params);
  const bool number = out.type == CellType::number;
  if (out.type != CellType::text) range_of(column, table.n_rows(), out);
  if (task == 2) {
    if (out.type == CellType::text) refuse_text_target(field.name);
    check_numbers(field.name, column, table.n_rows(), params, out);
    return;
  }
  if (number && field.kind == Kind::numeric && task == 0) {
    few_values(column, table.n_rows(), out);
    if (out.many) check_numbers(field.name, column, table.n_rows(), params, out);  // no classes, then
  } else {
    out.values = values_of(collect_levels(column));
  }
  if (!params.class_weight.balanced || out.many) return;
  Levels levels;
  levels.type = out.type == CellType::text      ? Levels::Type::text
                : out.type == CellType::boolean ? Levels::Type::boolean
                                                : Levels::Type::real;
  levels.names = out.values.texts;
  levels.numbers = out.values.numbers;
  levels.names.resize(out.values.size());
  out.values.weights = weigh_values(column, levels, table.n_rows(), row_weights(table, schema));
}

void summarise_weight(const Table::Column& column, std::int64_t n_rows, ColumnSummary& out) {
  std::vector<double> weights(static_cast<std::size_t>(n_rows), std::numeric_limits<double>::quiet_NaN());
  if (out.type != CellType::text) read_numbers(column, 0, weights);
  out.positive = check_weights(out.name, weights);
}

// The rows of lowest priority. Priorities are drawn by what the block holds, so that blocks of other rows
// draw others.
std::vector<RowId> draw_rows(const Table& table, const std::vector<const Table::Column*>& numeric,
                             std::vector<std::uint64_t>& priorities) {
  const std::int64_t n = table.n_rows();
  std::uint64_t key = mix_bits(static_cast<std::uint64_t>(n));
  constexpr std::int64_t looked_at = 64;
  for (std::int64_t i = 0; i < std::min(n, looked_at); ++i) {
    std::uint64_t row = 0;
    for (std::size_t j = 0; j < numeric.size(); ++j) {
      double cell = 0.0;
      read_numbers(*numeric[j], i * n / std::min(n, looked_at), {&cell, 1});
      mark_cells(j, std::span<const double>(&cell, 1), &row);
    }
    key = mix_bits(key ^ row);
  }
  const std::size_t size = std::min(static_cast<std::size_t>(n), kSummaryRows);
  // Most rows are above this bound; should too few be below it, all are taken.
  const double share = 1.25 * static_cast<double>(size) / static_cast<double>(std::max<std::int64_t>(n, 1));
  std::uint64_t bound = share >= 1.0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(share * 0x1p64);
  std::vector<std::pair<std::uint64_t, RowId>> drawn;
  for (; drawn.size() < size; bound = ~std::uint64_t{0}) {
    drawn.clear();
    for (std::int64_t i = 0; i < n; ++i)
      if (const std::uint64_t priority = mix_bits(key + static_cast<std::uint64_t>(i)); priority <= bound)
        drawn.emplace_back(priority, static_cast<RowId>(i));
  }
  std::sort(drawn.begin(), drawn.end());
  drawn.resize(size);
  std::vector<RowId> rows;
  for (const auto& [priority, row] : drawn) {
    priorities.push_back(priority);
    rows.push_back(row);
  }
  return rows;
}

void sample_numbers(const Table& table, const std::vector<const Table::Column*>& numeric,
                    const std::vector<std::size_t>& places, Summary& out) {
  const std::vector<RowId> rows = draw_rows(table, numeric, out.sampled);
  for (const std::size_t place : places) out.columns[place].sample.resize(rows.size());
  // Some rows at a time, because the cells of a row often lie side by side.
  parallel_ranges(rows.size(), 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t begin = first; begin < last; begin += 64) {
      const std::size_t end = std::min(last, begin + 64);
      for (std::size_t k = 0; k < numeric.size(); ++k) {
        double* sample = out.columns[places[k]].sample.data();
        for (std::size_t i = begin; i < end; ++i) read_numbers(*numeric[k], rows[i], {sample + i, 1});
      }
    }
  });
}

// Features, the targets that are asked for, and the one column of weights.
bool is_used(const Schema& schema, std::size_t c, const FitSpec& spec) {
  const Field& field = schema.fields[c];
  if (field.role == Role::target)
    return std::find(spec.targets.begin(), spec.targets.end(), field.name) != spec.targets.end();
  if (field.role == Role::weight)
    return std::none_of(schema.fields.begin(), schema.fields.begin() + static_cast<std::ptrdiff_t>(c),
                        [](const Field& other) { return other.role == Role::weight; });
  return field.role == Role::feature;
}

}  // namespace

std::string summarise(const Table& rows, const FitSpec& spec, const Params& params) {
  check_scale_params(spec, params);
  std::vector<bool> known(rows.n_columns());
  for (std::size_t c = 0; c < known.size(); ++c) known[c] = has_known_cell(rows.column(c));
  const Schema schema = resolve_schema(rows, without_unclear(spec, rows, known));
  Summary out;
  out.n_rows = rows.n_rows();
  std::vector<const Table::Column*> numeric;
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < schema.fields.size(); ++c) {
    const Field& field = schema.fields[c];
    const Table::Column& column = rows.column(c);
    if (!is_used(schema, c, spec)) continue;
    check_dense(field.name, column);
    ColumnSummary& own = out.columns.emplace_back();
    own.name = field.name;
    own.role = field.role;
    own.type = cell_type(column);
    own.known = known[c];
    own.is_float = value_type(column) == Dtype::f32;
    if (field.role == Role::target) summarise_target(rows, schema, field, column, params, own);
    if (field.role == Role::weight) summarise_weight(column, rows.n_rows(), own);
    if (field.role != Role::feature || !known[c]) continue;
    if (field.kind == Kind::numeric) {
      own.huge_integers = loses_integers(column);
      numeric.push_back(&column);
      places.push_back(out.columns.size() - 1);
    } else {
      own.values = values_of(field.kind == Kind::category ? field.levels : collect_levels(column));
    }
  }
  sample_numbers(rows, numeric, places, out);
  return out.bytes();
}

}  // namespace bough
