// SPDX-License-Identifier: Apache-2.0
// Every training parameter, declared once. Flags, --help, JSON, validation, Python signatures and the
// reference page all walk kParams.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bough/criteria.hpp"
#include "bough/error.hpp"

namespace bough {

/// A number of things: a count, a fraction of some total, or a named function of it.
struct Amount {
  enum class Unit : std::uint8_t { count, fraction, sqrt, log2, square, automatic };
  Unit unit = Unit::count;
  double value = 0.0;

  static constexpr Amount count(double n) { return {Unit::count, n}; }
  static constexpr Amount fraction(double f) { return {Unit::fraction, f}; }
  static constexpr Amount named(Unit unit) { return {unit, 0.0}; }
  /// ceil(fraction * total) or the count itself, at least 1 (row limits).
  [[nodiscard]] std::int64_t resolve_up(std::int64_t total) const;
  /// floor of the amount of `total`, at least 1 (column sampling). A count may exceed `total`.
  [[nodiscard]] std::int64_t resolve_down(std::int64_t total) const;
  bool operator==(const Amount&) const = default;
};
/// The amount that sqrt, log2, square or auto stands for; nothing for another word.
std::optional<Amount> named_amount(std::string_view word) noexcept;

/// Weights per class label: none, balanced (inverse to frequency), balanced_subsample or given by name.
struct ClassWeight {
  bool balanced = false;
  bool subsample = false;  ///< balanced among the rows that each tree of a forest draws
  std::map<std::string, double> by_name;
  bool operator==(const ClassWeight&) const = default;
};

/// How far the values of nodes move towards those of the nodes above them: a strength, or one that the rows choose.
struct Shrinkage {
  bool cross_validated = false;
  double strength = 0.0;  ///< lambda of hierarchical shrinkage; 0: none
  bool operator==(const Shrinkage&) const = default;
};

/// A number per column name (monotone constraints: -1, 0, 1).
using NameNumbers = std::map<std::string, double>;
/// Groups of column names (interaction constraints).
using NameGroups = std::vector<std::vector<std::string>>;
/// Rows of numbers (a loss matrix: true class by predicted class).
using NumberGrid = std::vector<std::vector<double>>;

struct Params {
  std::string task = "auto";
  std::string algorithm = "cart";
  std::string criterion = "auto";
  std::string splitter = "best";
  std::string category_split = "subset";
  std::string category_branches = "multiway";
  std::string discretize = "none";
  std::optional<std::int32_t> max_depth;
  Amount min_samples_split = Amount::count(2);
  Amount min_samples_leaf = Amount::count(1);
  double min_weight_fraction_leaf = 0.0;
  double min_impurity_decrease = 0.0;
  std::optional<Amount> max_features;
  std::optional<std::int32_t> max_leaf_nodes;
  std::optional<std::int32_t> min_samples_branch;
  double ccp_alpha = 0.0;
  std::string pruning = "auto";
  double pruning_fraction = 0.3;
  std::string pruning_leaf_values = "train";
  std::string pruning_risk = "impurity";
  std::int32_t pruning_folds = 10;
  std::string pruning_rule = "min";
  double critical_value = 0.0;
  double confidence_factor = 0.25;
  bool subtree_raising = true;
  bool collapse = true;
  std::string leaf_probability = "plain";
  Shrinkage shrinkage;
  bool j48 = false;
  double quantile = 0.5;
  ClassWeight class_weight;
  NameNumbers priors;
  NumberGrid loss_matrix;
  std::string missing_policy = "learn";
  std::int32_t surrogates = 5;
  std::string surrogate_else = "majority";
  std::string surrogate_agreement = "all";
  std::int32_t competitors = 0;
  NameNumbers column_costs;
  double cp = -1.0;
  NameNumbers monotonic_cst;
  NameGroups interaction_cst;
  bool oblique = false;
  double feature_combinations = 1.5;
  std::string projection_weights = "sign";
  std::string projection_scale = "none";
  bool axis_candidates = true;
  std::string search = "greedy";
  double leaf_price = 0.0;
  std::optional<std::int64_t> work_limit;
  std::optional<double> time_limit;
  std::int32_t tao = 0;
  double tao_fraction = 0.2;
  bool honest = false;
  double honest_fraction = 0.5;
  std::string honest_method = "apply";
  std::string honest_prior = "ancestor";
  bool honest_stratify = true;
  std::int32_t min_honest_rows = 1;
  bool cross_fit = false;
  double calibration_fraction = 0.0;
  bool leaf_samples = false;
  std::string causal_split = "effect";
  std::int32_t min_samples_arm = 5;
  std::int32_t forest = 0;
  bool bootstrap = true;
  std::optional<Amount> max_samples;
  std::int32_t little_bags = 0;
  std::int64_t seed = 0;

  bool operator==(const Params&) const = default;
};

/// Pointer to the member a row of the table describes; its type decides how text is read.
using ParamMember =
    std::variant<bool Params::*, std::int32_t Params::*, std::int64_t Params::*, double Params::*,
                 std::string Params::*, Amount Params::*, std::optional<std::int32_t> Params::*,
                 std::optional<std::int64_t> Params::*, std::optional<double> Params::*,
                 std::optional<Amount> Params::*, ClassWeight Params::*, Shrinkage Params::*,
                 NameNumbers Params::*, NameGroups Params::*, NumberGrid Params::*>;

enum class ParamScope : std::uint8_t { tree, forest, both };
enum class ParamTier : std::uint8_t { basic, expert };

/// Allowed numbers, ends included unless open_low.
struct ParamRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;
};

struct ParamRow {
  std::string_view name;
  ParamMember member;
  std::string_view group;
  std::string_view doc;
  ParamRange range;                           ///< counts and plain numbers
  std::span<const std::string_view> choices;  ///< strings only
  ParamScope scope = ParamScope::both;
  ParamTier tier = ParamTier::basic;
};

inline constexpr std::array<std::string_view, 3> kTasks{"auto", "classification", "regression"};
inline constexpr std::array<std::string_view, 3> kAlgorithms{"cart", "id3", "c45"};
inline constexpr std::array<std::string_view, 2> kCategoryBranches{"multiway", "grouped"};
inline constexpr std::array<std::string_view, 3> kDiscretizers{"none", "mdl", "mdl_node"};
inline constexpr std::array<std::string_view, 2> kLeafProbabilities{"plain", "laplace"};
inline constexpr std::array<std::string_view, 3> kSplitters{"best", "random", "hist"};
inline constexpr std::array<std::string_view, 4> kSearches{"greedy", "anytime", "optimal", "auto"};
inline constexpr std::array<std::string_view, 2> kCategorySplits{"subset", "equality"};
inline constexpr std::array<std::string_view, 7> kPruners{
    "auto", "none", "cost_complexity", "reduced_error", "pessimistic", "critical_value", "mdl"};
inline constexpr std::array<std::string_view, 3> kPruningLeafValues{"train", "prune", "both"};
inline constexpr std::array<std::string_view, 2> kPruningRisks{"impurity", "error"};
inline constexpr std::array<std::string_view, 2> kPruningRules{"min", "one_se"};

inline constexpr std::array<std::string_view, 3> kMissingPolicies{"learn", "surrogate", "stop"};
inline constexpr std::array<std::string_view, 2> kSurrogateElse{"majority", "stop"};
inline constexpr std::array<std::string_view, 2> kSurrogateAgreements{"all", "known"};
inline constexpr std::array<std::string_view, 2> kProjectionWeights{"sign", "continuous"};
inline constexpr std::array<std::string_view, 2> kProjectionScales{"none", "standard"};
inline constexpr std::array<std::string_view, 2> kHonestMethods{"apply", "prune"};
inline constexpr std::array<std::string_view, 4> kHonestPriors{"ancestor", "empirical", "uniform", "ignore"};
inline constexpr std::array<std::string_view, 2> kCausalSplits{"effect", "propensity"};

// clang-format off
inline constexpr std::array<ParamRow, 69> kParams{{
  {"task", &Params::task, "Problem",
   "What the target is. auto: classification for text, boolean and few distinct whole numbers, else regression.",
   {}, kTasks},
  {"algorithm", &Params::algorithm, "Problem",
   "How the tree is grown. cart: two branches, any criterion. id3: a branch per value, by information gain. c45: by gain ratio, with fractions of rows for missing cells, pruned.",
   {}, kAlgorithms},
  {"criterion", &Params::criterion, "Problem",
   "How splits are scored. auto: gini for classification, squared_error for regression; entropy in id3, gain_ratio in c45. log_loss means entropy, friedman_mse means squared_error.",
   {}, kCriterionChoices},
  {"quantile", &Params::quantile, "Problem",
   "The quantile that criterion=quantile estimates.", {0.0, 1.0, true}, {}},
  {"max_depth", &Params::max_depth, "Growth",
   "Maximum number of splits on a path from the root to a leaf. none: no limit.", {1.0}, {}},
  {"min_samples_split", &Params::min_samples_split, "Growth",
   "Minimum number of rows in a node that is split: a count, or a fraction of all rows.", {2.0}, {}},
  {"min_samples_leaf", &Params::min_samples_leaf, "Growth",
   "Minimum number of rows in a leaf: a count, or a fraction of all rows.", {1.0}, {}},
  {"min_weight_fraction_leaf", &Params::min_weight_fraction_leaf, "Growth",
   "Minimum share of the total weight in a leaf.", {0.0, 0.5}, {}},
  {"min_impurity_decrease", &Params::min_impurity_decrease, "Growth",
   "Minimum impurity decrease of a split, weighted by the node's share of all rows.", {0.0}, {}},
  {"max_leaf_nodes", &Params::max_leaf_nodes, "Growth",
   "Maximum number of leaves; the best splits are made first. none: no limit.", {2.0}, {}},
  {"min_samples_branch", &Params::min_samples_branch, "Growth",
   "id3 and c45: weight that at least two branches of a split must hold. none: 2 in c45, 1 in id3.", {1.0}, {}},
  {"ccp_alpha", &Params::ccp_alpha, "Pruning",
   "Cost per leaf in minimal cost-complexity pruning: a branch that lowers the impurity by no more than this per leaf is cut. 0: no such pruning or, with pruning=cost_complexity, a cost chosen by cross-validation.",
   {0.0}, {}},
  {"pruning", &Params::pruning, "Pruning",
   "How the grown tree is pruned. cost_complexity: at the cost per leaf ccp_alpha, or at one chosen by cross-validation. reduced_error: by the errors on held-out rows. pessimistic: branches without which the upper limit of the error is no higher are cut (C4.5). critical_value: branches in which no split reaches critical_value are cut. mdl: to the shortest description. none: only by ccp_alpha. auto: pessimistic in c45, else none.",
   {}, kPruners},
  {"pruning_fraction", &Params::pruning_fraction, "Pruning",
   "Share of the rows that pruning=reduced_error holds out, drawn by seed, class by class.", {0.0, 0.9, true}, {}},
  {"pruning_leaf_values", &Params::pruning_leaf_values, "Pruning",
   "Which rows set the value of a leaf made by pruning=reduced_error: those the tree was grown on, those held out, or both.",
   {}, kPruningLeafValues},
  {"pruning_risk", &Params::pruning_risk, "Pruning",
   "What pruning=cost_complexity weighs against the number of leaves: the impurity of the criterion, or the error (the share of rows outside the largest class; for classes only).",
   {}, kPruningRisks},
  {"pruning_folds", &Params::pruning_folds, "Pruning",
   "Folds of the cross-validation that chooses the cost per leaf when pruning=cost_complexity and ccp_alpha=0, the strength when shrinkage=cv, and everything that search=auto chooses.", {2.0}, {}},
  {"pruning_rule", &Params::pruning_rule, "Pruning",
   "How cross-validation chooses the cost per leaf. min: the cost with the lowest error. one_se: the highest cost whose error is within one standard error of the lowest. With search=auto, where trees can be searched: min takes the tree with the lowest loss plus 0.3% of the one-leaf loss per leaf, one_se the smallest tree within one standard error of that; if max_leaf_nodes is given, the smallest tree whose loss is within a quarter of a standard error (min) or one standard error (one_se) of the lowest.",
   {}, kPruningRules},
  {"critical_value", &Params::critical_value, "Pruning",
   "Impurity decrease, weighted by the node's share of all rows, that a split, or one below it, must reach to survive pruning=critical_value.",
   {0.0}, {}},
  {"confidence_factor", &Params::confidence_factor, "Pruning",
   "Probability that the upper limit of the error in pessimistic pruning is too low; smaller values prune more.", {0.0, 0.5, true}, {}},
  {"subtree_raising", &Params::subtree_raising, "Pruning",
   "Whether pessimistic pruning may replace a node by its heaviest branch.", {}, {}},
  {"collapse", &Params::collapse, "Pruning",
   "c45: whether branches that make no fewer errors on the training rows than a leaf are cut, even when nothing else is pruned.",
   {}, {}},
  {"cp", &Params::cp, "Pruning",
   "Complexity parameter as in rpart: a branch that lowers the risk (error, loss or deviance) by no more than this share of the root's risk per split is cut. Negative: none.",
   {-1.0}, {}},
  {"leaf_probability", &Params::leaf_probability, "Prediction",
   "Class shares of a leaf. plain: as in training. laplace: with one row added to every class.", {}, kLeafProbabilities},
  {"shrinkage", &Params::shrinkage, "Prediction",
   "Hierarchical shrinkage: the prediction of a leaf is the root's value plus the change at each step of the path, divided by 1 + shrinkage / weight of the node where the step starts. Splits do not change. cv: the strength with the lowest cross-validated loss (log loss for classes; folds as in pruning_folds, in a forest the rows that a tree's sample left out). none: a leaf predicts from its own rows only.",
   {0.0}, {}},
  {"max_features", &Params::max_features, "Search",
   "Columns considered per node: a count, a fraction, sqrt or log2; auto: sqrt for classes, a third for numbers. none: all. Oblique trees: combinations tried per node, possibly more than there are columns; square: the number of columns squared.", {1.0}, {}},
  {"splitter", &Params::splitter, "Search",
   "best: the best cut of every column. random: the best among one random cut per column. hist: the best cut between 255 buckets per column, an approximation.", {}, kSplitters},
  {"category_split", &Params::category_split, "Search",
   "How categories are tested. subset: a set of values against the rest. equality: one value against the rest.",
   {}, kCategorySplits},
  {"category_branches", &Params::category_branches, "Search",
   "id3 and c45: branches of a category. multiway: one per value. grouped: values are joined while that raises the gain ratio.",
   {}, kCategoryBranches},
  {"discretize", &Params::discretize, "Search",
   "id3 and c45: intervals of a numeric column by the minimum description length (Fayyad and Irani). none: a threshold in c45, an error in id3. mdl: once for all rows. mdl_node: again in every node.",
   {}, kDiscretizers},
  {"j48", &Params::j48, "Search",
   "c45: thresholds, ties and error limits as in Weka's J48 instead of bough's.", {}, {}, ParamScope::tree, ParamTier::expert},
  {"competitors", &Params::competitors, "Search",
   "Second-best splits, one per column, kept at every node for display.", {0.0, 1000.0}, {}, ParamScope::both, ParamTier::expert},
  {"class_weight", &Params::class_weight, "Weights",
   "Weight per class: none, balanced, or name=weight pairs.", {0.0}, {}},
  {"priors", &Params::priors, "Weights",
   "Prior probability of every class: name=share pairs that sum to 1. none: the classes' shares of the weight.", {0.0, 1.0}, {}},
  {"loss_matrix", &Params::loss_matrix, "Weights",
   "Cost of predicting one class for a row of another: a row per true class, in the order of the classes, zeros on the diagonal: 0,1;5,0. none: every error costs 1.",
   {0.0}, {}},
  {"column_costs", &Params::column_costs, "Weights",
   "Price of testing a column: name=number pairs; the gain of a split is divided by it. Columns not named cost 1.",
   {0.0, std::numeric_limits<double>::infinity(), true}, {}},
  {"missing_policy", &Params::missing_policy, "Missing cells",
   "Rows whose tested cell is missing. learn: to the side that improves the split. surrogate: splits are scored on known cells; other rows follow the tests that agree best with the split. stop: they stay at the node.",
   {}, kMissingPolicies},
  {"surrogates", &Params::surrogates, "Missing cells",
   "Maximum number of surrogate tests kept per node (missing_policy=surrogate).", {0.0, 1000.0}, {}, ParamScope::both, ParamTier::expert},
  {"surrogate_else", &Params::surrogate_else, "Missing cells",
   "Rows that no surrogate decides. majority: to the heavier child. stop: they stay at the node.",
   {}, kSurrogateElse, ParamScope::both, ParamTier::expert},
  {"surrogate_agreement", &Params::surrogate_agreement, "Missing cells",
   "Agreement of a surrogate as a share of all rows that the split decides, or of those whose surrogate cell is known.",
   {}, kSurrogateAgreements, ParamScope::both, ParamTier::expert},
  {"monotonic_cst", &Params::monotonic_cst, "Constraints",
   "Columns along which the prediction may only rise (1) or fall (-1): name=1 pairs. For two classes, the prediction is the probability of the second.",
   {-1.0, 1.0}, {}},
  {"interaction_cst", &Params::interaction_cst, "Constraints",
   "Groups of columns that may be tested on one path: a,b;c,d. A column in no group is a group of its own.", {}, {}},
  {"oblique", &Params::oblique, "Oblique",
   "Whether a node may test a weighted sum of numeric columns.", {}, {}},
  {"feature_combinations", &Params::feature_combinations, "Oblique",
   "Average number of columns in a combination of an oblique tree.", {1.0}, {}},
  {"projection_weights", &Params::projection_weights, "Oblique",
   "Weights in a combination. sign: 1 or -1. continuous: drawn between -1 and 1.", {}, kProjectionWeights},
  {"projection_scale", &Params::projection_scale, "Oblique",
   "What a weight multiplies. none: the column as it is. standard: the column divided by its standard deviation, so that units do not matter.",
   {}, kProjectionScales},
  {"axis_candidates", &Params::axis_candidates, "Oblique",
   "Whether an oblique tree also tries every single column.", {}, {}},
  {"search", &Params::search, "Search",
   "How the tree is found. greedy: split by split, by the criterion. anytime: trees within max_leaf_nodes and max_depth are searched for the fewest errors (numbers: the lowest squared error) on the training rows until work_limit. optimal: until it is proved that no tree is better, or a limit ends the search; the model says which. Among trees with equally few errors, one with a low gini impurity is taken. auto: cross-validation chooses the number of leaves, whether the tree is grown and pruned or searched as by anytime (one target, at most 300,000 cells), and the strength of shrinkage. Where trees of classes can be searched, every leaf costs 0.3% of the one-leaf loss, unless max_leaf_nodes is given or a larger tree makes at most half the errors, a difference of more than one standard error. Elsewhere the size is that of pruning=cost_complexity; for numbers, a searched tree replaces a pruned one of at most 32 leaves if it has no more leaves and no higher loss.",
   {}, kSearches, ParamScope::tree},
  {"leaf_price", &Params::leaf_price, "Search",
   "search=anytime and optimal: what a leaf costs, in weight of errors (numbers: in squared error): a split must save more than that.", {0.0}, {}, ParamScope::tree},
  {"work_limit", &Params::work_limit, "Search",
   "search=anytime, optimal and auto: work after which the search ends with the best tree so far, counted in steps of its inner loop (about 40 million a second); the same on every machine. none: 20 million for anytime, 4 billion for optimal, 100 million for all searches of auto together.",
   {1.0}, {}, ParamScope::tree},
  {"time_limit", &Params::time_limit, "Search",
   "search=anytime and optimal: seconds after which the search ends with the best tree so far. Results are reproducible only if this limit is not reached. none: no limit.",
   {0.0, std::numeric_limits<double>::infinity(), true}, {}, ParamScope::tree},
  {"tao", &Params::tao, "Refinement",
   "Passes of tree alternating optimisation over the grown tree: every test is chosen again while the rest of the tree stays fixed. 0: none.",
   {0.0, 1000.0}, {}, ParamScope::tree},
  {"tao_fraction", &Params::tao_fraction, "Refinement",
   "Share of the rows held out to see whether a pass of tao helps. 0: evaluated on the training rows.", {0.0, 0.9}, {}, ParamScope::tree, ParamTier::expert},
  {"honest", &Params::honest, "Honest",
   "Whether the values of leaves come from other rows than those that chose the splits.", {}, {}},
  {"honest_fraction", &Params::honest_fraction, "Honest",
   "Share of the rows that give leaves their values; the others choose the splits.", {0.0, 0.99, true}, {}},
  {"honest_method", &Params::honest_method, "Honest",
   "Leaves with fewer than min_honest_rows rows of their own. apply: they stay and use honest_prior. prune: the split above them is undone.",
   {}, kHonestMethods},
  {"honest_prior", &Params::honest_prior, "Honest",
   "What a leaf without enough rows of its own predicts. ancestor: the value of the nearest ancestor that has enough. empirical: the value of all honest rows. uniform: equal class shares. ignore: NaN.",
   {}, kHonestPriors},
  {"honest_stratify", &Params::honest_stratify, "Honest",
   "Whether rows are divided class by class.", {}, {}},
  {"min_honest_rows", &Params::min_honest_rows, "Honest",
   "Minimum number of honest rows in a leaf that uses its own value.", {1.0}, {}},
  {"cross_fit", &Params::cross_fit, "Honest",
   "Whether a second tree is grown with the two parts of the rows swapped, and both are averaged.", {}, {}},
  {"calibration_fraction", &Params::calibration_fraction, "Intervals",
   "Share of the rows held out of training to measure the errors of predictions, for prediction intervals that are valid in finite samples. 0: none.",
   {0.0, 0.9}, {}},
  {"leaf_samples", &Params::leaf_samples, "Intervals",
   "Whether the model keeps the target values of the rows in every leaf, for quantiles.", {}, {}},
  {"causal_split", &Params::causal_split, "Causal",
   "With a treatment. effect: splits where the effect of the treatment differs. propensity: splits where the probability of being treated differs.",
   {}, kCausalSplits},
  {"min_samples_arm", &Params::min_samples_arm, "Causal",
   "With a treatment: number of treated rows, and of untreated rows, that every leaf must hold.", {1.0}, {}},
  {"forest", &Params::forest, "Forest",
   "Number of trees in a random forest, whose predictions are averaged. 0: one tree.", {0.0, 1000000.0}, {}, ParamScope::forest},
  {"bootstrap", &Params::bootstrap, "Forest",
   "Whether every tree of a forest is grown on rows drawn with replacement. false: on all rows.", {}, {}, ParamScope::forest},
  {"max_samples", &Params::max_samples, "Forest",
   "Rows drawn for every tree of a forest: a count, or a fraction of all rows. none: as many as there are.",
   {1.0}, {}, ParamScope::forest},
  {"little_bags", &Params::little_bags, "Forest",
   "Trees that share one half of the rows, for standard errors of a forest. 0: every tree draws its own rows.",
   {0.0, 1000.0}, {}, ParamScope::forest, ParamTier::expert},
  {"seed", &Params::seed, "Reproduction",
   "Seed of everything random (max_features, splitter=random, the rows that pruning holds out, those of a forest's trees). The same seed gives the same bytes on any machine.",
   {0.0}, {}},
}};
// clang-format on

static_assert([] {
  for (const ParamRow& row : kParams)
    if (row.doc.empty() || row.name.empty() || row.group.empty()) return false;
  return true;
}());

/// params.pruning with auto resolved.
std::string_view resolved_pruning(const Params& params) noexcept;
/// The row of a name, or null.
const ParamRow* find_param(std::string_view name) noexcept;
/// Sets one parameter from text ("none", "8", "0.25", "sqrt", "a=1,b=2", "a,b;c"; names that hold such signs
/// as JSON: {"a,b": 1}). Throws bad_params naming it and its range, and leaves `params` as it was.
void set_param(Params& params, std::string_view name, std::string_view text);
/// One parameter as the text that set_param reads.
std::string param_text(const Params& params, const ParamRow& row);
/// The row's default as text, its allowed values as words, and its type as a word.
std::string param_default(const ParamRow& row);
std::string param_allowed(const ParamRow& row);
/// bool, int, number, choice, amount, class_weight, shrinkage, name_numbers, name_groups or number_grid.
std::string_view param_type(const ParamRow& row);
/// Throws bad_params listing every parameter that is out of its range, or a criterion that is not for the
/// task.
void validate(const Params& params);
/// JSON object of all parameters, and back, validated (unknown names are errors; absent ones keep their
/// default). none is null; a fraction is a float (0.25, 1.0) and a count an integer (1).
std::string params_to_json(const Params& params);
Params params_from_json(std::string_view text);
/// The table itself as JSON (`bough params --json`) and as a JSON schema.
std::string params_table_json();
std::string params_json_schema();

}  // namespace bough
