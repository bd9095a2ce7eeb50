// SPDX-License-Identifier: Apache-2.0
// Cuts by gini, and best-first CART.
#pragma once

#include <vector>

#include "search/deep.hpp"

namespace bough::search {

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

/// The cut of the highest gini.
struct PureCut {
  double gini = -1.0;
  std::int32_t chain = -1, code = 0, group = 0;
};

template <class Measure>
PureCut purest_cut(const Measure& measure, const Subset& subset, std::int32_t min_cases) {
  PureCut best;
  for (std::int32_t chain = 0; chain < subset.cases().n_chains(); ++chain)
    measure.for_cuts(subset, chain, min_cases, [&](std::int32_t g, double gini) {
      if (gini > best.gini) best = {gini, chain, subset.group_code(chain, g), g + 1};
    });
  return best;
}

/// Best-first CART by the gini of a measure (measure.hpp), within the limits. `min_cases`: cases of every leaf.
template <class Measure>
SmallTree greedy_tree(const Measure& measure, const Subset& subset, Limits limits, std::int32_t min_cases) {
  struct Open {
    double gain = 0.0;
    std::int32_t node = 0, depth = 0;
    PureCut cut;
    Subset cases;
  };
  SmallTree tree = SmallTree::leaf(subset.label());
  std::vector<Open> open;
  const auto look = [&](Subset&& cases, std::int32_t node, std::int32_t depth) {
    if (measure.leaf(cases) == 0 || depth >= limits.depth) return;
    const PureCut cut = purest_cut(measure, cases, min_cases);
    if (cut.chain < 0) return;
    open.push_back({cut.gini - measure.purity(cases), node, depth, cut, std::move(cases)});
  };
  look(Subset(subset), 0, 0);
  for (std::int32_t k = 1; k < limits.leaves && !open.empty(); ++k) {
    std::size_t next = 0;
    for (std::size_t j = 1; j < open.size(); ++j)
      if (open[j].gain > open[next].gain) next = j;
    const Open one = std::move(open[next]);
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(next));
    Subset left = one.cases.side(one.cut.chain, one.cut.group, true);
    Subset right = one.cases.side(one.cut.chain, one.cut.group, false);
    const auto first = static_cast<std::int32_t>(tree.nodes.size());
    tree.nodes[at(one.node)] = {one.cut.chain, one.cut.code, 0, first, first + 1};
    tree.nodes.push_back({-1, 0, left.label(), -1, -1});
    tree.nodes.push_back({-1, 0, right.label(), -1, -1});
    look(std::move(left), first, one.depth + 1);
    look(std::move(right), first + 1, one.depth + 1);
  }
  return tree;
}

}  // namespace bough::search
