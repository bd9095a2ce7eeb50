// SPDX-License-Identifier: Apache-2.0
// Histograms of number targets with weights, and of several number targets side by side.
//
// A bucket has a word per output: the exact sum of weight * target (less a whole number near the mean of all
// rows), the weight, and the rows with an upper estimate of the weighted squares in coarse steps. Acc is 64
// bits wide where the sums of a whole tree fit, which they do for whole weights, and 128 otherwise.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

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

template <class Acc>
class NumberSums {
 public:
  struct Word {
    Acc sum = 0;
    std::int64_t weight = 0;
    std::uint64_t rows_squares = 0;
    Word& operator+=(const Word& other) noexcept {
      sum += other.sum;
      weight += other.weight;
      rows_squares += other.rows_squares;
      return *this;
    }
    Word& operator-=(const Word& other) noexcept {
      sum -= other.sum;
      weight -= other.weight;
      rows_squares -= other.rows_squares;
      return *this;
    }
  };

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
    increments_.resize(targets.numbers.front().fixed.values.size() * n_outputs_);
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
  static double squares_around(const Targets& targets, std::size_t o, std::int64_t centre) noexcept {
    double total = 0.0;
    for (const RowId row : targets.rows) total += square(targets, o, centre, row);
    return total;
  }

  /// Whether all sums of a tree, around the mean of all rows, of any of its nodes, or plain, stay within 63
  /// bits.
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
  [[nodiscard]] std::size_t words() const noexcept { return n_outputs_; }

  void add_rows(Rows rows, std::span<Word> histogram) const noexcept {
    const std::size_t stride = table_->row_stride, n_slots = table_->n_slots();
    const std::uint8_t* codes = table_->by_row.data();
    const std::uint32_t* begins = table_->slot_begins.data();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i + kPrefetch < rows.size()) {
        __builtin_prefetch(codes + rows[i + kPrefetch] * stride);
        __builtin_prefetch(&increments_[rows[i + kPrefetch] * n_outputs_]);
      }
      const std::uint8_t* row = codes + rows[i] * stride;
      const Word* increment = &increments_[rows[i] * n_outputs_];
      if (n_outputs_ == 1) {
        const Word only = *increment;
        for (std::size_t s = 0; s < n_slots; ++s) histogram[begins[s] + row[s]] += only;
      } else {
        for (std::size_t s = 0; s < n_slots; ++s)
          for (std::size_t o = 0; o < n_outputs_; ++o)
            histogram[(begins[s] + row[s]) * n_outputs_ + o] += increment[o];
      }
    }
  }

  void add_row(RowId row, std::span<Word> entry) const noexcept {
    for (std::size_t o = 0; o < n_outputs_; ++o) entry[o] += increments_[row * n_outputs_ + o];
  }

  template <class Node>
  void curves(const Word* column, const Node&, ColumnCurves& out) const noexcept {
    std::uint32_t rows = 0;
    const std::size_t missing = out.curve.n_buckets - 1;
    for (std::size_t b = 0; b <= missing; ++b) {
      if (b < missing) rows += n_rows(column + b * n_outputs_);
      out.rows[b] = rows;
    }
  }
  template <class Node>
  void add_bucket(const Word* column, std::size_t bucket, Node& sums) const noexcept {
    const Word* words = column + bucket * n_outputs_;
    for (std::size_t o = 0; o < n_outputs_; ++o) {
      sums.totals[o].sum +=
          static_cast<int128>(words[o].sum) + static_cast<int128>(centres_[o]) * words[o].weight;
      sums.totals[o].weight += words[o].weight;
    }
  }
  [[nodiscard]] std::uint32_t n_rows(const Word* entry) const noexcept {
    return static_cast<std::uint32_t>(entry->rows_squares >> shift_);
  }
  [[nodiscard]] static std::uint32_t payload(RowId row) noexcept { return row; }

  template <class Node>
  void score(CriterionId criterion, const Word* column, const ColumnCurves& in, const Node& node,
             const Node* missing_left, CurveScores& out) const {
    SideCurves sides;
    sides.n_buckets = in.curve.n_buckets;
    std::fill_n(out.score, padded(sides.n_buckets), 0.0);
    std::fill_n(out.bound, padded(sides.n_buckets), 0.0);
    const bool squared = criterion == CriterionId::squared_error;
    for (std::size_t o = 0; o < n_outputs_; ++o) {
      const ParentMoments& total = node.totals[o];
      if (!squared && total.sum <= 0) continue;  // no split is allowed, whatever it scores
      const std::int64_t base = squared ? total.centre : 0;
      const Acc all = relative_sum(total, base);
      const Acc missing = missing_left != nullptr ? relative_sum(missing_left->totals[o], base) : Acc{0};
      fill_sides(column, o, base, {total.weight, all},
                 {missing_left != nullptr ? missing_left->totals[o].weight : 0, missing}, sides);
      fill_buckets(column, o, base, sides);
      add_side_scores(
          criterion, sides,
          {static_cast<double>(total.weight), close_double(all), squared ? squared_[o] : linear_[o]}, out);
    }
  }

  /// Adds by itself; under squared_error only positions whose score comes near are scored exactly.
  template <class Sweep>
  class Walker {
   public:
    template <class Node>
    Walker(const NumberSums& layout, CriterionId criterion, Sweep& sweep, const Node& node, const Node& left)
        : layout_(&layout),
          sweep_(&sweep),
          squared_(criterion == CriterionId::squared_error),
          all_(node.totals[0].weight),
          n_(left.totals[0].weight),
          left_(left) {
      for (std::size_t o = 0; o < layout.n_outputs_; ++o) {
        const std::int64_t centre = node.totals[o].centre;
        outputs_.push_back({relative_sum(left.totals[o], layout.centres_[o]),
                            relative_sum(node.totals[o], centre), layout.centres_[o] - centre});
      }
    }
    void add(std::uint64_t key) noexcept {
      const Word* increment = &layout_->increments_[row_of_payload(key) * layout_->n_outputs_];
      n_ += increment->weight;
      for (std::size_t o = 0; o < outputs_.size(); ++o) outputs_[o].sum += increment[o].sum;
    }
    [[nodiscard]] bool may_reach(double floor) const noexcept {
      if (!squared_) return true;
      const auto ln = static_cast<double>(n_), rn = static_cast<double>(all_ - n_);
      double score = 0.0;
      for (std::size_t o = 0; o < outputs_.size(); ++o) {
        const Acc left = plus_product(outputs_[o].sum, outputs_[o].shift, n_), right = outputs_[o].all - left;
        const double d = rn * close_double(left) - ln * close_double(right);
        score += layout_->squared_[o] * (d / (ln * rn) * d);
      }
      return score >= floor * static_cast<double>(all_);
    }
    void load() {
      for (std::size_t o = 0; o < outputs_.size(); ++o) {
        left_.totals[o].sum =
            static_cast<int128>(outputs_[o].sum) + static_cast<int128>(layout_->centres_[o]) * n_;
        left_.totals[o].weight = n_;
      }
      sweep_->set_left(left_);
    }

   private:
    struct Output {
      Acc sum;             // left, around the layout's centre
      Acc all;             // node, around its own centre
      std::int64_t shift;  // from the layout's centre to the node's
    };
    const NumberSums* layout_;
    Sweep* sweep_;
    bool squared_;
    std::int64_t all_, n_;
    std::vector<Output> outputs_;
    typename Sweep::Sums left_;
  };

 private:
  static Moments total_of(const Targets& targets, std::size_t o) {
    Moments all;
    for (const RowId row : targets.rows) {
      all.sum += static_cast<int128>(targets.numbers[o].fixed.values[row]) * targets.weight(row);
      all.weight += targets.weight(row);
    }
    return all;
  }
  static double square(const Targets& targets, std::size_t o, std::int64_t centre, RowId row) noexcept {
    const auto d = static_cast<double>(targets.numbers[o].fixed.values[row] - centre);
    return static_cast<double>(targets.weight(row)) * d * d;
  }

  // Squares are rounded up to steps that keep their sum over all rows below 2^shift.
  void fill_increments(const Targets& targets, std::size_t o, const LayoutFrame& frame) {
    const auto& y = targets.numbers[o].fixed.values;
    const double room = std::ldexp(1.0, shift_) - static_cast<double>(frame.n_rows) - 2.0;
    const double unit = frame.spreads[o] > 0.0 ? frame.spreads[o] / room * (1.0 + 1e-9) : 1.0;
    units_.push_back(unit * (1.0 + 1e-9));
    for (const RowId row : targets.rows) {
      const std::int64_t weight = targets.weight(row);
      increments_[row * n_outputs_ + o] = {
          static_cast<Acc>(static_cast<Acc>(y[row] - centres_[o]) * weight), weight,
          std::uint64_t{1} << shift_ |
              (static_cast<std::uint64_t>(square(targets, o, centres_[o], row) / unit) + 1)};
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

  struct Side {
    std::int64_t n = 0;
    Acc sum = 0;
  };
  void fill_sides(const Word* column, std::size_t o, std::int64_t base, const Side& all, Side left,
                  SideCurves& out) const noexcept {
    const std::size_t missing = out.n_buckets - 1;
    for (std::size_t b = 0;; ++b) {
      out.left_n[b] = static_cast<double>(left.n);
      out.right_n[b] = static_cast<double>(all.n - left.n);
      out.left_sum[b] = close_double(left.sum);
      out.right_sum[b] = close_double(static_cast<Acc>(all.sum - left.sum));
      if (b == padded(out.n_buckets)) return;
      const Word& word = column[std::min(b, missing) * n_outputs_ + o];
      if (b >= missing || word.weight == 0) continue;
      left.n += word.weight;
      left.sum += plus_product(word.sum, centres_[o] - base, word.weight);
    }
  }

  // Squares around the node's centre; what rounding may have taken is added again.
  void fill_buckets(const Word* column, std::size_t o, std::int64_t base, SideCurves& out) const noexcept {
    const auto shift = static_cast<double>(base - centres_[o]);
    const std::size_t missing = out.n_buckets - 1;
    for (std::size_t b = 0; b < padded(out.n_buckets); ++b) {
      const Word& word = column[std::min(b, missing) * n_outputs_ + o];
      const auto k = static_cast<double>(word.weight);
      const double q =
          static_cast<double>(word.rows_squares & ((std::uint64_t{1} << shift_) - 1)) * units_[o];
      const double centred = q - 2.0 * shift * close_double(word.sum) + shift * shift * k;
      out.n[b] = k;
      out.sum[b] = close_double(plus_product(word.sum, centres_[o] - base, word.weight));
      out.squares[b] = std::max(centred, 0.0) + 1e-14 * (q + (shift * shift + 1.0) * k);
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

}  // namespace bough
