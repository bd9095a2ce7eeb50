// SPDX-License-Identifier: Apache-2.0
// Bags: what the definition draws one by one is what vectors draw, of all rows and of any range of them.
#include "model/bag.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "base/random.hpp"
#include "bough/model.hpp"

namespace bough {
namespace {

// The definition: draw i of the tree's key takes row floor(bits * n / 2^64).
std::vector<std::uint32_t> one_by_one(const Params& params, std::size_t tree, std::size_t n_rows,
                                      std::size_t n_draws) {
  std::vector<std::uint32_t> times(n_rows, 0);
  const std::uint64_t key = mix(tree_key(params, tree), 0x626167ULL);
  for (std::size_t i = 0; i < n_draws; ++i) ++times[below(draw(key, i), n_rows)];
  return times;
}

TEST(Bag, rows_are_drawn_as_the_definition_says) {
  Params params;
  params.forest = 3;
  params.bootstrap = true;
  for (const std::size_t n : {1U, 2U, 3U, 31U, 32U, 33U, 63U, 64U, 65U, 1000U, 4096U, 65537U}) {
    params.seed = static_cast<std::uint32_t>(n);
    for (std::size_t tree = 0; tree < 3; ++tree)
      EXPECT_EQ(drawn_rows(params, tree, n), one_by_one(params, tree, n, n)) << n;
  }
  params.max_samples = Amount::count(77);
  EXPECT_EQ(drawn_rows(params, 1, 1000), one_by_one(params, 1, 1000, 77));
}

TEST(Bag, a_range_of_rows_has_its_part_of_the_bag) {
  Params params;
  params.forest = 2;
  params.bootstrap = true;
  for (const std::size_t n : {1U, 7U, 64U, 997U, 5000U}) {
    for (const bool some : {false, true}) {
      params.max_samples = some ? std::optional(Amount::fraction(0.4)) : std::nullopt;
      const std::vector<std::uint32_t> all = drawn_rows(params, 1, n);
      for (const std::size_t blocks : {1U, 2U, 7U, 64U}) {
        std::vector<std::uint32_t> joined;
        for (std::size_t b = 0; b < blocks; ++b) {
          const std::size_t first = n * b / blocks, count = n * (b + 1) / blocks - first;
          const std::vector<std::uint32_t> some_rows = drawn_rows_between(params, 1, n, first, count);
          ASSERT_EQ(some_rows.size(), count);
          joined.insert(joined.end(), some_rows.begin(), some_rows.end());
        }
        EXPECT_EQ(joined, all) << n << " rows in " << blocks;
      }
      EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::size_t{0}), bag_size(params, n, {}));
    }
  }
}

TEST(Bag, without_bootstrap_nothing_is_drawn_and_halves_are_refused_by_name) {
  Params params;
  params.forest = 2;
  params.bootstrap = false;
  EXPECT_TRUE(drawn_rows_between(params, 0, 100, 10, 20).empty());
  params.little_bags = 2;
  try {
    drawn_rows_between(params, 0, 100, 10, 20);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_supported);
    EXPECT_NE(std::string(error.what()).find("little_bags=2"), std::string::npos);
  }
}

// Trees that draw columns look up ranks of cells made once for the forest; the lists engine knows none.
TEST(Forest, every_engine_grows_the_same_trees_from_drawn_columns) {
  std::mt19937_64 random(5);
  std::vector<std::vector<double>> cells(40, std::vector<double>(300));
  std::vector<double> y(300);
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t j = 0; j < 40; ++j)
      cells[j][i] = static_cast<double>(random() % (j % 3 == 0 ? 2 : 50 * j + 5));
    y[i] = cells[1][i] + 20 * cells[3][i] + static_cast<double>(random() % 10);
  }
  Table table;
  for (std::size_t j = 0; j < 40; ++j) table.add("x" + std::to_string(j), cells[j]);
  table.add("y", y);
  FitSpec spec;
  spec.targets = {"y"};
  Params params;
  params.task = "regression";
  params.forest = 3;
  params.max_features = Amount::count(5);
  Execution lists;
  lists.engine = "lists";
  const Model wanted = fit(table, spec, params, lists);
  for (const std::string engine : {"auto", "refine", "presorted"}) {
    Execution execution;
    execution.engine = engine;
    EXPECT_EQ(fit(table, spec, params, execution).parts().trees, wanted.parts().trees) << engine;
  }
}

}  // namespace
}  // namespace bough
