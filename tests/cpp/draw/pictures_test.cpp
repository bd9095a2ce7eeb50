// SPDX-License-Identifier: Apache-2.0
// Pictures of errors and importances, and what charts are made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "bough/draw.hpp"
#include "bough/prune.hpp"
#include "draw/chart.hpp"
#include "draw/error_curve.hpp"
#include "draw/palette.hpp"
#include "explain/models.hpp"

namespace bough {
namespace {

using namespace bough::testing;

// Leaves of iris(): 0 + 5 + 1 of 150 are wrong; with node 2 a leaf 50; the root alone 100.
TEST(ErrorCurves, follow_the_path_leaf_by_leaf) {
  const Model model = iris();
  const std::vector<double> risk = error_risk(model.tree());
  const PruningPath path = cost_complexity_path(model.tree(), risk);
  const std::vector<double> errors = along_path(model.tree(), path, risk);
  ASSERT_EQ(errors.size(), path.risks.size());
  for (std::size_t i = 0; i < errors.size(); ++i) EXPECT_NEAR(errors[i], path.risks[i], 1e-12);
  EXPECT_NEAR(errors[0], 6.0 / 150.0, 1e-12);
  EXPECT_NEAR(errors.back(), 100.0 / 150.0, 1e-12);
}

TEST(ErrorCurves, of_long_chains_take_no_more_than_linear_steps) {
  const Model model = chain(100'000);
  std::vector<double> ones(static_cast<std::size_t>(model.tree().n_nodes()), 1.0);
  std::vector<double> risk(ones.size());
  std::iota(risk.rbegin(), risk.rend(), 1.0);
  const PruningPath path = cost_complexity_path(model.tree(), risk);
  const std::vector<double> leaves = along_path(model.tree(), path, ones);
  for (std::size_t i = 0; i < leaves.size(); ++i) ASSERT_EQ(leaves[i], path.n_leaves[i]);
}

TEST(ErrorCurves, take_what_cross_validation_found) {
  Model::Parts parts = iris().parts();
  PruningTable table;
  table.alphas = {0.0, 0.1, 0.3};
  table.n_leaves = {3, 2, 1};
  table.errors = {0.05, 0.3, 0.6};
  table.standard_errors = {0.02, 0.03, 0.04};
  table.folds = 10;
  table.risk = "impurity";
  table.rule = "one_se";
  table.measure = "class_error";
  parts.pruning_table = table;
  const Model model(std::move(parts));
  const ErrorCurves curves = error_curves(model);
  EXPECT_EQ(curves.judged.errors, table.errors);
  EXPECT_EQ(curves.chosen, 0U);
  ASSERT_EQ(curves.training.size(), 1U);  // impurity is no class error
  const std::string svg = draw_path(model);
  EXPECT_NE(svg.find("cross-validated, 10 folds"), std::string::npos);
  EXPECT_NE(svg.find("chosen tree"), std::string::npos);
  EXPECT_EQ(draw_path(iris()).find("chosen tree"), std::string::npos);
}

TEST(Pictures, of_one_leaf_and_of_importances) {
  TreeBuilder builder(Task::regression, {1});
  builder.set_stats(builder.root(), stats({2.5}, 3));
  Model::Parts parts = number_parts({numeric("a<b>"), numeric("x")}, number_target("y"));
  parts.trees.push_back(std::move(builder).finish());
  const Model leaf(std::move(parts));
  EXPECT_NE(draw_path(leaf).find("</svg>"), std::string::npos);
  EXPECT_NE(draw_importances(leaf).find(">a&lt;b&gt;</text>"), std::string::npos);
  EXPECT_NE(draw_regions(leaf, nullptr).find("</svg>"), std::string::npos);
  EXPECT_NE(draw_fit(leaf, nullptr).find("</svg>"), std::string::npos);
  EXPECT_NE(draw_importances(leaf, {}, 1).find("1 more column together: 0%"), std::string::npos);
}

std::vector<std::string> labels(const Scale& scale, int most) {
  std::vector<std::string> out;
  for (const Scale::Tick& tick : scale.ticks(most)) out.push_back(tick.text);
  return out;
}

TEST(Pictures, a_path_without_steps_says_so_and_a_quantile_has_its_loss) {
  TreeBuilder builder(Task::regression, {1});
  builder.set_stats(builder.root(), stats({2.0}, 4));
  Model::Parts parts = number_parts({numeric("x")}, number_target("y"));
  parts.criterion = "quantile";
  parts.trees.push_back(std::move(builder).finish());
  const std::string svg = draw_path(Model(parts));
  EXPECT_NE(svg.find("nothing to prune"), std::string::npos);
  EXPECT_NE(svg.find("pinball loss in training"), std::string::npos);
  EXPECT_EQ(draw_path(iris()).find("nothing to prune"), std::string::npos);
}

TEST(Pictures, regions_say_that_the_data_have_no_target) {
  Table table;
  table.add("petal length", std::span<const double>(std::vector<double>{1.0, 5.0}));
  table.add("petal width", std::span<const double>(std::vector<double>{1.0, 2.0}));
  EXPECT_NE(draw_regions(iris(), &table).find("no column species"), std::string::npos);
  table.add("species", std::span<const std::string>(std::vector<std::string>{"setosa", "virginica"}));
  EXPECT_EQ(draw_regions(iris(), &table).find("no column species"), std::string::npos);
}

TEST(Colours, of_classes_differ_in_hue_and_not_only_in_strength) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < 40; ++i) seen.insert(hex(class_colour(i)));
  EXPECT_EQ(seen.size(), 40U);
  // Fills are mixed with white, which keeps the ratio of the differences between the parts of a colour.
  const auto is_grey = [](const Colour& colour) {
    return std::fabs(colour.red - colour.green) < 2.0 && std::fabs(colour.green - colour.blue) < 2.0;
  };
  int greys = 0;
  for (std::size_t i = 0; i < 40; ++i) greys += is_grey(class_colour(i)) ? 1 : 0;
  EXPECT_EQ(greys, 1);
}

// WCAG 2: black text needs (luminance + 0.05) / 0.05 >= 4.5 on its ground.
TEST(Colours, of_pure_leaves_are_light_enough_for_black_text) {
  const auto linear = [](const std::string& fill, std::size_t at) {
    const double part = std::stoi(fill.substr(at, 2), nullptr, 16) / 255.0;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  for (std::size_t i = 0; i < 60; ++i) {
    const std::string fill = class_fill(i, 1.0, 60);
    const double luminance = 0.2126 * linear(fill, 1) + 0.7152 * linear(fill, 3) + 0.0722 * linear(fill, 5);
    EXPECT_GE((luminance + 0.05) / 0.05, 4.5) << i << ' ' << fill;
  }
}

TEST(Scales, have_round_ticks) {
  EXPECT_EQ(labels({.low = 0.0, .high = 1.0}, 5),
            (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(labels({.low = -3.0, .high = 12.0}, 4), (std::vector<std::string>{"0", "5", "10"}));
  EXPECT_EQ(labels({.low = 1990.0, .high = 2020.0}, 4),
            (std::vector<std::string>{"1990", "2000", "2010", "2020"}));
  EXPECT_EQ(labels({.low = 1.0, .high = 1000.0, .logarithmic = true}, 4),
            (std::vector<std::string>{"1", "10", "100", "1000"}));
  EXPECT_EQ(labels({.low = 1e-7, .high = 3e-7}, 3), (std::vector<std::string>{"1×10⁻⁷", "2×10⁻⁷", "3×10⁻⁷"}));
  EXPECT_EQ(labels({.low = 0.7, .high = 3.3, .whole = true}, 7), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_FALSE(labels({.low = 5.0, .high = 5.0}, 3).empty());
}

TEST(Words, are_cut_to_a_width_and_wrapped_at_blanks) {
  EXPECT_EQ(fit_text("abc", 10.0, 100.0), "abc");
  const std::string cut = fit_text("a very long name of a column", 10.0, 60.0);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_LE(text_width(cut, 10.0), 62.0);
  const std::vector<std::string> lines = wrap_text("one two three four five six", 10.0, 60.0, 3);
  EXPECT_LE(lines.size(), 3U);
  for (const std::string& line : lines) EXPECT_LE(text_width(line, 10.0), 62.0);
}

}  // namespace
}  // namespace bough
