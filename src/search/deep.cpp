// SPDX-License-Identifier: Apache-2.0
// Exact search beyond depth 3: intervals of root cuts as in depth_three.cpp, whose sides are searched by recursion.
//
// F^k(S) is the least cost of trees of at most k leaves and the depth that is left. A side is searched for k leaves only
// when the pair (k, leaves - k) can still beat the bound. It is asked for trees that cost less than what beats the
// bound, and a quarter of the interval's weight more: a side that fails by that much excludes the positions beside
// it too. Where depth alone limits the leaves there is one k for both sides.
#include "search/deep.hpp"

#include <cmath>

namespace bough::search {
namespace {

struct Interval {
  IntervalKey key;
  std::vector<Cost> left_first, right_first, left_last, right_last;  // by leaves: lower bounds at both ends
};

class Deep {
 public:
  Deep(const Subset& subset, Limits limits, Cost price, Cost bound, Budget& budget)
      : subset_(subset), limits_(limits), price_(price), bound_(bound), budget_(budget) {
    free_ = limits.leaves >= most_leaves(limits.depth);
    most_ = free_ ? 1 : limits.leaves - 1;
    for (std::int32_t k = 1; k <= most_; ++k) pairs_.push_back({k, free_ ? 1 : limits.leaves - k});
    for (std::int32_t chain = 0; chain < subset.cases().n_chains(); ++chain)
      before_.push_back(subset.weights_before(chain));
  }

  Found solve() {
    if (subset_.leaf_cost() + price_ < bound_)
      take(subset_.leaf_cost() + price_, SmallTree::leaf(subset_.label()));
    found_.lower = bound_;
    if (bound_ <= 2 * price_) return std::move(found_);
    open_all(whole());
    found_.lower = heap_.divide_all(bound_, budget_, [this](const Interval& of) { return divide(of); });
    return std::move(found_);
  }

 private:
  struct LeafPair {
    std::int32_t left = 1, right = 1;
  };
  // What is known of both sides at one position, by leaves.
  struct Sides {
    std::vector<Cost> low[2];
    std::vector<Cost> exact[2];  // -1: not known
    std::vector<SmallTree> trees[2];
  };

  void take(Cost cost, SmallTree tree) {
    bound_ = cost;
    found_.cost = cost;
    found_.tree = std::move(tree);
  }

  [[nodiscard]] Found search(const Subset& side, std::int32_t k, Cost bound) {
    const std::int32_t leaves = free_ ? limits_.leaves / 2 : k;
    return best_tree(side, {leaves, limits_.depth - 1}, price_, bound, budget_, false);
  }

  // All cases at one level less: no side costs more. Only for the largest and the smallest numbers of leaves; the
  // others take what the next larger has.
  std::vector<Cost> whole() {
    std::vector<Cost> low(at(most_) + 1, 0);
    for (std::int32_t k = 1; k <= most_; ++k) {
      if (!free_ && k < most_ && k > 2) continue;
      Found found = search(subset_, k, bound_);
      if (found.cost < bound_) take(found.cost, std::move(found.tree));
      low[at(k)] = found.lower;
    }
    for (std::int32_t k = most_ - 1; k >= 1; --k) low[at(k)] = std::max(low[at(k)], low[at(k) + 1]);
    return low;
  }

  void open_all(const std::vector<Cost>& whole) {
    for (std::int32_t chain = 0; chain < subset_.cases().n_chains(); ++chain) {
      if (subset_.n_groups(chain) < 2) continue;
      auto interval = std::make_unique<Interval>();
      interval->key = {chain, 0, subset_.n_groups(chain), 0};
      interval->left_first.assign(at(most_) + 1, price_);
      interval->right_last = interval->left_first;
      interval->left_last = interval->right_first = whole;
      push(std::move(interval));
    }
  }

  Cost bound_at(const Interval& of, std::int32_t i, std::vector<Cost>& left, std::vector<Cost>& right) const {
    const std::vector<Cost>& before = before_[at(of.key.chain)];
    for (std::size_t k = 1; k <= at(most_); ++k) {
      left[k] = std::max(of.left_first[k], of.left_last[k] - (before[at(of.key.last)] - before[at(i)]));
      right[k] = std::max(of.right_last[k], of.right_first[k] - (before[at(i)] - before[at(of.key.first)]));
    }
    Cost least = kMostCost;
    for (const LeafPair& pair : pairs_) least = std::min(least, left[at(pair.left)] + right[at(pair.right)]);
    return least;
  }
  Cost bound_at(const Interval& of, std::int32_t i) {
    left_.resize(at(most_) + 1);
    right_.resize(at(most_) + 1);
    return bound_at(of, i, left_, right_);
  }

  void push(std::unique_ptr<Interval> interval) {
    Interval& of = *interval;
    const auto weaken = [](std::vector<Cost>& costs) {
      return [&costs](Cost passed) {
        for (Cost& cost : costs) cost -= passed;
      };
    };
    if (narrow(
            of.key, before_[at(of.key.chain)], bound_, [&](std::int32_t i) { return bound_at(of, i); },
            weaken(of.right_first), weaken(of.left_last)))
      heap_.push(std::move(interval));
  }

  // False: the budget ended on the way, and the interval stays as it was.
  bool divide(const Interval& of) {
    const std::vector<Cost>& before = before_[at(of.key.chain)];
    const LowestBound low = lowest_bound(of.key, [&](std::int32_t i) { return bound_at(of, i); });
    if (low.bound >= bound_) return true;
    const std::int32_t mid = middle(before, low.first, low.last);
    const Subset sides[2] = {subset_.side(of.key.chain, mid, true), subset_.side(of.key.chain, mid, false)};
    budget_.spend(static_cast<std::int64_t>(subset_.size()) * subset_.cases().n_chains() / 2);
    Sides known;
    for (int s = 0; s < 2; ++s) {
      known.low[s].resize(at(most_) + 1);
      known.exact[s].assign(at(most_) + 1, -1);
      known.trees[s].resize(at(most_) + 1);
    }
    bound_at(of, mid, known.low[0], known.low[1]);
    if (!free_) {
      for (int s = 0; s < 2; ++s) {
        known.exact[s][1] = sides[s].leaf_cost() + price_;
        known.low[s][1] = std::max(known.low[s][1], known.exact[s][1]);
        known.trees[s][1] = SmallTree::leaf(sides[s].label());
      }
    }
    const Cost slack =
        std::min(before[at(mid)] - before[at(of.key.first)], before[at(of.key.last)] - before[at(mid)]) / 4;
    if (!search_sides(of.key.chain, mid, sides, slack, known)) return false;
    for (const bool part : {true, false}) {
      if (part ? mid - of.key.first < 2 : of.key.last - mid < 2) continue;
      auto inner = std::make_unique<Interval>(of);
      (part ? inner->key.last : inner->key.first) = mid;
      (part ? inner->left_last : inner->left_first) = known.low[0];
      (part ? inner->right_last : inner->right_first) = known.low[1];
      push(std::move(inner));
    }
    return true;
  }

  // Raises what is known of both sides at a position until no pair of leaves can beat the bound there, or all that can
  // are known exactly.
  bool search_sides(std::int32_t chain, std::int32_t mid, const Subset (&sides)[2], Cost slack,
                    Sides& known) {
    for (;;) {
      Cost least = kMostCost;
      const LeafPair* open = nullptr;
      for (const LeafPair& pair : pairs_) {
        const Cost cost = known.low[0][at(pair.left)] + known.low[1][at(pair.right)];
        const bool is_known = known.exact[0][at(pair.left)] >= 0 && known.exact[1][at(pair.right)] >= 0;
        if (!is_known && cost < least) least = cost, open = &pair;
      }
      if (open == nullptr || least >= bound_) return true;
      const std::int32_t k[2] = {open->left, open->right};
      const int s = next_side(k, sides, known);
      Found found = search(sides[s], k[s], bound_ - known.low[1 - s][at(k[1 - s])] + slack);
      for (std::int32_t j = 1; j <= k[s]; ++j)  // fewer leaves cost no less
        known.low[s][at(j)] = std::max(known.low[s][at(j)], found.lower);
      const bool is_exact = found.cost == found.lower;
      if (is_exact) known.exact[s][at(k[s])] = found.cost;
      if (found.cost != kNoLimit) known.trees[s][at(k[s])] = std::move(found.tree);
      if (known.exact[0][at(k[0])] >= 0 && known.exact[1][at(k[1])] >= 0) {
        const Cost cost = known.exact[0][at(k[0])] + known.exact[1][at(k[1])];
        if (cost < bound_)
          take(cost, SmallTree::join(chain, subset_.group_code(chain, mid - 1), known.trees[0][at(k[0])],
                                     known.trees[1][at(k[1])]));
      }
      if (budget_.is_spent()) return false;
    }
  }

  // The side that is not known; of two the one of fewer leaves, then of fewer cases.
  static int next_side(const std::int32_t (&k)[2], const Subset (&sides)[2], const Sides& known) {
    if (known.exact[0][at(k[0])] >= 0) return 1;
    if (known.exact[1][at(k[1])] >= 0) return 0;
    if (k[0] != k[1]) return k[0] < k[1] ? 0 : 1;
    return sides[0].size() <= sides[1].size() ? 0 : 1;
  }

  const Subset& subset_;
  Limits limits_;
  Cost price_, bound_;
  Budget& budget_;
  bool free_ = false;      // depth alone limits the leaves
  std::int32_t most_ = 1;  // leaves of a side, 1 where it is free
  std::vector<LeafPair> pairs_;
  std::vector<std::vector<Cost>> before_;
  std::vector<Cost> left_, right_;
  Found found_;
  IntervalHeap<Interval> heap_;
};

// Depth 1 or 2: the table of the sweep has all of them.
Found shallow_tree(const Subset& subset, std::int32_t leaves, Cost price, Cost bound, Budget& budget) {
  DepthTwo two;
  if (leaves > 2)
    static_cast<void>(all_cuts(subset, two, budget));
  else
    static_cast<void>(listed_cuts(subset, {}, kNoLimit, two, budget));
  Found found;
  for (std::int32_t k = 1; k <= leaves; ++k) {
    const Cost cost = two.errors[at(k)] + price * k;
    if (cost >= bound) continue;
    bound = found.cost = cost;
    found.tree = depth_two_tree(subset, two, k);
  }
  found.lower = bound;
  return found;
}

}  // namespace

Found best_tree(const Subset& subset, Limits limits, Cost price, Cost bound, Budget& budget, bool outermost) {
  limits.leaves = std::min(limits.leaves, most_leaves(limits.depth));
  limits.depth = std::min(limits.depth, limits.leaves - 1);
  if (limits.depth <= 0 || subset.leaf_cost() == 0) {
    Found found;
    const Cost cost = subset.leaf_cost() + price;
    if (cost < bound) found.cost = cost, found.tree = SmallTree::leaf(subset.label());
    found.lower = std::min(cost, bound);
    return found;
  }
  if (limits.depth <= 2) return shallow_tree(subset, limits.leaves, price, bound, budget);
  if (limits.depth == 3)
    return DepthThree(subset, std::min(limits.leaves, 8), price, budget).solve(bound, outermost);
  return Deep(subset, limits, price, bound, budget).solve();
}

}  // namespace bough::search
