// SPDX-License-Identifier: Apache-2.0
// Which rows a tree of a forest is grown on: a function of the seed, so that nobody has to keep it.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/params.hpp"
#include "data/targets.hpp"

namespace bough {

/// The random key of a tree, which draws its rows.
std::uint64_t tree_key(const Params& params, std::size_t tree) noexcept;
/// Throws bad_params, saying why, where the groups of little_bags cannot be made.
void check_little_bags(const Params& params);
/// The seed by which a tree is grown: a single tree of this seed on the drawn rows is the same tree.
std::uint32_t tree_seed(const Params& params, std::size_t tree) noexcept;
/// How many rows a tree draws: all, a count, or a fraction of the total weight (empty: of the rows), rounded
/// down.
std::size_t bag_size(const Params& params, std::size_t n_rows, std::span<const double> weights);
/// How often each of n rows was drawn for a tree, with chances in proportion to their weights (empty or all
/// equal: the same for all); empty without bootstrap: every row once. With little_bags rows are drawn once at
/// most, whatever their weights.
std::vector<std::uint32_t> drawn_rows(const Params& params, std::size_t tree, std::size_t n_rows,
                                      std::span<const double> weights = {});
/// The part of drawn_rows() without weights that is about the rows first .. first + n - 1 of n_all. All draws
/// are made (about 2 ns each) and those of other rows forgotten. Throws not_supported with little_bags.
std::vector<std::uint32_t> drawn_rows_between(const Params& params, std::size_t tree, std::size_t n_all,
                                              std::size_t first, std::size_t n);
/// Whether the weights of a tree's rows are how often they were drawn, and nothing else.
bool weighs_by_draws(const Params& params, const Targets& targets) noexcept;
/// Row weights of a tree: how often they were drawn, or without bootstrap or with little_bags their own
/// weights (empty: 1) where they were drawn, times, where asked for, the balancing weights of the classes
/// among the drawn. Empty: all 1.
std::vector<double> bag_weights(const Params& params, std::size_t tree, const Targets& targets,
                                std::span<const double> weights, std::size_t n_rows);

}  // namespace bough
