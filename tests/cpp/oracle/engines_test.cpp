// SPDX-License-Identifier: Apache-2.0
// Tables too large for brute force: every engine grows the tree of the lists engine, bit by bit, with any
// number of threads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "oracle/build.hpp"
#include "oracle/draw.hpp"

namespace bough::oracle {
namespace {

// Columns that histograms find hard: many distinct values, long tails, clumps, gaps, few values, many levels.
std::vector<double> draw_cells(std::size_t n, Dice& dice) {
  const std::size_t style = dice.below(6);
  std::vector<double> cells;
  for (std::size_t i = 0; i < n; ++i) {
    const double u = dice.unit();
    switch (style) {
      case 0:
        cells.push_back(u);
        break;
      case 1:
        cells.push_back(std::exp(30 * u));
        break;
      case 2:
        cells.push_back(dice.chance(0.9) ? 0.0 : u);
        break;
      case 3:
        cells.push_back(std::floor(u * 700));
        break;
      case 4:
        cells.push_back(1.0 + 0x1p-50 * std::floor(u * 5000));
        break;
      default:
        cells.push_back(std::floor(u * 4));
        break;
    }
  }
  return cells;
}

PlainColumn draw_wide_column(std::size_t n, bool missing, Dice& dice) {
  PlainColumn column;
  const std::size_t kind = dice.below(4);
  if (kind < 2) {
    column.cells = draw_cells(n, dice);
    column.storage = dice.chance(0.3) ? Storage::f32 : Storage::f64;
  } else {
    column.kind = kind == 2 ? Kind::ordinal : Kind::category;
    column.storage = Storage::text;
    const std::size_t levels = std::array<std::size_t, 4>{3, 9, 40, 400}[dice.below(4)];
    column.n_levels = levels;
    for (std::size_t i = 0; i < n; ++i)
      column.cells.push_back(static_cast<double>(i < levels ? i : dice.below(levels)));
    if (n < levels) column.n_levels = n;
  }
  if (missing)
    for (double& cell : column.cells)
      if (dice.chance(0.1)) cell = kMissing;
  return column;
}

Case draw_large(std::uint64_t i, Dice& dice) {
  Shape shape = Shape::nth(i);
  shape.columns = Columns::numeric;
  shape.max_columns = 1;
  // Losses that are no sums are slow, and one engine serves them all.
  const bool slow = shape.criterion == "absolute_error" || shape.criterion == "quantile";
  const auto n = static_cast<std::size_t>(slow ? dice.between(20, 100)
                                               : dice.between(150, dice.chance(0.2) ? 3000 : 600));
  // Targets and weights as in small tables, for as many rows; then other columns.
  Case sample = draw_rows(shape, n, dice);
  sample.columns.clear();
  const int n_columns = dice.between(1, 6);
  for (int j = 0; j < n_columns; ++j) {
    sample.columns.push_back(draw_wide_column(n, shape.missing, dice));
    sample.columns.back().name = fmt::format("x{}", j);
  }
  // Half of the tables have a target that follows a column, so that trees are not all noise.
  if (dice.chance(0.5))
    for (std::size_t r = 0; r < n; ++r) {
      const double cell = sample.columns[0].cells[r];
      if (std::isnan(cell) || dice.chance(0.2)) continue;
      double& y = sample.targets[0][r];
      if (sample.classes) {
        y = std::fmod(std::floor(std::fabs(std::fmod(cell * 3, 1e6))),
                      static_cast<double>(sample.n_classes[0]));
      } else {
        y = std::fabs(std::floor(std::fmod(cell * 8, 64)));
      }
    }
  return sample;
}

TEST(Engines, large_tables_give_the_same_tree_with_every_engine_and_number_of_threads) {
  for (std::uint64_t i = 0; i < scaled(400); ++i) {
    const std::uint64_t seed = table_seed("engines", i);
    Dice dice(seed);
    Case sample = draw_large(i, dice);
    Params& params = sample.params;
    if (dice.chance(0.3)) params.min_samples_leaf = Amount::count(dice.between(2, 30));
    if (dice.chance(0.2)) params.max_depth = dice.between(1, 6);
    if (dice.chance(0.2)) params.min_weight_fraction_leaf = 0.02;
    if (dice.chance(0.2)) params.max_features = Amount::count(2);
    if (dice.chance(0.1)) params.splitter = "random";
    if (dice.chance(0.1)) params.max_leaf_nodes = dice.between(2, 40);
    if (dice.chance(0.2) && sample.targets.size() == 1 && (!sample.classes || sample.n_classes[0] == 2))
      for (const PlainColumn& column : sample.columns)
        if (column.kind != Kind::category && dice.chance(0.5))
          params.monotonic_cst[column.name] = dice.chance(0.5) ? 1 : -1;
    const Tree tree = grow_case(sample).tree();
    for (const char* engine : {"auto", "refine", "presorted", "sparse"})
      for (const int threads : {1, 2})
        ASSERT_EQ(grow_case(sample, engine, threads).tree(), tree)
            << engine << ", " << threads << " threads, table " << i << ", base seed " << base_seed() << ", "
            << sample.n_rows() << " rows, " << params_to_json(params);
    ASSERT_EQ(grow_case(sample, "lists", 2).tree(), tree) << "table " << i << ", base seed " << base_seed();
  }
}

}  // namespace
}  // namespace bough::oracle
