// SPDX-License-Identifier: Apache-2.0
// Trees as indented text.
#include <gtest/gtest.h>

#include <algorithm>

#include "bough/export.hpp"
#include "explain/models.hpp"

namespace bough {
namespace {

using namespace bough::testing;

TEST(Text, a_tree_reads_from_the_root_to_the_leaves) {
  EXPECT_EQ(to_text(iris()),
            "setosa 33.3%, versicolor 33.3%, virginica 33.3% · 150 rows\n"
            "├─ petal length ≤ 2.45 → setosa 100% · 50 rows\n"
            "└─ petal length > 2.45\n"
            "   ├─ petal width ≤ 1.75 → versicolor 90.7%, virginica 9.3% · 54 rows\n"
            "   └─ petal width > 1.75 → virginica 97.8%, versicolor 2.2% · 46 rows\n");
  EXPECT_EQ(to_text(iris()), export_model(iris(), "text"));
}

TEST(Text, shares_of_weighted_classes_are_told_as_such) {
  Model::Parts parts = iris().parts();
  parts.params.class_weight.balanced = true;
  EXPECT_TRUE(to_text(Model(parts))
                  .starts_with("setosa 33.3%, versicolor 33.3%, virginica 33.3% · 150 rows, by weight"));
  EXPECT_NE(export_model(Model(parts), "dot").find("by weight: setosa"), std::string::npos);
  EXPECT_NE(export_model(Model(parts), "svg").find("by weight: setosa"), std::string::npos);
  EXPECT_EQ(export_model(iris(), "dot").find("by weight"), std::string::npos);
}

TEST(Text, trees_of_several_say_which_one_they_are) {
  Model::Parts parts = iris().parts();
  parts.trees.push_back(parts.trees.front());
  parts.combine = Combine::vote;
  const Model model(parts);
  for (const char* format : {"text", "dot", "svg", "rules"}) {
    EXPECT_NE(export_model(model, format, {.tree = 1}).find("tree 2 of 2"), std::string::npos) << format;
    EXPECT_EQ(export_model(iris(), format).find("tree 1 of 1"), std::string::npos) << format;
  }
}

TEST(Text, thresholds_have_all_digits_that_rows_are_divided_by) {
  const auto shown = [](double first, double second) {
    TreeBuilder builder(Task::regression, {1});
    const auto root = builder.root();
    builder.set_stats(root, stats({2.0}, 4));
    const auto low = builder.split(root, numeric_split(0, first, 0), 2);
    builder.set_stats(low, stats({1.0}, 2));
    builder.set_stats(low + 1, stats({3.0}, 2));
    const auto lower = builder.split(low, numeric_split(0, second), 2);
    builder.set_stats(lower, stats({0.5}, 1));
    builder.set_stats(lower + 1, stats({0.25}, 1));
    Model::Parts parts = number_parts({numeric("lat")}, number_target("y"));
    parts.trees.push_back(std::move(builder).finish());
    return export_model(Model(std::move(parts)), "text", {.precision = 4});
  };
  // Whatever precision is asked for: 48.1375 does not become 48.14, for a row of 48.139 goes right.
  EXPECT_NE(shown(48.1375, 20.25).find("lat ≤ 48.1375\n"), std::string::npos);
  EXPECT_NE(shown(48.1375, 48.1371).find("lat ≤ 48.1375\n"), std::string::npos);
  EXPECT_NE(shown(48.1375, 48.1371).find("lat ≤ 48.1371 "), std::string::npos);
  EXPECT_NE(shown(0.5, 0.49999999).find("lat ≤ 0.49999999 "), std::string::npos);
  EXPECT_NE(shown(48.1375, 48.1375).find("lat ≤ 48.1375\n"), std::string::npos);
  EXPECT_NE(shown(1000.12085, 20.25).find("lat ≤ 1000.12085\n"), std::string::npos);
}

TEST(Text, open_branches_are_joined_by_a_line) {
  TreeBuilder builder(Task::regression, {1});
  const auto root = builder.root();
  builder.set_stats(root, stats({2.0}, 4));
  const auto first = builder.split(root, numeric_split(0, 1.5, 0), 2);
  builder.set_stats(first, stats({1.0}, 2));
  builder.set_stats(first + 1, stats({3.0}, 2));
  const auto second = builder.split(first, numeric_split(0, 0.5), 2);
  builder.set_stats(second, stats({0.5}, 1));
  builder.set_stats(second + 1, stats({1.0 / 3.0}, 1));
  Model::Parts parts = number_parts({numeric("x")}, number_target("y"));
  parts.trees.push_back(std::move(builder).finish());
  const Model model(std::move(parts));
  EXPECT_EQ(to_text(model),
            "4 rows\n"
            "├─ x ≤ 1.5\n"
            "│  ├─ x ≤ 0.5 → 0.5 · 1 row\n"
            "│  └─ x > 0.5 → 0.333333 · 1 row\n"
            "└─ x > 1.5 → 3 · 2 rows\n");
  EXPECT_EQ(export_model(model, "text", {.precision = 0, .missing = true}),
            "4 rows\n"
            "├─ x ≤ 1.5, or missing\n"
            "│  ├─ x ≤ 0.5 → 0.5 · 1 row\n"
            "│  └─ x > 0.5, or missing → 0.3333333333333333 · 1 row\n"
            "└─ x > 1.5 → 3 · 2 rows\n");
}

TEST(Text, a_limit_of_depth_says_what_it_hides) {
  EXPECT_EQ(to_text(iris(), 1),
            "setosa 33.3%, versicolor 33.3%, virginica 33.3% · 150 rows\n"
            "├─ petal length ≤ 2.45 → setosa 100% · 50 rows\n"
            "└─ petal length > 2.45 → versicolor 50%, virginica 50% · 100 rows ... (2 more nodes)\n");
  EXPECT_EQ(to_text(iris(), 0),
            "→ setosa 33.3%, versicolor 33.3%, virginica 33.3% · 150 rows ... (4 more nodes)\n");
  EXPECT_EQ(to_text(iris(), 2), to_text(iris()));
}

TEST(Text, a_single_leaf_is_one_line) {
  TreeBuilder builder(Task::classification, {2});
  builder.set_stats(builder.root(), counts({7, 0}));
  Model::Parts parts = class_parts({numeric("x")}, class_target("y", {"no", "yes"}));
  parts.trees.push_back(std::move(builder).finish());
  EXPECT_EQ(to_text(Model(std::move(parts))), "→ no 100% · 7 rows\n");
}

TEST(Text, several_outputs_and_many_classes_stay_short) {
  TreeBuilder builder(Task::classification, {2, 7});
  builder.set_stats(builder.root(), stats({1, 3, 1, 1, 1, 1, 1, 1, 1}, 7));
  Model::Parts parts = class_parts({numeric("x")}, class_target("y", {"no", "yes"}));
  parts.targets.fields.push_back(class_target("z", {"a", "b", "c", "d", "e", "f", "g"}));
  parts.trees.push_back(std::move(builder).finish());
  EXPECT_EQ(to_text(Model(std::move(parts))), "→ y = yes, z = a · 7 rows\n");

  TreeBuilder wide(Task::classification, {7});
  wide.set_stats(wide.root(), counts({1, 1, 4, 1, 1, 1, 1}));
  Model::Parts many = class_parts({numeric("x")}, class_target("z", {"a", "b", "c", "d", "e", "f", "g"}));
  many.trees.push_back(std::move(wide).finish());
  EXPECT_EQ(to_text(Model(std::move(many))), "→ c 40%, a 10%, b 10%, d 10% and 3 more · 10 rows\n");
}

TEST(Text, awkward_names_cannot_break_lines_or_steer_terminals) {
  const Model model = one_split({levels("co\nlour\x1b[2J", Kind::category, {"re\nd", "gr\xffn", "b, l"})},
                                map_split(NodeKind::subset, 0, {0, 1, 2}, {0, 0, 1}));
  const std::string text = to_text(model);
  EXPECT_EQ(std::ranges::count(text, '\n'), 3);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("co\\nlour\\u001b[2J = \"b, l\""), std::string::npos) << text;
  EXPECT_NE(text.find("co\\nlour\\u001b[2J = re\\nd"), std::string::npos) << text;
}

TEST(Text, a_chain_of_a_hundred_thousand_nodes_stays_readable) {
  const std::string text = to_text(chain(50000));
  EXPECT_EQ(std::ranges::count(text, '\n'), 100001);
  EXPECT_LT(text.size(), 30U << 20);
  EXPECT_NE(text.find("[depth 50000] "), std::string::npos);
  EXPECT_EQ(text.find("[depth 40] "), std::string::npos);
  EXPECT_NE(text.find("[depth 41] "), std::string::npos);
}

}  // namespace
}  // namespace bough
