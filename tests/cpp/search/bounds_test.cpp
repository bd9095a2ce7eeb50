// SPDX-License-Identifier: Apache-2.0
// Exact searches under bounds from outside, against brute force. Trees of a fit start from a good tree, which often is the
// best one, and hide a bound that is wrong; here the search must find the best tree, or prove that there is none. And good
// trees early, without a proof behind them that would make up for what they miss.
#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "search/anytime.hpp"
#include "search/held.hpp"
#include "search/small_tables.hpp"

namespace bough::search {
namespace {

// Tables of a test; under the sanitizers a fifth of them, because they take ten times as long.
int n_bounded(int quick) {
#if defined(BOUGH_CHECKED)
  return n_tables(quick / 5);
#else
  return n_tables(quick);
#endif
}

Found bounded(const Drawn& drawn, const Subset& all, Cost bound, Budget& budget) {
  return drawn.min_cases > 1 ? best_held_tree(all, drawn.limits, drawn.price, bound, drawn.min_cases, budget)
                             : best_tree(all, drawn.limits, drawn.price, bound, budget, false);
}

// Below every bound that brute force allows the search finds the best tree, and else none.
void expect_least(const Drawn& drawn, std::mt19937& random) {
  const Subset all(drawn.cases);
  const Cost wanted = EveryTree(drawn).least();
  std::int64_t work[2] = {0, 0};  // without a bound, and below the lowest one
  for (const Cost bound : {kMostCost, wanted, wanted + 3, wanted + 1}) {
    Budget budget(kEndless, std::nullopt);
    const Found found = bounded(drawn, all, bound, budget);
    work[bound == kMostCost ? 0 : 1] = budget.spent();
    ASSERT_EQ(found.lower, wanted) << "below " << bound;
    ASSERT_EQ(found.cost, bound > wanted ? wanted : kNoLimit) << "below " << bound;
    if (bound == wanted) continue;
    ASSERT_EQ(found.tree.errors(all) + drawn.price * found.tree.n_leaves(), wanted);
    ASSERT_LE(found.tree.n_leaves(), drawn.limits.leaves);
    ASSERT_LE(found.tree.depth(), drawn.limits.depth);
    ASSERT_TRUE(found.tree.leaves_hold(drawn.min_cases, all));
  }
  // A search that is cut short claims no more than is true; the last steps of a proof are the hardest to give up.
  for (int i = 0; i < 12; ++i) {
    const std::int64_t all_work = work[i % 2], last = all_work >> (i / 2);
    Budget little(all_work - 1 - static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(last + 1)),
                  std::nullopt);
    const Found cut = bounded(drawn, all, i % 2 == 0 ? kMostCost : wanted + 1, little);
    ASSERT_LE(cut.lower, wanted) << "after " << little.spent();
    ASSERT_GE(cut.cost, wanted) << "after " << little.spent();
  }
}

TEST(Bounds, the_best_tree_is_found_below_every_bound_that_brute_force_allows) {
  std::mt19937 random(21);
  for (int i = 0; i < n_bounded(1000) && !HasFatalFailure(); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    expect_least(draw_cases(random), random);
  }
}

TEST(Bounds, the_best_tree_whose_leaves_hold_enough_is_found_below_every_bound_that_brute_force_allows) {
  std::mt19937 random(22);
  for (int i = 0; i < n_bounded(400) && !HasFatalFailure(); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    Drawn drawn = draw_cases(random);
    drawn.min_cases = 2 + static_cast<std::int32_t>(random() % 4);
    drawn.limits = {std::min(drawn.limits.leaves, 6), std::min(drawn.limits.depth, 4)};  // others take long
    expect_least(drawn, random);
  }
}

TEST(Bounds, the_best_tree_of_blocks_that_leaves_hold_is_found_below_every_bound_that_brute_force_allows) {
  std::mt19937 random(27);
  for (int i = 0; i < n_bounded(600) && !HasFatalFailure(); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    Drawn drawn;
    draw_blocks(drawn, random);
    drawn.min_cases = 2 + static_cast<std::int32_t>(random() % 3);
    expect_least(drawn, random);
    expect_least(mirrored(drawn),
                 random);  // what holds at the first end of an interval must hold at the last
  }
}

// Every place where the work may end, of searches that have few of them.
TEST(Bounds, searches_that_end_anywhere_claim_no_more_than_brute_force) {
  std::mt19937 random(26);
  for (int i = 0; i < n_tables(100); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    Drawn drawn = draw_cases(random);
    drawn.limits.depth = std::max(drawn.limits.depth, 4);  // sides that are searched by recursion
    drawn.limits.leaves = std::max(drawn.limits.leaves, 6);
    const Subset all(drawn.cases);
    const Cost wanted = EveryTree(drawn).least();
    std::int64_t limit = 1;
    for (int stop = 0; stop < 100; ++stop) {
      Budget budget(limit, std::nullopt);
      const Found cut = bounded(drawn, all, wanted + 1, budget);
      ASSERT_LE(cut.lower, wanted) << "after " << limit;
      if (budget.spent() < limit) break;
      limit = budget.spent() + 1;
    }
  }
}

Found depth_three(const Drawn& drawn) {
  Budget budget(kEndless, std::nullopt);
  return DepthThree(Subset(drawn.cases), drawn.limits.leaves, drawn.price, budget).solve(kMostCost, false);
}

TEST(Bounds, three_levels_of_any_number_of_leaves_are_those_of_brute_force) {
  std::mt19937 random(22);
  for (int i = 0; i < 100; ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    Drawn drawn = draw_cases(random);
    drawn.limits = {1 + static_cast<std::int32_t>(i % 8), 3};
    ASSERT_EQ(depth_three(drawn).cost, EveryTree(drawn).least()) << drawn.limits.leaves << " leaves";
  }
}

// Four cases of either class, parted by one test: a leaf costs 4 + 2, the stump 2 * 2, and more leaves cost 6.
TEST(Bounds, a_stump_is_found_where_leaves_cost_as_much_as_errors) {
  Drawn drawn;
  drawn.cases.n = 8;
  drawn.cases.n_classes = 2;
  drawn.cases.classes = {0, 0, 0, 0, 1, 1, 1, 1};
  drawn.cases.weights.assign(8, 1);
  drawn.cases.chains = {{{0, 1, 2, 3, 4, 5, 6, 7}, 8}};
  drawn.cases.finish();
  drawn.limits = {8, 3};
  drawn.price = 2;
  EXPECT_EQ(depth_three(drawn).cost, 4);
}

TEST(Bounds, an_interval_asks_for_its_open_positions_only) {
  const std::vector<Cost> bounds{0, 0, 0, 7, 5, 6, 5, 9, 0, 0};
  const auto bound_at = [&](std::int32_t i) {
    EXPECT_TRUE(2 < i && i < 8) << i;
    return bounds[at(i)];
  };
  const LowestBound low = lowest_bound({0, 2, 8, 0}, bound_at);
  EXPECT_EQ(low.bound, 5);
  EXPECT_EQ(low.first, 4);
  EXPECT_EQ(low.last, 6);
  // Positions 3 and 7 go: what is known at the ends is weakened by the cases between 2 and 3, and between 7 and 8.
  const std::vector<Cost> before{0, 1, 3, 6, 10, 15, 21, 28, 36, 45};
  Cost first = 0, last = 0;
  const auto pass_first = [&](Cost passed) { first += passed; };
  const auto pass_last = [&](Cost passed) { last += passed; };
  IntervalKey key{0, 2, 8, 0};
  EXPECT_TRUE(narrow(key, before, 7, bound_at, pass_first, pass_last));
  EXPECT_EQ(std::tie(key.first, key.last, key.bound), std::make_tuple(3, 7, 5));
  EXPECT_EQ(std::tie(first, last), std::make_tuple(6 - 3, 36 - 28));
  // Nothing is below a bound that all reach, and nothing is left of an interval without an open position.
  EXPECT_FALSE(narrow(key, before, 5, bound_at, pass_first, pass_last));
  IntervalKey closed{0, 3, 4, 0};
  EXPECT_FALSE(narrow(closed, before, kMostCost, bound_at, pass_first, pass_last));
}

TEST(Bounds, intervals_are_in_a_total_order) {
  const IntervalKey some[] = {{0, 0, 4, 1}, {0, 1, 5, 1}, {1, 0, 4, 1}, {0, 0, 3, 1}, {0, 0, 4, 2}};
  for (const IntervalKey& a : some)
    for (const IntervalKey& b : some) EXPECT_EQ(a.is_after(b) || b.is_after(a), &a != &b);
  EXPECT_TRUE(some[2].is_after(some[1]));  // the lower chain first
  EXPECT_TRUE(some[1].is_after(some[0]));
}

Anytime early(const Drawn& drawn, const Subset& all, Budget& budget) {
  return Anytime(all, drawn.limits, drawn.price, drawn.min_cases, budget);
}

TEST(Early, up_to_three_leaves_and_for_two_levels_nothing_is_left_to_chance) {
  std::mt19937 random(23);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    Drawn drawn = draw_cases(random);
    drawn.limits = i % 3 == 0 ? Limits{4, 2} : Limits{2 + i % 2, 3};
    const Subset all(drawn.cases);
    Budget budget(kEndless, std::nullopt);
    Anytime search = early(drawn, all, budget);
    search.run(SIZE_MAX);
    ASSERT_EQ(search.cost(), EveryTree(drawn).least());
    ASSERT_EQ(search.cost(), search.best().errors(all) + drawn.price * search.best().n_leaves());
  }
}

// How many of 100 tables of 4 to 6 leaves the first plans answer by the best tree of all.
int n_best(std::int32_t min_cases) {
  std::mt19937 random(24);
  int n = 0;
  for (int i = 0; i < 100; ++i) {
    Drawn drawn = draw_cases(random);
    drawn.min_cases = min_cases;
    drawn.limits = {4 + i % 3, 3 + i % 2};
    const Subset all(drawn.cases);
    Budget budget(kEndless, std::nullopt);
    Anytime search = early(drawn, all, budget);
    search.run(3);
    const Cost least = EveryTree(drawn).least();
    EXPECT_GE(search.cost(), least);
    n += search.cost() == least ? 1 : 0;
  }
  return n;
}

TEST(Early, nearly_all_small_tables_get_the_best_tree) {
  EXPECT_EQ(n_best(1), 100);
  EXPECT_GE(n_best(2), 94);  // as many as are found today: the draws are fixed
}

TEST(Early, a_tree_with_a_given_root_has_it_where_it_divides_the_cases) {
  std::mt19937 random(25);
  for (int i = 0; i < 100; ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    Drawn drawn = draw_cases(random);
    drawn.limits = {2 + i % 3, 2};
    const Subset all(drawn.cases);
    Budget budget(kEndless, std::nullopt);
    Anytime search = early(drawn, all, budget);
    for (std::int32_t chain = 0; chain < drawn.cases.n_chains(); ++chain) {
      const std::vector<std::int32_t> chains{chain};
      const std::optional<SmallTree> tree = search.best_with_root(chains);
      ASSERT_EQ(tree.has_value(), all.n_groups(chain) > 1);
      if (!tree) continue;
      ASSERT_EQ(tree->nodes.front().chain, chain);
      ASSERT_LE(tree->n_leaves(), drawn.limits.leaves);
      ASSERT_LE(tree->errors(all), all.leaf_cost());
    }
  }
}

// Behind the second cut the classes are a list of decisions, a b c, which only a tree of three more levels can say.
TEST(Bounds, both_sides_of_a_root_have_one_level_less) {
  for (const bool turned : {false, true}) {
    Drawn drawn;
    Cases& cases = drawn.cases;
    cases.n_classes = 2;
    cases.chains.assign(4, Chain{});
    for (Chain& chain : cases.chains) chain.n_codes = 2;
    for (int i = 0; i < 20; ++i, ++cases.n) {
      const bool is_list = i < 16;
      // The one case of its class on the other side of the root has no leaf of its own.
      const int a = is_list ? i & 1 : i == 19 ? 1 : 0, b = i >> 1 & 1, c = i >> 2 & 1;
      const int codes[] = {is_list != turned ? 1 : 0, a, b, c};
      for (std::size_t j = 0; j < 4; ++j) cases.chains[j].codes.push_back(codes[j]);
      cases.classes.push_back(!is_list ? a : a == 0 ? 0 : b == 0 ? 1 : c);
      cases.weights.push_back(1);
    }
    drawn.limits = {6, 3};
    drawn.min_cases = 2;
    cases.finish();
    std::mt19937 random(3);
    expect_least(drawn, random);
  }
}

}  // namespace
}  // namespace bough::search
