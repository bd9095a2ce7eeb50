// SPDX-License-Identifier: Apache-2.0
// Pruning while fitting: the price by cross-validation against refits for every price, folds, held-out rows,
// and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "base/hash.hpp"
#include "bough/prune.hpp"
#include "model/checked_json.hpp"
#include "model/cost_complexity_cv.hpp"

namespace bough {
namespace {

using Json = nlohmann::json;

// Noise around a step in x and a level of c; `classes` cuts y into three.
Table noisy(std::uint64_t seed, std::int64_t n, bool classes) {
  std::mt19937_64 random(seed);
  std::vector<double> x, z, y, fold, weight;
  std::vector<std::string> c, labels;
  for (std::int64_t i = 0; i < n; ++i) {
    x.push_back(static_cast<double>(random() % 100));
    z.push_back(random() % 9 == 0 ? std::nan("") : static_cast<double>(random() % 20));
    c.push_back(std::string(1, static_cast<char>('a' + random() % 5)));
    const double value =
        (x.back() > 50 ? 6.0 : 0.0) + (c.back() < "c" ? 3.0 : 0.0) + static_cast<double>(random() % 7);
    y.push_back(value);
    labels.push_back(value < 4 ? "low" : value < 9 ? "middle" : "high");
    fold.push_back(static_cast<double>(random() % 5));
    weight.push_back(static_cast<double>(1 + random() % 3));
  }
  Table table;
  table.add("x", x);
  table.add("z", z);
  table.add("c", c);
  if (classes)
    table.add("y", labels);
  else
    table.add("y", y);
  table.add("fold", fold);
  table.add("weight", weight);
  return table;
}

FitSpec given_folds(bool weighted = false) {
  FitSpec spec;
  spec.targets = {"y"};
  spec.folds = {FoldSpec::Kind::given, "fold"};
  if (weighted)
    spec.weight = "weight";
  else
    spec.ignored = {"weight"};
  return spec;
}

Params by_price(const std::string& risk, const std::string& rule) {
  Params params;
  params.pruning = "cost_complexity";
  params.pruning_risk = risk;
  params.pruning_rule = rule;
  return params;
}

// Error of every row when the model of its fold is grown again for every price.
struct Slow {
  std::vector<double> errors, standard_errors;
};
Slow grow_for_every_price(const Table& table, FitSpec spec, Params params,
                          const std::vector<double>& alphas) {
  const auto number = [&](const char* name, std::int64_t row) {
    return std::stod(cell_text(table.column(table.find(name).value()), row));
  };
  spec.folds = {};
  spec.ignored.push_back("fold");
  params.pruning = "cost_complexity";
  Slow slow;
  for (std::size_t a = 0; a < alphas.size(); ++a) {
    // Above all prices the tree is its root.
    params.ccp_alpha = a + 1 < alphas.size() ? std::max(std::sqrt(alphas[a] * alphas[a + 1]), 1e-300) : 1e300;
    double sum = 0, squares = 0, total = 0, total_squares = 0;
    for (int fold = 0; fold < 5; ++fold) {
      std::vector<RowId> in, out;
      for (std::int64_t row = 0; row < table.n_rows(); ++row)
        (number("fold", row) == fold ? out : in).push_back(static_cast<RowId>(row));
      const Model model = fit(table.take(in), spec, params);
      const std::vector<std::string> answers = model.predict_labels(table.take(out));
      for (std::size_t i = 0; i < out.size(); ++i) {
        const std::string truth = cell_text(table.column(table.find("y").value()), out[i]);
        const double gap = params.task == "regression" ? std::stod(truth) - std::stod(answers[i]) : 0.0;
        const double error = params.task == "regression" ? gap * gap : truth == answers[i] ? 0.0 : 1.0;
        const double weight = spec.weight.empty() ? 1.0 : number("weight", out[i]);
        sum += weight * error;
        squares += weight * error * error;
        total += weight;
        total_squares += weight * weight;
      }
    }
    const double mean = sum / total;
    slow.errors.push_back(mean);
    slow.standard_errors.push_back(
        std::sqrt(std::max(squares / total - mean * mean, 0.0) / (total * total / total_squares)));
  }
  return slow;
}

TEST(CrossValidatedPruning, is_growing_again_for_every_price) {
  for (const bool classes : {true, false}) {
    for (const bool weighted : {true, false}) {
      for (const char* risk : {"impurity", "error"}) {
        if (!classes && risk == std::string("error")) continue;  // refused
        const Table table = noisy(classes ? 3 : 4, 120, classes);
        Params params = by_price(risk, "min");
        params.task = classes ? "classification" : "regression";
        const Model model = fit(table, given_folds(weighted), params);
        ASSERT_TRUE(model.parts().pruning_table.has_value());
        const PruningTable& found = *model.parts().pruning_table;
        EXPECT_EQ(found.folds, 5);
        const Slow slow = grow_for_every_price(table, given_folds(weighted), params, found.alphas);
        ASSERT_EQ(found.errors.size(), slow.errors.size());
        std::size_t best = 0;
        for (std::size_t i = 0; i < slow.errors.size(); ++i) {
          EXPECT_NEAR(found.errors[i], slow.errors[i], 1e-12 * (1 + slow.errors[i])) << risk << i;
          EXPECT_NEAR(found.standard_errors[i], slow.standard_errors[i], 1e-9 * (1 + slow.errors[i]));
          if (slow.errors[i] <= slow.errors[best] + 1e-12) best = i;
        }
        EXPECT_EQ(found.chosen, best);
        EXPECT_EQ(model.tree().n_leaves(), found.n_leaves[found.chosen]);
        EXPECT_GT(model.tree().n_leaves(), 1);
        EXPECT_LT(model.tree().n_leaves(), found.n_leaves.front());
        // The same tree by its price.
        params.ccp_alpha = std::max(found.alphas[found.chosen], 1e-300);
        EXPECT_EQ(fit(table, given_folds(weighted), params).tree(), model.tree());
      }
    }
  }
}

TEST(CrossValidatedPruning, one_standard_error_gives_the_smallest_tree_that_is_as_good) {
  const Table table = noisy(5, 200, true);
  const Model least = fit(table, given_folds(), by_price("impurity", "min"));
  const Model small = fit(table, given_folds(), by_price("impurity", "one_se"));
  const PruningTable& a = *least.parts().pruning_table;
  const PruningTable& b = *small.parts().pruning_table;
  EXPECT_EQ(a.errors, b.errors);
  EXPECT_GE(b.chosen, a.chosen);
  const double most = a.errors[a.chosen] + a.standard_errors[a.chosen];
  EXPECT_LE(b.errors[b.chosen], most);
  for (std::size_t i = b.chosen + 1; i < b.errors.size(); ++i) EXPECT_GT(b.errors[i], most);
}

TEST(CrossValidatedPruning, trains_once_more_than_it_has_folds) {
  Prepared prepared = prepare(noisy(6, 90, true), given_folds(), {});
  const Table table = noisy(6, 90, true);
  for (const std::int32_t n : {2, 10}) {
    const Folds folds = make_folds(table, prepared, {}, n, 0);
    int trainings = 0;
    std::vector<std::int64_t> sizes;
    const Train train = [&](const Prepared& rows) {
      ++trainings;
      sizes.push_back(static_cast<std::int64_t>(rows.values.rows.size()));
      TreeBuilder builder(Task::classification, {3});
      const auto first = [&] {
        Split split;
        split.kind = NodeKind::numeric;
        split.column = 0;
        return builder.split(builder.root(), split, 2);
      }();
      builder.set_stats(0, {4, 4.0, 0.5, {2, 2, 0}});
      builder.set_stats(first, {2, 2.0, 0.0, {2, 0, 0}});
      builder.set_stats(first + 1, {2, 2.0, 0.0, {0, 2, 0}});
      return Grown{std::move(builder).finish(), false};
    };
    cost_complexity_cv({table, prepared, folds, {}, {}}, train);
    EXPECT_EQ(trainings, n + 1);
    EXPECT_EQ(sizes.front(), 90);
    EXPECT_EQ(std::accumulate(sizes.begin() + 1, sizes.end(), std::int64_t{0}), 90 * (n - 1));
  }
}

TEST(CrossValidatedPruning, classes_that_a_fold_lacks_do_no_harm) {
  Table table;
  std::vector<double> x(30);
  std::vector<std::string> y(30, "often");
  for (std::size_t i = 0; i < 30; ++i) x[i] = static_cast<double>(i);
  for (std::size_t i = 10; i < 20; ++i) y[i] = "half";
  y[29] = "once";
  table.add("x", x);
  table.add("y", y);
  FitSpec spec;
  spec.targets = {"y"};
  const Model model = fit(table, spec, by_price("impurity", "min"));
  const PruningTable& found = *model.parts().pruning_table;
  EXPECT_EQ(found.folds, 10);
  // The only row of its class is wrong in the fold that holds it, whatever the price.
  for (const double error : found.errors) EXPECT_GE(error, 1.0 / 30 - 1e-15);
  EXPECT_EQ(model.targets().fields.front().levels.size(), 3U);
}

TEST(CrossValidatedPruning, measures_what_the_criterion_minimises) {
  const Table table = noisy(7, 80, false);
  Params params = by_price("impurity", "min");
  params.task = "regression";
  params.pruning_folds = 3;
  FitSpec spec = given_folds();
  const auto measure = [&](const char* criterion) {
    params.criterion = criterion;
    return fit(table, spec, params).parts().pruning_table->measure;
  };
  EXPECT_EQ(measure("squared_error"), "squared_error");
  EXPECT_EQ(measure("absolute_error"), "absolute_error");
  EXPECT_EQ(measure("quantile"), "pinball");
  EXPECT_EQ(measure("poisson"), "squared_error");
}

TEST(CrossValidatedPruning, the_table_travels_in_both_files_and_is_dropped_with_its_tree) {
  const Model model = fit(noisy(8, 100, true), given_folds(), by_price("error", "one_se"));
  const auto& table = model.parts().pruning_table;
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).parts().pruning_table, table);
  EXPECT_EQ(Model::from_json(model.to_json()).parts().pruning_table, table);
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).to_bytes(), model.to_bytes());
  const Model cut = prune(model, 1e9, "error");
  EXPECT_EQ(cut.tree().n_nodes(), 1);
  EXPECT_FALSE(cut.parts().pruning_table.has_value());
  EXPECT_EQ(Model::from_bytes(cut.to_bytes()).to_bytes(), cut.to_bytes());
}

TEST(CrossValidatedPruning, a_table_that_makes_no_sense_is_no_model) {
  const Model model = fit(noisy(8, 100, true), given_folds(), by_price("impurity", "min"));
  const auto refused = [&](const std::function<void(PruningTable&)>& spoil) {
    Model::Parts parts = model.parts();
    spoil(*parts.pruning_table);
    EXPECT_THROW(Model{parts}, Error);
  };
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  refused([&](PruningTable& t) { t.alphas[1] = nan; });
  refused([&](PruningTable& t) { t.alphas[0] = -1.0; });
  refused([&](PruningTable& t) { t.alphas.back() = inf; });
  refused([&](PruningTable& t) { std::swap(t.alphas[0], t.alphas[1]); });
  refused([&](PruningTable& t) { t.errors[0] = nan; });
  refused([&](PruningTable& t) { t.standard_errors[0] = -0.5; });
  refused([&](PruningTable& t) { t.n_leaves[0] = 0; });
  refused([&](PruningTable& t) { t.n_leaves.pop_back(); });
  refused([&](PruningTable& t) { t = {}; });
  refused([&](PruningTable& t) { t.chosen = t.alphas.size(); });
  refused([&](PruningTable& t) { t.folds = 1; });
}

TEST(CrossValidatedPruning, a_forged_table_is_refused) {
  const Model model = fit(noisy(8, 100, true), given_folds(), by_price("impurity", "min"));
  const auto refused = [&](const char* member, const Json& value) {
    Json document = Json::parse(model.to_json());
    document["pruning_table"][member] = value;
    document.erase("checksum");
    document["checksum"] = fmt::format("xxh3:{:016x}", hash_text(document.dump()));
    try {
      static_cast<void>(Model::from_json(document.dump()));
      ADD_FAILURE() << member << " was believed";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_model) << error.what();
    }
  };
  refused("alpha", Json::array());
  refused("alpha", "many");
  refused("alpha", {"nan"});
  refused("leaves", {1.5});
  refused("leaves", {std::int64_t{1} << 40});
  refused("error", nullptr);
  refused("chosen", -1);
  refused("chosen", 1'000'000);
  refused("folds", 0);
  refused("risk", "luck");
  refused("rule", 7);
  refused("measure", "taste");
  refused("more", 1);
}

// ------------------------------------------------------------ folds

Prepared prepared_of(const Table& table, FitSpec spec = given_folds()) {
  return prepare(table, spec, {});
}

TEST(Folds, are_stratified_seeded_and_even) {
  const Table table = noisy(9, 101, true);
  const Prepared prepared = prepared_of(table);
  const Folds folds = make_folds(table, prepared, {}, 10, 1);
  std::map<std::int32_t, int> size;
  std::map<std::pair<std::uint32_t, std::int32_t>, int> per_class;
  std::map<std::uint32_t, int> classes;
  for (std::size_t row = 0; row < 101; ++row) {
    const std::uint32_t code = prepared.values.classes[0].codes[row];
    ++size[folds.of_row[row]];
    ++per_class[{code, folds.of_row[row]}];
    ++classes[code];
  }
  ASSERT_EQ(size.size(), 10U);
  for (const auto& [fold, n] : size) EXPECT_TRUE(n == 10 || n == 11);
  for (const auto& [code, n] : classes)
    for (std::int32_t fold = 0; fold < 10; ++fold)
      EXPECT_LE(std::abs(per_class[std::pair(code, fold)] - n / 10.0), 1.0);
  EXPECT_EQ(make_folds(table, prepared, {}, 10, 1).of_row, folds.of_row);
  EXPECT_NE(make_folds(table, prepared, {}, 10, 2).of_row, folds.of_row);
}

TEST(Folds, keep_groups_together) {
  const Table table = noisy(10, 60, true);
  const Prepared prepared = prepared_of(table);
  const Folds folds = make_folds(table, prepared, {FoldSpec::Kind::grouped, "c"}, 3, 0);
  std::map<std::string, std::set<std::int32_t>> of_group;
  for (std::int64_t row = 0; row < 60; ++row)
    of_group[cell_text(table.column(2), row)].insert(folds.of_row[static_cast<std::size_t>(row)]);
  EXPECT_EQ(of_group.size(), 5U);
  for (const auto& [group, in] : of_group) EXPECT_EQ(in.size(), 1U);
  EXPECT_THROW(make_folds(table, prepared, {FoldSpec::Kind::grouped, "c"}, 6, 0), Error);
}

TEST(Folds, in_time_are_judged_by_earlier_rows_only) {
  const Table table = noisy(11, 60, true);
  const Prepared prepared = prepared_of(table);
  const Folds folds = make_folds(table, prepared, {FoldSpec::Kind::ordered, "x"}, 4, 0);
  const auto x = [&](std::size_t row) {
    return std::stod(cell_text(table.column(0), static_cast<std::int64_t>(row)));
  };
  for (std::int32_t fold = 0; fold < 4; ++fold) {
    double latest = -1.0, first = 1e9;
    for (std::size_t row = 0; row < 60; ++row) {
      if (folds.grows(fold, row)) latest = std::max(latest, x(row));
      if (folds.of_row[row] == fold) first = std::min(first, x(row));
    }
    EXPECT_GE(latest, 0.0);
    EXPECT_LT(latest, first);
  }
  EXPECT_EQ(make_folds(table, prepared, {FoldSpec::Kind::ordered, ""}, 4, 0).of_row.front(), Folds::kNoFold);
  EXPECT_EQ(make_folds(table, prepared, {FoldSpec::Kind::ordered, ""}, 4, 0).of_row.back(), 3);
  // Five moments make at most four folds after the first.
  const Folds letters = make_folds(table, prepared, {FoldSpec::Kind::ordered, "c"}, 4, 0);
  for (std::size_t row = 0; row < 60; ++row)
    EXPECT_EQ(letters.of_row[row], cell_text(table.column(2), static_cast<std::int64_t>(row))[0] - 'a' - 1);
  EXPECT_THROW(make_folds(table, prepared, {FoldSpec::Kind::ordered, "c"}, 5, 0), Error);
}

TEST(Folds, refuse_what_cannot_be_divided) {
  const Table table = noisy(12, 8, true);
  const Prepared prepared = prepared_of(table);
  EXPECT_THROW(make_folds(table, prepared, {}, 9, 0), Error);
  EXPECT_THROW(make_folds(table, prepared, {FoldSpec::Kind::ordered, ""}, 8, 0), Error);
  EXPECT_THROW(make_folds(table, prepared, {FoldSpec::Kind::grouped, "nowhere"}, 2, 0), Error);
  EXPECT_THROW(
      make_folds(noisy(10, 60, true), prepared_of(noisy(10, 60, true)), {FoldSpec::Kind::given, "z"}, 2, 0),
      Error);  // missing cells
  try {
    static_cast<void>(fit(table, given_folds(), [] {
      Params params = by_price("impurity", "min");
      params.pruning_folds = 9;
      return params;
    }()));
  } catch (const Error& error) {
    FAIL() << "given folds do not depend on pruning_folds: " << error.what();
  }
}

TEST(Folds, a_column_of_folds_is_no_feature) {
  const Model model = fit(noisy(13, 60, true), given_folds(), by_price("impurity", "min"));
  EXPECT_FALSE(model.features().find("fold").has_value());
}

// ------------------------------------------------------------ the other pruners while fitting

TEST(FittingWithReducedError, grows_without_the_held_out_rows) {
  const Table table = noisy(14, 200, true);
  FitSpec spec = given_folds();
  spec.folds = {};
  spec.ignored.push_back("fold");
  Params params;
  params.pruning = "reduced_error";
  const Model model = fit(table, spec, params);
  EXPECT_EQ(model.tree().n_rows(0), 140);
  EXPECT_EQ(model.parts().provenance.n_rows, 200);
  params.pruning_fraction = 0.5;
  EXPECT_EQ(fit(table, spec, params).tree().n_rows(0), 100);

  // The same by hand: grow on the rows that stay, prune with the others.
  const Prepared prepared = prepare(table, spec, params);
  const std::vector<char> held = hold_out(prepared, 0.5, 0);
  std::vector<RowId> stay, out;
  for (RowId row = 0; row < held.size(); ++row) (held[row] ? out : stay).push_back(row);
  Params plain;
  for (const LeafValues values : {LeafValues::train, LeafValues::prune, LeafValues::both}) {
    params.pruning_leaf_values = values == LeafValues::train   ? "train"
                                 : values == LeafValues::prune ? "prune"
                                                               : "both";
    const Model by_hand =
        reduced_error(fit(table.take(stay), spec, plain), table.take(out), {values, {}, {}});
    const Model fitted = fit(table, spec, params);
    EXPECT_EQ(fitted.tree(), by_hand.tree());
    EXPECT_LT(fitted.tree().n_leaves(), fit(table.take(stay), spec, plain).tree().n_leaves());
  }
  params.seed = 1;
  EXPECT_NE(fit(table, spec, params).tree(), model.tree());
}

TEST(FittingWithReducedError, refuses_what_cannot_be_done) {
  Table table = noisy(15, 40, false);
  FitSpec spec = given_folds();
  Params params;
  params.task = "regression";
  params.pruning = "reduced_error";
  params.pruning_leaf_values = "both";
  params.criterion = "absolute_error";
  EXPECT_THROW(static_cast<void>(fit(table, spec, params)), Error);
  params.pruning_leaf_values = "prune";
  EXPECT_NO_THROW(static_cast<void>(fit(table, spec, params)));
  params.criterion = "squared_error";
  params.monotonic_cst = {{"x", 1.0}};
  EXPECT_THROW(static_cast<void>(fit(table, spec, params)), Error);
  params.pruning_leaf_values = "train";
  EXPECT_NO_THROW(static_cast<void>(fit(table, spec, params)));
  params.pruning_fraction = 0.001;
  EXPECT_THROW(static_cast<void>(fit(table, spec, params)), Error);
}

TEST(Fitting, critical_value_and_mdl_are_growing_then_pruning) {
  const Table table = noisy(16, 150, true);
  Params params, plain;
  const Model full = fit(table, given_folds(), plain);
  params.pruning = "mdl";
  const Model told = fit(table, given_folds(), params);
  EXPECT_EQ(told.tree(), minimum_description(full).tree());
  EXPECT_LT(told.tree().n_leaves(), full.tree().n_leaves());
  EXPECT_GT(told.tree().n_leaves(), 1);
  params.pruning = "critical_value";
  params.critical_value = 0.05;
  EXPECT_EQ(fit(table, given_folds(), params).tree(), critical_value(full, 0.05).tree());
  params.critical_value = 0.0;
  EXPECT_THROW(static_cast<void>(fit(table, given_folds(), params)), Error);
  params.critical_value = 0.1;
  params.ccp_alpha = 0.1;
  EXPECT_THROW(static_cast<void>(fit(table, given_folds(), params)), Error);
  Params absolute;
  absolute.pruning = "mdl";
  absolute.criterion = "absolute_error";
  EXPECT_THROW(static_cast<void>(fit(noisy(16, 50, false), given_folds(), absolute)), Error);
}

TEST(Fitting, the_threads_do_not_show) {
  const Table table = noisy(17, 300, true);
  const Model one = fit(table, given_folds(), by_price("impurity", "min"), {1, {}});
  const Model two = fit(table, given_folds(), by_price("impurity", "min"), {2, {}});
  EXPECT_EQ(one.to_bytes(), two.to_bytes());
}

TEST(PruningModels, that_were_pruned_another_way_stay_readable) {
  Params params;
  params.pruning = "mdl";
  const Model told = fit(noisy(16, 150, true), given_folds(), params);
  const Model twice = prune(told, 0.02);
  EXPECT_EQ(Model::from_bytes(twice.to_bytes()).to_bytes(), twice.to_bytes());
  EXPECT_EQ(twice.params(), told.params());
  EXPECT_FALSE(twice.parts().provenance.notes.empty());
  EXPECT_THROW(static_cast<void>(prune(told, -0.5)), Error);
  EXPECT_THROW(static_cast<void>(prune(told, 0.5, "luck")), Error);
}

}  // namespace
}  // namespace bough
