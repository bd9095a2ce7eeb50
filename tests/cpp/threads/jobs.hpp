// SPDX-License-Identifier: Apache-2.0
// Fits of every engine and every way to make a model, small and named, for tests that run them under hard
// conditions.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// One fit: what for, with what, by which engine.
struct FitJob {
  std::string name;
  FitSpec spec;
  Params params;
  std::string engine = "auto";
};

/// Numbers, missing cells, floats, a category, weights, two arms, classes and numbers to predict.
inline Table job_table(int n, unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](int k) { return static_cast<int>(random() % static_cast<unsigned>(k)); };
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> a, b, weight, y, z;
  std::vector<float> f;
  std::vector<std::int64_t> arm;
  std::vector<std::int32_t> colour;
  std::vector<std::string> label;
  for (int i = 0; i < n; ++i) {
    a.push_back(std::ldexp(static_cast<double>(random()), -20));
    b.push_back(draw(10) == 0 ? kNaN : draw(40) * 0.25);
    f.push_back(static_cast<float>(draw(1000)) / 7.0F);
    colour.push_back(draw(12) == 0 ? -1 : draw(5));
    weight.push_back(0.5 * (1 + draw(4)));
    arm.push_back(draw(2));
    const double signal =
        a.back() / 1000.0 + (std::isnan(b.back()) ? 2.0 : b.back()) + (colour.back() == 2 ? 3.0 : 0.0);
    y.push_back(signal + 0.001 * draw(1000) + (arm.back() == 1 ? 1.0 : 0.0));
    z.push_back(draw(100));
    label.push_back(signal + draw(3) > 7.0 ? "high" : draw(20) == 0 ? "odd" : "low");
  }
  Table table;
  const std::string colours[] = {"red", "green", "blue", "grey", "gold"};
  table.add("a", a);
  table.add("b", b);
  table.add("f", f);
  table.add("colour", colour, colours);
  table.add("weight", weight);
  table.add("arm", arm);
  table.add("y", y);
  table.add("z", z);
  table.add("label", label);
  return table;
}

inline FitSpec job_spec(std::vector<std::string> targets) {
  FitSpec spec;
  for (const char* other : {"weight", "arm", "y", "z", "label"})
    if (std::find(targets.begin(), targets.end(), other) == targets.end()) spec.ignored.emplace_back(other);
  spec.targets = std::move(targets);
  return spec;
}

/// Every engine, forests, and every way a tree is made after it was grown.
inline std::vector<FitJob> fit_jobs() {
  std::vector<FitJob> jobs;
  const auto add = [&](std::string name, std::vector<std::string> targets, const std::string& json,
                       std::string engine = "auto") {
    jobs.push_back(
        {std::move(name), job_spec(std::move(targets)), params_from_json(json), std::move(engine)});
  };
  for (const char* engine : {"lists", "refine", "frugal", "presorted"}) {
    add(std::string("classes, ") + engine, {"label"}, R"({"criterion": "gini"})", engine);
    add(std::string("numbers, ") + engine, {"y"}, R"({"criterion": "squared_error"})", engine);
  }
  add("entropy, leaves", {"label"}, R"({"criterion": "entropy", "max_leaf_nodes": 12})");
  add("two outputs", {"y", "z"}, R"({"max_depth": 5})");
  add("absolute_error", {"y"}, R"({"criterion": "absolute_error", "max_depth": 4})");
  add("quantile", {"y"}, R"({"criterion": "quantile", "quantile": 0.8, "max_depth": 4})");
  add("hist", {"label"}, R"({"splitter": "hist", "max_depth": 4})");
  add("random", {"label"}, R"({"splitter": "random", "max_depth": 4})");
  add("searched", {"label"}, R"({"search": "anytime", "max_leaf_nodes": 6, "work_limit": 100000})");
  add("optimal", {"label"}, R"({"search": "optimal", "max_depth": 3, "work_limit": 100000})");
  add("searched numbers", {"y"}, R"({"search": "anytime", "max_leaf_nodes": 6, "work_limit": 1000000})");
  add("optimal numbers", {"y"}, R"({"search": "optimal", "max_depth": 2, "work_limit": 1000000})");
  add("shrunken", {"label"}, R"({"shrinkage": "cv", "min_samples_leaf": 3})");
  add("surrogates", {"label"}, R"({"missing_policy": "surrogate", "competitors": 2, "max_depth": 4})");
  add("oblique", {"label"}, R"({"oblique": true, "max_depth": 4})");
  add("honest", {"y"}, R"({"honest": true, "max_depth": 4})");
  add("refined", {"label"}, R"({"tao": 2, "max_depth": 3})");
  add("pruned by folds", {"label"}, R"({"pruning": "cost_complexity", "pruning_folds": 3})");
  add("reduced error", {"label"}, R"({"pruning": "reduced_error"})");
  add("cp", {"label"}, R"({"cp": 0.01})");
  add("id3", {"label"}, R"({"algorithm": "id3", "discretize": "mdl", "max_depth": 3})");
  add("c45", {"label"}, R"({"algorithm": "c45"})");
  add("calibrated", {"y"}, R"({"calibration_fraction": 0.3, "max_depth": 4})");
  add("forest of classes", {"label"}, R"({"forest": 6, "max_depth": 6, "max_features": "sqrt"})");
  add("forest of numbers", {"y"}, R"({"forest": 3, "max_depth": 5})");
  add("forest, lists", {"label"}, R"({"forest": 4, "max_depth": 4})", "lists");
  add("honest forest", {"y"}, R"({"forest": 4, "honest": true, "max_depth": 4})");
  add("oblique forest", {"label"}, R"({"forest": 4, "oblique": true, "max_depth": 4})");
  jobs.push_back(
      {"effects", job_spec({"y"}), params_from_json(R"({"max_depth": 3, "min_samples_arm": 2})"), "auto"});
  std::erase(jobs.back().spec.ignored, "arm");
  jobs.back().spec.treatment = "arm";
  jobs.push_back({"weighted", job_spec({"label"}), params_from_json(R"({"max_depth": 6})"), "auto"});
  std::erase(jobs.back().spec.ignored, "weight");
  jobs.back().spec.weight = "weight";
  return jobs;
}

}  // namespace bough
