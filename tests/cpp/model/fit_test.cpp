// SPDX-License-Identifier: Apache-2.0
// Fitting through the public API: same bytes whatever the threads, cancelling, class weights, refusals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "bough/model.hpp"

namespace bough {
namespace {

// Numbers with gaps, an ordinal, categories with and without many levels; classes, a number and weights.
struct Sample {
  std::vector<double> a, b, c, w, y;
  std::vector<std::string> grade, town, label;
  explicit Sample(std::size_t n) {
    std::mt19937_64 engine(7);
    const auto unit = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
    for (std::size_t i = 0; i < n; ++i) {
      a.push_back(unit());
      b.push_back(engine() % 10 == 0 ? std::numeric_limits<double>::quiet_NaN() : unit() * unit() * 100);
      c.push_back(static_cast<double>(engine() % 30));
      grade.push_back(std::vector<std::string>{"low", "middle", "high"}[engine() % 3]);
      town.push_back(fmt::format("t{}", engine() % 40));
      w.push_back(static_cast<double>(engine() % 8) / 4);
      const double signal = a.back() * 3 + (grade.back() == "high" ? 1 : 0) + (c.back() > 20 ? unit() : 0);
      y.push_back(signal + unit());
      label.push_back(signal > 3 ? "yes" : unit() < 0.2 ? "perhaps" : "no");
    }
  }
  [[nodiscard]] Table table(const std::vector<std::size_t>& rows) const {
    const auto pick = [&](const auto& from) {
      auto to = from;
      to.clear();
      for (const std::size_t row : rows) to.push_back(from[row]);
      return to;
    };
    Table table;
    table.add("a", pick(a));
    table.add("b", pick(b));
    table.add("c", pick(c));
    table.add("grade", pick(grade));
    table.add("town", pick(town));
    table.add("w", pick(w));
    table.add("y", pick(y));
    table.add("label", pick(label));
    return table;
  }
  [[nodiscard]] Table table() const {
    std::vector<std::size_t> rows(a.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return table(rows);
  }
};

FitSpec spec_for(const std::string& target) {
  FitSpec spec;
  spec.targets = {target};
  spec.weight = "w";
  spec.ignored = {target == "y" ? "label" : "y"};
  spec.columns = {{"grade", Kind::ordinal, {}, {"low", "middle", "high"}}};
  return spec;
}

Params with_criterion(const std::string& criterion) {
  Params params;
  params.criterion = criterion;
  return params;
}

Params shallow(const std::string& criterion) {
  Params params = with_criterion(criterion);
  params.max_depth = 7;
  return params;
}

Execution on_threads(int threads) {
  Execution execution;
  execution.threads = threads;
  return execution;
}

// Returns what fitting says against it, and the hint.
std::pair<std::string, std::string> refusal(const Table& table, const FitSpec& spec,
                                            const Params& params = {}) {
  try {
    fit(table, spec, params);
  } catch (const Error& error) {
    return {std::string(error_name(error.code())) + ": " + error.what(), error.hint()};
  }
  return {};
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Table two_columns(const std::vector<double>& x, const std::vector<double>& y) {
  Table table;
  table.add("x", x);
  table.add("y", y);
  return table;
}

TEST(Fit, the_model_has_the_same_bytes_with_1_2_and_4_threads) {
  const Table table = Sample(8000).table();
  for (const char* criterion : {"gini", "entropy", "hellinger", "misclassification"}) {
    const std::string bytes = fit(table, spec_for("label"), shallow(criterion), on_threads(1)).to_bytes();
    for (const int threads : {2, 4, 0})
      EXPECT_EQ(fit(table, spec_for("label"), shallow(criterion), on_threads(threads)).to_bytes(), bytes)
          << criterion;
  }
  // Losses that are no sums take longer.
  const Table less = Sample(1000).table();
  for (const char* criterion : {"squared_error", "poisson", "absolute_error", "quantile"}) {
    const Table& rows = criterion[0] == 's' || criterion[0] == 'p' ? table : less;
    const std::string bytes = fit(rows, spec_for("y"), shallow(criterion), on_threads(1)).to_bytes();
    for (const int threads : {2, 4})
      EXPECT_EQ(fit(rows, spec_for("y"), shallow(criterion), on_threads(threads)).to_bytes(), bytes)
          << criterion;
  }
}

TEST(Fit, shuffled_rows_give_the_same_model) {
  const Sample sample(4000);
  std::vector<std::size_t> rows(4000);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::shuffle(rows.begin(), rows.end(), std::mt19937_64(3));
  for (const char* target : {"label", "y"}) {
    const Model a = fit(sample.table(), spec_for(target)), b = fit(sample.table(rows), spec_for(target));
    EXPECT_EQ(a.tree(), b.tree());
    EXPECT_EQ(a.features(), b.features());
    EXPECT_EQ(a.targets(), b.targets());
    EXPECT_GT(a.tree().n_leaves(), 50);
    EXPECT_EQ(a.to_bytes(), b.to_bytes());
  }
}

TEST(Fit, a_saved_model_comes_back_bit_by_bit) {
  const Table table = Sample(800).table();
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  for (const char* target : {"label", "y"}) {
    const Model model = fit(table, spec_for(target));
    EXPECT_EQ(Model::from_bytes(model.to_bytes()).to_bytes(), model.to_bytes());
    EXPECT_EQ(Model::from_json(model.to_json()).to_bytes(), model.to_bytes());
    const std::string path = (folder / "bough_fit_test.bough").string();
    model.save(path);
    const Model loaded = Model::load(path);
    std::filesystem::remove(path);
    EXPECT_EQ(loaded.tree(), model.tree());
    EXPECT_EQ(loaded.to_bytes(), model.to_bytes());
    EXPECT_EQ(loaded.predict(table), model.predict(table));
  }
}

TEST(Fit, training_rows_end_in_leaves_of_their_numbers) {
  const Sample sample(1500);
  const Table table = sample.table();
  const Model model = fit(table, spec_for("y"));
  std::vector<std::int64_t> rows(static_cast<std::size_t>(model.tree().n_nodes()));
  const std::vector<NodeId> leaves = model.apply(table);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (sample.w[i] > 0.0) ++rows[static_cast<std::size_t>(leaves[i])];
  for (NodeId node = 0; node < model.tree().n_nodes(); ++node)
    if (model.tree().is_leaf(node)) {
      EXPECT_EQ(rows[static_cast<std::size_t>(node)], model.tree().n_rows(node));
    }
}

TEST(Fit, progress_is_told_and_a_refusal_cancels) {
  const Table table = Sample(3000).table();
  std::set<std::string> stages;
  Execution execution;
  execution.progress = [&](const Progress& progress) {
    stages.insert(std::string(progress.stage));
    EXPECT_GE(progress.fraction, 0.0);
    EXPECT_LE(progress.fraction, 1.0);
    return true;
  };
  const Model model = fit(table, spec_for("label"), {}, execution);
  EXPECT_FALSE(stages.empty());
  EXPECT_EQ(fit(table, spec_for("label")).tree(), model.tree());
  for (const char* engine : {"lists", "refine", "presorted", "sparse"})
    for (const int threads : {1, 2}) {
      execution.threads = threads;
      execution.engine = engine;
      execution.progress = [](const Progress&) { return false; };
      try {
        fit(table, spec_for("label"), {}, execution);
        ADD_FAILURE() << "fit went on";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::cancelled);
      }
    }
}

// Three rows of class a and one of b: balanced weights are 4 / (2 * 3) and 4 / (2 * 1).
TEST(Fit, balanced_and_given_class_weights) {
  Table table;
  table.add("x", std::vector<double>{1, 1, 1, 1});
  table.add("y", std::vector<std::string>{"a", "a", "a", "b"});
  FitSpec spec;
  spec.targets = {"y"};
  Params params;
  params.class_weight.balanced = true;
  std::vector<double> values(2);
  fit(table, spec, params).tree().values(0, values);
  EXPECT_NEAR(values[0], 2.0, 1e-15);
  EXPECT_EQ(values[1], 2.0);
  params.class_weight = {false, false, {{"b", 2.5}}};
  fit(table, spec, params).tree().values(0, values);
  EXPECT_EQ(values, (std::vector<double>{3.0, 2.5}));
  params.class_weight = {false, false, {{"c", 2.5}}};
  EXPECT_TRUE(holds(refusal(table, spec, params).first, "'c'"));
}

TEST(Fit, class_weights_that_leave_nothing_are_refused) {
  Table table;
  table.add("x", std::vector<double>{1, 2});
  table.add("y", std::vector<std::string>{"a", "b"});
  FitSpec spec;
  spec.targets = {"y"};
  Params params;
  params.class_weight = {false, false, {{"a", 0.0}, {"b", 0.0}}};
  EXPECT_TRUE(holds(refusal(table, spec, params).first, "class_weight"))
      << refusal(table, spec, params).first;
  // A class without weight is like a class without rows.
  params.class_weight = {false, false, {{"a", 0.0}}};
  const Model model = fit(table, spec, params);
  EXPECT_EQ(model.tree().n_nodes(), 1);
  EXPECT_EQ(model.tree().n_rows(0), 1);
}

TEST(Fit, a_single_class_gives_a_leaf_and_a_note) {
  Table table;
  table.add("x", std::vector<double>{1, 2, 3});
  table.add("y", std::vector<std::string>{"a", "a", "a"});
  FitSpec spec;
  spec.targets = {"y"};
  const Model model = fit(table, spec);
  EXPECT_EQ(model.tree().n_nodes(), 1);
  ASSERT_EQ(model.parts().provenance.notes.size(), 1U);
  EXPECT_TRUE(holds(model.parts().provenance.notes[0], "'y' has only one value"));
}

TEST(Fit, whole_numbers_beyond_2_to_the_53_are_named_in_a_note) {
  Table table;
  const std::int64_t big = std::int64_t{1} << 53;
  table.add("id", std::vector<std::int64_t>{big, big + 1, big + 2});
  table.add("y", std::vector<std::string>{"a", "a", "b"});
  FitSpec spec;
  spec.targets = {"y"};
  const Model model = fit(table, spec);
  EXPECT_EQ(model.tree().n_leaves(), 2);  // big and big + 1 are one value
  ASSERT_FALSE(model.parts().provenance.notes.empty());
  EXPECT_TRUE(holds(model.parts().provenance.notes[0], "'id'"));
}

TEST(Fit, the_task_is_guessed_from_the_target) {
  const auto task = [](const std::vector<double>& y) {
    FitSpec spec;
    spec.targets = {"y"};
    return fit(two_columns(std::vector<double>(y.size(), 1.0), y), spec).task();
  };
  EXPECT_EQ(task({0, 1, 0, 1}), Task::classification);
  EXPECT_EQ(task({0.5, 1, 0, 1}), Task::regression);
  EXPECT_EQ(task({1, 2, 3, 4, 5, 6}), Task::regression);  // whole, but nothing comes back
}

TEST(Fit, targets_that_make_no_sense_are_refused_by_name) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  FitSpec spec;
  spec.targets = {"y"};
  EXPECT_TRUE(holds(refusal(two_columns({1, 2}, {1, nan}), spec).first,
                    "'y' is missing in 1 of 2 rows, first in row 2"));
  EXPECT_TRUE(
      holds(refusal(two_columns({1, 2}, {nan, nan}), spec).first, "every cell of the target 'y' is missing"));
  EXPECT_TRUE(holds(refusal(two_columns({1, 2}, {1, inf}), spec).first, "'y' is infinite in row 2"));
  EXPECT_TRUE(holds(refusal(two_columns({}, {}), spec).first, "no rows"));
  EXPECT_TRUE(holds(refusal(two_columns({1, 2}, {-1, 2}), spec, with_criterion("poisson")).first, "row 1"));
  EXPECT_TRUE(
      holds(refusal(two_columns({1, 2}, {0, 0}), spec, with_criterion("poisson")).first, "positive sum"));
  spec.targets = {"z"};
  EXPECT_TRUE(holds(refusal(two_columns({1, 2}, {1, 2}), spec).first, "'z'"));
  spec.targets = {"y", "y"};
  EXPECT_TRUE(holds(refusal(two_columns({1, 2}, {1, 2}), spec).first, "twice"));
  spec.targets = {};
  EXPECT_TRUE(holds(refusal(two_columns({1, 2}, {1, 2}), spec).first, "no target"));
}

TEST(Fit, weights_that_make_no_sense_are_refused_by_name) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  FitSpec spec;
  spec.targets = {"y"};
  spec.weight = "x";
  const auto said = [&](const std::vector<double>& weights) {
    Table table = two_columns(weights, std::vector<double>(weights.size(), 1.0));
    table.add("z", std::vector<double>(weights.size(), 1.0));
    return refusal(table, spec).first;
  };
  EXPECT_TRUE(holds(said({1, -1}), "-1 in row 2"));
  EXPECT_TRUE(holds(said({nan, 1}), "missing in row 1"));
  EXPECT_TRUE(holds(said({inf, 1}), "inf in row 1"));
  EXPECT_TRUE(holds(said({0, 0}), "every weight in 'x' is 0"));
  EXPECT_TRUE(holds(said({1, 1e30}), "row 1 is lost"));
}

TEST(Fit, parameters_that_do_not_fit_are_refused) {
  const Table table = Sample(50).table();
  Params params;
  params.max_depth = 0;
  EXPECT_TRUE(holds(refusal(table, spec_for("y"), params).second, "none"));
  params = with_criterion("gini");
  params.task = "regression";
  EXPECT_TRUE(holds(refusal(table, spec_for("y"), params).first, "bad_params"));
  params = {};
  params.monotonic_cst = {{"town", 1.0}};
  EXPECT_TRUE(holds(refusal(table, spec_for("y"), params).first, "'town'"));
  params.monotonic_cst = {{"a", 1.0}};
  EXPECT_TRUE(holds(refusal(table, spec_for("label"), params).first, "not_supported"));
  params.monotonic_cst = {{"aa", 1.0}};
  EXPECT_TRUE(holds(refusal(table, spec_for("y"), params).second, "'a'"));
  params = {};
  params.interaction_cst = {{"a", "nothing"}};
  EXPECT_TRUE(holds(refusal(table, spec_for("y"), params).first, "'nothing'"));
}

}  // namespace
}  // namespace bough
