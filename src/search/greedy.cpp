// SPDX-License-Identifier: Apache-2.0
// Best-first CART over chains.
#include "search/greedy.hpp"

namespace bough::search {
namespace {

struct PureCut {
  double gini = -1.0;
  std::int32_t chain = -1, code = 0, group = 0;
};

PureCut purest_cut(const Subset& subset, std::int32_t min_cases) {
  PureCut best;
  std::vector<double> left;
  for (std::int32_t chain = 0; chain < subset.cases().n_chains(); ++chain)
    for_cuts(subset, chain, min_cases, left, [&](std::int32_t g, double gini) {
      if (gini > best.gini) best = {gini, chain, subset.group_code(chain, g), g + 1};
    });
  return best;
}

}  // namespace

SmallTree greedy_tree(const Subset& subset, Limits limits, std::int32_t min_cases) {
  struct Open {
    double gain = 0.0;
    std::int32_t node = 0, depth = 0;
    PureCut cut;
    Subset cases;
  };
  SmallTree tree = SmallTree::leaf(subset.label());
  std::vector<Open> open;
  const auto look = [&](Subset&& cases, std::int32_t node, std::int32_t depth) {
    if (cases.leaf_cost() == 0 || depth >= limits.depth) return;
    const PureCut cut = purest_cut(cases, min_cases);
    if (cut.chain < 0) return;
    double before = 0.0;
    for (const Cost weight : cases.class_weights()) before += static_cast<double>(weight) * weight;
    open.push_back({cut.gini - before / cases.weight(), node, depth, cut, std::move(cases)});
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
