// SPDX-License-Identifier: Apache-2.0
// What nodes say about their rows: values and impurities worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "grow/estimate.hpp"
#include "grow/shrink.hpp"
#include "oracle/build.hpp"
#include "tree/samples.hpp"

namespace bough {
namespace {

using namespace oracle;

// A tree of one leaf over these rows: the column is constant.
Tree leaf(Case sample) {
  add_numeric(sample, std::vector<double>(sample.n_rows(), 1.0));
  return grow_all(sample).tree();
}

double value(const Case& sample) {
  return node_values(leaf(sample), 0)[0];
}

TEST(Values, means_and_variances) {
  const Tree tree = leaf(number_case({1, 2, 3, 10}));
  EXPECT_EQ(node_values(tree, 0), (std::vector<double>{4}));
  EXPECT_EQ(tree.impurity(0), 12.5);  // (9 + 4 + 1 + 36) / 4
  EXPECT_EQ(tree.n_rows(0), 4);
  EXPECT_EQ(tree.weight(0), 4.0);
}

TEST(Values, weighted_means_and_variances) {
  Case sample = number_case({1, 2, 6});
  sample.weights = {0.5, 1.5, 2};
  const Tree tree = leaf(sample);
  EXPECT_EQ(node_values(tree, 0), (std::vector<double>{3.875}));  // (0.5 + 3 + 12) / 4
  // 0.5 * 2.875^2 + 1.5 * 1.875^2 + 2 * 2.125^2 = 4.1328125 + 5.2734375 + 9.03125 = 18.4375
  EXPECT_EQ(tree.impurity(0), 18.4375 / 4);
  EXPECT_EQ(tree.weight(0), 4.0);
}

TEST(Values, class_weights) {
  Case sample = class_case({0, 1, 1, 2});
  sample.weights = {1, 0.5, 0.25, 2};
  EXPECT_EQ(node_values(leaf(sample), 0), (std::vector<double>{1, 0.75, 2}));
}

TEST(Values, the_median_of_an_even_number_is_the_middle_of_two) {
  EXPECT_EQ(value(number_case({5, 1, 9}, "absolute_error")), 5.0);
  EXPECT_EQ(value(number_case({5, 1, 9, 7}, "absolute_error")), 6.0);
  const Tree tree = leaf(number_case({5, 1, 9, 7}, "absolute_error"));
  EXPECT_EQ(tree.impurity(0), 2.5);  // (1 + 5 + 3 + 1) / 4
}

// Half of the weight, 2, is reached exactly by 0 and 1 together: the middle of 1 and 2.
TEST(Values, the_weighted_median_of_0_1_2_with_weights_1_1_2_is_one_and_a_half) {
  Case sample = number_case({0, 1, 2}, "absolute_error");
  sample.weights = {1, 1, 2};
  EXPECT_EQ(value(sample), 1.5);
  sample.weights = {1, 1, 1};
  EXPECT_EQ(value(sample), 1.0);
  sample.weights = {1, 1, 2.5};
  EXPECT_EQ(value(sample), 2.0);
  sample.weights = {0.25, 0.25, 0.5};
  EXPECT_EQ(value(sample), 1.5);
}

TEST(Values, quantiles_are_the_first_value_that_reaches_the_level) {
  Case sample = number_case({1, 2, 3, 4, 5}, "quantile");
  sample.params.quantile = 0.75;  // 3.75 rows: the fourth
  Tree tree = leaf(sample);
  EXPECT_EQ(node_values(tree, 0), (std::vector<double>{4}));
  EXPECT_NEAR(tree.impurity(0), (0.75 * 1 + 0.25 * (3 + 2 + 1)) / 5, 1e-15);
  sample = number_case({1, 2, 3, 4}, "quantile");
  sample.params.quantile = 0.75;  // 3 rows exactly: the middle of the third and the fourth
  EXPECT_EQ(value(sample), 3.5);
  sample.params.quantile = 1.0;
  EXPECT_EQ(value(sample), 4.0);
  sample.params.quantile = 0.01;
  EXPECT_EQ(value(sample), 1.0);
}

// y = 1, 3: m = 2, ln(1/2) + 3 ln(3/2) over two rows.
TEST(Values, half_the_poisson_deviance) {
  const Tree tree = leaf(number_case({1, 3}, "poisson"));
  EXPECT_EQ(node_values(tree, 0), (std::vector<double>{2}));
  EXPECT_NEAR(tree.impurity(0), (std::log(0.5) + 3 * std::log(1.5)) / 2, 1e-15);
  // y = 0, 4: 0 + 4 ln 2 over two rows.
  EXPECT_NEAR(leaf(number_case({0, 4}, "poisson")).impurity(0), 2 * std::log(2.0), 1e-15);
}

// A leaf of one value answers with that value, whatever stands elsewhere in the table.
TEST(Values, a_leaf_keeps_the_digits_of_its_rows_beside_huge_targets) {
  for (const char* criterion : {"squared_error", "absolute_error", "poisson"}) {
    Case sample = number_case({0.1, 0.1, 1e15, 0.3, 0.7}, criterion);
    add_numeric(sample, {1, 1, 2, 3, 3});
    const Tree tree = grow_all(sample).tree();
    std::vector<double> values;
    for (NodeId node = 0; node < tree.n_nodes(); ++node)
      if (tree.is_leaf(node)) values.push_back(node_values(tree, node)[0]);
    EXPECT_EQ(values, (std::vector<double>{0.1, 1e15, 0.5})) << criterion;
  }
}

TEST(Values, the_variance_of_numbers_with_a_large_common_part_is_exact) {
  const Tree tree = leaf(number_case({1e12 + 1, 1e12 + 2, 1e12 + 3}));
  EXPECT_DOUBLE_EQ(tree.impurity(0), 2.0 / 3.0);
  EXPECT_EQ(node_values(tree, 0), (std::vector<double>{1e12 + 2}));
}

TEST(Values, shrinkage_of_numbers_halves_the_way_to_the_node_above_below_zero_too) {
  TreeBuilder builder(Task::regression, {1});
  const auto first = builder.split(builder.root(), samples::numeric(0, 1.0), 2);
  builder.set_stats(0, {4, 4.0, 4.0, {-1.0}});
  builder.set_stats(first, {2, 2.0, 0.0, {-3.0}});
  builder.set_stats(first + 1, {2, 2.0, 0.0, {1.0}});
  // By 1 + 4 / 4, the strength over the weight of the node above.
  EXPECT_EQ(shrunken_answers(std::move(builder).finish(), 4.0), (std::vector<double>{-1.0, -2.0, 0.0}));
}

TEST(Values, shares_of_the_children_are_shares_of_weight) {
  Case sample = class_case({0, 0, 1});
  add_numeric(sample, {1, 1, 2});
  sample.weights = {1, 2, 5};
  const Tree tree = grow_all(sample).tree();
  EXPECT_EQ(tree.child_shares(0)[0], 3.0 / 8.0);
  EXPECT_EQ(tree.child_shares(0)[1], 5.0 / 8.0);
}

// Of a weight of 10 the leaves have 3 and 7, from 2 rows and 1.
TEST(Values, a_node_answers_itself_with_enough_rows_and_enough_of_the_weight) {
  Case sample = class_case({0, 0, 1});
  add_numeric(sample, {1, 1, 2});
  sample.weights = {1, 2, 7};
  const Tree tree = grow_all(sample).tree();
  ASSERT_EQ(tree.n_nodes(), 3);
  EXPECT_TRUE(answers_itself(tree, 1, 2, 0.0));
  EXPECT_FALSE(answers_itself(tree, 1, 3, 0.0));
  EXPECT_TRUE(answers_itself(tree, 1, 1, 0.3));
  EXPECT_FALSE(answers_itself(tree, 1, 1, 0.31));
  EXPECT_TRUE(answers_itself(tree, 2, 1, 0.7));
  EXPECT_FALSE(answers_itself(tree, 2, 2, 0.7));
  EXPECT_TRUE(answers_itself(tree, 0, 100, 1.0)) << "there is nobody above the root to ask";
}

// Weights of classes that are no whole numbers come back from shrinkage rounded, but a node is the sum of its children.
TEST(Values, without_its_shrinkage_a_node_weighs_what_its_children_weigh) {
  std::mt19937 random(4);
  std::vector<double> classes, cells, weights;
  for (int i = 0; i < 60; ++i) {
    classes.push_back(static_cast<double>(random() % 3));
    cells.push_back(static_cast<double>(random() % 40));
    weights.push_back(0.1 * static_cast<double>(1 + random() % 9));
  }
  Case sample = class_case(classes);
  add_numeric(sample, cells);
  sample.weights = weights;
  const Tree tree = unshrink(shrink(grow_all(sample).tree(), 3.0), 3.0);
  ASSERT_GT(tree.n_leaves(), 10);
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    if (tree.is_leaf(node)) continue;
    const std::vector<double> left = node_values(tree, tree.children(node)[0]),
                              right = node_values(tree, tree.children(node)[1]);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(node_values(tree, node)[c], left[c] + right[c]) << node;
  }
}

// Weights of 51 units of 1/1024: the squares of 1 and -1, in units of fixed point, add up to more than 128 bits.
TEST(Values, the_squares_of_weighted_numbers_do_not_overflow) {
  std::vector<double> numbers;
  for (int i = 0; i < 100; ++i) numbers.push_back(i % 2 == 0 ? 1.0 : -1.0);
  Case sample = number_case(numbers);
  sample.weights.assign(numbers.size(), 51.0 / 1024.0);
  EXPECT_EQ(leaf(sample).impurity(0), 1.0);
}

}  // namespace
}  // namespace bough
