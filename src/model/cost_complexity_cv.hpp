// SPDX-License-Identifier: Apache-2.0
// The price per leaf by cross-validation.
#pragma once

#include <functional>
#include <string>

#include "bough/prune.hpp"
#include "grow/grow.hpp"
#include "model/folds.hpp"
#include "prune/node_errors.hpp"

namespace bough {

/// Grows a tree on the rows of positive weight.
using Train = std::function<Grown(const Prepared&)>;

/// Risks by the name that pruning_risk has for them. Throws bad_params for another.
std::vector<double> named_risk(const Tree& tree, std::string_view risk);
/// What a criterion takes for an error: a wrong class, squares, distances, or the loss of the quantile.
Loss natural_loss(std::string_view criterion, Task task, double quantile);
/// Its name in a PruningTable.
std::string loss_name(const Loss& loss);

struct CvJob {
  const Table& table;
  const Prepared& prepared;
  const Folds& folds;
  const Params& params;
  Loss loss;
};

struct CvTree {
  Grown grown;
  PruningTable table;
  std::vector<Tree>
      fold_trees;  ///< of every fold, pruned at the price that was chosen; only where shrinkage=cv asks
};

/// The row of a table that the rule (pruning_rule) chooses by its errors.
std::size_t chosen_price(const PruningTable& table, std::string_view rule);

/// Calls `train` exactly folds + 1 times, first for all rows.
CvTree cost_complexity_cv(const CvJob& job, const Train& train);

}  // namespace bough
