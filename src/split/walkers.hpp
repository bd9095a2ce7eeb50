// SPDX-License-Identifier: Apache-2.0
// Walkers: they take rows from the right side to the left one in the order of a column, and tell where an exact score is worth it.
#pragma once

#include <cstdint>
#include <vector>

#include "data/targets.hpp"
#include "split/quick_score.hpp"

namespace bough {

/// What travels with a sort key: the row, and in the top bit what a layout likes to know without looking it up.
inline RowId row_of_payload(std::uint64_t key) noexcept {
  return static_cast<RowId>(key & 0x7fffffffU);
}

/// Walks rows from right to left side through the family's sweep, and always asks for the exact score.
template <class Sweep>
class PlainWalker {
 public:
  template <class Layout, class Node>
  PlainWalker(const Layout&, CriterionId, Sweep& sweep, const Node&, const Node& left) : sweep_(&sweep) {
    sweep.set_left(left);
  }
  void add(std::uint64_t key) { sweep_->move(row_of_payload(key)); }
  [[nodiscard]] bool may_reach(double) const noexcept { return true; }
  void load() const noexcept {}

 private:
  Sweep* sweep_;
};

/// Class weights on the left; two classes under any criterion, and more under gini, ask for the exact score only where a quick
/// one comes near.
template <class Sweep>
class ClassWalker {
 public:
  template <class Layout, class Node>
  ClassWalker(const Layout& layout, CriterionId criterion, Sweep& sweep, const Node& node, const Node& left)
      : targets_(&layout.targets()),
        sweep_(&sweep),
        mode_(mode(layout.targets(), criterion, node)),
        left_(left),
        right_(node.counts),
        all_(static_cast<double>(node.weight)) {
    if (mode_ == Mode::two) quick_ = QuickTwoClass(criterion, all_, static_cast<double>(node.counts[1]));
    for (std::size_t c = 0; c < right_.size(); ++c) {
      right_[c] -= left_.counts[c];
      const auto l = static_cast<double>(left_.counts[c]), r = static_cast<double>(right_[c]);
      left_squares_ += l * l;
      right_squares_ += r * r;
      rest_ += (l + r) * (l + r) / all_;
    }
  }
  void add(std::uint64_t key) noexcept {
    const RowId row = row_of_payload(key);
    const std::size_t c = targets_->classes.front().codes[row];
    const std::int64_t w = targets_->weight(row);
    const auto weight = static_cast<double>(w);
    left_squares_ += weight * (2.0 * static_cast<double>(left_.counts[c]) + weight);
    right_squares_ -= weight * (2.0 * static_cast<double>(right_[c]) - weight);
    left_.counts[c] += w;
    left_.weight += w;
    right_[c] -= w;
  }
  [[nodiscard]] bool may_reach(double floor) const noexcept {
    const auto n = static_cast<double>(left_.weight);
    if (mode_ == Mode::two) return quick_(n, static_cast<double>(left_.counts[1]), static_cast<double>(right_[0] + right_[1]), static_cast<double>(right_[1])) >= floor;
    if (mode_ == Mode::none) return true;
    return left_squares_ / n + right_squares_ / (all_ - n) - rest_ >= floor - 1e-11 * all_;
  }
  void load() { sweep_->set_left(left_); }

 private:
  enum class Mode { none, two, squares };
  // Squares of whole numbers are exact here; with weights a light side would drown in the rounding of a heavy one.
  template <class Node>
  static Mode mode(const Targets& targets, CriterionId criterion, const Node& node) noexcept {
    if (node.counts.size() == 2) return Mode::two;
    return criterion == CriterionId::gini && targets.weights.empty() && node.weight < (1 << 26) ? Mode::squares : Mode::none;
  }
  const Targets* targets_;
  Sweep* sweep_;
  Mode mode_;
  typename Sweep::Sums left_;
  std::vector<std::int64_t> right_;
  double all_;
  double left_squares_ = 0.0, right_squares_ = 0.0, rest_ = 0.0;
  QuickTwoClass quick_;
};

}  // namespace bough
