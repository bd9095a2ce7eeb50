// SPDX-License-Identifier: Apache-2.0
// What must not change a tree: the order of rows, monotone maps of a column, units of weight, repeated rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "oracle/build.hpp"
#include "oracle/draw.hpp"

namespace bough {
namespace {

using namespace oracle;

Case take_rows(const Case& sample, const std::vector<std::size_t>& rows) {
  Case out = sample;
  const auto pick = [&](const std::vector<double>& from) {
    std::vector<double> to;
    for (const std::size_t row : rows) to.push_back(from[row]);
    return to;
  };
  for (PlainColumn& column : out.columns) column.cells = pick(column.cells);
  for (auto& target : out.targets) target = pick(target);
  if (!out.weights.empty()) out.weights = pick(out.weights);
  return out;
}

// Kind, column, children, rows and gains of all nodes agree; thresholds and values need not.
bool same_partition(const Tree& a, const Tree& b) {
  if (a.n_nodes() != b.n_nodes()) return false;
  for (NodeId node = 0; node < a.n_nodes(); ++node)
    if (a.kind(node) != b.kind(node) || a.column(node) != b.column(node) ||
        a.n_rows(node) != b.n_rows(node) || a.gain(node) != b.gain(node) ||
        a.missing_to(node) != b.missing_to(node) ||
        !std::equal(a.children(node).begin(), a.children(node).end(), b.children(node).begin(),
                    b.children(node).end()))
      return false;
  return true;
}

// Draws cases of all shapes and calls check(sample, dice) with a message that repeats the failure.
void for_many(const std::string& test, std::uint64_t count, const std::function<void(Case&, Dice&)>& check) {
  for (std::uint64_t i = 0; i < scaled(count); ++i) {
    const std::uint64_t seed = table_seed(test, i);
    Dice dice(seed);
    Shape shape = Shape::nth(i);
    Case sample = draw_case(shape, dice);
    SCOPED_TRACE(fmt::format("{}, table {}, base seed {}\n{}", test, i, base_seed(), describe(sample)));
    check(sample, dice);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Property, the_order_of_rows_does_not_matter) {
  for_many("shuffle", 1600, [](Case& sample, Dice& dice) {
    std::vector<std::size_t> rows(sample.n_rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[dice.below(i)]);
    EXPECT_EQ(grow_all(sample).tree(), grow_all(take_rows(sample, rows)).tree());
  });
}

TEST(Property, strictly_increasing_maps_of_a_column_keep_the_partition) {
  for_many("maps", 1600, [](Case& sample, Dice& dice) {
    Case mapped = sample;
    const std::size_t which = dice.below(4);
    for (PlainColumn& column : mapped.columns) {
      if (column.kind != Kind::numeric) continue;
      column.storage = Storage::f64;
      std::vector<double> sorted = column.cells;
      std::sort(sorted.begin(), sorted.end());
      std::vector<double> images;
      for (double& cell : column.cells) {
        const double x = cell;
        if (std::isnan(x)) continue;
        const double rank =
            static_cast<double>(std::count_if(sorted.begin(), sorted.end(), [&](double s) { return s < x; }));
        cell = which == 0 ? x * x * x : which == 1 ? std::exp(x) : which == 2 ? x * 4 - 1024 : rank * rank;
        images.push_back(cell);
      }
      // Rounding may make a map not strict (neighbouring doubles, exp of large numbers): then it proves
      // nothing.
      const auto distinct = [](std::vector<double> values) {
        std::erase_if(values, [](double v) { return std::isnan(v); });
        std::sort(values.begin(), values.end());
        return std::unique(values.begin(), values.end()) - values.begin();
      };
      if (distinct(images) != distinct(sorted) ||
          std::any_of(images.begin(), images.end(), [](double v) { return std::isinf(v); }))
        return;
    }
    EXPECT_TRUE(same_partition(grow_all(sample).tree(), grow_all(mapped).tree()));
  });
}

TEST(Property, float32_columns_count_as_the_same_numbers_in_float64) {
  for_many("float32", 800, [](Case& sample, Dice&) {
    Case narrow = sample;
    for (std::size_t j = 0; j < sample.columns.size(); ++j) {
      if (sample.columns[j].kind != Kind::numeric) continue;
      for (double& cell : sample.columns[j].cells) cell = static_cast<double>(static_cast<float>(cell));
      narrow.columns[j].cells = sample.columns[j].cells;
      sample.columns[j].storage = Storage::f64;
      narrow.columns[j].storage = Storage::f32;
    }
    EXPECT_EQ(grow_all(sample).tree(), grow_all(narrow).tree());
  });
}

// Weights are whole, so that "twice" can be said exactly.
TEST(Property, a_row_twice_is_a_row_of_weight_2) {
  for_many("twice", 1600, [](Case& sample, Dice& dice) {
    for (double& w : sample.weights) w = std::ceil(w);
    Case weighted = sample;
    if (weighted.weights.empty()) weighted.weights.assign(sample.n_rows(), 1.0);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < sample.n_rows(); ++row) {
      const int times = dice.between(1, 3);
      for (int k = 0; k < times; ++k) rows.push_back(row);
      weighted.weights[row] *= times;
    }
    const Tree once = grow_all(weighted).tree(), often = grow_all(take_rows(sample, rows)).tree();
    ASSERT_EQ(once.n_nodes(), often.n_nodes());
    for (NodeId node = 0; node < once.n_nodes(); ++node) {
      const Split a = once.split(node), b = often.split(node);
      EXPECT_TRUE(a.kind == b.kind && a.column == b.column && a.threshold == b.threshold &&
                  a.gain == b.gain && a.missing_to == b.missing_to && a.unseen_to == b.unseen_to &&
                  a.map_levels == b.map_levels && a.map_children == b.map_children);
      EXPECT_EQ(node_values(once, node), node_values(often, node));
      EXPECT_EQ(once.impurity(node), often.impurity(node));
      EXPECT_EQ(once.weight(node), often.weight(node));
    }
  });
}

TEST(Property, weights_in_another_unit_of_two_change_weights_and_gains_only) {
  for_many("unit", 1600, [](Case& sample, Dice& dice) {
    // Targets of few bits: nothing is rounded in one unit and not in the other.
    if (!sample.classes)
      for (auto& target : sample.targets)
        for (double& y : target) y = std::ceil(y * 8) / 8;
    if (sample.weights.empty()) sample.weights.assign(sample.n_rows(), 1.0);
    const double unit = std::ldexp(1.0, dice.between(-8, 8));
    Case scaled = sample;
    for (double& w : scaled.weights) w *= unit;
    const Tree a = grow_all(sample).tree(), b = grow_all(scaled).tree();
    ASSERT_EQ(a.n_nodes(), b.n_nodes());
    for (NodeId node = 0; node < a.n_nodes(); ++node) {
      const Split s = a.split(node), t = b.split(node);
      EXPECT_TRUE(s.kind == t.kind && s.column == t.column && s.threshold == t.threshold &&
                  s.map_levels == t.map_levels && s.map_children == t.map_children &&
                  s.missing_to == t.missing_to);
      EXPECT_EQ(s.gain * unit, t.gain);
      EXPECT_EQ(a.weight(node) * unit, b.weight(node));
      if (sample.classes) continue;
      EXPECT_EQ(node_values(a, node), node_values(b, node));
    }
  });
}

TEST(Property, rows_without_weight_are_as_good_as_absent) {
  for_many("zero", 1600, [](Case& sample, Dice& dice) {
    if (sample.weights.empty()) sample.weights.assign(sample.n_rows(), 1.0);
    std::vector<std::size_t> kept;
    for (std::size_t row = 0; row < sample.n_rows(); ++row)
      if (sample.weights[row] > 0.0) kept.push_back(row);
    Case bare = take_rows(sample, kept);
    // New rows without weight; their cells and targets are among the old ones, so that levels and classes
    // stay.
    std::vector<std::size_t> rows = kept;
    for (int k = 0; k < 5; ++k) rows.push_back(kept[dice.below(kept.size())]);
    Case extended = take_rows(sample, rows);
    for (std::size_t i = kept.size(); i < rows.size(); ++i) {
      extended.weights[i] = 0.0;
      for (PlainColumn& column : extended.columns)
        if (column.kind == Kind::numeric) column.cells[i] = 1e30 * dice.unit();
      if (!sample.classes)
        for (auto& target : extended.targets) target[i] = 1e30 * dice.unit();
    }
    EXPECT_EQ(grow_all(bare).tree(), grow_all(extended).tree());
  });
}

// Whole targets and a whole shift: both are exact, and so is the shift of the values.
TEST(Property, a_constant_on_the_target_shifts_the_values_only) {
  for_many("shift", 800, [](Case& sample, Dice& dice) {
    if (sample.classes || sample.params.criterion == "poisson") return;
    for (auto& target : sample.targets)
      for (double& y : target) y = std::ceil(std::fmod(y, 1000.0));
    for (double& w : sample.weights) w = std::ceil(w);
    Case shifted = sample;
    const double shift = std::ldexp(1.0, dice.between(0, 30));
    for (auto& target : shifted.targets)
      for (double& y : target) y += shift;
    const Tree a = grow_all(sample).tree(), b = grow_all(shifted).tree();
    ASSERT_TRUE(same_partition(a, b));
    for (NodeId node = 0; node < a.n_nodes(); ++node)
      for (std::size_t o = 0; o < sample.targets.size(); ++o)
        EXPECT_NEAR(node_values(a, node)[o] + shift, node_values(b, node)[o], 1e-15 * (shift + 1000));
  });
}

TEST(Property, new_names_of_classes_in_the_same_order_change_nothing) {
  for_many("names", 400, [](Case& sample, Dice&) {
    if (!sample.classes) return;
    Case renamed = sample;
    for (auto& target : renamed.targets)
      for (double& y : target) y = y * 10 + 3;
    EXPECT_EQ(grow_all(sample).tree(), grow_all(renamed).tree());
  });
}

TEST(Property, columns_that_say_nothing_change_nothing) {
  for_many("idle", 800, [](Case& sample, Dice&) {
    Case more = sample;
    more.columns.push_back(
        {"constant", Kind::numeric, Storage::f64, 0, std::vector<double>(sample.n_rows(), 2.5)});
    more.columns.push_back(
        {"absent", Kind::numeric, Storage::f64, 0, std::vector<double>(sample.n_rows(), kMissing)});
    more.columns.push_back(
        {"same", Kind::category, Storage::text, 1, std::vector<double>(sample.n_rows(), 0.0)});
    EXPECT_EQ(grow_all(sample).tree(), grow_all(more).tree());
  });
}

}  // namespace
}  // namespace bough
