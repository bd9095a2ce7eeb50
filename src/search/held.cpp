// SPDX-License-Identifier: Apache-2.0
// Exact search under a least number of cases in every leaf.
//
// Such trees are some of all trees, so what best_tree() proves of all of them, F, bounds these from below; and where its
// tree holds enough cases anyway, that tree is the answer. Otherwise root cuts are divided by intervals as in deep.cpp, by
// bounds of F: the least cost of held trees itself is not monotone in the cases, because a leaf may come to hold too few.
// At a position that F cannot exclude, both sides are searched by recursion.
#include "search/held.hpp"

namespace bough::search {
namespace {

class Held {
 public:
  Held(const Subset& subset, Limits limits, Cost price, std::int32_t min_cases, Budget& budget)
      : subset_(subset), limits_(limits), price_(price), min_cases_(min_cases), budget_(budget) {}

  // `lower`: what is proven of all trees within the limits.
  Found solve(Cost bound, Cost lower) {
    bound_ = bound;
    offer(subset_.leaf_cost() + price_, [&] { return SmallTree::leaf(subset_.label()); });
    offer(best_stump(subset_, min_cases_).errors + 2 * price_,
          [&] { return stump_tree(subset_, min_cases_); });
    found_.lower = bound_;
    if (limits_.depth > 1 && bound_ > 2 * price_) {
      open_all(lower);
      found_.lower = heap_.divide_all(bound_, budget_, [this](const Interval& of) { return divide(of); });
    }
    found_.lower = std::max(found_.lower, std::min(lower, bound_));
    return std::move(found_);
  }

 private:
  // Lower bounds of F of both sides at both ends.
  struct Interval {
    IntervalKey key;
    Cost left_first = 0, right_first = 0, left_last = 0, right_last = 0;
  };

  template <class Make>
  void offer(Cost cost, const Make& make) {
    if (cost >= bound_) return;
    bound_ = found_.cost = cost;
    found_.tree = make();
  }

  [[nodiscard]] std::int32_t most() const { return 1 << std::min(limits_.depth - 1, 20); }

  // Positions that leave enough cases on both sides.
  void open_all(Cost whole) {
    for (std::int32_t chain = 0; chain < subset_.cases().n_chains(); ++chain) {
      before_.push_back(subset_.weights_before(chain));
      const std::span<const std::int32_t> begins = subset_.group_begins(chain);
      std::int32_t first = 1, last = subset_.n_groups(chain) - 1;
      while (first <= last && begins[at(first)] < min_cases_) ++first;
      while (first <= last && subset_.size() - begins[at(last)] < min_cases_) --last;
      if (first > last) continue;
      auto interval = std::make_unique<Interval>();
      interval->key = {chain, first - 1, last + 1, 0};
      interval->left_first = interval->right_last = price_;
      interval->left_last = whole - (before_.back().back() - before_.back()[at(last) + 1]);
      interval->right_first = whole - before_.back()[at(first) - 1];
      push(std::move(interval));
    }
  }

  struct Sides {
    Cost left = 0, right = 0;
  };
  [[nodiscard]] Sides sides_at(const Interval& of, std::int32_t i) const {
    const std::vector<Cost>& before = before_[at(of.key.chain)];
    return {std::max(of.left_first, of.left_last - (before[at(of.key.last)] - before[at(i)])),
            std::max(of.right_last, of.right_first - (before[at(i)] - before[at(of.key.first)]))};
  }
  [[nodiscard]] Cost bound_at(const Interval& of, std::int32_t i) const {
    const Sides sides = sides_at(of, i);
    return sides.left + sides.right;
  }

  void push(std::unique_ptr<Interval> interval) {
    Interval& of = *interval;
    if (narrow(
            of.key, before_[at(of.key.chain)], bound_, [&](std::int32_t i) { return bound_at(of, i); },
            [&](Cost passed) { of.right_first -= passed; }, [&](Cost passed) { of.left_last -= passed; }))
      heap_.push(std::move(interval));
  }

  // False: the budget ended on the way, and the interval stays as it was.
  bool divide(const Interval& of) {
    const LowestBound low = lowest_bound(of.key, [&](std::int32_t i) { return bound_at(of, i); });
    if (low.bound >= bound_) return true;
    const std::int32_t mid = middle(before_[at(of.key.chain)], low.first, low.last);
    const Subset left = subset_.side(of.key.chain, mid, true), right = subset_.side(of.key.chain, mid, false);
    budget_.spend(static_cast<std::int64_t>(subset_.size()) * subset_.cases().n_chains() / 2);
    Sides sides = sides_at(of, mid);
    const Limits any{std::min(limits_.leaves - 1, most()), limits_.depth - 1};
    sides.left =
        std::max(sides.left, best_tree(left, any, price_, bound_ - sides.right, budget_, false).lower);
    if (sides.left + sides.right < bound_)
      sides.right =
          std::max(sides.right, best_tree(right, any, price_, bound_ - sides.left, budget_, false).lower);
    if (sides.left + sides.right < bound_) search_sides(of.key.chain, mid, left, right, sides);
    if (budget_.is_spent()) return false;
    for (const bool part : {true, false}) {
      auto inner = std::make_unique<Interval>(of);
      (part ? inner->key.last : inner->key.first) = mid;
      (part ? inner->left_last : inner->left_first) = sides.left;
      (part ? inner->right_last : inner->right_first) = sides.right;
      if (inner->key.last - inner->key.first >= 2) push(std::move(inner));
    }
    return true;
  }

  void search_sides(std::int32_t chain, std::int32_t mid, const Subset& left, const Subset& right,
                    const Sides& sides) {
    // Every way to share the leaves; more than a side can have at its depth are of no use to it.
    const std::int32_t first = std::clamp(limits_.leaves - most(), 1, most());
    for (std::int32_t k = first; k <= std::min(limits_.leaves - 1, most()); ++k) {
      const std::int32_t rest = std::min(limits_.leaves - k, most());
      Found l =
          best_held_tree(left, {k, limits_.depth - 1}, price_, bound_ - sides.right, min_cases_, budget_);
      if (budget_.is_spent()) return;
      if (l.cost == kNoLimit) continue;
      Found r =
          best_held_tree(right, {rest, limits_.depth - 1}, price_, bound_ - l.cost, min_cases_, budget_);
      if (r.cost != kNoLimit)
        offer(l.cost + r.cost,
              [&] { return SmallTree::join(chain, subset_.group_code(chain, mid - 1), l.tree, r.tree); });
      if (budget_.is_spent()) return;
    }
  }

  const Subset& subset_;
  Limits limits_;
  Cost price_, bound_ = 0;
  std::int32_t min_cases_;
  Budget& budget_;
  std::vector<std::vector<Cost>> before_;  // per chain: weights_before
  Found found_;
  IntervalHeap<Interval> heap_;
};

}  // namespace

Found best_held_tree(const Subset& subset, Limits limits, Cost price, Cost bound, std::int32_t min_cases,
                     Budget& budget) {
  if (subset.size() < 2 * min_cases) limits.leaves = 1;
  Found free = best_tree(subset, limits, price, bound, budget, false);
  if (free.cost == kNoLimit || free.tree.n_leaves() == 1 || free.tree.leaves_hold(min_cases, subset))
    return free;
  limits.leaves = std::min({limits.leaves, subset.size() / min_cases, 1 << std::min(limits.depth, 20)});
  limits.depth = std::min(limits.depth, limits.leaves - 1);
  return Held(subset, limits, price, min_cases, budget).solve(bound, free.lower);
}

}  // namespace bough::search
