// SPDX-License-Identifier: Apache-2.0
// The complexity parameter cp of rpart: its table, pruning by it, and cutting off nodes by hand.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "bough/params.hpp"
#include "bough/tree.hpp"

namespace bough {

class Model;
struct Execution;
struct FitSpec;

/// One of the nested trees that cp chooses from. Errors are shares of the root's risk.
struct CpRow {
  double cp = 0.0;  ///< the tree is the choice from this value up to that of the row before
  NodeId n_splits = 0;
  double rel_error = 0.0;
  double xerror = std::numeric_limits<double>::quiet_NaN();  ///< cross-validated; NaN: not asked for
  double xstd = std::numeric_limits<double>::quiet_NaN();    ///< its standard error
};

/// Risk of every node as a leaf: the weight it gets wrong, its expected loss (loss[true][predicted]; empty: 1
/// per error), or for numbers weight times impurity.
[[nodiscard]] std::vector<double> cp_risk(const Tree& tree, const NumberGrid& loss = {});
/// The complexity of every node as rpart computes it, in units of the risk: the price per split at which the
/// branch is not worth its splits any more; never above that of the parent. Branches of at most `alpha`, and
/// leaves, have `alpha`.
[[nodiscard]] std::vector<double> cp_complexity(const Tree& tree, std::span<const double> risk, double alpha);
/// The tree without the branches whose complexity is at most `cp` times the root's risk. A negative cp cuts
/// nothing.
[[nodiscard]] Tree prune_cp(const Tree& tree, std::span<const double> risk, double cp);
/// The table of a tree, the root alone first, the tree itself last.
[[nodiscard]] std::vector<CpRow> cp_rows(const Tree& tree, std::span<const double> risk, double cp);

/// The tree with these nodes as leaves. Throws bad_params for ids that the tree has not.
[[nodiscard]] Tree cut(const Tree& tree, std::span<const NodeId> nodes);

/// The cp table of a model of one tree: the cross-validated one when it has been made, else errors of
/// training only.
[[nodiscard]] std::vector<CpRow> cp_table(const Model& model);
/// The model pruned to a larger cp; its table keeps the rows of the smaller trees.
[[nodiscard]] Model prune_cp(const Model& model, double cp);
/// The model with some nodes of its tree cut off.
[[nodiscard]] Model cut(const Model& model, std::span<const NodeId> nodes);

/// The model with a cross-validated cp table: for every group of rows a tree is grown on the others, as rpart
/// does it (thresholds are geometric means of neighbouring cp). `table` and `spec` are those of fit().
/// `groups` holds a number per row. Throws bad_params when they do not fit the table or name fewer than two
/// groups.
[[nodiscard]] Model cross_validate_cp(const Model& model, const Table& table, const FitSpec& spec,
                                      std::span<const std::int64_t> groups, const Execution& execution);
/// The same with the groups in a column of the table: rows of equal cell are one group. Missing cells are
/// refused.
[[nodiscard]] Model cross_validate_cp(const Model& model, const Table& table, const FitSpec& spec,
                                      const std::string& group_column, const Execution& execution);
/// `folds` groups of nearly equal size, drawn from the seed. Throws bad_params for fewer than 2 or more than
/// n_rows.
[[nodiscard]] std::vector<std::int64_t> draw_groups(std::int64_t n_rows, std::int64_t folds,
                                                    std::uint64_t seed);

}  // namespace bough
