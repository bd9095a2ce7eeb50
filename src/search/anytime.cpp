// SPDX-License-Identifier: Apache-2.0
// Good trees early: a curve of errors over leaves by dynamic programming along a few roots per node, the depth-2 sweep
// at the bottom; passes that choose every test anew (tree alternating optimisation); and the dynamic program again along
// the tree as it is, which moves leaves to where they pay. Plans try more and more roots per node. Every start is
// polished by itself: best-first CART, and the curve of every plan for any shape and for balanced ones.
#include "search/anytime.hpp"

#include <cmath>

namespace bough::search {
namespace {

// Roots per node at level 0, 1, 2 and below.
constexpr std::array<std::array<std::int32_t, 4>, 14> kPlans{{{0, 0, 0, 0},
                                                              {1, 1, 1, 1},
                                                              {2, 1, 1, 1},
                                                              {2, 2, 1, 1},
                                                              {4, 2, 1, 1},
                                                              {4, 4, 2, 1},
                                                              {8, 4, 2, 1},
                                                              {8, 8, 2, 2},
                                                              {16, 8, 4, 2},
                                                              {32, 8, 4, 2},
                                                              {32, 16, 4, 2},
                                                              {64, 16, 8, 4},
                                                              {128, 32, 8, 4},
                                                              {256, 64, 16, 8}}};

// Moves that one table of depth 2 may take; beyond, a sample of the cases, which takes less, tells which roots to try.
constexpr std::int64_t kTableWork = 4'000'000, kSampleWork = 2'000'000;

constexpr std::int64_t kNodeWork = 3000;

}  // namespace

// Levels of the shallowest tree of so many leaves.
template <class Measure>
std::int32_t AnytimeOf<Measure>::balanced_depth() const {
  std::int32_t levels = 1;
  while ((1 << levels) < limits_.leaves) ++levels;
  return std::min(levels, limits_.depth);
}

template <class Measure>
void AnytimeOf<Measure>::start() {
  offer(SmallTree::leaf(subset_.label()));
  improve(greedy_tree(measure_, subset_, limits_, min_cases_), limits_.leaves);
}

template <class Measure>
void AnytimeOf<Measure>::run(std::size_t plans) {
  if (cost_ == kNone) start();
  const std::int32_t balanced = balanced_depth();
  for (std::size_t i = 0; i < std::min(plans, kPlans.size()); ++i) {
    widths_ = kPlans[i];
    for (const std::int32_t depth :
         {limits_.depth, balanced}) {  // any shape, then balanced ones, of which there are fewer
      if (cost_ <= price_ || budget_.is_spent()) return;
      improve(cheapest(*curve(subset_, {limits_.leaves, depth, 0, nullptr, -1})), limits_.leaves);
      if (balanced >= limits_.depth) break;
    }
  }
}

template <class Measure>
void AnytimeOf<Measure>::run_path() {
  sizes_.resize(at(limits_.leaves) + 1);
  offer(SmallTree::leaf(subset_.label()));
  offer(greedy_tree(measure_, subset_, limits_, min_cases_));
  for (const std::array<std::int32_t, 4>& plan : kPlans) {
    const std::int32_t balanced = balanced_depth();
    for (const std::int32_t depth : {limits_.depth, balanced}) {
      // More leaves than a tree without errors has are of no use.
      while (limits_.leaves > 1 && sizes_[at(limits_.leaves) - 1].errors == 0) --limits_.leaves;
      if (limits_.leaves == 1 || budget_.is_spent()) return;
      widths_ = plan;
      offer_sizes(*curve(subset_, {limits_.leaves, depth, 0, nullptr, -1}));
      polish_sizes();
      if (balanced >= limits_.depth) break;
    }
  }
}

template <class Measure>
std::vector<SmallTree> AnytimeOf<Measure>::path() const {
  std::vector<SmallTree> out;
  const Sized* best = nullptr;
  for (std::size_t k = 1; k < sizes_.size(); ++k) {
    if (best == nullptr || sizes_[k].errors < best->errors) best = &sizes_[k];
    out.push_back(best->tree);
  }
  return out;
}

template <class Measure>
std::optional<SmallTree> AnytimeOf<Measure>::best_with_root(std::span<const std::int32_t> chains) {
  constexpr std::int32_t kRoots = 4;
  widths_ = {kRoots, 2, 1, 1};
  if (root_table_.empty()) {
    typename Measure::TwoLevels two;
    root_table_ = measure_.table_work(subset_, subset_.cases().n_chains()) <= kTableWork
                      ? measure_.table(subset_, min_cases_, two, budget_)
                      : sampled(subset_);
  }
  Curve found;
  found.errors.assign(at(limits_.leaves) + 1, kNone);
  found.ways.resize(found.errors.size());
  // A sample may not know a chain: then the purest cut of it.
  for (const Cut& root : choose(subset_, root_table_, kRoots, chains))
    add_root(subset_, {limits_.leaves, limits_.depth, 0, nullptr, -1}, root, false, found);
  if (limits_.leaves < 2 || found.errors[at(limits_.leaves)] == kNone) return std::nullopt;
  SmallTree best = tree_of(found, limits_.leaves), other = best;
  const TreeNode root = best.nodes.front();
  const std::int32_t group = subset_.groups_upto(root.chain, root.code);
  for (int pass = 0; pass < 3; ++pass) {
    const bool left = alternate(subset_.side(root.chain, group, true), other, root.left);
    const bool right = alternate(subset_.side(root.chain, group, false), other, root.right);
    if (!left && !right) break;
  }
  other = other.without_empty(subset_);
  if (measure_.of(other, subset_) < measure_.of(best, subset_) && other.leaves_hold(min_cases_, subset_))
    best = other;
  return best;
}

template <class Measure>
void AnytimeOf<Measure>::offer_sizes(const Curve& curve) {
  for (std::size_t k = 2; k < curve.errors.size(); ++k)
    if (curve.errors[k] < curve.errors[k - 1]) offer(tree_of(curve, static_cast<std::int32_t>(k)));
}

// The largest first: what it finds on the way serves the smaller ones.
template <class Measure>
void AnytimeOf<Measure>::polish_sizes() {
  for (std::int32_t k = limits_.leaves; k > 1; --k) {
    Sized& size = sizes_[at(k)];
    if (size.polished || size.errors == kNone) continue;
    size.polished = true;
    improve(size.tree, k);
    sizes_[at(k)].polished = true;
  }
}

template <class Measure>
void AnytimeOf<Measure>::offer(const SmallTree& tree) {
  const Cost errors = measure_.of(tree, subset_), cost = errors + price_ * tree.n_leaves();
  const std::size_t leaves = at(tree.n_leaves());
  if (leaves < sizes_.size() && errors < sizes_[leaves].errors) sizes_[leaves] = {tree, errors, false};
  if (cost >= cost_) return;
  cost_ = cost;
  best_ = tree;
}

// Alternating passes and the dynamic program along the tree, within so many leaves, until neither helps.
template <class Measure>
void AnytimeOf<Measure>::improve(SmallTree tree, std::int32_t leaves) {
  Cost now = cost_of(tree);
  offer(tree);
  const auto keep = [&](const SmallTree& given) {
    const SmallTree other = given.without_empty(subset_);
    if (min_cases_ > 1 && !other.leaves_hold(min_cases_, subset_)) return;
    const Cost cost = cost_of(other);
    if (cost >= now) return;
    now = cost;
    tree = other;
    offer(other);
  };
  for (int round = 0; round < 20 && !budget_.is_spent(); ++round) {
    const Cost was = now;
    SmallTree other = tree;
    for (int pass = 0; pass < 3 && alternate(subset_, other, 0); ++pass) {
    }
    keep(other);
    if (budget_.is_spent()) return;
    const auto widths = std::exchange(widths_, {1, 1, 1, 1});
    const SmallTree along = tree;
    const std::shared_ptr<const Curve> found = curve(subset_, {leaves, limits_.depth, 0, &along, 0});
    widths_ = widths;
    if (!sizes_.empty()) offer_sizes(*found);
    keep(cheapest(*found));
    if (now >= was) return;
  }
}

// One pass, the deepest nodes first: every test is chosen so that cases go where they lose less.
template <class Measure>
bool AnytimeOf<Measure>::alternate(const Subset& subset, SmallTree& tree, std::int32_t node) {
  const TreeNode here = tree.nodes[at(node)];
  if (here.chain < 0) {
    if (subset.size() > 0) tree.nodes[at(node)].label = subset.label();
    return false;
  }
  bool changed = false;
  const std::int32_t group = subset.groups_upto(here.chain, here.code);
  if (group > 0 && group < subset.n_groups(here.chain)) {
    changed |= alternate(subset.side(here.chain, group, true), tree, here.left);
    changed |= alternate(subset.side(here.chain, group, false), tree, here.right);
  }
  budget_.spend(static_cast<std::int64_t>(subset.size()) * subset.cases().n_chains());
  const Rechosen best = measure_.rechosen(subset, tree, node);
  if (best.cut.chain < 0) return changed;
  TreeNode& changing = tree.nodes[at(node)];
  changing.chain = best.cut.chain;
  changing.code = best.cut.code;
  if (best.swapped) std::swap(changing.left, changing.right);
  return true;
}

template <class Measure>
SmallTree AnytimeOf<Measure>::tree_of(const Curve& curve, std::int32_t leaves) const {
  leaves = std::min(leaves, static_cast<std::int32_t>(curve.errors.size()) - 1);
  while (leaves > 1 && curve.errors[at(leaves) - 1] == curve.errors[at(leaves)]) --leaves;
  const Way& way = curve.ways[at(leaves)];
  if (way.left == nullptr) return way.tree;
  return SmallTree::join(way.cut.chain, way.cut.code, tree_of(*way.left, way.left_leaves),
                         tree_of(*way.right, way.right_leaves));
}

template <class Measure>
SmallTree AnytimeOf<Measure>::cheapest(const Curve& curve) const {
  std::size_t best = 1;
  for (std::size_t k = 2; k < curve.errors.size(); ++k)
    if (curve.errors[k] + price_ * static_cast<Cost>(k) <
        curve.errors[best] + price_ * static_cast<Cost>(best))
      best = k;
  return tree_of(curve, static_cast<std::int32_t>(best));
}

template <class Measure>
std::shared_ptr<const typename AnytimeOf<Measure>::Curve> AnytimeOf<Measure>::curve(const Subset& subset,
                                                                                    const Place& place) {
  auto out = std::make_shared<Curve>();
  std::int32_t leaves = std::clamp(place.leaves, 1, std::max(1, subset.size() / min_cases_));
  if (place.depth < 20) leaves = std::min(leaves, 1 << place.depth);
  const Cost as_leaf = measure_.leaf(subset);
  out->errors.assign(at(leaves) + 1, as_leaf);
  out->ways.resize(at(leaves) + 1);
  for (Way& way : out->ways) way.tree = SmallTree::leaf(subset.label());
  if (leaves == 1 || as_leaf == 0) return out;
  const std::int64_t cells = static_cast<std::int64_t>(subset.size()) * subset.cases().n_chains();
  budget_.spend(cells / 2);
  // A path goes through many small nodes, where dividing the cases takes longer than the sweep.
  if (!sizes_.empty()) budget_.spend(2 * cells + kNodeWork);
  const SmallTree stump = measure_.stump(subset, min_cases_);
  if (stump.n_leaves() > 1) {
    const Cost errors = measure_.of(stump, subset);
    for (std::int32_t k = 2; k <= leaves; ++k) out->errors[at(k)] = errors;
    for (std::int32_t k = 2; k <= leaves; ++k) out->ways[at(k)].tree = stump;
  }
  if (leaves == 2 || place.depth == 1) return out;
  const std::int32_t width = widths_[at(std::min(place.level, 3))];
  const bool along = place.along != nullptr && place.along->nodes[at(place.node)].chain >= 0;
  std::vector<Cut> roots;
  if (along) {
    const TreeNode& hint = place.along->nodes[at(place.node)];
    roots.push_back({hint.chain, hint.code});
  }
  std::vector<Cut> more;
  if (width > 0 && !budget_.is_spent()) {
    std::vector<Cost> table;
    if (measure_.table_work(subset, subset.cases().n_chains()) <= kTableWork) {
      typename Measure::TwoLevels two;
      table = measure_.table(subset, min_cases_, two, budget_);
      add_shallow(subset, two, *out);
      if (place.depth == 2 || leaves == 3) return out;
    } else if (leaves > 3 && place.depth > 2) {
      table = sampled(subset);
    }
    more = choose(subset, table, width);
  } else if (!along) {
    more = choose(subset, {}, 1);
  }
  for (const Cut& cut : more)
    if (!along || cut.chain != roots.front().chain || cut.code != roots.front().code) roots.push_back(cut);
  Place here = place;
  here.leaves = leaves;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (i > 0 && budget_.is_spent()) break;
    add_root(subset, here, roots[i], along && i == 0, *out);
  }
  return out;
}

template <class Measure>
void AnytimeOf<Measure>::add_shallow(const Subset& subset, const typename Measure::TwoLevels& two,
                                     Curve& curve) const {
  for (std::int32_t k = 3; k < static_cast<std::int32_t>(curve.errors.size()); ++k) {
    if (k > 4) {
      curve.errors[at(k)] = curve.errors[4];
      curve.ways[at(k)] = curve.ways[4];
      continue;
    }
    if (two.errors[at(k)] >= curve.errors[at(k)]) continue;
    Way way;
    way.tree = measure_.shallow(subset, two, k, min_cases_);
    if (min_cases_ > 1 && !way.tree.leaves_hold(min_cases_, subset)) continue;
    curve.errors[at(k)] = measure_.of(way.tree, subset);
    curve.ways[at(k)] = std::move(way);
  }
}

template <class Measure>
void AnytimeOf<Measure>::add_root(const Subset& subset, const Place& place, Cut root, bool along,
                                  Curve& curve_here) {
  const std::int32_t group = subset.groups_upto(root.chain, root.code);
  if (group == 0 || group == subset.n_groups(root.chain)) return;
  const TreeNode* hint = along ? &place.along->nodes[at(place.node)] : nullptr;
  const auto below = [&](bool left) {
    const Subset side = subset.side(root.chain, group, left);
    if (side.size() < min_cases_) return std::shared_ptr<const Curve>();
    return curve(side, {place.leaves - 1, place.depth - 1, place.level + 1, along ? place.along : nullptr,
                        hint == nullptr ? -1
                        : left          ? hint->left
                                        : hint->right});
  };
  const std::shared_ptr<const Curve> left = below(true), right = below(false);
  if (left == nullptr || right == nullptr) return;
  const auto n_left = static_cast<std::int32_t>(left->errors.size());
  const auto n_right = static_cast<std::int32_t>(right->errors.size());
  for (std::int32_t l = 1; l < n_left; ++l) {
    for (std::int32_t r = 1; r < n_right && l + r <= place.leaves; ++r) {
      const Cost errors = left->errors[at(l)] + right->errors[at(r)];
      for (std::int32_t k = l + r; k <= place.leaves && errors < curve_here.errors[at(k)]; ++k) {
        curve_here.errors[at(k)] = errors;
        curve_here.ways[at(k)] = {SmallTree(), root, l, r, left, right};
      }
    }
  }
}

// The purest cut first, then cuts by what depth 2 makes of them, away from each other.
template <class Measure>
std::vector<Cut> AnytimeOf<Measure>::choose(const Subset& subset, const std::vector<Cost>& table,
                                            std::int32_t width, std::span<const std::int32_t> chains) const {
  struct Candidate {
    double key = 0.0, gini = 0.0;
    Cut cut;
    std::int32_t position = 0;
  };
  std::vector<Candidate> all;
  Candidate purest{0.0, -1.0, {}, 0};
  const std::int32_t n_chains =
      chains.empty() ? subset.cases().n_chains() : static_cast<std::int32_t>(chains.size());
  for (std::int32_t c = 0; c < n_chains; ++c) {
    const std::int32_t chain = chains.empty() ? c : chains[at(c)];
    Candidate of_chain{0.0, -1.0, {}, 0};
    measure_.for_cuts(subset, chain, min_cases_, [&](std::int32_t g, double gini) {
      const Candidate here{
          -gini, gini, {chain, subset.group_code(chain, g)}, subset.group_begins(chain)[at(g) + 1]};
      if (gini > purest.gini) purest = here;
      if (table.empty()) {
        if (gini > of_chain.gini) of_chain = here;
        return;
      }
      const Cost errors = table[at(subset.cases().first_cut[at(chain)] + here.cut.code)];
      if (errors == kNone) return;
      all.push_back(here);
      all.back().key = static_cast<double>(errors);
    });
    if (of_chain.cut.chain >= 0) all.push_back(of_chain);
  }
  std::vector<Cut> roots;
  if (purest.cut.chain < 0) return roots;
  std::vector<Candidate> taken;
  const auto add = [&](const Candidate& one) {
    for (const Cut& cut : roots)
      if (cut.chain == one.cut.chain && cut.code == one.cut.code) return;
    roots.push_back(one.cut);
    taken.push_back(one);
  };
  if (table.empty() || width > 1) add(purest);
  if (table.empty() && width <= 1) return roots;
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    if (a.key != b.key) return a.key < b.key;
    if (a.gini != b.gini) return a.gini > b.gini;
    return a.cut.chain != b.cut.chain ? a.cut.chain < b.cut.chain : a.cut.code < b.cut.code;
  });
  const std::int32_t apart = std::max(1, subset.size() / (8 * width));
  for (const Candidate& one : all) {
    if (static_cast<std::int32_t>(roots.size()) >= std::max(1, width)) break;
    const bool is_near = std::any_of(taken.begin(), taken.end(), [&](const Candidate& other) {
      return other.cut.chain == one.cut.chain && std::abs(other.position - one.position) < apart;
    });
    if (!is_near) add(one);
  }
  return roots;
}

// The table of depth 2 of a sample: the chains of the purest cuts, cases by a fixed scrambled order, 64 cuts of a chain
// at most. It only tells which roots to try.
template <class Measure>
std::vector<typename Measure::Cost> AnytimeOf<Measure>::sampled(const Subset& subset) {
  constexpr std::size_t kChains = 10, kBins = 64, kFewest = 20;
  struct Ranked {
    double gini = -1.0;
    std::int32_t chain = 0;
  };
  std::vector<Ranked> ranked;
  for (std::int32_t chain = 0; chain < subset.cases().n_chains(); ++chain) {
    Ranked best{-1.0, chain};
    measure_.for_cuts(subset, chain, 1,
                      [&](std::int32_t, double gini) { best.gini = std::max(best.gini, gini); });
    if (best.gini >= 0.0) ranked.push_back(best);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.gini > b.gini; });
  ranked.resize(std::min(ranked.size(), kChains));
  const double share = static_cast<double>(kSampleWork) /
                       static_cast<double>(std::max<std::int64_t>(
                           1, measure_.table_work(subset, static_cast<std::int64_t>(ranked.size()))));
  const auto edge = share >= 1.0 ? UINT32_MAX : static_cast<std::uint32_t>(share * 4294967295.0);
  std::vector<std::int32_t> picked;
  for (std::int32_t i = 0; i < subset.size(); ++i)
    if ((static_cast<std::uint32_t>(subset.member(i)) + 1U) * 2654435761U <= edge) picked.push_back(i);
  std::vector<Cost> table(at(subset.cases().n_cuts()), kNone);
  if (picked.size() < kFewest || ranked.empty()) return {};
  Cases sample;
  sample.n = static_cast<std::int32_t>(picked.size());
  sample.n_classes = subset.cases().n_classes;
  for (const std::int32_t i : picked) {
    sample.classes.push_back(subset.class_of(i));
    sample.weights.push_back(subset.weight_of(i));
    if (!subset.cases().values.empty()) sample.values.push_back(subset.value_of(i));
  }
  std::vector<std::vector<std::int32_t>> edges(ranked.size());
  for (std::size_t z = 0; z < ranked.size(); ++z) {
    const std::vector<std::int32_t>& codes = subset.cases().chains[at(ranked[z].chain)].codes;
    std::vector<std::int32_t> sorted;
    for (const std::int32_t i : picked) sorted.push_back(codes[at(subset.member(i))]);
    Chain& chain = sample.chains.emplace_back();
    chain.codes = sorted;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t q = 1; q <= kBins; ++q) {
      const std::int32_t code = sorted[std::min(sorted.size() - 1, sorted.size() * q / kBins)];
      if (edges[z].empty() || code > edges[z].back()) edges[z].push_back(code);
    }
    for (std::int32_t& code : chain.codes)
      code = static_cast<std::int32_t>(std::lower_bound(edges[z].begin(), edges[z].end(), code) -
                                       edges[z].begin());
    chain.n_codes = static_cast<std::int32_t>(edges[z].size());
  }
  sample.finish();
  typename Measure::TwoLevels two;
  const std::vector<Cost> errors = measure_.table(Subset(sample), 1, two, budget_);
  for (std::size_t z = 0; z < ranked.size(); ++z)
    for (std::int32_t cut = sample.first_cut[z]; cut < sample.first_cut[z + 1]; ++cut)
      if (errors[at(cut)] != kNone)
        table[at(subset.cases().first_cut[at(ranked[z].chain)] + edges[z][at(cut - sample.first_cut[z])])] =
            errors[at(cut)];
  return table;
}

template class AnytimeOf<Errors>;
template class AnytimeOf<Squares>;

}  // namespace bough::search
