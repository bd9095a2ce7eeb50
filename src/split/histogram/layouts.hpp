// SPDX-License-Identifier: Apache-2.0
// Histograms of the refine engine: what one bucket holds, how rows are added, and how it turns into curves and exact sums.
//
// A layout fits one family of targets:
//   PackedTwoClass  two classes without weights: rows and second-class rows in one word, 28 columns in the first-level cache
//   Classes<W>      a count or weight per class, of one class target or several
//   NumberSums      number targets: sums, and rows with an upper estimate of the squares (number_sums.hpp)
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
#include "split/stats/side_sums.hpp"

namespace bough {

inline constexpr std::size_t kPrefetch = 24;

/// What travels with a sort key: the row, and in the top bit what a layout likes to know without looking it up.
inline RowId row_of_payload(std::uint64_t key) noexcept {
  return static_cast<RowId>(key & 0x7fffffffU);
}

/// What the histograms of number targets agree on, wherever the rows of a tree are: measured over all of them.
struct LayoutFrame {
  std::int64_t n_rows = 0;
  std::vector<std::int64_t> centres;  ///< per output: a whole number near the mean of the fixed-point targets
  std::vector<double> spreads;        ///< per output: weighted squares of the targets less the centre

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

  /// What counts the rows left of a cut, and what a key says of its row to it.
  template <class FamilyT>
  using Sides = MarkSums;
  [[nodiscard]] static bool item(std::uint64_t key) noexcept { return (key >> 31 & 1) != 0; }

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

/// Class targets side by side: a count (32 bits) or weight (64 bits) per class of every output, and where these are 64 bits wide
/// the rows. A score is the mean of the outputs' scores; the sum of the outputs' bounds bounds their sum. An output that is pure
/// in the node scores 0 everywhere and is left out.
template <class W>
class Classes {
 public:
  using Word = W;
  static constexpr bool kRowsApart = sizeof(W) == 8;
  /// Narrow words are for one target without weights.
  Classes(const CodedTable& table, const Targets& targets)
      : table_(&table), targets_(&targets), n_outputs_(targets.classes.size()) {
    begins_.push_back(0);
    for (const ClassTarget& target : targets.classes) begins_.push_back(begins_.back() + target.n_classes);
    if (n_outputs_ == 1 && begins_[1] <= 255) return;  // the class is the free byte of a row
    places_.resize(targets.classes.front().codes.size() * n_outputs_);
    for (std::size_t o = 0; o < n_outputs_; ++o)
      for (const RowId row : targets.rows)
        places_[row * n_outputs_ + o] =
            static_cast<std::uint32_t>(begins_[o]) + targets.classes[o].codes[row];
  }

  /// All classes, and the rows.
  [[nodiscard]] std::size_t words() const noexcept { return begins_.back() + (kRowsApart ? 1 : 0); }

  void add_rows(Rows rows, std::span<Word> histogram) const noexcept {
    const std::size_t stride = table_->row_stride, n_slots = table_->n_slots(), words_each = words();
    const std::uint8_t* codes = table_->by_row.data();
    const std::uint32_t* begins = table_->slot_begins.data();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i + kPrefetch < rows.size()) {
        __builtin_prefetch(codes + rows[i + kPrefetch] * stride);
        if (!places_.empty()) __builtin_prefetch(&places_[rows[i + kPrefetch] * n_outputs_]);
      }
      const std::uint8_t* row = codes + rows[i] * stride;
      const W weight = static_cast<W>(targets_->weight(rows[i]));
      const std::uint32_t label = row[stride - 1];
      const std::uint32_t* places = places_.empty() ? &label : &places_[rows[i] * n_outputs_];
      const std::uint32_t place = *places;  // a copy, which no entry can be taken for
      for (std::size_t s = 0; s < n_slots; ++s) {
        W* entry = histogram.data() + (begins[s] + row[s]) * words_each;
        if constexpr (kRowsApart) {
          add_to(entry, places, weight);
        } else {
          entry[place] += weight;
        }
      }
    }
  }

  void add_row(RowId row, std::span<Word> entry) const noexcept {
    const std::uint32_t label = targets_->classes.front().codes[row];
    add_to(entry.data(), places_.empty() ? &label : &places_[row * n_outputs_],
           static_cast<W>(targets_->weight(row)));
  }

  template <class Node>
  void curves(const Word* column, const Node&, ColumnCurves& out) const {
    const std::size_t n_classes = begins_.back(), missing = out.curve.n_buckets - 1, n = padded(missing + 1);
    out.classes.resize(n_classes * n);
    out.sums.assign(n_classes, 0.0);
    std::uint32_t rows = 0;
    for (std::size_t b = 0; b < n; ++b) {
      const Word* entry = column + std::min(b, missing) * words();
      if (b < missing) rows += n_rows(entry);
      for (std::size_t c = 0; c < n_classes; ++c) {
        if (b < missing) out.sums[c] += static_cast<double>(entry[c]);
        out.classes[c * n + b] = out.sums[c];
      }
      out.rows[b] = rows;
    }
  }
  template <class Node>
  void add_bucket(const Word* column, std::size_t bucket, Node& sums) const noexcept {
    const Word* entry = column + bucket * words();
    for (std::size_t c = 0; c < begins_.back(); ++c) sums.counts[c] += static_cast<std::int64_t>(entry[c]);
    for (std::size_t c = 0; c < begins_[1]; ++c) sums.weight += static_cast<std::int64_t>(entry[c]);
  }
  [[nodiscard]] std::uint32_t n_rows(const Word* entry) const noexcept {
    if constexpr (kRowsApart) return static_cast<std::uint32_t>(entry[words() - 1]);
    std::uint32_t n = 0;
    for (std::size_t c = 0; c < begins_.back(); ++c) n += static_cast<std::uint32_t>(entry[c]);
    return n;
  }
  [[nodiscard]] static std::uint32_t payload(RowId row) noexcept { return row; }
  template <class FamilyT>
  using Sides = SideSums<FamilyT>;
  [[nodiscard]] static RowId item(std::uint64_t key) noexcept { return row_of_payload(key); }

  template <class Node>
  void score(CriterionId criterion, const Word*, const ColumnCurves& in, const Node& node,
             const Node* missing_left, CurveScores& out) const {
    if (n_outputs_ == 1) return score_output(criterion, 0, in, node, missing_left, out);
    const std::size_t n_buckets = in.curve.n_buckets;
    std::fill_n(out.score, n_buckets, 0.0);
    std::fill_n(out.bound, n_buckets, 0.0);
    const double share = 1.0 / static_cast<double>(n_outputs_);
    CurveScores one;
    for (std::size_t o = 0; o < n_outputs_; ++o) {
      const auto first = node.counts.begin() + static_cast<std::ptrdiff_t>(begins_[o]);
      const auto last = node.counts.begin() + static_cast<std::ptrdiff_t>(begins_[o + 1]);
      if (std::find(first, last, node.weight) != last) continue;
      score_output(criterion, o, in, node, missing_left, one);
      for (std::size_t b = 0; b < n_buckets; ++b) {
        out.score[b] += share * std::max(one.score[b], 0.0);
        out.bound[b] += share * std::max(one.bound[b], 0.0);
      }
    }
  }

 private:
  void add_to(W* entry, const std::uint32_t* places, W weight) const noexcept {
    if constexpr (kRowsApart) {
      for (std::size_t o = 0; o < n_outputs_; ++o) entry[places[o]] += weight;
      entry[begins_.back()] += 1;
    } else {
      entry[*places] += weight;
    }
  }

  template <class Node>
  void score_output(CriterionId criterion, std::size_t o, const ColumnCurves& in, const Node& node,
                    const Node* missing_left, CurveScores& out) const {
    const std::size_t begin = begins_[o], n_classes = begins_[o + 1] - begin;
    const std::size_t stride = padded(in.curve.n_buckets);
    const double* left = in.classes.data() + begin * stride;
    std::vector<double> totals(n_classes), first(n_classes, 0.0);
    for (std::size_t c = 0; c < n_classes; ++c) totals[c] = static_cast<double>(node.counts[begin + c]);
    if (missing_left != nullptr)
      for (std::size_t c = 0; c < n_classes; ++c)
        first[c] = static_cast<double>(missing_left->counts[begin + c]);
    const auto all = static_cast<double>(node.weight);
    if (n_classes > 2)
      return score_many_classes(
          criterion, {in.curve.n_buckets, n_classes, left, totals.data(), first.data(), all, 0.0}, out);
    Curve curve;
    curve.n_buckets = in.curve.n_buckets;
    for (std::size_t b = 0; b < stride; ++b) {
      curve.n[b] = left[b] + left[stride + b];
      curve.sum[b] = left[stride + b];
    }
    score_two_classes(criterion, curve, {all, totals[1], first[0] + first[1], first[1]}, out);
  }

  const CodedTable* table_;
  const Targets* targets_;
  std::size_t n_outputs_;
  std::vector<std::size_t> begins_;    // first class of each output, and the number of all
  std::vector<std::uint32_t> places_;  // [row * n_outputs + output]: the word of its class
};

}  // namespace bough
