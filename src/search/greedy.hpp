// SPDX-License-Identifier: Apache-2.0
// Cuts by gini, and best-first CART.
#pragma once

#include <vector>

#include "search/deep.hpp"

namespace bough::search {

/// Best-first CART by gini, within the limits. `min_cases`: cases of every leaf.
SmallTree greedy_tree(const Subset& subset, Limits limits, std::int32_t min_cases);

/// Goes through the cuts of a chain that leave enough cases on both sides: visit(group, gini), where gini is the sum
/// over sides of squared class weights divided by the side's weight; more is purer.
template <class Visit>
void for_cuts(const Subset& subset, std::int32_t chain, std::int32_t min_cases, std::vector<double>& left,
              const Visit& visit) {
  const std::span<const Cost> all = subset.class_weights();
  left.assign(all.size(), 0.0);
  double weight = 0.0;
  const std::span<const std::int32_t> order = subset.order(chain), begins = subset.group_begins(chain);
  for (std::int32_t g = 0; g + 1 < subset.n_groups(chain); ++g) {
    for (std::int32_t k = begins[at(g)]; k < begins[at(g) + 1]; ++k) {
      const auto w = static_cast<double>(subset.weight_of(order[at(k)]));
      left[at(subset.class_of(order[at(k)]))] += w;
      weight += w;
    }
    if (begins[at(g) + 1] < min_cases || subset.size() - begins[at(g) + 1] < min_cases) continue;
    double l = 0.0, r = 0.0;
    for (std::size_t c = 0; c < all.size(); ++c) {
      const double out = static_cast<double>(all[c]) - left[c];
      l += left[c] * left[c];
      r += out * out;
    }
    visit(g, l / weight + r / (static_cast<double>(subset.weight()) - weight));
  }
}

}  // namespace bough::search
