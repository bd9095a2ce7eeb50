// SPDX-License-Identifier: Apache-2.0
// What ID3 and C4.5 trees promise: branches for the unseen, weights, threads, leaf probabilities, refusals.
#include <gtest/gtest.h>

#include <random>

#include "bough/pessimistic.hpp"
#include "quinlan/support.hpp"

namespace bough {
namespace {

using namespace quinlan;

std::string complaint(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Rows of three categories, two numbers, missing cells, weights.
std::string random_rows(std::uint64_t seed, int n, bool missing = true) {
  std::mt19937_64 random(seed);
  std::string text = "a,b,c,x,y,w,class\n";
  for (int i = 0; i < n; ++i) {
    const auto cell = [&](const std::string& value) {
      return missing && random() % 8 == 0 ? std::string("?") : value;
    };
    const std::uint64_t a = random() % 4, b = random() % 3, c = random() % 6, x = random() % 30,
                        y = random() % 200;
    const bool yes = (a == 1 && x > 12) || (b == 2 && y < 80) || random() % 6 == 0;
    text += fmt::format("{},{},{},{},{},{},{}\n", cell(fmt::format("a{}", a)), cell(fmt::format("b{}", b)),
                        cell(fmt::format("c{}", c)), cell(std::to_string(x)), cell(std::to_string(y)),
                        1 + random() % 3, yes ? "yes" : "no");
  }
  return text;
}

TEST(Quinlan, absent_levels_go_to_a_leaf_without_rows_that_answers_like_the_node) {
  // Under a = p the values s and t of b are there, u is not.
  const std::string text =
      "a,b,class\np,s,no\np,s,no\np,t,yes\np,t,yes\np,t,yes\nq,u,m\nq,u,m\nq,s,m\nq,t,m\nq,u,m\nq,u,m\n";
  const Model model = grow(text, "class", params_of("id3"));
  EXPECT_EQ(outline(model),
            "a = p\n"
            "| b = s: no 2.00/0.00\n"
            "| b = t: yes 3.00/0.00\n"
            "| b = u: yes 0.00/0.00\n"
            "a = q: m 6.00/0.00\n");
  const Table rows = parse_table("a,b\np,u\np,new\n");
  const std::vector<double> chances = model.predict_proba(rows);  // classes m, no, yes
  for (const std::size_t row : {0U, 1U}) {
    EXPECT_NEAR(chances[row * 3 + 0], 0.0, 1e-15);
    EXPECT_NEAR(chances[row * 3 + 1], 0.4, 1e-15);
    EXPECT_NEAR(chances[row * 3 + 2], 0.6, 1e-15);
  }
}

TEST(Quinlan, an_unseen_category_follows_the_heaviest_branch_where_all_levels_are_there) {
  const Model model = grow(kTennis, "play", params_of("id3", {{"max_depth", "1"}}));
  const Tree& tree = model.tree();
  EXPECT_EQ(tree.unseen_to(0), 1);  // rainy and sunny hold 5 days each: the first of them
  EXPECT_EQ(model.apply(parse_table("outlook,temperature,humidity,windy\nfoggy,hot,high,TRUE\n"))[0],
            tree.children(0)[1]);
}

TEST(Quinlan, any_number_of_threads_grows_the_same_tree) {
  const Table table = parse_table(random_rows(3, 4000));
  for (const char* algorithm : {"id3", "c45"}) {
    FitSpec spec;
    spec.targets = {"class"};
    spec.ignored = {"w"};
    const Params params = params_of(algorithm, {{"discretize", algorithm[0] == 'i' ? "mdl" : "none"}});
    const Model one = fit(table, spec, params, {.threads = 1}),
                many = fit(table, spec, params, {.threads = 4});
    EXPECT_EQ(one.tree(), many.tree());
    EXPECT_GT(one.tree().n_nodes(), 5);
  }
}

TEST(Quinlan, a_weight_of_two_counts_like_the_row_twice) {
  const std::string once = random_rows(5, 300, false);
  std::string twice = once.substr(0, once.find('\n') + 1);
  std::size_t at = twice.size();
  while (at < once.size()) {
    const std::size_t end = once.find('\n', at) + 1;
    const std::string line = once.substr(at, end - at);
    const std::size_t w = line.rfind(',', line.rfind(',') - 1) + 1;
    for (int i = 0; i < line[w] - '0'; ++i) twice += line;
    at = end;
  }
  const Params params = params_of("c45");
  FitSpec plain;
  plain.targets = {"class"};
  plain.ignored = {"w"};
  const Model a = grow(once, "class", params, "w"), b = fit(parse_table(twice), plain, params);
  EXPECT_EQ(outline(a), outline(b));
  EXPECT_GT(a.tree().n_nodes(), 3);
}

TEST(Quinlan, node_weights_of_fractional_rows_add_up) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    FitSpec spec;
    spec.targets = {"class"};
    spec.ignored = {"w"};
    const Model model =
        fit(parse_table(random_rows(seed, 150)), spec, params_of("c45", {{"confidence_factor", "0.5"}}));
    const Tree& tree = model.tree();
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      if (tree.is_leaf(node)) continue;
      double sum = 0.0;
      for (const NodeId child : tree.children(node)) sum += tree.weight(child);
      EXPECT_NEAR(sum, tree.weight(node), 1e-9) << seed;
    }
  }
}

TEST(Quinlan, saved_and_loaded_it_answers_the_same) {
  FitSpec spec;
  spec.targets = {"class"};
  const Table rows = parse_table(random_rows(8, 200));
  const Model model = fit(rows, spec, params_of("c45", {{"leaf_probability", "laplace"}}));
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).predict_proba(rows), model.predict_proba(rows));
  EXPECT_EQ(Model::from_json(model.to_json()).predict_proba(rows), model.predict_proba(rows));
}

// A leaf of 2 no: (2 + 1) / (2 + 2); the root of 3 no, 2 yes: (3 + 1) / (5 + 2).
TEST(Quinlan, laplace_adds_a_row_of_every_class) {
  const std::string text = "b,class\nx,no\nx,no\ny,yes\ny,yes\ny,no\n";
  for (const char* algorithm : {"c45", "cart"}) {
    std::vector<std::pair<std::string, std::string>> wanted{{"leaf_probability", "laplace"},
                                                            {"pruning", "none"}};
    if (algorithm == std::string("c45")) wanted.emplace_back("collapse", "false");
    const Model model = grow(text, "class", params_of(algorithm, wanted));
    ASSERT_EQ(model.tree().n_leaves(), 2) << algorithm;
    const std::vector<double> chances = model.predict_proba(parse_table("b\nx\ny\n"));
    EXPECT_NEAR(chances[0], 3.0 / 4.0, 1e-15);
    EXPECT_NEAR(chances[2], 2.0 / 5.0, 1e-15);
    EXPECT_NEAR(chances[3], 3.0 / 5.0, 1e-15);
  }
}

TEST(Quinlan, pruning_a_model_afterwards_is_pruning_it_at_once) {
  const Table rows = parse_table(random_rows(21, 400));
  for (const char* algorithm : {"c45", "cart"}) {
    const Model whole = grow(rows, "class", params_of(algorithm, {{"pruning", "none"}}), "w");
    const std::string criterion = algorithm[1] == '4' ? "gain_ratio" : "gini";
    for (const char* raising : {"true", "false"}) {
      const Model at_once =
          grow(rows, "class",
               params_of(algorithm, {{"pruning", "pessimistic"}, {"subtree_raising", raising}}), "w");
      const PessimisticSpec spec{.subtree_raising = raising[0] == 't', .criterion = criterion};
      const Model later = prune_pessimistic(whole, spec, rows, "w");
      EXPECT_EQ(later.tree(), at_once.tree()) << algorithm << " " << raising;
      EXPECT_EQ(later.params().pruning, "pessimistic");
      EXPECT_LT(later.tree().n_leaves(), whole.tree().n_leaves());
      if (raising[0] == 'f') {
        EXPECT_EQ(prune_pessimistic(whole, spec).tree(), at_once.tree());
      }
    }
  }
  const Model model = grow(rows, "class", params_of("c45"));
  EXPECT_EQ(complaint([&] {
              static_cast<void>(prune_pessimistic(model, {}, parse_table("a,b,c,x,y,w\na1,b1,c1,1,1,1\n")));
            }),
            "the table has no column 'class', the target of the model");
  EXPECT_EQ(complaint([&] {
              static_cast<void>(prune_pessimistic(
                  model, {}, parse_table("a,b,c,x,y,w,class\na1,b1,c1,1,1,1,yes\na1,b1,c1,1,1,1,maybe\n")));
            }),
            "the target 'class' in row 2 is missing or no class of the model");
}

TEST(Quinlan, bad_input_is_refused_with_a_way_out) {
  EXPECT_EQ(complaint([] { grow(kWeather, "play", params_of("id3")); }),
            "algorithm=id3 takes categories, but temperature, humidity are numeric");
  EXPECT_EQ(complaint([] {
              grow(kWeather, "temperature", params_of("c45", {{"task", "regression"}}));
            }),
            "algorithm=c45 learns classes, but 'temperature' is a number");
  EXPECT_EQ(complaint([] {
              FitSpec spec;
              spec.targets = {"play", "windy"};
              fit(parse_table(kWeather), spec, params_of("c45"));
            }),
            "algorithm=c45 takes one target, but there are 2");
  EXPECT_EQ(complaint([] {
              grow(kTennis, "play", params_of("id3", {{"max_features", "2"}, {"splitter", "random"}}));
            }),
            "algorithm=id3 and algorithm=c45 do not support splitter=random, max_features");
  EXPECT_EQ(complaint([] {
              grow(kTennis, "play", params_of("c45", {{"criterion", "gini"}}));
            }),
            "algorithm=c45 splits by gain_ratio, not by gini");
  EXPECT_EQ(complaint([] {
              grow(kTennis, "play", params_of("id3", {{"j48", "true"}}));
            }),
            "j48=true does nothing, because algorithm is not c45");
  EXPECT_EQ(complaint([] {
              grow(kTennis, "play", params_of("cart", {{"discretize", "mdl"}}));
            }),
            "discretize=mdl does nothing, because algorithm is cart");
  for (const char* factor : {"0", "0.6", "-1", "nan"})
    EXPECT_NE(complaint([&] {
                params_of("c45", {{"confidence_factor", factor}});
              }).find("must be a number in (0, 0.5]"),
              std::string::npos);
}

}  // namespace
}  // namespace bough
