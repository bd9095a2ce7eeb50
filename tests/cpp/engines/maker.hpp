// SPDX-License-Identifier: Apache-2.0
// Random tables of every kind, with targets, weights and parameters, for whoever must give the same tree twice.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

struct MadeCase {
  Table table;
  FitSpec spec;
  Params params;
  std::string words;
  bool several = false;  // targets
};

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  /// `n`: rows; 0: drawn.
  MadeCase make(int n = 0) {
    MadeCase c;
    const int drawn = pick({2, 3, 5, 17, 40, 130, 300, 700, 1500, 5000}) + below(7);
    n_ = n > 0 ? n : drawn;
    const int n_columns = 1 + below(6);
    signal_.assign(static_cast<std::size_t>(n_), 0.0);
    for (int j = 0; j < n_columns; ++j) add_column(c, std::string("x").append(std::to_string(j)));
    if (chance(25)) add_one_hot(c);
    add_target(c);
    add_options(c);
    c.words.append(" n=").append(std::to_string(n_)).append(" ").append(params_to_json(c.params));
    for (const ColumnSpec& spec : c.spec.columns)
      c.words.append(spec.kind == Kind::ordinal ? " ordinal " : " category ").append(spec.name);
    return c;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  int pick(std::initializer_list<int> values) {
    return *(values.begin() + below(static_cast<int>(values.size())));
  }
  bool chance(int percent) { return below(100) < percent; }
  double normal() { return std::normal_distribution<double>()(random_); }

  void add_column(MadeCase& c, const std::string& name) {
    const int kind = below(9);
    const bool missing = chance(25);
    std::vector<double> x(static_cast<std::size_t>(n_));
    const int levels = pick({1, 2, 3, 8, 12, 100, 300, 400});
    for (double& v : x) {
      switch (kind) {
        case 0:
          v = normal();
          break;
        case 1:
          v = below(levels);
          break;
        case 2:
          v = std::floor(normal() * 3) / 2;
          break;
        case 3:
          v = std::ldexp(normal(), below(60) - 30);
          break;
        case 4:
          v = chance(90) ? 0.0 : normal();
          break;
        case 5:
          v = 1e9 + below(1000) * 1e-7;
          break;
        default:
          v = below(levels);
          break;
      }
      if (chance(1)) v = -0.0;
    }
    for (std::size_t i = 0; i < x.size(); ++i)
      if (std::isfinite(x[i]))
        signal_[i] += std::sin(x[i] * 3) * (0.5 + static_cast<double>(c.table.n_columns()));
    for (double& v : x)
      if (missing && chance(15)) v = std::numeric_limits<double>::quiet_NaN();
    if (kind == 0 || kind == 4) {
      if (chance(50)) {
        const std::vector<float> floats(x.begin(), x.end());
        c.table.add(name, std::span<const float>(floats));
        return;
      }
    }
    if (kind == 3 && chance(20)) x[0] = std::numeric_limits<double>::infinity();
    c.table.add(name, std::span<const double>(x));
    ColumnSpec spec;
    spec.name = name;
    if (kind == 6) spec.kind = Kind::ordinal;
    if (kind >= 7) spec.kind = Kind::category;
    if (spec.kind) c.spec.columns.push_back(spec);
  }

  // Columns that exclude each other in all rows, or in all but one.
  void add_one_hot(MadeCase& c) {
    const int n_levels = 2 + below(6);
    std::vector<std::vector<double>> x(static_cast<std::size_t>(n_levels),
                                       std::vector<double>(static_cast<std::size_t>(n_), 0.0));
    for (std::size_t i = 0; i < signal_.size(); ++i) {
      const int level = below(n_levels);
      x[static_cast<std::size_t>(level)][i] = 1.0;
      signal_[i] += level % 3;
    }
    if (chance(20)) x[0][0] = x[1][0] = 1.0;
    for (std::size_t k = 0; k < x.size(); ++k)
      c.table.add(std::string("h").append(std::to_string(k)), std::span<const double>(x[k]));
  }

  void add_target(MadeCase& c) {
    std::vector<double> y(static_cast<std::size_t>(n_));
    const int n_classes = pick({2, 2, 2, 3, 7, 40, 300});
    const bool classes = chance(55);
    const double noise = pick({0, 1, 1, 4});
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double s = signal_[i] + noise * normal();
      y[i] = classes ? std::fabs(std::fmod(std::floor(s), n_classes)) : s;
    }
    const char* const class_names[] = {"gini",      "gini",      "entropy", "misclassification",
                                       "hellinger", "gain_ratio"};
    const char* const number_names[] = {"squared_error", "squared_error", "poisson", "absolute_error",
                                        "quantile"};
    c.params.task = classes ? "classification" : "regression";
    c.params.criterion = classes ? class_names[below(6)] : number_names[below(5)];
    if (c.params.criterion == "poisson")
      for (double& v : y) v = std::floor(std::fabs(v) * 2) + (chance(2) ? 1 : 0);
    if (c.params.criterion == "poisson") y[0] = 1.0;
    if (!classes && chance(15))
      for (double& v : y) v = v * 1e-9 + 1e6;
    c.table.add("y", std::span<const double>(y));
    c.spec.targets = {"y"};
    c.several = chance(25);
    if (c.several) add_outputs(c, y, classes);
    c.words = c.params.criterion;
    if (classes) c.words.append(" classes=").append(std::to_string(n_classes));
    if (chance(25)) {
      std::vector<double> w(y.size());
      const int style = below(4);
      for (double& v : w)
        v = style == 0   ? below(4)
            : style == 1 ? std::ldexp(1.0 + below(1000) / 999.0, below(6))
            : style == 2 ? std::ldexp(1.0 + below(1000) / 999.0, below(40) - 20)
                         : below(1000) / 4.0;
      w[0] = 1.0;
      c.table.add("w", std::span<const double>(w));
      c.spec.weight.assign(1, 'w');  // g++ 12 sees an overlap in = "w"
      c.words.append(" weights of style ").append(std::to_string(style));
    }
  }

  // More targets of the same kind: like the first, unlike it, constant, of another scale, with other classes.
  void add_outputs(MadeCase& c, const std::vector<double>& first, bool classes) {
    const int n_outputs = 1 + below(3);
    for (int o = 0; o < n_outputs; ++o) {
      std::vector<double> y(first);
      const int style = below(5), n_classes = pick({2, 2, 3, 9});
      const double scale = std::ldexp(1.0, below(30) - 15);
      for (std::size_t i = 0; i < y.size(); ++i) {
        if (style == 0) y[i] = 1.0;
        if (style == 1) y[i] = std::floor(std::fabs(signal_[i])) + below(2);
        if (style == 2) y[i] = below(50);
        if (style == 3 && chance(30)) y[i] = below(2);
        y[i] = classes ? std::fmod(std::fabs(std::floor(y[i])), n_classes) : y[i] * scale;
      }
      if (c.params.criterion == "poisson") y[0] = scale;
      const std::string name = std::string("y").append(std::to_string(o));
      c.table.add(name, std::span<const double>(y));
      c.spec.targets.push_back(name);
    }
    c.words.append(" outputs");
  }

  void add_options(MadeCase& c) {
    if (chance(50)) c.params.max_depth = 1 + below(9);
    if (chance(25)) c.params.min_samples_leaf = Amount::count(1 + below(20));
    if (chance(10)) c.params.min_weight_fraction_leaf = 0.01 * below(10);
    if (chance(10)) c.params.min_impurity_decrease = 0.001 * below(20);
    if (chance(20)) c.params.max_features = Amount::count(1 + below(3));
    if (chance(15)) c.params.max_leaf_nodes = 2 + below(60);
    if (chance(25)) c.params.splitter = chance(60) ? "random" : "hist";
    if (chance(30)) c.params.category_split = "equality";
    c.params.seed = below(1000);
    if (chance(10)) c.params.interaction_cst = {{"x0"}};
    const bool two = c.params.task == "regression" || c.words.find("classes=2") != std::string::npos;
    bool free = two && !c.several;
    for (const ColumnSpec& spec : c.spec.columns) free &= !(spec.name == "x0" && spec.kind == Kind::category);
    if (free && chance(15)) {
      c.params.monotonic_cst = {{"x0", chance(50) ? 1.0 : -1.0}};
      c.words += " monotone";
    }
  }

  std::mt19937_64 random_;
  int n_ = 0;
  std::vector<double> signal_;
};

}  // namespace bough
