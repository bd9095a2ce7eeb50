// SPDX-License-Identifier: Apache-2.0
// Rows of a pruning table as a model sees them, and what some pruners refuse.
#pragma once

#include <string_view>
#include <vector>

#include "bough/prune.hpp"
#include "prune/node_errors.hpp"

namespace bough {

/// Owns what JudgeRows points to.
struct PruneRows {
  std::vector<std::vector<std::uint32_t>> classes;
  std::vector<std::vector<double>> numbers;
  std::vector<double> weights;
};

/// Targets and weights of a table for a model. Throws bad_data, naming column and row, for no rows, absent or
/// missing targets, unknown classes and bad weights. `use`: what the rows are for, in messages.
PruneRows read_prune_rows(const Model& model, const Table& table, const std::string& weight,
                          std::string_view use = "prune");

/// `tree` with the nodes as leaves that are leaves in `pruned`, a tree of the same splits; its own values stay.
Tree cut_like(const Tree& tree, const Tree& pruned);
/// Drops what a model says about the tree that it was before it lost leaves: the table that chose its price, the
/// proof of a search, the table of sizes.
void forget_larger_tree(Model::Parts& parts);

LeafValues leaf_values_named(std::string_view name);
/// Throws not_supported where new leaf values cannot be had or would break a promise.
void refuse_leaf_values(LeafValues wish, const Loss& loss, const Params& params);
/// Throws not_supported where new leaf values would stand beside shrunken ones.
void refuse_unshrunken_values(LeafValues wish, const Model& model);
/// Throws not_supported where a model has a loss matrix, which `how` does not weigh.
void refuse_losses(const Params& params, std::string_view how);
/// Throws not_supported for honest trees, whose nodes hold other rows than those that grew them.
void refuse_honest(const Params& params);
/// Throws not_supported when nodes of the model answer nothing (honest_prior=ignore): `what` compares
/// answers.
void refuse_unanswered(const Model& model, std::string_view what);
/// Throws not_supported for a criterion that minimum_description() has no code for.
void refuse_undescribed(std::string_view criterion);

}  // namespace bough
