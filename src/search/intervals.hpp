// SPDX-License-Identifier: Apache-2.0
// Results of exact searches, and what they share.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "search/depth_two.hpp"

namespace bough::search {

/// What an exact search of the trees that cost less than a bound found. Cost is errors + price * leaves.
struct Found {
  Cost cost = kNoLimit;  ///< of the tree; kNoLimit: no tree costs less than the bound
  Cost lower = 0;        ///< proven: no tree costs less
  SmallTree tree;
};

/// Open positions first < i < last of the root's cut along one chain, the lowest bound first; a total order.
struct IntervalKey {
  std::int32_t chain = 0, first = 0, last = 0;
  Cost bound = 0;
  [[nodiscard]] bool is_after(const IntervalKey& other) const noexcept {
    if (bound != other.bound) return bound > other.bound;
    if (last - first != other.last - other.first) return last - first < other.last - other.first;
    return chain != other.chain ? chain > other.chain : first > other.first;
  }
};

/// A heap of intervals; T has a member `key`.
template <class T>
class IntervalHeap {
 public:
  void push(std::unique_ptr<T> interval) {
    heap_.push_back(std::move(interval));
    std::push_heap(heap_.begin(), heap_.end(), is_after);
  }
  void clear() { heap_.clear(); }
  /// Divides intervals, the lowest bound first, until none is below `bound`, which falls on the way, or the budget is
  /// spent. divide(interval) is false where the budget ended inside: then the interval stays. Returns the lower bound
  /// that is proven.
  template <class Divide>
  Cost divide_all(const Cost& bound, Budget& budget, const Divide& divide) {
    while (!heap_.empty()) {
      std::unique_ptr<T> top = pop();
      if (top->key.bound >= bound) {
        heap_.clear();
        break;
      }
      if (budget.is_spent() || !divide(*top)) {
        push(std::move(top));
        break;
      }
    }
    Cost lower = bound;
    for (const auto& one : heap_) lower = std::min(lower, one->key.bound);
    return lower;
  }

 private:
  std::unique_ptr<T> pop() {
    std::pop_heap(heap_.begin(), heap_.end(), is_after);
    std::unique_ptr<T> top = std::move(heap_.back());
    heap_.pop_back();
    return top;
  }
  static bool is_after(const std::unique_ptr<T>& a, const std::unique_ptr<T>& b) {
    return a->key.is_after(b->key);
  }
  std::vector<std::unique_ptr<T>> heap_;
};

/// The lowest bound of the open positions, and the first and last position that have it.
struct LowestBound {
  Cost bound = kMostCost;
  std::int32_t first = -1, last = -1;
};
/// `bound_at(i)`: the bound of an open position.
template <class BoundAt>
LowestBound lowest_bound(const IntervalKey& key, const BoundAt& bound_at) {
  LowestBound low;
  for (std::int32_t i = key.first + 1; i < key.last; ++i) {
    const Cost bound = bound_at(i);
    if (bound < low.bound) low = {bound, i, i};
    if (bound == low.bound) low.last = i;
  }
  return low;
}

/// Moves the ends of an interval past positions whose bound is no lower than `bound`, and writes down the lowest that is
/// left; false: there is none. When an end moves by one position, what is known there is weakened by the weight of the
/// cases passed: pass_first(weight), pass_last(weight). `before` as Subset::weights_before.
template <class BoundAt, class PassFirst, class PassLast>
bool narrow(IntervalKey& key, std::span<const Cost> before, Cost bound, const BoundAt& bound_at,
            const PassFirst& pass_first, const PassLast& pass_last) {
  while (key.first + 1 < key.last && bound_at(key.first + 1) >= bound) {
    pass_first(before[at(key.first) + 1] - before[at(key.first)]);
    ++key.first;
  }
  while (key.first + 1 < key.last && bound_at(key.last - 1) >= bound) {
    pass_last(before[at(key.last)] - before[at(key.last) - 1]);
    --key.last;
  }
  key.bound = lowest_bound(key, bound_at).bound;
  return key.bound < bound;
}

/// The middle, by weight, of positions first .. last; `before` as Subset::weights_before.
inline std::int32_t middle(std::span<const Cost> before, std::int32_t first, std::int32_t last) {
  const Cost half = (before[static_cast<std::size_t>(first)] + before[static_cast<std::size_t>(last)]) / 2;
  const auto found = std::lower_bound(before.begin() + first, before.begin() + last + 1, half);
  return std::clamp(static_cast<std::int32_t>(found - before.begin()), first, last);
}

}  // namespace bough::search
