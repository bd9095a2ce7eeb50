// SPDX-License-Identifier: Apache-2.0
// search=auto inside the pipeline.
#pragma once

#include "bough/choose_tree.hpp"
#include "model/pruning.hpp"

namespace bough {

/// The tree of the size, way and strength of shrinkage that cross-validation chooses, not shrunken yet; its table in
/// PrunedTree::sizes, which is empty where there are too few rows. Calls `train` folds + 1 times.
PrunedTree choose_by_folds(const PruningJob& job, const Train& train, Monitor& monitor);

/// The table as numbers in Model::Parts::extras, under kSizes.
inline constexpr const char* kSizes = "sizes";
std::vector<double> to_numbers(const SizeTable& table);

}  // namespace bough
