// SPDX-License-Identifier: Apache-2.0
// Columns of blocks, checked against the plan.
#include "scale/block_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "data/cells.hpp"

namespace bough {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

ColumnView all_missing(std::int64_t n_rows) {
  Chunk chunk;
  chunk.data = &kNoNumber;
  chunk.length = n_rows;
  return ColumnView{Dtype::f64, {chunk}, nullptr};
}

const Table::Column& find_column(const Table& rows, const std::string& name) {
  if (const auto index = rows.find(name)) return rows.column(*index);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rows.n_columns(); ++i) names.push_back(rows.name(i));
  throw Error(ErrorCode::bad_data, fmt::format("the block has no column '{}', which the plan has", name),
              fmt::format("its columns are {}", list_some(names, 12)));
}

void add(Table& out, const Table& rows, const std::string& name, bool numbers) {
  const Table::Column& column = find_column(rows, name);
  check_dense(name, column);
  if (!numbers || is_number_column(column)) return out.view(name, std::get<ColumnView>(column));
  if (has_known_cell(column))
    throw Error(ErrorCode::bad_data,
                fmt::format("column '{}' holds text in this block, but numbers in the plan", name),
                "read it as numbers in every block");
  out.view(name, all_missing(rows.n_rows()));
}

}  // namespace

void check_dense(const std::string& name, const Table::Column& column) {
  if (std::holds_alternative<SparseView>(column))
    throw Error(ErrorCode::not_supported,
                fmt::format("training on blocks does not support sparse columns, and '{}' is one", name),
                "make it dense, or train in memory");
}

bool has_known_cell(const Table::Column& column) {
  const auto* view = std::get_if<ColumnView>(&column);
  const std::int64_t n = view != nullptr ? view->length() : std::get<SparseView>(column).length;
  if (!is_number_column(column)) {
    for (std::int64_t row = 0; row < n; ++row)
      if (!is_missing(column, row)) return true;
    return false;
  }
  std::array<double, 1024> some;
  for (std::int64_t row = 0; row < n; row += std::ssize(some)) {
    const std::span<double> part(some.data(),
                                 static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(some), n - row)));
    read_numbers(column, row, part);
    if (!std::all_of(part.begin(), part.end(), [](double x) { return std::isnan(x); })) return true;
  }
  return false;
}

Table block_table(const Table& rows, const ScalePlan::Parts& plan) {
  Table out;
  for (const Field& field : plan.features.fields) add(out, rows, field.name, field.kind == Kind::numeric);
  for (const Field& field : plan.targets.fields) add(out, rows, field.name, plan.task == Task::regression);
  if (!plan.spec.weight.empty()) add(out, rows, plan.spec.weight, true);
  return out;
}

}  // namespace bough
