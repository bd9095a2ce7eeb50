// SPDX-License-Identifier: Apache-2.0
// What a forest keeps so that its bags can be drawn again: a mark of the row weights, and the rows that were
// held for calibration.
#pragma once

#include <span>
#include <vector>

#include "bough/model.hpp"
#include "data/targets.hpp"

namespace bough {

/// The mark of row weights: empty for none (or all 1), else two halves of weights_sum().
std::vector<double> weights_mark(std::span<const double> weights);
std::vector<double> weights_mark(std::uint64_t sum);
/// A sum over rows that depends on their numbers and weights; `first_row` is the number of the first one.
std::uint64_t weights_sum(std::span<const double> weights, std::int64_t first_row) noexcept;

/// Writes the marks of a fit into a forest. `mark` is that of the weights before rows were held; it is not kept
/// where no tree draws or divides rows, so that the order of rows changes no byte of such a forest. Trees of
/// `so_far` (null: none) that were grown on other weights, held rows or numbers of rows leave a forest whose
/// bags nobody can draw again; returns whether that is so.
bool mark_bags(Model::Parts& parts, const std::vector<double>& mark, std::span<const RowId> held,
               const Model* so_far);

/// Takes the marks away.
void forget_bags(Model::Parts& parts);

/// The weights by which trees drew their rows, from those of the rows in the fit, class weights included
/// (empty: none): 0 for rows that were held. Throws bad_data when the weights are not those of the fit,
/// bad_model when the bags cannot be known.
std::vector<double> drawing_weights(const Model& forest, std::size_t n_rows, std::span<const double> weights);

/// How often a tree drew each row, with drawing_weights(); empty: every row once. Rows of weight 0 are not
/// drawn.
std::vector<std::uint32_t> rows_of_bag(const Model& forest, std::size_t tree, std::size_t n_rows,
                                       std::span<const double> drawing);

}  // namespace bough
