// SPDX-License-Identifier: Apache-2.0
// splitter=hist: the exact tree over buckets, with thresholds between them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "bough/model.hpp"
#include "data/codes.hpp"
#include "data/encoded.hpp"

namespace bough {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Sample {
  Table table;
  FitSpec spec;
  Params params;
  std::vector<std::vector<double>> columns;  // x0, x1, ...
};

Sample make_sample(std::uint64_t seed, int n_values) {
  std::mt19937_64 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  Sample sample;
  const std::size_t n = 500 + static_cast<std::size_t>(below(4000));
  std::vector<double> y(n, 0.0), w(n);
  for (int j = 0; j < 3; ++j) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = n_values > 0 ? below(n_values) / 7.0
                          : std::ldexp(static_cast<double>(random() >> 11), below(20) - 60);
      y[i] += std::sin(x[i] * (1.0 + j));
      if (j == 1 && below(10) == 0) x[i] = kNone;
    }
    const std::string name = std::string("x").append(std::to_string(j));
    if (j == 2) {
      const std::vector<float> floats(x.begin(), x.end());
      sample.table.add(name, std::span<const float>(floats));
      x.assign(floats.begin(), floats.end());
    } else {
      sample.table.add(name, std::span<const double>(x));
    }
    sample.columns.push_back(std::move(x));
  }
  const char* const criteria[] = {"gini", "squared_error", "poisson", "absolute_error"};
  sample.params.criterion = criteria[seed % 4];
  sample.params.task = seed % 4 == 0 ? "classification" : "regression";
  for (std::size_t i = 0; i < n; ++i) {
    y[i] += below(100) / 100.0;
    if (seed % 4 == 0) y[i] = y[i] > 0.5 ? 1.0 : 0.0;
    if (seed % 4 == 2) y[i] = std::floor(std::fabs(y[i]) * 3);
    w[i] = 1 + below(3);
  }
  sample.params.max_depth = 6;
  sample.params.min_samples_leaf = Amount::count(1 + below(4));
  sample.table.add("y", std::span<const double>(y));
  sample.spec.targets = {"y"};
  if (below(2) == 0) {
    sample.table.add("w", std::span<const double>(w));
    sample.spec.weight.assign(1, 'w');
  }
  return sample;
}

Tree grow_with(const Sample& sample, const std::string& splitter, const std::string& engine) {
  Params params = sample.params;
  params.splitter = splitter;
  Execution execution;
  execution.engine = engine;
  return fit(sample.table, sample.spec, params, execution).tree();
}

// Buckets of x0, x1, ... as numbers, and the same targets.
Sample bucketed(const Sample& sample, const CodedTable& codes) {
  Sample out = sample;
  out.table = Table();
  for (std::size_t j = 0; j < sample.columns.size(); ++j) {
    std::vector<double> x(sample.columns[j].size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::uint8_t code = codes.codes(static_cast<ColId>(j))[i];
      x[i] = code == codes.columns[j].missing_bucket() ? kNone : static_cast<double>(code);
    }
    out.columns[j] = x;
    out.table.add(std::string("x").append(std::to_string(j)), std::span<const double>(x));
  }
  for (std::size_t j = sample.columns.size(); j < sample.table.n_columns(); ++j) {
    std::vector<double> cells(sample.columns[0].size());
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i] = *static_cast<const double*>(static_cast<const void*>(
          static_cast<const char*>(std::get<ColumnView>(sample.table.column(j)).chunks[0].data) + 8 * i));
    out.table.add(sample.table.name(j), std::span<const double>(cells));
  }
  return out;
}

CodedTable codes_of(const Sample& sample) {
  Schema features;
  for (std::size_t j = 0; j < sample.columns.size(); ++j) {
    Field field;
    field.name = std::string("x").append(std::to_string(j));
    features.fields.push_back(field);
  }
  Fingerprint fingerprint;
  Monitor monitor{Monitor::Report()};
  return make_codes(sample.table, features, CodeUse::buckets, fingerprint, monitor);
}

#if defined(BOUGH_CHECKED)
constexpr std::uint64_t kSamples = 6;  // sanitizers
#else
constexpr std::uint64_t kSamples = 24;
#endif

TEST(Hist, columns_of_few_values_give_the_exact_tree) {
  for (std::uint64_t seed = 0; seed < kSamples; ++seed) {
    const Sample sample = make_sample(seed, 2 + static_cast<int>(seed * 11 % 253));
    const Tree exact = grow_with(sample, "best", "lists");
    for (const char* engine : {"lists", "refine", "presorted", "auto"})
      ASSERT_EQ(grow_with(sample, "hist", engine), exact) << "seed " << seed << " " << engine;
  }
}

// The lists engine on bucket numbers, which the oracle tests hold against brute force, is what hist has to
// give; its thresholds are checked with the rows of each node.
TEST(Hist, columns_of_many_values_give_the_best_tree_over_the_buckets) {
  for (std::uint64_t seed = 100; seed < 100 + kSamples; ++seed) {
    const Sample sample = make_sample(seed, 0);
    const CodedTable codes = codes_of(sample);
    const Sample coarse = bucketed(sample, codes);
    const Tree expected = grow_with(coarse, "best", "lists");
    const Tree tree = grow_with(sample, "hist", "auto");
    for (const char* engine : {"lists", "refine", "presorted"})
      ASSERT_EQ(grow_with(sample, "hist", engine), tree);
    ASSERT_EQ(tree.n_nodes(), expected.n_nodes()) << "seed " << seed;
    std::vector<std::vector<std::size_t>> rows(static_cast<std::size_t>(tree.n_nodes()));
    for (std::size_t i = 0; i < sample.columns[0].size(); ++i) rows[0].push_back(i);
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      ASSERT_EQ(tree.is_leaf(node), expected.is_leaf(node));
      ASSERT_EQ(tree.n_rows(node), expected.n_rows(node));
      ASSERT_EQ(tree.gain(node), expected.gain(node));
      if (tree.is_leaf(node)) continue;
      ASSERT_EQ(tree.column(node), expected.column(node));
      ASSERT_EQ(tree.kind(node), NodeKind::numeric);
      const auto j = static_cast<std::size_t>(tree.column(node));
      double last = -1.0, next = kNone;
      for (const std::size_t i : rows[static_cast<std::size_t>(node)]) {
        const double bucket = coarse.columns[j][i], x = sample.columns[j][i];
        const bool left =
            std::isnan(bucket) ? expected.missing_to(node) == 0 : bucket <= expected.threshold(node);
        const bool here = std::isnan(x) ? tree.missing_to(node) == 0 : x <= tree.threshold(node);
        ASSERT_EQ(here, left) << "seed " << seed << " node " << node << " row " << i;
        rows[static_cast<std::size_t>(tree.children(node)[left ? 0 : 1])].push_back(i);
        if (std::isnan(bucket)) continue;
        if (left) last = std::max(last, bucket);
        if (!left && !(next <= bucket)) next = bucket;
      }
      const CodedColumn& column = codes.columns[j];
      if (std::isnan(next)) {
        ASSERT_EQ(tree.threshold(node), std::numeric_limits<double>::infinity());
      } else {
        const auto b = static_cast<std::size_t>(next);
        ASSERT_EQ(tree.threshold(node), midpoint(column.cuts[static_cast<std::size_t>(last)],
                                                 column.cuts[column.single[b] ? b : b - 1]));
      }
    }
  }
}

}  // namespace
}  // namespace bough
