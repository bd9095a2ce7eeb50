// SPDX-License-Identifier: Apache-2.0
// Permutation tests against loops that shuffle by themselves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "bough/significance.hpp"
#include "study/refits.hpp"
#include "study/support.hpp"

namespace bough {
namespace {

using namespace bough::testing;

// The table with y moved: row i gets the label of row order[i].
Table with_labels(const Table& table, std::span<const RowId> order) {
  std::vector<std::string> labels;
  for (const RowId row : order) labels.push_back(cell_text(table.column(table.find("y").value()), row));
  Table out;
  for (const char* name : {"a", "b", "c"}) {
    std::vector<double> cells;
    for (std::int64_t i = 0; i < table.n_rows(); ++i) {
      const std::string text = cell_text(table.column(table.find(name).value()), i);
      cells.push_back(text.empty() ? NAN : std::stod(text));
    }
    out.add(name, std::span<const double>(cells));
  }
  std::vector<std::string> colours;
  for (std::int64_t i = 0; i < table.n_rows(); ++i)
    colours.push_back(cell_text(table.column(table.find("colour").value()), i));
  out.add("colour", std::span<const std::string>(colours));
  out.add("y", std::span<const std::string>(labels));
  return out;
}

TEST(Permutation, every_split_is_tested_among_the_rows_of_its_node) {
  const Table table = mixed(50, 6);
  const Model model = fit(table, target("y"), depth(2));
  PermutationOptions options;
  options.repeats = 40;
  options.seed = 3;
  options.max_depth = -1;
  const SplitPermutations got = permutation_test_splits(model, table, options);
  ASSERT_GE(got.nodes.size(), 2u);
  for (const SplitPermutation& node : got.nodes) {
    std::vector<RowId> rows;
    const DecisionPaths paths = model.decision_path(table);
    for (RowId row = 0; row < 50; ++row)
      for (auto k = paths.starts[row]; k < paths.starts[row + 1]; ++k)
        if (paths.nodes[static_cast<std::size_t>(k)] == node.node) rows.push_back(row);
    const Table part = table.take(rows);
    EXPECT_EQ(node.n_rows, part.n_rows());
    EXPECT_DOUBLE_EQ(node.gain, model.tree().gain(node.node));
    std::int64_t as_good = 0;
    for (std::uint64_t i = 0; i < 40; ++i) {
      const std::uint64_t key = mix(mix(mix(3, 0x5b17), static_cast<std::uint64_t>(node.node)), i);
      const Model stump = fit(with_labels(part, shuffled_rows(part.n_rows(), key)), target("y"), depth(1));
      as_good += !stump.tree().is_leaf(0) && stump.tree().gain(0) >= node.gain ? 1 : 0;
    }
    EXPECT_EQ(node.as_good, as_good);
    EXPECT_EQ(node.p, (1.0 + static_cast<double>(as_good)) / 41.0);
    EXPECT_GE(node.adjusted, node.p);
  }
}

TEST(Permutation, class_weights_of_the_whole_tree_hold_in_its_nodes) {
  const Table table = mixed(60, 8);
  Params params = depth(3);
  params.class_weight.balanced = true;
  params.min_samples_leaf = Amount::fraction(0.05);
  const Model model = fit(table, target("y"), params);
  PermutationOptions options;
  options.repeats = 1;
  for (const SplitPermutation& node : permutation_test_splits(model, table, options).nodes)
    EXPECT_NEAR(node.gain, model.tree().gain(node.node), 1e-9);
}

TEST(Permutation, a_linked_target_is_found_and_the_score_is_that_of_a_hand_made_shuffle) {
  const Table table = mixed(60, 2);
  const Model model = fit(table, target("y"), depth(2));
  PermutationOptions options;
  options.repeats = 19;
  options.score = "training";
  const TreePermutation got = permutation_test(model, table, options);
  EXPECT_EQ(got.p, 1.0 / 20.0);
  for (std::uint64_t i = 0; i < 19; ++i) {
    const Table shuffled = with_labels(table, shuffled_rows(60, mix(mix(0, 0x7e57), i)));
    const Model tree = fit(shuffled, target("y"), depth(2));
    std::int64_t right = 0;
    const std::vector<std::string> labels = tree.predict_labels(shuffled);
    for (std::int64_t row = 0; row < 60; ++row)
      right += labels[static_cast<std::size_t>(row)] == cell_text(shuffled.column(4), row) ? 1 : 0;
    EXPECT_DOUBLE_EQ(got.shuffled[i], static_cast<double>(right) / 60.0);
  }
  options.score = "held_out";
  EXPECT_EQ(permutation_test(model, table, options).p, 1.0 / 20.0);
}

TEST(Permutation, shuffles_suffice_for_the_number_of_tests_or_the_text_says_how_many_would) {
  const Table table = mixed(60, 2);
  const Model model = fit(table, target("y"), depth(3));
  PermutationOptions options;
  options.max_depth = -1;
  const SplitPermutations few = permutation_test_splits(fit(table, target("y"), depth(1)), table, options);
  EXPECT_EQ(few.repeats, 199);
  options.repeats = 9;
  const SplitPermutations got = permutation_test_splits(model, table, options);
  ASSERT_GE(got.nodes.size(), 2u);
  // Holm's smallest is n / (1 + shuffles), at most 0.05 from 20 n - 1 shuffles on.
  const std::string words = fmt::format("{} could", 20 * got.nodes.size() - 1);
  EXPECT_NE(to_text(got).find(words), std::string::npos) << to_text(got);
  EXPECT_EQ(to_text(few).find("could"), std::string::npos);
}

TEST(Permutation, the_tree_of_other_rows_is_noted) {
  const Table table = mixed(60, 2);
  PermutationOptions options;
  options.repeats = 1;
  options.score = "training";
  const TreePermutation own = permutation_test(fit(table, target("y"), depth(2)), table, options);
  EXPECT_TRUE(own.reproduced);
  EXPECT_EQ(to_text(own).find("Note"), std::string::npos);
  const TreePermutation other = permutation_test(fit(mixed(60, 3), target("y"), depth(2)), table, options);
  EXPECT_FALSE(other.reproduced);
  EXPECT_NE(to_text(other).find("does not give the model's own tree"), std::string::npos);
}

// 60 tables without a link: p takes the values 1/10 .. 10/10 and is below or at 0.5 about half the time
// (binomial with n = 60: 18 to 42 has a chance above 0.998). tests/cpp/study/uniform_test.cpp looks closer.
TEST(Permutation, without_a_link_p_is_not_small_by_habit) {
  int low = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Table table = mixed(30, 100 + seed, false);
    PermutationOptions options;
    options.repeats = 9;
    options.max_depth = 0;
    options.seed = seed;
    const SplitPermutations got = permutation_test_splits(fit(table, target("y"), depth(1)), table, options);
    low += got.nodes.empty() || got.nodes.front().p > 0.5 ? 0 : 1;
  }
  EXPECT_GE(low, 18);
  EXPECT_LE(low, 42);
}

TEST(Permutation, threads_change_nothing) {
  const Table table = mixed(50, 6, true, false);
  const Model model = fit(table, target("y"), depth(3));
  PermutationOptions options;
  options.repeats = 15;
  const Execution one{.threads = 1, .progress = {}}, two{.threads = 2, .progress = {}};
  EXPECT_EQ(to_json(permutation_test(model, table, options, one)),
            to_json(permutation_test(model, table, options, two)));
  EXPECT_EQ(to_json(permutation_test_splits(model, table, options, one)),
            to_json(permutation_test_splits(model, table, options, two)));
}

TEST(Permutation, trees_of_many_branches_are_refused) {
  Params params;
  params.algorithm = "c45";
  const Table table = mixed(50, 6);
  const Model model = fit(table, target("y"), params);
  EXPECT_NE(
      complaint([&] { static_cast<void>(permutation_test_splits(model, table)); }).find("algorithm=c45"),
      std::string::npos);
  PermutationOptions options;
  options.repeats = 3;
  EXPECT_GT(permutation_test(model, table, options).p, 0.0);
}

// Holm (1979) by hand: sorted 0.01, 0.02, 0.03, 0.5 times 4, 3, 2, 1 gives 0.04, 0.06, 0.06, 0.5.
TEST(Permutation, holms_adjustment_multiplies_and_never_falls) {
  const std::vector<double> got = holm(std::vector<double>{0.03, 0.01, 0.5, 0.02});
  EXPECT_DOUBLE_EQ(got[0], 0.06);
  EXPECT_DOUBLE_EQ(got[1], 0.04);
  EXPECT_DOUBLE_EQ(got[2], 0.5);
  EXPECT_DOUBLE_EQ(got[3], 0.06);
  EXPECT_EQ(holm(std::vector<double>{0.9, 0.8})[0], 1.0);
}

}  // namespace
}  // namespace bough
