// SPDX-License-Identifier: Apache-2.0
// The layout of trees: against the rules it promises, on random trees, and against positions worked out by
// hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "bough/draw.hpp"

namespace bough {
namespace {

std::uint64_t seed() {
  const char* given = std::getenv("BOUGH_SEED");
  return given == nullptr ? 20240611 : std::strtoull(given, nullptr, 10);
}

struct Forest {
  std::vector<std::int32_t> parents;
  std::vector<double> widths;
};

// A preorder: every new box hangs below a box on the way from the root to the last one.
Forest random_tree(std::mt19937_64& random, std::size_t n) {
  Forest tree;
  std::vector<std::int32_t> way;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) {
      const std::size_t drop = std::min<std::size_t>(way.size() - 1, random() % 4);
      way.resize(way.size() - drop);
    }
    tree.parents.push_back(way.empty() ? -1 : way.back());
    tree.widths.push_back(static_cast<double>(random() % 100));
    way.push_back(static_cast<std::int32_t>(i));
  }
  return tree;
}

// Every pair of neighbours on a level keeps its gap, and parents stand over the middle of their children.
void expect_rules(const Forest& tree, const Layout& layout, const LayoutGaps& gaps) {
  std::map<std::int32_t, std::vector<std::size_t>> levels;
  std::map<std::int32_t, std::pair<std::size_t, std::size_t>> ends;
  double low = 1e300, high = -1e300;
  for (std::size_t i = 0; i < tree.parents.size(); ++i) {
    levels[layout.depth[i]].push_back(i);
    low = std::min(low, layout.x[i] - tree.widths[i] / 2);
    high = std::max(high, layout.x[i] + tree.widths[i] / 2);
    const std::int32_t parent = tree.parents[i];
    EXPECT_EQ(layout.depth[i], parent < 0 ? 0 : layout.depth[static_cast<std::size_t>(parent)] + 1);
    if (parent >= 0) ends.try_emplace(parent, i, i).first->second.second = i;
  }
  for (const auto& [depth, boxes] : levels) {
    for (std::size_t k = 1; k < boxes.size(); ++k) {
      const std::size_t a = boxes[k - 1], b = boxes[k];
      const double gap = tree.parents[a] == tree.parents[b] ? gaps.siblings : gaps.cousins;
      EXPECT_GE(layout.x[b] - tree.widths[b] / 2 - (layout.x[a] + tree.widths[a] / 2), gap - 1e-6)
          << "boxes " << a << " and " << b << " on level " << depth;
    }
  }
  for (const auto& [parent, pair] : ends)
    EXPECT_NEAR(layout.x[static_cast<std::size_t>(parent)],
                (layout.x[pair.first] + layout.x[pair.second]) / 2, 1e-6);
  EXPECT_NEAR(low, 0.0, 1e-6);
  EXPECT_NEAR(high, layout.width, 1e-6);
}

TEST(Layout, boxes_of_a_level_keep_their_gaps_and_parents_stand_over_their_children) {
  std::mt19937_64 random(seed());
  for (int round = 0; round < 300; ++round) {
    const Forest tree = random_tree(random, 1 + random() % 200);
    const LayoutGaps gaps{.siblings = static_cast<double>(random() % 20),
                          .cousins = static_cast<double>(random() % 40)};
    expect_rules(tree, lay_out(tree.parents, tree.widths, gaps), gaps);
  }
}

// Root, three leaves of width 10 with gaps of 2: middles 5, 17, 29, the root at 17.
TEST(Layout, siblings_stand_side_by_side) {
  const std::vector<std::int32_t> parents{-1, 0, 0, 0};
  const std::vector<double> widths{4, 10, 10, 10};
  const Layout layout = lay_out(parents, widths, {.siblings = 2, .cousins = 5});
  EXPECT_EQ(layout.x, (std::vector<double>{17, 5, 17, 29}));
  EXPECT_EQ(layout.width, 34);
  EXPECT_EQ(layout.n_levels, 2);
}

// Two wide branches force the leaf between them apart: it stands in the middle, not beside the first one.
// Children of box 1 (boxes 2, 3) and of box 5 (boxes 6, 7), each 10 wide, gaps 2 and 5: middles 5, 17 | 34
// - 2. 17 + 10 / 2 + 5 + 10 / 2 = 32, then 44. Boxes 1 and 5 stand at 11 and 38, the leaf 4 half way at 24.5.
TEST(Layout, small_branches_between_large_ones_share_the_room) {
  const std::vector<std::int32_t> parents{-1, 0, 1, 1, 0, 0, 5, 5};
  const std::vector<double> widths(8, 10.0);
  const Layout layout = lay_out(parents, widths, {.siblings = 2, .cousins = 5});
  EXPECT_EQ(layout.x, (std::vector<double>{24.5, 11, 5, 17, 24.5, 38, 32, 44}));
}

// The same branch below the left and the right child of the root looks the same.
TEST(Layout, equal_branches_look_equal) {
  std::mt19937_64 random(seed() + 1);
  for (int round = 0; round < 50; ++round) {
    const Forest branch = random_tree(random, 1 + random() % 40);
    Forest both{{-1}, {10.0}};
    const std::size_t n = branch.parents.size();
    for (int copy = 0; copy < 2; ++copy) {
      const auto start = static_cast<std::int32_t>(both.parents.size());
      for (std::size_t i = 0; i < n; ++i) {
        both.parents.push_back(branch.parents[i] < 0 ? 0 : branch.parents[i] + start);
        both.widths.push_back(branch.widths[i]);
      }
    }
    const Layout layout = lay_out(both.parents, both.widths);
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(layout.x[1 + i] - layout.x[1], layout.x[1 + n + i] - layout.x[1 + n], 1e-6);
  }
}

TEST(Layout, deep_and_wide_trees_of_many_boxes_are_laid_out) {
  const std::int32_t n = 200'000;
  Forest chain, caterpillar, star;
  for (std::int32_t i = 0; i < n; ++i) {
    chain.parents.push_back(i - 1);
    star.parents.push_back(i == 0 ? -1 : 0);
    caterpillar.parents.push_back(i == 0 ? -1 : i % 2 == 1 ? i - 1 : i - 2);
  }
  const std::vector<double> widths(static_cast<std::size_t>(n), 10.0);
  EXPECT_EQ(lay_out(chain.parents, widths).width, 10.0);
  EXPECT_EQ(lay_out(chain.parents, widths).n_levels, n);
  EXPECT_EQ(lay_out(star.parents, widths, {.siblings = 0, .cousins = 0}).width, 10.0 * (n - 1));
  EXPECT_EQ(lay_out(caterpillar.parents, widths).n_levels, n / 2 + 1 - (n % 2 == 0 ? 0 : 1));
  std::mt19937_64 random(seed() + 2);
  const Forest large = random_tree(random, 200'000);
  const LayoutGaps gaps;
  expect_rules(large, lay_out(large.parents, large.widths, gaps), gaps);
}

TEST(Layout, what_is_no_preorder_is_refused) {
  const auto refused = [](std::vector<std::int32_t> parents, std::vector<double> widths) {
    EXPECT_THROW((void)lay_out(parents, widths), Error);
  };
  refused({0}, {1.0});
  refused({-1, 1}, {1.0, 1.0});
  refused({-1, -1}, {1.0, 1.0});
  refused({-1}, {});
  refused({-1}, {std::numeric_limits<double>::quiet_NaN()});
  EXPECT_TRUE(lay_out({}, {}).x.empty());
}

}  // namespace
}  // namespace bough
