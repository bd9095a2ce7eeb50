// SPDX-License-Identifier: Apache-2.0
// From plain cells to a Table.
#include "oracle/case.hpp"

#include <fmt/format.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace bough::oracle {
namespace {

std::string level_name(std::size_t level) {
  return fmt::format("v{:03}", level);
}

struct SparseCells {
  std::vector<double> values;
  std::vector<std::int32_t> rows;
};

void add_sparse(Table& table, const PlainColumn& column) {
  auto cells = std::make_shared<SparseCells>();
  for (std::size_t i = 0; i < column.cells.size(); ++i) {
    if (column.cells[i] == 0.0) continue;
    cells->values.push_back(column.cells[i]);
    cells->rows.push_back(static_cast<std::int32_t>(i));
  }
  SparseView view;
  view.values = cells->values.data();
  view.rows = cells->rows.data();
  view.count = static_cast<std::int64_t>(cells->values.size());
  view.length = static_cast<std::int64_t>(column.cells.size());
  table.view(column.name, view);
  table.hold(cells);
}

void add_text(Table& table, const PlainColumn& column) {
  std::vector<std::string> names;
  for (std::size_t level = 0; level < column.n_levels; ++level) names.push_back(level_name(level));
  std::vector<std::int32_t> codes;
  for (const double cell : column.cells)
    codes.push_back(std::isnan(cell) ? -1 : static_cast<std::int32_t>(cell));
  table.add(column.name, codes, names);
}

void add_column(Table& table, const PlainColumn& column) {
  switch (column.storage) {
    case Storage::sparse:
      add_sparse(table, column);
      break;
    case Storage::text:
      add_text(table, column);
      break;
    case Storage::f32: {
      const std::vector<float> cells(column.cells.begin(), column.cells.end());
      table.add(column.name, cells);
      break;
    }
    case Storage::f64:
      table.add(column.name, column.cells);
      break;
  }
}

}  // namespace

Table to_table(const Case& sample) {
  Table table;
  for (const PlainColumn& column : sample.columns) add_column(table, column);
  for (std::size_t o = 0; o < sample.targets.size(); ++o) table.add(fmt::format("y{}", o), sample.targets[o]);
  if (!sample.weights.empty()) table.add("w", sample.weights);
  return table;
}

FitSpec fit_spec(const Case& sample) {
  FitSpec spec;
  for (std::size_t o = 0; o < sample.targets.size(); ++o) spec.targets.push_back(fmt::format("y{}", o));
  if (!sample.weights.empty()) spec.weight.push_back('w');
  for (const PlainColumn& column : sample.columns) {
    ColumnSpec wish;
    wish.name = column.name;
    wish.kind = column.kind;
    if (column.kind == Kind::ordinal && column.storage == Storage::text)
      for (std::size_t level = 0; level < column.n_levels; ++level) wish.order.push_back(level_name(level));
    spec.columns.push_back(std::move(wish));
  }
  return spec;
}

// BOUGH_SIMD=AVX2 lets only that instruction set run, BOUGH_THREADS=4 grows everything with as many threads; the long tests
// repeat the suites that way.
static void obey_environment(Execution& execution) {
  static const bool restricted = [] {
    const char* name = std::getenv("BOUGH_SIMD");
    if (name == nullptr) return false;
    for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
      if (std::string(hwy::TargetName(left & -left)) != name) continue;
      hwy::SetSupportedTargetsForTest(left & -left);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      return true;
    }
    throw std::runtime_error(fmt::format("this machine or build has no instruction set {}", name));
  }();
  static_cast<void>(restricted);
  if (const char* threads = std::getenv("BOUGH_THREADS")) execution.threads = std::atoi(threads);
}

Model grow_case(const Case& sample, const std::string& engine, int threads) {
  Execution execution;
  execution.threads = threads;
  obey_environment(execution);
  execution.engine = engine;
  return fit(to_table(sample), fit_spec(sample), sample.params, execution);
}

std::string describe(const Case& sample) {
  std::string text = fmt::format("params {}\n", params_to_json(sample.params));
  for (const PlainColumn& column : sample.columns)
    text += fmt::format("{}:{}{} ", column.name,
                        column.kind == Kind::numeric   ? "numeric"
                        : column.kind == Kind::ordinal ? "ordinal"
                                                       : "category",
                        column.n_levels);
  for (std::size_t o = 0; o < sample.targets.size(); ++o) text += fmt::format("y{} ", o);
  text += "w\n";
  for (std::size_t i = 0; i < sample.n_rows(); ++i) {
    for (const PlainColumn& column : sample.columns) text += fmt::format("{} ", column.cells[i]);
    for (const auto& target : sample.targets) text += fmt::format("{} ", target[i]);
    text += fmt::format("{}\n", sample.weight(i));
  }
  return text;
}

}  // namespace bough::oracle
