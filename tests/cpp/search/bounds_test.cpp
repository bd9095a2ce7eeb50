// SPDX-License-Identifier: Apache-2.0
// Exact searches under bounds from outside, against brute force. Trees of a fit start from a good tree, which often is the
// best one, and hide a bound that is wrong; here the search must find the best tree, or prove that there is none.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <map>
#include <random>
#include <tuple>

#include "search/held.hpp"

namespace bough::search {
namespace {

struct Drawn {
  Cases cases;
  Limits limits;
  Cost price = 0;
  std::int32_t min_cases = 1;
};

Drawn draw_cases(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<std::int32_t>(random() % static_cast<unsigned>(n)); };
  Drawn out;
  Cases& cases = out.cases;
  cases.n = 8 + below(12);
  cases.n_classes = 2 + below(4);
  const bool weighted = below(2) == 0;
  for (std::int32_t i = 0; i < cases.n; ++i) {
    cases.classes.push_back(below(cases.n_classes));
    cases.weights.push_back(weighted ? 1 + below(4) : 1);
  }
  const int n_chains = 1 + below(4), n_codes = 2 + below(cases.n);
  for (int j = 0; j < n_chains; ++j) {
    Chain& chain = cases.chains.emplace_back();
    chain.n_codes = n_codes;
    for (std::int32_t i = 0; i < cases.n; ++i) chain.codes.push_back(below(n_codes));
  }
  cases.finish();
  // Classes that a few cuts explain but for some cases: there bounds are tight, and trees end early.
  if (below(2) == 0) {
    for (std::int32_t i = 0; i < cases.n; ++i) {
      const Chain& first = cases.chains.front();
      const Chain& last = cases.chains.back();
      const std::int32_t sides =
          (2 * first.codes[at(i)] < n_codes ? 0 : 1) + (3 * last.codes[at(i)] < n_codes ? 0 : 2);
      if (below(6) != 0) cases.classes[at(i)] = sides % cases.n_classes;
    }
  }
  constexpr Cost prices[] = {0, 0, 0, 0, 1, 1, 1, 2, 5};
  out.price = prices[below(9)];
  out.limits.depth = 2 + below(3);
  out.limits.leaves = below(2) == 0 ? 1 << out.limits.depth : 3 + below(5);
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
    depth = std::min(depth, leaves - 1);
    const auto key = std::make_tuple(some, depth, leaves);
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
      if (depth == 0 || std::popcount(left) < drawn_.min_cases || std::popcount(right) < drawn_.min_cases)
        continue;
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
  std::map<std::tuple<std::uint32_t, std::int32_t, std::int32_t>, Cost> memo_;
};

TEST(Bounds, the_best_tree_is_found_below_every_bound_that_brute_force_allows) {
  std::mt19937 random(21);
  const char* wish = std::getenv("BOUGH_TABLES");
  for (int i = 0; i < (wish != nullptr ? std::atoi(wish) : 400); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    const Drawn drawn = draw_cases(random);
    const Subset all(drawn.cases);
    const Cost wanted = EveryTree(drawn).least();
    for (const Cost bound : {wanted + 1, wanted + 3, kMostCost, wanted}) {
      Budget budget(std::numeric_limits<std::int64_t>::max(), std::nullopt);
      const Found found = best_tree(all, drawn.limits, drawn.price, bound, budget, false);
      ASSERT_EQ(found.lower, wanted) << "below " << bound;
      ASSERT_EQ(found.cost, bound > wanted ? wanted : kNoLimit) << "below " << bound;
      if (bound == wanted) continue;
      ASSERT_EQ(found.tree.errors(all) + drawn.price * found.tree.n_leaves(), wanted);
      ASSERT_LE(found.tree.n_leaves(), drawn.limits.leaves);
      ASSERT_LE(found.tree.depth(), drawn.limits.depth);
    }
    // A search that is cut short claims no more than is true.
    Budget little(1 << (random() % 14), std::nullopt);
    ASSERT_LE(best_tree(all, drawn.limits, drawn.price, kMostCost, little, false).lower, wanted);
  }
}

TEST(Bounds, the_best_tree_whose_leaves_hold_enough_is_found_below_every_bound_that_brute_force_allows) {
  std::mt19937 random(22);
  const char* wish = std::getenv("BOUGH_TABLES");
  for (int i = 0; i < (wish != nullptr ? std::atoi(wish) : 400); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    Drawn drawn = draw_cases(random);
    drawn.min_cases = 2 + static_cast<std::int32_t>(random() % 4);
    const Subset all(drawn.cases);
    const Cost wanted = EveryTree(drawn).least();
    for (const Cost bound : {wanted + 1, wanted + 3, kMostCost, wanted}) {
      Budget budget(std::numeric_limits<std::int64_t>::max(), std::nullopt);
      const Found found = best_held_tree(all, drawn.limits, drawn.price, bound, drawn.min_cases, budget);
      ASSERT_EQ(found.lower, wanted) << "below " << bound;
      ASSERT_EQ(found.cost, bound > wanted ? wanted : kNoLimit) << "below " << bound;
      if (bound == wanted) continue;
      ASSERT_EQ(found.tree.errors(all) + drawn.price * found.tree.n_leaves(), wanted);
      ASSERT_LE(found.tree.n_leaves(), drawn.limits.leaves);
      ASSERT_LE(found.tree.depth(), drawn.limits.depth);
      ASSERT_TRUE(found.tree.leaves_hold(drawn.min_cases, all));
    }
    Budget little(1 << (random() % 14), std::nullopt);
    const Found cut = best_held_tree(all, drawn.limits, drawn.price, kMostCost, drawn.min_cases, little);
    ASSERT_LE(cut.lower, wanted);
    ASSERT_GE(cut.cost, wanted);
  }
}

}  // namespace
}  // namespace bough::search
