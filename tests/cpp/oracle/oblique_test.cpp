// SPDX-License-Identifier: Apache-2.0
// Oblique trees: the sums that every node drew are searched as brute force does, and nothing else about the
// tree depends on how it was grown.
#include "split/oblique/oblique.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "oracle/audit.hpp"
#include "oracle/build.hpp"
#include "oracle/draw.hpp"
#include "oracle/sums.hpp"

namespace bough::oracle {
namespace {

std::vector<ColId> first_columns(int n) {
  std::vector<ColId> columns;
  for (ColId j = 0; j < n; ++j) columns.push_back(j);
  return columns;
}

ObliqueOptions drawing(double lambda, std::size_t n, bool axis = true) {
  ObliqueOptions options;
  options.combinations = lambda;
  options.n_candidates = n;
  options.axis = axis;
  return options;
}

// What random oblique trees are asked for.
void make_oblique(Case& sample, Dice& dice) {
  Params& params = sample.params;
  params.oblique = true;
  params.seed = dice.between(0, 1 << 20);
  const auto numeric = std::count_if(sample.columns.begin(), sample.columns.end(),
                                     [](const PlainColumn& c) { return c.kind == Kind::numeric; });
  if (numeric > 1 && dice.chance(0.6))
    params.feature_combinations = 1.0 + dice.unit() * static_cast<double>(numeric - 1);
  if (dice.chance(0.3)) params.projection_weights = "continuous";
  if (dice.chance(0.3)) params.axis_candidates = false;
  if (dice.chance(0.5))
    params.max_features = Amount::count(static_cast<double>(sample.columns.size()) * dice.between(1, 4));
  if (dice.chance(0.1)) params.max_features = Amount::named(Amount::Unit::square);
}

void vary_limits(Params& params, Dice& dice) {
  if (dice.chance(0.3)) params.min_samples_leaf = Amount::count(dice.between(2, 6));
  if (dice.chance(0.2)) params.min_weight_fraction_leaf = 0.2 * dice.unit();
  if (dice.chance(0.2)) params.max_depth = dice.between(1, 4);
  if (dice.chance(0.2)) params.max_leaf_nodes = dice.between(2, 9);
}

Case draw_oblique(std::uint64_t i, Dice& dice) {
  Shape shape = Shape::nth(i);
  if (dice.chance(0.6)) shape.columns = Columns::numeric;
  Case sample = draw_case(shape, dice);
  make_oblique(sample, dice);
  return sample;
}

// Every row of positive weight comes to the leaf that counted it.
bool predicts_as_it_was_grown(const Case& sample, const Model& model) {
  const std::vector<NodeId> leaves = model.apply(to_table(sample));
  std::vector<std::int64_t> counts(static_cast<std::size_t>(model.tree().n_nodes()), 0);
  for (std::size_t row = 0; row < leaves.size(); ++row)
    if (sample.weight(row) > 0.0) ++counts[static_cast<std::size_t>(leaves[row])];
  for (NodeId node = 0; node < model.tree().n_nodes(); ++node)
    if (model.tree().is_leaf(node) && counts[static_cast<std::size_t>(node)] != model.tree().n_rows(node))
      return false;
  return true;
}

TEST(Oblique, every_split_is_the_best_along_the_sums_that_the_node_drew) {
  int failures = 0;
  std::size_t sums = 0;
  for (std::uint64_t i = 0; i < scaled(6000) && failures < 3; ++i) {
    const std::uint64_t seed = table_seed("oblique", i);
    Dice dice(seed);
    Case sample = draw_oblique(i, dice);
    if (i % 2 == 1) vary_limits(sample.params, dice);
    const Model model = grow_case(sample);
    for (NodeId node = 0; node < model.tree().n_nodes(); ++node)
      sums += model.tree().kind(node) == NodeKind::oblique ? 1 : 0;
    std::string wrong = audit(sample, model);
    if (wrong.empty() && !predicts_as_it_was_grown(sample, model)) wrong = "prediction goes other ways";
    if (wrong.empty()) continue;
    ++failures;
    ADD_FAILURE() << "table " << i << ", base seed " << base_seed() << ", seed " << seed << ": " << wrong
                  << "\n"
                  << params_to_json(sample.params) << "\n"
                  << describe(sample);
  }
  EXPECT_GT(sums, scaled(2000));  // there was something to judge
}

TEST(Oblique, random_cuts_are_allowed_and_have_true_gains) {
  for (std::uint64_t i = 0; i < scaled(600); ++i) {
    Dice dice(table_seed("random sums", i));
    Case sample = draw_oblique(i, dice);
    vary_limits(sample.params, dice);
    sample.params.splitter = "random";
    ASSERT_EQ(audit(sample, grow_case(sample)), "") << "table " << i << ", base seed " << base_seed();
  }
}

TEST(Oblique, every_engine_and_number_of_threads_grows_the_same_tree) {
  for (std::uint64_t i = 0; i < scaled(300); ++i) {
    Dice dice(table_seed("oblique engines", i));
    Shape shape = Shape::nth(i);
    if (dice.chance(0.7)) shape.columns = Columns::numeric;
    const bool slow = shape.criterion == "absolute_error" || shape.criterion == "quantile";
    Case sample = draw_rows(shape,
                            static_cast<std::size_t>(dice.between(30, slow               ? 100
                                                                      : dice.chance(0.1) ? 4000
                                                                                         : 400)),
                            dice);
    make_oblique(sample, dice);
    vary_limits(sample.params, dice);
    if (dice.chance(0.2)) sample.params.splitter = "random";
    if (dice.chance(0.3)) sample.params.max_features = Amount::count(2);
    if (dice.chance(0.2)) sample.params.projection_scale = "standard";
    const Tree tree = grow_case(sample, "lists").tree();
    for (const char* engine : {"auto", "refine", "presorted"})
      for (const int threads : {1, 2})
        ASSERT_EQ(grow_case(sample, engine, threads).tree(), tree)
            << engine << ", table " << i << ", base seed " << base_seed() << "\n"
            << params_to_json(sample.params);
  }
}

// More combinations than are sorted at a time.
TEST(Oblique, every_engine_searches_all_of_many_combinations) {
  for (std::uint64_t i = 0; i < 3; ++i) {
    Dice dice(table_seed("many sums", i));
    std::vector<double> y, cells[4];
    for (int row = 0; row < 60; ++row) {
      for (auto& column : cells) column.push_back(dice.unit());
      const double sum = cells[0].back() + cells[1].back() - 2 * cells[2].back();
      y.push_back(i == 0 ? (sum > 0 ? 1.0 : 0.0) : sum);
    }
    Case sample = i == 0 ? class_case(y) : number_case(y);
    for (auto& column : cells) add_numeric(sample, std::move(column));
    sample.params.oblique = true;
    sample.params.feature_combinations = 3.0;
    sample.params.projection_weights = "continuous";
    sample.params.max_features = Amount::count(2000);
    sample.params.max_depth = 3;
    if (i == 2) sample.params.criterion = "absolute_error";
    ASSERT_EQ(grow_all(sample).tree().kind(0), NodeKind::oblique);
  }
}

TEST(Oblique, sparse_columns_give_the_tree_of_dense_ones) {
  for (std::uint64_t i = 0; i < scaled(300); ++i) {
    Dice dice(table_seed("sparse sums", i));
    Case sample = draw_oblique(i, dice);
    if (dice.chance(0.4)) sample.params.projection_scale = "standard";
    for (PlainColumn& column : sample.columns)
      if (column.kind == Kind::numeric)
        for (double& cell : column.cells)
          if (dice.chance(0.5)) cell = 0.0;
    const Tree dense = grow_case(sample, "auto").tree();
    for (PlainColumn& column : sample.columns)
      if (column.kind == Kind::numeric && dice.chance(0.8)) column.storage = Storage::sparse;
    ASSERT_EQ(dense, grow_case(sample, "auto").tree())
        << "table " << i << ", base seed " << base_seed() << "\n"
        << params_to_json(sample.params);
  }
}

// Sums of one column are columns, which are tried anyway.
TEST(Oblique, one_column_per_combination_gives_the_tree_of_plain_search) {
  for (std::uint64_t i = 0; i < scaled(300); ++i) {
    Dice dice(table_seed("single sums", i));
    Case sample = draw_case(Shape::nth(i), dice);
    vary_limits(sample.params, dice);
    if (dice.chance(0.3)) sample.params.splitter = "random";
    if (dice.chance(0.5)) sample.params.max_features = Amount::count(dice.between(1, 3));
    const Tree plain = grow_case(sample).tree();
    sample.params.oblique = true;
    sample.params.feature_combinations = 1.0;
    try {
      ASSERT_EQ(grow_case(sample).tree(), plain) << "table " << i << ", base seed " << base_seed();
    } catch (const Error& error) {  // no numeric column at all
      ASSERT_EQ(error.code(), ErrorCode::bad_params);
    }
  }
}

// A power of two changes no bit of a standardised column, so it may change no answer.
TEST(Oblique, standardised_columns_do_not_know_their_units) {
  int oblique = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    Dice dice(table_seed("units", i));
    Shape shape = Shape::nth(i);
    shape.columns = Columns::numeric;
    Case sample = draw_case(shape, dice);
    make_oblique(sample, dice);
    sample.params.projection_scale = "standard";
    const Model model = grow_case(sample);
    const std::vector<NodeId> leaves = model.apply(to_table(sample));
    for (PlainColumn& column : sample.columns) {
      const int power = dice.between(-20, 20);
      column.storage = Storage::f64;
      for (double& cell : column.cells) cell = std::ldexp(cell, power);
    }
    const Model other = grow_case(sample);
    ASSERT_EQ(other.apply(to_table(sample)), leaves) << "table " << i << ", base seed " << base_seed();
    for (NodeId node = 0; node < other.tree().n_nodes(); ++node)
      oblique += other.tree().kind(node) == NodeKind::oblique ? 1 : 0;
  }
  EXPECT_GT(oblique, 20);
}

TEST(Oblique, combinations_have_the_wanted_number_of_columns_on_average) {
  for (const auto& [lambda, p] : std::map<double, int>{{1.5, 50}, {3.0, 10}, {7.5, 8}, {40.0, 500}}) {
    ProjectionDraw draw(drawing(lambda, 400, false), first_columns(p), {});
    double terms = 0.0, count = 0.0;
    std::vector<double> used(static_cast<std::size_t>(p), 0.0);
    for (std::uint64_t key = 0; key < 50; ++key) {
      draw.draw(key);
      for (std::size_t i = 0; i < draw.size(); ++i) {
        ASSERT_GE(draw.terms(i).size(), 2U);
        ASSERT_GT(draw.terms(i).front().weight, 0.0);
        for (std::size_t t = 1; t < draw.terms(i).size(); ++t)
          ASSERT_LT(draw.terms(i)[t - 1].column, draw.terms(i)[t].column);
      }
    }
    // Without dropping: one combination per key.
    ProjectionDraw one(drawing(lambda, 1, false), first_columns(p), {});
    for (std::uint64_t key = 0; key < 5000; ++key) {
      one.draw(key);
      ASSERT_EQ(one.size() + one.singles().size(), 1U);
      terms += one.size() == 1 ? static_cast<double>(one.terms(0).size()) : 1.0;
      count += 1.0;
      for (const ColId column : one.singles()) ++used[static_cast<std::size_t>(column)];
      for (std::size_t i = 0; i < one.size(); ++i)
        for (const ObliqueTerm& term : one.terms(i)) ++used[static_cast<std::size_t>(term.column)];
    }
    // The variance of a binomial number is below its mean: five standard errors.
    EXPECT_NEAR(terms / count, lambda, 5 * std::sqrt(lambda / count)) << p;
    const double expected = lambda * count / p;
    for (const double times : used)
      EXPECT_NEAR(times, expected, 6 * std::sqrt(expected)) << lambda << " of " << p;
  }
}

TEST(Oblique, no_combination_is_drawn_twice_not_even_with_signs_turned) {
  ProjectionDraw draw(drawing(2.0, 500), first_columns(5), {});
  draw.draw(7);
  std::set<std::vector<std::pair<ColId, double>>> seen;
  for (std::size_t i = 0; i < draw.size(); ++i) {
    std::vector<std::pair<ColId, double>> terms, turned;
    for (const ObliqueTerm& term : draw.terms(i)) {
      terms.emplace_back(term.column, term.weight);
      turned.emplace_back(term.column, -term.weight);
    }
    EXPECT_EQ(seen.count(turned), 0U);
    EXPECT_TRUE(seen.insert(terms).second);
  }
  // Pairs, triples, ... of five columns with signs up to the first: 10 * 2 + 10 * 4 + 5 * 8 + 16.
  EXPECT_LE(draw.size(), 116U);
  EXPECT_GT(draw.size(), 60U);
}

TEST(Oblique, infinite_and_cancelling_cells_keep_thresholds_finite) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Case sample = class_case({0, 0, 1, 1, 0, 1, 1, 0});
  add_numeric(sample, {-inf, -inf, 3, inf, 1e308, -1e308, 5, 6});
  add_numeric(sample, {1, inf, -inf, inf, 1e308, -1e308, kMissing, 2});
  sample.params.oblique = true;
  sample.params.feature_combinations = 2.0;
  sample.params.max_features = Amount::count(8);
  for (int seed = 0; seed < 20; ++seed) {
    sample.params.seed = seed;
    const Model model = grow_case(sample);
    EXPECT_TRUE(predicts_as_it_was_grown(sample, model)) << seed;
    EXPECT_EQ(grow_case(sample, "auto").tree(), model.tree());
  }
}

}  // namespace
}  // namespace bough::oracle
