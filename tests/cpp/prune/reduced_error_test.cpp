// SPDX-License-Identifier: Apache-2.0
// Reduced-error pruning against all pruned trees there are, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "bough/prune.hpp"
#include "prune/sample.hpp"

namespace bough {
namespace {

using samples::PruneSample;

// All ways to turn nodes into leaves, as sets of nodes by bits: itself, or any choice in every child.
std::vector<std::uint64_t> all_cuts(const Tree& tree, NodeId node) {
  if (tree.is_leaf(node)) return {0};
  std::vector<std::uint64_t> sets{0};
  for (const NodeId child : tree.children(node)) {
    std::vector<std::uint64_t> next;
    for (const std::uint64_t below : all_cuts(tree, child))
      for (const std::uint64_t set : sets) next.push_back(set | below);
    sets = std::move(next);
  }
  sets.push_back(std::uint64_t{1} << node);
  return sets;
}

std::int64_t leaves_with(const Tree& tree, NodeId node, std::uint64_t cut) {
  if (tree.is_leaf(node) || (cut >> node & 1) != 0) return 1;
  std::int64_t n = 0;
  for (const NodeId child : tree.children(node)) n += leaves_with(tree, child, cut);
  return n;
}

// By the book: a row goes down, part by part, until a leaf, a cut node, or a missing cell that stops it.
template <class Visit>
void go_down(const Tree& tree, const PruneSample::Rows& rows, std::size_t row, NodeId node, double weight,
             std::uint64_t cut, const Visit& visit) {
  const bool ends = tree.is_leaf(node) || (cut >> node & 1) != 0;
  const std::int32_t child = ends ? missing_stops : route(tree, node, rows.row(row));
  if (child == missing_stops) return visit(node, weight);
  if (child >= 0)
    return go_down(tree, rows, row, tree.children(node)[static_cast<std::size_t>(child)], weight, cut, visit);
  for (std::size_t i = 0; i < tree.children(node).size(); ++i)
    go_down(tree, rows, row, tree.children(node)[i], weight * tree.child_shares(node)[i], cut, visit);
}

// Values of every node as a leaf: its own, or those of the rows that reach it.
std::vector<std::vector<double>> leaf_values(const PruneSample& sample, LeafValues wish) {
  const Tree& tree = sample.tree;
  std::vector<std::vector<double>> values(static_cast<std::size_t>(tree.n_nodes()),
                                          std::vector<double>(tree.value_width()));
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    std::vector<double>& own = values[static_cast<std::size_t>(node)];
    tree.values(node, own);
    if (wish == LeafValues::train || tree.is_leaf(node)) continue;
    std::vector<double> sums(own.size(), 0.0);
    double weight = 0.0;
    for (std::size_t row = 0; row < sample.prune.size(); ++row) {
      // Cutting only this node, every row that passes it ends there, or stopped above it.
      go_down(tree, sample.prune, row, 0, sample.prune.weights[row], std::uint64_t{1} << node,
              [&](NodeId end, double w) {
                if (end != node) return;
                weight += w;
                std::size_t start = 0;
                for (std::size_t o = 0; o < sample.widths.size(); ++o) {
                  const double truth = sample.prune.truth[o][row];
                  sums[start + (sample.task == Task::classification ? static_cast<std::size_t>(truth) : 0)] +=
                      sample.task == Task::classification ? w : w * truth;
                  start += sample.widths[o];
                }
              });
    }
    if (weight == 0.0) continue;
    const double old = wish == LeafValues::both ? 1.0 : 0.0;
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] = sample.task == Task::classification
                   ? old * own[i] + sums[i]
                   : (old * tree.weight(node) * own[i] + sums[i]) / (old * tree.weight(node) + weight);
  }
  return values;
}

double row_error(const PruneSample& sample, const std::vector<double>& value, std::size_t row,
                 ErrorMeasure measure) {
  double error = 0.0;
  auto begin = value.begin();
  for (std::size_t o = 0; o < sample.widths.size(); ++o) {
    const auto end = begin + sample.widths[o];
    const double truth = sample.prune.truth[o][row];
    if (sample.task == Task::regression) {
      error += (truth - *begin) * (truth - *begin);
    } else if (measure == ErrorMeasure::natural) {
      error += static_cast<double>(std::max_element(begin, end) - begin) != truth;
    } else {
      const double total = std::accumulate(begin, end, 0.0);
      for (auto it = begin; it != end; ++it) {
        const double share = total > 0 ? *it / total : 1.0 / sample.widths[o];
        const double gap = share - (static_cast<double>(it - begin) == truth ? 1.0 : 0.0);
        error += gap * gap;
      }
    }
    begin = end;
  }
  return error;
}

double error_with(const PruneSample& sample, std::uint64_t cut,
                  const std::vector<std::vector<double>>& values, ErrorMeasure measure) {
  double sum = 0.0;
  std::vector<double> stored(sample.tree.value_width());
  for (std::size_t row = 0; row < sample.prune.size(); ++row)
    go_down(
        sample.tree, sample.prune, row, 0, sample.prune.weights[row], cut, [&](NodeId node, double weight) {
          sample.tree.values(node, stored);
          const bool is_cut = (cut >> node & 1) != 0;
          sum += weight *
                 row_error(sample, is_cut ? values[static_cast<std::size_t>(node)] : stored, row, measure);
        });
  return sum;
}

// The nodes of `tree` that are leaves in `pruned` but not here, walked side by side.
std::uint64_t cut_of(const Tree& tree, NodeId node, const Tree& pruned, NodeId other) {
  if (tree.is_leaf(node)) return 0;
  if (pruned.is_leaf(other)) return std::uint64_t{1} << node;
  std::uint64_t cut = 0;
  for (std::size_t i = 0; i < tree.children(node).size(); ++i)
    cut |= cut_of(tree, tree.children(node)[i], pruned, pruned.children(other)[i]);
  return cut;
}

void compare_with_all(std::uint64_t seed, const ReducedErrorOptions& options, bool exact) {
  const PruneSample sample(seed, {1 + seed % 6, 40, 4 + seed % 25, options.leaf_values == LeafValues::train});
  if (std::accumulate(sample.prune.weights.begin(), sample.prune.weights.end(), 0.0) == 0.0) return;
  const Model pruned = reduced_error(sample.model(), sample.table(sample.prune), options);
  const std::vector<std::vector<double>> values = leaf_values(sample, options.leaf_values);
  double best = std::numeric_limits<double>::infinity();
  std::int64_t fewest = 0;
  for (const std::uint64_t cut : all_cuts(sample.tree, 0)) {
    const double error = error_with(sample, cut, values, options.measure);
    const std::int64_t leaves = leaves_with(sample.tree, 0, cut);
    if (error < best || (error == best && leaves < fewest)) {
      best = error;
      fewest = leaves;
    }
  }
  const std::uint64_t found = cut_of(sample.tree, 0, pruned.tree(), 0);
  const double error = error_with(sample, found, values, options.measure);
  if (exact) {
    ASSERT_EQ(error, best) << "seed " << seed;
    ASSERT_EQ(pruned.tree().n_leaves(), fewest) << "seed " << seed;
  } else {
    ASSERT_NEAR(error, best, 1e-9 * (1 + best)) << "seed " << seed;
  }
  // Leaves carry the values they were judged by.
  std::vector<double> own(sample.tree.value_width());
  if (pruned.tree().is_leaf(0) && !sample.tree.is_leaf(0)) {
    pruned.tree().values(0, own);
    for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(own[i], values[0][i], 1e-12);
  }
}

TEST(ReducedError, finds_the_smallest_of_the_most_accurate_of_all_pruned_trees) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed)
    compare_with_all(seed, {LeafValues::train, {}, "w"}, true);
}

TEST(ReducedError, does_so_with_leaf_values_of_the_pruning_rows_and_of_both) {
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    // Class counts are exact; means are quotients.
    const bool classes = PruneSample(seed, {1, 2, 2, false}).task == Task::classification;
    compare_with_all(seed, {LeafValues::prune, {}, "w"}, classes);
    compare_with_all(seed, {LeafValues::both, {}, "w"}, classes);
  }
}

TEST(ReducedError, does_so_by_squared_errors_of_class_shares) {
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    compare_with_all(seed, {LeafValues::train, ErrorMeasure::squared, "w"}, false);
}

// a <= 0: 10 rows of class 0; else b <= 0: 2 of class 1, else 8 of class 0.
Model two_splits() {
  TreeBuilder builder(Task::classification, {2});
  const auto top = builder.split(builder.root(), samples::numeric(0, 0.0), 2);
  const auto low = builder.split(top + 1, samples::numeric(1, 0.0), 2);
  builder.set_stats(0, samples::counts(18, 2));
  builder.set_stats(top, samples::counts(10, 0));
  builder.set_stats(top + 1, samples::counts(8, 2));
  builder.set_stats(low, samples::counts(0, 2));
  builder.set_stats(low + 1, samples::counts(8, 0));
  Model::Parts parts;
  parts.trees.push_back(std::move(builder).finish());
  Field a, b, y;
  a.name = "a";
  b.name = "b";
  y = {"y", Kind::category, Role::target, {Levels::Type::text, {"no", "yes"}, {}}};
  parts.features.fields = {a, b};
  parts.targets.fields = {y};
  parts.criterion = "gini";
  return Model(std::move(parts));
}

Table rows_of(const std::vector<double>& a, const std::vector<double>& b, const std::vector<std::string>& y) {
  Table table;
  table.add("a", a);
  table.add("b", b);
  table.add("y", y);
  return table;
}

TEST(ReducedError, a_node_that_no_row_reaches_becomes_a_leaf_with_its_training_value) {
  // Both sides of a test b again; the pruning rows are all on the left, where the test pays.
  TreeBuilder builder(Task::classification, {2});
  const auto top = builder.split(builder.root(), samples::numeric(0, 0.0), 2);
  const auto left = builder.split(top, samples::numeric(1, 0.0), 2);
  const auto right = builder.split(top + 1, samples::numeric(1, 0.0), 2);
  builder.set_stats(0, samples::counts(8, 6));
  builder.set_stats(top, samples::counts(5, 5));
  builder.set_stats(left, samples::counts(5, 0));
  builder.set_stats(left + 1, samples::counts(0, 5));
  builder.set_stats(top + 1, samples::counts(3, 1));
  builder.set_stats(right, samples::counts(3, 0));
  builder.set_stats(right + 1, samples::counts(0, 1));
  Model::Parts parts = two_splits().parts();
  parts.trees = {std::move(builder).finish()};
  const Model model(std::move(parts));
  for (const LeafValues wish : {LeafValues::train, LeafValues::prune, LeafValues::both}) {
    const Model pruned = reduced_error(model, rows_of({-1, -1}, {-1, 1}, {"no", "yes"}), {wish, {}, {}});
    ASSERT_EQ(pruned.tree().n_nodes(), 5);
    const NodeId unreached = pruned.tree().children(0)[1];
    EXPECT_TRUE(pruned.tree().is_leaf(unreached));
    std::vector<double> values(2);
    pruned.tree().values(unreached, values);
    EXPECT_EQ(values, (std::vector<double>{3, 1}));
  }
}

TEST(ReducedError, a_new_leaf_has_the_value_of_the_rows_that_were_asked_for) {
  const Table rows = rows_of({1, -1}, {-1, 1}, {"no", "no"});
  const auto root_of = [&](LeafValues wish) {
    const Model pruned = reduced_error(two_splits(), rows, {wish, {}, {}});
    EXPECT_EQ(pruned.tree().n_nodes(), 1);
    std::vector<double> values(2);
    pruned.tree().values(0, values);
    return values;
  };
  EXPECT_EQ(root_of(LeafValues::train), (std::vector<double>{18, 2}));
  EXPECT_EQ(root_of(LeafValues::prune), (std::vector<double>{2, 0}));
  EXPECT_EQ(root_of(LeafValues::both), (std::vector<double>{20, 2}));
}

TEST(ReducedError, notes_what_it_did) {
  const Model pruned = reduced_error(two_splits(), rows_of({1}, {1}, {"no"}));
  EXPECT_EQ(pruned.parts().provenance.notes.back(), "pruned by reduced error on 1 rows: 1 of 3 leaves left");
}

void expect_refused(const Table& table, const std::string& word, const ReducedErrorOptions& options = {}) {
  try {
    static_cast<void>(reduced_error(two_splits(), table, options));
    FAIL() << "not refused: " << word;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_data);
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(ReducedError, refuses_rows_that_are_not_the_models) {
  Table other;
  other.add("a", std::vector<double>{1.0});
  other.add("y", std::vector<std::string>{"no"});
  expect_refused(other, "b");
  Table no_target;
  no_target.add("a", std::vector<double>{1.0});
  no_target.add("b", std::vector<double>{1.0});
  expect_refused(no_target, "'y', the target");
  expect_refused(rows_of({1, 1}, {1, 1}, {"no", "maybe"}), "'maybe' in row 2");
  expect_refused(rows_of({}, {}, {}), "no rows");
  Table weighted = rows_of({1}, {1}, {"no"});
  weighted.add("w", std::vector<double>{0.0});
  weighted.add("v", std::vector<double>{-1.0});
  expect_refused(weighted, "weight 0", {{}, {}, "w"});
  expect_refused(weighted, "-1", {{}, {}, "v"});
  expect_refused(weighted, "'u'", {{}, {}, "u"});
}

}  // namespace
}  // namespace bough
