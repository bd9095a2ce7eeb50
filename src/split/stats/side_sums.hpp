// SPDX-License-Identifier: Apache-2.0
// The sums left of a cut that moves along a sorted column, and a cheap test whether the cut can matter.
//
// may_reach() is false only for a cut that scores less than `floor`, a score less its curve_slack(): the quick scores it
// compares are near the exact ones (quick_score.hpp). Criteria without a quick score let every cut through.
#pragma once

#include "split/stats/families.hpp"
#include "split/stats/quick_score.hpp"

namespace bough {

/// Two classes without weights, from marks of the rows of the second class alone: two counters.
class MarkSums {
 public:
  using Node = ClassFamily::Node;
  MarkSums(const Targets&, const Node& node, CriterionId criterion)
      : gini_(criterion == CriterionId::gini),
        all_(static_cast<double>(node.weight)),
        second_(static_cast<double>(node.counts[1])),
        quick_(criterion, all_, second_) {}
  void set(const Node& left) noexcept {
    n_ = left.weight;
    l_ = left.counts[1];
  }
  void add(bool mark) noexcept {
    ++n_;
    l_ += mark ? 1 : 0;
  }
  void remove(bool mark) noexcept {
    --n_;
    l_ -= mark ? 1 : 0;
  }
  [[nodiscard]] bool may_reach(double floor) const noexcept {
    const auto n = static_cast<double>(n_), l = static_cast<double>(l_);
    if (!gini_) return quick_(n, l, all_ - n, second_ - l) >= floor;
    const double d = all_ * l - second_ * n;
    return 2.0 * d * d >= floor * (n * (all_ - n) * all_);
  }
  [[nodiscard]] Node sums() const { return {{n_ - l_, l_}, n_, false}; }

 private:
  bool gini_;
  double all_, second_;
  std::int64_t n_ = 0, l_ = 0;
  QuickTwoClass quick_;
};

/// Any targets of an additive family. Two classes under any criterion, more without weights under gini, one number target, and
/// several under squared error have a quick score.
template <class FamilyT>
class SideSums {
 public:
  using Node = typename FamilyT::Node;

  SideSums(const Targets& targets, const Node& node, CriterionId criterion)
      : targets_(&targets), node_(&node), left_(zero_like(node)) {
    if constexpr (kClasses) {
      all_ = static_cast<double>(node.weight);
      if (targets.classes.size() > 1) return;
      if (node.counts.size() == 2) {
        mode_ = Mode::quick;
        two_ = QuickTwoClass(criterion, all_, static_cast<double>(node.counts[1]));
      } else if (criterion == CriterionId::gini && targets.weights.empty() && node.weight < (1 << 26)) {
        // Squares of whole numbers are exact here; with weights a light side would drown in the rounding of a heavy one.
        mode_ = Mode::squares;
        for (const std::int64_t c : node.counts)
          right_squares_ += static_cast<double>(c) * static_cast<double>(c);
        rest_ = right_squares_ / all_;
      }
    } else {
      all_ = static_cast<double>(node.totals[0].weight);
      const bool squared = criterion == CriterionId::squared_error;
      if (node.totals.size() == 1) {
        mode_ = Mode::quick;
        moments_ = QuickMoments(criterion, all_, centred(node.totals[0], 0),
                                static_cast<double>(node.totals[0].centre));
      } else if (squared) {
        mode_ = Mode::squares;
        shares_ = TargetUnits(targets, 2).relative;
      }
    }
  }

  void set(const Node& left) {
    left_ = left;
    if constexpr (kClasses) {
      left_squares_ = right_squares_ = 0.0;
      if (mode_ != Mode::squares) return;
      for (std::size_t c = 0; c < left.counts.size(); ++c) {
        const auto l = static_cast<double>(left.counts[c]), r = static_cast<double>(node_->counts[c]) - l;
        left_squares_ += l * l;
        right_squares_ += r * r;
      }
    }
  }
  void add(RowId row) noexcept { move(row, targets_->weight(row)); }
  void remove(RowId row) noexcept { move(row, -targets_->weight(row)); }
  [[nodiscard]] const Node& sums() const noexcept { return left_; }

  [[nodiscard]] bool may_reach(double floor) const noexcept {
    if (mode_ == Mode::none) return true;
    if constexpr (kClasses) {
      const auto n = static_cast<double>(left_.weight), m = static_cast<double>(node_->weight - left_.weight);
      if (mode_ == Mode::quick)
        return two_(n, static_cast<double>(left_.counts[1]), m,
                    static_cast<double>(node_->counts[1] - left_.counts[1])) >= floor;
      return left_squares_ / n + right_squares_ / m - rest_ >= floor - 1e-11 * all_;
    } else {
      const auto n = static_cast<double>(left_.totals[0].weight);
      const auto m = static_cast<double>(node_->totals[0].weight - left_.totals[0].weight);
      if (mode_ == Mode::quick)
        return moments_.reaches(floor, n, centred(left_.totals[0], 0), m, centred(right(0), 0));
      double score = 0.0;
      for (std::size_t o = 0; o < shares_.size(); ++o) {
        const double d = m * centred(left_.totals[o], o) - n * centred(right(o), o);
        score += shares_[o] * (d / (n * m) * d);
      }
      return score >= floor * all_ * static_cast<double>(shares_.size());
    }
  }

 private:
  static constexpr bool kClasses = requires(Node node) { node.counts; };
  enum class Mode { none, quick, squares };

  void move(RowId row, std::int64_t w) noexcept {
    if constexpr (kClasses) {
      std::size_t begin = 0;
      for (const ClassTarget& target : targets_->classes) {
        std::int64_t& count = left_.counts[begin + target.codes[row]];
        if (mode_ == Mode::squares) {
          const auto weight = static_cast<double>(w);
          const auto others = static_cast<double>(node_->counts[target.codes[row]] - count);
          left_squares_ += weight * (2.0 * static_cast<double>(count) + weight);
          right_squares_ -= weight * (2.0 * others - weight);
        }
        count += w;
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

  [[nodiscard]] Moments right(std::size_t o) const noexcept {
    return {node_->totals[o].sum - left_.totals[o].sum, node_->totals[o].weight - left_.totals[o].weight};
  }
  // Less the node's centre. Most sums have 64 bits, and those are converted in one step.
  [[nodiscard]] double centred(const Moments& m, std::size_t o) const noexcept {
    const int128 sum = m.sum - static_cast<int128>(node_->totals[o].centre) * m.weight;
    const auto low = static_cast<std::int64_t>(sum);
    return low == sum ? static_cast<double>(low) : static_cast<double>(sum);
  }

  const Targets* targets_;
  const Node* node_;
  Node left_;
  Mode mode_ = Mode::none;
  double all_ = 0.0;
  double left_squares_ = 0.0, right_squares_ = 0.0, rest_ = 0.0;  // classes: sums of squares
  std::vector<double> shares_;                                    // what each output's score counts for
  QuickTwoClass two_;
  QuickMoments moments_;
};

}  // namespace bough
