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
  std::unique_ptr<T> pop() {
    std::pop_heap(heap_.begin(), heap_.end(), is_after);
    std::unique_ptr<T> top = std::move(heap_.back());
    heap_.pop_back();
    return top;
  }
  [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
  void clear() { heap_.clear(); }
  /// The least of `cost` and the bounds of what is left.
  [[nodiscard]] Cost lowest(Cost cost) const {
    for (const auto& one : heap_) cost = std::min(cost, one->key.bound);
    return cost;
  }

 private:
  static bool is_after(const std::unique_ptr<T>& a, const std::unique_ptr<T>& b) {
    return a->key.is_after(b->key);
  }
  std::vector<std::unique_ptr<T>> heap_;
};

/// The middle, by weight, of positions first .. last; `before` as Subset::weights_before.
inline std::int32_t middle(std::span<const Cost> before, std::int32_t first, std::int32_t last) {
  const Cost half = (before[static_cast<std::size_t>(first)] + before[static_cast<std::size_t>(last)]) / 2;
  const auto found = std::lower_bound(before.begin() + first, before.begin() + last + 1, half);
  return std::clamp(static_cast<std::int32_t>(found - before.begin()), first, last);
}

}  // namespace bough::search
