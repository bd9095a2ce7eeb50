// SPDX-License-Identifier: Apache-2.0
// Ties between trees of equal errors, against brute force.
#include "search/purify.hpp"

#include <gtest/gtest.h>

#include "search/anytime.hpp"
#include "search/small_tables.hpp"

namespace bough::search {
namespace {

// The purest of all trees of at most two levels with so many leaves, by errors first.
Purity purest_of_two_levels(const Subset& all, std::int32_t leaves, std::int32_t min_cases) {
  Purity best{kMostCost, 0.0};
  const auto ends = [](const Subset& side) {
    std::vector<SmallTree> trees{SmallTree::leaf(side.label())};
    for (std::int32_t chain = 0; chain < side.cases().n_chains(); ++chain)
      for (std::int32_t g = 1; g < side.n_groups(chain); ++g)
        trees.push_back(SmallTree::join(chain, side.group_code(chain, g - 1),
                                        SmallTree::leaf(side.side(chain, g, true).label()),
                                        SmallTree::leaf(side.side(chain, g, false).label())));
    return trees;
  };
  for (std::int32_t chain = 0; chain < all.cases().n_chains(); ++chain) {
    for (std::int32_t g = 1; g < all.n_groups(chain); ++g) {
      for (const SmallTree& left : ends(all.side(chain, g, true))) {
        for (const SmallTree& right : ends(all.side(chain, g, false))) {
          const SmallTree tree = SmallTree::join(chain, all.group_code(chain, g - 1), left, right);
          if (tree.n_leaves() != leaves || !tree.leaves_hold(min_cases, all)) continue;
          const Purity here = purity_of(tree, all);
          if (here.is_better(best)) best = here;
        }
      }
    }
  }
  return best;
}

TEST(Purify, trees_of_two_levels_are_the_purest_of_brute_force) {
  std::mt19937 random(31);
  int bettered = 0;
  for (int i = 0; i < n_tables(200); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    Drawn drawn = draw_cases(random);
    const Subset all(drawn.cases);
    Budget budget(kEndless, std::nullopt);
    const Found found = best_tree(all, {4, 2}, drawn.price, kMostCost, budget);
    if (found.tree.n_leaves() < 3) continue;
    const SmallTree pure = purified(all, found.tree, 1, budget);
    const Purity here = purity_of(pure, all), wanted = purest_of_two_levels(all, pure.n_leaves(), 1);
    ASSERT_EQ(pure.n_leaves(), found.tree.n_leaves());
    ASSERT_EQ(here.errors, wanted.errors);
    ASSERT_EQ(here.errors, pure.errors(all));
    ASSERT_FALSE(wanted.is_better(here));
    bettered += here.is_better(purity_of(found.tree, all)) ? 1 : 0;
  }
  EXPECT_GT(bettered, 0);
}

TEST(Purify, larger_trees_err_no_more_and_are_no_less_pure) {
  std::mt19937 random(32);
  int bettered = 0;
  for (int i = 0; i < n_tables(200); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    Drawn drawn = draw_cases(random);
    drawn.min_cases = 1 + i % 3;
    const Subset all(drawn.cases);
    Budget budget(kEndless, std::nullopt);
    Anytime search(all, drawn.limits, drawn.price, drawn.min_cases, budget);
    search.run(3);
    const SmallTree pure = purified(all, search.best(), drawn.min_cases, budget);
    const Purity before = purity_of(search.best(), all), after = purity_of(pure, all);
    ASSERT_FALSE(before.is_better(after));
    ASSERT_EQ(after.errors, pure.errors(all));
    ASSERT_EQ(pure.n_leaves(), search.best().n_leaves());
    ASSERT_LE(pure.depth(), drawn.limits.depth);
    ASSERT_TRUE(pure.n_leaves() == 1 || pure.leaves_hold(drawn.min_cases, all));
    Budget none(0, std::nullopt);
    const Purity as_it_was = purity_of(purified(all, search.best(), drawn.min_cases, none), all);
    ASSERT_EQ(as_it_was.errors, before.errors);
    ASSERT_NEAR(as_it_was.gini, before.gini, 1e-9);
    bettered += after.is_better(before) ? 1 : 0;
  }
  EXPECT_GT(bettered, 0);
}

}  // namespace
}  // namespace bough::search
