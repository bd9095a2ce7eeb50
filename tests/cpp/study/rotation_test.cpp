// SPDX-License-Identifier: Apache-2.0
// Rotation: what turning must and must not change.
#include <gtest/gtest.h>

#include <cmath>

#include "study/support.hpp"

namespace bough {
namespace {

using namespace bough::testing;

// Two independent columns; y is the side of the line a + b = 0, or of a = 0.
Table halves(bool oblique) {
  std::mt19937 random(1);
  std::vector<double> a, b;
  std::vector<std::string> y;
  for (int i = 0; i < 300; ++i) {
    a.push_back(static_cast<double>(random() % 20001) / 10000.0 - 1.0);
    b.push_back(static_cast<double>(random() % 20001) / 10000.0 - 1.0);
    y.push_back((oblique ? a.back() + b.back() : a.back()) > 0.0 ? "in" : "out");
  }
  Table table;
  table.add("a", std::span<const double>(a));
  table.add("b", std::span<const double>(b));
  table.add("y", std::span<const std::string>(y));
  return table;
}

TEST(Rotation, a_slanted_border_becomes_one_cut_at_45_degrees_and_a_straight_one_many) {
  RotationOptions options;
  options.angles = {0.0, 45.0, -45.0};
  for (const bool oblique : {true, false}) {
    const Table table = halves(oblique);
    const RotationStudy got = rotation(fit(table, target("y")), table, options);
    EXPECT_EQ(got.turned, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(got.after[0].scores, got.before.scores);  // 0 degrees change nothing
    EXPECT_EQ(got.after[0].difference.p, 1.0);
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
      if (oblique) {
        EXPECT_GT(got.after[i].mean, got.before.mean);
        EXPECT_LT(got.after[i].leaves, 0.5 * got.before.leaves);
      } else {
        EXPECT_LT(got.after[i].mean, got.before.mean);
        EXPECT_GT(got.after[i].leaves, 2.0 * got.before.leaves);
      }
    }
  }
}

// A quarter turn swaps two columns and a sign: the same cuts, mirrored.
TEST(Rotation, a_quarter_turn_of_pairs_keeps_the_number_of_leaves) {
  const Table table = halves(true);
  RotationOptions options;
  options.angles = {90.0};
  const RotationStudy got = rotation(fit(table, target("y")), table, options);
  EXPECT_NEAR(got.after[0].leaves, got.before.leaves, 0.1 * got.before.leaves);
  EXPECT_NEAR(got.after[0].mean, got.before.mean, 0.02);
}

TEST(Rotation, threads_change_nothing_and_columns_that_cannot_be_turned_are_named) {
  const Table table = mixed(90, 2);
  const Model model = fit(table, target("y"), depth(4));
  RotationOptions options;
  options.planes = "random";
  options.repeats = 2;
  const std::string one = to_json(rotation(model, table, options, {.threads = 1, .progress = {}}));
  EXPECT_EQ(one, to_json(rotation(model, table, options, {.threads = 2, .progress = {}})));
  EXPECT_EQ(rotation(model, table, options).left, (std::vector<std::string>{"c", "colour"}));
  EXPECT_NE(to_text(rotation(model, table, options)).find("not rotated: c, colour"), std::string::npos);
}

TEST(Rotation, one_numeric_column_cannot_be_turned) {
  Table table;
  table.add("x", std::vector<double>{1, 2, 3, 4});
  table.add("y", std::vector<std::string>{"a", "b", "a", "b"});
  const Model model = fit(table, target("y"));
  EXPECT_NE(complaint([&] { static_cast<void>(rotation(model, table)); }).find("needs two"),
            std::string::npos);
  RotationOptions options;
  options.angles = {NAN};
  EXPECT_NE(complaint([&] { static_cast<void>(rotation(model, table, options)); }).find("no angle"),
            std::string::npos);
}

}  // namespace
}  // namespace bough
