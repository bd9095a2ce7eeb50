// SPDX-License-Identifier: Apache-2.0
// Fayyad and Irani's discretiser on worked numbers, on iris, and as a split.
#include "quinlan/discretise.hpp"

#include <gtest/gtest.h>

#include "quinlan/support.hpp"

namespace bough {
namespace {

using namespace quinlan;

std::vector<double> cuts_of(const std::vector<std::vector<double>>& classes) {
  std::vector<ValueGroup> groups;
  for (std::size_t i = 0; i < classes.size(); ++i)
    groups.push_back({static_cast<std::uint32_t>(i), static_cast<double>(i), classes[i]});
  std::vector<double> thresholds;
  for (const MdlCut& cut : mdl_cuts(groups)) thresholds.push_back(cut.threshold);
  return thresholds;
}

// Values 0 and 1, n rows of one class each: the gain is 1 bit, and log2(2n - 1) + log2(7) - 2 must be below
// 2n. n = 2: 1.585 + 2.807 - 2 = 2.392 < 4, a cut. n = 1: 0 + 2.807 - 2 = 0.807 < 2, a cut too. Eight rows
// that alternate: the best cut takes off one row, whose gain of 0.1379 bits a row is 1.103 in all, while
// log2(7) + log2(7) - (2 * 1 - 1 * 0 - 2 * 0.985) = 5.585.
TEST(Discretise, a_cut_must_pay_for_its_description) {
  EXPECT_EQ(cuts_of({{2, 0}, {0, 2}}), std::vector<double>{0.5});
  EXPECT_EQ(cuts_of({{1, 0}, {0, 1}}), std::vector<double>{0.5});
  EXPECT_TRUE(cuts_of({{1, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 0}, {0, 1}}).empty());
  EXPECT_TRUE(cuts_of({{3, 0}, {5, 0}}).empty());
  EXPECT_TRUE(cuts_of({{3, 2}}).empty());
}

TEST(Discretise, three_runs_give_two_cuts_in_order) {
  EXPECT_EQ(cuts_of({{9, 0}, {9, 0}, {0, 9}, {0, 9}, {9, 0}, {9, 0}}), (std::vector<double>{1.5, 3.5}));
}

// The cut points that Weka's supervised Discretize (Fayyad and Irani) makes on iris:
// 5.55 6.15 | 2.95 3.35 | 2.45 4.75 | 0.80 1.75.
TEST(Discretise, the_cuts_of_iris) {
  const Table iris = read_table("cli/data/iris.csv");
  const std::vector<std::vector<double>> expected{{5.55, 6.15}, {2.95, 3.35}, {2.45, 4.75}, {0.8, 1.75}};
  for (std::size_t j = 0; j < 4; ++j) {
    Table one;
    const Table::Column& column = iris.column(j);
    one.view(iris.name(j), std::get<ColumnView>(column));
    one.view(iris.name(4), std::get<ColumnView>(iris.column(4)));
    const Model model = grow(one, iris.name(4), params_of("id3", {{"discretize", "mdl"}}));
    ASSERT_EQ(model.tree().kind(0), NodeKind::interval) << iris.name(j);
    const auto cuts = model.tree().cuts(0);
    ASSERT_EQ(cuts.size(), expected[j].size()) << iris.name(j);
    for (std::size_t i = 0; i < cuts.size(); ++i) EXPECT_NEAR(cuts[i], expected[j][i], 1e-9);
    EXPECT_EQ(model.tree().depth(), 1) << "a column in fixed intervals is tested once";
  }
}

TEST(Discretise, intervals_anew_in_every_node_may_come_back) {
  // In each half of x the classes change at y = 9.5, in opposite directions: neither tells anything about all
  // rows.
  std::string text = "x,y,c\n";
  for (int i = 0; i < 40; ++i)
    text += fmt::format("{},{},{}\n", i / 20, i % 20,
                        i < 20 ? (i % 20 < 10 ? "a" : "b") : (i % 20 < 10 ? "b" : "a"));
  const Params fixed = params_of("c45", {{"discretize", "mdl"}, {"pruning", "none"}});
  EXPECT_EQ(grow(text, "c", fixed).tree().n_nodes(), 1);
  std::string skewed = text;  // with more rows of x = 0, y tells something, and x afterwards
  for (int i = 0; i < 60; ++i) skewed += fmt::format("0,{},{}\n", i % 20, i % 20 < 10 ? "a" : "b");
  const Model model = grow(skewed, "c", params_of("c45", {{"discretize", "mdl_node"}, {"pruning", "none"}}));
  EXPECT_EQ(outline(model),
            "y ≤ 9.5\n"
            "| x ≤ 0.5: a 40.00/0.00\n"
            "| x > 0.5: b 10.00/0.00\n"
            "y > 9.5\n"
            "| x ≤ 0.5: b 40.00/0.00\n"
            "| x > 0.5: a 10.00/0.00\n");
}

}  // namespace
}  // namespace bough
