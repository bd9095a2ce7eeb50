// SPDX-License-Identifier: Apache-2.0
// Exact searches under bounds from outside, against brute force. Trees of a fit start from a good tree, which often is the
// best one, and hide a bound that is wrong; here the search must find the best tree, or prove that there is none. And good
// trees early, without a proof behind them that would make up for what they miss.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <numeric>
#include <random>
#include <tuple>
#include <unordered_map>

#include "search/anytime.hpp"
#include "search/held.hpp"

namespace bough::search {
namespace {

struct Drawn {
  Cases cases;
  Limits limits;
  Cost price = 0;
  std::int32_t min_cases = 1;  // of every leaf
};

int below(std::mt19937& random, int n) {
  return static_cast<int>(random() % static_cast<unsigned>(n));
}

// Stripes of classes along the last chain, and in front of or behind them, along the first, a class of its own that lies in
// all stripes: only a tree that cuts it off at the root has leaves and levels for the stripes.
void draw_front(Drawn& out, std::mt19937& random) {
  Cases& cases = out.cases;
  cases.n_classes = 3;
  const std::int32_t levels = 2 + below(random, 2), stripes = (1 << levels) - below(random, 2);
  const std::int32_t front = 2 + below(random, 3), codes = front + 1 + below(random, 4);
  const bool behind = below(random, 2) == 0;
  cases.n = front + stripes * (levels == 2 ? 2 + below(random, 3) : 2);
  cases.chains.assign(2, Chain{});
  cases.chains[0].n_codes = codes;
  cases.chains[1].n_codes = stripes;
  for (std::int32_t i = 0; i < cases.n; ++i) {
    const std::int32_t stripe = i < front ? below(random, stripes) : i % stripes;
    const std::int32_t code = i < front ? below(random, front) : front + below(random, codes - front);
    cases.chains[0].codes.push_back(behind ? codes - 1 - code : code);
    cases.chains[1].codes.push_back(stripe);
    cases.classes.push_back(i < front ? 2 : stripe % 2);
  }
  out.limits = {stripes + 1, levels + 1};
}

// Stripes along one chain, more than there are leaves.
void draw_stripes(Drawn& out, std::mt19937& random) {
  Cases& cases = out.cases;
  constexpr int classes[] = {2, 2, 3, 12};
  cases.n = 14 + below(random, 14);
  cases.n_classes = classes[below(random, 4)];
  const int width = 1 + below(random, 3), noise = 6 * below(random, 2);
  cases.chains.assign(1, Chain{});
  cases.chains[0].n_codes = cases.n;
  for (std::int32_t i = 0; i < cases.n; ++i) {
    cases.chains[0].codes.push_back(i);
    const bool is_noise = noise != 0 && below(random, noise) == 0;
    cases.classes.push_back((is_noise ? below(random, 12) : i / width) % cases.n_classes);
  }
  out.limits.depth = 3 + below(random, 3);
  out.limits.leaves = below(random, 2) == 0 ? 1 << out.limits.depth : 5 + below(random, 8);
}

// Classes by a tree of so many leaves over the chains. Its tests often cut off few cases, and one leaf: then the best tree
// is deep, and what a leaf less costs says much about sides that hold nearly all cases. Leaves take classes by turns.
void label_by_tree(Cases& cases, const std::vector<std::int32_t>& some, Limits limits, std::mt19937& random,
                   std::int32_t& turn) {
  const Chain& chain = cases.chains[at(below(random, cases.n_chains()))];
  std::vector<std::int32_t> codes;
  for (const std::int32_t i : some) codes.push_back(chain.codes[at(i)]);
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  if (limits.depth == 0 || limits.leaves == 1 || codes.size() < 2) {
    for (const std::int32_t i : some) cases.classes[at(i)] = turn % cases.n_classes;
    ++turn;
    return;
  }
  const auto n_cuts = static_cast<int>(codes.size()) - 1;
  const bool uneven = below(random, 2) == 0, is_left = below(random, 2) == 0;
  const int few = std::min(below(random, 3), n_cuts - 1);
  const int place = !uneven ? below(random, n_cuts) : is_left ? few : n_cuts - 1 - few;
  const std::int32_t fewer = uneven ? 1 : 1 + below(random, limits.leaves - 1);
  const std::int32_t leaves = is_left ? fewer : limits.leaves - fewer;
  std::vector<std::int32_t> left, right;
  for (const std::int32_t i : some) (chain.codes[at(i)] <= codes[at(place)] ? left : right).push_back(i);
  label_by_tree(cases, left, {leaves, limits.depth - 1}, random, turn);
  label_by_tree(cases, right, {limits.leaves - leaves, limits.depth - 1}, random, turn);
}

void draw_classes(Cases& cases, Limits limits, std::mt19937& random) {
  for (std::int32_t i = 0; i < cases.n; ++i) cases.classes.push_back(below(random, cases.n_classes));
  const int kind = below(random, 8);
  if (kind == 0) return;  // no order at all
  const std::vector<std::int32_t> drawn = cases.classes;
  if (kind == 1) {  // stripes: every leaf is needed
    cases.classes = cases.chains.front().codes;
    for (std::int32_t& c : cases.classes) c %= cases.n_classes;
  } else {
    std::vector<std::int32_t> all(at(cases.n));
    std::iota(all.begin(), all.end(), 0);
    std::int32_t turn = 0;
    label_by_tree(cases, all, limits, random, turn);
  }
  const int noise = 5 * below(random, 3);  // one case in so many keeps its own class; 0: none
  for (std::int32_t i = 0; noise != 0 && i < cases.n; ++i)
    if (below(random, noise) == 0) cases.classes[at(i)] = drawn[at(i)];
}

void draw_chains(Cases& cases, std::mt19937& random) {
  // Many cases along one or two chains, or fewer along up to four: brute force can do both.
  const bool many = below(random, 3) == 0;
  cases.n = many ? 16 + below(random, 12) : 8 + below(random, 10);
  cases.n_classes = 2 + (below(random, 2) == 0 ? 0 : below(random, 4));
  const int n_chains = many ? 1 + below(random, 2) : 1 + below(random, 4);
  const bool few = below(random, 3) == 0 || (many && n_chains == 2);
  const int n_codes = few ? 2 + below(random, 7) : 2 + below(random, cases.n);
  for (int j = 0; j < n_chains; ++j) {
    Chain& chain = cases.chains.emplace_back();
    chain.n_codes = n_codes;
    for (std::int32_t i = 0; i < cases.n; ++i)
      chain.codes.push_back(many && n_chains == 1 ? i * n_codes / cases.n : below(random, n_codes));
  }
}

Drawn draw_cases(std::mt19937& random) {
  Drawn out;
  Cases& cases = out.cases;
  const int kind = below(random, 8);
  if (kind < 2) {
    draw_front(out, random);
  } else if (kind == 2) {
    draw_stripes(out, random);
  } else {
    draw_chains(cases, random);
    out.limits.depth = 2 + below(random, 4);
    out.limits.leaves = below(random, 4) == 0 ? 1 << out.limits.depth : 3 + below(random, 8);
    draw_classes(cases, out.limits, random);
  }
  constexpr Cost prices[] = {0, 0, 0, 0, 1, 1, 2, 3, 5, 8};
  out.price = prices[below(random, 10)];
  // Cases that weigh more than a leaf costs deserve one.
  constexpr int heaviest[] = {1, 1, 4, 12};
  const int heavy = heaviest[below(random, 4)], least = below(random, 2) == 0 ? 1 : 1 + out.price;
  for (std::int32_t i = 0; i < cases.n; ++i)
    cases.weights.push_back(below(random, 2) == 0 ? least : least + below(random, heavy));
  cases.finish();
  return out;
}

// The least cost of all trees of some cases, given as bits.
class EveryTree {
 public:
  explicit EveryTree(const Drawn& drawn) : drawn_(drawn) {
    const Cases& cases = drawn.cases;
    for (const Chain& chain : cases.chains) {
      for (std::int32_t code = 0; code + 1 < chain.n_codes; ++code) {
        std::uint32_t left = 0;
        for (std::int32_t i = 0; i < cases.n; ++i)
          if (chain.codes[at(i)] <= code) left |= 1U << i;
        divisions_.push_back(left);
      }
    }
    std::sort(divisions_.begin(), divisions_.end());
    divisions_.erase(std::unique(divisions_.begin(), divisions_.end()), divisions_.end());
  }
  Cost least() { return least((1U << drawn_.cases.n) - 1, drawn_.limits.depth, drawn_.limits.leaves); }

 private:
  Cost least(std::uint32_t some, std::int32_t depth, std::int32_t leaves) {
    leaves = std::min({leaves, 1 << depth, std::popcount(some)});
    depth = std::min(depth, leaves - 1);
    const std::uint64_t key = (std::uint64_t{some} << 16U) | static_cast<std::uint64_t>(depth << 8 | leaves);
    if (const auto found = memo_.find(key); found != memo_.end()) return found->second;
    std::vector<Cost> weights(at(drawn_.cases.n_classes), 0);
    Cost total = 0;
    for (std::int32_t i = 0; i < drawn_.cases.n; ++i) {
      if (((some >> i) & 1U) == 0) continue;
      weights[at(drawn_.cases.classes[at(i)])] += drawn_.cases.weights[at(i)];
      total += drawn_.cases.weights[at(i)];
    }
    Cost best = total - *std::max_element(weights.begin(), weights.end()) + drawn_.price;
    for (const std::uint32_t division : divisions_) {
      const std::uint32_t left = some & division, right = some & ~division;
      if (depth == 0 || best <= 2 * drawn_.price) break;
      if (std::min(std::popcount(left), std::popcount(right)) < drawn_.min_cases) continue;
      for (std::int32_t k = 1; k < leaves; ++k) {
        const Cost one = least(left, depth - 1, k);
        if (one + drawn_.price < best) best = std::min(best, one + least(right, depth - 1, leaves - k));
      }
    }
    memo_[key] = best;
    return best;
  }
  const Drawn& drawn_;
  std::vector<std::uint32_t> divisions_;
  std::unordered_map<std::uint64_t, Cost> memo_;
};

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

int n_tables(int quick) {
  const char* wish = std::getenv("BOUGH_TABLES");
  return wish != nullptr ? std::atoi(wish) : quick;
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
  for (int i = 0; i < 6; ++i) {
    const std::int64_t all_work = work[i % 2], last = i < 4 ? all_work : all_work / 4;
    Budget little(all_work - 1 - static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(last + 1)),
                  std::nullopt);
    const Found cut = bounded(drawn, all, i % 2 == 0 ? kMostCost : wanted + 1, little);
    ASSERT_LE(cut.lower, wanted) << "after " << little.spent();
    ASSERT_GE(cut.cost, wanted) << "after " << little.spent();
  }
}

TEST(Bounds, the_best_tree_is_found_below_every_bound_that_brute_force_allows) {
  std::mt19937 random(21);
  for (int i = 0; i < n_tables(1000) && !HasFatalFailure(); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    expect_least(draw_cases(random), random);
  }
}

TEST(Bounds, the_best_tree_whose_leaves_hold_enough_is_found_below_every_bound_that_brute_force_allows) {
  std::mt19937 random(22);
  for (int i = 0; i < n_tables(400) && !HasFatalFailure(); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    Drawn drawn = draw_cases(random);
    drawn.min_cases = 2 + static_cast<std::int32_t>(random() % 4);
    drawn.limits = {std::min(drawn.limits.leaves, 6), std::min(drawn.limits.depth, 4)};  // others take long
    expect_least(drawn, random);
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
  EXPECT_GE(n_best(2), 95);  // as many as are found today: the draws are fixed
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

}  // namespace
}  // namespace bough::search
