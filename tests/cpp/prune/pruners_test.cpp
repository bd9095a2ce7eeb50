// SPDX-License-Identifier: Apache-2.0
// What every pruner must keep to, on random trees of all kinds of nodes, and worked examples.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bough/prune.hpp"
#include "prune/node_errors.hpp"
#include "prune/reduced_error.hpp"
#include "prune/sample.hpp"

namespace bough {
namespace {

using samples::PruneSample;

// Every inner node of `small` is the same node of `large`, walked side by side.
void expect_nested(const Tree& large, const Tree& small, NodeId a = 0, NodeId b = 0) {
  if (small.is_leaf(b)) return;
  ASSERT_FALSE(large.is_leaf(a));
  ASSERT_EQ(large.split(a).column, small.split(b).column);
  ASSERT_EQ(large.children(a).size(), small.children(b).size());
  for (std::size_t i = 0; i < large.children(a).size(); ++i)
    expect_nested(large, small, large.children(a)[i], small.children(b)[i]);
}

void expect_good(const Tree& tree, const Tree& pruned, const Tree& again) {
  const std::vector<std::uint32_t> levels = PruneSample::n_levels();
  ASSERT_NO_THROW(pruned.check(levels.size(), levels));
  expect_nested(tree, pruned);
  ASSERT_EQ(pruned, again);
}

std::vector<double> answers(const PruneSample& sample, const Model& model) {
  return model.predict(sample.table(sample.prune));
}

TEST(Pruners, keep_trees_whole_are_idempotent_and_monotone_on_random_trees) {
#if defined(BOUGH_CHECKED)
  constexpr std::uint64_t n_trees = 1000;
#else
  constexpr std::uint64_t n_trees = 5000;
#endif
  for (std::uint64_t seed = 0; seed < n_trees; ++seed) {
    SCOPED_TRACE(seed);
    const PruneSample sample(seed, {seed % 13, 20, 12, true});
    const Tree& tree = sample.tree;
    const std::vector<std::uint32_t> levels = PruneSample::n_levels();

    const Tree merged = simplify(tree);
    expect_good(tree, merged, simplify(merged));

    const Tree short_told = minimum_description(tree, levels);
    expect_good(tree, short_told, minimum_description(short_told, levels));
    ASSERT_LE(description_length(short_told, levels), description_length(tree, levels) + 1e-9);

    Tree last = tree;
    for (const double critical : {0.05, 0.2, 1.0, 50.0}) {
      const Tree pruned = critical_value(tree, critical);
      expect_good(tree, pruned, critical_value(pruned, critical));
      expect_nested(last, pruned);
      ASSERT_EQ(critical_value(last, critical), pruned);
      last = pruned;
    }
    ASSERT_EQ(critical_value(tree, 0.0), tree);

    for (const auto& risk : {impurity_risk(tree), error_risk(tree)}) {
      const PruningPath path = cost_complexity_path(tree, risk);
      Tree before = tree;
      for (const double alpha : {0.001, 0.02, 0.1, 0.5}) {
        const Tree pruned = prune(tree, path, alpha);
        ASSERT_NO_THROW(pruned.check(levels.size(), levels));
        expect_nested(before, pruned);
        before = pruned;
      }
    }
    const Tree priced = prune(tree, 0.05);
    ASSERT_EQ(prune(priced, 0.05), priced);

    if (std::accumulate(sample.prune.weights.begin(), sample.prune.weights.end(), 0.0) == 0.0) continue;
    const Model model = sample.model();
    const Table rows = sample.table(sample.prune);
    for (const LeafValues values : {LeafValues::train, LeafValues::prune, LeafValues::both}) {
      const Model pruned = reduced_error(model, rows, {values, {}, "w"});
      expect_good(tree, pruned.tree(), reduced_error(pruned, rows, {values, {}, "w"}).tree());
    }
  }
}

TEST(Simplify, changes_no_prediction_and_leaves_no_pair_that_agrees) {
  int smaller = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const PruneSample sample(seed, {1 + seed % 9, 12, 30, false});
    const Model model = sample.model();
    const Model merged = simplify(model);
    ASSERT_EQ(answers(sample, model), answers(sample, merged)) << "seed " << seed;
    smaller += merged.tree().n_leaves() < model.tree().n_leaves() ? 1 : 0;
    const Model alike = simplify(model, Alike::shares);
    ASSERT_GE(alike.tree().n_leaves(), merged.tree().n_leaves());
    if (sample.task == Task::classification) {
      const std::vector<double> before = model.predict_proba(sample.table(sample.prune));
      const std::vector<double> after = alike.predict_proba(sample.table(sample.prune));
      for (std::size_t i = 0; i < before.size(); ++i) ASSERT_NEAR(before[i], after[i], 1e-14);
    }
  }
  EXPECT_GT(smaller, 100);
}

// A chain: the root's split gains 1 per row of the root, the one below 5, the one below that 2.
Tree chain() {
  TreeBuilder builder(Task::regression, {1});
  auto node = builder.root();
  const double weights[] = {16, 8, 4, 2};
  const double strength[] = {1, 5, 2};
  for (int i = 0; i < 3; ++i) {
    Split split = samples::numeric(0, -i);
    split.gain = strength[i] * weights[0];
    const auto first = builder.split(node, split, 2);
    builder.set_stats(node, {static_cast<std::int64_t>(weights[i]), weights[i], 1.0, {0.0}});
    builder.set_stats(first + 1, {static_cast<std::int64_t>(weights[i + 1]), weights[i + 1], 0.0, {1.0}});
    node = first;
  }
  builder.set_stats(node, {2, 2.0, 0.0, {2.0}});
  return std::move(builder).finish();
}

TEST(CriticalValue, a_weak_split_stays_for_the_sake_of_a_strong_one_below) {
  const Tree tree = chain();
  EXPECT_EQ(critical_value(tree, 2.0).n_leaves(), 4);  // 1 stays for 5, 2 reaches it
  EXPECT_EQ(critical_value(tree, 2.5).n_leaves(), 3);  // the lowest goes
  EXPECT_EQ(critical_value(tree, 5.0).n_leaves(), 3);
  EXPECT_EQ(critical_value(tree, 5.5).n_leaves(), 1);
  EXPECT_THROW(static_cast<void>(critical_value(tree, -1.0)), Error);
  EXPECT_THROW(static_cast<void>(critical_value(tree, std::nan(""))), Error);
}

// One numeric test over two classes, `a` rows of class 0 left and `b` of class 1 right, among p columns.
Tree pure_stump(std::int64_t a, std::int64_t b) {
  TreeBuilder builder(Task::classification, {2});
  const auto first = builder.split(builder.root(), samples::numeric(0, 0.0), 2);
  builder.set_stats(0, samples::counts(a, b));
  builder.set_stats(first, samples::counts(a, 0));
  builder.set_stats(first + 1, samples::counts(0, b));
  return std::move(builder).finish();
}

TEST(MinimumDescription, is_the_arithmetic_of_its_formula) {
  // Two classes, 8 rows, 4 of each. A leaf: 1 bit, log2 C(9, 1) counts, log2 8! / (4! 4!) = log2 70 orders.
  const std::vector<std::uint32_t> columns(4, 0);
  TreeBuilder builder(Task::classification, {2});
  builder.set_stats(builder.root(), samples::counts(4, 4));
  EXPECT_NEAR(description_length(std::move(builder).finish(), columns), 1 + std::log2(9.0) + std::log2(70.0),
              1e-12);
  // The stump: 1 bit, log2 4 columns, log2 7 cuts; each leaf 1 bit and log2 C(5, 1) counts, one order.
  const Tree stump = pure_stump(4, 4);
  EXPECT_NEAR(description_length(stump, columns), 1 + 2 + std::log2(7.0) + 2 * (1 + std::log2(5.0)), 1e-12);
  EXPECT_EQ(minimum_description(stump, columns).n_nodes(), 1);  // 10.30 bits against 12.45
  // 16 of each: 1 + log2 33 + log2 C(32, 16) = 35.2 bits against 1 + 2 + log2 31 + 2 (1 + log2 17) = 18.1.
  EXPECT_EQ(minimum_description(pure_stump(16, 16), columns), pure_stump(16, 16));
  // A single row aside is cheaper told than tested for: 1 + 2 + log2 7 + 2 + log2 8 + log2 2 > 1 + log2 9 +
  // log2 8.
  EXPECT_EQ(minimum_description(pure_stump(7, 1), columns).n_nodes(), 1);
}

TEST(MinimumDescription, of_numbers_keeps_levels_apart_and_drops_noise) {
  const std::vector<std::uint32_t> columns(4, 0);
  const auto stump = [](double left, double right, double inside, double all) {
    TreeBuilder builder(Task::regression, {1});
    const auto first = builder.split(builder.root(), samples::numeric(0, 0.0), 2);
    builder.set_stats(0, {40, 40.0, all, {(left + right) / 2}});
    builder.set_stats(first, {20, 20.0, inside, {left}});
    builder.set_stats(first + 1, {20, 20.0, inside, {right}});
    return std::move(builder).finish();
  };
  // Variance of all = inside + (half the distance)^2.
  EXPECT_EQ(minimum_description(stump(0, 10, 1.0, 26.0), columns).n_leaves(), 2);
  EXPECT_EQ(minimum_description(stump(0, 0.2, 1.0, 1.01), columns).n_leaves(), 1);
  // The same in other units: bits may not depend on them.
  EXPECT_EQ(minimum_description(stump(0, 1e7, 1e12, 26e12), columns).n_leaves(), 2);
  EXPECT_EQ(minimum_description(stump(0, 2e-8, 1e-14, 1.01e-14), columns).n_leaves(), 1);
}

TEST(Risks, by_error_and_by_loss) {
  const Tree tree = pure_stump(6, 2);
  EXPECT_EQ(error_risk(tree), (std::vector<double>{0.25, 0.0, 0.0}));
  // Missing class 1 costs 4, a false alarm 1: answering 1 everywhere costs 6, answering 0 costs 8, of 8 rows.
  EXPECT_EQ(loss_risk(tree, std::vector<double>{0, 1, 4, 0}), (std::vector<double>{0.75, 0.0, 0.0}));
  EXPECT_EQ(loss_risk(tree, std::vector<double>{0, 1, 1, 0}), error_risk(tree));
  EXPECT_THROW(static_cast<void>(loss_risk(tree, std::vector<double>{0, 1, 1})), Error);
  EXPECT_THROW(static_cast<void>(loss_risk(tree, std::vector<double>{0, -1, 1, 0})), Error);
  EXPECT_THROW(static_cast<void>(loss_risk(chain(), std::vector<double>{0})), Error);
}

TEST(MinimumDescription, of_two_outputs_is_the_arithmetic_of_its_formula) {
  // n = 4, q = 2, v = v0 = 2: a = 4.5, b = (2 + 8 * 2) / 2 = 9; Gamma(4.5) / Gamma(0.5) = 3.5 * 2.5 * 1.5 *
  // 0.5.
  TreeBuilder builder(Task::regression, {1, 1});
  builder.set_stats(builder.root(), {4, 4.0, 2.0, {1.0, -3.0}});
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(description_length(std::move(builder).finish(), std::vector<std::uint32_t>(1, 0)),
              1 + 4 * std::log2(2 * pi) + std::log2(5.0) + 4.5 * std::log2(9.0) - std::log2(105.0 / 16),
              1e-12);
}

TEST(MinimumDescription, of_no_rows_is_the_bit_that_says_leaf) {
  TreeBuilder builder(Task::classification, {2});
  builder.set_stats(builder.root(), samples::counts(0, 0));
  EXPECT_NEAR(description_length(std::move(builder).finish(), std::vector<std::uint32_t>(1, 0)), 1.0, 1e-12);
}

TEST(Risks, a_node_whose_classes_have_no_weight_gets_nothing_wrong) {
  TreeBuilder builder(Task::classification, {2});
  builder.set_stats(builder.root(), {3, 3.0, 0.0, {0.0, 0.0}});
  const Tree tree = std::move(builder).finish();
  EXPECT_EQ(loss_risk(tree, std::vector<double>{0, 1, 4, 0}), std::vector<double>{0.0});
  EXPECT_EQ(error_risk(tree), std::vector<double>{0.0});
}

Tree class_stump(const std::vector<double>& own, const std::vector<double>& left,
                 const std::vector<double>& right) {
  TreeBuilder builder(Task::classification, {static_cast<std::uint32_t>(own.size())});
  const auto first = builder.split(builder.root(), samples::numeric(0, 0.0), 2);
  for (const auto& [node, values] : {std::pair(0, own), std::pair(first, left), std::pair(first + 1, right)})
    builder.set_stats(node,
                      {node == 0 ? 2 : 1, std::accumulate(values.begin(), values.end(), 0.0), 0.0, values});
  return std::move(builder).finish();
}

TEST(Simplify, a_node_that_disagrees_with_its_leaves_takes_their_sum) {
  const Tree merged = simplify(class_stump({5, 1}, {1, 2}, {0, 3}));
  ASSERT_EQ(merged.n_nodes(), 1);
  std::vector<double> values(2);
  merged.values(0, values);
  EXPECT_EQ(values, (std::vector<double>{1, 5}));
}

TEST(Simplify, shares_that_differ_in_one_class_only_by_more_than_rounding_keep_leaves_apart) {
  // Of 2^50 rows one is a share of 0.9e-15, three are 2.7e-15.
  const double n = 0x1p50;
  const std::vector<double> left{n - 6, 2, 2, 2}, one{n - 5, 1, 2, 2}, three{n - 3, 1, 1, 1};
  EXPECT_EQ(simplify(class_stump(left, left, one), Alike::shares).n_nodes(), 1);
  EXPECT_EQ(simplify(class_stump(left, left, three), Alike::shares).n_nodes(), 3);
}

// Rows x = 0, 0, 2 of weights 1, 0, 2 in a stump that parts at 1.
struct JudgedRows {
  Table table;
  Schema schema;
  std::vector<std::uint32_t> classes{1, 1, 0};
  std::vector<double> numbers{1.0, 9.0, 4.0}, weights{1.0, 0.0, 2.0};

  JudgedRows() {
    schema.fields = {{"x", Kind::numeric, Role::feature, {}}};
    table.add("x", std::vector<double>{0.0, 0.0, 2.0});
  }
  // In units of 2^-exponent.
  [[nodiscard]] std::vector<double> errors(const Tree& tree, const Loss& loss, int exponent = 4) const {
    const RowReader reader(table, schema);
    const JudgeRows rows{&reader, {classes}, {numbers}, weights};
    const std::vector<RowEnd> ends = row_ends(tree, rows);
    EXPECT_EQ(ends.size(), 2U) << "a row without weight ends nowhere";
    const NodeErrors errors = node_errors(tree, rows, ends, stored_values(tree), loss, {exponent, 0});
    std::vector<double> sums;
    for (const int128 sum : errors.leaf) sums.push_back(std::ldexp(static_cast<double>(sum), -exponent));
    return sums;
  }
};

TEST(NodeErrors, are_the_arithmetic_of_the_losses) {
  const JudgedRows rows;
  // Shares (3/4, 1/4), (1/2, 1/2), (1, 0). Root: 2 (3/4)^2 of class 1, twice 2 (1/4)^2 of class 0.
  const Tree classes = class_stump({3, 1}, {1, 1}, {2, 0});
  EXPECT_EQ(rows.errors(classes, {Loss::Kind::brier}), (std::vector<double>{1.125 + 2 * 0.125, 0.5, 0.0}));
  EXPECT_EQ(rows.errors(classes, {Loss::Kind::class_error}), (std::vector<double>{1, 1, 0}));
  // Shares of 0 and 1 count as 2^-52 and 1 - 2^-52, whose logarithm is -2^-52 to 2^-104.
  const std::vector<double> logs = rows.errors(classes, {Loss::Kind::log}, 60);
  EXPECT_DOUBLE_EQ(logs[0], std::log(4.0) + 2 * std::log(4.0 / 3.0));
  EXPECT_DOUBLE_EQ(logs[1], std::log(2.0));
  EXPECT_EQ(logs[2], 2 * 0x1p-52);
  // Values 2, 0, 6; truths 1, and twice 4.
  TreeBuilder builder(Task::regression, {1});
  const auto first = builder.split(builder.root(), samples::numeric(0, 1.0), 2);
  builder.set_stats(0, {2, 3.0, 1.0, {2.0}});
  builder.set_stats(first, {1, 1.0, 0.0, {0.0}});
  builder.set_stats(first + 1, {1, 2.0, 0.0, {6.0}});
  const Tree numbers = std::move(builder).finish();
  EXPECT_EQ(rows.errors(numbers, {Loss::Kind::squared}), (std::vector<double>{1 + 2 * 4, 1, 2 * 4}));
  EXPECT_EQ(rows.errors(numbers, {Loss::Kind::absolute}), (std::vector<double>{1 + 2 * 2, 1, 2 * 2}));
  // A quarter of what is too low, three quarters of what is too high.
  EXPECT_EQ(rows.errors(numbers, {Loss::Kind::pinball, 0.25}),
            (std::vector<double>{0.75 * 1 + 2 * 0.25 * 2, 0.25 * 1, 2 * 0.75 * 2}));
}

TEST(NodeErrors, no_row_is_worse_than_the_bound) {
  // Two outputs, 3 apart at most; shares are 2 apart at most in squares.
  EXPECT_EQ(largest_error({Loss::Kind::squared}, 2, 3.0), 18.0);
  EXPECT_EQ(largest_error({Loss::Kind::absolute}, 2, 3.0), 6.0);
  EXPECT_EQ(largest_error({Loss::Kind::pinball, 0.9}, 2, 3.0), 6.0);
  EXPECT_EQ(largest_error({Loss::Kind::brier}, 2, 0.0), 4.0);
  EXPECT_GE(largest_error({Loss::Kind::class_error}, 2, 0.0), 2.0);
}

// The root's value after pruning by the rows of numbers 1 and twice 4; its leaves are far off.
double value_of_pruning_rows(const Loss& loss) {
  const JudgedRows data;
  const RowReader reader(data.table, data.schema);
  const JudgeRows rows{&reader, {}, {data.numbers}, data.weights};
  TreeBuilder builder(Task::regression, {1});
  const auto first = builder.split(builder.root(), samples::numeric(0, 1.0), 2);
  builder.set_stats(0, {2, 3.0, 1.0, {std::nan("")}});
  builder.set_extra("unanswered", 0, 1.0);
  builder.set_stats(first, {1, 1.0, 0.0, {100.0}});
  builder.set_stats(first + 1, {1, 2.0, 0.0, {-100.0}});
  const Tree pruned = reduced_error(std::move(builder).finish(), rows, loss, LeafValues::prune, loss);
  EXPECT_EQ(pruned.n_nodes(), 1);
  std::vector<double> values(1);
  pruned.values(0, values);
  return values[0];
}

TEST(ReducedError, a_node_that_answered_nothing_takes_the_mean_of_the_pruning_rows) {
  EXPECT_DOUBLE_EQ(value_of_pruning_rows({Loss::Kind::squared}), (1.0 + 2 * 4.0) / 3);
}

TEST(ReducedError, under_absolute_error_and_quantiles_a_new_leaf_takes_those_of_the_pruning_rows) {
  EXPECT_EQ(value_of_pruning_rows({Loss::Kind::absolute}), 4.0);
  EXPECT_EQ(value_of_pruning_rows({Loss::Kind::pinball, 0.25}), 1.0);
}

// Numbers close together far from 0 have errors in units of their range; wide ones in the usual units.
TEST(Pruners, the_units_of_errors_follow_the_range_of_the_numbers) {
  EXPECT_EQ(largest_gap(1e6, 1e6 + 0.25, 1e6), 0.5);
  EXPECT_EQ(largest_gap(1e6, 1e6, 1e6), 1e6);
  EXPECT_EQ(largest_gap(-1e6, 1e6, 1e6), 1e6);
}

}  // namespace
}  // namespace bough
