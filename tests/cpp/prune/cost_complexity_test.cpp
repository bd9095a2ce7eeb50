// SPDX-License-Identifier: Apache-2.0
// The cost-complexity path against weakest-link pruning done literally, its shape on long chains, and pruned
// trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "bough/model.hpp"
#include "bough/prune.hpp"
#include "tree/samples.hpp"

namespace bough {
namespace {

using namespace samples;

// Inner nodes of 2 to 4 children, splits at random leaves.
Tree random_tree(std::mt19937_64& random, std::uint64_t n_splits) {
  TreeBuilder builder(Task::regression, {1});
  std::vector<TreeBuilder::Handle> leaves{builder.root()};
  for (std::uint64_t i = 0; i < n_splits; ++i) {
    const std::size_t where = random() % leaves.size();
    const auto n = static_cast<std::int32_t>(2 + (random() % 2) * (random() % 3));
    std::vector<double> cuts(static_cast<std::size_t>(n) - 1);
    std::iota(cuts.begin(), cuts.end(), 0.0);
    const auto first = builder.split(leaves[where], interval(static_cast<ColId>(i), cuts), n);
    leaves[where] = first;
    for (std::int32_t child = 1; child < n; ++child) leaves.push_back(first + child);
  }
  for (std::size_t h = 0; h < builder.n_handles(); ++h)
    builder.set_stats(static_cast<std::int32_t>(h), {0, 1.0, 0.0, {static_cast<double>(h)}});
  return std::move(builder).finish();
}

// A node that is left in the tree, its branch's risk and leaves by walking it.
struct Branch {
  std::int64_t risk = 0;
  std::int64_t leaves = 0;
};
Branch branch(const Tree& tree, const std::vector<std::int64_t>& risk, const std::vector<bool>& cut,
              NodeId node) {
  if (tree.is_leaf(node) || cut[static_cast<std::size_t>(node)])
    return {risk[static_cast<std::size_t>(node)], 1};
  Branch sum;
  for (const NodeId child : tree.children(node)) {
    const Branch part = branch(tree, risk, cut, child);
    sum.risk += part.risk;
    sum.leaves += part.leaves;
  }
  return sum;
}

// Weakest link by the book: of all inner nodes still there the one of the lowest price, the lowest id among
// equals.
PruningPath by_the_book(const Tree& tree, const std::vector<std::int64_t>& risk) {
  std::vector<bool> cut(risk.size(), false);
  const auto note = [&](PruningPath& path, double alpha, NodeId node) {
    const Branch now = branch(tree, risk, cut, 0);
    path.alphas.push_back(std::max(alpha, path.alphas.empty() ? 0.0 : path.alphas.back()));
    path.risks.push_back(static_cast<double>(now.risk));
    path.n_leaves.push_back(static_cast<NodeId>(now.leaves));
    path.nodes.push_back(node);
  };
  PruningPath path;
  note(path, 0.0, -1);
  while (!tree.is_leaf(0) && !cut[0]) {
    NodeId best = -1;
    std::int64_t best_risk = 0, best_leaves = 1;
    const std::vector<NodeId> parents = tree.parents();
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      bool there = !tree.is_leaf(node);
      for (NodeId up = node; up >= 0; up = parents[static_cast<std::size_t>(up)])
        there = there && !cut[static_cast<std::size_t>(up)];
      if (!there) continue;
      const Branch below = branch(tree, risk, cut, node);
      const std::int64_t added = risk[static_cast<std::size_t>(node)] - below.risk;
      if (best >= 0 && added * best_leaves >= best_risk * (below.leaves - 1)) continue;
      best = node;
      best_risk = added;
      best_leaves = below.leaves - 1;
    }
    cut[static_cast<std::size_t>(best)] = true;
    note(path, static_cast<double>(best_risk) / static_cast<double>(best_leaves), best);
  }
  return path;
}

TEST(CostComplexity, is_weakest_link_pruning_on_random_trees_with_ties_and_negative_prices) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 3000; ++round) {
    const Tree tree = random_tree(random, random() % 14);
    std::vector<std::int64_t> whole(static_cast<std::size_t>(tree.n_nodes()));
    const std::uint64_t spread = round % 3 == 0 ? 3 : round % 3 == 1 ? 30 : 1'000'000;
    for (auto& r : whole) r = static_cast<std::int64_t>(random() % spread);
    // Most risks fall from parent to children, as impurities do; every fourth tree keeps them wild.
    if (round % 4 != 0) {
      for (NodeId node = tree.n_nodes(); node-- > 0;)
        for (const NodeId child : tree.children(node))
          whole[static_cast<std::size_t>(node)] += whole[static_cast<std::size_t>(child)];
    }
    const std::vector<double> risk(whole.begin(), whole.end());
    const PruningPath found = cost_complexity_path(tree, risk);
    const PruningPath expected = by_the_book(tree, whole);
    ASSERT_EQ(found.nodes, expected.nodes) << "round " << round;
    EXPECT_EQ(found.n_leaves, expected.n_leaves);
    EXPECT_EQ(found.risks, expected.risks);
    ASSERT_EQ(found.alphas.size(), expected.alphas.size());
    for (std::size_t i = 0; i < found.alphas.size(); ++i)
      EXPECT_DOUBLE_EQ(found.alphas[i], expected.alphas[i]);
  }
}

TEST(CostComplexity, a_chain_of_100000_splits_is_pruned_from_either_end) {
  constexpr NodeId kSplits = 100'000;
  TreeBuilder builder(Task::regression, {1});
  auto open = builder.root();
  for (NodeId i = 0; i < kSplits; ++i) open = builder.split(open, numeric(0, -static_cast<double>(i)), 2);
  for (std::size_t h = 0; h < builder.n_handles(); ++h)
    builder.set_stats(static_cast<std::int32_t>(h), {0, 1.0, 0.0, {0.0}});
  const Tree tree = std::move(builder).finish();
  // Nodes 0 .. kSplits - 1 are the chain, kSplits its last leaf; the other leaves have no risk.
  std::vector<double> rising(static_cast<std::size_t>(tree.n_nodes()), 0.0), falling = rising;
  for (NodeId i = 0; i < kSplits; ++i) {
    const double left = static_cast<double>(kSplits - i);
    rising[static_cast<std::size_t>(i)] = left * left;
    falling[static_cast<std::size_t>(i)] = std::sqrt(left);
  }
  // left^2 - (left - 1)^2 = 2 left - 1 grows upwards: one step per split, the lowest first.
  const PruningPath upwards = cost_complexity_path(tree, rising);
  ASSERT_EQ(upwards.nodes.size(), static_cast<std::size_t>(kSplits) + 1);
  EXPECT_EQ(upwards.nodes[1], kSplits - 1);
  EXPECT_EQ(upwards.alphas[1], 1.0);
  EXPECT_EQ(upwards.alphas.back(), 2.0 * kSplits - 1.0);
  EXPECT_EQ(prune(tree, upwards, 100.0).n_leaves(), kSplits + 1 - 50);
  // sqrt(left) / left is lowest at the root: one step takes all.
  const PruningPath at_once = cost_complexity_path(tree, falling);
  EXPECT_EQ(at_once.nodes, (std::vector<NodeId>{-1, 0}));
  EXPECT_EQ(at_once.n_leaves, (std::vector<NodeId>{kSplits + 1, 1}));
}

// 0 (R 8) -> 1 (R 4) -> 2, 3; 4 (R 2) -> 5, 6; leaves without risk. Weight 8, so impurity = 8 R / weight of
// the node.
Tree two_branches() {
  TreeBuilder builder(Task::regression, {1});
  const auto top = builder.split(builder.root(), numeric(0, 0.0), 2);
  const auto left = builder.split(top, numeric(1, 0.0), 2);
  const auto right = builder.split(top + 1, numeric(2, 0.0), 2);
  builder.set_stats(0, {8, 8.0, 8.0, {0.0}});
  builder.set_stats(top, {4, 4.0, 8.0, {1.0}});
  builder.set_stats(top + 1, {4, 4.0, 4.0, {4.0}});
  for (const auto leaf : {left, left + 1}) builder.set_stats(leaf, {2, 2.0, 0.0, {2.0}});
  for (const auto leaf : {right, right + 1}) builder.set_stats(leaf, {2, 2.0, 0.0, {5.0}});
  builder.set_extra("mark", 0, 7.0);
  return std::move(builder).finish();
}

TEST(CostComplexity, impurity_is_weighted_by_the_share_of_the_root) {
  const PruningPath path = cost_complexity_path(two_branches());
  EXPECT_EQ(path.nodes, (std::vector<NodeId>{-1, 4, 0}));
  // g(0) = 8/3, g(1) = 4, g(4) = 2. Then g(0) = (8 - 2) / 2 = 3 < 4.
  EXPECT_EQ(path.alphas, (std::vector<double>{0.0, 2.0, 3.0}));
  EXPECT_EQ(path.risks, (std::vector<double>{0.0, 2.0, 8.0}));
  EXPECT_EQ(path.n_leaves, (std::vector<NodeId>{4, 3, 1}));
}

TEST(CostComplexity, a_pruned_tree_keeps_the_order_and_the_numbers_of_its_nodes) {
  const Tree tree = two_branches();
  const Tree pruned = prune(tree, 2.5);
  ASSERT_EQ(pruned.n_nodes(), 5);
  EXPECT_TRUE(pruned.is_leaf(4));
  for (NodeId node = 0; node < 5; ++node) {
    EXPECT_EQ(pruned.n_rows(node), tree.n_rows(node));
    EXPECT_EQ(pruned.impurity(node), tree.impurity(node));
    double before = 0.0, after = 0.0;
    tree.values(node, {&before, 1});
    pruned.values(node, {&after, 1});
    EXPECT_EQ(after, before);
  }
  EXPECT_EQ(pruned.extras().at("mark")[0], 7.0);
  EXPECT_EQ(prune(tree, 0.0), tree);
  EXPECT_EQ(prune(tree, 1.999), tree);
  EXPECT_EQ(prune(tree, 2.0), pruned);
  EXPECT_EQ(prune(tree, std::numeric_limits<double>::infinity()).n_nodes(), 1);
  EXPECT_EQ(prune(pruned, 2.5), pruned);
}

TEST(CostComplexity, a_single_leaf_has_a_path_of_one_step) {
  TreeBuilder builder(Task::regression, {1});
  builder.set_stats(builder.root(), {3, 3.0, 0.5, {1.0}});
  const Tree tree = std::move(builder).finish();
  const PruningPath path = cost_complexity_path(tree);
  EXPECT_EQ(path.risks, std::vector<double>{0.5});
  EXPECT_EQ(path.n_leaves, std::vector<NodeId>{1});
  EXPECT_EQ(prune(tree, 1.0), tree);
}

TEST(CostComplexity, refuses_risks_and_prices_that_mean_nothing) {
  const Tree tree = two_branches();
  EXPECT_THROW(static_cast<void>(cost_complexity_path(tree, std::vector<double>(3))), Error);
  std::vector<double> risk(7, 1.0);
  risk[2] = std::numeric_limits<double>::infinity();
  EXPECT_THROW(static_cast<void>(cost_complexity_path(tree, risk)), Error);
  EXPECT_THROW(static_cast<void>(prune(tree, -0.1)), Error);
  EXPECT_THROW(static_cast<void>(prune(tree, std::numeric_limits<double>::quiet_NaN())), Error);
}

TEST(CostComplexity, huge_and_tiny_risks_stay_in_proportion) {
  const Tree tree = two_branches();
  for (const double unit : {1e-300, 1e300}) {
    const std::vector<double> risk{8 * unit, 4 * unit, 0, 0, 2 * unit, 0, 0};
    EXPECT_EQ(cost_complexity_path(tree, risk).nodes, (std::vector<NodeId>{-1, 4, 0}));
  }
}

Table noisy_table() {
  std::mt19937_64 random(5);
  std::vector<double> x, z, y;
  for (int i = 0; i < 400; ++i) {
    x.push_back(static_cast<double>(random() % 1000));
    z.push_back(static_cast<double>(random() % 7));
    y.push_back(std::floor(x.back() / 100) + static_cast<double>(random() % 5));
  }
  Table table;
  table.add("x", x);
  table.add("z", z);
  table.add("y", y);
  return table;
}

TEST(CostComplexity, fitting_with_a_price_is_growing_then_pruning) {
  const Table table = noisy_table();
  FitSpec spec;
  spec.targets = {"y"};
  Params params;
  params.task = "regression";
  const Model full = fit(table, spec, params);
  const PruningPath path = cost_complexity_path(full.tree());
  NodeId last = full.tree().n_leaves() + 1;
  for (const std::size_t step : {path.alphas.size() / 3, path.alphas.size() / 2, path.alphas.size() - 2}) {
    params.ccp_alpha = path.alphas[step];
    const Model fitted = fit(table, spec, params);
    EXPECT_EQ(fitted.to_bytes(), prune(full, params.ccp_alpha).to_bytes());
    EXPECT_LE(fitted.tree().n_leaves(), path.n_leaves[step]);  // steps of equal price are taken together
    EXPECT_LT(fitted.tree().n_leaves(), last);
    EXPECT_GT(fitted.tree().n_leaves(), 1);
    last = fitted.tree().n_leaves();
  }
}

TEST(CostComplexity, steps_from_tree_to_tree_reach_the_same_trees) {
  const Table table = noisy_table();
  FitSpec spec;
  spec.targets = {"y"};
  Params params;
  params.task = "regression";
  const Model full = fit(table, spec, params);
  EXPECT_EQ(prune(prune(full, 0.01), 0.02).to_bytes(), prune(full, 0.02).to_bytes());
  EXPECT_EQ(prune(prune(full, 0.02), 0.01).to_bytes(), prune(full, 0.02).to_bytes());
}

TEST(CostComplexity, a_price_between_two_is_their_geometric_mean) {
  EXPECT_EQ(price_between(1.0, 4.0), 2.0);
  EXPECT_EQ(price_between(1e-200, 4e-200), 2e-200);  // the product of the two would be 0
  EXPECT_EQ(price_between(0.0, 3.0), 1.5);
  EXPECT_EQ(price_between(5.0, std::numeric_limits<double>::infinity()), 5.0);
}

}  // namespace
}  // namespace bough
