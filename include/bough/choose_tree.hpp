// SPDX-License-Identifier: Apache-2.0
// A tree of the right size without being told which.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// The one procedure for whoever asks for a tree and nothing else: fit() with search=auto. Cross-validation chooses
/// the number of leaves, whether the tree is grown and pruned or searched for the fewest errors, and the strength of
/// shrinkage. `params` may say how trees are grown, their largest size, and by pruning_folds, pruning_rule and
/// pruning_risk how they are judged; `spec.folds` how rows are divided. Tables of fewer than kLeastRowsToChoose rows
/// give the tree as it was grown. fit() with the parameters of the model does it again.
[[nodiscard]] Model choose_tree(const Table& table, const FitSpec& spec, const Params& params = {},
                                const Execution& execution = {});

inline constexpr std::int64_t kLeastRowsToChoose = 20;
/// Where trees are searched, every leaf has to lower the log loss by this share of the loss of one leaf: the tree is to
/// be read.
inline constexpr double kLeafShare = 0.003;
/// A larger tree is taken all the same when it makes at most this share of the errors, and fewer by over a standard error.
inline constexpr double kFarFewerErrors = 0.5;
/// The larger tree, and any tree under max_leaf_nodes, is the smallest whose loss is at most this share of a standard
/// error above the lowest: differences below are chance.
inline constexpr double kCloseLoss = 0.25;

/// One tree that was tried, and what cross-validation says about it.
struct SizeRow {
  bool searched = false;  ///< searched for the fewest errors; else grown and pruned
  NodeId leaves = 1;
  double shrinkage = 0.0;       ///< the strength of the lowest loss
  double training_error = 0.0;  ///< of the tree of all rows on these rows, without shrinkage
  double error = 0.0;           ///< mean error of rows that the trees of the folds have not seen
  double standard_error = 0.0;  ///< of it
  double loss = 0.0;            ///< mean log loss of these rows; for numbers the error
  double standard_loss = 0.0;   ///< its standard error
};

/// The path of sizes: grown trees from one leaf to the full tree (of the large ones some), then searched ones.
struct SizeTable {
  std::vector<SizeRow> rows;
  std::size_t chosen = 0;  ///< the row whose tree is in the model
  std::int32_t folds = 0;
  std::string measure;  ///< what an error is, as in PruningTable

  [[nodiscard]] const SizeRow& baseline() const { return rows.front(); }  ///< one leaf
  [[nodiscard]] const SizeRow& full() const;                              ///< the largest grown one
  /// Of the grown trees, or of the searched ones, the one of the lowest loss; null: there are none.
  [[nodiscard]] const SizeRow* best(bool searched) const;
};
/// Nothing for a model whose size was not chosen by search=auto, or that was pruned since.
[[nodiscard]] std::optional<SizeTable> size_table(const Model& model);

/// What was chosen and why, in two lines without a last line break; empty where size_table() has nothing.
[[nodiscard]] std::string choice_text(const Model& model);

}  // namespace bough
