// SPDX-License-Identifier: Apache-2.0
// The sums left of a cut that moves along a sorted column, and a cheap test whether the cut can matter.
//
// may_reach() compares squares in floating point with their rounding errors added, so it never turns a cut away that
// reaches the score; criteria without such a test let every cut through.
#pragma once

#include <cmath>

#include "split/stats/families.hpp"

namespace bough {

template <class FamilyT>
class SideSums {
 public:
  using Node = typename FamilyT::Node;

  SideSums(const Targets& targets, const Node& node, CriterionId criterion)
      : targets_(&targets), node_(&node), left_(node) {
    if constexpr (kClasses) {
      quick_ = criterion == CriterionId::gini && node.counts.size() == 2;
    } else {
      quick_ = criterion == CriterionId::squared_error && node.totals.size() == 1;
      if (quick_) total_ = centred(node.totals[0]);
    }
    all_ = weight_of(node);
    clear();
  }

  /// Nothing stands left; or everything.
  void clear() noexcept { bough::clear(left_); }
  void fill() noexcept { left_ = *node_; }

  void add(RowId row) noexcept { move(row, targets_->weight(row)); }
  void remove(RowId row) noexcept { move(row, -targets_->weight(row)); }
  [[nodiscard]] const Node& sums() const noexcept { return left_; }

  /// False only when the cut scores less than `score`.
  [[nodiscard]] bool may_reach(double score) const noexcept {
    if (!quick_) return true;
    const double k = weight_of(left_), product = k * (all_ - k) * all_;
    double d = 0.0, error = 0.0;
    if constexpr (kClasses) {
      const double l = static_cast<double>(left_.counts[1]), c = static_cast<double>(node_->counts[1]);
      d = std::sqrt(2.0) * std::fabs(all_ * l - c * k);
      error = kRounding * (all_ * l + c * k);
    } else {
      const double s = centred(left_.totals[0]);
      d = std::fabs(all_ * s - total_ * k);
      error = kRounding * (all_ * std::fabs(s) + std::fabs(total_) * k);
    }
    return (d + error) * (d + error) >= score * product * (1.0 - 1e-12);
  }

 private:
  static constexpr bool kClasses = requires(Node node) { node.counts; };
  static constexpr double kRounding = 0x1p-50;

  void move(RowId row, std::int64_t w) noexcept {
    if constexpr (kClasses) {
      std::size_t begin = 0;
      for (const ClassTarget& target : targets_->classes) {
        left_.counts[begin + target.codes[row]] += w;
        begin += target.n_classes;
      }
      left_.weight += w;
    } else {
      for (std::size_t o = 0; o < left_.totals.size(); ++o) {
        left_.totals[o].sum += static_cast<int128>(targets_->numbers[o].fixed.values[row]) * w;
        left_.totals[o].weight += w;
      }
    }
  }

  static double weight_of(const Node& node) noexcept {
    if constexpr (kClasses) {
      return static_cast<double>(node.weight);
    } else {
      return static_cast<double>(node.totals[0].weight);
    }
  }
  [[nodiscard]] double centred(const Moments& m) const noexcept {
    if constexpr (kClasses) {
      return 0.0;
    } else {
      return static_cast<double>(m.sum - static_cast<int128>(node_->totals[0].centre) * m.weight);
    }
  }

  const Targets* targets_;
  const Node* node_;
  Node left_;
  bool quick_ = false;
  double all_ = 0.0;
  double total_ = 0.0;
};

}  // namespace bough
