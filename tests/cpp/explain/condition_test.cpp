// SPDX-License-Identifier: Apache-2.0
// Conditions of every kind of test in words.
#include "explain/condition.hpp"

#include <gtest/gtest.h>

#include "bough/explain.hpp"
#include "explain/models.hpp"

namespace bough {
namespace {

using namespace bough::testing;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::string> conditions(const Model& model, const ConditionStyle& style = {}) {
  std::vector<std::string> words;
  const auto n_children = static_cast<std::int32_t>(model.tree().children(0).size());
  for (std::int32_t i = 0; i < n_children; ++i)
    words.push_back(condition_words(describe(model, model.tree(), 0, i, style)));
  return words;
}

using Words = std::vector<std::string>;

TEST(Condition, a_number_is_at_most_the_threshold_or_more) {
  EXPECT_EQ(conditions(one_split({numeric("age")}, numeric_split(0, 41.5))),
            (Words{"age ≤ 41.5", "age > 41.5"}));
  EXPECT_EQ(conditions(one_split({numeric("")}, numeric_split(0, -2))), (Words{"\"\" ≤ -2", "\"\" > -2"}));
}

TEST(Condition, an_infinite_threshold_asks_whether_the_cell_is_known) {
  EXPECT_EQ(conditions(one_split({numeric("age")}, numeric_split(0, kInfinity))),
            (Words{"age is known", "age is missing"}));
}

TEST(Condition, an_order_is_cut_before_a_level) {
  const Field size = levels("size", Kind::ordinal, {"small", "medium", "large"});
  EXPECT_EQ(conditions(one_split({size}, level_split(NodeKind::ordinal, 0, 2))),
            (Words{"size < large", "size ≥ large"}));
  EXPECT_EQ(conditions(one_split({size}, level_split(NodeKind::ordinal, 0, 3))),
            (Words{"size is known", "size is missing"}));
}

TEST(Condition, one_category_is_told_from_the_rest) {
  const Field colour = levels("color", Kind::category, {"blue", "red"});
  EXPECT_EQ(conditions(one_split({colour}, level_split(NodeKind::equality, 0, 1))),
            (Words{"color = red", "color is not red"}));
}

TEST(Condition, a_child_is_described_by_the_levels_that_go_there) {
  const Field job = levels("job", Kind::category, {"a", "b", "c", "d", "e"});
  EXPECT_EQ(conditions(one_split({job}, map_split(NodeKind::subset, 0, {0, 1, 2, 3, 4}, {0, 0, 1, 1, 1}))),
            (Words{"job = a, b", "job = c, d, e"}));
  EXPECT_EQ(conditions(one_split({job}, map_split(NodeKind::subset, 0, {0, 1, 2, 3, 4}, {0, 0, 0, 1, 0}))),
            (Words{"job = a, b, c, e", "job = d"}));
}

// Only where many levels go there and few do not, the few are told; missing cells then stand before them.
TEST(Condition, many_levels_are_described_by_the_few_that_are_left_out) {
  const Field job = levels("job", Kind::category, {"a", "b", "c", "d", "e", "f", "missing"});
  Split split = map_split(NodeKind::subset, 0, {0, 1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 0, 0, 1});
  EXPECT_EQ(conditions(one_split({job}, split)), (Words{"job is not \"missing\"", "job = \"missing\""}));
  split.missing_to = 0;
  const Model model = one_split({job}, split);
  EXPECT_EQ(condition_words(describe(model, model.tree(), 0, 0, {.missing = true})),
            "job is missing or not \"missing\"");
}

TEST(Condition, levels_absent_from_the_map_belong_to_the_child_of_the_unseen) {
  const Field job = levels("job", Kind::category, {"a", "b", "c", "d", "e"});
  Split split = map_split(NodeKind::subset, 0, {0, 1, 2}, {0, 0, 1});
  split.unseen_to = 1;
  EXPECT_EQ(conditions(one_split({job}, split)), (Words{"job = a, b", "job = c or other"}));
  split.unseen_to = 0;
  EXPECT_EQ(conditions(one_split({job}, split)), (Words{"job = a, b or other", "job = c"}));
}

TEST(Condition, missing_against_the_rest_of_the_categories) {
  const Field job = levels("job", Kind::category, {"a", "b", "c"});
  Split split = map_split(NodeKind::subset, 0, {0, 1, 2}, {0, 0, 0});
  split.unseen_to = 0;
  EXPECT_EQ(conditions(one_split({job}, split)), (Words{"job is known", "job is missing"}));
  split = map_split(NodeKind::subset, 0, {0, 2}, {0, 0});
  split.unseen_to = 0;
  EXPECT_EQ(conditions(one_split({job}, split)), (Words{"job is known", "job is missing"}));
}

TEST(Condition, long_lists_are_shortened) {
  std::vector<std::string> names;
  std::vector<std::uint32_t> map_levels;
  std::vector<std::uint16_t> map_children;
  for (std::uint32_t i = 0; i < 40; ++i) {
    names.push_back("v" + std::to_string(10 + i));
    map_levels.push_back(i);
    map_children.push_back(i % 2 == 0 ? 0 : 1);
  }
  const Model model = one_split({levels("job", Kind::category, names)},
                                map_split(NodeKind::subset, 0, map_levels, map_children));
  EXPECT_EQ(conditions(model), (Words{"job = v10, v12, v14 and 17 more", "job = v11, v13, v15 and 17 more"}));
}

TEST(Condition, awkward_category_names_stay_on_one_line_and_apart) {
  const Field job = levels("the \"job\"", Kind::category, {"", "a, b", "line\nbreak", "z"});
  EXPECT_EQ(conditions(one_split({job}, map_split(NodeKind::subset, 0, {0, 1, 2, 3}, {0, 0, 1, 1}))),
            (Words{R"("the \"job\"" = "", "a, b")", R"("the \"job\"" = line\nbreak, z)"}));
}

TEST(Condition, many_ways_and_intervals_describe_each_child) {
  const Field job = levels("job", Kind::category, {"a", "b", "c", "d"});
  Split split = map_split(NodeKind::multiway, 0, {0, 1, 2}, {0, 1, 2});
  split.unseen_to = 2;
  EXPECT_EQ(conditions(one_split({job}, split, 3)), (Words{"job = a", "job = b", "job = c or other"}));
  Split interval;
  interval.kind = NodeKind::interval;
  interval.column = 0;
  interval.cuts = {1.5, 4};
  EXPECT_EQ(conditions(one_split({numeric("x")}, interval, 3)), (Words{"x ≤ 1.5", "1.5 < x ≤ 4", "x > 4"}));
}

TEST(Condition, a_weighted_sum_reads_as_a_formula) {
  Split split;
  split.kind = NodeKind::oblique;
  split.threshold = 3;
  split.terms = {{0, 0.5}, {1, -1}, {2, 2}};
  EXPECT_EQ(conditions(one_split({numeric("a"), numeric("b"), numeric("c")}, split)),
            (Words{"0.5 * a - b + 2 * c ≤ 3", "0.5 * a - b + 2 * c > 3"}));
  split.terms = {{0, -1}, {2, 1}};
  EXPECT_EQ(conditions(one_split({numeric("a"), numeric("b"), numeric("c")}, split)),
            (Words{"-a + c ≤ 3", "-a + c > 3"}));
}

TEST(Condition, the_way_of_missing_cells_is_told_when_asked) {
  const Model model = one_split({numeric("age")}, numeric_split(0, 41.5, 0));
  EXPECT_EQ(conditions(model, {.missing = true}), (Words{"age ≤ 41.5, or missing", "age > 41.5"}));
  EXPECT_EQ(conditions(one_split({numeric("age")}, numeric_split(0, kInfinity)), {.missing = true}),
            (Words{"age is known", "age is missing"}));
}

TEST(Condition, thresholds_have_the_digits_that_rows_are_divided_by_or_all) {
  const Model model = one_split({numeric("age")}, numeric_split(0, 2.449999988079071));
  EXPECT_EQ(condition_text(model, model.tree(), 0, 0), "age ≤ 2.45");
  EXPECT_EQ(condition_text(model, model.tree(), 0, 1, 0), "age > 2.449999988079071");
  const Model close = one_split({numeric("age")}, numeric_split(0, (1000.1201 + 1000.1216) / 2));
  EXPECT_EQ(condition_text(close, close.tree(), 0, 0), "age ≤ 1000.12085");
  EXPECT_EQ(condition_text(close, close.tree(), 0, 1, 3), "age > 1000.12085");
}

TEST(Condition, where_there_is_little_room_long_thresholds_are_rounded) {
  const auto shown = [](double threshold) {
    const Model model = one_split({numeric("age")}, numeric_split(0, threshold));
    const CutDigits cuts(model.tree(), 4);
    return condition_words(describe(model, model.tree(), 0, 0, {.digits = 4, .cuts = &cuts}));
  };
  EXPECT_EQ(shown(1000.12085), "age ≤ 1000.12085");
  EXPECT_EQ(shown(1.0 / 3.0), "age ≤ 0.333333");
}

TEST(Condition, a_child_that_does_not_exist_is_refused) {
  const Model model = iris();
  for (const auto& [node, child] :
       std::vector<std::pair<NodeId, std::int32_t>>{{0, 2}, {0, -1}, {1, 0}, {5, 0}, {-1, 0}})
    EXPECT_THROW(static_cast<void>(condition_text(model, model.tree(), node, child)), Error)
        << node << " " << child;
}

}  // namespace
}  // namespace bough
