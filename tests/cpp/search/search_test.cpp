// SPDX-License-Identifier: Apache-2.0
// Searched trees against brute force: every tree over every test of random small tables.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <tuple>

#include "bough/choose_tree.hpp"
#include "bough/end_searches.hpp"
#include "bough/model.hpp"

namespace bough {
namespace {

struct Column {
  Kind kind = Kind::numeric;
  std::vector<int> cells;  // -1: missing
};

// A table of at most 32 rows.
struct Small {
  int n = 0, n_classes = 2;
  bool equality = false;
  std::vector<Column> columns;
  std::vector<int> classes, weights;
  std::vector<int> losses;  // what an error on a row of every class costs; empty: 1
  double price = 0.0;
  int leaves = 4, depth = 3;

  [[nodiscard]] int cost(int row) const {
    const auto i = static_cast<std::size_t>(row);
    return weights[i] * (losses.empty() ? 1 : losses[static_cast<std::size_t>(classes[i])]);
  }
};

Small draw(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Small s;
  s.n = 6 + below(12);
  s.n_classes = 2 + below(4);
  s.equality = below(2) == 0;
  const int n_columns = 1 + below(3), n_values = 2 + below(7);
  for (int j = 0; j < n_columns; ++j) {
    Column& column = s.columns.emplace_back();
    constexpr Kind kinds[] = {Kind::numeric, Kind::numeric, Kind::ordinal, Kind::category};
    column.kind = kinds[below(4)];
    const bool missing = below(2) == 0;
    const int most = column.kind == Kind::category ? std::min(n_values, s.equality ? 5
                                                                        : missing  ? 3
                                                                                   : 4)
                                                   : n_values;
    for (int i = 0; i < s.n; ++i) column.cells.push_back(missing && below(5) == 0 ? -1 : below(most));
  }
  const bool weighted = below(2) == 0;
  for (int i = 0; i < s.n; ++i) {
    s.classes.push_back(below(s.n_classes));
    s.weights.push_back(weighted ? 1 + below(4) : 1);
  }
  constexpr double prices[] = {0.0, 0.0, 0.5, 1.0, 2.0};
  s.price = prices[below(5)];
  s.depth = 1 + below(5);
  s.leaves = 2 + below(7);
  const bool one_class =
      std::all_of(s.classes.begin(), s.classes.end(), [&](int c) { return c == s.classes[0]; });
  if (below(4) == 0 && !one_class)
    for (int c = 0; c < s.n_classes; ++c) s.losses.push_back(1 + below(3));
  return s;
}

// Every division of all rows by a test: the rows on the left.
std::vector<std::uint32_t> divisions(const Small& s) {
  std::vector<std::uint32_t> out;
  for (const Column& column : s.columns) {
    const int top = *std::max_element(column.cells.begin(), column.cells.end());
    const auto rows = [&](auto passes) {
      std::uint32_t mask = 0;
      for (int i = 0; i < s.n; ++i)
        if (passes(column.cells[static_cast<std::size_t>(i)])) mask |= 1U << i;
      return mask;
    };
    const std::uint32_t missing = rows([](int cell) { return cell < 0; });
    if (column.kind != Kind::category) {
      for (int cut = 0; cut <= top; ++cut) {
        const std::uint32_t known = rows([&](int cell) { return cell >= 0 && cell <= cut; });
        out.push_back(known);
        out.push_back(known | missing);
      }
    } else if (s.equality) {
      out.push_back(missing);
      for (int level = 0; level <= top; ++level) {
        const std::uint32_t known = rows([&](int cell) { return cell == level; });
        out.push_back(known);
        out.push_back(known | missing);
      }
    } else {
      for (std::uint32_t set = 0; set < 2U << top; ++set) {
        const std::uint32_t known = rows([&](int cell) { return cell >= 0 && ((set >> cell) & 1U) != 0; });
        out.push_back(known);
        out.push_back(known | missing);
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

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
        if (left == 0 || right == 0 || least <= 2 * s_.price) continue;
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

Table table_of(const Small& s, FitSpec& spec) {
  Table table;
  const std::vector<std::string> letters{"a", "b", "c", "d", "e", "f", "g", "h"};
  for (std::size_t j = 0; j < s.columns.size(); ++j) {
    const std::string name = "x" + std::to_string(j);
    const Column& column = s.columns[j];
    if (column.kind == Kind::numeric) {
      std::vector<double> cells;
      for (const int cell : column.cells) cells.push_back(cell < 0 ? std::nan("") : cell * 1.5);
      table.add(name, cells);
    } else {
      table.add(name, std::vector<std::int32_t>(column.cells.begin(), column.cells.end()), letters);
      ColumnSpec wish;
      wish.name = name;
      wish.kind = column.kind;
      if (column.kind == Kind::ordinal) wish.order = letters;
      spec.columns.push_back(wish);
    }
  }
  std::vector<std::string> y;
  std::vector<double> weights;
  for (int i = 0; i < s.n; ++i) {
    y.push_back("class" + std::to_string(s.classes[static_cast<std::size_t>(i)]));
    weights.push_back(s.weights[static_cast<std::size_t>(i)]);
  }
  table.add("y", y);
  table.add("w", weights);
  spec.targets = {"y"};
  spec.weight = "w";
  return table;
}

Params params_of(const Small& s, const std::string& search) {
  Params params;
  params.search = search;
  params.max_depth = s.depth;
  params.max_leaf_nodes = s.leaves;
  params.leaf_price = s.price;
  params.category_split = s.equality ? "equality" : "subset";
  if (s.losses.empty()) return params;
  std::vector<int> met = s.classes;  // classes without a row are none of the model's
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  for (const int c : met) {
    std::vector<double>& row = params.loss_matrix.emplace_back();
    for (const int d : met) row.push_back(c == d ? 0.0 : s.losses[static_cast<std::size_t>(c)]);
  }
  return params;
}

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
}

int n_tables(int quick) {
  const char* wish = std::getenv("BOUGH_TABLES");
  return wish != nullptr ? std::atoi(wish) : quick;
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

TEST(Search, leaves_of_an_anytime_search_hold_enough_rows) {
  std::mt19937 random(9);
  for (int i = 0; i < 100; ++i) {
    const Small s = draw(random);
    FitSpec spec;
    const Table table = table_of(s, spec);
    Params params = params_of(s, "anytime");
    params.min_samples_leaf = Amount::count(3);
    params.work_limit = 20'000;
    const Model model = fit(table, spec, params);
    for (NodeId node = 0; node < model.tree().n_nodes(); ++node) EXPECT_GE(model.tree().n_rows(node), 3);
    expect_allowed(model, table, s);
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
  EXPECT_NE(refusal([](Params& p) { p.min_samples_leaf = Amount::count(2); }).find("min_samples_leaf"),
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
