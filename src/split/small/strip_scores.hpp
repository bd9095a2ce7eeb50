// SPDX-License-Identifier: Apache-2.0
// Strip scorers of the presorted engine: approximate scores of all cuts along a sorted list, fast.
//
//   marks     two classes without weights under gini: the class is the entry's mark, counted by a vector kernel
//   counts    more classes, or entropy, without weights: one table look-up per row and side (entropy), or the scores of all
//             positions from a vector kernel (gini)
//   shares    more than two classes with weights under gini: the kernel; in doubles where weights are not small whole numbers
//   moments   a number target without weights under squared error: cumulated exact sums, scored by a vector kernel
//   sides     two classes or one number target, any criterion and weights: quick scores (quick_score.hpp)
// A top is right up to rounding; tops() says from which score on a position has to be looked at exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/internal_limits.hpp"
#include "base/math.hpp"
#include "split/small/small_kernels.hpp"
#include "split/small/sorted_lists.hpp"
#include "split/stats/families.hpp"
#include "split/stats/quick_score.hpp"

namespace bough {

/// f(x) for x = 0 .. kMostSmallRows, padded for vector loads.
template <class T, class F>
std::vector<T> count_table(const F& f) {
  std::vector<T> out(kMostSmallRows + 1 + kListPad, T{0});
  for (std::size_t x = 0; x <= kMostSmallRows; ++x) out[x] = static_cast<T>(f(static_cast<double>(x)));
  return out;
}
/// x log x, and 1 / x (0 for 0), made once: small trees should not pay for them.
inline const double* times_log() {
  static const std::vector<double> table = count_table<double>([](double x) { return xlogx(x); });
  return table.data();
}
inline const float* reciprocals() {
  static const std::vector<float> table = count_table<float>([](double x) { return x > 0 ? 1.0 / x : 0.0; });
  return table.data();
}

template <class FamilyT>
class StripScorer {
 public:
  using Node = typename FamilyT::Node;

  StripScorer(const Targets& targets, CriterionId criterion) : targets_(&targets), criterion_(criterion) {
    if constexpr (!kClasses) needs_positive_sums_ = FamilyT(targets, criterion).needs_positive_sums();
    if (targets.n_outputs() != 1) return;
    const bool weighted = !targets.weights.empty();
    if constexpr (kClasses) {
      n_classes_ = targets.classes[0].n_classes;
      if (n_classes_ > kMostClasses) return;
      if (!weighted && gini_ && n_classes_ == 2)
        mode_ = Mode::marks;
      else if (!weighted && (gini_ || (criterion_ == CriterionId::entropy)))
        mode_ = Mode::counts;
      else if (n_classes_ == 2)
        mode_ = Mode::sides;
      else if (gini_)
        mode_ = Mode::shares;
    } else {
      mode_ = (criterion_ == CriterionId::squared_error) && !weighted ? Mode::moments : Mode::sides;
    }
  }

  /// Whether there is a scorer for the targets and the criterion.
  [[nodiscard]] bool fits() const noexcept { return mode_ != Mode::none; }

  /// Takes the targets of a subtree's rows; returns the tags of the entries.
  std::span<const std::uint8_t> load(Rows rows) {
    classes_.clear();
    if constexpr (kClasses) {
      if (!fits()) return {};
      classes_.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i)
        classes_[i] = static_cast<std::uint8_t>(targets_->classes[0].codes[rows[i]]);
    } else if (fits()) {
      numbers_.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) numbers_[i] = targets_->numbers[0].fixed.values[rows[i]];
    }
    if (!targets_->weights.empty()) {
      weights_.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) weights_[i] = targets_->weight(rows[i]);
    }
    count_weights();
    inverse_.resize(rows.size() + kListPad);
    float_inverse_.resize(rows.size() + kListPad);
    sums_.resize(rows.size() + kListPad);
    tags_.clear();
    if (mode_ == Mode::marks ||
        ((mode_ == Mode::counts || counted_) && n_classes_ <= internal_limits().tagged_classes))
      for (const std::uint8_t c : classes_)
        tags_.push_back(mode_ == Mode::marks && c != 0 ? SortedLists::kMark : c);
    return tags_;
  }

  /// Sums of a node; false when it is pure.
  bool enter(std::span<const std::uint32_t> ids, Node& node) {
    n_ = static_cast<std::uint32_t>(ids.size());
    clear(node);
    for (const std::uint32_t id : ids) add(SortedLists::id_of(id), node);
    if constexpr (kClasses) {
      if (std::find(node.counts.begin(), node.counts.end(), node.weight) != node.counts.end()) return false;
      totals_ = node.counts;
      all_ = node.weight;
      if (mode_ == Mode::sides)
        quick_two_ =
            QuickTwoClass(criterion_, static_cast<double>(node.weight), static_cast<double>(node.counts[1]));
    } else {
      const auto differs = [&](std::uint32_t id) {
        return numbers_[SortedLists::id_of(id)] != numbers_[SortedLists::id_of(ids[0])];
      };
      if (std::none_of(ids.begin(), ids.end(), differs)) return false;
      ParentMoments& total = node.totals[0] = make_parent(node.totals[0]);
      moments_ = {numbers_.data(), total.centre, 0.0, inverse_.data(), sums_.data()};
      const auto rest = static_cast<double>(total.sum - static_cast<int128>(total.centre) * total.weight);
      moments_.mean = rest / n_;
      all_ = total.weight;
      total_ = total.sum;
      if (mode_ == Mode::sides)
        quick_moments_ =
            QuickMoments(criterion_, static_cast<double>(all_), rest, static_cast<double>(total.centre));
    }
    if (mode_ == Mode::counts && gini_)
      for (std::uint32_t k = 1; k < n_; ++k) float_inverse_[k] = float_reciprocal_[n_ - k];
    if (mode_ == Mode::marks)
      for (std::uint32_t k = 1; k < n_; ++k)
        float_inverse_[k] = 1.0F / (static_cast<float>(k) * static_cast<float>(n_ - k));
    if (mode_ == Mode::moments)
      for (std::uint32_t k = 1; k < n_; ++k)
        inverse_[k] = 1.0 / (static_cast<double>(k) * static_cast<double>(n_ - k));
    return true;
  }

  /// Puts a row on a side.
  void add(std::uint32_t id, Node& side) const noexcept {
    const std::int64_t w = weight(id);
    if constexpr (kClasses) {
      side.counts[classes_[id]] += w;
      side.weight += w;
    } else {
      side.totals[0].sum += static_cast<int128>(numbers_[id]) * w;
      side.totals[0].weight += w;
    }
  }

  /// From one side to the other.
  void complement(const Node& node, Node& side) const noexcept {
    if constexpr (kClasses) {
      for (std::size_t c = 0; c < side.counts.size(); ++c) side.counts[c] = node.counts[c] - side.counts[c];
      side.weight = node.weight - side.weight;
    } else {
      side.totals[0].sum = node.totals[0].sum - side.totals[0].sum;
      side.totals[0].weight = node.totals[0].weight - side.totals[0].weight;
    }
  }

  /// What a strip's sum_before is when these entries stand on its left.
  [[nodiscard]] std::int64_t sum(std::span<const std::uint32_t> entries) {
    std::int64_t sum = 0;
    for (const std::uint32_t entry : entries) {
      if (mode_ == Mode::marks) sum += classes_[SortedLists::id_of(entry)];
      if (mode_ == Mode::moments) sum += numbers_[SortedLists::id_of(entry)] - moments_.centre;
    }
    return sum;
  }

  /// The best score of every strip in turn; returns the score from which on a position may be the best of all. With
  /// `may_stop`, strips behind one that cannot be beaten are left out.
  double tops(std::span<const Strip> strips, const StripNode& node, bool may_stop,
              std::vector<double>& tops) {
    tops.assign(strips.size(), -1.0);
    if (mode_ == Mode::marks) {
      float_tops_.resize(strips.size());
      // Two pure children: (n l - c k)^2 / (k (n - k)) = c (n - c), and of equals the first one wins.
      const auto c = static_cast<float>(mark_count());
      const float perfect = c * (static_cast<float>(n_) - c) * (1.0F - 1e-6F);
      const float enough = may_stop ? perfect : std::numeric_limits<float>::infinity();
      tops.resize(two_class_tops(strips, node, c, float_inverse_.data(), enough, float_tops_.data()));
      std::copy_n(float_tops_.begin(), tops.size(), tops.begin());
    } else if (mode_ == Mode::moments) {
      moment_tops(strips, node, moments_, tops.data());
    } else if (by_kernel(node)) {
      float_tops_.resize(strips.size());
      class_tops(strips, node, class_node(), float_tops_.data());
      std::copy(float_tops_.begin(), float_tops_.end(), tops.begin());
    } else {
      for (std::size_t s = 0; s < strips.size(); ++s)
        tops[s] = mode_ == Mode::counts   ? along<false>(strips[s], node, nullptr)
                  : mode_ == Mode::shares ? along_shares<false>(strips[s], node, nullptr)
                                          : along_sides<false>(strips[s], node, nullptr);
    }
    const double top = *std::max_element(tops.begin(), tops.end());
    if (mode_ == Mode::sides)
      return top < kNoCut / 2 ? 0.0
                              : top - 2.0 * (kClasses ? quick_two_.slack(top) : quick_moments_.slack(top));
    // Floats, for gini: every term is within 2^-22 of what it should be.
    if (by_kernel(node)) return top < 0.0 ? 0.0 : top * (1.0 - 2e-6);
    if (mode_ == Mode::counts) return std::max(top - slack(), kNoCut / 2);
    // Doubles of exact sums: every step within 2^-53.
    if (mode_ == Mode::shares) return top < 0.0 ? 0.0 : top * (1.0 - 1e-11);
    return std::max(0.0, top * (mode_ == Mode::marks ? 1.0 - 1e-5 : 1.0 - 1e-9));
  }

  /// The positions of a strip that have to be looked at exactly: whose score reaches what tops() returned. Until the next call.
  std::span<const std::uint32_t> near(const Strip& strip, const StripNode& node, double floor) {
    near_.resize(std::max<std::size_t>(near_.size(), strip.positions + kListPad));
    if (by_kernel(node))
      return std::span(near_).first(
          class_positions(strip, node, class_node(), static_cast<float>(floor), near_.data()));
    scores(strip, node, scores_);
    std::size_t n = 0;
    for (std::uint32_t i = 0; i < strip.positions; ++i) {
      near_[n] = i;
      n += scores_[i] >= floor ? 1 : 0;
    }
    return std::span(near_).first(n);
  }

  /// Whether every row of either side has the same class.
  template <class IsLeft>
  [[nodiscard]] bool divides_into_pure(std::span<const std::uint32_t> ids, const IsLeft& is_left) const {
    if constexpr (kClasses) {
      int seen[2] = {-1, -1};
      for (const std::uint32_t id : ids) {
        int& first = seen[is_left(id) ? 1 : 0];
        const int own = classes_[SortedLists::id_of(id)];
        if (first < 0) first = own;
        if (first != own) return false;
      }
      return true;
    } else {
      return false;
    }
  }

  /// Whether the two cuts of two rows, this one left or that one, score the same.
  [[nodiscard]] bool symmetric() const noexcept {
    return mode_ != Mode::sides && fits() && (gini_ || (criterion_ == CriterionId::squared_error));
  }

 private:
  // The scores of one strip by position.
  void scores(const Strip& strip, const StripNode& node, std::vector<double>& out) {
    const bool tables = mode_ == Mode::counts || mode_ == Mode::shares, sides = mode_ == Mode::sides;
    out.assign(strip.positions, tables || sides ? kNoCut : -1.0);
    if (mode_ == Mode::counts) along<true>(strip, node, out.data());
    if (mode_ == Mode::shares) along_shares<true>(strip, node, out.data());
    if (sides) along_sides<true>(strip, node, out.data());
    if (tables || sides) return;
    const double n = n_, c = mode_ == Mode::marks ? static_cast<double>(mark_count()) : 0.0;
    std::int64_t sum = strip.sum_before;
    for (std::uint32_t i = 0; i < strip.positions; ++i) {
      const std::uint32_t id = SortedLists::id_of(strip.entries[i]), k = strip.rows_before + i + 1;
      sum += mode_ == Mode::marks ? classes_[id] : numbers_[id] - moments_.centre;
      if (!is_cut(strip, i) || k < node.low || k > node.high) continue;
      const double d = mode_ == Mode::marks ? n * static_cast<double>(sum) - c * k
                                            : static_cast<double>(sum) - moments_.mean * k;
      out[i] = d * d * (mode_ == Mode::marks ? static_cast<double>(float_inverse_[k]) : inverse_[k]);
    }
  }

  enum class Mode { none, marks, counts, shares, moments, sides };
  static constexpr std::size_t kMostClasses = 255;
  static constexpr bool kClasses = requires(Node node) { node.counts; };
  static constexpr double kNoCut = -1e300;

  static bool is_cut(const Strip& strip, std::uint32_t i) noexcept {
    return SortedLists::rank_of(strip.entries[i]) != SortedLists::rank_of(strip.entries[i + 1]);
  }
  [[nodiscard]] std::int64_t mark_count() const noexcept {
    if constexpr (kClasses) return totals_[1];
    return 0;
  }

  [[nodiscard]] double slack() const noexcept { return 1e-14 * n_ * 16.0 * n_; }

  // Whole weights, small enough to be counted in 32 bits.
  void count_weights() {
    counted_ = false;
    if (mode_ != Mode::shares) return;
    std::int64_t sum = 0, most = 0;
    for (const std::int64_t w : weights_) {
      sum += w;
      most = std::max(most, w);
    }
    if (most > 255 || sum > internal_limits().counted_weight) return;
    counted_ = true;
    small_weights_.resize(weights_.size());
    std::transform(weights_.begin(), weights_.end(), small_weights_.begin(),
                   [](std::int64_t w) { return static_cast<std::uint8_t>(w); });
  }
  // The kernel of weights does not know limits of weight.
  [[nodiscard]] bool by_kernel(const StripNode& node) const noexcept {
    return (mode_ == Mode::counts && gini_) || (counted_ && node.min_weight <= 0.0);
  }

  // What class_tops wants to know of the node.
  ClassNode class_node() {
    ClassNode out;
    if constexpr (kClasses) {
      right_.assign(totals_.begin(), totals_.end());
      left_.resize(2 * n_classes_);
      out.sums_stride = classes_.size() + kListPad;
      class_sums_.resize(6 * out.sums_stride);
      out.classes = tags_.empty() ? classes_.data() : nullptr;
      out.totals = right_.data();
      out.n_classes = n_classes_;
      if (counted_) out.weights = small_weights_.data();
      for (const std::int64_t t : totals_) out.squares += static_cast<std::int32_t>(t * t);
      out.total = static_cast<std::int32_t>(all_);
      out.left_inverse = float_reciprocal_;
      out.right_inverse = float_inverse_.data();
      out.sums = class_sums_.data();
      out.counts = left_.data();
    }
    return out;
  }

  template <bool kWrite>
  double along(const Strip& strip, const StripNode& node, double* out) {
    if constexpr (kClasses) {
      if (n_classes_ <= internal_limits().tagged_classes)
        return along_classes<kWrite>(strip, node, out,
                                     [](std::uint32_t e) { return SortedLists::tag_of(e); });
      return along_classes<kWrite>(strip, node, out, [this](std::uint32_t e) {
        return std::uint32_t{classes_[SortedLists::id_of(e)]};
      });
    } else {
      return kNoCut;
    }
  }

  // A side of k rows scores the sum of f(count) over its classes less f(k), f(x) = x log x; both sides' scores are added.
  template <bool kWrite, class ClassOf>
  double along_classes(const Strip& strip, const StripNode& node, double* out,
                       const ClassOf& class_of) requires kClasses {
    left_.assign(n_classes_, 0);
    right_.assign(totals_.begin(), totals_.end());
    std::uint32_t* const left = left_.data();
    std::uint32_t* const right = right_.data();
    double top = kNoCut;
    // Missing rows that go left are the entries behind the known ones.
    for (std::uint32_t i = 0; i < strip.rows_before; ++i) {
      const std::uint32_t c = class_of(strip.entries[strip.positions + 1 + i]);
      ++left[c];
      --right[c];
    }
    double f_left = 0.0, f_right = 0.0;
    for (std::size_t c = 0; c < n_classes_; ++c) {
      f_left += table_[left[c]];
      f_right += table_[right[c]];
    }
    std::uint32_t entry = strip.positions > 0 ? strip.entries[0] : 0;
    for (std::uint32_t i = 0; i < strip.positions; ++i) {
      const std::uint32_t c = class_of(entry), l = left[c]++, r = right[c]--, next = strip.entries[i + 1];
      f_left += table_[l + 1] - table_[l];
      f_right += table_[r - 1] - table_[r];
      const std::uint32_t k = strip.rows_before + i + 1;
      const bool cut = ((entry ^ next) >> 16) != 0 && k >= node.low && k <= node.high;
      entry = next;
      if (!cut) continue;
      const double score = f_left - table_[k] + f_right - table_[n_ - k];
      top = std::max(top, score);
      if constexpr (kWrite) out[i] = score;
    }
    return top;
  }

  // Sum over classes of l^2 / n_left + r^2 / n_right, as in counts. In whole numbers: where a heavy row leaves a side of light
  // ones, the rounding of its square would be all that is left there.
  template <bool kWrite>
  double along_shares(const Strip& strip, const StripNode& node, double* out) {
    double top = kNoCut;
    if constexpr (kClasses) {
      left_shares_.assign(n_classes_, 0);
      right_shares_.assign(totals_.begin(), totals_.end());
      std::int64_t n_left = 0, n_right = all_;
      int128 f_left = 0, f_right = 0;  // weights add up to less than 2^61
      for (const std::int64_t total : right_shares_) f_right += static_cast<int128>(total) * total;
      const auto take = [&](std::uint32_t entry) {
        const std::uint32_t id = SortedLists::id_of(entry);
        const std::int64_t w = weights_[id];
        std::int64_t& l = left_shares_[classes_[id]];
        std::int64_t& r = right_shares_[classes_[id]];
        f_left += static_cast<int128>(w) * (2 * l + w);
        f_right -= static_cast<int128>(w) * (2 * r - w);
        l += w;
        r -= w;
        n_left += w;
        n_right -= w;
      };
      for (std::uint32_t i = 0; i < strip.rows_before; ++i) take(strip.entries[strip.positions + 1 + i]);
      for (std::uint32_t i = 0; i < strip.positions; ++i) {
        take(strip.entries[i]);
        const std::uint32_t k = strip.rows_before + i + 1;
        if (!is_cut(strip, i) || k < node.low || k > node.high ||
            static_cast<double>(std::min(n_left, n_right)) < node.min_weight)
          continue;
        const double score = static_cast<double>(f_left) / static_cast<double>(n_left) +
                             static_cast<double>(f_right) / static_cast<double>(n_right);
        top = std::max(top, score);
        if constexpr (kWrite) out[i] = score;
      }
    }
    return top;
  }

  // Missing rows that go left are the entries behind the known ones.
  template <bool kWrite>
  double along_sides(const Strip& strip, const StripNode& node, double* out) const {
    std::int64_t n = 0;
    int128 sum = 0;  // second class, or the centred target
    const auto take = [&](std::uint32_t entry) {
      const std::uint32_t id = SortedLists::id_of(entry);
      const std::int64_t w = weight(id);
      n += w;
      if constexpr (kClasses) {
        sum += classes_[id] != 0 ? w : 0;
      } else {
        sum += static_cast<int128>(numbers_[id] - moments_.centre) * w;
      }
    };
    for (std::uint32_t i = 0; i < strip.rows_before; ++i) take(strip.entries[strip.positions + 1 + i]);
    double top = kNoCut;
    for (std::uint32_t i = 0; i < strip.positions; ++i) {
      take(strip.entries[i]);
      const std::uint32_t k = strip.rows_before + i + 1;
      if (!is_cut(strip, i) || k < node.low || k > node.high) continue;
      if (static_cast<double>(std::min(n, all_ - n)) < node.min_weight) continue;
      double score = 0.0;
      if constexpr (kClasses) {
        score = quick_two_(static_cast<double>(n), static_cast<double>(sum), static_cast<double>(all_ - n),
                           static_cast<double>(totals_[1] - sum));
      } else {
        const int128 raw = sum + static_cast<int128>(moments_.centre) * n;
        if (needs_positive_sums_ && (raw <= 0 || total_ - raw <= 0)) continue;
        const int128 right = total_ - static_cast<int128>(moments_.centre) * all_ - sum;
        const auto ln = static_cast<double>(n), ls = static_cast<double>(sum),
                   rn = static_cast<double>(all_ - n), rs = static_cast<double>(right);
        if (!kWrite && quick_moments_.at_most(ln, ls, rn, rs) < top) continue;
        score = quick_moments_(ln, ls, rn, rs);
      }
      top = std::max(top, score);
      if constexpr (kWrite) out[i] = score;
    }
    return top;
  }

  [[nodiscard]] std::int64_t weight(std::uint32_t id) const noexcept {
    return weights_.empty() ? 1 : weights_[id];
  }

  const Targets* targets_;
  CriterionId criterion_;
  bool gini_ = criterion_ == CriterionId::gini;
  bool needs_positive_sums_ = false;
  Mode mode_ = Mode::none;
  std::size_t n_classes_ = 0;
  std::vector<std::uint8_t> classes_;        // by id
  std::vector<std::uint8_t> tags_;           // by id
  std::vector<std::int64_t> numbers_;        // by id
  std::vector<std::int64_t> weights_;        // by id; empty: all 1
  std::vector<std::uint8_t> small_weights_;  // by id, where counted_
  bool counted_ = false;
  const double* table_ = times_log();
  const float* float_reciprocal_ = reciprocals();
  // The node.
  std::uint32_t n_ = 0;
  std::vector<std::int64_t> totals_;
  std::int64_t all_ = 0;  // weight
  int128 total_ = 0;      // sum of the target
  QuickTwoClass quick_two_;
  QuickMoments quick_moments_;
  MomentNode moments_;
  std::vector<double> inverse_;
  std::vector<float> float_inverse_, float_tops_;
  std::vector<std::int64_t> sums_;
  std::vector<std::uint32_t> left_, right_;
  std::vector<std::int32_t> class_sums_;
  std::vector<std::int64_t> left_shares_, right_shares_;
  std::vector<double> scores_;
  std::vector<std::uint32_t> near_;
};

}  // namespace bough
