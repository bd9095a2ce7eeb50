// SPDX-License-Identifier: Apache-2.0
// Histograms of one number target without weights.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "split/histogram/layouts.hpp"

namespace bough {

/// Sum of the target less a whole number near its mean, and rows << shift | sum of its square in coarse steps, rounded up.
class Sums {
 public:
  struct Word {
    std::int64_t sum = 0;
    std::uint64_t rows_squares = 0;
    Word& operator+=(const Word& other) noexcept {
      sum += other.sum;
      rows_squares += other.rows_squares;
      return *this;
    }
    Word& operator-=(const Word& other) noexcept {
      sum -= other.sum;
      rows_squares -= other.rows_squares;
      return *this;
    }
  };

  Sums(const CodedTable& table, const Targets& targets) : Sums(table, targets, measure(targets)) {}
  Sums(const CodedTable& table, const Targets& targets, const LayoutFrame& frame)
      : table_(&table), centre_(frame.centres.front()) {
    // rows < 2^row_bits; squares < 2^(64 - row_bits) even if every row has the largest one.
    const int row_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(frame.n_rows)));
    const double largest = frame.spreads.front();
    shift_ = 64 - row_bits;
    unit_ = largest * largest / (std::ldexp(1.0, shift_ - row_bits) - 2.0) * (1.0 + 1e-12);
    const auto& y = targets.numbers.front().fixed.values;
    increments_ = zeros<Word>(y.size());
    parallel_ranges(targets.rows.size(), internal_limits().parallel_rows,
                    [&](std::size_t begin, std::size_t end) {
                      for (const RowId row : Rows(targets.rows).subspan(begin, end - begin)) {
                        const std::int64_t d = y[row] - centre_;
                        const double square = static_cast<double>(d) * static_cast<double>(d);
                        increments_[row] = {
                            d, std::uint64_t{1} << shift_ | (static_cast<std::uint64_t>(square / unit_) + 1)};
                      }
                    });
  }

  static std::int64_t centre_of(int128 sum, std::int64_t n_rows) noexcept {
    return n_rows > 0 ? static_cast<std::int64_t>(sum / n_rows) : 0;
  }
  static LayoutFrame measure(const Targets& targets) {
    const auto& y = targets.numbers.front().fixed.values;
    const auto sum_of = [&](std::size_t begin, std::size_t end) {
      int128 sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += y[targets.rows[i]];
      return sum;
    };
    const int128 total = parallel_reduce(targets.rows.size(), internal_limits().parallel_rows, int128{0},
                                         sum_of, std::plus<int128>());
    const auto n = static_cast<std::int64_t>(targets.rows.size());
    const std::int64_t centre = centre_of(total, n);
    return {n, {centre}, {spread(targets, centre)}};
  }
  static double spread(const Targets& targets, std::int64_t centre) {
    const auto& y = targets.numbers.front().fixed.values;
    const auto largest_of = [&](std::size_t begin, std::size_t end) {
      double largest = 1.0;
      for (std::size_t i = begin; i < end; ++i)
        largest = std::max(largest, std::fabs(static_cast<double>(y[targets.rows[i]] - centre)));
      return largest;
    };
    return parallel_reduce(targets.rows.size(), internal_limits().parallel_rows, 1.0, largest_of,
                           [](double a, double b) { return std::max(a, b); });
  }

  [[nodiscard]] std::size_t words() const noexcept { return 1; }

  void add_rows(Rows rows, std::span<Word> histogram) const noexcept {
    const std::size_t stride = table_->row_stride, n_slots = table_->n_slots();
    const std::uint8_t* codes = table_->by_row.data();
    const std::uint32_t* begins = table_->slot_begins.data();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i + kPrefetch < rows.size()) {
        __builtin_prefetch(codes + rows[i + kPrefetch] * stride);
        __builtin_prefetch(&increments_[rows[i + kPrefetch]]);
      }
      const std::uint8_t* row = codes + rows[i] * stride;
      const Word increment = increments_[rows[i]];
      for (std::size_t s = 0; s < n_slots; ++s) {
        Word& entry = histogram[begins[s] + row[s]];
        entry.sum += increment.sum;
        entry.rows_squares += increment.rows_squares;
      }
    }
  }

  void add_row(RowId row, std::span<Word> entry) const noexcept { entry[0] += increments_[row]; }

  // Shifted once more to the node's own mean, exactly, so that deep nodes lose nothing to cancellation.
  template <class Node>
  void curves(const Word* column, const Node& node, ColumnCurves& out) const noexcept {
    std::uint32_t rows = 0;
    std::int64_t sum = 0;
    const std::int64_t node_shift = node.totals[0].centre - centre_;
    const double shift = static_cast<double>(node_shift);
    const std::size_t missing = out.curve.n_buckets - 1;
    for (std::size_t b = 0; b < padded(missing + 1); ++b) {
      const Word word = b < missing ? column[b] : Word{};
      const std::uint32_t k = n_rows(&word);
      const std::int64_t s = word.sum - node_shift * k;
      rows += k;
      sum += s;
      out.rows[b] = rows;
      out.curve.n[b] = rows;
      out.curve.sum[b] = static_cast<double>(sum);
      const double q = static_cast<double>(word.rows_squares & ((std::uint64_t{1} << shift_) - 1)) * unit_;
      const double kd = static_cast<double>(k);
      const double raw = static_cast<double>(word.sum);
      const double centred = q - 2.0 * shift * raw + shift * shift * kd;
      out.curve.squares[b] = std::max(centred, 0.0) + 1e-14 * (q + shift * shift * kd);
    }
  }
  template <class Node>
  void add_bucket(const Word* column, std::size_t bucket, Node& sums) const noexcept {
    const std::uint32_t k = n_rows(&column[bucket]);
    sums.totals[0].sum += static_cast<int128>(column[bucket].sum) + static_cast<int128>(centre_) * k;
    sums.totals[0].weight += k;
  }
  [[nodiscard]] std::uint32_t n_rows(const Word* entry) const noexcept {
    return static_cast<std::uint32_t>(entry->rows_squares >> shift_);
  }
  [[nodiscard]] static std::uint32_t payload(RowId row) noexcept { return row; }

  /// Adds by itself; under squared_error only positions whose score comes near are scored exactly.
  template <class Sweep>
  class Walker {
   public:
    template <class Node>
    Walker(const Sums& layout, CriterionId criterion, Sweep& sweep, const Node& node, const Node& left)
        : layout_(&layout),
          sweep_(&sweep),
          squared_(criterion == CriterionId::squared_error),
          centre_(node.totals[0].centre),
          all_(static_cast<double>(node.totals[0].weight)),
          total_(
              static_cast<double>(node.totals[0].sum - static_cast<int128>(centre_) * node.totals[0].weight)),
          n_(left.totals[0].weight),
          sum_(left.totals[0].sum - static_cast<int128>(centre_) * left.totals[0].weight),
          left_(left),
          quick_(criterion, all_, total_, static_cast<double>(centre_)) {}
    void add(std::uint64_t key) noexcept {
      ++n_;
      sum_ += layout_->increments_[row_of_payload(key)].sum + layout_->centre_ - centre_;
    }
    [[nodiscard]] bool may_reach(double floor) const noexcept {
      const double n = static_cast<double>(n_);
      const double s = static_cast<double>(static_cast<std::int64_t>(sum_));
      if (!squared_)
        return quick_.at_most(n, s, all_ - n, total_ - s) >= floor &&
               quick_(n, s, all_ - n, total_ - s) >= floor;
      const double d = all_ * static_cast<double>(static_cast<std::int64_t>(sum_)) - total_ * n;
      return d * d >= floor * (n * (all_ - n) * all_);
    }
    void load() {
      left_.totals[0].sum = sum_ + static_cast<int128>(centre_) * n_;
      left_.totals[0].weight = n_;
      sweep_->set_left(left_);
    }

   private:
    const Sums* layout_;
    Sweep* sweep_;
    bool squared_;
    std::int64_t centre_;
    double all_, total_;
    std::int64_t n_;
    int128 sum_;
    typename Sweep::Sums left_;
    QuickMoments quick_;
  };

  template <class Node>
  void score(CriterionId criterion, const Word* column, const ColumnCurves& in, const Node& node,
             const Node* missing_left, CurveScores& out) const {
    CurveFrame frame;
    const std::int64_t centre = node.totals[0].centre;
    const auto shifted = [&](const Moments& m) {
      return static_cast<double>(m.sum - static_cast<int128>(centre) * m.weight);
    };
    frame.n = static_cast<double>(node.totals[0].weight);
    frame.sum = shifted(node.totals[0]);
    frame.centre = static_cast<double>(centre);
    if (missing_left != nullptr) {
      frame.left_n = static_cast<double>(missing_left->totals[0].weight);
      frame.left_sum = shifted(missing_left->totals[0]);
      if (criterion == CriterionId::squared_error) {
        Curve curve = in.curve;
        add_missing(column, node.totals[0].centre, curve);
        return score_moments(criterion, curve, frame, out);
      }
    }
    score_moments(criterion, in.curve, frame, out);
  }

 private:
  // The missing rows on the left of every boundary, exactly.
  void add_missing(const Word* column, std::int64_t node_centre, Curve& curve) const noexcept {
    const std::int64_t node_shift = node_centre - centre_;
    const std::size_t missing = curve.n_buckets - 1;
    std::int64_t rows = n_rows(&column[missing]), sum = column[missing].sum - node_shift * rows;
    for (std::size_t b = 0; b < padded(missing + 1); ++b) {
      const std::int64_t k = b < missing ? n_rows(&column[b]) : 0;
      rows += k;
      sum += b < missing ? column[b].sum - node_shift * k : 0;
      curve.n[b] = static_cast<double>(rows);
      curve.sum[b] = static_cast<double>(sum);
    }
  }

  const CodedTable* table_;
  std::int64_t centre_ = 0;
  int shift_ = 40;
  double unit_ = 1.0;
  std::vector<Word> increments_;
};

}  // namespace bough
