// SPDX-License-Identifier: Apache-2.0
// Random small tables: the tree must agree with brute force at every node.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <sstream>

#include "oracle/audit.hpp"
#include "oracle/brute.hpp"
#include "oracle/draw.hpp"

namespace bough::oracle {
namespace {

using Adjust = std::function<void(Case&, Dice&)>;

// BOUGH_ENGINES narrows the engines that are compared (for work on one of them).
std::vector<std::string> engines() {
  const char* given = std::getenv("BOUGH_ENGINES");
  if (given == nullptr) return {"auto", "refine", "presorted", "sparse"};
  std::vector<std::string> names;
  std::istringstream words(given);
  for (std::string word; words >> word;) names.push_back(word);
  return names;
}

// The lists engine is checked against brute force, every other engine against its tree.
std::string check_engines(const Case& sample) {
  try {
    const Model model = grow_case(sample);
    const std::string wrong = audit(sample, model);
    if (!wrong.empty()) return wrong;
    for (const std::string& engine : engines())
      if (grow_case(sample, engine).tree() != model.tree())
        return fmt::format("engine {} grows another tree", engine);
  } catch (const Error& error) {
    return fmt::format("refused: {}", error.what());
  }
  return {};
}

// Grows and audits `count` tables whose shapes run through all combinations; stops after a few failures.
void check_many(const std::string& test, std::uint64_t count, const Adjust& adjust,
                const std::function<void(Shape&)>& reshape = {}) {
  int failures = 0;
  for (std::uint64_t i = 0; i < count && failures < 3; ++i) {
    const std::uint64_t seed = table_seed(test, i);
    Dice dice(seed);
    Shape shape = Shape::nth(i);
    if (reshape) reshape(shape);
    Case sample = draw_case(shape, dice);
    adjust(sample, dice);
    const std::string wrong = check_engines(sample);
    if (wrong.empty()) continue;
    ++failures;
    ADD_FAILURE() << test << ", table " << i << ", base seed " << base_seed() << ", seed " << seed << ": "
                  << wrong << "\n"
                  << describe(sample);
  }
}

bool monotone_is_possible(const Case& sample) {
  return sample.targets.size() == 1 && (!sample.classes || sample.n_classes[0] == 2);
}

TEST(Oracle, every_split_of_random_tables_is_the_best_there_is) {
  check_many("plain", scaled(20000), [](Case&, Dice&) {});
}

TEST(Oracle, limits_on_rows_weight_depth_and_decrease_are_kept_and_the_rest_is_best) {
  check_many("limits", scaled(3840), [](Case& sample, Dice& dice) {
    Params& params = sample.params;
    if (dice.chance(0.4)) params.min_samples_leaf = Amount::count(dice.between(2, 6));
    if (dice.chance(0.2)) params.min_samples_leaf = Amount::fraction(0.05 + 0.3 * dice.unit());
    if (dice.chance(0.3)) params.min_samples_split = Amount::count(dice.between(3, 12));
    if (dice.chance(0.3)) params.min_weight_fraction_leaf = 0.3 * dice.unit();
    if (dice.chance(0.3)) params.max_depth = dice.between(1, 3);
    if (dice.chance(0.3) && score_is_gain(params.criterion))
      params.min_impurity_decrease = 0.05 * dice.unit();
  });
}

TEST(Oracle, monotone_constraints_leave_the_best_of_the_allowed_splits) {
  check_many(
      "monotone", scaled(3840),
      [](Case& sample, Dice& dice) {
        if (!monotone_is_possible(sample)) return;
        for (const PlainColumn& column : sample.columns)
          if (column.kind != Kind::category && dice.chance(0.7))
            sample.params.monotonic_cst[column.name] = dice.chance(0.5) ? 1.0 : -1.0;
        if (dice.chance(0.2)) sample.params.min_samples_leaf = Amount::count(2);
      },
      [](Shape& shape) {
        shape.outputs = 1;
        if (shape.weighting == Weighting::fractional) shape.weighting = Weighting::none;
      });
}

TEST(Oracle, interaction_constraints_leave_the_best_of_the_allowed_columns) {
  check_many("interactions", scaled(1920), [](Case& sample, Dice& dice) {
    for (int g = dice.between(1, 3); g > 0; --g) {
      std::vector<std::string> group;
      for (const PlainColumn& column : sample.columns)
        if (dice.chance(0.5)) group.push_back(column.name);
      if (!group.empty()) sample.params.interaction_cst.push_back(group);
    }
  });
}

TEST(Oracle, a_limit_on_leaves_makes_the_best_splits_first) {
  check_many("leaves", scaled(1920), [](Case& sample, Dice& dice) {
    sample.params.max_leaf_nodes = dice.between(2, 9);
    if (dice.chance(0.3)) sample.params.min_samples_leaf = Amount::count(2);
  });
}

TEST(Oracle, random_and_sampled_searches_make_only_allowed_splits_with_true_gains) {
  check_many("random", scaled(1920), [](Case& sample, Dice& dice) {
    sample.params.seed = dice.between(0, 1000);
    if (dice.chance(0.7)) sample.params.splitter = "random";
    if (dice.chance(0.5)) sample.params.max_features = Amount::count(dice.between(1, 3));
    if (dice.chance(0.3)) sample.params.min_samples_leaf = Amount::count(2);
  });
}

// Above 10 levels without a provable order the search is a heuristic: never more than the best, and the same
// every time.
TEST(Oracle, many_levels_never_beat_brute_force_and_give_the_same_tree_twice) {
  const auto many = [](Shape& shape) {
    shape.columns = Columns::category;
    shape.max_levels = 14;
    shape.max_columns = 1;
    shape.equality = false;
  };
  check_many(
      "levels", scaled(384),
      [](Case& sample, Dice&) {
        EXPECT_EQ(grow_case(sample).tree(), grow_case(sample, "lists", 2).tree());
        sample.params.max_depth = 1;
      },
      many);
}

TEST(Oracle, sparse_columns_give_the_tree_of_dense_ones) {
  for (std::uint64_t i = 0; i < scaled(1920); ++i) {
    const std::uint64_t seed = table_seed("sparse", i);
    Dice dice(seed);
    Shape shape = Shape::nth(i);
    shape.columns = dice.chance(0.5) ? Columns::numeric : Columns::mixed;
    Case sample = draw_case(shape, dice);
    for (PlainColumn& column : sample.columns)
      if (column.kind == Kind::numeric)
        for (double& cell : column.cells)
          if (dice.chance(0.5)) cell = 0.0;
    const Tree dense = grow_case(sample).tree();
    for (PlainColumn& column : sample.columns)
      if (column.kind == Kind::numeric) column.storage = Storage::sparse;
    ASSERT_EQ(dense, grow_case(sample).tree()) << "base seed " << base_seed() << ", seed " << seed << "\n"
                                               << describe(sample);
  }
}

// The audit itself must be able to fail.
TEST(Oracle, a_worse_split_is_noticed) {
  Case sample;
  sample.columns.push_back({"x0", Kind::numeric, Storage::f64, 0, {1, 2, 3, 4}});
  sample.columns.push_back({"x1", Kind::numeric, Storage::f64, 0, {1, 2, 1, 2}});
  sample.targets = {{0, 0, 1, 1}};
  sample.n_classes = {2};
  sample.params.task = "classification";
  sample.params.criterion = "gini";
  EXPECT_EQ(audit(sample, grow_case(sample)), "");
  Case other = sample;
  std::swap(other.columns[0].cells, other.columns[1].cells);
  EXPECT_NE(audit(other, grow_case(sample)), "");
  other = sample;
  other.targets = {{0, 1, 1, 1}};
  EXPECT_NE(audit(other, grow_case(sample)), "");
}

}  // namespace
}  // namespace bough::oracle
