// SPDX-License-Identifier: Apache-2.0
// A tree of the right size without being told which.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bough/model.hpp"

namespace bough {

/// Grows a tree and chooses its size by cross-validated cost-complexity pruning, the smallest tree within one
/// standard error of the best: the one procedure for whoever asks for a tree and nothing else. `params` may say
/// how trees are grown and, by pruning_folds and pruning_risk, how the size is judged; `spec.folds` how rows are
/// divided. Tables of fewer than kLeastRowsToChoose rows give the tree as it was grown. The parameters of the model say what was done: fit()
/// with them does it again.
[[nodiscard]] Model choose_tree(const Table& table, const FitSpec& spec, const Params& params = {},
                                const Execution& execution = {});

inline constexpr std::int64_t kLeastRowsToChoose = 20;

/// What cross-validation says about the tree that was chosen, the one that was grown, and none.
struct SizeChoice {
  NodeId leaves = 1;
  NodeId full_leaves = 1;
  double error = 0.0;           ///< mean error of rows that the trees of the folds have not seen
  double standard_error = 0.0;  ///< of it
  double full_error = 0.0;
  double baseline_error = 0.0;  ///< of a single leaf: the largest class, or the mean
  std::int32_t folds = 0;
  std::string measure;  ///< what an error is, as in PruningTable
};
/// Nothing for a model whose size was not chosen by cross-validation.
[[nodiscard]] std::optional<SizeChoice> size_choice(const Model& model);

}  // namespace bough
