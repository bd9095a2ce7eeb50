// SPDX-License-Identifier: Apache-2.0
// Competitors and surrogates in trees: kept, cut off, moved, and refused when they do not fit.
#include <gtest/gtest.h>

#include "tree/samples.hpp"
#include "tree/surrogate.hpp"

namespace bough {
namespace {

using namespace samples;

Alternative number_test(ColId column, double threshold, bool turned) {
  Alternative test;
  test.role = AlternativeRole::surrogate;
  test.column = column;
  test.threshold = threshold;
  test.turned = turned;
  return test;
}

Alternative level_test(ColId column, std::vector<std::uint32_t> levels, std::vector<std::uint16_t> children) {
  Alternative test;
  test.role = AlternativeRole::surrogate;
  test.kind = NodeKind::subset;
  test.column = column;
  test.map_levels = std::move(levels);
  test.map_children = std::move(children);
  return test;
}

// A root of two children with these alternatives; columns 0 and 1 are numbers, column 2 has three levels.
Tree with(std::vector<Alternative> alternatives) {
  TreeBuilder builder(Task::classification, {2});
  builder.root();
  builder.split(0, numeric(0, 1.0, missing_surrogate), 2);
  builder.set_stats(0, counts(4, 2));
  builder.set_stats(1, counts(3, 0));
  builder.set_stats(2, counts(1, 2));
  builder.set_alternatives(0, std::move(alternatives));
  return std::move(builder).finish();
}

std::string verdict(std::vector<Alternative> alternatives) {
  const std::vector<std::uint32_t> n_levels{0, 0, 3};
  try {
    with(std::move(alternatives)).check(3, n_levels);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_model);
    return error.what();
  }
}

TEST(Alternatives, sound_ones_are_kept) {
  Alternative competitor = number_test(1, 3.0, true);
  competitor.role = AlternativeRole::competitor;
  EXPECT_EQ(verdict({competitor, number_test(1, 2.0, false), level_test(2, {0, 2}, {1, 0})}), "");
  const Tree tree = with({competitor, level_test(2, {0, 2}, {1, 0})});
  ASSERT_EQ(tree.alternatives(0).size(), 2U);
  EXPECT_EQ(tree.alternatives(0)[1], level_test(2, {0, 2}, {1, 0}));
  EXPECT_TRUE(tree.alternatives(1).empty());
  EXPECT_EQ(TreeBuilder::from(tree).finish(), tree);
}

TEST(Alternatives, those_that_do_not_fit_are_refused) {
  EXPECT_NE(verdict({number_test(3, 1.0, false)}).find("column 3 of 3"), std::string::npos);
  EXPECT_NE(verdict({number_test(-1, 1.0, false)}), "");
  EXPECT_NE(verdict({number_test(2, 1.0, false)}).find("column of levels"), std::string::npos);
  EXPECT_NE(verdict({number_test(1, std::nan(""), false)}), "");
  EXPECT_NE(verdict({level_test(2, {0, 3}, {0, 1})}).find("level 3 of 3"), std::string::npos);
  EXPECT_NE(verdict({level_test(2, {1, 0}, {0, 1})}).find("increase"), std::string::npos);
  EXPECT_NE(verdict({level_test(2, {0, 1}, {0, 2})}).find("child 2"), std::string::npos);
  EXPECT_NE(verdict({level_test(2, {0, 1}, {0})}), "");
  EXPECT_NE(verdict({level_test(2, {}, {})}), "");
  Alternative odd = number_test(1, 1.0, false);
  odd.kind = NodeKind::oblique;
  EXPECT_NE(verdict({odd}).find("kind"), std::string::npos);
  odd = number_test(1, 1.0, false);
  odd.score = std::nan("");
  EXPECT_NE(verdict({odd}).find("finite"), std::string::npos);
  odd = number_test(1, 1.0, false);
  odd.n_rows = -1;
  EXPECT_NE(verdict({odd}), "");
  Alternative late = number_test(1, 3.0, true);
  late.role = AlternativeRole::competitor;
  EXPECT_NE(verdict({number_test(1, 2.0, false), late}).find("behind"), std::string::npos);
}

TEST(Alternatives, a_leaf_has_none) {
  TreeBuilder builder = TreeBuilder::from(with({number_test(1, 2.0, false)}));
  EXPECT_THROW(builder.set_alternatives(1, {number_test(1, 2.0, false)}), Error);
  builder.collapse(0);
  EXPECT_TRUE(std::move(builder).finish().alternatives(0).empty());
}

TEST(Alternatives, a_surrogate_decides_where_it_has_a_cell) {
  EXPECT_EQ(route_surrogate(number_test(1, 2.0, false), 2.0), 0);
  EXPECT_EQ(route_surrogate(number_test(1, 2.0, false), 2.5), 1);
  EXPECT_EQ(route_surrogate(number_test(1, 2.0, true), 2.5), 0);
  EXPECT_EQ(route_surrogate(number_test(1, 2.0, true), std::nan("")), -1);
  EXPECT_EQ(route_surrogate(level_test(2, {0, 2}, {1, 0}), 0.0), 1);
  EXPECT_EQ(route_surrogate(level_test(2, {0, 2}, {1, 0}), 2.0), 0);
  EXPECT_EQ(route_surrogate(level_test(2, {0, 2}, {1, 0}), 1.0), -1);
  EXPECT_EQ(route_surrogate(level_test(2, {0, 2}, {1, 0}), -1.0), -1);
}

}  // namespace
}  // namespace bough
