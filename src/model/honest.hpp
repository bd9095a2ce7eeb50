// SPDX-License-Identifier: Apache-2.0
// Honest trees: some rows choose the splits, the others give the nodes their values.
#pragma once

#include <functional>
#include <vector>

#include "grow/estimate.hpp"
#include "model/pruning.hpp"

namespace bough {

/// Weights with those of the other part set to 0.
struct HonestWeights {
  std::vector<double> choose;
  std::vector<double> estimate;
};
/// The rows of positive weight (empty: all 1) divided as the parameters say. A row that was drawn several
/// times stays on one side. Throws bad_data when a part is empty.
HonestWeights divide_weights(const Targets& targets, std::span<const double> weights, std::size_t n_rows,
                             const Params& params, std::uint64_t key);

/// Throws bad_data, naming it, when a class of two rows or more has none on one of the two sides, or when a
/// side is empty. A class of one row cannot be on both; warn_singleton_classes() says so.
void check_division(const Prepared& prepared, const std::vector<char>& estimates, const Params& params);

void warn_singleton_classes(Prepared& prepared);

/// Throws not_supported or bad_params, naming it, for a parameter that honest trees do not go with.
void check_honest(const Params& params, Task task);

/// How nodes are estimated, as the parameters say.
EstimateSpec estimate_spec(const Params& params, CriterionId criterion);

/// Grows a tree on rows and cuts it back.
using GrowOne = std::function<PrunedTree(const Prepared&)>;

/// The tree of an honest fit, or with cross_fit two of them with the parts exchanged. Calls `grow_one` once
/// per tree, with the weights of estimating rows 0.
std::vector<PrunedTree> grow_honest(const Table& table, const Prepared& prepared, const Params& params,
                                    CriterionId criterion, const GrowOne& grow_one);

}  // namespace bough
