// SPDX-License-Identifier: Apache-2.0
// Trees as Graphviz pictures.
#include <gtest/gtest.h>

#include <algorithm>

#include "bough/export.hpp"
#include "explain/models.hpp"

namespace bough {
namespace {

using namespace bough::testing;

std::string line_of(const std::string& text, const std::string& start) {
  const std::size_t at = text.find("\n  " + start);
  return at == std::string::npos ? "" : text.substr(at + 3, text.find('\n', at + 1) - at - 3);
}

TEST(Dot, nodes_carry_question_answer_rows_shares_and_impurity) {
  const std::string dot = export_model(iris(), "dot", {.filled = false});
  EXPECT_TRUE(dot.starts_with("digraph tree {\n"));
  EXPECT_TRUE(dot.ends_with("}\n"));
  EXPECT_EQ(line_of(dot, "0 ["),
            R"(0 [label="petal length &lt;= 2.45\nsetosa\n150 rows\nsetosa 33.3 %, versicolor 33.3 %, )"
            R"(virginica 33.3 %\ngini 0.25"];)");
  EXPECT_EQ(line_of(dot, "1 ["), R"(1 [label="setosa\n50 rows\nsetosa 100 %\ngini 0.25"];)");
  EXPECT_EQ(line_of(dot, "0 -> 1"), R"(0 -> 1 [label="yes"];)");
  EXPECT_EQ(line_of(dot, "2 -> 4"), R"(2 -> 4 [label="no"];)");
}

// A pure leaf of the first class is 0.85 of the palette's (230, 159, 0): 255 - 25 * 0.85 = 233.75, 255 - 96 *
// 0.85 = 173.4, 255 - 255 * 0.85 = 38.25; the root's even mix is white.
TEST(Dot, colours_follow_class_and_purity) {
  const std::string dot = export_model(iris(), "dot");
  EXPECT_NE(line_of(dot, "1 [").find("fillcolor=\"#eaad26\""), std::string::npos) << line_of(dot, "1 [");
  EXPECT_NE(line_of(dot, "0 [").find("fillcolor=\"#ffffff\""), std::string::npos);
  // Regression: the lowest value is white, the highest 0.85 of (86, 180, 233).
  const std::string values = export_model(chain(1), "dot");
  EXPECT_NE(line_of(values, "1 [").find("fillcolor=\"#ffffff\""), std::string::npos);
  EXPECT_NE(line_of(values, "2 [").find("fillcolor=\"#6fbfec\""), std::string::npos)
      << line_of(values, "2 [");
}

TEST(Dot, names_cannot_leave_their_quotes_or_become_markup) {
  const std::string evil = "\"];\n0 -> 0 [label=\"<b>&amp;\\";
  const Model model = one_split({levels(evil, Kind::category, {evil, "\\N", "x"})},
                                map_split(NodeKind::subset, 0, {0, 1, 2}, {0, 1, 1}));
  const std::string dot = export_model(model, "dot", {.filled = false});
  EXPECT_EQ(
      line_of(dot, "0 ["),
      R"x(0 [label="\"\\\"];\\n0 -&gt; 0 [label=\\\"&lt;b&gt;&amp;amp;\\\\\" = )x"
      R"x(\"\\\"];\\n0 -&gt; 0 [label=\\\"&lt;b&gt;&amp;amp;\\\\\"\nno\n8 rows\nno 75 %, yes 25 %\ngini 0.25"];)x");
  // Header, 3 nodes, 2 edges, end: nothing of the names became a line.
  EXPECT_EQ(std::ranges::count(dot, '\n'), 3 + 3 + 2 + 1);
}

TEST(Dot, many_ways_label_their_edges) {
  Split interval;
  interval.kind = NodeKind::interval;
  interval.column = 0;
  interval.cuts = {1.5, 4};
  const std::string dot = export_model(one_split({numeric("x")}, interval, 3), "dot", {.filled = false});
  EXPECT_TRUE(line_of(dot, "0 [").starts_with(R"(0 [label="x\nno\n)")) << line_of(dot, "0 [");
  EXPECT_EQ(line_of(dot, "0 -> 2"), R"(0 -> 2 [label="1.5 &lt; x &lt;= 4"];)");
}

TEST(Dot, a_limit_of_depth_cuts_with_a_note) {
  const std::string dot = export_model(iris(), "dot", {.max_depth = 1, .filled = false});
  EXPECT_NE(line_of(dot, "2 [").find(R"x(... (2 more nodes)", style="rounded,filled,dashed"];)x"),
            std::string::npos)
      << line_of(dot, "2 [");
  EXPECT_EQ(line_of(dot, "3 ["), "");
  EXPECT_EQ(line_of(dot, "2 ->"), "");
}

TEST(Dot, single_leaves_and_long_chains) {
  TreeBuilder builder(Task::regression, {1});
  builder.set_stats(builder.root(), stats({2.5}, 3));
  Model::Parts parts = number_parts({numeric("x")}, number_target("y"));
  parts.trees.push_back(std::move(builder).finish());
  const std::string dot = export_model(Model(std::move(parts)), "dot");
  EXPECT_EQ(line_of(dot, "0 ["), R"(0 [label="2.5\n3 rows\nsquared_error 0.25", fillcolor="#ffffff"];)");
  EXPECT_EQ(std::ranges::count(dot, '\n'), 3 + 1 + 1);
  EXPECT_EQ(std::ranges::count(export_model(chain(50000), "dot"), '\n'), 3 + 100001 + 100000 + 1);
}

}  // namespace
}  // namespace bough
