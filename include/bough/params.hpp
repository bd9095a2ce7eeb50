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
   "Type of prediction. auto: classification if the target is text, boolean or has few distinct whole numbers; otherwise regression.",
   {}, kTasks},
  {"algorithm", &Params::algorithm, "Problem",
   "How the tree is grown. cart: binary splits, with any criterion. id3: one branch per value, chosen by information gain. c45: chosen by gain ratio, with fractional rows for missing cells, and pruned.",
   {}, kAlgorithms},
  {"criterion", &Params::criterion, "Problem",
   "How splits are scored. auto: gini for classification, squared_error for regression, entropy with id3, gain_ratio with c45. log_loss means entropy, friedman_mse means squared_error.",
   {}, kCriterionChoices},
  {"quantile", &Params::quantile, "Problem",
   "Quantile that criterion=quantile estimates.", {0.0, 1.0, true}, {}},
  {"max_depth", &Params::max_depth, "Growth",
   "Maximum number of splits on a path from the root to a leaf. none: no limit.", {1.0}, {}},
  {"min_samples_split", &Params::min_samples_split, "Growth",
   "Minimum number of rows that a node needs to be split: a count, or a fraction of all rows.", {2.0}, {}},
  {"min_samples_leaf", &Params::min_samples_leaf, "Growth",
   "Minimum number of rows in a leaf: a count, or a fraction of all rows.", {1.0}, {}},
  {"min_weight_fraction_leaf", &Params::min_weight_fraction_leaf, "Growth",
   "Minimum share of the total weight in a leaf.", {0.0, 0.5}, {}},
  {"min_impurity_decrease", &Params::min_impurity_decrease, "Growth",
   "Minimum impurity decrease of a split, weighted by the node's share of all rows.", {0.0}, {}},
  {"max_leaf_nodes", &Params::max_leaf_nodes, "Growth",
   "Maximum number of leaves; the best splits are made first. none: no limit.", {2.0}, {}},
  {"min_samples_branch", &Params::min_samples_branch, "Growth",
   "id3 and c45: minimum weight in each of at least two branches. none: 2 with c45, 1 with id3.", {1.0}, {}},
  {"ccp_alpha", &Params::ccp_alpha, "Pruning",
   "Cost per leaf in cost-complexity pruning. A branch is cut if it lowers the impurity by no more than this per extra leaf. 0: no such pruning or, with pruning=cost_complexity, a cost chosen by cross-validation.",
   {0.0}, {}},
  {"pruning", &Params::pruning, "Pruning",
   "How the grown tree is pruned. cost_complexity: with ccp_alpha as the cost per leaf, or a cost chosen by cross-validation. reduced_error: by the errors on held-out rows. pessimistic: by an upper limit on the error, as in C4.5. critical_value: by cutting branches in which no split reaches critical_value. mdl: by description length. none: only if ccp_alpha is set. auto: pessimistic with c45, otherwise none.",
   {}, kPruners},
  {"pruning_fraction", &Params::pruning_fraction, "Pruning",
   "Share of the rows that pruning=reduced_error holds out, drawn at random and stratified by class.", {0.0, 0.9, true}, {}},
  {"pruning_leaf_values", &Params::pruning_leaf_values, "Pruning",
   "Rows that set the value of a leaf made by pruning=reduced_error. train: those the tree was grown on. prune: those held out. both: all of them.",
   {}, kPruningLeafValues},
  {"pruning_risk", &Params::pruning_risk, "Pruning",
   "Risk that pruning=cost_complexity weighs against the number of leaves. impurity: the impurity of the criterion. error: the share of rows outside the largest class (classification only).",
   {}, kPruningRisks},
  {"pruning_folds", &Params::pruning_folds, "Pruning",
   "Number of cross-validation folds. They choose the cost per leaf if pruning=cost_complexity and ccp_alpha=0, the strength of shrinkage=cv, and all that search=auto chooses.", {2.0}, {}},
  {"pruning_rule", &Params::pruning_rule, "Pruning",
   "How cross-validation chooses the cost per leaf. min: the cost with the lowest error. one_se: the highest cost whose error is within one standard error of the lowest. With search=auto, where trees can be searched: min takes the tree with the lowest loss plus 0.3% of the one-leaf loss per leaf, and one_se takes the smallest tree within one standard error of that. If max_leaf_nodes is given as well, both take the smallest tree whose loss is close to the lowest: within a quarter of a standard error (min) or within one (one_se).",
   {}, kPruningRules},
  {"critical_value", &Params::critical_value, "Pruning",
   "Threshold for pruning=critical_value. A split is kept if it, or a split below it, lowers the impurity by at least this much, weighted by the node's share of all rows.",
   {0.0}, {}},
  {"confidence_factor", &Params::confidence_factor, "Pruning",
   "Confidence factor of pessimistic pruning; smaller values prune more. It is the probability that the upper limit on the error is too low.", {0.0, 0.5, true}, {}},
  {"subtree_raising", &Params::subtree_raising, "Pruning",
   "Whether pessimistic pruning may replace a node with its heaviest branch.", {}, {}},
  {"collapse", &Params::collapse, "Pruning",
   "c45: whether to cut branches that make no fewer training errors than a leaf, even if nothing else is pruned.",
   {}, {}},
  {"cp", &Params::cp, "Pruning",
   "Complexity parameter as in rpart. A branch is cut if it lowers the risk (error, loss or deviance) by no more than this share of the root's risk per split. Negative: no such pruning.",
   {-1.0}, {}},
  {"leaf_probability", &Params::leaf_probability, "Prediction",
   "Class probabilities in a leaf. plain: the class shares of its rows. laplace: the shares after adding one row of every class.", {}, kLeafProbabilities},
  {"shrinkage", &Params::shrinkage, "Prediction",
   "Strength of hierarchical shrinkage. A leaf then predicts the root's value plus the changes along its path, each divided by 1 + shrinkage / weight of the node where the step starts. The splits stay the same. cv: the strength with the lowest cross-validated loss (log loss for classes), using pruning_folds or, in a forest, the rows that each tree's sample left out. none: no shrinkage.",
   {0.0}, {}},
  {"max_features", &Params::max_features, "Search",
   "Number of columns tried per node: a count, a fraction, sqrt or log2. auto: sqrt for classification, a third for regression. none: all columns. In oblique trees: number of weighted sums tried per node, which may exceed the number of columns; square: the number of columns squared.", {1.0}, {}},
  {"splitter", &Params::splitter, "Search",
   "Which cuts are tried. best: all cuts of every column. random: one random cut per column. hist: the cuts between 255 bins per column, an approximation.", {}, kSplitters},
  {"category_split", &Params::category_split, "Search",
   "How categories are tested. subset: a set of values against the rest. equality: one value against the rest.",
   {}, kCategorySplits},
  {"category_branches", &Params::category_branches, "Search",
   "id3 and c45: branches of a categorical column. multiway: one per value. grouped: values are merged while this raises the gain ratio.",
   {}, kCategoryBranches},
  {"discretize", &Params::discretize, "Search",
   "id3 and c45: how numeric columns are split. none: at a threshold with c45; an error with id3. mdl: into intervals by minimum description length (Fayyad and Irani), once for all rows. mdl_node: the same, again in every node.",
   {}, kDiscretizers},
  {"j48", &Params::j48, "Search",
   "c45: whether thresholds, ties and error limits are those of Weka's J48 instead of bough's own.", {}, {}, ParamScope::tree, ParamTier::expert},
  {"competitors", &Params::competitors, "Search",
   "Number of competing splits, on other columns, that every node keeps for display.", {0.0, 1000.0}, {}, ParamScope::both, ParamTier::expert},
  {"class_weight", &Params::class_weight, "Weights",
   "Weight of each class: none, balanced, or name=weight pairs.", {0.0}, {}},
  {"priors", &Params::priors, "Weights",
   "Prior probability of each class: name=share pairs that sum to 1. none: each class's share of the total weight.", {0.0, 1.0}, {}},
  {"loss_matrix", &Params::loss_matrix, "Weights",
   "Cost of each kind of error, such as 0,1;5,0: a row per true class, in the order of the classes, with zeros on the diagonal. none: a cost of 1 for every error.",
   {0.0}, {}},
  {"column_costs", &Params::column_costs, "Weights",
   "Cost of testing each column: name=cost pairs. The gain of a split is divided by the cost of its column. Columns not named cost 1.",
   {0.0, std::numeric_limits<double>::infinity(), true}, {}},
  {"missing_policy", &Params::missing_policy, "Missing cells",
   "What happens to rows whose tested cell is missing. learn: they go to the side that gives the better split. surrogate: splits are scored on known cells, and other rows follow the test on another column that agrees best with the split. stop: they stay at the node.",
   {}, kMissingPolicies},
  {"surrogates", &Params::surrogates, "Missing cells",
   "Maximum number of surrogate tests per node (missing_policy=surrogate).", {0.0, 1000.0}, {}, ParamScope::both, ParamTier::expert},
  {"surrogate_else", &Params::surrogate_else, "Missing cells",
   "What happens to rows that no surrogate decides. majority: they go to the heavier child. stop: they stay at the node.",
   {}, kSurrogateElse, ParamScope::both, ParamTier::expert},
  {"surrogate_agreement", &Params::surrogate_agreement, "Missing cells",
   "How the agreement of a surrogate is measured. all: as a share of all rows that the split decides. known: as a share of those whose surrogate cell is known.",
   {}, kSurrogateAgreements, ParamScope::both, ParamTier::expert},
  {"monotonic_cst", &Params::monotonic_cst, "Constraints",
   "Columns along which the prediction may only rise (name=1) or fall (name=-1). For two classes, this applies to the probability of the second class.",
   {-1.0, 1.0}, {}},
  {"interaction_cst", &Params::interaction_cst, "Constraints",
   "Groups of columns that may be tested together on one path, such as a,b;c,d. A column in no group forms its own group.", {}, {}},
  {"oblique", &Params::oblique, "Oblique",
   "Whether a node may test a weighted sum of numeric columns.", {}, {}},
  {"feature_combinations", &Params::feature_combinations, "Oblique",
   "Average number of columns per weighted sum in an oblique tree.", {1.0}, {}},
  {"projection_weights", &Params::projection_weights, "Oblique",
   "Weights in a sum of columns. sign: 1 or -1. continuous: drawn between -1 and 1.", {}, kProjectionWeights},
  {"projection_scale", &Params::projection_scale, "Oblique",
   "How columns are scaled in a sum. none: not at all. standard: divided by their standard deviation, so that units do not matter.",
   {}, kProjectionScales},
  {"axis_candidates", &Params::axis_candidates, "Oblique",
   "Whether an oblique tree also tries each column on its own.", {}, {}},
  {"search", &Params::search, "Search",
   "How the tree is found. greedy: split by split, by the criterion. anytime: by a search for the tree with the fewest training errors (numeric targets: the lowest squared error) within max_leaf_nodes and max_depth, until work_limit. optimal: the same, until the tree is proved to be the best or a limit ends the search; the model records which. Among trees with equally few errors, the search takes one with a low gini impurity. auto: cross-validation chooses the number of leaves, the strength of shrinkage, and whether the tree is grown and pruned or searched as with anytime (one target, at most 300,000 cells). Where classification trees can be searched, every leaf costs 0.3% of the one-leaf loss, unless max_leaf_nodes is given, or a larger tree makes at most half the errors and the difference exceeds one standard error. Elsewhere, the size is that of pruning=cost_complexity. For regression, a searched tree replaces a pruned one of at most 32 leaves if it has no more leaves and no higher loss.",
   {}, kSearches, ParamScope::tree},
  {"leaf_price", &Params::leaf_price, "Search",
   "search=anytime and optimal: penalty per leaf. A split must save more than this in weight of errors (numeric targets: in squared error).", {0.0}, {}, ParamScope::tree},
  {"work_limit", &Params::work_limit, "Search",
   "search=anytime, optimal and auto: limit on the work, in steps of the search's inner loop (about 40 million a second). At the limit, the search ends with the best tree so far, which is the same on every machine. none: 20 million for anytime, 4 billion for optimal, 100 million for all searches of auto together.",
   {1.0}, {}, ParamScope::tree},
  {"time_limit", &Params::time_limit, "Search",
   "search=anytime and optimal: time limit in seconds. At the limit, the search ends with the best tree so far, which may differ from run to run. none: no limit.",
   {0.0, std::numeric_limits<double>::infinity(), true}, {}, ParamScope::tree},
  {"tao", &Params::tao, "Refinement",
   "Number of passes of tree alternating optimisation over the grown tree. A pass chooses every test again while the rest of the tree stays fixed. 0: none.",
   {0.0, 1000.0}, {}, ParamScope::tree},
  {"tao_fraction", &Params::tao_fraction, "Refinement",
   "Share of the rows held out to check whether a pass of tao helps. 0: checked on the training rows.", {0.0, 0.9}, {}, ParamScope::tree, ParamTier::expert},
  {"honest", &Params::honest, "Honest",
   "Whether separate rows choose the splits and set the leaf values.", {}, {}},
  {"honest_fraction", &Params::honest_fraction, "Honest",
   "Share of the rows that set the leaf values; the others choose the splits.", {0.0, 0.99, true}, {}},
  {"honest_method", &Params::honest_method, "Honest",
   "What happens to leaves with fewer than min_honest_rows rows of their own. apply: they stay and use honest_prior. prune: the split above them is undone.",
   {}, kHonestMethods},
  {"honest_prior", &Params::honest_prior, "Honest",
   "What a leaf with too few rows of its own predicts. ancestor: the value of the nearest ancestor with enough rows. empirical: the value of all honest rows. uniform: equal class shares. ignore: NaN.",
   {}, kHonestPriors},
  {"honest_stratify", &Params::honest_stratify, "Honest",
   "Whether the division of the rows is stratified by class.", {}, {}},
  {"min_honest_rows", &Params::min_honest_rows, "Honest",
   "Minimum number of honest rows that a leaf needs to use its own value.", {1.0}, {}},
  {"cross_fit", &Params::cross_fit, "Honest",
   "Whether to grow a second tree with the two parts of the rows swapped, and average both trees.", {}, {}},
  {"calibration_fraction", &Params::calibration_fraction, "Intervals",
   "Share of the rows held out to measure prediction errors, for prediction intervals that are valid in finite samples. 0: none.",
   {0.0, 0.9}, {}},
  {"leaf_samples", &Params::leaf_samples, "Intervals",
   "Whether every leaf keeps the target values of its rows, which quantiles need.", {}, {}},
  {"causal_split", &Params::causal_split, "Causal",
   "What splits separate if there is a treatment. effect: rows with different treatment effects. propensity: rows with different probabilities of being treated.",
   {}, kCausalSplits},
  {"min_samples_arm", &Params::min_samples_arm, "Causal",
   "Minimum number of treated rows, and of untreated rows, per leaf if there is a treatment.", {1.0}, {}},
  {"forest", &Params::forest, "Forest",
   "Number of trees in a random forest, which averages their predictions. 0: a single tree.", {0.0, 1000000.0}, {}, ParamScope::forest},
  {"bootstrap", &Params::bootstrap, "Forest",
   "Whether each tree of a forest is grown on rows drawn with replacement. false: on all rows.", {}, {}, ParamScope::forest},
  {"max_samples", &Params::max_samples, "Forest",
   "Number of rows drawn for each tree of a forest: a count, or a fraction of all rows (of their total weight if they are weighted). none: as many as there are.",
   {1.0}, {}, ParamScope::forest},
  {"little_bags", &Params::little_bags, "Forest",
   "Number of trees that share the same half of the rows, for standard errors of a forest. 0: every tree draws its own rows.",
   {0.0, 1000.0}, {}, ParamScope::forest, ParamTier::expert},
  {"seed", &Params::seed, "Reproduction",
   "Seed of all random draws (max_features, splitter=random, rows held out for pruning, rows of a forest's trees). The same seed gives the same model, byte for byte, on any machine.",
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
