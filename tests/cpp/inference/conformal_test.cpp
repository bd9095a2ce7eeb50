// SPDX-License-Identifier: Apache-2.0
// Intervals, sets and quantiles against their definitions, on small tables.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/distributions.hpp"
#include "bough/intervals.hpp"
#include "bough/prune.hpp"

namespace bough {
namespace {

struct Data {
  std::vector<double> x, z, y;
  [[nodiscard]] Table table(bool classes = false) const {
    Table out;
    out.add("x", x);
    out.add("z", z);
    if (classes) {
      std::vector<std::string> labels;
      for (const double v : y) labels.push_back(v < 0.5 ? "low" : v < 1.5 ? "middle" : "high");
      out.add("y", labels);
    } else {
      out.add("y", y);
    }
    return out;
  }
};

Data draw_data(std::uint64_t seed, std::size_t n) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::normal_distribution<double> normal;
  Data data;
  for (std::size_t i = 0; i < n; ++i) {
    data.x.push_back(uniform(random));
    data.z.push_back(uniform(random));
    data.y.push_back((data.x.back() > 0.5 ? 1.5 : 0.0) + (0.2 + data.z.back()) * normal(random));
  }
  return data;
}

FitSpec target() {
  FitSpec spec;
  spec.targets = {"y"};
  return spec;
}

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

Params small_tree() {
  Params params;
  params.max_depth = 3;
  params.min_samples_leaf = Amount::count(10);
  return params;
}

TEST(Conformal, the_bound_is_the_error_of_the_rank_that_the_definition_asks_for) {
  const Model model = fit(draw_data(1, 200).table(), target(), small_tree());
  const Table rows = draw_data(2, 25).table(), fresh = draw_data(3, 40).table();
  const Data truth = draw_data(2, 25);
  const Model calibrated = calibrate(model, rows);
  EXPECT_EQ(calibration_rows(calibrated), 25);
  std::vector<double> errors = model.predict(rows);
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] = std::fabs(errors[i] - truth.y[i]);
  std::sort(errors.begin(), errors.end());
  const std::vector<double> centres = model.predict(fresh);
  for (const auto& [coverage, rank] :
       std::vector<std::pair<double, std::size_t>>{{0.5, 13}, {0.9, 24}, {0.96, 25}}) {
    const Intervals got = predict_interval(calibrated, fresh, coverage);
    for (std::size_t i = 0; i < centres.size(); ++i) {
      EXPECT_DOUBLE_EQ(got.lower[i], centres[i] - errors[rank - 1]) << coverage;
      EXPECT_DOUBLE_EQ(got.upper[i], centres[i] + errors[rank - 1]) << coverage;
    }
  }
  EXPECT_TRUE(std::isinf(predict_interval(calibrated, fresh, 0.97).upper[0])) << "rank 26 of 25";
}

TEST(Conformal, groups_are_the_deepest_nodes_whose_siblings_can_all_speak) {
  const Model model =
      calibrate(fit(draw_data(4, 300).table(), target(), small_tree()), draw_data(5, 150).table());
  const Data truth = draw_data(5, 150);
  const Table rows = truth.table(), fresh = draw_data(6, 50).table();
  const Tree& tree = model.tree();
  const std::vector<double> answers = model.predict(rows), centres = model.predict(fresh);
  const DecisionPaths ways = model.decision_path(rows), asked = model.decision_path(fresh);
  const auto passes = [&](std::size_t row, NodeId node) {
    const auto first = ways.nodes.begin() + ways.starts[row],
               last = ways.nodes.begin() + ways.starts[row + 1];
    return std::find(first, last, node) != last;
  };
  const std::size_t least = 9;  // ceil(0.9 * 10) = 9 of 9
  const Intervals got = predict_interval(model, fresh, 0.9, CalibrateBy::leaf);
  std::size_t inner = 0, below = 0;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    NodeId group = 0;
    for (std::int64_t k = asked.starts[i] + 1; k < asked.starts[i + 1]; ++k) {
      const NodeId next = asked.nodes[static_cast<std::size_t>(k)];
      bool all = true;
      for (const NodeId child : tree.children(group)) {
        std::size_t count = child == next ? 1 : 0;  // the new row is one of the rows that are divided
        for (std::size_t row = 0; row < 150; ++row) count += passes(row, child) ? 1 : 0;
        all = all && count >= least + 1;
      }
      if (!all) break;
      group = next;
    }
    std::vector<double> errors;
    for (std::size_t row = 0; row < 150; ++row)
      if (passes(row, group)) errors.push_back(std::fabs(answers[row] - truth.y[row]));
    std::sort(errors.begin(), errors.end());
    const auto rank =
        static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(errors.size() + 1) - 1e-9));
    ASSERT_LE(rank, errors.size());
    EXPECT_DOUBLE_EQ(got.upper[i], centres[i] + errors[rank - 1]);
    (tree.is_leaf(group) ? below : inner) += 1;
  }
  EXPECT_GT(inner, 0U);
  EXPECT_GT(below, 0U);
}

TEST(Conformal, sets_hold_the_classes_whose_share_is_as_large_as_the_bound_asks) {
  Params params = small_tree();
  params.calibration_fraction = 0.3;
  const Table rows = draw_data(7, 300).table(true), fresh = draw_data(8, 30).table(true);
  const Model model = fit(rows, target(), params);
  EXPECT_EQ(calibration_rows(model), 90);
  EXPECT_EQ(model.tree().n_rows(0), 210) << "calibration rows train nothing";
  const std::vector<double> shares = model.predict_proba(fresh);
  const std::vector<char> narrow = predict_set(model, fresh, 0.6), wide = predict_set(model, fresh, 0.95);
  double least = 1.0, most = 0.0;  // shares in and out of the sets
  for (std::size_t i = 0; i < shares.size(); ++i) {
    EXPECT_LE(narrow[i], wide[i]);
    if (narrow[i])
      least = std::min(least, shares[i]);
    else
      most = std::max(most, shares[i]);
  }
  EXPECT_LT(most, least);
  EXPECT_NE(message([&] { (void)predict_interval(model, fresh); }).find("classes have no"),
            std::string::npos);
}

TEST(Conformal, calibration_survives_files_and_what_is_forged_or_outdated_is_refused) {
  Params params = small_tree();
  params.calibration_fraction = 0.25;
  const Table rows = draw_data(9, 200).table();
  const Model model = fit(rows, target(), params);
  const std::vector<double> upper = predict_interval(model, rows).upper;
  EXPECT_EQ(predict_interval(Model::from_bytes(model.to_bytes()), rows).upper, upper);
  EXPECT_EQ(predict_interval(Model::from_json(model.to_json()), rows).upper, upper);
  Execution one;
  one.threads = 1;
  EXPECT_EQ(fit(rows, target(), params, one).to_bytes(), model.to_bytes());
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, double>>{{"calibration_scores", -1.0},
                                                   {"calibration_scores", std::nan("")},
                                                   {"calibration_nodes", 1e9},
                                                   {"calibration_nodes", 0.5},
                                                   {"calibration_of", 1e300}}) {
    Model::Parts parts = model.parts();
    parts.extras.at(name).back() = value;
    const Model forged{std::move(parts)};
    EXPECT_NE(
        message([&] { (void)predict_interval(forged, rows, 0.9, CalibrateBy::leaf); }).find("does not fit"),
        std::string::npos)
        << name << " " << value;
  }
  const Model pruned = prune(model, 1.0);
  EXPECT_NE(message([&] { (void)predict_interval(pruned, rows); }).find("calibrate again"),
            std::string::npos);
  EXPECT_NE(message([&] { (void)predict_interval(fit(rows, target()), rows); }).find("not calibrated"),
            std::string::npos);
  EXPECT_NE(message([&] { (void)predict_interval(model, rows, 1.0); }).find("coverage of 1"),
            std::string::npos);
}

TEST(MeanIntervals, are_students_over_the_leafs_own_rows) {
  Params params = small_tree();
  params.honest = true;
  const Table rows = draw_data(10, 300).table();
  const Model model = fit(rows, target(), params);
  const Intervals got = predict_mean_interval(model, rows, 0.9);
  const std::vector<NodeId> leaves = model.apply(rows);
  const std::vector<double> centres = model.predict(rows);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Tree& tree = model.tree();
    const auto n = static_cast<double>(tree.n_rows(leaves[i]));
    // Without weights the impurity is the variance over n.
    const double half = student_quantile(0.95, n - 1.0) * std::sqrt(tree.impurity(leaves[i]) / (n - 1.0));
    EXPECT_NEAR(got.upper[i] - centres[i], half, 1e-12);
    EXPECT_NEAR(centres[i] - got.lower[i], half, 1e-12);
  }
  Params plain = small_tree();
  EXPECT_NE(
      message([&] { (void)predict_mean_interval(fit(rows, target(), plain), rows); }).find("honest=true"),
      std::string::npos);
  params.cross_fit = true;
  EXPECT_NE(
      message([&] { (void)predict_mean_interval(fit(rows, target(), params), rows); }).find("cross-fitted"),
      std::string::npos);
  params.cross_fit = false;
  params.criterion = "absolute_error";
  EXPECT_NE(message([&] { (void)predict_mean_interval(fit(rows, target(), params), rows); }).find("no means"),
            std::string::npos);
}

TEST(MeanIntervals, of_class_shares_are_wilsons) {
  Params params = small_tree();
  params.honest = true;
  const Table rows = draw_data(11, 300).table(true);
  const Model model = fit(rows, target(), params);
  const Intervals got = predict_mean_interval(model, rows, 0.95);
  const std::vector<double> shares = model.predict_proba(rows);
  const std::vector<NodeId> leaves = model.apply(rows);
  const double z = 1.959963984540054;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    // The ends are the p with |share - p| = z sqrt(p (1 - p) / n).
    const auto n = static_cast<double>(model.tree().n_rows(leaves[i / 3]));
    for (const double end : {got.lower[i], got.upper[i]})
      EXPECT_NEAR((shares[i] - end) * (shares[i] - end), z * z * end * (1.0 - end) / n, 1e-9);
    EXPECT_LE(got.lower[i], shares[i]);
    EXPECT_GE(got.upper[i], shares[i]);
  }
}

TEST(StandardErrors, of_groups_are_the_spread_between_less_that_inside) {
  Params params = small_tree();
  params.honest = true;
  params.forest = 40;
  params.little_bags = 2;
  const Table rows = draw_data(12, 200).table();
  const Model forest = fit(rows, target(), params);
  const std::vector<double> got = predict_std_error(forest, rows);
  std::vector<std::vector<double>> trees;
  for (std::size_t t = 0; t < 40; ++t) {
    std::vector<double> values;
    for (const NodeId leaf : forest.apply(rows, t)) {
      double value = 0.0;
      forest.trees()[t].values(leaf, std::span(&value, 1));
      values.push_back(value);
    }
    trees.push_back(values);
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    double mean = 0.0, between = 0.0, within = 0.0;
    for (const auto& tree : trees) mean += tree[i] / 40.0;
    for (std::size_t g = 0; g < 20; ++g) {
      const double a = trees[2 * g][i], b = trees[2 * g + 1][i], centre = (a + b) / 2.0;
      between += (centre - mean) * (centre - mean) / 19.0;
      within += (a - b) * (a - b) / 2.0 / 20.0;
    }
    const double raw = between - within / 2.0, s = std::max(between, within / 2.0) * std::sqrt(0.1);
    // The mean of a normal cut off below 0, by summing it up.
    double weight = 0.0, sum = 0.0;
    for (int k = 0; k < 200000; ++k) {
      const double v = (k + 0.5) * 1e-4 * s, density = std::exp(-(v - raw) * (v - raw) / (2.0 * s * s));
      weight += density;
      sum += v * density;
    }
    if (i % 20 == 0) {
      EXPECT_NEAR(got[i] * got[i] / (sum / weight), 1.0, 1e-4) << i;
    }
    EXPECT_GE(got[i] * got[i], raw);
    EXPECT_GT(got[i], 0.0);
  }
  const Intervals ends = predict_mean_interval(forest, rows, 0.9);
  const std::vector<double> centres = forest.predict(rows);
  EXPECT_NEAR(ends.upper[3] - centres[3], 1.6448536269514722 * got[3], 1e-12);
  params.little_bags = 0;
  EXPECT_NE(
      message([&] { (void)predict_mean_interval(fit(rows, target(), params), rows); }).find("little_bags=2"),
      std::string::npos);
}

TEST(Quantiles, of_a_tree_are_those_of_the_targets_in_its_leaf) {
  for (const bool honest : {false, true}) {
    Params params = small_tree();
    params.leaf_samples = true;
    params.honest = honest;
    const Data data = draw_data(13, 300);
    const Table rows = data.table();
    const Model model = fit(rows, target(), params);
    const std::vector<double> levels{0.0, 0.1, 0.5, 1.0};
    const std::vector<double> got = predict_quantile(Model::from_bytes(model.to_bytes()), rows, levels);
    const std::vector<NodeId> leaves = model.apply(rows);
    for (std::size_t i = 0; i < 300; i += 7) {
      std::vector<double> own;
      for (std::size_t j = 0; j < 300; ++j)
        if (leaves[j] == leaves[i]) own.push_back(data.y[j]);
      std::sort(own.begin(), own.end());
      if (honest) {
        // Of the rows in the leaf only those that estimate: fewer, and their mean is the leaf's.
        EXPECT_GE(got[i * 4], own.front());
        EXPECT_LE(got[i * 4 + 3], own.back());
        continue;
      }
      const auto n = static_cast<double>(own.size());
      EXPECT_EQ(got[i * 4], own.front());
      EXPECT_EQ(got[i * 4 + 1], own[static_cast<std::size_t>(std::ceil(0.1 * n - 1e-9)) - 1]);
      EXPECT_EQ(got[i * 4 + 2], own[static_cast<std::size_t>(std::ceil(0.5 * n)) - 1]);
      EXPECT_EQ(got[i * 4 + 3], own.back());
    }
  }
}

TEST(Quantiles, of_a_forest_weigh_rows_by_their_share_of_the_leaves) {
  Params params = small_tree();
  params.leaf_samples = true;
  params.forest = 7;
  const Data data = draw_data(14, 120);
  const Table rows = data.table();
  const Model model = fit(rows, target(), params);
  const std::vector<double> levels{0.05, 0.5, 0.9};
  const std::vector<double> got = predict_quantile(model, rows, levels);
  std::vector<std::vector<NodeId>> leaves;
  for (std::size_t t = 0; t < 7; ++t) leaves.push_back(model.apply(rows, t));
  for (std::size_t i = 0; i < 120; i += 5) {
    std::vector<std::pair<double, double>> weighted;
    for (std::size_t j = 0; j < 120; ++j) {
      double weight = 0.0;
      for (const auto& of_tree : leaves)
        if (of_tree[j] == of_tree[i])
          weight += 1.0 / 7.0 / static_cast<double>(std::count(of_tree.begin(), of_tree.end(), of_tree[i]));
      weighted.emplace_back(data.y[j], weight);
    }
    std::sort(weighted.begin(), weighted.end());
    for (std::size_t q = 0; q < 3; ++q) {
      double below = 0.0;
      std::size_t k = 0;
      while ((below += weighted[k].second) < levels[q] - 1e-12) ++k;
      EXPECT_EQ(got[i * 3 + q], weighted[k].first);
    }
  }
  EXPECT_NE(
      message([&] { (void)predict_quantile(fit(rows, target()), rows, levels); }).find("leaf_samples=true"),
      std::string::npos);
  EXPECT_NE(
      message([&] { (void)fit(draw_data(1, 50).table(true), target(), params); }).find("one number target"),
      std::string::npos);
  Model::Parts parts = model.parts();
  parts.extras.at("sample_rows").front() = 1e9;
  EXPECT_NE(message([&] { (void)predict_quantile(Model(parts), rows, levels); }).find("does not fit"),
            std::string::npos);
}

TEST(Ignored, leaves_answer_nan_and_forests_go_on_without_them) {
  Params params;
  params.honest = true;
  params.honest_prior = "ignore";
  params.min_honest_rows = 3;
  const Table rows = draw_data(15, 120).table(), classes = draw_data(15, 120).table(true);
  const Model tree = fit(rows, target(), params);
  const std::vector<double> answers = Model::from_json(tree.to_json()).predict(rows);
  const std::vector<NodeId> leaves = tree.apply(rows);
  std::size_t silent = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(std::isnan(answers[i]), tree.tree().n_rows(leaves[i]) < 3);
    silent += std::isnan(answers[i]) ? 1 : 0;
  }
  EXPECT_GT(silent, 0U);
  const Model sorts = fit(classes, target(), params);
  const std::vector<double> shares = sorts.predict_proba(classes);
  EXPECT_GT(std::count_if(shares.begin(), shares.end(), [](double p) { return std::isnan(p); }), 0);
  EXPECT_NE(message([&] { (void)sorts.predict(classes); }).find("honest_prior=ignore answers no class"),
            std::string::npos);
  params.forest = 30;
  const Model forest = fit(rows, target(), params);
  const std::vector<double> joint = forest.predict(rows);
  for (std::size_t i = 0; i < joint.size(); i += 11) {
    double sum = 0.0, n = 0.0;
    for (std::size_t t = 0; t < 30; ++t) {
      double value = 0.0;
      forest.trees()[t].values(forest.apply(rows, t)[i], std::span(&value, 1));
      if (std::isnan(value)) continue;
      sum += value;
      n += 1.0;
    }
    EXPECT_LT(n, 30.0);
    EXPECT_NEAR(joint[i], sum / n, 1e-12);
  }
}

}  // namespace
}  // namespace bough
