// SPDX-License-Identifier: Apache-2.0
// Rows held out of training.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bough/inference.hpp"

namespace bough {
namespace {

struct Made {
  Table table;
  FitSpec spec;
};

Made made(bool classes) {
  Made out;
  std::vector<double> x, z;
  std::vector<std::string> y;
  for (int i = 0; i < 101; ++i) {
    x.push_back(i);
    z.push_back(i % 7);
    y.emplace_back(i == 50 ? "once" : i % 3 == 0 ? "a" : "b");
  }
  out.table.add("x", x);
  if (classes)
    out.table.add("y", y);
  else
    out.table.add("y", z);
  out.spec.targets = {"y"};
  return out;
}

TEST(HoldOut, every_row_is_on_one_side_and_every_class_gives_its_share) {
  const Made rows = made(true);
  const Model model = fit(rows.table, rows.spec, {});
  const HeldOutRows parts = hold_out(rows.table, model, 0.2, 3);
  std::vector<RowId> all = parts.training;
  all.insert(all.end(), parts.held_out.begin(), parts.held_out.end());
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), 101U);
  for (RowId row = 0; row < 101; ++row) EXPECT_EQ(all[row], row);
  std::map<std::string, double> held;
  for (const RowId row : parts.held_out)
    held[cell_text(rows.table.column(1), static_cast<std::int64_t>(row))] += 1.0;
  EXPECT_NEAR(held["a"], 0.2 * 34, 1.0);
  EXPECT_NEAR(held["b"], 0.2 * 66, 1.0);
  EXPECT_EQ(held["once"], 0.0) << "a class keeps a row to train on";
  EXPECT_EQ(hold_out(rows.table, model, 0.2, 3).held_out, parts.held_out);
  EXPECT_NE(hold_out(rows.table, model, 0.2, 4).held_out, parts.held_out);
}

TEST(HoldOut, numbers_are_divided_as_one) {
  const Made rows = made(false);
  Params params;
  params.task = "regression";
  const Model model = fit(rows.table, rows.spec, params);
  EXPECT_EQ(hold_out(rows.table, model, 0.2, 0).held_out.size(), 20U);
  Table unlabelled;
  unlabelled.add("x", std::vector<double>{1, 2, 3});
  const Made labelled = made(true);
  EXPECT_THROW(hold_out(unlabelled, fit(labelled.table, labelled.spec, {}), 0.2, 0), Error);
}

}  // namespace
}  // namespace bough
