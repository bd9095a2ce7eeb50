// SPDX-License-Identifier: Apache-2.0
// Ranks against those of sorting all cells, on every instruction set of this machine.
#include "data/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "base/instruction_sets.hpp"
#include "base/internal_limits.hpp"

namespace bough {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                 kInf = std::numeric_limits<double>::infinity();

// A matrix of cells, row by row, as a table.
template <class T>
CodedTable table_of(const std::vector<T>& cells, std::size_t n_columns, CodeUse use) {
  Table table;
  Schema features;
  table.view_matrix(std::is_same_v<T, float> ? Dtype::f32 : Dtype::f64, cells.data(),
                    static_cast<std::int64_t>(cells.size() / n_columns), static_cast<std::int64_t>(n_columns),
                    static_cast<std::ptrdiff_t>(n_columns * sizeof(T)), sizeof(T));
  for (std::size_t j = 0; j < n_columns; ++j) {
    Field field;
    field.name = std::string("x").append(std::to_string(j));
    features.fields.push_back(field);
  }
  Fingerprint fingerprint;
  Monitor monitor{Monitor::Report()};
  return make_codes(table, features, use, fingerprint, monitor);
}

template <class T>
void expect_ranks(const std::vector<T>& cells, std::size_t n_columns, CodeUse use) {
  const CodedTable table = table_of(cells, n_columns, use);
  const std::size_t n = cells.size() / n_columns;
  const ColumnRanker ranker(table, 0, n_columns);
  for (std::size_t j = 0; j < n_columns; ++j) {
    std::vector<double> known;
    for (std::size_t i = 0; i < n; ++i)
      if (const T cell = cells[i * n_columns + j]; !std::isnan(cell))
        known.push_back(static_cast<double>(cell) + 0.0);
    const bool missing = known.size() < n;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    for (const bool room : {false, true}) {
      std::vector<std::uint8_t> narrow(n);
      std::vector<std::uint16_t> wide(n);
      std::vector<double> by_rank;
      const ColumnRanks ranks = ranker.rank(j, {room ? narrow.data() : nullptr, wide.data()}, &by_rank);
      const std::string words = "column " + std::to_string(j) + ", " + std::to_string(n) + " rows";
      ASSERT_EQ(ranks.fits, known.size() <= internal_limits().ranks) << words;
      if (!ranks.fits) continue;
      ASSERT_EQ(ranks.missing, missing) << words;
      ASSERT_EQ(ranks.narrow, room && !missing && known.size() <= kNarrowRanks) << words;
      ASSERT_EQ(by_rank, known) << words;
      for (std::size_t i = 0; i < n; ++i) {
        const T cell = cells[i * n_columns + j];
        const auto expected = static_cast<std::uint16_t>(
            std::lower_bound(known.begin(), known.end(), static_cast<double>(cell)) - known.begin());
        ASSERT_EQ(ranks.narrow ? narrow[i] : wide[i], std::isnan(cell) ? kMissingRank : expected)
            << words << ", row " << i << ", cell " << cell;
      }
    }
  }
}

// Columns of every kind that is ranked in a way of its own.
std::vector<std::function<double(std::mt19937_64&)>> kinds() {
  const auto whole = [](std::int64_t low, std::int64_t high, double scale) {
    return [=](std::mt19937_64& random) {
      return static_cast<double>(std::uniform_int_distribution<std::int64_t>(low, high)(random)) / scale;
    };
  };
  const auto mixed = [](double a, double b, double c) {
    return [=](std::mt19937_64& random) {
      const auto at = random() % 64;
      return at == 0 ? c : at % 2 == 0 ? a : b;
    };
  };
  return {whole(0, 1, 1.0),
          whole(0, 0, 1.0),
          whole(-3, 12, 1.0),
          whole(0, 300, 1.0),
          whole(-40, 40, 10.0),
          whole(0, 255, 1.0),
          whole(0, 256, 1.0),
          whole(0, 70000, 1.0),
          whole(-900, 900, 100.0),
          whole(0, 3000, 1000.0),
          whole(9000, 11000, 10000.0),
          whole(98000, 104000, 100000.0),
          whole(0, 10, 1e6),
          whole(-1000000000, 1000000000, 1.0),
          [](std::mt19937_64& random) { return std::normal_distribution<>()(random); },
          mixed(0.0, 0.5, 3.0),
          mixed(-0.0, 0.0, 1.0),
          mixed(7.0, 7.0, 0x1p40),
          mixed(0x1p30, 0x1p30 - 64, 1.0),
          mixed(-0x1p30, 5.0, 0x1p31),
          mixed(1.0, 2.0, kNan),
          mixed(1.0, 2.5, kInf),
          mixed(-kInf, 0.0, 1e-30),
          mixed(0.1, 0.3, 0.7),
          mixed(1.0 / 3.0, 2.0, 0.1)};
}

template <class T>
std::vector<T> random_cells(std::size_t n_rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto columns = kinds();
  std::vector<T> cells;
  for (std::size_t i = 0; i < n_rows; ++i)
    for (const auto& column : columns) cells.push_back(static_cast<T>(column(random)));
  return cells;
}

TEST(ranks, those_of_sorting_on_every_instruction_set) {
  for (const std::int64_t target : instruction_sets()) {
    const Only only(target);
    SCOPED_TRACE(hwy::TargetName(target));
    for (const std::size_t n_rows : {1U, 2U, 3U, 16U, 63U, 64U, 65U, 129U, 1000U})
      for (const CodeUse use : {CodeUse::cells, CodeUse::search}) {
        expect_ranks(random_cells<float>(n_rows, n_rows), kinds().size(), use);
        expect_ranks(random_cells<double>(n_rows, n_rows), kinds().size(), use);
      }
  }
}

TEST(ranks, wide_columns) {
  expect_ranks(random_cells<float>(20000, 5), kinds().size(), CodeUse::cells);
  expect_ranks(random_cells<double>(20000, 5), kinds().size(), CodeUse::cells);
}

TEST(ranks, as_many_as_the_limit_says) {
  for (const std::uint32_t most : {1U, 2U, 3U, 300U, 301U}) {
    InternalLimits limits;
    limits.ranks = most;
    const LimitsForTest in_force(limits);
    expect_ranks(random_cells<float>(4000, 6), kinds().size(), CodeUse::cells);
  }
}

TEST(ranks, columns_that_do_not_fit_are_told) {
  std::vector<float> cells(140000);
  for (std::size_t i = 0; i < cells.size(); ++i)
    cells[i] = static_cast<float>(i % 2 == 0 ? i / 2 : std::min<std::size_t>(i / 2, 65534));
  expect_ranks(cells, 2, CodeUse::cells);
}

}  // namespace
}  // namespace bough
