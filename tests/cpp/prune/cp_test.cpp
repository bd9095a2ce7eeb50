// SPDX-License-Identifier: Apache-2.0
// rpart's complexities and tables on trees whose numbers can be followed by hand, and nodes cut off by hand.
#include "bough/cp.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tree/samples.hpp"

namespace bough {
namespace {

using namespace samples;

// Classes (no, yes) of the nodes:      0 (64, 17)
//                            1 (8, 11)            2 (56, 6)
//                                             3 (29, 0)  4 (27, 6)
//                                                    5 (12, 0)  6 (15, 6)
//                                                           7 (12, 2)  8 (3, 4)
// These are the nodes of rpart's well-known tree of 81 children after an operation.
Tree chain() {
  TreeBuilder builder(Task::classification, {2});
  builder.root();
  builder.split(0, numeric(0, 8.0, 0), 2);
  builder.split(2, numeric(0, 14.0, 0), 2);
  builder.split(4, numeric(1, 55.0, 0), 2);
  builder.split(6, numeric(1, 111.0, 0), 2);
  const std::int64_t counts_of[][2] = {{64, 17}, {8, 11}, {56, 6}, {29, 0}, {27, 6},
                                       {12, 0},  {15, 6}, {12, 2}, {3, 4}};
  for (std::int32_t node = 0; node < 9; ++node)
    builder.set_stats(node, counts(counts_of[node][0], counts_of[node][1]));
  return std::move(builder).finish();
}

TEST(Cp, the_risk_of_a_class_node_is_the_weight_it_gets_wrong) {
  EXPECT_EQ(cp_risk(chain()), (std::vector<double>{17, 8, 6, 0, 6, 0, 6, 2, 3}));
}

TEST(Cp, the_risk_with_losses_is_the_least_expected_loss) {
  // Taking yes for no costs 3. Node 1: no costs 33, yes costs 8. Node 6: no costs 18, yes 15.
  const std::vector<double> risk = cp_risk(chain(), {{0, 1}, {3, 0}});
  EXPECT_EQ(risk, (std::vector<double>{51, 8, 18, 0, 18, 0, 15, 6, 3}));
}

TEST(Cp, the_risk_of_a_number_node_is_weight_times_impurity) {
  TreeBuilder builder(Task::regression, {1});
  builder.root();
  builder.set_stats(0, {4, 4.0, 2.5, {1.0}});
  EXPECT_EQ(cp_risk(std::move(builder).finish()), std::vector<double>{10.0});
}

TEST(Cp, the_table_of_the_well_known_tree_is_the_published_one) {
  // 17 -> 14 errors by the first split: 3/17. The other three splits lower 14 to 13 together: 1/3 each, 1/51.
  const Tree tree = chain();
  const std::vector<CpRow> rows = cp_rows(tree, cp_risk(tree), 0.01);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_DOUBLE_EQ(rows[0].cp, 3.0 / 17);
  EXPECT_DOUBLE_EQ(rows[1].cp, 1.0 / 51);
  EXPECT_EQ(rows[2].cp, 0.01);
  EXPECT_EQ(rows[0].n_splits, 0);
  EXPECT_EQ(rows[1].n_splits, 1);
  EXPECT_EQ(rows[2].n_splits, 4);
  EXPECT_EQ(rows[0].rel_error, 1.0);
  EXPECT_DOUBLE_EQ(rows[1].rel_error, 14.0 / 17);
  EXPECT_DOUBLE_EQ(rows[2].rel_error, 13.0 / 17);
  EXPECT_TRUE(std::isnan(rows[0].xerror));
}

TEST(Cp, a_branch_is_cut_at_its_complexity_and_kept_below) {
  const Tree tree = chain();
  const std::vector<double> risk = cp_risk(tree);
  EXPECT_EQ(prune_cp(tree, risk, 0.0196).n_leaves(), 5);
  EXPECT_EQ(prune_cp(tree, risk, 0.0197).n_leaves(), 2);
  EXPECT_EQ(prune_cp(tree, risk, 0.1764).n_leaves(), 2);
  EXPECT_EQ(prune_cp(tree, risk, 3.0 / 17).n_leaves(), 1);
  EXPECT_EQ(prune_cp(tree, risk, 0.0).n_leaves(), 5);
  EXPECT_EQ(prune_cp(tree, risk, -1.0), tree);
}

TEST(Cp, splits_that_lower_no_risk_go_at_cp_0) {
  TreeBuilder builder(Task::classification, {2});
  builder.root();
  builder.split(0, numeric(0, 1.0, 0), 2);
  builder.set_stats(0, counts(9, 3));
  builder.set_stats(1, counts(6, 1));
  builder.set_stats(2, counts(3, 2));
  const Tree tree = std::move(builder).finish();
  EXPECT_EQ(prune_cp(tree, cp_risk(tree), 0.0).n_nodes(), 1);
  EXPECT_EQ(prune_cp(tree, cp_risk(tree), -1.0).n_nodes(), 3);
}

TEST(Cp, a_grandchild_that_goes_before_its_parent_is_handed_up_cut_off) {
  // Risks: root 100; its children 90 and 10 (a leaf): the first split lowers nothing. Node 1 (90) has
  // children 70 and 10: 10 less. Node 2 (70) has 34 and 30: 6 less. Alone: node 2 has 6, node 1 has 10. rpart
  // hands node 1 up with node 2 as a leaf, so the root has (100 - 70 - 10 - 10) / 2 = 5; with the whole
  // branch it would be 16 / 3.
  TreeBuilder builder(Task::regression, {1});
  builder.root();
  builder.split(0, numeric(0, 1.0, 0), 2);
  builder.split(1, numeric(0, 0.5, 0), 2);
  builder.split(3, numeric(0, 0.2, 0), 2);
  const double risks[] = {100, 90, 10, 70, 10, 34, 30};
  for (std::int32_t node = 0; node < 7; ++node) builder.set_stats(node, {0, 1.0, risks[node], {0.0}});
  const Tree tree = std::move(builder).finish();
  const std::vector<double> complexity = cp_complexity(tree, cp_risk(tree), 0.0);
  EXPECT_DOUBLE_EQ(complexity[0], 5.0);
  EXPECT_DOUBLE_EQ(complexity[1], 5.0);  // never above the parent's
  EXPECT_DOUBLE_EQ(complexity[2], 5.0);
}

TEST(Cp, risks_must_fit_the_tree) {
  EXPECT_THROW(static_cast<void>(cp_complexity(chain(), std::vector<double>{1.0}, 0.0)), Error);
}

TEST(Cut, named_nodes_become_leaves_and_the_others_stay) {
  const Tree tree = chain();
  const std::vector<NodeId> nodes{4, 1};
  const Tree smaller = cut(tree, nodes);
  EXPECT_EQ(smaller.n_leaves(), 3);
  EXPECT_EQ(smaller.n_rows(smaller.n_nodes() - 1), 33);
  const std::vector<NodeId> none;
  EXPECT_EQ(cut(tree, none), tree);
}

TEST(Cut, nodes_that_the_tree_has_not_are_refused) {
  for (const NodeId node : {-1, 9, 1000}) {
    const std::vector<NodeId> nodes{node};
    try {
      static_cast<void>(cut(chain(), nodes));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_params);
      EXPECT_NE(std::string(error.what()).find(std::to_string(node)), std::string::npos);
    }
  }
}

TEST(Cp, the_risk_of_several_class_outputs_is_their_mean) {
  // Outputs of 2, 3 and 2 classes: wrong are 1, 2 + 3 and 4 of ten, and other numbers below.
  TreeBuilder builder(Task::classification, {2, 3, 2});
  builder.split(builder.root(), numeric(0, 1.0), 2);
  builder.set_stats(0, {10, 10.0, 0.5, {9, 1, 2, 3, 5, 4, 6}});
  builder.set_stats(1, {6, 6.0, 0.5, {6, 0, 0, 3, 3, 2, 4}});
  builder.set_stats(2, {4, 4.0, 0.5, {3, 1, 2, 0, 2, 2, 2}});
  const std::vector<double> risk = cp_risk(std::move(builder).finish());
  EXPECT_DOUBLE_EQ(risk[0], (1.0 + 5.0 + 4.0) / 3);
  EXPECT_DOUBLE_EQ(risk[1], (0.0 + 3.0 + 2.0) / 3);
  EXPECT_DOUBLE_EQ(risk[2], (1.0 + 2.0 + 2.0) / 3);
}

TEST(Cp, the_table_ends_with_one_row_for_the_least_cp) {
  // The splits below the first are worth 1/51 each: at 0.1 they are gone, and no row tells of them.
  const Tree tree = chain();
  const std::vector<CpRow> rows = cp_rows(tree, cp_risk(tree), 0.1);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_DOUBLE_EQ(rows[0].cp, 3.0 / 17);
  EXPECT_EQ(rows[1].cp, 0.1);
  EXPECT_EQ(rows[1].n_splits, 1);
}

TEST(Cp, a_root_alone_is_the_choice_from_its_own_complexity_on) {
  const Tree tree = chain();
  for (const double cp : {0.2, 0.5}) {
    const std::vector<CpRow> rows = cp_rows(tree, cp_risk(tree), cp);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_DOUBLE_EQ(rows[0].cp, 3.0 / 17) << cp;
    EXPECT_EQ(rows[0].n_splits, 0);
  }
  EXPECT_EQ(cp_rows(tree, cp_risk(tree), 1.5).front().cp, 1.0);
}

}  // namespace
}  // namespace bough
