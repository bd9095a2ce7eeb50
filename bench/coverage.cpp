// SPDX-License-Identifier: Apache-2.0
// How often intervals hold what they promise, on simulated tables whose truth is known.
//
// bench_coverage trees REPEATS > coverage.csv     conformal (a new y) and honest leaf means, 90 %
// bench_coverage forests REPEATS TREES > ...      honest forests with little bags: the true mean at fresh
// rows, 90 %
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <string_view>

#include "bough/intervals.hpp"

namespace bough {
namespace {

constexpr double kPi = 3.14159265358979323846;
using Random = std::mt19937_64;

double uniform(Random& random) {
  return std::uniform_real_distribution<double>(0.0, 1.0)(random);
}
double normal(Random& random) {
  return std::normal_distribution<double>()(random);
}

struct Set {
  const char* name;
  std::size_t columns;
  std::function<double(const std::vector<double>&)> mean;
  std::function<double(const std::vector<double>&, double, Random&)> draw;  // a target of this mean
};

const std::vector<Set>& sets() {
  static const std::vector<Set> all{
      {"steps", 5, [](const auto& x) { return 2.0 * (x[0] > 0.5) + (x[1] > 0.3 ? 1.0 : 0.0); },
       [](const auto&, double m, Random& r) { return m + normal(r); }},
      {"friedman1", 10,
       [](const auto& x) {
         return 10.0 * std::sin(kPi * x[0] * x[1]) + 20.0 * (x[2] - 0.5) * (x[2] - 0.5) + 10.0 * x[3] +
                5.0 * x[4];
       },
       [](const auto&, double m, Random& r) { return m + normal(r); }},
      {"uneven noise", 5, [](const auto& x) { return 4.0 * x[0]; },
       [](const auto& x, double m, Random& r) { return m + (0.2 + 2.0 * x[1]) * normal(r); }},
      {"heavy tails", 5, [](const auto& x) { return std::sin(2.0 * kPi * x[0]) + x[1]; },
       [](const auto&, double m, Random& r) { return m + std::student_t_distribution<double>(3.0)(r); }},
      {"skewed", 5, [](const auto& x) { return std::exp(x[0] + (x[1] > 0.5 ? 1.0 : 0.0)); },
       [](const auto&, double m, Random& r) { return std::gamma_distribution<double>(2.0, m / 2.0)(r); }},
  };
  return all;
}

struct Rows {
  Table table;
  std::vector<double> means, targets;
};

Rows draw_rows(const Set& set, std::size_t n, Random& random) {
  std::vector<std::vector<double>> columns(set.columns);
  Rows rows;
  std::vector<double> x(set.columns);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < set.columns; ++j) columns[j].push_back(x[j] = uniform(random));
    rows.means.push_back(set.mean(x));
    rows.targets.push_back(set.draw(x, rows.means.back(), random));
  }
  for (std::size_t j = 0; j < set.columns; ++j) rows.table.add(fmt::format("x{}", j), columns[j]);
  rows.table.add("y", rows.targets);
  return rows;
}

struct Coverage {
  double covered = 0.0, asked = 0.0, width = 0.0;
  void add(double low, double high, double truth) {
    covered += low <= truth && truth <= high ? 1.0 : 0.0;
    asked += 1.0;
    width += high - low;
  }
  void print(std::string_view what, std::string_view set, std::int64_t repeats) const {
    fmt::print("{},{},{},{:.4f},{:.4f}\n", what, set, repeats, covered / asked, width / asked);
    std::fflush(stdout);
  }
};

FitSpec spec() {
  FitSpec out;
  out.targets = {"y"};
  return out;
}

void trees(const Set& set, std::int64_t repeats) {
  Random random(20261115);
  const Execution one{1, {}};
  const Rows many = draw_rows(set, 50'000, random);  // what leaves hold in truth
  Coverage conformal, by_leaf, means, plain_means;
  for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
    const Rows rows = draw_rows(set, 1'000, random), fresh = draw_rows(set, 50, random);
    Params params;
    params.seed = repeat;
    params.min_samples_leaf = Amount::count(25);
    params.calibration_fraction = 0.3;
    const Model calibrated = fit(rows.table, spec(), params, one);
    const Intervals all = predict_interval(calibrated, fresh.table, 0.9, CalibrateBy::all, one),
                    own = predict_interval(calibrated, fresh.table, 0.9, CalibrateBy::leaf, one);
    for (std::size_t i = 0; i < fresh.targets.size(); ++i) {
      conformal.add(all.lower[i], all.upper[i], fresh.targets[i]);
      by_leaf.add(own.lower[i], own.upper[i], fresh.targets[i]);
    }
    params.calibration_fraction = 0.0;
    params.honest = true;
    params.min_honest_rows = 10;
    params.honest_method = "prune";
    const Model honest = fit(rows.table, spec(), params, one);
    const std::vector<NodeId> leaves = honest.apply(many.table, 0, one),
                              mine = honest.apply(fresh.table, 0, one);
    std::vector<double> sums(static_cast<std::size_t>(honest.tree().n_nodes())), counts(sums.size());
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      sums[static_cast<std::size_t>(leaves[i])] += many.means[i];
      counts[static_cast<std::size_t>(leaves[i])] += 1.0;
    }
    const Intervals ends = predict_mean_interval(honest, fresh.table, 0.9, 0, one);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const auto leaf = static_cast<std::size_t>(mine[i]);
      if (counts[leaf] > 0.0) means.add(ends.lower[i], ends.upper[i], sums[leaf] / counts[leaf]);
    }
  }
  conformal.print("conformal", set.name, repeats);
  by_leaf.print("conformal by leaf", set.name, repeats);
  means.print("honest leaf mean", set.name, repeats);
}

void forests(const Set& set, std::int64_t repeats, int n_trees) {
  Random random(20261115);
  Coverage truth;
  double squared = 0.0;
  for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
    const Rows rows = draw_rows(set, 1'000, random), fresh = draw_rows(set, 50, random);
    Params params;
    params.seed = repeat;
    params.honest = true;
    params.honest_method = "prune";
    params.forest = n_trees;
    params.little_bags = 2;
    params.min_samples_leaf = Amount::count(5);
    const Model forest = fit(rows.table, spec(), params, Execution{1, {}});
    const Intervals ends = predict_mean_interval(forest, fresh.table, 0.9, 0, Execution{1, {}});
    for (std::size_t i = 0; i < fresh.means.size(); ++i) {
      truth.add(ends.lower[i], ends.upper[i], fresh.means[i]);
      const double gap = (ends.lower[i] + ends.upper[i]) / 2.0 - fresh.means[i];
      squared += gap * gap / static_cast<double>(fresh.means.size()) / static_cast<double>(repeats);
    }
  }
  truth.print(fmt::format("honest forest of {} (rmse {:.4f})", n_trees, std::sqrt(squared)), set.name,
              repeats);
}

int run(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  const std::int64_t repeats = argc > 2 ? std::atoll(argv[2]) : 100;
  const int n_trees = argc > 3 ? std::atoi(argv[3]) : 500;
  if (what != "trees" && what != "forests") {
    fmt::print(stderr, "usage: bench_coverage trees REPEATS | forests REPEATS TREES\n");
    return 2;
  }
  fmt::print("what,data,repeats,coverage,mean width\n");
  for (const Set& set : sets()) what == "trees" ? trees(set, repeats) : forests(set, repeats, n_trees);
  return 0;
}

}  // namespace
}  // namespace bough

int main(int argc, char** argv) {
  return bough::run(argc, argv);
}
