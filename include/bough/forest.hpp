// SPDX-License-Identifier: Apache-2.0
// Forests: more trees, single trees, and the rows that trees were grown on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/model.hpp"

namespace bough {

/// The forest with trees added until there are params.forest of them: the very trees that fit() would have
/// grown at once, when rows and parameters are the same. Parameters that say how trees are grown may differ.
/// Throws bad_params naming what belongs to the whole forest and differs (seed, bootstrap, columns, classes
/// ...).
Model grow_more(const Model& forest, const Table& table, const FitSpec& spec, const Params& params,
                const Execution& execution = {});

/// One tree of a model as a model of its own. Its seed is the one by which the tree was grown. Throws
/// bad_params when there is no such tree.
Model one_tree(const Model& model, std::size_t tree);

/// How often every row was drawn for a tree of a grown forest; all 1 without bootstrap. `weights` are those
/// of the rows in the fit, class weights included (empty: none); others are refused (bad_data). Rows that
/// were held for calibration are in no bag. Throws bad_model for models that are no
/// grown forests.
std::vector<std::uint32_t> bag_of(const Model& forest, std::size_t tree, std::int64_t n_rows,
                                  std::span<const double> weights = {});

}  // namespace bough
