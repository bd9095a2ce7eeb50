// SPDX-License-Identifier: Apache-2.0
// Scores of models against scikit-learn's numbers and against arithmetic.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bough/inference.hpp"
#include "explain/models.hpp"

namespace bough {
namespace {

using namespace bough::testing;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kClose = 1e-14;

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

Split unit_intervals(std::size_t n_children) {
  Split split;
  split.kind = NodeKind::interval;
  split.column = 0;
  for (std::size_t i = 1; i < n_children; ++i) split.cuts.push_back(static_cast<double>(i) - 0.5);
  return split;
}

// One leaf for x = 0, 1, 2, ...: leaf i holds leaves[i].
TreeBuilder leaf_per_number(Task task, std::vector<std::uint32_t> widths,
                            const std::vector<Numbers>& leaves) {
  TreeBuilder builder(task, std::move(widths));
  const auto root = builder.root();
  builder.set_stats(root, stats(leaves.front(), static_cast<std::int64_t>(leaves.size())));
  const auto first =
      builder.split(root, unit_intervals(leaves.size()), static_cast<std::int32_t>(leaves.size()));
  for (std::size_t i = 0; i < leaves.size(); ++i)
    builder.set_stats(first + static_cast<TreeBuilder::Handle>(i), stats(leaves[i], 1));
  return builder;
}

Model class_model(const Texts& classes, const std::vector<Numbers>& leaves) {
  Model::Parts parts = class_parts({numeric("x")}, class_target("y", classes));
  parts.trees.push_back(
      leaf_per_number(Task::classification, {static_cast<std::uint32_t>(classes.size())}, leaves).finish());
  return Model(std::move(parts));
}

Model number_model(const std::vector<Numbers>& leaves, double quantile = 0.5) {
  Model::Parts parts = number_parts({numeric("x")}, number_target("y"));
  parts.params.quantile = quantile;
  parts.trees.push_back(leaf_per_number(Task::regression, {1}, leaves).finish());
  return Model(std::move(parts));
}

template <class T>
Table table_of(const Numbers& x, const std::vector<T>& y, const Numbers& w = {}) {
  Table table;
  table.add("x", std::span<const double>(x));
  table.add("y", std::span<const T>(y));
  if (!w.empty()) table.add("w", std::span<const double>(w));
  return table;
}

// Chances of yes: 0.25 at x = 0, 0.5 at 1, 0.8 at 2.
const std::vector<Numbers> kTwoLeaves{{3, 1}, {1, 1}, {1, 4}};
const Numbers kTwoX{0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
const Texts kTwoY{"no", "no", "yes", "no", "yes", "yes", "no", "yes", "yes", "no"};
const Numbers kTwoWeights{1, 2, 1, 0.5, 1, 3, 1, 2, 1, 1.5};

std::string complaint(const Model& model, const Table& table, std::string_view weight = {},
                      std::string_view group = {}) {
  try {
    group.empty() ? static_cast<void>(evaluate(model, table, weight))
                  : static_cast<void>(evaluate_by(model, table, group, weight));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_data);
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

void expect_scores(const Evaluation& got, const std::map<std::string, double>& expected) {
  for (const auto& [name, score] : expected) {
    ASSERT_TRUE(got.scores.contains(name)) << name;
    EXPECT_NEAR(got.scores.at(name), score, kClose) << name;
  }
  EXPECT_EQ(got.scores.size(), expected.size());
}

// scikit-learn 1.9.1:
//   x = np.array([0,0,0,1,1,1,1,2,2,2]); y = np.array([0,0,1,0,1,1,0,1,1,0])
//   w = np.array([1,2,1,.5,1,3,1,2,1,1.5]); p = np.array([.25,.5,.8])[x]; pred = (p > .5).astype(int)
//   for s in (None, w): accuracy_score(y, pred, sample_weight=s), balanced_accuracy_score(...),
//     roc_auc_score(y, p, sample_weight=s), max(abs(tpr - fpr)) of roc_curve(..., drop_intermediate=False),
//     log_loss(y, p, sample_weight=s), brier_score_loss(y, p, sample_weight=s), confusion_matrix(...)
TEST(Metrics, two_classes_agree_with_scikit_learn) {
  const Model model = class_model({"no", "yes"}, kTwoLeaves);
  const Table table = table_of(kTwoX, kTwoY, kTwoWeights);
  const Evaluation plain = evaluate(model, table).front();
  expect_scores(plain, {{"accuracy", 0.6},
                        {"balanced_accuracy", 0.6},
                        {"auc", 0.64},
                        {"ks", 0.2},
                        {"log_loss", 0.6789972243325753},
                        {"brier", 0.24075}});
  EXPECT_EQ(plain.confusion, (std::vector<Numbers>{{4, 1}, {3, 2}}));
  EXPECT_EQ(plain.classes, (Texts{"no", "yes"}));
  EXPECT_EQ(plain.n_rows, 10);
  EXPECT_EQ(plain.weight, 10.0);
  EXPECT_EQ(plain.target, "y");

  const Evaluation weighted = evaluate(model, table, "w").front();
  expect_scores(weighted, {{"accuracy", 0.5357142857142857},
                           {"balanced_accuracy", 0.5625},
                           {"auc", 0.671875},
                           {"ks", 0.375},
                           {"log_loss", 0.653231256724908},
                           {"brier", 0.22892857142857143}});
  EXPECT_EQ(weighted.confusion, (std::vector<Numbers>{{4.5, 1.5}, {5, 3}}));
  EXPECT_EQ(weighted.weight, 14.0);
}

// The best 3 of 10 rows score 0.8 and hold 2 yes; the next 4 score 0.5 with 2 yes; the last 3 hold 1. Overall
// 1/2.
TEST(Metrics, lift_of_two_classes) {
  const Evaluation evaluation =
      evaluate(class_model({"no", "yes"}, kTwoLeaves), table_of(kTwoX, kTwoY)).front();
  ASSERT_EQ(evaluation.lift.size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    const double response = i < 3 ? 2.0 / 3.0 : i < 7 ? 0.5 : 1.0 / 3.0;
    EXPECT_NEAR(evaluation.lift[i].response, response, kClose) << i;
    EXPECT_NEAR(evaluation.lift[i].lift, response / 0.5, kClose) << i;
    EXPECT_NEAR(evaluation.lift[i].rows, 1.0, kClose);
  }
}

// scikit-learn 1.9.1:
//   P = np.array([[.5,.25,.25],[.125,.75,.125],[.25,.25,.5],[.125,.5,.375]])
//   x = np.array([0,0,0,1,1,1,2,2,2,3,3,3]); y = np.array([0,0,1,1,1,2,2,2,0,2,1,1]); w = np.arange(1, 13) /
//   4 q = P[x]; roc_auc_score(y, q, multi_class="ovr", average="macro", sample_weight=s), log_loss(y, q,
//   ...), brier_score_loss(y, q, labels=[0,1,2], scale_by_half=False, ...), and the others as above
TEST(Metrics, three_classes_agree_with_scikit_learn) {
  const Model model = class_model({"a", "b", "c"}, {{2, 1, 1}, {1, 6, 1}, {1, 1, 2}, {1, 4, 3}});
  Numbers weights;
  for (int i = 1; i <= 12; ++i) weights.push_back(i / 4.0);
  const Table table =
      table_of<std::string>({0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3},
                            {"a", "a", "b", "b", "b", "c", "c", "c", "a", "c", "b", "b"}, weights);
  const Evaluation plain = evaluate(model, table).front();
  expect_scores(plain, {{"accuracy", 2.0 / 3.0},
                        {"balanced_accuracy", 0.6555555555555556},
                        {"auc", 0.7778439153439155},
                        {"log_loss", 0.8805922287662146},
                        {"brier", 0.5208333333333334}});
  EXPECT_TRUE(plain.lift.empty());
  expect_scores(evaluate(model, table, "w").front(), {{"accuracy", 0.6410256410256411},
                                                      {"balanced_accuracy", 0.5493855606758832},
                                                      {"auc", 0.7560347343674824},
                                                      {"log_loss", 0.896521117546907},
                                                      {"brier", 0.5392628205128205}});
}

// scikit-learn 1.9.1:
//   x = np.array([0,0,1,1,2,2,2]); p = np.array([1.5,4.0,0.25])[x]; y = np.array([1,2.5,3,7,0,0.5,0.25])
//   w = np.array([1,2,.5,1,3,1,.25]); root_mean_squared_error, mean_absolute_error, r2_score,
//   mean_poisson_deviance, mean_pinball_loss(alpha=.9), each without and with sample_weight=w
TEST(Metrics, numbers_agree_with_scikit_learn) {
  const Model model = number_model({{1.5}, {4.0}, {0.25}}, 0.9);
  const Table table =
      table_of<double>({0, 0, 1, 1, 2, 2, 2}, {1, 2.5, 3, 7, 0, 0.5, 0.25}, {1, 2, 0.5, 1, 3, 1, 0.25});
  const Evaluation plain = evaluate(model, table).front();
  EXPECT_EQ(plain.task, Task::regression);
  EXPECT_TRUE(plain.confusion.empty());
  expect_scores(plain, {{"rmse", 1.2747548783981961},
                        {"mae", 0.8571428571428571},
                        {"r2", 0.6888128969223254},
                        {"deviance", 0.5064105256512573},
                        {"pinball", 0.5714285714285714}});
  expect_scores(evaluate(model, table, "w").front(), {{"rmse", 1.1710800875382399},
                                                      {"mae", 0.8},
                                                      {"r2", 0.7097004125537292},
                                                      {"deviance", 0.5670912017993255},
                                                      {"pinball", 0.56}});
}

TEST(Metrics, scores_without_a_meaning_are_absent) {
  const Evaluation negative =
      evaluate(number_model({{1.0}, {-1.0}}), table_of<double>({0, 1}, {1, 2})).front();
  EXPECT_FALSE(negative.scores.contains("deviance"));
  EXPECT_TRUE(negative.scores.contains("r2"));
  const Evaluation constant =
      evaluate(number_model({{1.0}, {2.0}}), table_of<double>({0, 1}, {3, 3})).front();
  EXPECT_FALSE(constant.scores.contains("r2"));
  EXPECT_TRUE(constant.scores.contains("deviance"));
  const Evaluation below = evaluate(number_model({{1.0}, {2.0}}), table_of<double>({0, 1}, {3, -1})).front();
  EXPECT_FALSE(below.scores.contains("deviance"));

  const Evaluation single =
      evaluate(class_model({"no", "yes"}, kTwoLeaves), table_of<std::string>({0, 2}, {"yes", "yes"})).front();
  EXPECT_FALSE(single.scores.contains("auc"));
  EXPECT_FALSE(single.scores.contains("ks"));
  EXPECT_EQ(single.scores.at("balanced_accuracy"), 0.5);  // yes alone occurs; one of its two rows is right
}

TEST(Metrics, a_sure_and_wrong_answer_costs_the_clipped_logarithm) {
  const Evaluation evaluation =
      evaluate(class_model({"no", "yes"}, {{1, 0}, {0, 1}}), table_of<std::string>({0, 1}, {"yes", "yes"}))
          .front();
  // -(ln e + ln(1 - e)) / 2 with e = 2^-52, where scikit-learn clips doubles too
  EXPECT_NEAR(evaluation.scores.at("log_loss"), (52.0 * std::log(2.0) + 0x1p-52) / 2.0, 1e-12);
  EXPECT_EQ(evaluation.scores.at("brier"), 0.5);
}

TEST(Metrics, a_model_of_one_class_ranks_nothing) {
  const Evaluation evaluation =
      evaluate(class_model({"yes"}, {{1}, {1}}), table_of<std::string>({0, 1}, {"yes", "no"})).front();
  EXPECT_EQ(evaluation.scores.at("accuracy"), 0.5);
  EXPECT_FALSE(evaluation.scores.contains("auc"));
  EXPECT_FALSE(evaluation.scores.contains("ks"));
}

TEST(Metrics, labels_never_seen_are_wrong_and_get_a_row_of_their_own) {
  const Evaluation evaluation = evaluate(class_model({"no", "yes"}, kTwoLeaves),
                                         table_of<std::string>({0, 2, 2, 0}, {"no", "yes", "maybe", "if"}))
                                    .front();
  EXPECT_EQ(evaluation.classes, (Texts{"no", "yes", "if", "maybe"}));
  EXPECT_EQ(evaluation.unseen, (Texts{"if", "maybe"}));
  EXPECT_EQ(evaluation.confusion,
            (std::vector<Numbers>{{1, 0, 0, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}}));
  EXPECT_EQ(evaluation.scores.at("accuracy"), 0.5);
  EXPECT_EQ(evaluation.scores.at("balanced_accuracy"), 0.5);  // recalls 1, 1, 0, 0
  // Squared gaps: no (.25, .25), yes (.2, .2), maybe (.2, .8, 1), if (.75, .25, 1).
  EXPECT_NEAR(evaluation.scores.at("brier"), (0.125 + 0.08 + 1.68 + 1.625) / 4.0, kClose);
  // no against the rest: 0.75 0.75 against 0.2 0.2 with one other at 0.75: (0.5 + 1 + 1) / 3; yes likewise;
  // the unseen score 0 everywhere: 1/2 each.
  EXPECT_NEAR(evaluation.scores.at("auc"), (2.5 / 3.0 + 2.5 / 3.0 + 0.5 + 0.5) / 4.0, kClose);
  EXPECT_TRUE(evaluation.lift.empty());
}

TEST(Metrics, rows_that_cannot_be_scored_are_named) {
  const Model model = class_model({"no", "yes"}, kTwoLeaves);
  EXPECT_EQ(complaint(model, table_of<std::string>({0, 1}, {"nein", "ja"})),
            "no label in column 'y' is a class of the model: ja, nein | the classes are no, yes");
  Table missing;
  missing.add("x", std::span<const double>(Numbers{0, 1, 2}));
  missing.add("y", std::span<const std::int32_t>(std::vector<std::int32_t>{0, -1, -1}),
              std::span<const std::string>(Texts{"no", "yes"}));
  EXPECT_EQ(complaint(model, missing),
            "the target 'y' is missing in 2 rows, first in row 2 | leave out rows without "
            "a known target");
  Table other;
  other.add("x", std::span<const double>(Numbers{0}));
  other.add("yy", std::span<const std::string>(Texts{"no"}));
  EXPECT_EQ(complaint(model, other), "the table lacks the target column 'y' | its columns are x, yy");
  EXPECT_EQ(complaint(model, table_of<std::string>({}, {})),
            "the table has no rows to evaluate | give at least one labelled row");
  const Model numbers = number_model({{1.0}, {2.0}});
  EXPECT_EQ(complaint(numbers, table_of<double>({0, 1}, {1, kNaN})),
            "the target 'y' is missing or not finite in 1 row, first in row 2 | leave out rows without a "
            "known target");
  EXPECT_EQ(complaint(numbers, table_of<std::string>({0, 1}, {"a", "b"})),
            "the target 'y' holds text, but the model predicts numbers | give the column the model was "
            "trained on");
}

TEST(Metrics, weights_that_make_no_sense_are_named) {
  const Model model = class_model({"no", "yes"}, kTwoLeaves);
  const auto with = [&](const Numbers& w) {
    return complaint(model, table_of<std::string>({0, 1}, {"no", "yes"}, w), "w");
  };
  EXPECT_EQ(with({1, -1}),
            "the weight column 'w' is missing, negative or not finite in 1 row, first in row 2 | "
            "weights are numbers of 0 or more");
  EXPECT_EQ(with({kNaN, 1}).substr(0, 72),
            "the weight column 'w' is missing, negative or not finite in 1 row, first");
  EXPECT_EQ(with({0, 0}), "every weight in column 'w' is 0 | at least one row must count");
  EXPECT_EQ(complaint(model, table_of<std::string>({0, 1}, {"no", "yes"}), "v"),
            "the table lacks the weight column 'v' | its columns are x, y");
  EXPECT_EQ(complaint(model, table_of<std::string>({0, 1}, {"no", "yes"}), "y"),
            "the weight column 'y' holds text | weights are numbers of 0 or more");
}

TEST(Metrics, groups_are_scored_apart_and_missing_ones_together) {
  const Model model = class_model({"no", "yes"}, kTwoLeaves);
  Table table = table_of(kTwoX, kTwoY);
  const std::vector<std::int32_t> codes{0, 0, 0, 0, 0, 1, 1, 1, 1, -1};
  table.add("g", std::span<const std::int32_t>(codes), std::span<const std::string>(Texts{"old", "young"}));
  const auto groups = evaluate_by(model, table, "g");
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups.at("old").front().n_rows, 5);
  EXPECT_EQ(groups.at("old").front().scores.at("accuracy"), 0.6);     // no no yes no yes against five no
  EXPECT_EQ(groups.at("young").front().scores.at("accuracy"), 0.75);  // yes no yes yes against no no yes yes
  EXPECT_EQ(groups.at("(missing)").front().scores.at("accuracy"), 0.0);
  EXPECT_EQ(complaint(model, table, {}, "h"),
            "the table lacks the group column 'h' | its columns are x, y, g");
  EXPECT_EQ(complaint(model, table_of(kTwoX, kTwoY, kTwoX), "weigth"),
            "the table lacks the weight column 'weigth' | its columns are x, y, w");
}

TEST(Metrics, several_outputs_are_scored_each) {
  Model::Parts parts = class_parts({numeric("x")}, class_target("y", {"no", "yes"}));
  parts.targets.fields.push_back(class_target("z", {"a", "b", "c"}));
  parts.trees.push_back(
      leaf_per_number(Task::classification, {2, 3}, {{1, 0, 1, 0, 0}, {0, 1, 0, 1, 0}, {1, 1, 0, 0, 1}})
          .finish());
  const Model model(std::move(parts));
  Table table = table_of<std::string>({0, 1, 2, 2}, {"no", "no", "no", "yes"});
  table.add("z", std::span<const std::string>(Texts{"a", "b", "c", "a"}));
  const std::vector<Evaluation> evaluations = evaluate(model, table);
  ASSERT_EQ(evaluations.size(), 2U);
  EXPECT_EQ(evaluations[0].target, "y");
  EXPECT_EQ(evaluations[0].scores.at("accuracy"), 0.5);
  EXPECT_EQ(evaluations[1].target, "z");
  EXPECT_EQ(evaluations[1].scores.at("accuracy"), 0.75);
  EXPECT_TRUE(evaluations[1].scores.contains("auc"));
}

TEST(Metrics, json_carries_every_part) {
  const Model model = class_model({"no", "yes"}, kTwoLeaves);
  const std::vector<Evaluation> evaluations = evaluate(model, table_of(kTwoX, kTwoY));
  const auto json = nlohmann::json::parse(to_json(evaluations));
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["target"], "y");
  EXPECT_EQ(json[0]["task"], "classification");
  EXPECT_EQ(json[0]["scores"]["accuracy"], 0.6);
  EXPECT_EQ(json[0]["confusion"], nlohmann::json({{4.0, 1.0}, {3.0, 2.0}}));
  EXPECT_EQ(json[0]["lift"].size(), 10U);
  EXPECT_EQ(json[0]["lift"][0]["decile"], 1);
  const auto groups =
      nlohmann::json::parse(to_json(std::map<std::string, std::vector<Evaluation>>{{"g", evaluations}}));
  EXPECT_EQ(groups["g"], json);
}

// Scores grow with the unit of the numbers, also where squares, and squares of squares, are no doubles.
TEST(Metrics, numbers_of_any_size_are_scored_alike) {
  const Numbers x{0, 0, 1, 1, 2, 2, 2}, truth{1.5, 0.25, 2, 3, 5, 1, 4};
  const auto scored = [&](double unit) {
    Numbers y = truth;
    for (double& number : y) number *= unit;
    return evaluate(number_model({{unit}, {2 * unit}, {4 * unit}}), table_of(x, y)).front();
  };
  const Evaluation plain = scored(1.0);
  for (const int power : {-1000, -600, -200, 200, 490, 1000}) {
    const Evaluation far = scored(std::ldexp(1.0, power));
    ASSERT_EQ(far.scores.size(), plain.scores.size());
    ASSERT_EQ(far.intervals.size(), plain.intervals.size());
    for (const auto& [name, score] : plain.scores)
      EXPECT_EQ(far.scores.at(name), name == "r2" ? score : std::ldexp(score, power))
          << name << " 2^" << power;
    for (const auto& [name, interval] : plain.intervals)
      EXPECT_EQ(far.intervals.at(name).high, name == "r2" ? interval.high : std::ldexp(interval.high, power))
          << name << " 2^" << power;
  }
}

TEST(Metrics, one_truth_has_no_r2_although_its_mean_is_rounded) {
  const Numbers x(7, 0.0), y(7, 0.1);  // 7 * 0.1 / 7 is not 0.1
  EXPECT_FALSE(evaluate(number_model({{0.1}, {1}}), table_of(x, y)).front().scores.contains("r2"));
}

TEST(Metrics, weights_whose_squares_are_no_doubles_are_refused) {
  const Model model = class_model({"no", "yes"}, kTwoLeaves);
  for (const double weight : {1e300, 1e308, 1e-300})
    EXPECT_NE(complaint(model, table_of(kTwoX, kTwoY, Numbers(kTwoX.size(), weight)), "w")
                  .find("the sum of all weights is"),
              std::string::npos);
  const Table table = table_of(kTwoX, kTwoY, Numbers(kTwoX.size(), 0x1p300));
  EXPECT_EQ(evaluate(model, table, "w").front().scores, evaluate(model, table).front().scores);
}

}  // namespace
}  // namespace bough
