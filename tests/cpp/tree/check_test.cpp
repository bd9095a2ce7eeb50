// SPDX-License-Identifier: Apache-2.0
// Tree::check: sound trees of every kind pass, every broken invariant is refused and names its node.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tree/samples.hpp"

namespace bough {
namespace {

using namespace samples;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Columns: 0 and 1 numeric, 2 has 4 levels, 3 has 6.
const std::vector<std::uint32_t> kLevels{0, 0, 4, 6};

// What check() says, or "" when it is content.
std::string verdict(const Tree& tree) {
  try {
    tree.check(kLevels.size(), kLevels);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_model);
    EXPECT_FALSE(error.hint().empty());
    return error.what();
  }
}

testing::AssertionResult refused(const Tree& tree, const std::string& part) {
  const std::string said = verdict(tree);
  if (said.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "expected '" << part << "' in '" << said << "'";
}

// The builder checks too (without levels): the message of a split it refuses.
std::string builder_verdict(const Split& split, std::int32_t n_children = 2) {
  try {
    stump(split, n_children);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

const Tree kNumeric = stump(numeric(1, 2.5));
const Tree kSubset = stump(mapped(2, {0, 1, 3}, {0, 1, 0}));
const Tree kMultiway = stump(mapped(3, {0, 2, 5}, {0, 1, 2}, 2), 3);
const Tree kInterval = stump(interval(0, {1.0, 2.0}), 3);
const Tree kOblique = stump(oblique({{0, 1.0}, {1, -2.0}}, 0.5));

TEST(Check, sound_trees_of_every_kind_pass) {
  for (const Tree& tree : {kNumeric, kSubset, kMultiway, kInterval, kOblique, stump(ordinal(2, 1)),
                           stump(ordinal(2, 4)), stump(equality(3, 5)), stump(numeric(0, kInf))}) {
    EXPECT_EQ(verdict(tree), "");
  }
}

TEST(Check, an_empty_tree_is_refused) {
  EXPECT_TRUE(refused(Tree(), "no nodes"));
}

TEST(Check, every_missing_policy_is_accepted_and_others_refused) {
  for (const std::int32_t to : {0, 1, -1, -2, -3, -4})
    EXPECT_EQ(verdict(broken(kNumeric, "missing_to", 0, to)), "");
  EXPECT_TRUE(refused(broken(kNumeric, "missing_to", 0, 2), "tree node 0: missing cells go to child 2 of 2"));
  EXPECT_TRUE(refused(broken(kNumeric, "missing_to", 0, -5), "tree node 0: missing cells"));
  EXPECT_TRUE(refused(broken(kNumeric, "unseen_to", 0, 2), "tree node 0: unseen categories"));
  EXPECT_TRUE(refused(broken(kNumeric, "unseen_to", 0, -1), "tree node 0: unseen categories"));
  EXPECT_TRUE(refused(broken(kNumeric, "unseen_to", 0, -2), "tree node 0: unseen categories"));
}

TEST(Check, kinds_and_numbers_of_children_must_agree) {
  EXPECT_TRUE(refused(broken(kNumeric, "kind", 0, 99), "tree node 0: unknown kind 99"));
  EXPECT_TRUE(refused(broken(kNumeric, "kind", 0, NodeKind::leaf), "tree node 0: 2 children"));
  EXPECT_TRUE(refused(broken(kNumeric, "kind", 2, NodeKind::numeric), "tree node 2: 0 children"));
  EXPECT_TRUE(refused(broken(kMultiway, "kind", 0, NodeKind::subset), "tree node 0: 3 children"));
  EXPECT_TRUE(refused(broken(kNumeric, "kind", 0, NodeKind::subset), "tree node 0: the map"));
  EXPECT_TRUE(refused(broken(kSubset, "kind", 0, NodeKind::numeric), "tree node 0: the map"));
  EXPECT_TRUE(refused(broken(kNumeric, "kind", 0, NodeKind::interval), "tree node 0: the cuts"));
  EXPECT_TRUE(refused(broken(kNumeric, "kind", 0, NodeKind::oblique), "tree node 0: the terms"));
}

TEST(Check, nodes_must_be_in_preorder_and_hang_in_one_place) {
  EXPECT_TRUE(refused(broken(kNumeric, "children", 0, 2), "out of preorder"));
  EXPECT_TRUE(refused(broken(kNumeric, "children", 1, 1), "out of preorder"));
  EXPECT_TRUE(refused(broken(kNumeric, "children", 1, 3), "tree node 0: child 3"));
  EXPECT_TRUE(refused(broken(kNumeric, "children", 1, 0), "tree node 0: child 0"));
  EXPECT_TRUE(refused(broken(kNumeric, "children", 1, -1), "tree node 0: child -1"));
}

TEST(Check, slabs_must_be_cut_properly) {
  EXPECT_TRUE(refused(broken(kNumeric, "children_at", 1, 5), "'children_at'"));
  EXPECT_TRUE(refused(broken(kNumeric, "children_at", 0, 1), "'children_at'"));
  EXPECT_TRUE(refused(broken(kSubset, "map_at", 3, 2), "'map_at'"));
  EXPECT_TRUE(refused(broken(kSubset, "map_at", 1, ~0ULL), "'map_at'"));
  EXPECT_TRUE(refused(broken(kInterval, "cuts_at", 2, 1), "'cuts_at'"));
}

TEST(Check, arrays_must_have_one_entry_per_node) {
  Tree tree = kNumeric;
  TreeAccess::visit_node_arrays(tree, [](const std::string& name, auto& array) {
    if (name == "gain") array.pop_back();
  });
  EXPECT_TRUE(refused(tree, "'gain'"));
  tree = kNumeric;
  TreeAccess::value(tree).pop_back();
  EXPECT_TRUE(refused(tree, "values"));
  tree = kNumeric;
  TreeAccess::extras(tree)["short"] = {1.0};
  EXPECT_TRUE(refused(tree, "'short'"));
  TreeAccess::extras(tree)["short"] = {1.0, kNan, 1.0};
  EXPECT_TRUE(refused(tree, "'short'"));
}

TEST(Check, columns_must_exist_and_be_of_the_right_kind) {
  EXPECT_TRUE(refused(stump(numeric(4, 1.0)), "tree node 0: tests column 4 of 4"));
  EXPECT_TRUE(refused(broken(kNumeric, "column", 0, -1), "tree node 0: tests column -1"));
  EXPECT_TRUE(refused(stump(numeric(2, 1.0)), "tree node 0: tests numbers in column 2"));
  EXPECT_TRUE(refused(stump(interval(3, {1.0})), "tree node 0: tests numbers in column 3"));
  EXPECT_TRUE(refused(stump(mapped(0, {0, 1}, {0, 1})), "tree node 0: its map names level 1 of 0"));
  EXPECT_TRUE(refused(stump(oblique({{0, 1.0}, {9, 1.0}}, 0)), "tree node 0: tests column 9"));
}

TEST(Check, thresholds_must_fit_their_kind) {
  EXPECT_NE(builder_verdict(numeric(0, kNan)), "");
  EXPECT_EQ(builder_verdict(numeric(0, -kInf)), "");  // cells at -inf against all others
  EXPECT_NE(builder_verdict(oblique({{0, 1.0}}, kInf)), "");
  EXPECT_NE(builder_verdict(ordinal(2, 0)), "");
  EXPECT_NE(builder_verdict(ordinal(2, 1.5)), "");
  EXPECT_NE(builder_verdict(ordinal(2, kInf)), "");
  EXPECT_NE(builder_verdict(equality(2, -1)), "");
  EXPECT_NE(builder_verdict(equality(2, kNan)), "");
  EXPECT_TRUE(refused(stump(ordinal(2, 5)), "tree node 0: its threshold 5 is no level"));
  EXPECT_TRUE(refused(stump(equality(2, 4)), "tree node 0: its threshold 4 is no level"));
}

TEST(Check, maps_must_be_sorted_complete_and_in_range) {
  EXPECT_NE(builder_verdict(mapped(2, {1, 0}, {0, 1})), "");
  EXPECT_NE(builder_verdict(mapped(2, {1, 1}, {0, 1})), "");
  EXPECT_NE(builder_verdict(mapped(2, {}, {})), "");
  EXPECT_NE(builder_verdict(mapped(2, {0, 1}, {0, 5}), 3), "");
  EXPECT_NE(builder_verdict(mapped(2, {0, 1}, {0})), "");
  EXPECT_TRUE(refused(stump(mapped(2, {0, 4}, {0, 1})), "tree node 0: its map names level 4 of 4"));
}

TEST(Check, every_child_of_a_map_needs_a_level_or_the_missing_cells) {
  EXPECT_EQ(builder_verdict(mapped(2, {0, 1}, {0, 0}, 0, 1)), "");
  EXPECT_NE(builder_verdict(mapped(2, {0, 1}, {0, 0}, 0, 0)).find("no level goes to its child 1"),
            std::string::npos);
  EXPECT_NE(builder_verdict(mapped(2, {0, 1}, {0, 0}, 0, missing_stops)), "");
}

TEST(Check, cuts_must_increase_and_match_the_children) {
  EXPECT_NE(builder_verdict(interval(0, {2.0, 1.0}), 3), "");
  EXPECT_NE(builder_verdict(interval(0, {1.0, 1.0}), 3), "");
  EXPECT_NE(builder_verdict(interval(0, {1.0, kInf}), 3), "");
  EXPECT_NE(builder_verdict(interval(0, {1.0}), 3), "");
}

TEST(Check, oblique_terms_must_be_finite_with_increasing_columns) {
  EXPECT_NE(builder_verdict(oblique({}, 1.0)), "");
  EXPECT_NE(builder_verdict(oblique({{1, 1.0}, {0, 1.0}}, 1.0)), "");
  EXPECT_NE(builder_verdict(oblique({{1, 1.0}, {1, 1.0}}, 1.0)), "");
  EXPECT_NE(builder_verdict(oblique({{0, kNan}}, 1.0)), "");
}

TEST(Check, numbers_of_nodes_must_be_sensible) {
  EXPECT_TRUE(refused(broken(kNumeric, "n_rows", 1, -1), "tree node 0"));
  EXPECT_TRUE(refused(broken(kNumeric, "n_rows", 0, -1), "tree node 0: holds -1 rows"));
  EXPECT_TRUE(refused(broken(kNumeric, "weight", 1, kNan), "tree node 1: holds the weight"));
  EXPECT_TRUE(refused(broken(kNumeric, "weight", 1, -1.0), "tree node 1: holds the weight"));
  EXPECT_TRUE(refused(broken(kNumeric, "impurity", 2, kInf), "tree node 2: its impurity"));
  EXPECT_TRUE(refused(broken(kNumeric, "gain", 0, kNan), "tree node 0: its gain"));
  EXPECT_TRUE(refused(broken(kNumeric, "value", 3, kNan), "tree node 1: one of its values"));
  EXPECT_TRUE(refused(broken(kNumeric, "value", 4, -1.0), "tree node 2: the weight of a class"));
  EXPECT_TRUE(refused(broken(kNumeric, "child_share", 0, 0.9), "tree node 0: the shares"));
  EXPECT_TRUE(refused(broken(kNumeric, "child_share", 0, kNan), "tree node 0: a child's share"));
  EXPECT_TRUE(refused(broken(kNumeric, "threshold", 1, 3.0), "tree node 1: a leaf"));
}

TEST(Check, rows_of_children_add_up_unless_missing_cells_go_elsewhere) {
  // The stump holds 1 + 2 rows.
  const Tree more = broken(kNumeric, "n_rows", 0, 4);
  EXPECT_TRUE(refused(more, "tree node 0: holds 4 rows, its children 3"));
  EXPECT_EQ(verdict(broken(more, "missing_to", 0, missing_stops)), "");
  EXPECT_EQ(verdict(broken(more, "missing_to", 0, missing_by_share)), "");
  const Tree fewer = broken(kNumeric, "n_rows", 0, 2);
  EXPECT_TRUE(refused(fewer, "tree node 0: its children hold more rows"));
  EXPECT_TRUE(
      refused(broken(fewer, "missing_to", 0, missing_stops), "tree node 0: its children hold more rows"));
  const Tree huge = broken(broken(kNumeric, "n_rows", 1, std::numeric_limits<std::int64_t>::max()), "n_rows",
                           2, std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(refused(huge, "more rows"));
}

TEST(Check, sparse_values_must_be_in_order) {
  std::vector<double> values(70);
  values[3] = values[9] = 1.0;
  TreeBuilder builder(Task::classification, {70});
  builder.set_stats(builder.root(), {2, 2.0, 0.5, values});
  const Tree tree = std::move(builder).finish();
  EXPECT_EQ(verdict(tree), "");
  EXPECT_TRUE(refused(broken(tree, "value_index", 1, 70), "tree node 0: its sparse values"));
  EXPECT_TRUE(refused(broken(tree, "value_index", 1, 3), "tree node 0: its sparse values"));
  EXPECT_TRUE(refused(broken(tree, "value", 0, 0.0), "tree node 0: its sparse values"));
  EXPECT_TRUE(refused(broken(tree, "values_at", 1, 9), "'values_at'"));
}

TEST(Check, outputs_must_have_widths) {
  const auto finish = [](Task task, std::vector<std::uint32_t> widths) {
    TreeBuilder builder(task, std::move(widths));
    builder.root();
    return std::move(builder).finish();
  };
  EXPECT_THROW(finish(Task::classification, {}), Error);
  EXPECT_THROW(finish(Task::classification, {2, 0}), Error);
  EXPECT_THROW(finish(Task::regression, {2}), Error);
  EXPECT_NO_THROW(finish(Task::regression, {1, 1}));
}

}  // namespace
}  // namespace bough
