// SPDX-License-Identifier: Apache-2.0
// Parameters: reading text, printing it back, ranges and the words of refusals.
#include "bough/params.hpp"

#include <gtest/gtest.h>

namespace bough {
namespace {

// What a failing call says: "message | hint".
template <class Call>
std::string complaint(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_params);
    return std::string(error.what()) + " | " + error.hint();
  }
  return "no error";
}

std::string complaint_about(std::string_view name, std::string_view text) {
  Params params;
  const std::string words = complaint([&] { set_param(params, name, text); });
  EXPECT_EQ(params, Params{}) << "a refused value must change nothing";
  return words;
}

std::string round_trip(std::string_view name, std::string_view text) {
  Params params;
  set_param(params, name, text);
  const std::string printed = param_text(params, *find_param(name));
  Params again;
  set_param(again, name, printed);
  EXPECT_EQ(params, again) << name << "=" << text << " printed as " << printed;
  return printed;
}

TEST(Params, every_row_has_a_name_of_its_own_and_is_found_by_it) {
  for (const ParamRow& row : kParams) EXPECT_EQ(find_param(row.name), &row) << row.name;
  EXPECT_EQ(find_param("depth"), nullptr);
  EXPECT_EQ(find_param(""), nullptr);
}

TEST(Params, defaults_are_valid_and_their_text_reads_back) {
  validate(Params{});
  for (const ParamRow& row : kParams) {
    Params params;
    set_param(params, row.name, param_default(row));
    EXPECT_EQ(params, Params{}) << row.name;
  }
}

TEST(Params, text_becomes_the_typed_value) {
  Params params;
  set_param(params, "max_depth", "8");
  set_param(params, "min_samples_leaf", "1.0");
  set_param(params, "min_samples_split", "0.25");
  set_param(params, "max_features", "sqrt");
  set_param(params, "min_impurity_decrease", "1e-3");
  set_param(params, "criterion", "log_loss");
  set_param(params, "class_weight", "yes=2, no=0.5");
  set_param(params, "monotonic_cst", "age=1,price=-1");
  set_param(params, "interaction_cst", "a, b;c,d");
  set_param(params, "seed", "9223372036854775807");
  EXPECT_EQ(params.max_depth, 8);
  EXPECT_EQ(params.min_samples_leaf, Amount::fraction(1.0));
  EXPECT_EQ(params.min_samples_split, Amount::fraction(0.25));
  EXPECT_EQ(params.max_features, Amount::named(Amount::Unit::sqrt));
  EXPECT_EQ(params.min_impurity_decrease, 0.001);
  EXPECT_EQ(params.criterion, "log_loss");
  EXPECT_EQ(params.class_weight.by_name, (std::map<std::string, double>{{"no", 0.5}, {"yes", 2.0}}));
  EXPECT_EQ(params.monotonic_cst, (NameNumbers{{"age", 1.0}, {"price", -1.0}}));
  EXPECT_EQ(params.interaction_cst, (NameGroups{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(params.seed, 9223372036854775807);
  set_param(params, "max_depth", "none");
  EXPECT_EQ(params.max_depth, std::nullopt);
}

TEST(Params, a_decimal_point_makes_a_fraction_and_its_absence_a_count) {
  Params params;
  set_param(params, "min_samples_leaf", "1");
  EXPECT_EQ(params.min_samples_leaf, Amount::count(1));
  set_param(params, "min_samples_leaf", "1.0");
  EXPECT_EQ(params.min_samples_leaf, Amount::fraction(1.0));
  set_param(params, "min_samples_leaf", "1e-2");
  EXPECT_EQ(params.min_samples_leaf, Amount::fraction(0.01));
  EXPECT_EQ(round_trip("min_samples_leaf", "1"), "1");
  EXPECT_EQ(round_trip("min_samples_leaf", "1.0"), "1.0");
  EXPECT_EQ(round_trip("min_samples_leaf", "4000000000000000"), "4000000000000000");
  EXPECT_EQ(round_trip("min_samples_leaf", "1e-300"), "1e-300");
}

TEST(Params, printed_values_read_back_as_the_same_value) {
  EXPECT_EQ(round_trip("max_features", "log2"), "log2");
  EXPECT_EQ(round_trip("max_features", "none"), "none");
  EXPECT_EQ(round_trip("min_impurity_decrease", "0.1"), "0.1");
  EXPECT_EQ(round_trip("class_weight", "balanced"), "balanced");
  EXPECT_EQ(round_trip("class_weight", "b=2,a=0.1"), "a=0.1,b=2");
  EXPECT_EQ(round_trip("class_weight", "a=b=2"), R"({"a=b":2.0})");
  EXPECT_EQ(round_trip("class_weight", R"({"a,b": 1.5, "": 2})"), R"({"":2.0,"a,b":1.5})");
  EXPECT_EQ(round_trip("class_weight", R"({"none": 1.5})"), R"({"none":1.5})");
  EXPECT_EQ(round_trip("interaction_cst", R"([["none"]])"), R"([["none"]])");
  EXPECT_EQ(round_trip("interaction_cst", R"([["a;b", "c"], ["d"]])"), R"([["a;b","c"],["d"]])");
  EXPECT_EQ(round_trip("interaction_cst", "größe,b;c"), "größe,b;c");
}

TEST(Params, depth_zero_is_refused_with_the_word_for_no_limit) {
  EXPECT_EQ(complaint_about("max_depth", "0"),
            "max_depth must be a whole number >= 1 or none, but is '0' | use `none` for no limit");
}

TEST(Params, refusals_name_the_parameter_the_range_and_the_fix) {
  EXPECT_EQ(complaint_about("max_depth", "-3"),
            "max_depth must be a whole number >= 1 or none, but is '-3' | use `none` for no limit");
  EXPECT_EQ(complaint_about("max_depth", "2.5"),
            "max_depth must be a whole number >= 1 or none, but is '2.5' | ");
  EXPECT_EQ(complaint_about("max_depth", "99999999999"),
            "max_depth must be a whole number >= 1 or none, but is '99999999999' | ");
  EXPECT_EQ(complaint_about("min_weight_fraction_leaf", "0.6"),
            "min_weight_fraction_leaf must be a number in [0, 0.5], but is '0.6' | ");
  EXPECT_EQ(complaint_about("quantile", "0"), "quantile must be a number in (0, 1], but is '0' | ");
  EXPECT_EQ(complaint_about("quantile", "nan"), "quantile must be a number in (0, 1], but is 'nan' | ");
  EXPECT_EQ(complaint_about("min_impurity_decrease", "inf"),
            "min_impurity_decrease must be a number >= 0, but is 'inf' | ");
  EXPECT_EQ(
      complaint_about("min_samples_leaf", "0"),
      "min_samples_leaf must be a whole number >= 1 or a fraction in (0, 1], but is '0' | a number with a "
      "decimal point is a fraction, one without is a count");
  EXPECT_EQ(
      complaint_about("min_samples_split", "5.0"),
      "min_samples_split must be a whole number >= 2 or a fraction in (0, 1], but is '5.0' | a number with a "
      "decimal point is a fraction; write 5 for a count");
  EXPECT_EQ(
      complaint_about("min_samples_leaf", "sqrt"),
      "min_samples_leaf must be a whole number >= 1 or a fraction in (0, 1], but is 'sqrt' | sqrt, log2, "
      "square and auto are for max_features");
  EXPECT_EQ(complaint_about("max_features", "some"),
            "max_features must be a whole number >= 1, a fraction > 0, sqrt, log2, square, auto or none, but "
            "is 'some' | ");
  EXPECT_EQ(complaint_about("splitter", "bestt"),
            "splitter must be one of best, random, hist, but is 'bestt' | did you "
            "mean best?");
  EXPECT_EQ(complaint_about("seed", "-1"), "seed must be a whole number >= 0, but is '-1' | ");
}

TEST(Params, refusals_of_names_say_which_part_is_wrong) {
  EXPECT_EQ(complaint_about("class_weight", "yes=-1"),
            "class_weight must be none, balanced, balanced_subsample (forests), or name=weight pairs where a "
            "weight is a number >= 0, but is "
            "'yes=-1' | the weight of class 'yes' is -1");
  EXPECT_EQ(complaint_about("class_weight", "heavy"),
            "class_weight must be none, balanced, balanced_subsample (forests), or name=weight pairs where a "
            "weight is a number >= 0, but is "
            "'heavy' | 'heavy' is not name=number");
  EXPECT_EQ(complaint_about("class_weight", "a=1,a=2"),
            "class_weight must be none, balanced, balanced_subsample (forests), or name=weight pairs where a "
            "weight is a number >= 0, but is "
            "'a=1,a=2' | 'a' is given twice");
  EXPECT_EQ(
      complaint_about("monotonic_cst", "age=0.5"),
      "monotonic_cst must be none, or name=number pairs where a number is a whole number in [-1, 1], but is "
      "'age=0.5' | the number of column 'age' is 0.5");
  EXPECT_EQ(
      complaint_about("interaction_cst", "a,;b"),
      "interaction_cst must be none, or groups of names: a,b;c,d, but is 'a,;b' | a name is empty; names go "
      "between commas, groups between semicolons");
  EXPECT_EQ(
      complaint_about("interaction_cst", "[["),
      "interaction_cst must be none, or groups of names: a,b;c,d, but is '[[' | the value begins like JSON "
      "but is not JSON");
}

TEST(Params, an_unknown_name_is_answered_with_the_nearest_one) {
  EXPECT_EQ(complaint_about("max_dept", "3"), "there is no parameter 'max_dept' | did you mean max_depth?");
  EXPECT_EQ(complaint_about("zzzzzz", "3").substr(0, 60),
            "there is no parameter 'zzzzzz' | the parameters are task, al");
}

TEST(Params, validate_lists_all_problems_at_once) {
  Params params;
  params.max_depth = 0;
  params.quantile = 2.0;
  params.min_samples_leaf = Amount::count(2.5);
  params.criterion = "ginni";
  EXPECT_EQ(
      complaint([&] { validate(params); }),
      "4 parameters are wrong:\n"
      "  criterion must be one of auto, gini, entropy, misclassification, hellinger, gain_ratio, "
      "squared_error, absolute_error, poisson, quantile, log_loss, friedman_mse, but is ginni\n"
      "  quantile must be a number in (0, 1], but is 2\n"
      "  max_depth must be a whole number >= 1 or none, but is 0\n"
      "  min_samples_leaf must be a whole number >= 1 or a fraction in (0, 1], but is 2.5 | "
      "did you mean gini?; use `none` for no limit; a number with a decimal point is a fraction, one without "
      "is a count");
}

TEST(Params, validate_refuses_what_only_a_program_can_build) {
  Params params;
  params.class_weight = {true, false, {{"a", 1.0}}};
  EXPECT_NE(complaint([&] { validate(params); }).find("choose between balanced and weights by name"),
            std::string::npos);
  params = {};
  params.interaction_cst = {{}};
  EXPECT_NE(complaint([&] { validate(params); }).find("a group without columns"), std::string::npos);
  params = {};
  params.monotonic_cst = {{"\xff", 1.0}};
  EXPECT_NE(complaint([&] { validate(params); }).find("UTF-8"), std::string::npos);
  params = {};
  params.min_samples_leaf = Amount::fraction(std::numeric_limits<double>::quiet_NaN());
  EXPECT_NE(complaint([&] { validate(params); }).find("min_samples_leaf"), std::string::npos);
  params = {};
  params.min_samples_leaf = Amount::count(std::numeric_limits<double>::infinity());
  EXPECT_NE(complaint([&] { validate(params); }).find("min_samples_leaf"), std::string::npos);
}

TEST(Params, a_criterion_of_the_other_task_is_refused) {
  Params params;
  params.task = "regression";
  params.criterion = "gini";
  EXPECT_EQ(complaint([&] { validate(params); }),
            "criterion=gini is not for task=regression | use one of squared_error, absolute_error, poisson, "
            "quantile, or auto");
  params.task = "classification";
  params.criterion = "friedman_mse";
  EXPECT_EQ(
      complaint([&] { validate(params); }),
      "criterion=friedman_mse is not for task=classification | use one of gini, entropy, misclassification, "
      "hellinger, gain_ratio, or auto");
  params.criterion = "log_loss";
  validate(params);
}

// scikit-learn: ceil(f * n) for row limits; max(1, int(f * p)), int(sqrt(p)), int(log2(p)) for max_features.
TEST(Amount, resolves_as_scikit_learn_does) {
  EXPECT_EQ(Amount::count(7).resolve_up(3), 7);
  EXPECT_EQ(Amount::fraction(0.1).resolve_up(101), 11);  // ceil(10.1)
  EXPECT_EQ(Amount::fraction(0.5).resolve_up(10), 5);
  EXPECT_EQ(Amount::fraction(1e-9).resolve_up(10), 1);
  EXPECT_EQ(Amount::fraction(1.0).resolve_up(10), 10);
  EXPECT_EQ(Amount::count(7).resolve_down(30), 7);
  EXPECT_EQ(Amount::fraction(0.33).resolve_down(10), 3);  // int(3.3)
  EXPECT_EQ(Amount::fraction(0.05).resolve_down(10), 1);  // max(1, int(0.5))
  EXPECT_EQ(Amount::named(Amount::Unit::sqrt).resolve_down(24), 4);
  EXPECT_EQ(Amount::named(Amount::Unit::sqrt).resolve_down(25), 5);
  EXPECT_EQ(Amount::named(Amount::Unit::log2).resolve_down(1), 1);  // log2(1) = 0
  EXPECT_EQ(Amount::named(Amount::Unit::log2).resolve_down(8), 3);
  EXPECT_EQ(Amount::named(Amount::Unit::log2).resolve_down(7), 2);
  EXPECT_EQ(Amount::named(Amount::Unit::log2).resolve_down(0), 1);
  EXPECT_EQ(Amount::named(Amount::Unit::log2).resolve_up(9), 4);
  EXPECT_EQ(Amount::named(Amount::Unit::log2).resolve_up(8), 3);
  EXPECT_EQ(Amount::named(Amount::Unit::sqrt).resolve_up(10), 4);
}

}  // namespace
}  // namespace bough
