// SPDX-License-Identifier: Apache-2.0
// Growing a tree and cutting it back as the parameters say.
#pragma once

#include <optional>

#include "bough/choose_tree.hpp"
#include "model/cost_complexity_cv.hpp"

namespace bough {

struct PruningJob {
  const Table& table;
  const FitSpec& spec;
  const Params& params;
  const Prepared& prepared;
  std::string_view criterion;
};

struct PrunedTree {
  Grown grown;
  std::optional<PruningTable> table;
  std::vector<Tree> fold_trees{};    ///< CvTree::fold_trees
  std::optional<SizeTable> sizes{};  ///< of search=auto
};

/// Calls `train` once, or folds + 1 times for cost_complexity without a price.
PrunedTree grow_and_prune(const PruningJob& job, const Train& train);

}  // namespace bough
