// SPDX-License-Identifier: Apache-2.0
// The best tree of depth at most 3.
#pragma once

#include <array>

#include "search/intervals.hpp"

namespace bough::search {

/// Least errors of one side of the root by leaves, 1 to 4.
using SideCosts = std::array<Cost, 5>;

/// Trees of at most `leaves` <= 8 leaves and depth 3 that cost less than `bound`.
class DepthThree {
 public:
  DepthThree(const Subset& subset, std::int32_t leaves, Cost price, Budget& budget)
      : subset_(subset), leaves_(leaves), price_(price), budget_(budget) {}

  /// `probe`: look at some promising roots first, which helps where the bound is weak.
  Found solve(Cost bound, bool probe);

 private:
  // A second-level cut that may still be the root of a side, and lower bounds of its errors at both ends of an
  // interval.
  struct Candidate {
    std::int32_t cut = 0;
    Cost low = 0, high = 0;
  };
  struct Interval {
    IntervalKey key;
    SideCosts left_first{}, right_first{}, left_last{},
        right_last{};  // of both sides at both ends: lower bounds
    std::vector<Candidate> left, right;
  };
  // What a side is at one position.
  struct SideFound {
    std::vector<Cost> values;  // of the candidates
    DepthTwo two;
    SideCosts errors{};  // lower bounds
  };

  void take(Cost cost, SmallTree tree);
  void offer_small();
  [[nodiscard]] Cost combine(const SideCosts& left, const SideCosts& right,
                             std::int32_t* split = nullptr) const;
  [[nodiscard]] Cost useful_below(const SideCosts& other) const;
  [[nodiscard]] Cost position_bound(const Interval& of, std::int32_t i) const;
  void push(std::unique_ptr<Interval> interval);
  void open_all(const std::vector<Cost>& table, const SideCosts& whole);
  SideFound evaluate(const Subset& side, const std::vector<Candidate>& list, Cost weaker, Cost limit);
  void divide(const Interval& of);
  void push_part(const Interval& of, std::int32_t middle, bool first, const SideFound& l, const SideFound& r);
  void accept(std::int32_t chain, std::int32_t group, const Subset& left, const Subset& right,
              const DepthTwo& l, const DepthTwo& r);
  void probe_root(std::int32_t chain, std::int32_t group);
  void probe_best(const std::vector<Cost>& table);
  void polish();

  const Subset& subset_;
  std::int32_t leaves_;
  Cost price_;
  Budget& budget_;
  Cost bound_ = 0;
  Found found_;
  std::vector<std::vector<Cost>> before_;  // per chain: weights_before
  IntervalHeap<Interval> heap_;
};

/// The test of a node that sends rows where they lose less, both subtrees as they are: its loss, less that of all
/// rows going right, and whether the subtrees change sides. chain -1: none is better than `now`.
struct Rechosen {
  std::int64_t loss = 0;
  Cut cut;
  std::int32_t group = 0;
  bool swapped = false;
};
Rechosen rechoose(const Subset& subset, const SmallTree& tree, std::int32_t node, bool may_swap);
/// The same of a test `now` and what every case loses on the left less what it loses on the right.
Rechosen rechoose(const Subset& subset, Cut now, std::span<const std::int64_t> losses, bool may_swap);

}  // namespace bough::search
