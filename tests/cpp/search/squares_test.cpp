// SPDX-License-Identifier: Apache-2.0
// Searched trees of numbers against brute force: every tree of random small tables.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <tuple>

#include "search/anytime.hpp"
#include "search/column_tables.hpp"
#include "search/small_tables.hpp"

namespace bough {
namespace {

struct Sizes {
  int depth = 2, leaves = 4, least = 1;
  double price = 0.0;
};

// The least squared error, and prices, of all trees over divisions of rows.
class BruteSquares {
 public:
  BruteSquares(std::vector<double> values, std::vector<double> weights, std::vector<std::uint32_t> divisions,
               Sizes sizes)
      : values_(std::move(values)),
        weights_(std::move(weights)),
        divisions_(std::move(divisions)),
        sizes_(sizes) {}
  double best() { return best((1U << values_.size()) - 1, sizes_.depth, sizes_.leaves); }

 private:
  [[nodiscard]] double leaf(std::uint32_t rows) const {
    double weight = 0.0, sum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (((rows >> i) & 1U) == 0) continue;
      weight += weights_[i];
      sum += weights_[i] * values_[i];
    }
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (((rows >> i) & 1U) != 0) squares += weights_[i] * std::pow(values_[i] - sum / weight, 2);
    return squares + sizes_.price;
  }
  double best(std::uint32_t rows, int depth, int leaves) {
    leaves = std::min({leaves, 1 << depth, std::popcount(rows)});
    depth = std::min(depth, leaves - 1);
    const auto key = std::make_tuple(rows, depth, leaves);
    if (const auto found = memo_.find(key); found != memo_.end()) return found->second;
    double least = leaf(rows);
    for (const std::uint32_t division : divisions_) {
      const std::uint32_t left = rows & division, right = rows & ~division;
      if (depth == 0 || std::popcount(left) < sizes_.least || std::popcount(right) < sizes_.least) continue;
      for (int k = 1; k < leaves; ++k) {
        const double one = best(left, depth - 1, k);
        if (one < least) least = std::min(least, one + best(right, depth - 1, leaves - k));
      }
    }
    memo_[key] = least;
    return least;
  }
  std::vector<double> values_, weights_;
  std::vector<std::uint32_t> divisions_;
  Sizes sizes_;
  std::map<std::tuple<std::uint32_t, int, int>, double> memo_;
};

// Numbers whose classes come from a tree, with some noise.
struct DrawnNumbers {
  search::Drawn drawn;
  std::vector<double> values, weights;
  std::vector<std::uint32_t> divisions;
  Sizes sizes;
  [[nodiscard]] double least() const { return BruteSquares(values, weights, divisions, sizes).best(); }
};

DrawnNumbers draw_numbers(std::mt19937& random) {
  DrawnNumbers out;
  out.drawn = search::draw_cases(random);
  search::Cases& cases = out.drawn.cases;
  const int noise = 1 + search::below(random, 4);
  for (std::int32_t i = 0; i < cases.n; ++i) {
    cases.values.push_back(7 * cases.classes[search::at(i)] + search::below(random, noise) - 10);
    out.values.push_back(static_cast<double>(cases.values.back()));
    out.weights.push_back(cases.weights[search::at(i)]);
  }
  cases.n_classes = 1;
  std::fill(cases.classes.begin(), cases.classes.end(), 0);
  for (const search::Chain& chain : cases.chains) {
    for (std::int32_t code = 0; code + 1 < chain.n_codes; ++code) {
      std::uint32_t left = 0;
      for (std::int32_t i = 0; i < cases.n; ++i)
        if (chain.codes[search::at(i)] <= code) left |= 1U << i;
      out.divisions.push_back(left);
    }
  }
  constexpr double prices[] = {0.0, 0.0, 1.0, 6.0};
  out.sizes.price = prices[search::below(random, 4)];
  out.sizes.depth = 1 + search::below(random, 4);
  out.sizes.leaves = 2 + search::below(random, 6);
  return out;
}

TEST(Squares, the_best_tree_is_that_of_brute_force_below_every_bound) {
  std::mt19937 random(41);
  for (int i = 0; i < n_tables(300); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    const DrawnNumbers table = draw_numbers(random);
    const search::Subset all(table.drawn.cases);
    const search::Squares measure(all);
    const search::Limits limits{table.sizes.leaves, table.sizes.depth};
    const search::Squares::Cost price = measure.to_cost(table.sizes.price);
    const double wanted = table.least();
    const double close = 1e-9 * (1.0 + measure.from_cost(measure.leaf(all)));
    search::Budget budget(search::kEndless, std::nullopt);
    const search::FoundSquares found =
        search::best_square_tree(measure, all, limits, price, std::int64_t{1} << 60, budget);
    ASSERT_NEAR(measure.from_cost(found.cost), wanted, close);
    ASSERT_EQ(found.lower, found.cost);
    ASSERT_EQ(measure.of(found.tree, all) + price * found.tree.n_leaves(), found.cost);
    ASSERT_LE(found.tree.n_leaves(), limits.leaves);
    ASSERT_LE(found.tree.depth(), limits.depth);
    // Below a bound just above it the tree is found, below one just under it none is.
    const search::Squares::Cost step = std::max<search::Squares::Cost>(found.cost / 1000, 100);
    const search::FoundSquares again =
        search::best_square_tree(measure, all, limits, price, found.cost + step, budget);
    ASSERT_NEAR(measure.from_cost(again.cost), wanted, close);
    const search::FoundSquares none =
        search::best_square_tree(measure, all, limits, price, found.cost - step, budget);
    ASSERT_EQ(none.cost, search::Squares::kNone);
    ASSERT_EQ(none.lower, found.cost - step);
    // A search that is cut short claims no more than is true.
    for (int k = 0; k < 6; ++k) {
      search::Budget little(
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(budget.spent() / 2 + 1)),
          std::nullopt);
      const search::FoundSquares cut =
          search::best_square_tree(measure, all, limits, price, found.cost + step, little);
      ASSERT_LE(measure.from_cost(cut.lower), wanted + close);
    }
  }
}

TEST(Squares, trees_that_only_depth_limits_are_those_of_brute_force) {
  std::mt19937 random(43);
  int n_full = 0;
  for (int i = 0; i < n_tables(100); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    DrawnNumbers table = draw_numbers(random);
    table.sizes = {.depth = 3, .leaves = 8, .least = 1, .price = 0.0};
    const search::Subset all(table.drawn.cases);
    const search::Squares measure(all);
    search::Budget budget(search::kEndless, std::nullopt);
    const search::FoundSquares found =
        search::best_square_tree(measure, all, {8, 3}, 0, std::int64_t{1} << 60, budget);
    ASSERT_NEAR(measure.from_cost(found.cost), table.least(),
                1e-9 * (1.0 + measure.from_cost(measure.leaf(all))));
    n_full += found.tree.n_leaves() > 6 ? 1 : 0;
  }
  EXPECT_GT(n_full, 0);
}

TEST(Squares, early_trees_are_between_brute_force_and_greedy_ones) {
  std::mt19937 random(42);
  int n_best = 0;
  const int n = n_tables(200);
  for (int i = 0; i < n; ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    DrawnNumbers table = draw_numbers(random);
    table.sizes.least = 1 + i % 3;
    const search::Subset all(table.drawn.cases);
    const search::Squares measure(all);
    const search::Limits limits{table.sizes.leaves, table.sizes.depth};
    const search::Squares::Cost price = measure.to_cost(table.sizes.price);
    search::Budget budget(search::kEndless, std::nullopt);
    search::AnytimeSquares early(all, limits, price, table.sizes.least, budget, measure);
    early.run(6);
    const double wanted = table.least(), cost = measure.from_cost(early.cost());
    const double close = 1e-9 * (1.0 + measure.from_cost(measure.leaf(all)));
    ASSERT_GE(cost, wanted - close);
    ASSERT_EQ(measure.of(early.best(), all) + price * early.best().n_leaves(), early.cost());
    ASSERT_TRUE(early.best().n_leaves() == 1 || early.best().leaves_hold(table.sizes.least, all));
    const search::SmallTree greedy = search::greedy_tree(measure, all, limits, table.sizes.least);
    ASSERT_LE(early.cost(), measure.of(greedy, all) + price * greedy.n_leaves());
    n_best += cost <= wanted + close ? 1 : 0;
  }
  EXPECT_GE(n_best, n * 9 / 10);
}

// Tables of columns of every kind, with missing cells and weights, through the door that users take.
TEST(Squares, fitted_trees_of_numbers_have_the_errors_of_brute_force) {
  std::mt19937 random(43);
  for (int i = 0; i < n_tables(200); ++i) {
    SCOPED_TRACE("table " + std::to_string(i));
    Small s = draw(random);
    s.losses.clear();
    s.least = 1;
    s.depth = std::min(s.depth, 3);
    s.leaves = std::min(s.leaves, 5);
    FitSpec spec;
    Table table = table_of(s, spec);
    std::vector<double> y, weights(s.weights.begin(), s.weights.end());
    for (const int c : s.classes) y.push_back(0.3 * c + 0.1 * static_cast<double>(random() % 5) + 100.0);
    table.add("number", y);
    spec.targets = {"number"};
    spec.ignored = {"y"};
    Params params = params_of(s, "optimal");
    params.leaf_price = 0.0;
    const double wanted = BruteSquares(y, weights, divisions(s), {s.depth, s.leaves, 1, 0.0}).best();
    const Model model = fit(table, spec, params);
    const SearchProof& proof = model.parts().search.value();
    ASSERT_TRUE(proof.is_proven());
    ASSERT_NEAR(proof.errors, wanted, 1e-9);
    const std::vector<double> answers = model.predict(table);
    double squares = 0.0;
    for (std::size_t row = 0; row < y.size(); ++row)
      squares += weights[row] * std::pow(y[row] - answers[row], 2);
    ASSERT_NEAR(squares, wanted, 1e-9);
    params.search = "anytime";
    params.min_samples_leaf = Amount::count(2);
    ASSERT_GE(fit(table, spec, params).parts().search->errors, wanted - 1e-9);
  }
}

// The best tree would cut off the first case alone: 0 | 10 10 | -10 -10.
TEST(Squares, no_leaf_of_two_levels_holds_too_few_cases) {
  DrawnNumbers table;
  search::Cases& cases = table.drawn.cases;
  cases.n = 5;
  cases.n_classes = 1;
  cases.classes.assign(5, 0);
  cases.weights.assign(5, 1);
  cases.chains.assign(1, search::Chain{});
  cases.chains[0].n_codes = 5;
  for (std::int32_t i = 0; i < 5; ++i) cases.chains[0].codes.push_back(i);
  cases.values = {0, 10, 10, -10, -10};
  cases.finish();
  for (const bool turned : {false, true}) {
    if (turned) cases.values = {-10, -10, 10, 10, 0};
    const search::Subset all(cases);
    const search::Squares measure(all);
    search::Budget budget(search::kEndless, std::nullopt);
    search::AnytimeSquares early(all, {4, 2}, 0, 2, budget, measure);
    early.run(6);
    // 0, 10 and 10 lie 200 / 3 around their mean.
    EXPECT_NEAR(measure.from_cost(early.cost()), 200.0 / 3.0, 1e-6);
    EXPECT_TRUE(early.best().leaves_hold(2, all));
  }
}

}  // namespace
}  // namespace bough
