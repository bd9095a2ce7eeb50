// SPDX-License-Identifier: Apache-2.0
// Priors and losses as weights of classes.
#pragma once

#include "model/prepare.hpp"

namespace bough {

/// Multiplies the weights by what priors and losses make of each row's class, and keeps what the values of
/// nodes need (Prepared::value_scale). Throws bad_params when they do not fit the classes.
void apply_priors(Prepared& prepared, const Params& params, std::vector<double>& weights);

/// The share of every class in the weight of all rows.
std::vector<double> class_shares(const ClassTarget& target, std::span<const double> weights);

/// The tree with values of the classes as they are without losses.
Tree scale_values(const Tree& tree, std::span<const double> scale);

}  // namespace bough
