// SPDX-License-Identifier: Apache-2.0
// The same bytes from every instruction set that was compiled in and this machine has, with 1, 2 and 4
// threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <random>

#include "base/instruction_sets.hpp"
#include "bough/model.hpp"

namespace bough {
namespace {

std::string bytes_of(const Table& table, const FitSpec& spec, const Params& params, int threads,
                     const char* engine) {
  Execution execution;
  execution.threads = threads;
  execution.engine = engine;
  return fit(table, spec, params, execution).to_bytes();
}

void expect_one_answer(const Table& table, const FitSpec& spec, const Params& params,
                       const std::string& words) {
  const std::string expected = bytes_of(table, spec, params, 1, "auto");
  for (const int threads : {2, 4})
    EXPECT_EQ(bytes_of(table, spec, params, threads, "auto"), expected) << words;
  int i = 0;
  for (const std::int64_t target : instruction_sets()) {
    const Only only(target);
    const int threads = 1 << i++ % 3;
    for (const char* engine : {"auto", "refine"})
      EXPECT_EQ(bytes_of(table, spec, params, threads, engine), expected)
          << words << ", " << hwy::TargetName(target) << ", " << threads << " threads, " << engine;
  }
}

struct Drawn {
  Table table;
  FitSpec spec;
};

// Columns with ties, missing cells, floats and a category; targets of classes (y), numbers (z), two of them
// (z, z2) and weights.
Drawn draw(std::uint64_t seed, std::size_t n) {
  std::mt19937_64 random(seed);
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  Drawn out;
  std::vector<double> signal(n, 0.0), y(n), z(n), z2(n), w(n);
  for (int j = 0; j < 7; ++j) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = j == 0 ? std::floor(unit() * 30) : j == 1 ? std::exp(20 * unit()) : unit() * 8 - 4;
      signal[i] += std::sin(x[i] * (1 + j % 3)) * (j < 4 ? 1.0 : 0.1);
      if (j == 2 && unit() < 0.1) x[i] = std::numeric_limits<double>::quiet_NaN();
    }
    const std::string name = std::string("x").append(std::to_string(j));
    if (j > 4) {
      const std::vector<float> floats(x.begin(), x.end());
      out.table.add(name, std::span<const float>(floats));
    } else {
      out.table.add(name, std::span<const double>(x));
    }
    if (j == 0) {
      ColumnSpec spec;
      spec.name = name;
      spec.kind = Kind::category;
      out.spec.columns.push_back(spec);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    z[i] = std::fabs(signal[i]) + unit();
    z2[i] = std::floor(signal[i] * signal[i] + 2 * unit());
    y[i] = std::floor(3 * unit() * z[i]);
    w[i] = 0.1 + unit();
  }
  out.table.add("y", std::span<const double>(y));
  out.table.add("z", std::span<const double>(z));
  out.table.add("z2", std::span<const double>(z2));
  out.table.add("w", std::span<const double>(w));
  return out;
}

TEST(Targets, all_instruction_sets_and_thread_counts_grow_the_same_bytes) {
  for (const std::int64_t target : instruction_sets()) {
    const Only only(target);
    ASSERT_EQ(hwy::SupportedTargets(), target);
    std::cout << hwy::TargetName(target) << "\n";
  }
#if defined(BOUGH_CHECKED)
  const Drawn small = draw(11, 2500), large = draw(12, 12000);
#else
  const Drawn small = draw(11, 7000), large = draw(12, 40000);  // large: several threads in one node
#endif
  struct Way {
    const char* criterion;
    std::vector<std::string> targets;
    bool weights;
    const char* splitter;
    bool large = false;
  };
  const Way ways[] = {
      {"gini", {"y"}, false, "best", true},
      {"entropy", {"y"}, true, "best"},
      {"hellinger", {"y"}, false, "best"},
      {"misclassification", {"y"}, false, "best"},
      {"gini", {"y", "z2"}, true, "best"},
      {"squared_error", {"z"}, false, "best"},
      {"squared_error", {"z"}, true, "best", true},
      {"squared_error", {"z", "z2"}, false, "best"},
      {"poisson", {"z2"}, false, "best"},
      {"poisson", {"z", "z2"}, true, "best"},
      {"gini", {"y"}, false, "random"},
      {"squared_error", {"z"}, true, "hist"},
  };
  for (const Way& way : ways) {
    const Drawn& drawn = way.large ? large : small;
    FitSpec spec = drawn.spec;
    spec.targets = way.targets;
    for (const char* other : {"y", "z", "z2"})
      if (std::find(way.targets.begin(), way.targets.end(), other) == way.targets.end())
        spec.ignored.emplace_back(other);
    if (way.weights) {
      spec.weight.assign(1, 'w');
    } else {
      spec.ignored.emplace_back("w");
    }
    Params params;
    params.criterion = way.criterion;
    params.splitter = way.splitter;
    params.max_depth = 7;
    expect_one_answer(drawn.table, spec, params, std::string(way.criterion).append(" ").append(way.splitter));
  }
}

// Forests, which the ranked engine grows: columns of two, few and many values, nothing missing.
TEST(Targets, all_instruction_sets_grow_the_same_forests) {
  constexpr std::size_t n = 3000;
  std::mt19937_64 random(7);
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  Table table;
  std::vector<double> signal(n, 0.0), y(n), z(n);
  for (int j = 0; j < 6; ++j) {
    const double n_values = j == 0 ? 2 : j < 3 ? 40 : 1e6;
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = std::floor(unit() * n_values) / n_values * 6;
      signal[i] += std::sin(x[i] * (1 + j % 3));
    }
    table.add(std::string("x").append(std::to_string(j)), std::span<const double>(x));
  }
  for (std::size_t i = 0; i < n; ++i) {
    z[i] = signal[i] + unit();
    y[i] = std::floor(std::fabs(z[i]) * 2);
  }
  table.add("y", std::span<const double>(y));
  table.add("z", std::span<const double>(z));
  for (const bool classes : {true, false}) {
    for (const char* splitter : {"best", "random"}) {
      FitSpec spec;
      spec.targets = {classes ? "y" : "z"};
      spec.ignored = {classes ? "z" : "y"};
      Params params;
      params.task = classes ? "classification" : "regression";
      params.splitter = splitter;
      params.forest = 2;
      params.max_features = Amount::count(3);
      const std::string expected = bytes_of(table, spec, params, 1, "lists");
      for (const std::int64_t target : instruction_sets()) {
        const Only only(target);
        EXPECT_EQ(bytes_of(table, spec, params, 1, "ranked"), expected)
            << spec.targets[0] << ", " << splitter << ", " << hwy::TargetName(target);
      }
    }
  }
}

// At most some 20,000 rows, evenly spread.
Table read_set(const std::filesystem::path& path) {
  const Table table = read_table(path.string());
  const auto n = static_cast<std::size_t>(table.n_rows());
  const std::size_t step = n / 20000 + 1;
  std::vector<RowId> rows;
  for (std::size_t i = 0; i < n; i += step) rows.push_back(static_cast<RowId>(i));
  return table.take(rows);
}

// Numeric tables beside the repository, where they are.
TEST(Targets, real_tables_give_the_same_bytes_on_all_instruction_sets) {
  const std::filesystem::path folder = "../shared/data";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no tables beside the repository";
  struct Set {
    const char* file;
    const char* target;
    const char* task;
  };
  const Set sets[] = {
      {"letter.csv.gz", "class", "classification"},
      {"spambase.csv.gz", "class", "classification"},
      {"balance_scale.csv", "class", "classification"},
      {"higgs_7500.csv.gz", "label", "classification"},
      {"skin.csv.gz", "class", "classification"},
      {"banknote.csv", "class", "classification"},
      {"covtype_100k.csv.gz", "Cover_Type", "classification"},
      {"compas_gosdt.csv", "two_year_recid", "classification"},
      {"wine_quality_red.csv", "quality", "regression"},
      {"wine_quality_white.csv.gz", "quality", "regression"},
      {"concrete.csv", "ConcreteCompressiveStrength", "regression"},
      {"abalone.csv", "Rings", "regression"},
      {"california_housing.csv.gz", "median_house_value", "regression"},
      {"diamonds.csv.gz", "price", "regression"},
      {"nsw74psid1.csv", "re78", "regression"},
  };
  for (const Set& set : sets) {
    if (!std::filesystem::exists(folder / set.file)) continue;
    const Table table = read_set(folder / set.file);
    Params params;
    params.task = set.task;
    params.max_depth = 8;
    FitSpec spec;
    spec.targets = {set.target};
    expect_one_answer(table, spec, params, set.file);
  }
}

}  // namespace
}  // namespace bough
