// SPDX-License-Identifier: Apache-2.0
// Models at the sizes where engines switch ways: limits are set small (base/internal_limits.hpp), tables have a row less, as many
// or a row more, and every kind of model must come out as the lists engine grows it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>

#include "base/internal_limits.hpp"
#include "bough/model.hpp"
#include "engines/maker.hpp"
#include "engines/random_cases.hpp"

namespace bough {
namespace {

int n_cases() {
  return cases_or(1200, 250);
}

class Drawer {
 public:
  explicit Drawer(std::uint64_t seed) : random_(seed ^ 0x11111) {}
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  int pick(std::initializer_list<int> values) {
    return *(values.begin() + below(static_cast<int>(values.size())));
  }

 private:
  std::mt19937_64 random_;
};

InternalLimits draw_limits(Drawer& draw) {
  InternalLimits limits;
  const auto set = [&](auto& limit, int least, int most) {
    if (draw.chance(50))
      limit = static_cast<std::remove_reference_t<decltype(limit)>>(least + draw.below(most - least + 1));
  };
  set(limits.sample_rows, 1, 200);
  set(limits.byte_levels, 2, 20);
  set(limits.ranks, 1, 40);
  set(limits.rank_columns, 1, 4);
  set(limits.bundle_members, 2, 4);
  set(limits.bundles_tried, 1, 2);
  set(limits.bundle_rare_rows, 0, 5);
  set(limits.small_rows, 0, 150);
  set(limits.slow_small_rows, 0, 100);
  set(limits.shallow_rows, 0, 50);
  set(limits.shallow_levels, 0, 5);
  set(limits.min_histogram, 1, 60);
  set(limits.histogram_budget, 1, 100000);
  set(limits.largest_histogram, 1, 1 << 20);
  set(limits.packed_rows, 1, 100);
  set(limits.tagged_classes, 0, 4);
  set(limits.counted_weight, 1, 100);
  set(limits.constant_columns, 0, 3);
  set(limits.ranked_single_rows, 0, 300);
  set(limits.ranked_few_rows, 2, 12);
  set(limits.ranked_inherit_rows, 1, 40);
  set(limits.ranked_near_rows, 1, 40);
  set(limits.ranked_counters, 0, 2);
  set(limits.ranked_common_eighths, 0, 8);
  set(limits.ranked_words, 0, 2);
  set(limits.ranked_sampled_rows, 0, 100);
  set(limits.whole_tree_rows, 0, 30);
  set(limits.leaf_cells, 1, 20);
  set(limits.combinations, 1, 4);
  set(limits.sum_slots, 1, 3);
  set(limits.sum_bytes, 1, 4000);
  set(limits.sum_batch, 1, 3);
  set(limits.bins, 1, 16);
  set(limits.binned_rows, 1, 50);
  set(limits.parallel_rows, 1, 100);
  set(limits.parallel_cells, 1, 100);
  set(limits.parallel_collect, 1, 50);
  set(limits.parallel_divide, 1, 50);
  set(limits.parallel_sums, 1, 50);
  set(limits.parallel_leaves, 1, 5);
  set(limits.parallel_refit, 1, 50);
  set(limits.parallel_fit, 1, 100);
  set(limits.parallel_predict, 1, 100);
  set(limits.shallow_depth, 0, 4);
  set(limits.deep_nodes, 1, 50);
  return limits;
}

// A table that has a row less than a limit, as many, or a row more; a forest's trees see about `share` of its rows. Of full trees,
// rows are nearly the leaves; a tree of one split has three nodes.
int draw_rows(Drawer& draw, const InternalLimits& limits, double share) {
  const std::size_t sizes[] = {
      limits.small_rows,         limits.slow_small_rows,     limits.shallow_rows,
      limits.min_histogram,      limits.packed_rows,         limits.parallel_rows,
      limits.sample_rows,        limits.parallel_divide,     2 * limits.parallel_collect,
      limits.ranked_few_rows,    limits.ranked_near_rows,    limits.ranked_inherit_rows,
      limits.ranked_single_rows, limits.ranked_sampled_rows, limits.whole_tree_rows,
      limits.leaf_cells,         limits.parallel_leaves,     3 * limits.whole_tree_rows};
  const auto drawn = static_cast<std::size_t>(draw.below(static_cast<int>(std::size(sizes))));
  const auto limit = static_cast<double>(std::min<std::size_t>(sizes[drawn], 400));
  return std::max(1, static_cast<int>(limit / share) + draw.below(3) - 1);
}

void be_forest(Params& params, Drawer& draw, double share, std::int64_t n_rows) {
  params.forest = 1 + draw.below(6);
  params.bootstrap = share < 1.0;
  // A count: a fraction would be one of the sum of weights, which may be millions.
  if (share < 0.5)
    params.max_samples = Amount::count(static_cast<double>(std::max<std::int64_t>(1, n_rows / 2)));
  if (draw.chance(70)) params.max_features = Amount::count(1 + draw.below(3));
  params.pruning = "none";
}

// What fits, or how it is refused.
struct Outcome {
  std::optional<Model> model;
  std::optional<ErrorCode> refused;
  std::string words;
};

Outcome outcome(const MadeCase& c, const char* engine, int threads) {
  Execution execution;
  execution.engine = engine;
  execution.threads = threads;
  Outcome out;
  try {
    out.model = fit(c.table, c.spec, c.params, execution);
  } catch (const Error& error) {
    out.refused = error.code();
    out.words = error.what();
  }
  return out;
}

MadeCase make_case(std::uint64_t seed, Drawer& draw, const InternalLimits& limits) {
  const bool forest = draw.chance(65);
  const double share = !forest || draw.chance(30) ? 1.0 : draw.chance(70) ? 0.632 : 0.393;
  MadeCase c = Maker(seed).make(draw_rows(draw, limits, share));
  Params& params = c.params;
  if (draw.chance(75))
    params.max_depth = draw.below(4) == 0 ? std::nullopt : std::optional(1 + draw.below(3));
  if (params.splitter == "hist" && forest) params.splitter = "best";
  if (forest) be_forest(params, draw, share, c.table.n_rows());
  const int kind = draw.below(10);
  if (kind < 2) {
    params.oblique = true;
    params.feature_combinations = 1.0 + draw.below(2);
  }
  params.honest = kind == 2 || kind == 3;
  if (kind == 4) params.splitter = "random";
  if (kind == 5 && params.task == "regression" && !c.several) {
    std::vector<double> treated(static_cast<std::size_t>(c.table.n_rows()));
    for (double& t : treated) t = draw.below(2);
    c.table.add("t", std::span<const double>(treated));
    c.spec.treatment = "t";
    params.criterion = "auto";
    params.min_samples_arm = 1 + draw.below(2);
    params.splitter = "best";
    params.monotonic_cst.clear();
  }
  if (kind == 6 && !forest) params.tao = 2;
  c.words += " " + params_to_json(params);
  return c;
}

TEST(limits, no_model_depends_on_them) {
  const std::uint64_t base = base_seed();
  std::cout << "BOUGH_SEED=" << base << "\n";
  int fitted = 0, forests = 0;
  for (int i = 0; i < n_cases(); ++i) {
    const std::uint64_t seed = base + static_cast<std::uint64_t>(i);
    Drawer draw(seed);
    const InternalLimits limits = draw_limits(draw);
    const MadeCase c = make_case(seed, draw, limits);
    // The cuts of buckets are chosen by the sample: there the judge has the same.
    InternalLimits plain;
    if (c.params.splitter == "hist") plain.sample_rows = limits.sample_rows;
    std::optional<LimitsForTest> in_force(std::in_place, plain);
    const Outcome expected = outcome(c, "lists", 1);
    in_force.emplace(limits);
    const Outcome got = outcome(c, "auto", 1 + i % 2);
    ASSERT_EQ(got.refused, expected.refused) << "seed " << seed << ": " << c.words << "\n" << got.words;
    if (!got.model) continue;
    ++fitted;
    forests += c.params.forest > 0 ? 1 : 0;
    ASSERT_EQ(got.model->to_bytes(), expected.model->to_bytes()) << "seed " << seed << ": " << c.words;
    const std::vector<double> answers = got.model->predict(c.table);
    in_force.emplace(InternalLimits{});
    const std::vector<double> right = expected.model->predict(c.table);
    ASSERT_EQ(answers.size(), right.size());
    for (std::size_t k = 0; k < right.size(); ++k)
      ASSERT_TRUE(answers[k] == right[k] || (std::isnan(answers[k]) && std::isnan(right[k])))
          << "seed " << seed << ": " << c.words;
  }
  EXPECT_GT(fitted, n_cases() / 2);
  EXPECT_GT(forests, n_cases() / 5);
}

// The limits as they are: sizes at which the trees of a forest lie on both sides of one.
struct Edge {
  const char* words;
  std::vector<int> rows;
  double max_samples;
  std::optional<int> depth;
  int outputs;
};
const Edge kEdges[] = {{"sorted lists", {3100, 3239, 3240, 3241, 3350}, 0, {}, 1},
                       {"sorted lists, half of the rows", {5000, 5210, 5211, 5400}, 0.5, {}, 1},
                       {"two levels", {180, 195, 196, 202, 203, 210}, 0, 2, 1},
                       {"no fast scores", {380, 404, 405, 406, 420}, 0, {}, 2},
                       {"no fast scores, half of the rows", {649, 650, 651}, 0.5, {}, 2}};

Table edge_table(const Edge& edge, int rows, bool classes) {
  std::mt19937_64 random(static_cast<std::uint64_t>(rows));
  std::normal_distribution<double> normal;
  Table table;
  std::vector<std::vector<double>> x(5, std::vector<double>(static_cast<std::size_t>(rows)));
  for (auto& column : x)
    for (double& cell : column) cell = normal(random);
  for (std::size_t j = 0; j < x.size(); ++j)
    table.add(std::string("x").append(std::to_string(j)), std::span<const double>(x[j]));
  for (int o = 0; o < edge.outputs; ++o) {
    std::vector<double> y = x[static_cast<std::size_t>(o)];
    if (classes)
      for (double& v : y) v = v > 0 ? 1 : 0;
    table.add(std::string("y").append(std::to_string(o)), std::span<const double>(y));
  }
  std::vector<double> treated(static_cast<std::size_t>(rows));
  for (double& t : treated) t = static_cast<double>(random() % 2);
  table.add("t", std::span<const double>(treated));
  return table;
}

enum class ForestKind { random, extra, oblique, honest, honest_all_rows, causal };

void fit_edge(const Edge& edge, int rows, ForestKind kind, bool classes) {
  FitSpec spec;
  for (int o = 0; o < edge.outputs; ++o) spec.targets.push_back(std::string("y").append(std::to_string(o)));
  spec.ignored = {"t"};
  Params params;
  params.task = classes ? "classification" : "regression";
#if defined(BOUGH_CHECKED)
  params.forest = 4;
#else
  params.forest = 20;
#endif
  params.max_depth = edge.depth;
  params.max_features = Amount::count(2);
  if (edge.max_samples > 0) params.max_samples = Amount::fraction(edge.max_samples);
  if (kind == ForestKind::extra) params.splitter = "random";
  if (kind == ForestKind::oblique) params.oblique = true;
  params.honest = kind == ForestKind::honest || kind == ForestKind::honest_all_rows;
  if (kind == ForestKind::honest_all_rows) {
    params.bootstrap = false;
    params.max_samples.reset();
    if (classes) params.criterion = "hellinger";
  }
  if (kind == ForestKind::causal) {
    spec.ignored.clear();
    spec.treatment = "t";
  }
  ASSERT_EQ(fit(edge_table(edge, rows, classes), spec, params).trees().size(),
            static_cast<std::size_t>(params.forest));
}

TEST(limits, forests_whose_trees_lie_on_both_sides_of_a_limit_fit) {
  for (const Edge& edge : kEdges)
    for (const int rows : edge.rows)
      for (const ForestKind kind : {ForestKind::random, ForestKind::extra, ForestKind::oblique,
                                    ForestKind::honest, ForestKind::honest_all_rows, ForestKind::causal})
        for (const bool classes : {false, true}) {
          if (kind == ForestKind::causal && (classes || edge.outputs > 1)) continue;
          SCOPED_TRACE(testing::Message() << edge.words << ", " << rows << " rows, kind "
                                          << static_cast<int>(kind) << (classes ? ", classes" : ""));
          fit_edge(edge, rows, kind, classes);
        }
}

}  // namespace
}  // namespace bough
