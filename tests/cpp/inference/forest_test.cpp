// SPDX-License-Identifier: Apache-2.0
// Bags, more trees, out-of-bag figures, proximity and the representative tree against plain recomputation.
#include "bough/forest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "bough/out_of_bag.hpp"
#include "bough/proximity.hpp"
#include "data/cells.hpp"
#include "model/bag.hpp"

namespace bough {
namespace {

constexpr std::size_t kRows = 90;

struct Data {
  Table table;
  std::vector<double> numbers;
  std::vector<std::string> labels;
  std::vector<double> weights;
};

// Three columns, of which two say something about a number and a class; weights of 0 to 3.
Data make_data() {
  Data data;
  std::vector<double> a, b, c;
  for (std::size_t i = 0; i < kRows; ++i) {
    a.push_back(unit(draw(1, i)));
    b.push_back(std::floor(5.0 * unit(draw(2, i))));
    c.push_back(unit(draw(3, i)));
    data.numbers.push_back(3.0 * a.back() + b.back() + unit(draw(4, i)));
    data.labels.emplace_back(data.numbers.back() < 3.0 ? "low" : data.numbers.back() < 5.0 ? "mid" : "top");
    data.weights.push_back(static_cast<double>(i % 4));
  }
  data.table.add("a", std::span<const double>(a));
  data.table.add("b", std::span<const double>(b));
  data.table.add("c", std::span<const double>(c));
  data.table.add("y", std::span<const double>(data.numbers));
  data.table.add("label", std::span<const std::string>(data.labels));
  data.table.add("w", std::span<const double>(data.weights));
  return data;
}

FitSpec spec_of(const std::string& target, const std::string& weight = "") {
  FitSpec spec;
  spec.targets = {target};
  spec.weight = weight;
  for (const char* other : {"y", "label", "w"})
    if (other != target && other != weight) spec.ignored.emplace_back(other);
  return spec;
}

Params params_of(const std::string& target, std::int32_t trees) {
  Params params;
  params.task = target == "y" ? "regression" : "classification";
  params.forest = trees;
  params.max_features = Amount::count(2);
  params.seed = 7;
  return params;
}

std::size_t code_of(const Model& model, const std::string& label) {
  const auto& names = model.targets().fields.front().levels.names;
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), label) - names.begin());
}

// Shares or the number that one tree gives every row.
std::vector<std::vector<double>> answers_of(const Model& model, std::size_t tree, const Table& table) {
  const Model one = one_tree(model, tree);
  const std::vector<double> flat =
      model.task() == Task::regression ? one.predict(table) : one.predict_proba(table);
  const std::size_t width = flat.size() / kRows;
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < kRows; ++i)
    rows.emplace_back(flat.begin() + static_cast<std::ptrdiff_t>(i * width),
                      flat.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
  return rows;
}

double error_of(const Model& model, const Data& data, std::size_t row, const std::vector<double>& answer) {
  if (model.task() == Task::regression)
    return (answer[0] - data.numbers[row]) * (answer[0] - data.numbers[row]);
  const auto best = static_cast<std::size_t>(std::max_element(answer.begin(), answer.end()) - answer.begin());
  return best == code_of(model, data.labels[row]) ? 0.0 : 1.0;
}

TEST(Bags, are_of_the_size_asked_for_and_never_hold_rows_without_weight) {
  const std::vector<double> weights{0.0, 1.0, 2.0, 0.0, 5.0, 0.0};
  Params params = params_of("y", 3);
  for (std::size_t tree = 0; tree < 3; ++tree) {
    for (const auto& [wish, size] :
         std::vector<std::pair<std::optional<Amount>, std::size_t>>{{std::nullopt, 6},
                                                                    {Amount::count(40), 40},
                                                                    {Amount::fraction(0.5), 4},
                                                                    {Amount::fraction(2.6), 20}}) {
      params.max_samples = wish;
      const std::vector<std::uint32_t> times = drawn_rows(params, tree, 6, weights);
      // 0.5 and 2.6 times the weight of 8 are 4 and 20.8.
      EXPECT_EQ(std::accumulate(times.begin(), times.end(), 0U), size);
      EXPECT_EQ(times[0] + times[3] + times[5], 0U);
    }
  }
}

TEST(Bags, draw_rows_in_proportion_to_their_weights) {
  std::vector<double> weights(50);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 5);
  Params params = params_of("y", 1);
  params.max_samples = Amount::count(100000);
  const std::vector<std::uint32_t> times = drawn_rows(params, 0, 50, weights);
  double chi = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double expected = 1000.0 * weights[i];  // of a total weight of 100
    if (expected > 0.0) chi += (times[i] - expected) * (times[i] - expected) / expected;
  }
  // 39 degrees of freedom: above 72 once in a thousand times.
  EXPECT_LT(chi, 72.0);
}

TEST(Bags, equal_weights_draw_as_no_weights_do) {
  const Params params = params_of("y", 1);
  EXPECT_EQ(drawn_rows(params, 0, 30, std::vector<double>(30, 2.5)), drawn_rows(params, 0, 30));
  EXPECT_NE(drawn_rows(params, 0, 30), drawn_rows(params, 1, 30));
}

TEST(Bags, a_single_tree_of_the_same_seed_on_the_drawn_rows_is_the_tree_of_the_forest) {
  const Data data = make_data();
  for (const char* target : {"y", "label"}) {
    const Model forest = fit(data.table, spec_of(target, "w"), params_of(target, 4));
    for (std::size_t tree = 0; tree < 4; ++tree) {
      const Model member = one_tree(forest, tree);
      std::vector<RowId> rows;
      const std::vector<std::uint32_t> times = bag_of(forest, tree, kRows, data.weights);
      for (std::size_t row = 0; row < kRows; ++row)
        rows.insert(rows.end(), times[row], static_cast<RowId>(row));
      const Model again = fit(data.table.take(rows), spec_of(target), member.params());
      ASSERT_EQ(again.tree().n_nodes(), member.tree().n_nodes());
      EXPECT_EQ(again.predict(data.table), member.predict(data.table));
    }
  }
}

TEST(Bags, rows_held_for_calibration_are_in_no_bag_and_the_rest_are_those_of_the_fit) {
  const Data data = make_data();
  for (const char* target : {"y", "label"}) {
    for (const bool weighted : {false, true}) {
      Params params = params_of(target, 4);
      params.calibration_fraction = 0.3;
      const FitSpec spec = spec_of(target, weighted ? "w" : "");
      const std::vector<double> weights = weighted ? data.weights : std::vector<double>();
      const Model forest = Model::from_bytes(fit(data.table, spec, params).to_bytes());
      std::vector<std::uint32_t> all(kRows, 0);
      for (std::size_t tree = 0; tree < 4; ++tree) {
        const Model member = one_tree(forest, tree);
        std::vector<RowId> rows;
        const std::vector<std::uint32_t> times = bag_of(forest, tree, kRows, weights);
        for (std::size_t row = 0; row < kRows; ++row) {
          rows.insert(rows.end(), times[row], static_cast<RowId>(row));
          all[row] += times[row];
        }
        const Model again = fit(data.table.take(rows), spec_of(target), member.params());
        EXPECT_EQ(again.predict(data.table), member.predict(data.table));
      }
      // All four trees answer about at least the 0.3 of the rows (of those with a weight: 67) that were held.
      const OutOfBag answers = out_of_bag(forest, data.table, weights);
      EXPECT_GE(std::count(answers.n_trees.begin(), answers.n_trees.end(), 4), weighted ? 20 : 27);
      for (std::size_t row = 0; row < kRows; ++row)
        EXPECT_EQ(answers.n_trees[row] == 4, all[row] == 0) << row;
      // A file that does not say which rows were held.
      Model::Parts parts = forest.parts();
      parts.extras.erase("calibration_rows");
      EXPECT_THROW(static_cast<void>(out_of_bag(Model(parts), data.table, weights)), Error);
      parts.extras["calibration_rows"] = {0.0, 1e9};
      EXPECT_THROW(static_cast<void>(out_of_bag(Model(parts), data.table, weights)), Error);
    }
  }
}

TEST(Bags, are_refused_when_the_weights_are_not_those_of_the_fit) {
  const Data data = make_data();
  const auto message = [&](const Model& forest, const std::string& weight) {
    try {
      static_cast<void>(oob_curve(forest, data.table, {.weight = weight}));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Model plain = fit(data.table, spec_of("y"), params_of("y", 3)),
              weighted = fit(data.table, spec_of("y", "w"), params_of("y", 3));
  EXPECT_EQ(message(plain, ""), "");
  EXPECT_EQ(message(weighted, "w"), "");
  EXPECT_NE(message(plain, "w").find("grown without row weights"), std::string::npos);
  EXPECT_NE(message(weighted, "").find("none are given"), std::string::npos);
  EXPECT_NE(message(weighted, "b").find("not those"), std::string::npos);
  EXPECT_THROW(static_cast<void>(bag_of(weighted, 0, kRows)), Error);
  EXPECT_THROW(static_cast<void>(proximity(weighted, data.table, ProximitySpec{true, ""})), Error);
  // Trees of two kinds of weights: no weights are right.
  const Model mixed = grow_more(weighted, data.table, spec_of("y"), params_of("y", 5));
  EXPECT_NE(message(mixed, "w").find("other rows or weights"), std::string::npos);
  EXPECT_NE(message(mixed, "").find("other rows or weights"), std::string::npos);
  ASSERT_FALSE(mixed.parts().provenance.notes.empty());
  EXPECT_NE(mixed.parts().provenance.notes.back().find("row weights"), std::string::npos);
}

TEST(MoreTrees, are_those_that_would_have_been_grown_at_once) {
  const Data data = make_data();
  const Model all = fit(data.table, spec_of("label", "w"), params_of("label", 9));
  const Model few = fit(data.table, spec_of("label", "w"), params_of("label", 4));
  const Model more = grow_more(few, data.table, spec_of("label", "w"), params_of("label", 9));
  EXPECT_EQ(all.to_bytes(), more.to_bytes());
}

TEST(MoreTrees, refuse_what_belongs_to_the_whole_forest) {
  const Data data = make_data();
  const Model forest = fit(data.table, spec_of("label"), params_of("label", 4));
  const auto refused = [&](const Params& params, const FitSpec& spec, const char* word) {
    try {
      static_cast<void>(grow_more(forest, data.table, spec, params));
      ADD_FAILURE() << word;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  Params params = params_of("label", 6);
  params.seed = 8;
  refused(params, spec_of("label"), "seed");
  params = params_of("label", 6);
  params.max_samples = Amount::count(5);
  refused(params, spec_of("label"), "max_samples");
  refused(params_of("label", 3), spec_of("label"), "less than the 4 trees");
  FitSpec fewer = spec_of("label");
  fewer.ignored.emplace_back("c");
  refused(params_of("label", 6), fewer, "columns");
}

TEST(OutOfBag, answers_and_the_curve_are_those_of_the_trees_that_have_not_drawn_a_row) {
  const Data data = make_data();
  for (const char* target : {"y", "label"}) {
    for (const char* weight : {"", "w"}) {
      const Model forest = fit(data.table, spec_of(target, weight), params_of(target, 12));
      const std::vector<double> weights = *weight == 0 ? std::vector<double>() : data.weights;
      EXPECT_EQ(fit_weights(forest, data.table, weight), weights);
      const OutOfBag found = out_of_bag(forest, data.table, weights);
      const OobCurve curve = oob_curve(forest, data.table, {.weight = weight});
      std::vector<std::vector<double>> sums(kRows, std::vector<double>(found.width));
      std::vector<int> counts(kRows);
      for (std::size_t tree = 0; tree < 12; ++tree) {
        const auto answers = answers_of(forest, tree, data.table);
        const std::vector<std::uint32_t> times = bag_of(forest, tree, kRows, weights);
        double error = 0.0, weight_sum = 0.0;
        for (std::size_t row = 0; row < kRows; ++row) {
          if (times[row] == 0) {
            ++counts[row];
            for (std::size_t j = 0; j < found.width; ++j) sums[row][j] += answers[row][j];
          }
          if (counts[row] == 0) continue;
          std::vector<double> mean(sums[row]);
          for (double& value : mean) value /= counts[row];
          const double w = weights.empty() ? 1.0 : weights[row];
          error += w * error_of(forest, data, row, mean);
          weight_sum += w;
        }
        EXPECT_NEAR(curve.errors[tree], error / weight_sum, 1e-12);
      }
      for (std::size_t row = 0; row < kRows; ++row) {
        ASSERT_EQ(found.n_trees[row], counts[row]);
        for (std::size_t j = 0; j < found.width; ++j)
          if (counts[row] > 0)
            EXPECT_DOUBLE_EQ(found.values[row * found.width + j], sums[row][j] / counts[row]);
      }
      // A row without weight is out of every bag.
      if (*weight != 0) EXPECT_EQ(found.n_trees[4], 12);
      const std::vector<Evaluation> scores = evaluate_out_of_bag(forest, data.table, {.weight = weight});
      if (forest.task() == Task::classification)
        EXPECT_NEAR(1.0 - scores[0].scores.at("accuracy"), curve.errors.back(), 1e-12);
      else
        EXPECT_NEAR(std::pow(scores[0].scores.at("rmse"), 2), curve.errors.back(), 1e-9);
    }
  }
}

TEST(OutOfBag, importances_are_those_of_shuffled_tables) {
  // Of a tree of one column, only that column can matter, and it matters as shuffling its cells says.
  const Data data = make_data();
  Params params = params_of("y", 5);
  params.max_features = std::nullopt;
  const Model forest = fit(data.table, spec_of("y"), params);
  const OobImportances found = oob_importance(forest, data.table, {.seed = 3});
  ASSERT_EQ(found.columns.size(), 3U);
  double base = 0.0;
  std::vector<double> rises;
  for (std::size_t tree = 0; tree < 5; ++tree) {
    const std::vector<std::uint32_t> times = bag_of(forest, tree, kRows);
    std::vector<RowId> rows;
    for (std::size_t row = 0; row < kRows; ++row)
      if (times[row] == 0) rows.push_back(static_cast<RowId>(row));
    const Model one = one_tree(forest, tree);
    const auto mean_error = [&](const Table& table) {
      const std::vector<double> answers = one.predict(table);
      double sum = 0.0;
      for (std::size_t i = 0; i < rows.size(); ++i) sum += std::pow(answers[i] - data.numbers[rows[i]], 2);
      return sum / static_cast<double>(rows.size());
    };
    const Table left_out = data.table.take(rows);
    base += mean_error(left_out) / 5.0;
    // The draws of the shuffle: column 1 (b) of this tree.
    std::vector<RowId> from(rows);
    const std::uint64_t key = mix(mix(3, tree), 1);
    for (std::size_t i = from.size(); i > 1; --i) std::swap(from[i - 1], from[below(draw(key, i), i)]);
    const Table moved = data.table.take(from);
    Table shuffled;
    for (const char* name : {"a", "b", "c"}) {
      const Table& source = name[0] == 'b' ? moved : left_out;
      std::vector<double> cells;
      for (std::size_t i = 0; i < rows.size(); ++i)
        cells.push_back(
            std::stod(cell_text(source.column(source.find(name).value()), static_cast<std::int64_t>(i))));
      shuffled.add(name, std::span<const double>(cells));
    }
    rises.push_back(mean_error(shuffled) - mean_error(left_out));
  }
  const double mean = std::accumulate(rises.begin(), rises.end(), 0.0) / 5.0;
  double squares = 0.0;
  for (const double rise : rises) squares += (rise - mean) * (rise - mean);
  EXPECT_NEAR(found.base, base, 1e-9);
  EXPECT_NEAR(found.columns[1].mean, mean, 1e-9);
  EXPECT_NEAR(found.columns[1].standard_error, std::sqrt(squares / 4.0 / 5.0), 1e-9);
  EXPECT_GT(found.columns[1].mean, found.columns[2].mean);
}

TEST(Likeness, proximity_counts_the_trees_in_which_rows_meet) {
  const Data data = make_data();
  Params params = params_of("label", 8);
  params.max_depth = 3;
  const Model forest = fit(data.table, spec_of("label", "w"), params);
  const std::vector<double> all = proximity(forest, data.table);
  const std::vector<double> some = proximity(forest, data.table, ProximitySpec{true, "w"});
  std::vector<double> meets(kRows * kRows), out_meets(kRows * kRows), outs(kRows * kRows);
  for (std::size_t tree = 0; tree < 8; ++tree) {
    const std::vector<NodeId> leaves = forest.apply(data.table, tree);
    const std::vector<std::uint32_t> times = bag_of(forest, tree, kRows, data.weights);
    for (std::size_t i = 0; i < kRows; ++i)
      for (std::size_t j = 0; j < kRows; ++j) {
        const bool meet = leaves[i] == leaves[j], out = times[i] == 0 && times[j] == 0;
        meets[i * kRows + j] += meet ? 1.0 : 0.0;
        out_meets[i * kRows + j] += meet && out ? 1.0 : 0.0;
        outs[i * kRows + j] += out ? 1.0 : 0.0;
      }
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_DOUBLE_EQ(all[k], meets[k] / 8.0);
    if (outs[k] == 0.0)
      EXPECT_TRUE(std::isnan(some[k]));
    else
      EXPECT_DOUBLE_EQ(some[k], out_meets[k] / outs[k]);
  }
  EXPECT_EQ(proximity(forest, data.table, data.table), all);
}

TEST(Likeness, the_representative_tree_is_the_one_that_answers_most_like_the_forest) {
  const Data data = make_data();
  for (const char* target : {"y", "label"}) {
    const Model forest = fit(data.table, spec_of(target), params_of(target, 7));
    const std::vector<double> together =
        forest.task() == Task::regression ? forest.predict(data.table) : forest.predict_proba(data.table);
    const std::size_t width = together.size() / kRows;
    double sum = 0.0, squares = 0.0;
    for (const double value : together) sum += value, squares += value * value;
    const double variance = squares / kRows - sum / kRows * sum / kRows;
    const TreeProximity found = tree_proximity(forest, data.table);
    std::size_t best = 0;
    for (std::size_t tree = 0; tree < 7; ++tree) {
      const auto answers = answers_of(forest, tree, data.table);
      double apart = 0.0;
      for (std::size_t row = 0; row < kRows; ++row)
        for (std::size_t j = 0; j < width; ++j)
          apart += std::pow(answers[row][j] - together[row * width + j], 2);
      apart /= kRows * (forest.task() == Task::regression ? variance : 1.0);
      EXPECT_NEAR(found.distances[tree], apart, 1e-9 * (1.0 + apart));
      if (found.distances[tree] < found.distances[best]) best = tree;
    }
    EXPECT_EQ(found.representative, best);
  }
}

TEST(Forests, give_the_same_bytes_for_any_number_of_threads) {
  const Data data = make_data();
  for (const char* target : {"y", "label"}) {
    const Model one = fit(data.table, spec_of(target, "w"), params_of(target, 10), {1, {}});
    const Model two = fit(data.table, spec_of(target, "w"), params_of(target, 10), {2, {}});
    EXPECT_EQ(one.to_bytes(), two.to_bytes());
    const OobSpec spec{.weight = "w"};
    EXPECT_EQ(to_json(oob_curve(one, data.table, spec, {1, {}})),
              to_json(oob_curve(one, data.table, spec, {2, {}})));
    EXPECT_EQ(to_json(oob_importance(one, data.table, spec, {1, {}})),
              to_json(oob_importance(one, data.table, spec, {2, {}})));
    EXPECT_EQ(to_json(tree_proximity(one, data.table, {1, {}})),
              to_json(tree_proximity(one, data.table, {2, {}})));
  }
}

TEST(Forests, figures_that_need_bags_are_refused_where_there_are_none) {
  const Data data = make_data();
  Params params = params_of("y", 2);
  params.bootstrap = false;
  const Model all_rows = fit(data.table, spec_of("y"), params);
  EXPECT_THROW(static_cast<void>(out_of_bag(all_rows, data.table)), Error);
  const Model forest = fit(data.table, spec_of("y"), params_of("y", 2));
  const std::vector<RowId> few{0, 1, 2};
  EXPECT_THROW(static_cast<void>(out_of_bag(forest, data.table.take(few))), Error);
}

TEST(Forests, rows_in_another_order_have_no_out_of_bag_figures) {
  const Data data = make_data();
  const Model forest = fit(data.table, spec_of("y"), params_of("y", 20));
  std::vector<RowId> order(kRows);
  std::iota(order.begin(), order.end(), RowId{0});
  EXPECT_NO_THROW(static_cast<void>(out_of_bag(forest, data.table.take(order))));
  std::swap(order[4], order[71]);
  const Table swapped = data.table.take(order);
  EXPECT_THROW(static_cast<void>(out_of_bag(forest, swapped)), Error);
  EXPECT_THROW(static_cast<void>(evaluate_out_of_bag(forest, swapped)), Error);
  EXPECT_THROW(static_cast<void>(oob_curve(forest, swapped)), Error);
  EXPECT_THROW(static_cast<void>(oob_importance(forest, swapped)), Error);
  EXPECT_THROW(static_cast<void>(proximity(forest, swapped, ProximitySpec{true, ""})), Error);
}

}  // namespace
}  // namespace bough
