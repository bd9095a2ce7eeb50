// SPDX-License-Identifier: Apache-2.0
// Trees as SVG pictures, and which of their nodes are drawn.
#include <gtest/gtest.h>

#include <algorithm>

#include "bough/draw.hpp"
#include "explain/models.hpp"

namespace bough {
namespace {

using namespace bough::testing;
using What = ViewBox::What;

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Model full_tree(int depth) {
  TreeBuilder builder(Task::regression, {1});
  std::vector<TreeBuilder::Handle> level{builder.root()};
  builder.set_stats(level[0], stats({0.0}, 1 << depth));
  for (int d = 0; d < depth; ++d) {
    std::vector<TreeBuilder::Handle> next;
    for (const auto node : level) {
      const auto first = builder.split(node, numeric_split(0, d + 0.5), 2);
      for (int i = 0; i < 2; ++i) {
        builder.set_stats(first + i, stats({static_cast<double>(next.size())}, 1 << (depth - d - 1)));
        next.push_back(first + i);
      }
    }
    level = std::move(next);
  }
  Model::Parts parts = number_parts({numeric("x")}, number_target("y"));
  parts.trees.push_back(std::move(builder).finish());
  return Model(std::move(parts));
}

TEST(View, small_trees_are_drawn_whole) {
  const Model model = iris();
  const TreeView view = view_tree(model.tree());
  EXPECT_EQ(view.max_depth, -1);
  ASSERT_EQ(view.boxes.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(view.boxes[i].node, static_cast<NodeId>(i));
  EXPECT_EQ(view.boxes[0].what, What::inner);
  EXPECT_EQ(view.boxes[1].what, What::leaf);
}

// 17 levels of a full tree are 262,143 nodes; four levels leave 16 ends, a fifth would make 32.
TEST(View, large_trees_are_folded_where_a_page_ends) {
  const Model model = full_tree(17);
  const TreeView view = view_tree(model.tree());
  EXPECT_EQ(view.max_depth, 4);
  EXPECT_EQ(view.boxes.size(), 31U);
  EXPECT_EQ(std::ranges::count(view.boxes, What::folded, &ViewBox::what), 16);
  EXPECT_EQ(view.boxes[4].hidden, (1 << 14) - 2);  // 13 levels below a node of level 4
  EXPECT_EQ(view.boxes[4].levels, 13);
  EXPECT_LT(draw_tree(model).size(), 60'000U);
}

TEST(View, a_tree_of_a_hundred_thousand_levels_is_folded_too) {
  const Model model = chain(100'000);
  const TreeView view = view_tree(model.tree());
  EXPECT_EQ(view.max_depth, 15);  // 15 leaves beside the chain and its rest
  EXPECT_EQ(view.boxes.back().levels, 100'000 - 15);
  EXPECT_LT(draw_tree(model).size(), 40'000U);
}

TEST(View, depth_and_collapsed_nodes_are_the_users_choice) {
  const Model model = full_tree(3);
  EXPECT_EQ(view_tree(model.tree(), {.max_depth = 1}).boxes.size(), 3U);
  EXPECT_EQ(view_tree(model.tree(), {.max_depth = 0}).boxes.size(), 1U);
  const TreeView view = view_tree(model.tree(), {.collapsed = {1}});
  EXPECT_EQ(view.boxes.size(), 15U - 6U);
  EXPECT_EQ(view.boxes[1].what, What::folded);
  EXPECT_EQ(view.boxes[1].hidden, 6);
  EXPECT_THROW((void)view_tree(model.tree(), {.collapsed = {15}}), Error);
}

TEST(View, the_lighter_of_many_children_share_a_box) {
  std::vector<std::string> names;
  std::vector<std::uint32_t> map_levels;
  std::vector<std::uint16_t> map_children;
  for (std::uint32_t i = 0; i < 300; ++i) {
    names.push_back(std::to_string(i));
    map_levels.push_back(i);
    map_children.push_back(static_cast<std::uint16_t>(i));
  }
  const Model model = one_split({levels("code", Kind::category, names)},
                                map_split(NodeKind::multiway, 0, map_levels, map_children), 300);
  const TreeView view = view_tree(model.tree());
  ASSERT_EQ(view.boxes.size(), 1U + 12U);
  EXPECT_EQ(view.boxes.back().what, What::rest);
  EXPECT_EQ(view.boxes.back().branches, 289);
  EXPECT_EQ(view.boxes.back().child, 11);
  EXPECT_EQ(view_tree(model.tree(), {.most_children = 0}).boxes.size(), 301U);
}

TEST(TreePicture, boxes_tell_question_answer_rows_and_impurity) {
  const std::string svg = draw_tree(iris());
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find(">petal length ≤ 2.45</text>"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">54 rows · gini 0.25</text>"), std::string::npos);
  EXPECT_EQ(count_of(svg, "class=\"leaf\""), 3U);
  EXPECT_EQ(count_of(svg, ">yes</text>"), 2U);
  // The pure leaf has 0.85 of (230, 159, 0), as in Graphviz pictures; the root's even mix is white.
  EXPECT_NE(svg.find("fill=\"#eaad26\""), std::string::npos);
}

TEST(TreePicture, one_leaf_is_a_picture) {
  TreeBuilder builder(Task::regression, {1});
  builder.set_stats(builder.root(), stats({2.5}, 3));
  Model::Parts parts = number_parts({numeric("x")}, number_target("y"));
  parts.trees.push_back(std::move(builder).finish());
  const std::string svg = draw_tree(Model(std::move(parts)));
  EXPECT_NE(svg.find(">2.5</text>"), std::string::npos);
  EXPECT_EQ(count_of(svg, "<g "), 1U);
}

TEST(TreePicture, missing_cells_are_marked_when_asked_for_or_met) {
  const Model even = one_split({numeric("x")}, numeric_split(0, 1.0, 1));
  EXPECT_EQ(draw_tree(even).find("missing values"), std::string::npos);
  EXPECT_NE(draw_tree(even, {.missing = true}).find("missing values go here"), std::string::npos);
  // The left child is the heavier one, missing cells go right: training has met some.
  TreeBuilder builder(Task::classification, {2});
  builder.set_stats(builder.root(), counts({6, 2}));
  const auto first = builder.split(0, numeric_split(0, 1.0, 1), 2);
  builder.set_stats(first, counts({6, 0}));
  builder.set_stats(first + 1, counts({0, 2}));
  Model::Parts parts = class_parts({numeric("x")}, class_target("y", {"a", "b"}));
  parts.trees.push_back(std::move(builder).finish());
  const Model model(std::move(parts));
  EXPECT_NE(draw_tree(model).find("missing values go here"), std::string::npos);
  EXPECT_EQ(draw_tree(model, {.missing = false}).find("missing values"), std::string::npos);
}

TEST(TreePicture, hostile_names_stay_text) {
  const std::string evil = "</svg><script>alert(1)</script>\"'&\x01\n\xff\xef\xbf\xbf";
  const Model model = one_split({levels(evil, Kind::category, {evil, "]]>", "x"})},
                                map_split(NodeKind::subset, 0, {0, 1, 2}, {0, 1, 1}));
  TreePictureOptions options;
  options.picture.title = evil;
  const std::string svg = draw_tree(model, options);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(count_of(svg, "</svg>"), 1U);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  EXPECT_EQ(svg.find("\xef\xbf\xbf"), std::string::npos);
}

TEST(TreePicture, more_boxes_than_anybody_can_look_at_are_refused) {
  EXPECT_THROW((void)draw_tree(full_tree(15), {.view = {.max_depth = -1}}), Error);
  EXPECT_THROW((void)draw_tree(iris(), {.picture = {.tree = 1}}), Error);
}

// 40 classes, of which the last wins everywhere: it is in the legend, the empty ones are not all.
TEST(TreePicture, the_legend_of_many_classes_names_those_that_win) {
  std::vector<std::string> names;
  std::vector<double> weights(40, 0.0);
  for (int i = 0; i < 40; ++i) names.push_back("class " + std::to_string(i));
  weights[39] = 5.0;
  TreeBuilder builder(Task::classification, {40});
  builder.set_stats(builder.root(), counts(weights));
  Model::Parts parts = class_parts({numeric("x")}, class_target("y", names));
  parts.trees.push_back(std::move(builder).finish());
  const std::string svg = draw_tree(Model(std::move(parts)));
  EXPECT_EQ(count_of(svg, ">class 39 100%</text>"), 1U);  // the leaf
  EXPECT_EQ(count_of(svg, ">class 39</text>"), 1U);       // the legend
  EXPECT_NE(svg.find(">and 30 more</text>"), std::string::npos);
}

TEST(TreePicture, models_without_training_statistics_are_drawn) {
  for (const Task task : {Task::classification, Task::regression}) {
    TreeBuilder builder(task, {task == Task::classification ? 2U : 1U});
    builder.split(builder.root(), numeric_split(0, 1.0), 2);
    Model::Parts parts = task == Task::classification
                             ? class_parts({numeric("x"), numeric("z")}, class_target("y", {"a", "b"}))
                             : number_parts({numeric("x"), numeric("z")}, number_target("y"));
    parts.trees.push_back(std::move(builder).finish());
    const Model model(std::move(parts));
    EXPECT_EQ(draw_tree(model).find("nan"), std::string::npos);
    EXPECT_NE(draw_path(model).find("</svg>"), std::string::npos);
    EXPECT_NE(draw_regions(model, nullptr).find("</svg>"), std::string::npos);
    EXPECT_NE(draw_fit(model, nullptr, {.x = "x"}).find("</svg>"), std::string::npos);
    EXPECT_NE(draw_importances(model).find("</svg>"), std::string::npos);
  }
}

}  // namespace
}  // namespace bough
