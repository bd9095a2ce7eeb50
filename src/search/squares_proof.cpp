// SPDX-License-Identifier: Apache-2.0
// Exact search of trees of numbers.
//
// One fact carries it: fewer cases, no more squared errors. The best tree of a set of cases loses no more on a part of
// them, and its leaves lose even less when they answer the means of that part. (That one case more costs no more
// than its weight is true of classes alone.) Along a chain the left side grows and the right side shrinks, so between
// two positions the left side costs at least what it costs at the first, and the right side what it costs at the last:
// intervals of root cuts are divided at their middle until no sum is below the best tree found. F^k, the least cost of
// trees of at most k leaves and the depth that is left, is searched by recursion; where depth alone limits the
// leaves there is one k for both sides.
#include "search/squares.hpp"

namespace bough::search {
namespace {

// The sums of one side of a cut, and what its best stump explains; no stump: what a leaf does.
struct SideStump {
  Moments all;
  double explained = 0.0;
  Cut cut;

  [[nodiscard]] SmallTree tree() const {
    const SmallTree end = SmallTree::leaf(0);
    return cut.chain < 0 ? end : SmallTree::join(cut.chain, cut.code, end, end);
  }
};
using SideStumps = std::array<SideStump, 2>;

// The best stumps on both sides of a cut by one walk along every chain, without making subsets of the sides.
SideStumps best_stumps(const Subset& subset, std::int32_t root, std::int32_t group) {
  SideStumps out;
  std::vector<std::uint8_t> side(at(subset.size()));
  const std::span<const std::int32_t> groups = subset.groups(root);
  for (std::int32_t i = 0; i < subset.size(); ++i) {
    side[at(i)] = groups[at(i)] < group ? 0 : 1;
    out[side[at(i)]].all.add(subset.weight_of(i), subset.value_of(i));
  }
  for (SideStump& one : out) one.explained = one.all.explained();
  for (std::int32_t chain = 0; chain < subset.cases().n_chains(); ++chain) {
    std::array<Moments, 2> left;
    const std::span<const std::int32_t> order = subset.order(chain), begins = subset.group_begins(chain);
    for (std::int32_t g = 0; g + 1 < subset.n_groups(chain); ++g) {
      std::array<bool, 2> moved{};
      for (std::int32_t k = begins[at(g)]; k < begins[at(g) + 1]; ++k) {
        const std::int32_t i = order[at(k)];
        const std::int64_t weight = subset.weight_of(i);
        left[side[at(i)]].weight += weight;
        left[side[at(i)]].sum += weight * subset.value_of(i);
        moved[side[at(i)]] = true;
      }
      for (std::size_t s = 0; s < 2; ++s) {
        if (!moved[s] || left[s].weight == out[s].all.weight) continue;
        const Moments rest{out[s].all.weight - left[s].weight, out[s].all.sum - left[s].sum, 0};
        const double explained = left[s].explained() + rest.explained();
        if (explained <= out[s].explained) continue;
        out[s].explained = explained;
        out[s].cut = {chain, subset.group_code(chain, g)};
      }
    }
  }
  return out;
}

class Proof {
 public:
  Proof(const Squares& measure, const Subset& subset, Limits limits, Squares::Cost price, Squares::Cost bound,
        Budget& budget)
      : measure_(measure), subset_(subset), limits_(limits), price_(price), bound_(bound), budget_(budget) {
    free_ = limits.leaves >= most_leaves(limits.depth);
    most_ = free_ ? 1 : limits.leaves - 1;
  }

  FoundSquares solve() {
    found_.lower = bound_;
    if (bound_ <= 2 * price_) return std::move(found_);
    std::vector<Interval> open;
    for (std::int32_t chain = 0; chain < subset_.cases().n_chains(); ++chain)
      push(open, {chain, 0, subset_.n_groups(chain), std::vector<Squares::Cost>(at(most_) + 1, price_),
                  std::vector<Squares::Cost>(at(most_) + 1, price_)});
    while (!open.empty()) {
      std::pop_heap(open.begin(), open.end(), is_after);
      const Interval top = std::move(open.back());
      open.pop_back();
      if (top.bound >= bound_) break;
      if (!divide(open, top)) {
        found_.lower = std::min(bound_, top.bound);
        return std::move(found_);
      }
    }
    found_.lower = bound_;
    return std::move(found_);
  }

 private:
  // Open positions first < i < last; lower bounds by leaves of the left side at the first end and of the right side at
  // the last.
  struct Interval {
    std::int32_t chain = 0, first = 0, last = 0;
    std::vector<Squares::Cost> left, right;
    Squares::Cost bound = 0;
  };
  static bool is_after(const Interval& a, const Interval& b) {
    if (a.bound != b.bound) return a.bound > b.bound;
    if (a.last - a.first != b.last - b.first) return a.last - a.first < b.last - b.first;
    return a.chain != b.chain ? a.chain > b.chain : a.first > b.first;
  }

  [[nodiscard]] std::int32_t other(std::int32_t k) const { return free_ ? 1 : limits_.leaves - k; }

  void push(std::vector<Interval>& open, Interval interval) const {
    if (interval.last - interval.first < 2) return;
    interval.bound = Squares::kNone;
    for (std::int32_t k = 1; k <= most_; ++k)
      interval.bound = std::min(interval.bound, interval.left[at(k)] + interval.right[at(other(k))]);
    if (interval.bound >= bound_) return;
    open.push_back(std::move(interval));
    std::push_heap(open.begin(), open.end(), is_after);
  }

  // False: the budget ended before the position in the middle was known.
  bool divide(std::vector<Interval>& open, const Interval& of) {
    if (budget_.is_spent()) return false;
    const std::int32_t mid = (of.first + of.last) / 2;
    if (limits_.depth == 2) {
      divide_shallow(open, of, mid);
      return true;
    }
    const Subset left = subset_.side(of.chain, mid, true), right = subset_.side(of.chain, mid, false);
    budget_.spend(static_cast<std::int64_t>(subset_.size()) * subset_.cases().n_chains() / 2);
    std::vector<Squares::Cost> low_left = of.left, low_right = of.right;
    for (std::int32_t k = 1; k <= most_; ++k) {
      const std::int32_t q = other(k);
      if (low_left[at(k)] + low_right[at(q)] >= bound_) continue;
      FoundSquares l = search(left, k, bound_ - low_right[at(q)]);
      raise(low_left, k, l.lower);
      if (budget_.is_spent()) return false;
      if (low_left[at(k)] + low_right[at(q)] >= bound_) continue;
      FoundSquares r = search(right, q, bound_ - low_left[at(k)]);
      raise(low_right, q, r.lower);
      if (l.cost != Squares::kNone && r.cost != Squares::kNone && l.cost + r.cost < bound_) {
        bound_ = found_.cost = l.cost + r.cost;
        found_.tree = SmallTree::join(of.chain, subset_.group_code(of.chain, mid - 1), l.tree, r.tree);
      }
      if (budget_.is_spent()) return false;
    }
    push(open, {of.chain, of.first, mid, of.left, low_right});
    push(open, {of.chain, mid, of.last, low_left, of.right});
    return true;
  }

  // Two levels: leaves and stumps of both sides are known at once.
  void divide_shallow(std::vector<Interval>& open, const Interval& of, std::int32_t mid) {
    budget_.spend(static_cast<std::int64_t>(subset_.size()) * subset_.cases().n_chains() / 2);
    const SideStumps sides = best_stumps(subset_, of.chain, mid);
    std::array<std::vector<Squares::Cost>, 2> low{of.left, of.right};
    for (std::size_t s = 0; s < 2; ++s) {
      const auto squares = static_cast<double>(sides[s].all.squares);
      const Squares::Cost leaf = measure_.to_cost(squares - sides[s].all.explained()) + price_;
      const Squares::Cost stump = measure_.to_cost(squares - sides[s].explained) + 2 * price_;
      const Squares::Cost any = std::min(leaf, stump);
      for (std::int32_t k = 1; k <= most_; ++k) {
        const bool is_leaf = !free_ && k == 1;
        low[s][at(k)] = std::max(low[s][at(k)], is_leaf ? leaf : any);
      }
      ends_[s] = stump < leaf ? sides[s].tree() : SmallTree::leaf(0);
    }
    const std::int32_t code = subset_.group_code(of.chain, mid - 1);
    const SmallTree end = SmallTree::leaf(0);
    if (limits_.leaves > 3) offer(SmallTree::join(of.chain, code, ends_[0], ends_[1]));
    if (limits_.leaves == 3) offer(SmallTree::join(of.chain, code, ends_[0], end));
    if (limits_.leaves == 3) offer(SmallTree::join(of.chain, code, end, ends_[1]));
    push(open, {of.chain, of.first, mid, of.left, low[1]});
    push(open, {of.chain, mid, of.last, low[0], of.right});
  }

  void offer(SmallTree tree) {
    const Squares::Cost cost = measure_.of(tree, subset_) + price_ * tree.n_leaves();
    if (cost >= bound_) return;
    bound_ = found_.cost = cost;
    found_.tree = std::move(tree);
  }

  FoundSquares search(const Subset& side, std::int32_t k, Squares::Cost bound) {
    const std::int32_t leaves = free_ ? limits_.leaves / 2 : k;
    return best_square_tree(measure_, side, {leaves, limits_.depth - 1}, price_, bound, budget_);
  }

  // Fewer leaves cost no less.
  static void raise(std::vector<Squares::Cost>& low, std::int32_t k, Squares::Cost lower) {
    for (std::int32_t j = 1; j <= k; ++j) low[at(j)] = std::max(low[at(j)], lower);
  }

  const Squares& measure_;
  const Subset& subset_;
  Limits limits_;
  Squares::Cost price_, bound_;
  Budget& budget_;
  bool free_ = false;      // depth alone limits the leaves
  std::int32_t most_ = 1;  // leaves of a side, 1 where it is free
  FoundSquares found_;
  std::array<SmallTree, 2> ends_;  // of the sides, by their stumps
};

}  // namespace

FoundSquares best_square_tree(const Squares& measure, const Subset& subset, Limits limits,
                              Squares::Cost price, Squares::Cost bound, Budget& budget) {
  limits.leaves = std::min({limits.leaves, most_leaves(limits.depth), std::max(1, subset.size())});
  limits.depth = std::min(limits.depth, limits.leaves - 1);
  FoundSquares best;
  const auto offer = [&](SmallTree tree) {
    const Squares::Cost cost = measure.of(tree, subset) + price * tree.n_leaves();
    if (cost >= bound) return;
    bound = best.cost = cost;
    best.tree = std::move(tree);
  };
  offer(SmallTree::leaf(0));
  best.lower = bound;
  if (limits.depth <= 0 || measure.leaf(subset) == 0) return best;
  budget.spend(static_cast<std::int64_t>(subset.size()) * subset.cases().n_chains() / 4);
  offer(measure.stump(subset, 1));
  best.lower = bound;
  if (limits.depth == 1) return best;
  FoundSquares deeper = Proof(measure, subset, limits, price, bound, budget).solve();
  if (deeper.cost == Squares::kNone) {
    best.lower = deeper.lower;
    return best;
  }
  return deeper;
}

}  // namespace bough::search
