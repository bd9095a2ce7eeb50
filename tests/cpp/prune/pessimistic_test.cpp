// SPDX-License-Identifier: Apache-2.0
// Pessimistic pruning: Quinlan's example with its arithmetic, the limits, and what holds for random trees.
#include "bough/pessimistic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/distributions.hpp"
#include "prune/pessimistic.hpp"
#include "tree/samples.hpp"

namespace bough {
namespace {

using namespace samples;

NodeStats stats(double democrat, double republican) {
  const auto rows = static_cast<std::int64_t>(democrat + republican);
  return {rows, democrat + republican, 0.0, {democrat, republican}};
}

// C4.5: Programs for Machine Learning, section 4.2, votes of the House of 1984. At the bottom, education
// spending parts 16 democrats from 1: n (6 democrats), y (9 democrats), u (1 republican). With U(E, N) at 25
// %:
//   U(0, 6) = 1 - 0.25^(1/6) = 0.206   U(0, 9) = 1 - 0.25^(1/9) = 0.143   U(0, 1) = 0.750
// the branches are charged 6 * 0.206 + 9 * 0.143 + 1 * 0.750 = 3.273, a leaf 16 * U(1, 16): the book has
// 0.157 from its tabulated normal deviate, 2.512; the exact limit is 0.1596, 2.554. It becomes a leaf. One
// level up, adoption of the budget resolution parts y (151 democrats), u (1 democrat) and that leaf: 151 *
// 0.0091 + 0.750 + 2.512 = 4.642 against 168 * U(1, 168) = 168 * 0.016 = 2.610. It becomes a leaf too.
Tree votes() {
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  const auto fee = builder.split(root, mapped(0, {0, 1, 2}, {0, 1, 2}), 3);
  const auto budget = builder.split(fee, mapped(1, {0, 1, 2}, {0, 1, 2}), 3);
  const auto education = builder.split(budget + 2, mapped(2, {0, 1, 2}, {0, 1, 2}), 3);
  builder.set_stats(education, stats(6, 0));
  builder.set_stats(education + 1, stats(9, 0));
  builder.set_stats(education + 2, stats(0, 1));
  builder.set_stats(budget, stats(151, 0));
  builder.set_stats(budget + 1, stats(1, 0));
  builder.set_stats(budget + 2, stats(15, 1));
  builder.set_stats(fee, stats(167, 1));
  builder.set_stats(fee + 1, stats(3, 97));  // 1 of 100 kept apart, so that the root stays
  builder.set_stats(fee + 2, stats(8, 3));
  builder.set_stats(root, stats(178, 101));
  return std::move(builder).finish();
}

TEST(Pessimistic, the_limits_of_quinlans_example) {
  EXPECT_NEAR(pessimistic_errors(0, 6, 0.25) / 6, 0.206, 5e-4);
  EXPECT_NEAR(pessimistic_errors(0, 9, 0.25) / 9, 0.143, 5e-4);
  EXPECT_NEAR(pessimistic_errors(0, 1, 0.25), 0.750, 1e-12);
  EXPECT_NEAR(pessimistic_errors(0, 151, 0.25) / 151, 0.0091, 5e-5);
  EXPECT_NEAR(
      pessimistic_errors(0, 6, 0.25) + pessimistic_errors(0, 9, 0.25) + pessimistic_errors(0, 1, 0.25), 3.273,
      1e-3);
  // (1 - p)^16 + 16 p (1 - p)^15 = 0.25 at p = 0.159611.
  const double p = pessimistic_errors(1, 16, 0.25) / 16;
  EXPECT_NEAR(std::pow(1 - p, 16) + 16 * p * std::pow(1 - p, 15), 0.25, 1e-12);
  EXPECT_NEAR(p, 0.159611, 1e-6);
  // The book's 0.157: ((E + 0.5) + z^2 / 2 + z sqrt((E + 0.5)(1 - (E + 0.5) / N) + z^2 / 4)) / (N + z^2) with
  // z between the tabulated 0.84 (20 %) and 0.25 (40 %): 0.6925.
  const double z = 0.84 + (0.25 - 0.84) * 0.25;
  EXPECT_NEAR((1.5 + z * z / 2 + z * std::sqrt(1.5 * (1 - 1.5 / 16) + z * z / 4)) / (16 + z * z), 0.157,
              5e-4);
}

TEST(Pessimistic, quinlans_example_becomes_a_leaf_in_two_steps) {
  for (const bool j48 : {false, true}) {
    const Tree pruned = prune_pessimistic(votes(), {.j48 = j48});
    ASSERT_EQ(pruned.n_nodes(), 4);
    std::vector<double> values(2);
    pruned.values(1, values);
    EXPECT_EQ(values, (std::vector<double>{167, 1}));
    EXPECT_TRUE(pruned.is_leaf(1));
  }
}

// Weka's formula at E = 1, N = 16, z = 0.674490: f = 1.5 / 16 = 0.09375, z^2 / 2N = 0.0142169,
// z sqrt(f / N - f^2 / N + z^2 / 4N^2) = 0.674490 * sqrt(0.00585938 - 0.000549316 + 0.000444277) = 0.0511648,
// (0.09375 + 0.0142169 + 0.0511648) / 1.0284335 * 16 = 2.4757.
TEST(Pessimistic, wekas_formula) {
  EXPECT_NEAR(pessimistic_errors(1, 16, 0.25, true), 2.4757, 1e-4);
  EXPECT_NEAR(pessimistic_errors(0, 6, 0.25, true), 6 * (1 - std::pow(0.25, 1.0 / 6)), 1e-12);
  EXPECT_NEAR(pessimistic_errors(2.6, 3, 0.25, true), 3.0, 1e-12);  // E + 0.5 >= N
  const double none = 10 * (1 - std::pow(0.25, 0.1)), one = pessimistic_errors(1, 10, 0.25, true) - 1;
  EXPECT_NEAR(pessimistic_errors(0.3, 10, 0.25, true), 0.3 + none + 0.3 * (one - none), 1e-12);
}

TEST(Pessimistic, factors_outside_their_range_are_refused) {
  for (const double factor : {0.0, -0.1, 0.51, 1.0, std::nan("")}) {
    EXPECT_THROW(static_cast<void>(prune_pessimistic(votes(), {.confidence_factor = factor})), Error);
    EXPECT_THROW(static_cast<void>(pessimistic_errors(1, 2, factor)), Error);
  }
  TreeBuilder numbers(Task::regression, {1});
  numbers.set_stats(numbers.root(), {1, 1.0, 0.0, {2.0}});
  const Tree regression = std::move(numbers).finish();
  EXPECT_THROW(static_cast<void>(prune_pessimistic(regression, {})), Error);
  EXPECT_THROW(static_cast<void>(collapse_idle(regression)), Error);
}

// A tree of random shape with every kind of node, and rows that fill it: numbers in columns 0 to 3, levels in
// 4 and 5.
struct Grown {
  Tree tree;
  std::vector<double> cells;
  std::vector<std::uint32_t> classes;
};
constexpr std::size_t kColumns = 6;

Split random_split(std::mt19937_64& random, std::int32_t& n_children) {
  const auto column = static_cast<ColId>(random() % 4);
  const double at = static_cast<double>(random() % 100) / 100.0;
  n_children = 2;
  const auto missing = [&](std::int32_t n) {
    return random() % 2 == 0 ? missing_by_share
                             : static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(n));
  };
  switch (random() % 5) {
    case 0:
      return numeric(column, at, missing(2));
    case 1:
      return oblique({{0, 0.5}, {2, -1.0}}, at - 0.5, missing(2));
    case 2:
      n_children = 3;
      return interval(column, {at / 2, at / 2 + 0.3}, missing(3));
    case 3:
      n_children = 4;
      return mapped(4 + column % 2, {0, 1, 2, 3}, {0, 1, 2, 3}, 1, missing(4));
    default:
      return mapped(4 + column % 2, {0, 2, 3}, {0, 1, 1}, 1, missing(2));
  }
}

// Splits random leaves; the rows give the statistics.
Grown random_tree(std::mt19937_64& random) {
  Grown out;
  const std::size_t n = 20 + random() % 100;
  out.cells.resize(n * kColumns);
  for (std::size_t j = 0; j < kColumns; ++j)
    for (std::size_t i = 0; i < n; ++i)
      out.cells[j * n + i] = random() % 10 == 0 ? std::nan("")
                             : j < 4            ? static_cast<double>(random() % 100) / 100.0
                                                : static_cast<double>(random() % 4);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t told = (out.cells[i] > 0.5 ? 1 : 0) + (out.cells[4 * n + i] == 2.0 ? 1 : 0);
    out.classes.push_back(random() % 6 == 0 ? static_cast<std::uint32_t>(random() % 3) : told);
  }
  TreeBuilder builder(Task::classification, {3});
  std::vector<TreeBuilder::Handle> leaves{builder.root()};
  const std::size_t n_splits = random() % 12;
  for (std::size_t s = 0; s < n_splits; ++s) {
    const std::size_t where = random() % leaves.size();
    std::int32_t k = 2;
    const Split split = random_split(random, k);
    const auto first = builder.split(leaves[where], split, k);
    leaves[where] = first;
    for (std::int32_t child = 1; child < k; ++child) leaves.push_back(first + child);
  }
  for (std::size_t h = 0; h < builder.n_handles(); ++h)
    builder.set_stats(static_cast<std::int32_t>(h), {0, 0.0, 0.0, {0, 0, 0}});
  const Tree shape = std::move(builder).finish();
  out.tree = refill_tree(shape, {out.cells, out.classes, {}}, "entropy");
  return out;
}

// A smaller factor cuts more, but for rare trees: the limit of a small leaf that errs half the time cannot
// rise above its number of cases, while that of the node above it still rises, so that a smaller factor may
// keep such a branch.
TEST(Pessimistic, pruned_trees_are_sound_and_replacement_is_idempotent_and_falls_with_the_factor) {
  std::mt19937_64 random(11);
  int smaller = 0, against = 0;
  for (int round = 0; round < 5000; ++round) {
    const Grown grown = random_tree(random);
    NodeId most = 0;
    for (const double factor : {0.01, 0.1, 0.25, 0.5}) {
      const PessimisticSpec spec{.confidence_factor = factor, .j48 = round % 2 == 1};
      const Tree once = prune_pessimistic(grown.tree, spec);
      once.check(kColumns);
      EXPECT_EQ(prune_pessimistic(once, spec), once);
      against += once.n_leaves() < most;
      most = once.n_leaves();
      smaller += once.n_leaves() < grown.tree.n_leaves();
    }
    const Tree idle = collapse_idle(grown.tree);
    idle.check(kColumns);
    EXPECT_EQ(collapse_idle(idle), idle);
  }
  EXPECT_GT(smaller, 1000);
  EXPECT_LE(against, 5);
}

TEST(Pessimistic, raised_trees_are_sound_and_hold_all_rows) {
  std::mt19937_64 random(12);
  int raised = 0;
  for (int round = 0; round < 5000; ++round) {
    const Grown grown = random_tree(random);
    const PessimisticSpec spec{.j48 = round % 2 == 1};
    const Tree tree = prune_pessimistic(grown.tree, spec, {grown.cells, grown.classes, {}});
    tree.check(kColumns);
    double leaves = 0.0;
    for (NodeId node = 0; node < tree.n_nodes(); ++node)
      if (tree.is_leaf(node)) leaves += tree.weight(node);
    EXPECT_NEAR(leaves, static_cast<double>(grown.classes.size()), 1e-9);
    raised += tree != prune_pessimistic(grown.tree, spec);
  }
  EXPECT_GT(raised, 200);
}

TEST(Pessimistic, a_leaf_is_charged_for_the_errors_it_makes) {
  for (const bool j48 : {false, true}) {
    const PessimisticSpec spec{.j48 = j48};
    EXPECT_NEAR(leaf_charge(0, 6, spec), 6 * (1 - std::pow(0.25, 1.0 / 6)), 1e-12);
    EXPECT_EQ(leaf_charge(-1e-15, 6, spec), leaf_charge(0, 6, spec));  // weights less their largest, rounded
    EXPECT_EQ(leaf_charge(1, 16, spec), pessimistic_errors(1, 16, 0.25, j48));
    EXPECT_EQ(leaf_charge(0, 0, spec), 0.0);
  }
}

// Weka takes a for at most b where a - b < 1e-6; so what is dearer by 0.1 and a little passes there.
TEST(Pessimistic, the_slack_is_a_tenth_and_in_weka_a_little_more) {
  EXPECT_EQ(slack_of({}), 0.1);
  EXPECT_DOUBLE_EQ(slack_of({.j48 = true}), 0.100001);
}

// Column 0 parts 2 rows from 40 and tells nothing of the class, column 1 below tells it all. The branches
// cost 2 U(1, 2) + 2 * 20 U(0, 20) = 1.73 + 2.68, column 1 in place of column 0 costs 2 * 21 U(0, 21) = 2.68,
// a leaf more than 21: the branch is raised.
TEST(Pessimistic, a_branch_takes_the_place_of_a_test_that_tells_nothing) {
  std::vector<double> cells(84);
  std::vector<std::uint32_t> classes(42);
  for (std::size_t i = 0; i < 42; ++i) {
    cells[i] = i < 2 ? 0.0 : 1.0;
    cells[42 + i] = static_cast<double>(i % 2);
    classes[i] = i % 2;
  }
  TreeBuilder builder(Task::classification, {2});
  const auto first = builder.split(builder.root(), numeric(0, 0.5), 2);
  builder.split(first + 1, numeric(1, 0.5), 2);
  for (std::size_t h = 0; h < builder.n_handles(); ++h)
    builder.set_stats(static_cast<std::int32_t>(h), counts(0, 0));
  const Tree tree = refill_tree(std::move(builder).finish(), {cells, classes, {}}, "entropy");
  for (const bool j48 : {false, true}) {
    const Tree raised = prune_pessimistic(tree, {.j48 = j48}, {cells, classes, {}});
    ASSERT_EQ(raised.n_nodes(), 3);
    EXPECT_EQ(raised.column(0), 1);
    std::vector<double> values(2);
    raised.values(1, values);
    EXPECT_EQ(values, (std::vector<double>{21, 0}));
    raised.values(2, values);
    EXPECT_EQ(values, (std::vector<double>{0, 21}));
    EXPECT_EQ(prune_pessimistic(tree, {.j48 = j48}).column(0), 0) << "without rows nothing is raised";
  }
}

}  // namespace
}  // namespace bough
