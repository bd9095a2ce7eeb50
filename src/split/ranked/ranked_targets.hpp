// SPDX-License-Identifier: Apache-2.0
// What the ranked engine knows about the targets of a node: sums along the ranks of a column, and scores of its cuts.
//
// Scores here are near the exact ones; slack() is by what part of itself the best of them may be ahead of the cut that is best
// exactly. left() gives the exact sums of a position, from which the criterion decides.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "split/ranked/ranked_kernels.hpp"
#include "split/ranked/tile_targets.hpp"
#include "split/stats/families.hpp"

namespace bough {

/// A column of a node: ranks by row, positions counted from `low` on, of which [begin, end) may be cuts.
struct RankedPositions {
  const std::uint16_t* ranks = nullptr;
  std::uint32_t low = 0;
  std::size_t count = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::int32_t common = -1;  ///< the rank of most rows, if known
};

/// The most total weight: tags hold it, and the bounds of scores are proven for it.
inline constexpr std::int64_t kMostRankedWeight = (std::int64_t{1} << (32 - kClassBits)) - 1;

/// One class target under gini.
class RankedClasses {
 public:
  using Family = ClassFamily;
  using Node = Family::Node;

  /// `targets` must outlive this.
  RankedClasses(const Targets& targets, std::size_t /*n_rows*/)
      : all_(&targets), n_classes_(targets.classes[0].n_classes), unit_weights_(targets.weights.empty()) {
    own_tags_.resize(targets.rows.size() + kRankPad);
    tags_.resize(targets.rows.size() + kRankPad);
  }

  /// The sums of all rows. `random`: no histograms will be wanted; then rows that all weigh 1 are put in the order of their classes,
  /// which is kept wherever they are divided.
  void start(std::span<RowId> rows, bool random, Node& node) {
    by_class_ = random && unit_weights_;
    clear(node);
    const std::uint32_t* codes = all_->classes[0].codes.data();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int64_t weight = all_->weight(rows[i]);
      own_tags_[i] = static_cast<std::uint32_t>(weight) << kClassBits | codes[rows[i]];
      node.counts[codes[rows[i]]] += weight;
      node.weight += weight;
    }
    if (!by_class_) return;
    std::vector<std::size_t> at(n_classes_);
    for (std::size_t c = 1; c < n_classes_; ++c)
      at[c] = at[c - 1] + static_cast<std::size_t>(node.counts[c - 1]);
    const std::vector<RowId> before(rows.begin(), rows.end());
    for (const RowId row : before) rows[at[codes[row]]++] = row;
  }
  /// What is handed from a node to its children: `count` of these.
  using Sum = std::int64_t;
  [[nodiscard]] std::size_t n_sums() const noexcept { return n_classes_; }
  void put(const Node& node, Sum* sums) const { std::copy(node.counts.begin(), node.counts.end(), sums); }
  void put_rest(const Node& node, const Node& side, Sum* sums) const {
    for (std::size_t c = 0; c < n_classes_; ++c) sums[c] = node.counts[c] - side.counts[c];
  }

  /// Divides what is known of the rows at `begin`, in the order of rows, as they were divided.
  void divide(std::size_t begin, std::size_t n, const std::uint16_t* ranks, std::uint32_t cut,
              std::uint32_t* scratch) {
    if (!by_class_) divide_rows(std::span(own_tags_).subspan(begin, n), ranks, cut, scratch);
  }

  /// Takes the rows of a node, which lie at `first` among the tree's, and what its parent has handed on; false when it is pure.
  bool enter(Rows rows, std::size_t first, const Sum* sums, Node& node) {
    node.weight = 0;
    n_present_ = 0;
    for (std::size_t c = 0; c < n_classes_; ++c) {
      node.counts[c] = sums[c];
      if (sums[c] == 0) continue;
      present_[n_present_] = static_cast<std::uint8_t>(c);
      number_[c] = static_cast<std::uint8_t>(n_present_);
      float_totals_[n_present_++] = static_cast<float>(sums[c]);
      node.weight += sums[c];
    }
    node_weight_ = node.weight;
    if (n_present_ < 2) return false;
    n_rows_ = rows.size();
    here_ = tags_.data();
    if (by_class_) {
      std::uint32_t end = 0;
      for (std::size_t c = 0; c < n_present_; ++c) {
        const std::uint32_t begin = std::exchange(end, end + static_cast<std::uint32_t>(sums[present_[c]]));
        std::fill(tags_.begin() + begin, tags_.begin() + end,
                  1U << kClassBits | static_cast<std::uint32_t>(c));
        class_ends_[c] = end;
      }
    } else if (n_present_ < n_classes_) {
      number_classes(std::span(own_tags_).subspan(first, rows.size()), number_.data(), n_classes_,
                     tags_.data());
    } else {
      here_ = own_tags_.data() + first;
    }
    in_floats_ = node.weight < kFloatWeight;
    if (!in_floats_)
      for (std::size_t c = 0; c < n_present_; ++c) totals_[c] = static_cast<double>(sums[present_[c]]);
    return true;
  }

  [[nodiscard]] std::int64_t weight(std::size_t i) const noexcept { return weight_of(here_[i]); }
  /// Counters of a position.
  [[nodiscard]] std::size_t n_counters() const noexcept { return n_present_; }

  /// The best score of a column's cuts.
  double top(const RankedPositions& at) {
    start_column(at.count);
    const ClassColumn column{at.ranks, here_, n_rows_, at.low, at.count, n_present_, counts_.data(), stride_};
    if (at.common >= 0) {
      count_classes(column, static_cast<std::uint32_t>(at.common), float_totals_.data());
    } else {
      count_classes(column);
    }
    return score(column, {counts_.data(), stride_, nullptr}, at);
  }
  // Histograms that children inherit: counters of all classes, `stride` from one class to the next.
  static constexpr bool kInherits = true;
  [[nodiscard]] bool inherits(bool /*limited*/) const noexcept { return unit_weights_; }
  [[nodiscard]] std::size_t n_planes() const noexcept { return n_classes_; }
  /// Of the rows at `begin`.
  void classes_of(std::size_t begin, std::size_t n, std::vector<std::uint32_t>& classes) const {
    classes.resize(n);
    for (std::size_t i = 0; i < n; ++i) classes[i] = class_of(own_tags_[begin + i]);
  }
  /// The same as top(), all positions of a column being there.
  double top_of(const std::uint32_t* planes, std::size_t stride, const RankedPositions& at) {
    start_column(at.count);
    return score({nullptr, nullptr, 0, 0, at.count, n_present_, counts_.data(), stride_},
                 {planes, stride, present_.data()}, at);
  }
  /// The weight up to a position.
  [[nodiscard]] std::int64_t left_weight(std::size_t position) const noexcept {
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < n_present_; ++c) sum += counts_[c * stride_ + position];
    return sum;
  }
  [[nodiscard]] static bool is_pure(std::span<const Sum> sums) noexcept {
    return std::count(sums.begin(), sums.end(), 0) + 1 >= static_cast<std::ptrdiff_t>(sums.size());
  }

  // Two-valued columns of a node are searched together.
  static constexpr bool kTwoValued = true;
  /// Counts the rows of some two-valued columns at their rarer values, all columns of `wanted` in one pass.
  void count_rare(Rows rows, const std::uint64_t* words, std::uint64_t wanted) {
    if (rare_.size() < 64 * n_present_) rare_.resize(64 * n_present_);
    for (std::uint64_t bits = wanted; bits != 0; bits &= bits - 1)
      std::fill_n(rare_.begin() + std::countr_zero(bits) * static_cast<std::ptrdiff_t>(n_present_),
                  n_present_, 0U);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::uint64_t bits = words[rows[i]] & wanted; bits != 0; bits &= bits - 1)
        rare_[static_cast<std::size_t>(std::countr_zero(bits)) * n_present_ + class_of(here_[i])] +=
            static_cast<std::uint32_t>(weight_of(here_[i]));
  }
  /// The score of one of them, or -1 where the node has one of its values only; as near as that of other cuts.
  [[nodiscard]] double top_of_rare(std::size_t bit) const {
    double rare = 0.0, own = 0.0, other = 0.0;
    for (std::size_t c = 0; c < n_present_; ++c) {
      const auto n = static_cast<double>(rare_[bit * n_present_ + c]),
                 rest = static_cast<double>(float_totals_[c]) - n;
      rare += n;
      own += n * n;
      other += rest * rest;
    }
    const double rest = static_cast<double>(node_weight_) - rare;
    return rare > 0.0 && rest > 0.0 ? (own * rest + other * rare) / (rare * rest) : -1.0;
  }
  /// The rows on its left: those at the rarer value, or the others.
  void left_of_rare(std::size_t bit, bool rare_left, const Node& node, Node& side) const {
    clear(side);
    for (std::size_t c = 0; c < n_present_; ++c) {
      const std::int64_t n = rare_[bit * n_present_ + c];
      side.counts[present_[c]] = rare_left ? n : node.counts[present_[c]] - n;
      side.weight += side.counts[present_[c]];
    }
  }

  /// The positions whose scores reach the floor.
  std::size_t near(const RankedPositions& at, double floor, std::uint32_t* positions) const {
    return in_floats_
               ? find_near(float_scores_.data(), at.begin, at.end, static_cast<float>(floor), positions)
               : find_near(scores_.data(), at.begin, at.end, floor, positions);
  }
  /// Sums of squares of exact numbers: every step within 2^-24, or 2^-53, of all.
  [[nodiscard]] double slack() const noexcept {
    return static_cast<double>(n_present_ + 8) * (in_floats_ ? 0x1p-22 : 0x1p-50);
  }
  /// Whether a position has the same rows on its left as the one before.
  [[nodiscard]] bool same_as_before(std::size_t position) const noexcept {
    for (std::size_t c = 0; c < n_present_; ++c)
      if (counts_[c * stride_ + position] != counts_[c * stride_ + position - 1]) return false;
    return true;
  }
  void left(std::size_t position, Node& side) const {
    clear(side);
    for (std::size_t c = 0; c < n_present_; ++c) {
      side.counts[present_[c]] = counts_[c * stride_ + position];
      side.weight += side.counts[present_[c]];
    }
  }
  /// The rows of rank <= cut.
  void left_of(const std::uint16_t* ranks, std::uint32_t cut, Node& side) const {
    clear(side);
    std::array<std::uint32_t, 256> sums;
    if (by_class_) {
      count_left(ranks, cut, std::span(class_ends_).first(n_present_), sums.data());
    } else {
      sum_classes(ranks, here_, n_rows_, cut, std::span(sums).first(n_present_));
    }
    for (std::size_t c = 0; c < n_present_; ++c) {
      side.counts[present_[c]] = sums[c];
      side.weight += sums[c];
    }
  }
  /// Whether a split leaves two pure sides: no other one is better.
  [[nodiscard]] bool perfect(const Node& side) const noexcept {
    if (n_present_ != 2) return false;
    const std::int64_t first = side.counts[present_[0]], second = side.counts[present_[1]];
    return (first == 0 && static_cast<float>(second) == float_totals_[1]) ||
           (second == 0 && static_cast<float>(first) == float_totals_[0]);
  }

  using Tile = ClassTile;
  /// Makes a tile of the rows that were entered last; false: too heavy for exact values.
  bool load(Tile& tile, std::span<RowId> rows) const {
    return node_weight_ <= kTileWeight && tile.load(rows, here_, n_present_);
  }

 private:
  static constexpr std::uint32_t kClassMask = (1U << kClassBits) - 1;
  static constexpr std::int64_t kFloatWeight = 1 << 16;  // floats tell cuts of more apart badly
  static std::uint32_t class_of(std::uint32_t tag) noexcept { return tag & kClassMask; }
  static std::int64_t weight_of(std::uint32_t tag) noexcept { return tag >> kClassBits; }
  void start_column(std::size_t n) {
    stride_ = (n + kRankPad + 15) / 16 * 16;
    if (counts_.size() < stride_ * n_present_) counts_.resize(stride_ * n_present_);
    if (float_scores_.size() >= n + kRankPad) return;
    float_scores_.resize(2 * n + kRankPad);
    scores_.resize(2 * n + kRankPad);
  }
  double score(const ClassColumn& column, const ClassCounters& from, const RankedPositions& at) {
    return in_floats_ ? static_cast<double>(score_classes(column, from, float_totals_.data(), at.begin,
                                                          at.end, float_scores_.data()))
                      : score_classes(column, from, totals_.data(), at.begin, at.end, scores_.data());
  }

  const Targets* all_;
  std::size_t n_classes_;
  bool unit_weights_, by_class_ = false;
  std::vector<std::uint32_t>
      own_tags_;  // weights and classes, in the order of the tree's rows; not with by_class_
  // The node.
  std::size_t n_rows_ = 0;
  std::vector<std::uint32_t> tags_;      // classes numbered by the node
  const std::uint32_t* here_ = nullptr;  // the tags of its rows: tags_, or own_tags_ where it has all classes
  std::size_t n_present_ = 0;
  std::array<std::uint8_t, 256> present_{}, number_{};  // classes of the node, and back
  std::array<double, 256> totals_{};
  std::array<float, 256> float_totals_{};
  std::array<std::uint32_t, 256> class_ends_{};  // of the rows of each class, with by_class_
  bool in_floats_ = true;
  std::int64_t node_weight_ = 0;
  // The column.
  std::vector<std::uint32_t> counts_;
  std::size_t stride_ = 0;
  std::vector<float> float_scores_;
  std::vector<double> scores_;
  std::vector<std::uint32_t> rare_;  // [bit * n_present_ + class]
};

/// One number target under squared error.
class RankedNumbers {
 public:
  using Family = MomentFamily;
  using Node = Family::Node;

  RankedNumbers(const Targets& targets, std::size_t n_rows)
      : by_row_(n_rows),
        unit_weights_(targets.weights.empty()),
        gain_unit_(-2 * targets.numbers[0].fixed.exponent) {
    for (const RowId row : targets.rows)
      by_row_[row] = {targets.numbers[0].fixed.values[row], targets.weight(row)};
    rows_.resize(targets.rows.size() + kRankPad);
    spare_.resize(targets.rows.size());
  }

  void start(Rows rows, bool /*random*/, Node& node) const {
    Moments total;
    std::int64_t sum = 0;  // targets times weights add up to less than 2^61
    for (const RowId row : rows) {
      sum += by_row_[row].target * by_row_[row].weight;
      total.weight += by_row_[row].weight;
    }
    total.sum = sum;
    node.totals[0] = make_parent(total);
  }
  /// What is handed from a node to its children: sum and weight.
  using Sum = std::int64_t;
  [[nodiscard]] static constexpr std::size_t n_sums() noexcept { return 2; }
  void put(const Node& node, Sum* sums) const {
    sums[0] = static_cast<Sum>(node.totals[0].sum);
    sums[1] = node.totals[0].weight;
  }
  void put_rest(const Node& node, const Node& side, Sum* sums) const {
    sums[0] = static_cast<Sum>(node.totals[0].sum - side.totals[0].sum);
    sums[1] = node.totals[0].weight - side.totals[0].weight;
  }

  void divide(std::size_t /*begin*/, std::size_t /*n*/, const std::uint16_t* /*ranks*/, std::uint32_t /*cut*/,
              std::uint32_t* /*scratch*/) const {}

  bool enter(Rows rows, std::size_t /*begin*/, const Sum* sums, Node& node) {
    const std::int64_t first = by_row_[rows[0]].target;
    if (std::all_of(rows.begin(), rows.end(), [&](RowId row) { return by_row_[row].target == first; }))
      return false;
    node.totals[0] = make_parent({sums[0], sums[1]});
    centre_ = node.totals[0].centre;
    here_ = {static_cast<double>(sums[1]), static_cast<double>(sums[0] - centre_ * sums[1]), centre_};
    of_ = rows;
    loaded_ = false;
    return true;
  }

  [[nodiscard]] std::int64_t weight(std::size_t i) const noexcept { return by_row_[of_[i]].weight; }
  [[nodiscard]] std::size_t n_counters() const noexcept { return 2; }

  double top(const RankedPositions& at) {
    make_room(at.count);
    load_rows();
    add_numbers({at.ranks, rows_.data(), of_.size(), at.low, at.count, sums_.data(), spare_.data()});
    return score(sums_.data(), at);
  }
  static constexpr bool kTwoValued = false;
  // Sums that children inherit.
  static constexpr bool kInherits = true;
  /// `limited`: rows are to be counted too, and weights do it.
  [[nodiscard]] bool inherits(bool limited) const noexcept { return unit_weights_ || !limited; }
  void sums_of(Rows rows, std::vector<NumberSum>& sums) const {
    if (sums.size() < rows.size()) sums.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto [y, w] = by_row_[rows[i]];
      sums[i] = {y * w, w};
    }
  }
  /// The same as top() from the sums of all positions.
  double top_of(const NumberSum* sums, const RankedPositions& at) {
    make_room(at.count);
    return score(sums, at);
  }
  [[nodiscard]] std::int64_t left_weight(std::size_t position) const noexcept {
    return sums_[position].weight;
  }
  [[nodiscard]] static bool is_pure(std::span<const Sum> /*sums*/) noexcept { return false; }

  std::size_t near(const RankedPositions& at, double floor, std::uint32_t* positions) const {
    return find_near(scores_.data(), at.begin, at.end, floor, positions);
  }
  /// Of all s - sum n, with |sum| < all < 2^24 and n <= all: either both products are whole numbers below 2^53, or s is so
  /// large that the second does not matter. So it is right to some 2^-50 of itself.
  [[nodiscard]] double slack() const noexcept { return 1e-13; }
  [[nodiscard]] bool same_as_before(std::size_t position) const noexcept {
    return sums_[position].weight == sums_[position - 1].weight;
  }
  void left(std::size_t position, Node& side) const { set(sums_[position], side); }
  void left_of(const std::uint16_t* ranks, std::uint32_t cut, Node& side) {
    load_rows();
    set(sum_side(ranks, rows_.data(), of_.size(), cut), side);
  }
  [[nodiscard]] bool perfect(const Node& /*side*/) const noexcept { return false; }

  using Tile = NumberTile;
  bool load(Tile& tile, std::span<const RowId> rows) const {
    std::array<std::int64_t, kTileRows> targets, weights;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      targets[i] = by_row_[rows[i]].target;
      weights[i] = by_row_[rows[i]].weight;
    }
    return tile.load(std::span(targets).first(rows.size()), weights.data(), centre_, gain_unit_);
  }

 private:
  static void set(const NumberSum& left, Node& side) noexcept {
    side.totals[0].sum = left.sum;
    side.totals[0].weight = left.weight;
  }
  // Before the first column is searched.
  void load_rows() {
    if (!loaded_) sums_of(of_, rows_);
    loaded_ = true;
  }
  void make_room(std::size_t n) {
    if (scores_.size() >= n + kRankPad) return;
    sums_.resize(2 * n + kRankPad);
    scores_.resize(2 * n + kRankPad);
  }
  double score(const NumberSum* sums, const RankedPositions& at) {
    sum_numbers(sums, at.count, sums_.data());
    return score_numbers(sums_.data(), here_, at.begin, at.end, scores_.data());
  }

  struct Row {
    std::int64_t target = 0;
    std::int64_t weight = 0;
  };
  std::vector<Row> by_row_;
  bool unit_weights_;
  PowerOfTwo gain_unit_;  // from scores to gains
  // The node.
  Rows of_;
  std::vector<NumberSum> rows_;  // of these, when loaded
  bool loaded_ = false;
  std::int64_t centre_ = 0;
  NumberNode here_{};
  // The column.
  std::vector<NumberSum> sums_, spare_;
  std::vector<double> scores_;
};

}  // namespace bough
