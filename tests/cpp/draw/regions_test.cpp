// SPDX-License-Identifier: Apache-2.0
// Regions and steps: every place of the picture has one region, and it answers what the model answers there.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "bough/draw.hpp"
#include "explain/models.hpp"

namespace bough {
namespace {

using namespace bough::testing;

std::uint64_t seed() {
  const char* given = std::getenv("BOUGH_SEED");
  return given == nullptr ? 7 : std::strtoull(given, nullptr, 10);
}

double cross(Point a, Point b, Point p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// Inside, not on the border (corners go around against the clock).
bool holds(const AnswerRegion& region, Point p) {
  for (std::size_t i = 0; i < region.corners.size(); ++i)
    if (!(cross(region.corners[i], region.corners[(i + 1) % region.corners.size()], p) > 0.0)) return false;
  return true;
}

double area(const AnswerRegion& region) {
  double twice = 0.0;
  for (std::size_t i = 2; i < region.corners.size(); ++i)
    twice += cross(region.corners[0], region.corners[i - 1], region.corners[i]);
  return twice / 2.0;
}

// A place of the picture as the model's cells: levels are whole numbers.
double cell_at(const Model& model, ColId column, double value) {
  const bool levels = model.features().fields[static_cast<std::size_t>(column)].kind != Kind::numeric;
  return levels ? std::round(value) : value;
}

// Held cells are those of `base`; the model is asked row by row.
void expect_answers(const Model& model, const Regions& regions, std::vector<double> base,
                    std::mt19937_64& random) {
  double total = 0.0;
  for (const AnswerRegion& region : regions.regions) total += area(region);
  EXPECT_NEAR(total / ((regions.high.x - regions.low.x) * (regions.high.y - regions.low.y)), 1.0, 1e-9);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int i = 0; i < 300; ++i) {
    const Point p{regions.low.x + (regions.high.x - regions.low.x) * share(random),
                  regions.low.y + (regions.high.y - regions.low.y) * share(random)};
    const AnswerRegion* found = nullptr;
    int n = 0;
    for (const AnswerRegion& region : regions.regions)
      if (holds(region, p)) ++n, found = &region;
    ASSERT_EQ(n, 1) << p.x << " " << p.y;
    base[static_cast<std::size_t>(regions.x)] = cell_at(model, regions.x, p.x);
    base[static_cast<std::size_t>(regions.y)] = cell_at(model, regions.y, p.y);
    std::vector<double> answer(model.n_outputs());
    model.predict_row(std::span<const double>(base), answer);
    EXPECT_EQ(found->value, answer[0]);
    if (found->node < 0) continue;
    const auto width = static_cast<std::int64_t>(base.size());
    const MatrixView row{Dtype::f64, base.data(), 1, width, width * 8, 8};
    std::vector<NodeId> leaf(1);
    model.apply(row, 0, leaf);
    EXPECT_EQ(found->node, leaf[0]);
  }
}

struct Data {
  Table table;
  FitSpec spec;
};

// Two numbers, an ordinal and a category column; a class that depends on all of them.
Data random_data(std::mt19937_64& random, bool classes) {
  const std::size_t n = 400;
  std::vector<double> a(n), b(n), number(n);
  std::vector<std::string> size(n), colour(n), label(n);
  const std::vector<std::string> sizes{"s", "m", "l", "xl"},
      colours{"red", "green", "blue", "black", "white"};
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = static_cast<double>(random() % 1000) / 100.0;
    b[i] = random() % 20 == 0 ? std::nan("") : static_cast<double>(random() % 50);
    size[i] = sizes[random() % 4];
    colour[i] = colours[random() % 5];
    const double sum = a[i] + (std::isnan(b[i]) ? 30.0 : b[i]) / 5.0 + (size[i] == "l" ? 4.0 : 0.0) +
                       (colour[i] == "blue" || colour[i] == "red" ? 3.0 : 0.0);
    number[i] = sum + static_cast<double>(random() % 5);
    label[i] = number[i] < 8.0 ? "low" : number[i] < 14.0 ? "middle" : "high";
  }
  Data data;
  data.table.add("a", std::span<const double>(a));
  data.table.add("b", std::span<const double>(b));
  data.table.add("size", std::span<const std::string>(size));
  data.table.add("colour", std::span<const std::string>(colour));
  if (classes)
    data.table.add("y", std::span<const std::string>(label));
  else
    data.table.add("y", std::span<const double>(number));
  data.spec.targets = {"y"};
  data.spec.columns = {{.name = "size", .kind = Kind::ordinal, .order = sizes}};
  return data;
}

std::vector<double> held_cells(const Model& model, const Regions& regions) {
  std::vector<double> cells(model.features().fields.size(), std::nan(""));
  for (const HeldColumn& held : regions.held) {
    const std::size_t column = *model.features().find(held.name);
    const Field& field = model.features().fields[column];
    if (held.value == "missing") continue;
    if (field.kind == Kind::numeric)
      cells[column] = std::stod(held.value);
    else
      for (std::size_t i = 0; i < field.levels.size(); ++i)
        if (field.levels.names[i] == held.value) cells[column] = static_cast<double>(i);
  }
  return cells;
}

TEST(Regions, answer_like_the_model_over_numbers_levels_and_categories) {
  std::mt19937_64 random(seed());
  for (const bool classes : {true, false}) {
    const Data data = random_data(random, classes);
    const Model model = fit(data.table, data.spec);
    for (const char* x : {"a", "size", "colour"})
      for (const char* y : {"b", "colour", "a"}) {
        if (std::string_view(x) == y) continue;
        const Regions regions = decision_regions(model, &data.table, {.x = x, .y = y});
        EXPECT_EQ(regions.held.size(), 2U);
        expect_answers(model, regions, held_cells(model, regions), random);
      }
  }
}

TEST(Regions, of_many_ways_and_rows_that_are_shared_out) {
  std::mt19937_64 random(seed() + 1);
  const Data data = random_data(random, true);
  Params params;
  params.algorithm = "c45";
  const Model model = fit(data.table, data.spec, params);
  const Regions regions = decision_regions(model, &data.table, {.x = "a", .y = "size"});
  expect_answers(model, regions, held_cells(model, regions), random);
  // A held cell that is missing is shared out: the answer is a mixture, and no node's.
  const std::vector<double> unknown(static_cast<std::size_t>(data.table.n_rows()), std::nan(""));
  Table table;
  for (const char* name : {"a", "size", "colour", "y"})
    table.view(name, std::get<ColumnView>(data.table.column(*data.table.find(name))));
  table.add("b", std::span<const double>(unknown));
  const Regions mixed = decision_regions(model, &table, {.x = "a", .y = "size"});
  ASSERT_FALSE(mixed.regions.empty());
  EXPECT_EQ(mixed.regions.front().node, -1);
  expect_answers(model, mixed, held_cells(model, mixed), random);
}

// A held missing cell asks surrogates, which may look at the shown columns, or keeps the row at its node.
TEST(Regions, of_surrogates_and_rows_that_stop) {
  std::mt19937_64 random(seed() + 5);
  const Data data = random_data(random, true);
  for (const char* policy : {"surrogate", "stop"}) {
    Params params;
    params.missing_policy = policy;
    if (params.missing_policy == "surrogate") params.surrogate_else = "stop";
    const Model model = fit(data.table, data.spec, params);
    const std::vector<double> unknown(static_cast<std::size_t>(data.table.n_rows()), std::nan(""));
    Table table;
    for (const char* name : {"b", "size", "colour", "y"})
      table.view(name, std::get<ColumnView>(data.table.column(*data.table.find(name))));
    table.add("a", std::span<const double>(unknown));
    const Regions regions = decision_regions(model, &table, {.x = "b", .y = "colour"});
    expect_answers(model, regions, held_cells(model, regions), random);
  }
}

TEST(Regions, of_several_trees_are_those_of_their_common_answer) {
  std::mt19937_64 random(seed() + 2);
  Model::Parts parts;
  for (int i = 0; i < 3; ++i) {
    const Data data = random_data(random, false);
    Params params;
    params.max_depth = 4;
    const Model one = fit(data.table, data.spec, params);
    if (i == 0) parts = one.parts();
    if (i > 0) parts.trees.push_back(one.tree());
  }
  parts.combine = Combine::mean;
  const Model forest(std::move(parts));
  const Data data = random_data(random, false);
  const Regions regions = decision_regions(forest, &data.table, {.x = "b", .y = "a"});
  expect_answers(forest, regions, held_cells(forest, regions), random);
  const Regions first = decision_regions(forest, &data.table, {.x = "b", .y = "a"}, 0);
  EXPECT_GE(first.regions.front().node, 0);
  EXPECT_THROW((void)decision_regions(forest, &data.table, {.x = "b", .y = "a", .max_depth = 2}), Error);
}

// x + y <= 10 above, then 2 x - y <= 3 on the left side.
Model oblique() {
  TreeBuilder builder(Task::classification, {2});
  builder.set_stats(builder.root(), counts({10, 10}));
  Split sum;
  sum.kind = NodeKind::oblique;
  sum.threshold = 10.0;
  sum.terms = {{0, 1.0}, {1, 1.0}, {2, 0.5}};
  const auto first = builder.split(0, sum, 2);
  builder.set_stats(first, counts({10, 4}));
  builder.set_stats(first + 1, counts({0, 6}));
  sum.threshold = 3.0;
  sum.terms = {{0, 2.0}, {1, -1.0}};
  const auto second = builder.split(first, sum, 2);
  builder.set_stats(second, counts({10, 0}));
  builder.set_stats(second + 1, counts({0, 4}));
  Model::Parts parts =
      class_parts({numeric("x"), numeric("y"), numeric("z")}, class_target("c", {"no", "yes"}));
  parts.trees.push_back(std::move(builder).finish());
  return Model(std::move(parts));
}

TEST(Regions, of_sums_are_polygons) {
  std::mt19937_64 random(seed() + 3);
  const Model model = oblique();
  const std::vector<double> low{0.0, 8.0}, high{0.0, 12.0};
  Table table;
  table.add("x", std::span<const double>(low));
  table.add("y", std::span<const double>(high));
  table.add("z", std::span<const double>(low));
  const Regions regions = decision_regions(model, &table, {.x = "x", .y = "y", .at = {{"z", "2"}}});
  ASSERT_EQ(regions.regions.size(), 3U);
  EXPECT_EQ(regions.held.front().how, "given");
  expect_answers(model, regions, {0.0, 0.0, 2.0}, random);
  EXPECT_NE(draw_regions(model, &table, {.x = "x", .y = "y"}).find("<polygon"), std::string::npos);
}

// Depth 1 of the iris tree: two regions, and the next level's cut at 1.75 dotted right of 2.45.
TEST(Regions, a_depth_cuts_the_tree_and_shows_the_next_cuts) {
  const std::vector<double> lengths{1.0, 7.0}, widths{0.0, 3.0};
  Table table;
  table.add("petal length", std::span<const double>(lengths));
  table.add("petal width", std::span<const double>(widths));
  const SliceOptions options{.x = "petal length", .y = "petal width", .max_depth = 1};
  const Regions regions = decision_regions(iris(), &table, options);
  EXPECT_EQ(regions.max_depth, 1);
  ASSERT_EQ(regions.regions.size(), 2U);
  EXPECT_EQ(regions.regions[1].node, 2);
  ASSERT_EQ(regions.cuts.size(), 2U);
  EXPECT_FALSE(regions.cuts[0].next);
  EXPECT_TRUE(regions.cuts[1].next);
  EXPECT_EQ(std::min(regions.cuts[1].from.x, regions.cuts[1].to.x), 2.45);
  EXPECT_EQ(regions.cuts[1].from.y, 1.75);
  EXPECT_NE(draw_regions(iris(), &table, options).find("stroke-dasharray=\"1.5 4\""), std::string::npos);
}

TEST(Regions, without_data_the_tests_say_what_is_shown) {
  const Regions regions = decision_regions(iris(), nullptr, {.x = "petal length", .y = "petal width"});
  EXPECT_LT(regions.low.x, 2.45);
  EXPECT_GT(regions.high.x, 2.45);
  EXPECT_EQ(regions.regions.size(), 3U);
  try {
    (void)decision_regions(oblique(), nullptr, {.x = "x", .y = "y"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the model also tests z, and no value is given for it");
  }
  EXPECT_THROW((void)decision_regions(iris(), nullptr, {.x = "petal"}), Error);
  EXPECT_THROW((void)decision_regions(iris(), nullptr, {.x = "petal width", .y = "petal width"}), Error);
  EXPECT_THROW((void)decision_regions(chain(3), nullptr), Error);
}

TEST(Regions, of_a_long_chain_are_cut_where_no_picture_can_show_more) {
  TreeBuilder builder(Task::regression, {1});
  auto node = builder.root();
  builder.set_stats(node, stats({0.0}, 50'001));
  for (int i = 0; i < 50'000; ++i) {
    const auto first = builder.split(node, numeric_split(i % 2, i / 2 + 0.5), 2);
    builder.set_stats(first, stats({static_cast<double>(i)}, 1));
    builder.set_stats(first + 1, stats({static_cast<double>(i + 1)}, 50'000 - i));
    node = first + 1;
  }
  Model::Parts parts = number_parts({numeric("x"), numeric("z")}, number_target("y"));
  parts.trees.push_back(std::move(builder).finish());
  const Regions regions = decision_regions(Model(std::move(parts)), nullptr, {.x = "x", .y = "z"});
  EXPECT_LE(regions.regions.size(), 4001U);
  EXPECT_GT(regions.max_depth, 1000);
}

TEST(Steps, answer_like_the_model) {
  std::mt19937_64 random(seed() + 4);
  const Data data = random_data(random, false);
  const Model model = fit(data.table, data.spec);
  const Regions held = decision_regions(model, &data.table, {.x = "a", .y = "b"});
  std::vector<double> cells = held_cells(model, held);
  const std::vector<FitStep> steps = decision_steps(model, &data.table, {.x = "a", .at = {{"b", "20"}}});
  cells[1] = 20.0;
  std::vector<double> answer(1);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].from, i > 0 ? steps[i - 1].to : steps[0].from);
    for (const double x :
         {std::nextafter(steps[i].from, 1e9), steps[i].from / 2 + steps[i].to / 2, steps[i].to}) {
      cells[0] = x;
      model.predict_row(std::span<const double>(cells), answer);
      EXPECT_EQ(answer[0], steps[i].value) << x;
    }
  }
  const std::vector<FitStep> levels = decision_steps(model, &data.table, {.x = "colour"});
  ASSERT_EQ(levels.size(), 5U);
  EXPECT_EQ(levels[2].from, 1.5);
}

}  // namespace
}  // namespace bough
