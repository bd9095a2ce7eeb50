// SPDX-License-Identifier: Apache-2.0
// Which rows a tree of a forest is grown on: a function of the seed, so that nobody has to keep it.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/params.hpp"
#include "data/targets.hpp"

namespace bough {

/// The random key of a tree.
std::uint64_t tree_key(const Params& params, std::size_t tree) noexcept;
/// Throws bad_params, saying why, where the groups of little_bags cannot be made.
void check_little_bags(const Params& params);
/// How often each of n rows was drawn for a tree; empty without bootstrap: every row once.
std::vector<std::uint32_t> drawn_rows(const Params& params, std::size_t tree, std::size_t n_rows);
/// Row weights of a tree: those of the rows (empty: 1) times how often they were drawn, and, where asked for,
/// the balancing weights of the classes among the drawn. Empty: all 1.
std::vector<double> bag_weights(const Params& params, std::size_t tree, const Targets& targets,
                                std::span<const double> weights, std::size_t n_rows);

}  // namespace bough
