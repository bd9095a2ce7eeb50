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
            R"(0 [label="petal length ≤ 2.45\nsetosa\n150 rows\nsetosa 33.3%, versicolor 33.3%, )"
            R"(virginica 33.3%\ngini 0.25"];)");
  EXPECT_EQ(line_of(dot, "1 ["), R"(1 [label="setosa\n50 rows\nsetosa 100%\ngini 0.25"];)");
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
      R"x(\"\\\"];\\n0 -&gt; 0 [label=\\\"&lt;b&gt;&amp;amp;\\\\\"\nno\n8 rows\nno 75%, yes 25%\ngini 0.25"];)x");
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
  EXPECT_EQ(line_of(dot, "0 -> 2"), R"(0 -> 2 [label="1.5 &lt; x ≤ 4"];)");
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
  EXPECT_EQ(line_of(dot, "0 ["), R"(0 [label="2.5\n3 rows\nsquared error 0.25", fillcolor="#ffffff"];)");
  EXPECT_EQ(std::ranges::count(dot, '\n'), 3 + 1 + 1);
  EXPECT_EQ(std::ranges::count(export_model(chain(50000), "dot"), '\n'), 3 + 100001 + 100000 + 1);
}

TEST(Dot, every_option_is_looked_at) {
  ExportOptions options;
  options.filled = options.rounded = options.impurity = false;
  options.node_ids = options.proportion = options.leaves_parallel = options.rotate = true;
  options.label = "root";
  options.fontname = "a\"b";
  options.feature_names = "len, wid";
  options.class_names = "se,ve,vi";
  const std::string dot = export_model(iris(), "dot", options);
  EXPECT_TRUE(
      dot.starts_with("digraph tree {\n  node [shape=box, style=\"filled\", fillcolor=\"#ffffff\", "
                      R"x(fontname="a\"b"];)x"))
      << dot;
  EXPECT_NE(dot.find("rankdir=LR;"), std::string::npos);
  EXPECT_EQ(line_of(dot, "{rank"), "{rank=same; 1; 3; 4;}");
  EXPECT_EQ(line_of(dot, "0 ["),
            R"(0 [label="node 0\nlen ≤ 2.45\nse\n100% of rows\nse 33.3%, ve 33.3%, vi 33.3%"];)");
  EXPECT_EQ(line_of(dot, "3 ["), R"(3 [label="#3\nve\n36%\n[0, 0.907, 0.0926]"];)");
}

TEST(Dot, special_characters_are_html_labels) {
  const std::string evil = "<b>\"&\\";
  const Model model = one_split({levels(evil, Kind::category, {"x", "y", "z"})},
                                map_split(NodeKind::subset, 0, {0, 1, 2}, {0, 1, 1}));
  const std::string dot = export_model(model, "dot", {.filled = false, .special_characters = true});
  EXPECT_EQ(line_of(dot, "0 ["),
            "0 [label=<&quot;&lt;b&gt;\\&quot;&amp;\\\\&quot; = x<br/>no<br/>8 rows<br/>no 75%, "
            "yes 25%<br/>gini 0.25>];");
  EXPECT_EQ(line_of(dot, "0 -> 1"), "0 -> 1 [label=<yes>];");
  const std::string iris_dot = export_model(iris(), "dot", {.special_characters = true});
  EXPECT_NE(iris_dot.find("petal length ≤ 2.45<br/>"), std::string::npos);
}

TEST(Dot, names_that_do_not_fit_are_refused) {
  EXPECT_THROW((void)export_model(iris(), "dot", {.feature_names = "a"}), Error);
  EXPECT_THROW((void)export_model(iris(), "svg", {.class_names = "a,b"}), Error);
  EXPECT_THROW((void)export_model(chain(2), "dot", {.class_names = "a,b"}), Error);
}

TEST(Svg, is_the_picture_of_a_tree) {
  const std::string svg = export_model(iris(), "svg", {.max_depth = 1, .feature_names = "len,wid"});
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_NE(svg.find(">len ≤ 2.45</text>"), std::string::npos);
  EXPECT_NE(svg.find("+ 2 nodes, 1 level"), std::string::npos);
}

}  // namespace
}  // namespace bough
