// SPDX-License-Identifier: Apache-2.0
// Pruning: from a tree to a smaller one, never by growing again. A pruned tree is a tree whose chosen nodes
// have become leaves; nodes that stay keep their order, numbers and values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/model.hpp"
#include "bough/tree.hpp"

namespace bough {

// ------------------------------------------------------------ what pruners count

/// The strength of shrinkage in the values of a model's nodes: as given, or as it was chosen; 0: none.
[[nodiscard]] double shrinkage_strength(const Model& model);
/// A tree of the model whose nodes hold what their training rows said, without shrinkage. Pruners that count
/// the training rows, and figures of their errors, need this one; what shrinkage makes of a node depends on the
/// way to it alone, so nodes that are cut off change no other value. Throws not_supported where shrinkage was
/// so strong (about 1e12) that the training rows cannot be told any more.
[[nodiscard]] Tree counted_tree(const Model& model, std::size_t index = 0);

// ------------------------------------------------------------ minimal cost-complexity pruning

/// The trees that minimise risk + alpha * leaves as alpha rises. Step 0 is the tree itself; every later step
/// turns one more node into a leaf, the last one the root. Steps of equal alpha come in the order of their
/// nodes.
struct PruningPath {
  std::vector<double> alphas;  ///< non-decreasing; the cost per leaf from which the step is taken, step 0: 0
  std::vector<double> risks;   ///< risk of the tree after the step: the sum over its leaves
  std::vector<NodeId> n_leaves;  ///< leaves after the step
  std::vector<NodeId> nodes;     ///< the node that becomes a leaf, -1 for step 0
};

/// Risk of every node by impurity: its share of the root's weight times its impurity.
[[nodiscard]] std::vector<double> impurity_risk(const Tree& tree);

/// Risk by error: the share of the root's weight that is not of the largest class, mean over outputs.
/// Regression: impurity_risk().
[[nodiscard]] std::vector<double> error_risk(const Tree& tree);
/// Risk by loss, for one class target: what the cheapest answer costs, as a share of the root's weight.
/// loss[truth * n_classes + answer] is the cost of an answer, 0 or more. Throws bad_params when it does not
/// fit.
[[nodiscard]] std::vector<double> loss_risk(const Tree& tree, std::span<const double> loss);

/// The whole path in O(n log n) for n nodes, whatever the shape. `risk` is the risk of every node if it were
/// a leaf (any finite numbers). Throws bad_params when it does not fit the tree.
[[nodiscard]] PruningPath cost_complexity_path(const Tree& tree, std::span<const double> risk);
/// The same with impurity_risk(), as scikit-learn has it.
[[nodiscard]] PruningPath cost_complexity_path(const Tree& tree);

/// A price between two of a path: their geometric mean, half the higher one where the lower one is 0, the lower one where the
/// higher one is infinite. The tree of the lower price is the best there, and of slightly different rows as well, while at
/// the lower price itself their trees are often cut elsewhere. Never 0.
[[nodiscard]] double price_between(double low, double high);

/// The tree after the last step of `path`, which must be its own, whose alpha is at most `alpha`. Nodes keep
/// their order, numbers and values. alpha 0 returns the tree as it is. Throws bad_params for a negative alpha
/// or NaN.
[[nodiscard]] Tree prune(const Tree& tree, const PruningPath& path, double alpha);
/// The same with the path by impurity.
[[nodiscard]] Tree prune(const Tree& tree, double alpha);
/// Every tree of a model pruned by impurity. The result is the model that fit() gives with ccp_alpha = alpha.
[[nodiscard]] Model prune(const Model& model, double alpha);
/// The same by a risk of the params' choice: "impurity" or "error". Throws bad_params for another.
[[nodiscard]] Model prune(const Model& model, double alpha, std::string_view risk);

/// The best tree of the path by that risk with at most so many leaves. Parameters hold its price_within(). Throws bad_params
/// for fewer than 1 leaf, not_supported for models of several trees.
[[nodiscard]] Model prune_to_leaves(const Model& model, NodeId leaves, std::string_view risk = "impurity");

/// Grows folds + 1 times: a tree on all rows and one without each fold. Every tree of the first one's path is
/// judged by the rows that the trees of the folds have not seen, at the geometric mean of its price and the
/// next one's, and the model of the chosen price comes back with its PruningTable. `params` give folds, rule
/// and risk (its pruning and ccp_alpha are not looked at), `spec.folds` the kind of folds. Throws bad_data
/// when there are fewer rows, groups or moments than folds need.
[[nodiscard]] Model cost_complexity_cv(const Table& table, const FitSpec& spec, const Params& params = {},
                                       const Execution& execution = {});

// ------------------------------------------------------------ reduced-error pruning

/// Which rows give its value to a node that becomes a leaf.
enum class LeafValues : std::uint8_t { train, prune, both };

/// What counts as an error of a row.
enum class ErrorMeasure : std::uint8_t {
  natural,  ///< a wrong class; for numbers what the criterion minimises: squares, distances, or the
            ///< quantile's loss
  squared   ///< squared difference; for classes between shares and truth (Brier)
};

struct ReducedErrorOptions {
  LeafValues leaf_values = LeafValues::train;
  ErrorMeasure measure = ErrorMeasure::natural;
  std::string weight{};  ///< column of row weights in the pruning table, or empty
};

/// Bottom-up, a node becomes a leaf when that does not raise the error on the rows of `pruning`: of all
/// pruned trees the smallest among those of the lowest error there. A node that no row reaches becomes a leaf
/// with its training value. A row that is divided by shares counts with its parts. O(nodes + rows * depth).
/// Throws bad_data for absent columns, unknown classes, missing targets and no rows; not_supported for
/// several trees, and for new leaf values under monotone constraints or, with LeafValues::both, under
/// absolute_error and quantile.
[[nodiscard]] Model reduced_error(const Model& model, const Table& pruning,
                                  const ReducedErrorOptions& options = {}, const Execution& execution = {});

// ------------------------------------------------------------ without data

/// Critical value pruning (Mingers 1987): a node becomes a leaf when neither its split nor one below it
/// reaches `critical`, the decrease of impurity weighted by the node's share of the root's weight. Throws bad_params when it is
/// negative or NaN.
[[nodiscard]] Tree critical_value(const Tree& tree, double critical);
[[nodiscard]] Model critical_value(const Model& model, double critical);

/// Minimum description length: a node becomes a leaf when telling a stranger the leaf and the targets of its
/// rows takes no more bits than telling the tests below it, too (formulas: src/prune/mdl.cpp). `n_levels` as
/// in Tree::check. Throws not_supported for numbers grown by another criterion than squared_error.
[[nodiscard]] Model minimum_description(const Model& model);
[[nodiscard]] Tree minimum_description(const Tree& tree, std::span<const std::uint32_t> n_levels);
/// Bits that the whole tree with the targets of its rows takes.
[[nodiscard]] double description_length(const Tree& tree, std::span<const std::uint32_t> n_levels);

/// What sibling leaves must share to be merged.
enum class Alike : std::uint8_t {
  answer,  ///< the class or value that they predict
  shares   ///< for classes: their shares, too
};
/// Merges sibling leaves that predict the same, bottom-up. No prediction changes (with Alike::answer class
/// probabilities may).
[[nodiscard]] Tree simplify(const Tree& tree, Alike alike = Alike::answer);
[[nodiscard]] Model simplify(const Model& model, Alike alike = Alike::answer);

}  // namespace bough
