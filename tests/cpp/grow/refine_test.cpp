// SPDX-License-Identifier: Apache-2.0
// Refining grown trees, judged by brute force.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>

#include "grow/tao.hpp"
#include "grow/tao_search.hpp"
#include "oracle/brute.hpp"
#include "oracle/build.hpp"
#include "oracle/draw.hpp"
#include "predict/walk.hpp"
#include "tree/samples.hpp"

namespace bough {
namespace {

using namespace oracle;

auto cells_of(const Case& sample, std::size_t row) {
  return [&sample, row](ColId column) { return sample.columns[static_cast<std::size_t>(column)].cells[row]; };
}

// Rows of every node, by routing.
std::vector<RowList> node_rows(const Case& sample, const Tree& tree) {
  std::vector<RowList> rows(static_cast<std::size_t>(tree.n_nodes()));
  for (std::size_t row = 0; row < sample.n_rows(); ++row) {
    if (sample.weight(row) <= 0.0) continue;
    NodeId node = 0;
    rows[0].push_back(row);
    while (!tree.is_leaf(node)) {
      node = tree.children(node)[static_cast<std::size_t>(route(tree, node, cells_of(sample, row)))];
      rows[static_cast<std::size_t>(node)].push_back(row);
    }
  }
  return rows;
}

Case draw_small(const std::string& criterion, std::uint64_t i, std::size_t n_rows, Dice& dice) {
  Shape shape;
  shape.criterion = criterion;
  shape.weighting = static_cast<Weighting>(i % 3);
  shape.columns = static_cast<Columns>(i / 3 % 4);
  shape.missing = i / 12 % 2 == 1;
  shape.equality = i / 24 % 2 == 1;
  shape.outputs = 1 + i / 48 % 2;
  shape.max_columns = 3;
  shape.max_levels = 4;
  return draw_rows(shape, n_rows, dice);
}

// x1 xor x2, with x0 beside; greedy search sees nothing at the root.
Case xor_case(std::size_t n) {
  Dice dice(7);
  std::vector<double> noise, a, b, y;
  for (std::size_t i = 0; i < n; ++i) {
    noise.push_back(dice.unit());
    a.push_back(dice.unit());
    b.push_back(dice.unit());
    y.push_back((a.back() > 0.5) != (b.back() > 0.5) ? 1.0 : 0.0);
  }
  Case sample = class_case(y);
  add_numeric(sample, noise);
  add_numeric(sample, a);
  add_numeric(sample, b);
  return sample;
}

// Loss of a row at the leaf that it reaches from `node`.
Real row_loss(const Case& sample, const Tree& tree, NodeId node, std::size_t row) {
  node = walk_whole(tree, cells_of(sample, row), node).node;
  const std::vector<double> values = node_values(tree, node);
  Real loss = 0;
  std::size_t begin = 0;
  for (std::size_t o = 0; o < sample.targets.size(); ++o) {
    if (!sample.classes) {
      const Real d = static_cast<Real>(sample.targets[o][row]) - static_cast<Real>(values[o]);
      loss += d * d;
      continue;
    }
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end = first + static_cast<std::ptrdiff_t>(sample.n_classes[o]);
    loss +=
        std::max_element(first, end) - first != static_cast<std::ptrdiff_t>(sample.targets[o][row]) ? 1 : 0;
    begin += sample.n_classes[o];
  }
  return loss * static_cast<Real>(sample.weight(row));
}

Real tree_loss(const Case& sample, const Tree& tree) {
  Real sum = 0;
  for (std::size_t row = 0; row < sample.n_rows(); ++row)
    if (sample.weight(row) > 0.0) sum += row_loss(sample, tree, 0, row);
  return sum;
}

TEST(Tao, the_loss_never_rises_and_no_test_can_be_bettered_in_the_end) {
  const char* criteria[] = {"gini", "entropy", "squared_error"};
  int bettered = 0;
  for (std::uint64_t i = 0; i < scaled(288); ++i) {
    Dice dice(table_seed("tao", i));
    Case sample = draw_small(criteria[i % 3], i / 3, 20 + dice.below(100), dice);
    sample.params.max_depth = dice.between(1, 4);
    SCOPED_TRACE(fmt::format("table {}, base seed {}\n{}", i, base_seed(), describe(sample)));
    Real before = tree_loss(sample, grow_case(sample).tree());
    sample.params.tao_fraction = 0.0;
    const Real scale = before + 1e-12L;
    const Real first = before;
    Tree tree;
    for (int passes = 1; passes < 16; passes *= 2) {
      sample.params.tao = passes;
      tree = grow_case(sample).tree();
      const Real after = tree_loss(sample, tree);
      EXPECT_LE(after, before + 1e-9L * scale);
      before = after;
    }
    bettered += before < first * (1 - 1e-6L) ? 1 : 0;
    sample.params.tao = 500;
    tree = grow_case(sample).tree();
    const std::vector<RowList> rows = node_rows(sample, tree);
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      const auto n = static_cast<std::size_t>(node);
      EXPECT_EQ(static_cast<std::size_t>(tree.n_rows(node)), rows[n].size());
      EXPECT_FALSE(rows[n].empty());
      if (tree.is_leaf(node)) continue;
      std::vector<Real> delta(sample.n_rows(), 0);
      RowList care;
      Real left_total = 0, right_total = 0, present = 0;
      for (const std::size_t row : rows[n]) {
        const Real left = row_loss(sample, tree, tree.children(node)[0], row);
        const Real right = row_loss(sample, tree, tree.children(node)[1], row);
        left_total += left;
        right_total += right;
        present += route(tree, node, cells_of(sample, row)) == 0 ? left : right;
        delta[row] = left - right;
        if (std::fabs(delta[row]) > 1e-12L * scale) care.push_back(row);
      }
      Real best = std::min(left_total, right_total);
      for (std::size_t j = 0; j < sample.columns.size(); ++j)
        for_each_split(sample, care, j, [&](const RowList& left, const RowList& right) {
          Real one = right_total, other = right_total;
          for (const std::size_t row : left) one += delta[row];
          for (const std::size_t row : right) other += delta[row];
          best = std::min({best, one, other});
        });
      EXPECT_LE(present, best + 1e-9L * (left_total + right_total)) << "node " << node;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(bettered,
            static_cast<int>(scaled(288)) / 16);  // enough of them to say something: one seed in five has 27
}

TEST(Tao, leaves_keep_the_least_number_of_rows) {
  for (std::uint64_t i = 0; i < scaled(96); ++i) {
    Dice dice(table_seed("tao leaves", i));
    Case sample = draw_small(i % 2 == 0 ? "gini" : "squared_error", i / 2, 60, dice);
    sample.params.min_samples_leaf = Amount::count(4);
    sample.params.tao = 20;
    sample.params.tao_fraction = 0.0;
    const Tree tree = grow_case(sample).tree();
    for (NodeId node = 0; node < tree.n_nodes(); ++node)
      EXPECT_GE(tree.n_rows(node), tree.n_nodes() > 1 ? 4 : 1);
  }
}

TEST(Tao, any_number_of_threads_gives_the_same_tree) {
  Case sample = xor_case(3000);
  for (std::size_t i = 0; i < sample.n_rows(); i += 5) sample.targets[0][i] = 1.0 - sample.targets[0][i];
  sample.params.max_depth = 6;
  sample.params.tao = 5;
  const Tree one = grow_case(sample, "auto", 1).tree();
  EXPECT_EQ(one, grow_case(sample, "auto", 2).tree());
  sample.params.tao = 0;
  EXPECT_NE(one, grow_case(sample, "auto", 1).tree());
}

// A tree refined without the pipeline around it.
struct Bench {
  explicit Bench(const Case& sample) : table(to_table(sample)) {
    Schema schema = infer_schema(table, {});
    for (const Field& field : schema.fields)
      if (field.name.starts_with("x")) features.fields.push_back(field);
    Fingerprint fingerprint;
    encoded = encode(table, features, fingerprint, monitor);
    ClassTarget target;
    target.n_classes = 2;
    for (const double y : sample.targets[0]) target.codes.push_back(static_cast<std::uint32_t>(y));
    targets.classes.push_back(std::move(target));
    to_fixed_point(targets, {}, static_cast<std::int64_t>(sample.n_rows()));
  }
  Table table;
  Schema features;
  Monitor monitor;
  EncodedTable encoded;
  Targets targets;
};

TEST(Tao, a_column_of_many_values_gets_the_cut_that_walking_all_of_them_finds) {
  for (std::uint64_t i = 0; i < scaled(20); ++i) {
    Dice dice(table_seed("tao bins", i));
    EncodedTable table;
    table.n_rows = 9000;
    EncodedColumn column;
    column.n_codes = 9000;
    std::vector<CareRow> rows;
    for (std::uint32_t row = 0; row < 9000; ++row) {
      column.codes.push_back(i % 2 == 1 && dice.chance(0.1) ? kMissingCode
                                                            : static_cast<std::uint32_t>(dice.below(9000)));
      column.values.push_back(row);
      const double drift = static_cast<double>(column.codes[row]) / 9000.0 - 0.5;
      const std::int64_t delta =
          dice.between(-20, 20) + static_cast<std::int64_t>(drift * static_cast<double>(i));
      if (delta != 0 && dice.chance(0.6)) rows.push_back({row, delta});
    }
    table.columns.push_back(column);
    CareRows care{&table, rows, 0};
    std::vector<std::int64_t> sums(9000, 0);
    std::vector<char> seen(9000, 0);
    std::int64_t missing = 0;
    for (const CareRow& one : rows) {
      care.total += one.delta;
      const std::uint32_t code = column.codes[one.row];
      (code == kMissingCode ? missing : sums[code]) += one.delta;
      if (code != kMissingCode) seen[code] = 1;
    }
    std::int64_t best = INT64_MAX, known = 0;
    double cut = 0.0;
    for (std::size_t code = 0; code < 9000; ++code) {
      if (!seen[code]) continue;
      known += sums[code];
      const std::int64_t loss =
          std::min({known, care.total - known, known + missing, care.total - known - missing});
      if (loss >= best || loss > std::min<std::int64_t>(0, care.total)) continue;
      best = loss;
      cut = static_cast<double>(code);
    }
    const std::optional<TaoTest> test = best_column_test(care, 0, false);
    ASSERT_TRUE(test.has_value());
    if (best == INT64_MAX) continue;
    EXPECT_EQ(test->loss, best) << "table " << i;
    EXPECT_EQ(test->candidate.low, cut);
  }
}

TEST(Tao, an_oblique_node_finds_the_line_between_two_classes) {
  Dice dice(3);
  std::vector<double> a, b, c, y;
  for (int i = 0; i < 400; ++i) {
    a.push_back(dice.unit() * 2 - 1);
    b.push_back((dice.unit() * 2 - 1) * 100);
    c.push_back(dice.unit());
    y.push_back(3.0 * a.back() - 0.02 * b.back() > 0.1 ? 1.0 : 0.0);
  }
  Case sample = class_case(y);
  add_numeric(sample, a);
  add_numeric(sample, b);
  add_numeric(sample, c);
  Bench bench(sample);
  const Tree start = samples::stump(samples::oblique({{0, 1.0}, {1, 0.01}}, 0.0));
  TaoSpec spec;
  spec.oblique = true;
  TreeRefiner refiner(start, bench.encoded, bench.targets, spec);
  const double before = refiner.loss(bench.targets);
  EXPECT_GT(before, 40.0);
  while (refiner.pass(bench.monitor)) {
  }
  EXPECT_LE(refiner.loss(bench.targets), 4.0);
  const Tree tree = refiner.finish();
  ASSERT_EQ(tree.kind(0), NodeKind::oblique);
  const auto terms = tree.terms(0);
  ASSERT_GE(terms.size(), 2U);
  EXPECT_NEAR(terms[1].weight / terms[0].weight, -0.02 / 3.0, 0.2 * 0.02 / 3.0);
}

TEST(Tao, refuses_what_it_does_not_know_by_name) {
  const Case plain = xor_case(60);
  const auto refused = [&](const std::function<void(Params&)>& set, const std::string& word) {
    Case sample = plain;
    sample.params.tao = 3;
    set(sample.params);
    try {
      (void)grow_case(sample, "auto");
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused([](Params& p) { p.forest = 3; }, "forests"));
  EXPECT_TRUE(refused(
      [](Params& p) {
        p.algorithm = "c45";
        p.criterion = "auto";
      },
      "algorithm=c45"));
  EXPECT_TRUE(refused([](Params& p) { p.missing_policy = "surrogate"; }, "missing_policy=surrogate"));
  EXPECT_TRUE(refused([](Params& p) { p.monotonic_cst = {{"x0", 1.0}}; }, "monotonic_cst"));
  EXPECT_TRUE(refused([](Params& p) { p.pruning = "reduced_error"; }, "pruning=reduced_error"));
  EXPECT_FALSE(refused([](Params&) {}, ""));
}

}  // namespace
}  // namespace bough
