// SPDX-License-Identifier: Apache-2.0
// Best-first search over intervals of root cuts.
//
// F^k(S) is the least errors of trees of at most k leaves and depth 2 on cases S, w() the weight of cases. Two facts carry
// everything. Monotone: fewer cases, no more errors. Similar: F^k(S') <= F^k(S) + w(S' - S), because the best tree of S
// errs at most on all cases added. Along a chain the left side grows and the right side shrinks, so between two
// positions i0 < i < i1 with known values
//   F(left_i)  >= max(F(left_i0),  F(left_i1)  - w(i..i1)),
//   F(right_i) >= max(F(right_i1), F(right_i0) - w(i0..i)).
// The least sum over the ways to divide the leaves bounds position i; an interval is divided at the middle of its
// lowest positions. The same two facts hold for the errors of a side under one second-level root (b, j): once
// errors at i0 plus F(right_i1) reach the bound, no tree in the interval with that second-level root is better, and
// intervals inside this one need not look at it again. So every interval carries two shrinking lists.
#include "search/depth_three.hpp"

namespace bough::search {
namespace {

Cost floor_at(const SideCosts& near, const SideCosts& far, std::size_t k, Cost between) {
  return std::max(near[k], far[k] - between);
}

}  // namespace

void DepthThree::take(Cost cost, SmallTree tree) {
  bound_ = cost;
  found_.cost = cost;
  found_.tree = std::move(tree);
}

void DepthThree::offer_small() {
  if (subset_.leaf_cost() + price_ < bound_)
    take(subset_.leaf_cost() + price_, SmallTree::leaf(subset_.label()));
  if (leaves_ < 2) return;
  const Stump stump = best_stump(subset_);
  if (stump.chain >= 0 && stump.errors + 2 * price_ < bound_)
    take(stump.errors + 2 * price_, stump_tree(subset_));
}

Found DepthThree::solve(Cost bound, bool probe) {
  bound_ = bound;
  found_ = {};
  heap_.clear();
  offer_small();
  found_.lower = bound_;
  if (subset_.leaf_cost() == 0 || leaves_ <= 2) return found_;
  DepthTwo two;
  const std::vector<Cost> table = all_cuts(subset_, two, budget_);
  for (std::int32_t k = 3; k <= std::min(4, leaves_); ++k)
    if (two.errors[at(k)] + price_ * k < bound_)
      take(two.errors[at(k)] + price_ * k, depth_two_tree(subset_, two, k));
  found_.lower = bound_;
  // Deeper trees have two leaves at least on one side and one on the other.
  if (leaves_ == 3 || bound_ <= 3 * price_) return found_;
  before_.clear();
  for (std::int32_t chain = 0; chain < subset_.cases().n_chains(); ++chain)
    before_.push_back(subset_.weights_before(chain));
  if (probe) probe_best(table);
  open_all(table, two.errors);
  found_.lower = heap_.divide_all(bound_, budget_, [this](const Interval& of) {
    divide(of);
    return true;
  });
  return found_;
}

Cost DepthThree::combine(const SideCosts& left, const SideCosts& right, std::int32_t* split) const {
  Cost best = kMostCost;
  for (std::int32_t k = 1; k <= 4; ++k) {
    for (std::int32_t q = 1; q <= 4 && k + q <= leaves_; ++q) {
      const Cost cost = left[at(k)] + right[at(q)] + price_ * (k + q);
      if (cost >= best) continue;
      best = cost;
      if (split != nullptr) split[0] = k, split[1] = q;
    }
  }
  return best;
}

// A second-level cut, which has three leaves at least, is of use below these errors.
Cost DepthThree::useful_below(const SideCosts& other) const {
  Cost least = kMostCost;
  for (std::int32_t q = 1; q <= 4 && q + 3 <= leaves_; ++q)
    least = std::min(least, other[at(q)] + price_ * q);
  return bound_ - least - 3 * price_;
}

Cost DepthThree::position_bound(const Interval& of, std::int32_t i) const {
  const std::vector<Cost>& before = before_[at(of.key.chain)];
  SideCosts left{}, right{};
  for (std::size_t k = 1; k <= 4; ++k) {
    left[k] = floor_at(of.left_first, of.left_last, k, before[at(of.key.last)] - before[at(i)]);
    right[k] = floor_at(of.right_last, of.right_first, k, before[at(i)] - before[at(of.key.first)]);
  }
  return combine(left, right);
}

void DepthThree::push(std::unique_ptr<Interval> interval) {
  Interval& of = *interval;
  const auto weaken = [](SideCosts& costs, std::vector<Candidate>& list) {
    return [&](Cost passed) {
      for (std::size_t k = 1; k <= 4; ++k) costs[k] -= passed;
      for (Candidate& one : list) one.high -= passed;
    };
  };
  if (narrow(
          of.key, before_[at(of.key.chain)], bound_, [&](std::int32_t i) { return position_bound(of, i); },
          weaken(of.right_first, of.right), weaken(of.left_last, of.left)))
    heap_.push(std::move(interval));
}

void DepthThree::open_all(const std::vector<Cost>& table, const SideCosts& whole) {
  std::vector<Candidate> list;
  for (std::size_t cut = 0; cut < table.size(); ++cut)
    if (table[cut] != kNoLimit) list.push_back({static_cast<std::int32_t>(cut), 0, table[cut]});
  for (std::int32_t chain = 0; chain < subset_.cases().n_chains(); ++chain) {
    if (subset_.n_groups(chain) < 2) continue;
    auto interval = std::make_unique<Interval>();
    interval->key = {chain, 0, subset_.n_groups(chain), 0};
    interval->left_last = interval->right_first = whole;
    interval->left = interval->right = list;
    push(std::move(interval));
  }
}

// Candidates whose bound reaches the limit are not looked at: their values stay bounds. The same goes for cuts that
// are not listed, so `errors` of three and four leaves are no more than the limit.
DepthThree::SideFound DepthThree::evaluate(const Subset& side, const std::vector<Candidate>& list,
                                           Cost weaker, Cost limit) {
  SideFound found;
  found.values.resize(list.size());
  std::vector<std::int32_t> cuts;
  std::vector<std::size_t> places;
  Cost rest = limit;
  for (std::size_t i = 0; i < list.size(); ++i) {
    found.values[i] = std::max(list[i].low, list[i].high - weaker);
    if (found.values[i] >= limit) continue;
    cuts.push_back(list[i].cut);
    places.push_back(i);
  }
  const std::vector<Cost> values = listed_cuts(side, cuts, limit, found.two, budget_);
  for (std::size_t i = 0; i < places.size(); ++i) found.values[places[i]] = values[i];
  found.errors = found.two.errors;
  for (std::size_t k = 3; k <= 4; ++k) found.errors[k] = std::min(found.errors[k], std::max(rest, 0));
  return found;
}

void DepthThree::divide(const Interval& of) {
  const std::vector<Cost>& before = before_[at(of.key.chain)];
  const LowestBound low = lowest_bound(of.key, [&](std::int32_t i) { return position_bound(of, i); });
  if (low.bound >= bound_) return;
  const std::int32_t mid = middle(before, low.first, low.last);
  const Subset left = subset_.side(of.key.chain, mid, true), right = subset_.side(of.key.chain, mid, false);
  budget_.spend(static_cast<std::int64_t>(subset_.size()) * subset_.cases().n_chains() / 2);
  const Cost after = before[at(of.key.last)] - before[at(mid)];
  const Cost passed = before[at(mid)] - before[at(of.key.first)];
  SideFound l = evaluate(left, of.left, after, useful_below(of.right_last));
  SideFound r = evaluate(right, of.right, passed, useful_below(of.left_first));
  for (std::size_t k = 1; k <= 4; ++k) {
    l.errors[k] = std::max(l.errors[k], floor_at(of.left_first, of.left_last, k, after));
    r.errors[k] = std::max(r.errors[k], floor_at(of.right_last, of.right_first, k, passed));
  }
  const Cost was = bound_;
  accept(of.key.chain, mid, left, right, l.two, r.two);
  if (bound_ < was) polish();
  push_part(of, mid, true, l, r);
  push_part(of, mid, false, l, r);
}

void DepthThree::push_part(const Interval& of, std::int32_t mid, bool first, const SideFound& l,
                           const SideFound& r) {
  if (first ? mid - of.key.first < 2 : of.key.last - mid < 2) return;
  auto part = std::make_unique<Interval>();
  part->key = {of.key.chain, first ? of.key.first : mid, first ? mid : of.key.last, 0};
  part->left_first = first ? of.left_first : l.errors;
  part->left_last = first ? l.errors : of.left_last;
  part->right_first = first ? of.right_first : r.errors;
  part->right_last = first ? r.errors : of.right_last;
  if (combine(part->left_first, part->right_last) >= bound_) return;
  // The left side is smallest at the first end, the right side at the last.
  const Cost left_limit = useful_below(part->right_last), right_limit = useful_below(part->left_first);
  for (std::size_t i = 0; i < of.left.size(); ++i) {
    const Candidate& old = of.left[i];
    const Candidate now =
        first ? Candidate{old.cut, old.low, l.values[i]} : Candidate{old.cut, l.values[i], old.high};
    if (now.low < left_limit) part->left.push_back(now);
  }
  for (std::size_t i = 0; i < of.right.size(); ++i) {
    const Candidate& old = of.right[i];
    const Candidate now =
        first ? Candidate{old.cut, r.values[i], old.high} : Candidate{old.cut, old.low, r.values[i]};
    if (now.low < right_limit) part->right.push_back(now);
  }
  push(std::move(part));
}

void DepthThree::accept(std::int32_t chain, std::int32_t group, const Subset& left, const Subset& right,
                        const DepthTwo& l, const DepthTwo& r) {
  std::int32_t split[2] = {0, 0};
  const Cost cost = combine(l.errors, r.errors, split);
  if (cost >= bound_) return;
  take(cost, SmallTree::join(chain, subset_.group_code(chain, group - 1), depth_two_tree(left, l, split[0]),
                             depth_two_tree(right, r, split[1])));
}

void DepthThree::probe_root(std::int32_t chain, std::int32_t group) {
  if (group <= 0 || group >= subset_.n_groups(chain)) return;
  const Subset left = subset_.side(chain, group, true), right = subset_.side(chain, group, false);
  DepthTwo l, r;
  all_cuts(left, l, budget_);
  all_cuts(right, r, budget_);
  accept(chain, group, left, right, l, r);
}

// The best root of the three most promising chains, as depth 2 sees them.
void DepthThree::probe_best(const std::vector<Cost>& table) {
  struct Root {
    Cost errors = kNoLimit;
    std::int32_t chain = 0, code = 0;
  };
  std::vector<Root> roots;
  const Cases& cases = subset_.cases();
  for (std::int32_t chain = 0; chain < cases.n_chains(); ++chain) {
    Root best{kNoLimit, chain, 0};
    for (std::int32_t cut = cases.first_cut[at(chain)]; cut < cases.first_cut[at(chain) + 1]; ++cut)
      if (table[at(cut)] < best.errors) best = {table[at(cut)], chain, cut - cases.first_cut[at(chain)]};
    if (best.errors != kNoLimit) roots.push_back(best);
  }
  std::stable_sort(roots.begin(), roots.end(),
                   [](const Root& a, const Root& b) { return a.errors < b.errors; });
  for (std::size_t i = 0; i < roots.size() && i < 3 && !budget_.is_spent(); ++i)
    probe_root(roots[i].chain, subset_.groups_upto(roots[i].chain, roots[i].code));
  polish();
}

// The root's cut chosen anew for the subtrees as they are, then the subtrees, as long as it helps.
void DepthThree::polish() {
  for (int round = 0; round < 5 && found_.cost != kNoLimit && !budget_.is_spent(); ++round) {
    if (found_.tree.nodes.front().chain < 0) return;
    const Cost was = bound_;
    const Rechosen best = rechoose(subset_, found_.tree, 0, false);
    budget_.spend(static_cast<std::int64_t>(subset_.size()) * subset_.cases().n_chains() / 16);
    if (best.cut.chain >= 0) probe_root(best.cut.chain, best.group);
    if (bound_ >= was) return;
  }
}

Rechosen rechoose(const Subset& subset, const SmallTree& tree, std::int32_t node, bool may_swap) {
  const TreeNode& here = tree.nodes[at(node)];
  std::vector<std::int64_t> losses(at(subset.size()));
  for (std::int32_t i = 0; i < subset.size(); ++i) {
    const auto errs = [&](std::int32_t child) {
      return tree.nodes[at(tree.leaf_of(subset.cases(), subset.member(i), child))].label !=
             subset.class_of(i);
    };
    losses[at(i)] = ((errs(here.left) ? 1 : 0) - (errs(here.right) ? 1 : 0)) * subset.weight_of(i);
  }
  return rechoose(subset, {here.chain, here.code}, losses, may_swap);
}

Rechosen rechoose(const Subset& subset, Cut now, std::span<const std::int64_t> losses, bool may_swap) {
  const Cases& cases = subset.cases();
  std::int64_t loss_now = 0, total = 0;
  for (std::int32_t i = 0; i < subset.size(); ++i) {
    total += losses[at(i)];
    if (cases.chains[at(now.chain)].codes[at(subset.member(i))] <= now.code) loss_now += losses[at(i)];
  }
  Rechosen best;
  best.loss = may_swap ? loss_now : std::numeric_limits<std::int64_t>::max();
  for (std::int32_t chain = 0; chain < cases.n_chains(); ++chain) {
    const std::span<const std::int32_t> order = subset.order(chain), begins = subset.group_begins(chain);
    std::int64_t sum = 0;
    for (std::int32_t g = 0; g + 1 < subset.n_groups(chain); ++g) {
      for (std::int32_t k = begins[at(g)]; k < begins[at(g) + 1]; ++k) sum += losses[at(order[at(k)])];
      const Cut cut{chain, subset.group_code(chain, g)};
      if (sum < best.loss) best = {sum, cut, g + 1, false};
      if (may_swap && total - sum < best.loss) best = {total - sum, cut, g + 1, true};
    }
  }
  return best;
}

}  // namespace bough::search
