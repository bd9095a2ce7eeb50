// SPDX-License-Identifier: Apache-2.0
// Histograms of the refine engine: what one bucket holds, how rows are added, and how it turns into curves and exact sums.
//
// A layout fits one family of targets:
//   PackedTwoClass  two classes without weights: rows and second-class rows in one word, 28 columns in the first-level cache
//   Classes<W>      a count (32 bits) or weight (64 bits, with the rows beside it) per class
//   OutputClasses   several class targets, or more classes than a byte holds (output_classes.hpp)
//   Sums            one number target without weights: sum, and rows with an upper estimate of the squares (plain_sums.hpp)
//   NumberSums      number targets with weights, or several of them (number_sums.hpp)
// All sums are integers, so the larger child's histogram is the parent's minus the smaller child's, exactly.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include "base/internal_limits.hpp"
#include "data/codes.hpp"
#include "data/targets.hpp"
#include "split/stats/families.hpp"
#include "split/stats/quick_score.hpp"

namespace bough {

inline constexpr std::size_t kPrefetch = 24;

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
    if (mode_ == Mode::two)
      return quick_(n, static_cast<double>(left_.counts[1]), static_cast<double>(right_[0] + right_[1]),
                    static_cast<double>(right_[1])) >= floor;
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
    return criterion == CriterionId::gini && targets.weights.empty() && node.weight < (1 << 26)
               ? Mode::squares
               : Mode::none;
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

/// What the histograms of number targets agree on, wherever the rows of a tree are: measured over all of them.
struct LayoutFrame {
  std::int64_t n_rows = 0;
  std::vector<std::int64_t> centres;  ///< per output: a whole number near the mean of the fixed-point targets
  std::vector<double>
      spreads;  ///< per output, of the targets less the centre: Sums the largest size, NumberSums the weighted squares

  bool operator==(const LayoutFrame&) const = default;
};

/// Rows and curves of one column at one node; one side of missing at a time.
struct ColumnCurves {
  std::uint32_t rows[kBuckets];  ///< cumulated, without missing
  Curve curve;                   ///< curve.n_buckets is set before the rest is filled
  std::vector<double> classes;   ///< many classes: [class * padded(n_buckets) + bucket], cumulated
  std::vector<double> sums;      ///< scratch
};

class PackedTwoClass {
 public:
  using Word = std::uint64_t;  // rows << 32 | rows of the second class
  PackedTwoClass(const CodedTable& table, const Targets&) : table_(&table) {}

  [[nodiscard]] std::size_t words() const noexcept { return 1; }

  void add_rows(Rows rows, std::span<Word> histogram) const {
    const std::size_t chunk = internal_limits().packed_rows;  // keeps both 16-bit halves from overflowing
    static thread_local std::vector<std::uint32_t> packed;
    for (std::size_t begin = 0; begin < rows.size(); begin += chunk) {
      packed.assign(histogram.size(), 0);
      add_chunk(rows.subspan(begin, std::min(chunk, rows.size() - begin)), packed.data());
      for (std::size_t i = 0; i < packed.size(); ++i)
        histogram[i] += static_cast<std::uint64_t>(packed[i] >> 16) << 32 | (packed[i] & 0xffffU);
    }
  }

  /// Adds a row to one bucket; `entry` is its words.
  void add_row(RowId row, std::span<Word> entry) const noexcept {
    entry[0] += std::uint64_t{1} << 32 | payload(row) >> 31;
  }

  template <class Node>
  void curves(const Word* column, const Node&, ColumnCurves& out) const noexcept {
    std::uint64_t sum = 0;
    const std::size_t missing = out.curve.n_buckets - 1;
    for (std::size_t b = 0; b < padded(missing + 1); ++b) {
      if (b < missing) sum += column[b];
      out.rows[b] = static_cast<std::uint32_t>(sum >> 32);
      out.curve.n[b] = static_cast<double>(static_cast<std::uint32_t>(sum >> 32));
      out.curve.sum[b] = static_cast<double>(static_cast<std::uint32_t>(sum));
    }
  }
  template <class Node>
  void add_bucket(const Word* column, std::size_t bucket, Node& sums) const noexcept {
    const auto n = static_cast<std::int64_t>(column[bucket] >> 32);
    const auto second = static_cast<std::int64_t>(column[bucket] & 0xffffffffU);
    sums.counts[0] += n - second;
    sums.counts[1] += second;
    sums.weight += n;
  }
  [[nodiscard]] static std::uint32_t n_rows(const Word* entry) noexcept {
    return static_cast<std::uint32_t>(*entry >> 32);
  }
  [[nodiscard]] std::uint32_t payload(RowId row) const noexcept {
    return row | static_cast<std::uint32_t>(table_->by_row[(row + std::size_t{1}) * table_->row_stride - 1])
                     << 31;
  }

  /// Counts by itself; under gini only positions whose score comes near are scored exactly.
  template <class Sweep>
  class Walker {
   public:
    template <class Node>
    Walker(const PackedTwoClass&, CriterionId criterion, Sweep& sweep, const Node& node, const Node& left)
        : sweep_(&sweep),
          gini_(criterion == CriterionId::gini),
          all_(static_cast<double>(node.weight)),
          second_(static_cast<double>(node.counts[1])),
          n_(left.weight),
          l_(left.counts[1]),
          quick_(criterion, all_, second_) {}
    void add(std::uint64_t key) noexcept {
      ++n_;
      l_ += static_cast<std::int64_t>(key >> 31 & 1);
    }
    [[nodiscard]] bool may_reach(double floor) const noexcept {
      const double n = static_cast<double>(n_);
      if (!gini_)
        return quick_(n, static_cast<double>(l_), all_ - n, second_ - static_cast<double>(l_)) >= floor;
      const double d = all_ * static_cast<double>(l_) - second_ * n;
      return 2.0 * d * d >= floor * (n * (all_ - n) * all_);
    }
    void load() { sweep_->set_left({{n_ - l_, l_}, n_, false}); }

   private:
    Sweep* sweep_;
    bool gini_;
    double all_, second_;
    std::int64_t n_, l_;
    QuickTwoClass quick_;
  };

  template <class Node>
  void score(CriterionId criterion, const Word*, const ColumnCurves& in, const Node& node,
             const Node* missing_left, CurveScores& out) const {
    CurveFrame frame;
    frame.n = static_cast<double>(node.weight);
    frame.sum = static_cast<double>(node.counts[1]);
    if (missing_left != nullptr) {
      frame.left_n = static_cast<double>(missing_left->weight);
      frame.left_sum = static_cast<double>(missing_left->counts[1]);
    }
    score_two_classes(criterion, in.curve, frame, out);
  }

 private:
  void add_chunk(Rows rows, std::uint32_t* histogram) const noexcept {
    const std::size_t stride = table_->row_stride, n_slots = table_->n_slots();
    const std::uint8_t* codes = table_->by_row.data();
    const std::uint32_t* begins = table_->slot_begins.data();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i + kPrefetch < rows.size()) __builtin_prefetch(codes + rows[i + kPrefetch] * stride);
      const std::uint8_t* row = codes + rows[i] * stride;
      const std::uint32_t increment = 65536U + row[stride - 1];
      for (std::size_t s = 0; s < n_slots; ++s) histogram[begins[s] + row[s]] += increment;
    }
  }

  const CodedTable* table_;
};

template <class W>
class Classes {
 public:
  using Word = W;
  static constexpr bool kWeighted = sizeof(W) == 8;
  Classes(const CodedTable& table, const Targets& targets)
      : table_(&table), targets_(&targets), n_classes_(targets.classes.front().n_classes) {}

  /// Classes, and the rows when the words hold weights.
  [[nodiscard]] std::size_t words() const noexcept { return n_classes_ + (kWeighted ? 1 : 0); }

  void add_rows(Rows rows, std::span<Word> histogram) const noexcept {
    const std::size_t stride = table_->row_stride, n_slots = table_->n_slots(), words_each = words();
    const std::uint8_t* codes = table_->by_row.data();
    const std::uint32_t* begins = table_->slot_begins.data();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i + kPrefetch < rows.size()) __builtin_prefetch(codes + rows[i + kPrefetch] * stride);
      const std::uint8_t* row = codes + rows[i] * stride;
      const W weight = static_cast<W>(targets_->weight(rows[i]));
      const std::size_t label = row[stride - 1];
      for (std::size_t s = 0; s < n_slots; ++s) {
        W* entry = histogram.data() + (begins[s] + row[s]) * words_each;
        entry[label] += weight;
        if constexpr (kWeighted) entry[n_classes_] += 1;
      }
    }
  }

  void add_row(RowId row, std::span<Word> entry) const noexcept {
    entry[targets_->classes.front().codes[row]] += static_cast<W>(targets_->weight(row));
    if constexpr (kWeighted) entry[n_classes_] += 1;
  }

  template <class Node>
  void curves(const Word* column, const Node&, ColumnCurves& out) const {
    const std::size_t missing = out.curve.n_buckets - 1, n = padded(missing + 1);
    out.classes.resize(n_classes_ * n);
    out.sums.assign(n_classes_, 0.0);
    std::uint32_t rows = 0;
    for (std::size_t b = 0; b < n; ++b) {
      const Word* entry = column + std::min(b, missing) * words();
      if (b < missing) rows += n_rows_of(entry);
      double weight = 0.0;
      for (std::size_t c = 0; c < n_classes_; ++c) {
        if (b < missing) out.sums[c] += static_cast<double>(entry[c]);
        out.classes[c * n + b] = out.sums[c];
        weight += out.sums[c];
      }
      out.rows[b] = rows;
      out.curve.n[b] = weight;
      if (n_classes_ == 2) out.curve.sum[b] = out.sums[1];
    }
  }
  template <class Node>
  void add_bucket(const Word* column, std::size_t bucket, Node& sums) const noexcept {
    const Word* entry = column + bucket * words();
    for (std::size_t c = 0; c < n_classes_; ++c) {
      sums.counts[c] += static_cast<std::int64_t>(entry[c]);
      sums.weight += static_cast<std::int64_t>(entry[c]);
    }
  }
  [[nodiscard]] std::uint32_t n_rows(const Word* entry) const noexcept { return n_rows_of(entry); }
  [[nodiscard]] static std::uint32_t payload(RowId row) noexcept { return row; }
  template <class Sweep>
  using Walker = ClassWalker<Sweep>;
  [[nodiscard]] const Targets& targets() const noexcept { return *targets_; }

  template <class Node>
  void score(CriterionId criterion, const Word*, const ColumnCurves& in, const Node& node,
             const Node* missing_left, CurveScores& out) const {
    if (n_classes_ == 2) {
      CurveFrame frame{static_cast<double>(node.weight), static_cast<double>(node.counts[1])};
      if (missing_left != nullptr) {
        frame.left_n = static_cast<double>(missing_left->weight);
        frame.left_sum = static_cast<double>(missing_left->counts[1]);
      }
      return score_two_classes(criterion, in.curve, frame, out);
    }
    std::vector<double> totals(node.counts.begin(), node.counts.end()), first(n_classes_, 0.0);
    if (missing_left != nullptr)
      std::copy(missing_left->counts.begin(), missing_left->counts.end(), first.begin());
    score_many_classes(criterion,
                       {in.curve.n_buckets, n_classes_, in.classes.data(), totals.data(), first.data(),
                        static_cast<double>(node.weight), 0.0},
                       out);
  }

 private:
  [[nodiscard]] std::uint32_t n_rows_of(const Word* entry) const noexcept {
    if constexpr (kWeighted) return static_cast<std::uint32_t>(entry[n_classes_]);
    std::uint32_t n = 0;
    for (std::size_t c = 0; c < n_classes_; ++c) n += static_cast<std::uint32_t>(entry[c]);
    return n;
  }

  const CodedTable* table_;
  const Targets* targets_;
  std::size_t n_classes_;
};

}  // namespace bough
