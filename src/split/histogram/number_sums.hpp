// SPDX-License-Identifier: Apache-2.0
// Histograms of number targets: one or several of them side by side, with weights or without.
//
// A bucket has a word per output: the exact sum of weight * target (less a whole number near the mean of all rows), the
// weight, and the rows with an upper estimate of the weighted squares in coarse steps. Acc is 64 bits wide where the sums of a
// whole tree fit, which they do for whole weights, and 128 otherwise. One target without weights (`Sums`) has no use for the
// weight, so that its words are 16 bytes.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/buffer.hpp"
#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "split/histogram/layouts.hpp"
#include "split/histogram/side_kernels.hpp"

namespace bough {

/// The double next to an integer, within 2^-52 of it.
inline double close_double(std::int64_t x) noexcept {
  return static_cast<double>(x);
}
inline double close_double(int128 x) noexcept {
  const uint128 m = magnitude(x);
  const double value = static_cast<double>(static_cast<std::uint64_t>(m >> 64)) * 0x1p64 +
                       static_cast<double>(static_cast<std::uint64_t>(m));
  return x < 0 ? -value : value;
}

/// A word of NumberSums.
template <class Acc, bool kWeighted>
struct NumberWord {
  Acc sum = 0;
  std::int64_t weight = 0;
  std::uint64_t rows_squares = 0;
  NumberWord& operator+=(const NumberWord& other) noexcept {
    sum += other.sum;
    weight += other.weight;
    rows_squares += other.rows_squares;
    return *this;
  }
  NumberWord& operator-=(const NumberWord& other) noexcept {
    sum -= other.sum;
    weight -= other.weight;
    rows_squares -= other.rows_squares;
    return *this;
  }
};
/// The rows stand for the weight.
template <class Acc>
struct NumberWord<Acc, false> {
  Acc sum = 0;
  std::uint64_t rows_squares = 0;
  NumberWord& operator+=(const NumberWord& other) noexcept {
    sum += other.sum;
    rows_squares += other.rows_squares;
    return *this;
  }
  NumberWord& operator-=(const NumberWord& other) noexcept {
    sum -= other.sum;
    rows_squares -= other.rows_squares;
    return *this;
  }
};

/// SideSums of one target without weights: 64 bits are enough for sums less the node's centre.
class PlainSides {
 public:
  using Node = MomentFamily::Node;
  PlainSides(const Targets& targets, const Node& node, CriterionId criterion)
      : y_(targets.numbers.front().fixed.values.data()),
        centre_(node.totals[0].centre),
        all_(static_cast<double>(node.totals[0].weight)),
        total_(static_cast<double>(centred(node.totals[0]))),
        left_(zero_like(node)),
        quick_(criterion, all_, total_, static_cast<double>(centre_)) {}
  void set(const Node& left) noexcept {
    n_ = left.totals[0].weight;
    sum_ = centred(left.totals[0]);
  }
  void add(RowId row) noexcept {
    ++n_;
    sum_ += y_[row] - centre_;
  }
  [[nodiscard]] bool may_reach(double floor) const noexcept {
    const auto n = static_cast<double>(n_), s = static_cast<double>(sum_);
    return quick_.reaches(floor, n, s, all_ - n, total_ - s);
  }
  [[nodiscard]] const Node& sums() noexcept {
    left_.totals[0].sum = sum_ + static_cast<int128>(centre_) * n_;
    left_.totals[0].weight = n_;
    return left_;
  }

 private:
  [[nodiscard]] std::int64_t centred(const Moments& m) const noexcept {
    return static_cast<std::int64_t>(m.sum - static_cast<int128>(centre_) * m.weight);
  }
  const std::int64_t* y_;
  std::int64_t centre_, n_ = 0, sum_ = 0;
  double all_, total_;
  Node left_;
  QuickMoments quick_;
};

template <class Acc, bool kWeighted = true>
class NumberSums {
 public:
  using Word = NumberWord<Acc, kWeighted>;

  NumberSums(const CodedTable& table, const Targets& targets)
      : NumberSums(table, targets, measure(targets)) {}
  NumberSums(const CodedTable& table, const Targets& targets, const LayoutFrame& frame)
      : table_(&table), n_outputs_(targets.numbers.size()), centres_(frame.centres) {
    shift_ = 64 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(frame.n_rows)));
    const TargetUnits linear(targets, 1), squared(targets, 2);
    for (std::size_t o = 0; o < n_outputs_; ++o) {
      linear_.push_back(linear.relative[o] / static_cast<double>(n_outputs_));
      squared_.push_back(squared.relative[o] / static_cast<double>(n_outputs_));
    }
    increments_ = zeros<Word>(targets.numbers.front().fixed.values.size() * n_outputs_);
    for (std::size_t o = 0; o < n_outputs_; ++o) fill_increments(targets, o, frame);
  }

  static LayoutFrame measure(const Targets& targets) {
    LayoutFrame frame;
    frame.n_rows = static_cast<std::int64_t>(targets.rows.size());
    for (std::size_t o = 0; o < targets.numbers.size(); ++o) {
      frame.centres.push_back(centre_of(total_of(targets, o)));
      frame.spreads.push_back(squares_around(targets, o, frame.centres.back()));
    }
    return frame;
  }
  static std::int64_t centre_of(const Moments& all) { return make_parent(all).centre; }
  static double squares_around(const Targets& targets, std::size_t o, std::int64_t centre) {
    return add_rows_up(targets, 0.0, [&](RowId row) { return square(targets, o, centre, row); });
  }

  /// Whether all sums of a tree, around the mean of all rows, of any of its nodes, or plain, stay within 63 bits.
  static bool fits(const Targets& targets) {
    constexpr uint128 limit = kReach;
    for (std::size_t o = 0; o < targets.numbers.size(); ++o) {
      const auto [around, plain] = reach(targets, o, centre_of(total_of(targets, o)));
      if (sizeof(Acc) < sizeof(int128) && (around > limit || plain > limit)) return false;
    }
    return true;
  }

  /// The most that sums of 64 bits may reach, and what they reach: weighted sizes of the targets less the centre, and plain.
  static constexpr uint128 kReach = std::uint64_t{1} << 61;
  static std::pair<uint128, uint128> reach(const Targets& targets, std::size_t o,
                                           std::int64_t centre) noexcept {
    uint128 around = 0, plain = 0;
    for (const RowId row : targets.rows) {
      const std::int64_t y = targets.numbers[o].fixed.values[row];
      const auto weight = static_cast<uint128>(targets.weight(row));
      around += magnitude(static_cast<int128>(y) - centre) * weight;
      plain += magnitude(y) * weight;
    }
    return {around, plain};
  }

  /// One per output.
  [[nodiscard]] std::size_t words() const noexcept { return kWeighted ? n_outputs_ : 1; }

  void add_rows(Rows rows, std::span<Word> histogram) const noexcept {
    const std::size_t stride = table_->row_stride, n_slots = table_->n_slots(), each = words();
    const std::uint8_t* codes = table_->by_row.data();
    const std::uint32_t* begins = table_->slot_begins.data();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i + kPrefetch < rows.size()) {
        __builtin_prefetch(codes + rows[i + kPrefetch] * stride);
        __builtin_prefetch(&increments_[rows[i + kPrefetch] * each]);
      }
      const std::uint8_t* row = codes + rows[i] * stride;
      const Word* increment = &increments_[rows[i] * each];
      if (each == 1) {
        const Word only = *increment;
        for (std::size_t s = 0; s < n_slots; ++s) histogram[begins[s] + row[s]] += only;
      } else {
        for (std::size_t s = 0; s < n_slots; ++s)
          for (std::size_t o = 0; o < each; ++o) histogram[(begins[s] + row[s]) * each + o] += increment[o];
      }
    }
  }

  void add_row(RowId row, std::span<Word> entry) const noexcept {
    for (std::size_t o = 0; o < words(); ++o) entry[o] += increments_[row * words() + o];
  }

  template <class Node>
  void curves(const Word* column, const Node&, ColumnCurves& out) const noexcept {
    std::uint32_t rows = 0;
    const std::size_t missing = out.curve.n_buckets - 1;
    for (std::size_t b = 0; b <= missing; ++b) {
      if (b < missing) rows += n_rows(column + b * words());
      out.rows[b] = rows;
    }
  }
  template <class Node>
  void add_bucket(const Word* column, std::size_t bucket, Node& sums) const noexcept {
    const Word* here = column + bucket * words();
    for (std::size_t o = 0; o < words(); ++o) {
      const std::int64_t weight = weight_of(here[o]);
      sums.totals[o].sum += static_cast<int128>(here[o].sum) + static_cast<int128>(centres_[o]) * weight;
      sums.totals[o].weight += weight;
    }
  }
  [[nodiscard]] std::uint32_t n_rows(const Word* entry) const noexcept {
    return static_cast<std::uint32_t>(entry->rows_squares >> shift_);
  }
  [[nodiscard]] static std::uint32_t payload(RowId row) noexcept { return row; }
  template <class FamilyT>
  using Sides = std::conditional_t<kWeighted, SideSums<FamilyT>, PlainSides>;
  [[nodiscard]] static RowId item(std::uint64_t key) noexcept { return row_of_payload(key); }

  template <class Node>
  void score(CriterionId criterion, const Word* column, const ColumnCurves& in, const Node& node,
             const Node* missing_left, CurveScores& out) const {
    SideCurves sides;
    sides.n_buckets = in.curve.n_buckets;
    std::fill_n(out.score, padded(sides.n_buckets), 0.0);
    std::fill_n(out.bound, padded(sides.n_buckets), 0.0);
    const bool squared = criterion == CriterionId::squared_error;
    for (std::size_t o = 0; o < words(); ++o) {
      const ParentMoments& total = node.totals[o];
      if (!squared && total.sum <= 0) continue;  // no split is allowed, whatever it scores
      const std::int64_t base = squared ? total.centre : 0;
      const Side all{total.weight, relative_sum(total, base)};
      Side left;
      if (missing_left != nullptr)
        left = {missing_left->totals[o].weight, relative_sum(missing_left->totals[o], base)};
      fill_sides(column, o, base, all, left, sides);
      add_side_scores(criterion, sides,
                      {static_cast<double>(all.n), close_double(all.sum), squared ? squared_[o] : linear_[o]},
                      out);
    }
  }

 private:
  struct Side {
    std::int64_t n = 0;
    Acc sum = 0;
  };

  template <class T, class Of>
  static T add_rows_up(const Targets& targets, T none, const Of& of) {
    const auto some = [&](std::size_t begin, std::size_t end) {
      T sum = none;
      for (std::size_t i = begin; i < end; ++i) sum += of(targets.rows[i]);
      return sum;
    };
    return parallel_reduce(targets.rows.size(), internal_limits().parallel_rows, none, some, std::plus<T>());
  }
  static Moments total_of(const Targets& targets, std::size_t o) {
    const auto& y = targets.numbers[o].fixed.values;
    return {add_rows_up(targets, int128{0},
                        [&](RowId row) { return static_cast<int128>(y[row]) * targets.weight(row); }),
            targets.total_weight};
  }
  static double square(const Targets& targets, std::size_t o, std::int64_t centre, RowId row) noexcept {
    const auto d = static_cast<double>(targets.numbers[o].fixed.values[row] - centre);
    return static_cast<double>(targets.weight(row)) * d * d;
  }

  // Squares are rounded up to steps that keep their sum over all rows below 2^shift; the order in which they were added up may
  // have cost some digits.
  void fill_increments(const Targets& targets, std::size_t o, const LayoutFrame& frame) {
    const auto& y = targets.numbers[o].fixed.values;
    const double room = std::ldexp(1.0, shift_) - static_cast<double>(frame.n_rows) - 2.0;
    const double unit = frame.spreads[o] > 0.0 ? frame.spreads[o] / room * (1.0 + 1e-7) : 1.0;
    units_.push_back(unit * (1.0 + 1e-9));
    const auto fill = [&](std::size_t begin, std::size_t end) {
      for (const RowId row : Rows(targets.rows).subspan(begin, end - begin)) {
        const std::int64_t weight = targets.weight(row);
        Word& word = increments_[row * n_outputs_ + o];
        word.sum = static_cast<Acc>(static_cast<Acc>(y[row] - centres_[o]) * weight);
        word.rows_squares = std::uint64_t{1} << shift_ |
                            (static_cast<std::uint64_t>(square(targets, o, centres_[o], row) / unit) + 1);
        if constexpr (kWeighted) word.weight = weight;
      }
    };
    parallel_ranges(targets.rows.size(), internal_limits().parallel_rows, fill);
  }

  [[nodiscard]] std::int64_t weight_of(const Word& word) const noexcept {
    if constexpr (kWeighted) {
      return word.weight;
    } else {
      return n_rows(&word);
    }
  }
  /// sum + a * b; parts may leave 64 bits where the result does not.
  static Acc plus_product(Acc sum, std::int64_t a, std::int64_t b) noexcept {
    using U = std::conditional_t<sizeof(Acc) == sizeof(std::int64_t), std::uint64_t, uint128>;
    return static_cast<Acc>(static_cast<U>(sum) +
                            static_cast<U>(static_cast<Acc>(a)) * static_cast<U>(static_cast<Acc>(b)));
  }
  static Acc relative_sum(const Moments& moments, std::int64_t centre) noexcept {
    return static_cast<Acc>(moments.sum - static_cast<int128>(centre) * moments.weight);
  }

  // Both sides of every boundary, and the buckets between them. Squares are around the node's centre; what rounding may have
  // taken is added again.
  void fill_sides(const Word* column, std::size_t o, std::int64_t base, const Side& all, Side left,
                  SideCurves& out) const noexcept {
    const std::size_t missing = out.n_buckets - 1, end = padded(out.n_buckets);
    const std::int64_t move = centres_[o] - base;
    const auto shift = static_cast<double>(base - centres_[o]);
    const std::uint64_t squares = (std::uint64_t{1} << shift_) - 1;
    auto left_n = static_cast<double>(left.n), right_n = static_cast<double>(all.n - left.n);
    for (std::size_t b = 0;; ++b) {
      out.left_n[b] = left_n;
      out.right_n[b] = right_n;
      out.left_sum[b] = close_double(left.sum);
      out.right_sum[b] = close_double(static_cast<Acc>(all.sum - left.sum));
      if (b == end) return;
      const Word word = b < missing ? column[b * words() + o] : Word{};
      const std::int64_t weight = weight_of(word);
      const Acc sum = plus_product(word.sum, move, weight);
      const auto k = static_cast<double>(weight);
      const double q = static_cast<double>(word.rows_squares & squares) * units_[o];
      const double centred = q - 2.0 * shift * close_double(word.sum) + shift * shift * k;
      out.n[b] = k;
      out.sum[b] = close_double(sum);
      out.squares[b] = std::max(centred, 0.0) + 1e-14 * (q + (shift * shift + 1.0) * k);
      left.sum += sum;
      if constexpr (kWeighted) {
        left.n += weight;
        left_n = static_cast<double>(left.n);
        right_n = static_cast<double>(all.n - left.n);
      } else {  // rows are exact in doubles
        left_n += k;
        right_n -= k;
      }
    }
  }

  const CodedTable* table_;
  std::size_t n_outputs_;
  int shift_ = 40;
  std::vector<double> linear_, squared_;  // what an output's score counts for
  std::vector<double> units_;             // of the squares
  std::vector<std::int64_t> centres_;
  std::vector<Word> increments_;  // [row * n_outputs + output]
};

/// One number target without weights.
using Sums = NumberSums<std::int64_t, false>;

}  // namespace bough
