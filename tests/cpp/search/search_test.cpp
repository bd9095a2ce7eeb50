// SPDX-License-Identifier: Apache-2.0
// Searched trees against brute force: every tree over every test of random small tables.
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <tuple>

#include "bough/choose_tree.hpp"
#include "bough/end_searches.hpp"
#include "search/column_tables.hpp"

namespace bough {
namespace {

class Brute {
 public:
  explicit Brute(const Small& s) : s_(s), divisions_(divisions(s)) {}
  double best() { return best((1U << s_.n) - 1, s_.depth, s_.leaves); }

 private:
  double best(std::uint32_t rows, int depth, int leaves) {
    depth = std::min(depth, leaves - 1);
    const auto key = std::make_tuple(rows, depth, leaves);
    if (const auto found = memo_.find(key); found != memo_.end()) return found->second;
    std::vector<int> weights(static_cast<std::size_t>(s_.n_classes), 0);
    int total = 0;
    for (int i = 0; i < s_.n; ++i) {
      if (((rows >> i) & 1U) == 0) continue;
      weights[static_cast<std::size_t>(s_.classes[static_cast<std::size_t>(i)])] += s_.cost(i);
      total += s_.cost(i);
    }
    double least = total - *std::max_element(weights.begin(), weights.end()) + s_.price;
    if (depth > 0) {
      for (const std::uint32_t division : divisions_) {
        const std::uint32_t left = rows & division, right = rows & ~division;
        if (std::popcount(left) < s_.least || std::popcount(right) < s_.least || least <= 2 * s_.price)
          continue;
        for (int k = 1; k < leaves; ++k) {
          const double one = best(left, depth - 1, k);
          if (one + s_.price < least) least = std::min(least, one + best(right, depth - 1, leaves - k));
        }
      }
    }
    memo_[key] = least;
    return least;
  }
  const Small& s_;
  std::vector<std::uint32_t> divisions_;
  std::map<std::tuple<std::uint32_t, int, int>, double> memo_;
};

// What the tree itself gets wrong, by its own answers.
double errors_of(const Model& model, const Table& table, const Small& s) {
  const std::vector<std::string> answers = model.predict_labels(table);
  double sum = 0.0;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i] != "class" + std::to_string(s.classes[i])) sum += s.cost(static_cast<int>(i));
  return sum;
}

void expect_allowed(const Model& model, const Table& table, const Small& s) {
  const SearchProof& proof = model.parts().search.value();
  EXPECT_EQ(proof.errors, errors_of(model, table, s));
  EXPECT_EQ(proof.cost, proof.errors + s.price * model.tree().n_leaves());
  EXPECT_LE(model.tree().n_leaves(), s.leaves);
  EXPECT_LE(model.tree().depth(), s.depth);
  if (model.tree().n_leaves() == 1) return;
  for (NodeId node = 0; node < model.tree().n_nodes(); ++node) EXPECT_GE(model.tree().n_rows(node), s.least);
}

TEST(Search, optimal_trees_cost_what_brute_force_says) {
  std::mt19937 random(7);
  for (int i = 0; i < n_tables(300); ++i) {
    const Small s = draw(random);
    SCOPED_TRACE("table " + std::to_string(i));
    FitSpec spec;
    const Table table = table_of(s, spec);
    const Model model = fit(table, spec, params_of(s, "optimal"));
    const double wanted = Brute(s).best();
    ASSERT_EQ(model.parts().search->cost, wanted);
    ASSERT_EQ(model.parts().search->lower_bound, wanted);
    expect_allowed(model, table, s);
    if (HasFailure()) return;
  }
}

TEST(Search, searches_that_are_cut_short_stay_between_their_bounds_and_brute_force) {
  std::mt19937 random(8);
  for (int i = 0; i < n_tables(150); ++i) {
    const Small s = draw(random);
    SCOPED_TRACE("table " + std::to_string(i));
    FitSpec spec;
    const Table table = table_of(s, spec);
    const double wanted = Brute(s).best();
    for (const std::string search : {"optimal", "anytime"}) {
      Params params = params_of(s, search);
      params.work_limit = 1 << (random() % 14);
      const Model model = fit(table, spec, params);
      ASSERT_LE(model.parts().search->lower_bound, wanted);
      ASSERT_GE(model.parts().search->cost, wanted);
      expect_allowed(model, table, s);
    }
    if (HasFailure()) return;
  }
}

// Tables of 20 rows and more, by every row as often as it takes.
Small repeated(Small s) {
  const Small once = s;
  while (s.n < 20) {
    s.n += once.n;
    for (std::size_t j = 0; j < s.columns.size(); ++j)
      s.columns[j].cells.insert(s.columns[j].cells.end(), once.columns[j].cells.begin(),
                                once.columns[j].cells.end());
    s.classes.insert(s.classes.end(), once.classes.begin(), once.classes.end());
    s.weights.insert(s.weights.end(), once.weights.begin(), once.weights.end());
  }
  return s;
}

// Up to three leaves nothing is left to chance; beyond, no tree of the path beats brute force.
TEST(Search, the_path_of_sizes_has_the_errors_of_brute_force) {
  std::mt19937 random(11);
  for (int i = 0; i < n_tables(40); ++i) {
    Small once = draw(random);
    once.price = 0.0;
    once.losses.clear();
    once.least = 1;
    once.depth = 5;
    once.leaves = 6;
    const Small s = repeated(once);
    SCOPED_TRACE("table " + std::to_string(i));
    FitSpec spec;
    const Table table = table_of(s, spec);
    Params params = params_of(s, "auto");
    params.pruning_folds = 2;
    params.work_limit = 600'000;  // enough for the table of depth 2
    const Model model = fit(table, spec, params);
    const SizeTable sizes = size_table(model).value();
    double weight = 0.0, least = weight;
    for (const int w : s.weights) weight += w;
    std::map<int, double> found;  // errors by leaves
    for (const SizeRow& row : sizes.rows)
      if (row.searched) found[row.leaves] = row.training_error * weight;
    ASSERT_FALSE(found.empty());
    least = found.begin()->second;
    for (int k = 1; k <= once.leaves; ++k) {
      if (const auto here = found.find(k); here != found.end()) {
        EXPECT_TRUE(k == found.begin()->first || here->second < least);  // a row per tree that is better
        least = here->second;
      }
      if (k < found.begin()->first) continue;
      once.leaves = k;
      const double wanted = Brute(once).best() * s.n / once.n;
      if (k <= 3)
        EXPECT_NEAR(least, wanted, 1e-9) << k << " leaves";
      else
        EXPECT_GE(least, wanted - 1e-9) << k << " leaves";
      once.leaves = 6;
    }
    EXPECT_EQ(model.tree().n_leaves(), sizes.rows[sizes.chosen].leaves);
    if (HasFailure()) return;
  }
}

// Rows enough for side by side sweeps.
Table large_table() {
  std::mt19937 random(3);
  std::vector<std::vector<double>> x(8);
  std::vector<std::string> y;
  for (int i = 0; i < 600; ++i) {
    for (auto& column : x) column.push_back(static_cast<double>(random() % 300));
    y.emplace_back(
        1, static_cast<char>('a' + (x[0].back() + x[1].back() > 280 ? 1 : 0) + (random() % 6 == 0 ? 1 : 0)));
  }
  Table table;
  for (std::size_t j = 0; j < x.size(); ++j) table.add("x" + std::to_string(j), x[j]);
  table.add("y", y);
  return table;
}

TEST(Search, threads_change_no_byte) {
  const Table table = large_table();
  FitSpec spec;
  spec.targets = {"y"};
  for (const std::string search : {"anytime", "optimal"}) {
    Params params;
    params.search = search;
    params.max_leaf_nodes = 6;
    params.work_limit = 200'000;
    const std::string one = fit(table, spec, params, {.threads = 1}).to_bytes();
    for (const int threads : {2, 3, 5})
      EXPECT_EQ(fit(table, spec, params, {.threads = threads}).to_bytes(), one);
  }
  Params params;
  params.work_limit = 1'000'000;
  const std::string one = choose_tree(table, spec, params, {.threads = 1}).to_bytes();
  for (const int threads : {2, 5})
    EXPECT_EQ(choose_tree(table, spec, params, {.threads = threads}).to_bytes(), one);
}

TEST(Search, a_model_file_keeps_what_was_proven) {
  Small s;
  s.n = 8;
  s.columns = {{Kind::numeric, {0, 1, 2, 3, 4, 5, 6, 7}}};
  s.classes = {0, 0, 1, 1, 0, 0, 1, 0};
  s.weights.assign(8, 1);
  FitSpec spec;
  const Table table = table_of(s, spec);
  const Model model = fit(table, spec, params_of(s, "optimal"));
  // Three cuts make four runs: rows 0-1, 2-3, 4-5 and 6-7, of which the last errs once.
  EXPECT_EQ(model.parts().search->errors, 1.0);
  EXPECT_TRUE(model.parts().search->is_proven());
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).parts().search, model.parts().search);
  EXPECT_EQ(Model::from_json(model.to_json()).parts().search, model.parts().search);
}

TEST(Search, what_it_cannot_do_is_refused_by_name) {
  Small s;
  s.n = 4;
  s.columns = {{Kind::numeric, {0, 1, 2, 3}}};
  s.classes = {0, 1, 0, 1};
  s.weights = {1, 1, 1, 1};
  FitSpec spec;
  const Table table = table_of(s, spec);
  const auto refusal = [&](auto change) {
    Params params = params_of(s, "optimal");
    change(params);
    try {
      static_cast<void>(fit(table, spec, params));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("fits");
  };
  EXPECT_NE(refusal([](Params& p) { p.max_depth.reset(), p.max_leaf_nodes.reset(); }).find("needs a limit"),
            std::string::npos);
  EXPECT_NE(refusal([](Params& p) { p.min_samples_split = Amount::count(4); }).find("min_samples_split"),
            std::string::npos);
  EXPECT_NE(refusal([](Params& p) { p.interaction_cst = {{"x0"}}; }).find("interaction_cst"),
            std::string::npos);
  EXPECT_NE(refusal([](Params& p) {
              p.monotonic_cst = {{"x0", 1.0}};
            }).find("monotonic_cst"),
            std::string::npos);
  EXPECT_NE(refusal([](Params& p) {
              p.priors = {{"class0", 0.5}, {"class1", 0.5}};
            }).find("priors"),
            std::string::npos);
  EXPECT_NE(refusal([](Params& p) {
              p.loss_matrix = {{0.5, 1.0}, {1.0, 0.0}};
            }).find("loss_matrix"),
            std::string::npos);
  EXPECT_NE(refusal([](Params& p) { p.leaf_price = 0.1; }).find("leaf_price"), std::string::npos);
  EXPECT_NE(refusal([](Params& p) { p.time_limit = 0.0; }).find("time_limit"), std::string::npos);
  EXPECT_NE(refusal([](Params& p) { p.search = "greedy", p.work_limit = 5; }).find("work_limit"),
            std::string::npos);
}

TEST(Search, one_class_is_a_leaf_and_proven) {
  Small s;
  s.n = 3;
  s.n_classes = 1;
  s.columns = {{Kind::numeric, {0, 1, 2}}};
  s.classes = {0, 0, 0};
  s.weights = {1, 1, 1};
  FitSpec spec;
  const Table table = table_of(s, spec);
  for (const std::string search : {"anytime", "optimal"}) {
    const Model model = fit(table, spec, params_of(s, search));
    EXPECT_EQ(model.tree().n_leaves(), 1);
    EXPECT_TRUE(model.parts().search->is_proven());
  }
}

// A leaf costs an error and a price, the stump two prices.
TEST(Search, of_equal_costs_the_smaller_tree_is_taken) {
  Small s;
  s.n = 2;
  s.columns = {{Kind::numeric, {0, 1}}};
  s.classes = {0, 1};
  s.weights = {1, 1};
  s.price = 1.0;
  FitSpec spec;
  const Table table = table_of(s, spec);
  for (const std::string search : {"anytime", "optimal"})
    EXPECT_EQ(fit(table, spec, params_of(s, search)).tree().n_leaves(), 1) << search;
}

TEST(Search, columns_of_one_value_take_no_work) {
  std::mt19937 random(12);
  for (int i = 0; i < 20; ++i) {
    Small s = draw(random);
    const auto proof = [&] {
      FitSpec spec;
      const Table table = table_of(s, spec);
      return fit(table, spec, params_of(s, "optimal")).parts().search.value();
    };
    const SearchProof without = proof();
    s.columns.push_back({Kind::numeric, std::vector<int>(static_cast<std::size_t>(s.n), 3)});
    EXPECT_EQ(proof(), without);
  }
}

TEST(Search, searches_end_when_all_are_told_to) {
  const Table table = large_table();
  FitSpec spec;
  spec.targets = {"y"};
  Params params;
  params.search = "optimal";
  params.max_depth = 2;
  const auto is_proven = [&] { return fit(table, spec, params).parts().search->is_proven(); };
  EXPECT_TRUE(is_proven());
  params.max_depth = 3;
  end_searches(true);
  EXPECT_TRUE(searches_end());
  EXPECT_FALSE(is_proven());
  end_searches(false);
  EXPECT_FALSE(searches_end());
}

}  // namespace
}  // namespace bough
