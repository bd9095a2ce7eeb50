// SPDX-License-Identifier: Apache-2.0
// Trees and forests of the ranked engine have the bytes of the lists engine's, on tables that it takes and on some that it leaves to others.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/internal_limits.hpp"
#include "bough/model.hpp"
#include "engines/random_cases.hpp"

namespace bough {
namespace {

int n_cases() {
  return cases_or(400, 30);
}

// Columns of two values, of few, of many, of ties, nearly constant, constant, ordered levels; classes or numbers.
class Maker : CaseMaker {
 public:
  using CaseMaker::CaseMaker;

  Case make() {
    Case c;
    const int sizes[] = {1, 2, 3, 9, 33, 65, 130, 400, 1500, 6000};
    n_ = static_cast<std::size_t>(sizes[below(10)] + below(3));
    std::vector<double> signal(n_, 0.0);
    // More columns than a tile searches at once, and than it keeps the cells of.
    const int n_columns = n_ <= 130 && chance(15) ? 10 + below(70) : 1 + below(9);
    for (int j = 0; j < n_columns; ++j) add_column(c, j, signal);
    add_target(c, signal);
    c.params.forest = chance(30) ? 0 : 1 + below(3);
    if (c.params.forest > 0) c.params.bootstrap = chance(70);
    if (chance(c.params.forest > 0 ? 70 : 20)) c.params.max_features = Amount::count(1 + below(n_columns));
    if (chance(30)) c.params.max_depth = 1 + below(12);
    if (chance(20)) c.params.min_samples_leaf = Amount::count(1 + below(9));
    if (chance(10)) c.params.min_weight_fraction_leaf = 0.01 * below(8);
    if (chance(15)) c.params.min_samples_split = Amount::count(2 + below(40));
    if (chance(10)) c.params.min_impurity_decrease = 0.001 * below(20);
    if (chance(30)) c.params.splitter = "random";
    c.params.seed = below(1000);
    return c;
  }

 private:
  void add_column(Case& c, int j, std::vector<double>& signal) {
    std::vector<double> x(n_);
    const int kind = below(9), many = 2 + below(400);
    const double constant = normal();
    for (double& v : x) {
      v = kind == 0   ? normal()
          : kind == 1 ? static_cast<double>(below(2))
          : kind == 2 ? static_cast<double>(below(many))
          : kind == 3 ? std::floor(normal() * 3) / 2
          : kind == 4 ? (chance(92) ? 0.0 : normal())
          : kind == 5 ? constant
          : kind == 6 ? 1e9 + below(1000) * 1e-7
          : kind == 7 ? std::exp(9 * normal())
                      : static_cast<double>(below(12));
      if (chance(1)) v = -0.0;
    }
    for (std::size_t i = 0; i < n_; ++i) signal[i] += std::sin(x[i] * 3) * (1 + j % 3);
    if (chance(4)) x[x.size() / 2] = std::numeric_limits<double>::quiet_NaN();
    const std::string name = std::string("x").append(std::to_string(j));
    if (chance(50)) {
      const std::vector<float> floats(x.begin(), x.end());
      c.table.add(name, std::span<const float>(floats));
    } else {
      c.table.add(name, std::span<const double>(x));
    }
    if (kind != 8) return;
    ColumnSpec spec;
    spec.name = name;
    spec.kind = chance(85) ? Kind::ordinal : Kind::category;
    c.spec.columns.push_back(spec);
  }

  void add_target(Case& c, const std::vector<double>& signal) {
    std::vector<double> y(n_), w(n_);
    const bool classes = chance(55);
    const int n_classes = 2 + (chance(50) ? 0 : below(chance(80) ? 31 : 120)), noise = below(3),
              style = below(4);
    const double spread = n_classes > 60 ? 9.0 : 1.0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double s = signal[i] + noise * normal();
      y[i] = classes      ? std::fabs(std::fmod(std::floor(s * spread), n_classes))
             : style == 0 ? std::floor(s)
             : style == 1 ? s * 1e-9 + 1e6
             : style == 2 ? std::ldexp(s, below(40))
                          : s;
      w[i] = chance(90) ? 1 + below(5) : 0;
    }
    w[0] = 1.0;
    c.params.task = classes ? "classification" : "regression";
    c.table.add("y", std::span<const double>(y));
    c.spec.targets = {"y"};
    if (!chance(25)) return;
    if (chance(30)) w[0] = 0.75;
    if (chance(20)) w[0] = 1e7;
    c.table.add("w", std::span<const double>(w));
    c.spec.weight.assign(1, 'w');
  }

  std::size_t n_ = 0;
};

TEST(ranked, models_are_those_of_the_lists_engine) {
  const std::uint64_t base = base_seed();
  std::cout << "BOUGH_SEED=" << base << "\n";
  int n_ranked = 0;
  for (int i = 0; i < n_cases(); ++i) {
    const Case c = Maker(base + static_cast<std::uint64_t>(i)).make();
    Execution execution;
    execution.threads = 1;
    execution.engine = "lists";
    const Model expected = fit(c.table, c.spec, c.params, execution);
    for (const char* engine : {"ranked", "tight", "auto"}) {
      execution.engine = engine == std::string_view("tight") ? "ranked" : engine;
      InternalLimits limits;
      if (engine == std::string_view("tight")) {  // small tables go all ways
        limits.ranked_few_rows = 4;
        limits.ranked_inherit_rows = 6;
        limits.ranked_near_rows = 8;
        limits.ranked_counters = 0;
        limits.ranked_words = i / 2 % 2 == 0 ? 0 : 1000;    // two-valued columns together, or one by one
        limits.ranked_common_eighths = i % 2 == 0 ? 8 : 0;  // no rank is common, or one of every column
      }
      const LimitsForTest in_force(limits);
      const Model model = fit(c.table, c.spec, c.params, execution);
      n_ranked += model.parts().provenance.engine == "ranked" ? 1 : 0;
      ASSERT_EQ(model.to_bytes(), expected.to_bytes())
          << engine << ", seed " << base + static_cast<std::uint64_t>(i) << ", " << c.table.n_rows()
          << " rows, " << params_to_json(c.params);
    }
  }
  EXPECT_GT(n_ranked, n_cases());  // most of them, three times
}

// A word of a row holds 64 such columns; the best ones are in the second word.
TEST(ranked, more_two_valued_columns_than_a_word_has_bits) {
  constexpr std::size_t n = 400, n_columns = 100;
  std::mt19937_64 random(5);
  Case c;
  std::vector<double> y(n, 0.0);
  for (std::size_t j = 0; j < n_columns; ++j) {
    std::vector<double> x(n);
    for (double& v : x) v = static_cast<double>(random() % 2);
    for (std::size_t i = 0; i < n && j >= 70 && j < 74; ++i) y[i] += x[i];
    c.table.add(std::string("x").append(std::to_string(j)), std::span<const double>(x));
  }
  c.table.add("y", std::span<const double>(y));
  c.spec.targets = {"y"};
  c.params.task = "classification";
  Execution execution;
  execution.threads = 1;
  execution.engine = "lists";
  const Model expected = fit(c.table, c.spec, c.params, execution);
  execution.engine = "ranked";
  InternalLimits limits;
  limits.ranked_inherit_rows = 6;
  limits.ranked_words = 0;
  const LimitsForTest in_force(limits);
  const Model model = fit(c.table, c.spec, c.params, execution);
  EXPECT_EQ(model.parts().provenance.engine, "ranked");
  EXPECT_EQ(model.to_bytes(), expected.to_bytes());
}

}  // namespace
}  // namespace bough
