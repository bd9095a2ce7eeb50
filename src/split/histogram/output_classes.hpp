// SPDX-License-Identifier: Apache-2.0
// Histograms of several class targets side by side, and of class targets with more classes than a byte holds.
//
// A bucket has a word per class of every output, and one for its rows. A score is the mean of the outputs'
// scores; the sum of the outputs' bounds bounds their sum. An output that is pure in the node scores 0
// everywhere and is left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "split/histogram/layouts.hpp"

namespace bough {

/// W: 32 bits without weights, 64 with them.
template <class W>
class OutputClasses {
 public:
  using Word = W;
  OutputClasses(const CodedTable& table, const Targets& targets)
      : table_(&table), targets_(&targets), n_outputs_(targets.classes.size()) {
    begins_.push_back(0);
    for (const ClassTarget& target : targets.classes) begins_.push_back(begins_.back() + target.n_classes);
    slots_.resize(targets.classes.front().codes.size() * n_outputs_);
    for (std::size_t o = 0; o < n_outputs_; ++o)
      for (const RowId row : targets.rows)
        slots_[row * n_outputs_ + o] = static_cast<std::uint32_t>(begins_[o]) + targets.classes[o].codes[row];
  }

  /// All classes, and the rows.
  [[nodiscard]] std::size_t words() const noexcept { return begins_.back() + 1; }

  void add_rows(Rows rows, std::span<Word> histogram) const noexcept {
    const std::size_t stride = table_->row_stride, n_slots = table_->n_slots(), words_each = words();
    const std::uint8_t* codes = table_->by_row.data();
    const std::uint32_t* begins = table_->slot_begins.data();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i + kPrefetch < rows.size()) {
        __builtin_prefetch(codes + rows[i + kPrefetch] * stride);
        __builtin_prefetch(&slots_[rows[i + kPrefetch] * n_outputs_]);
      }
      const std::uint8_t* row = codes + rows[i] * stride;
      const std::uint32_t* slots = &slots_[rows[i] * n_outputs_];
      const W weight = static_cast<W>(targets_->weight(rows[i]));
      for (std::size_t s = 0; s < n_slots; ++s) {
        W* entry = histogram.data() + (begins[s] + row[s]) * words_each;
        for (std::size_t o = 0; o < n_outputs_; ++o) entry[slots[o]] += weight;
        entry[words_each - 1] += 1;
      }
    }
  }

  void add_row(RowId row, std::span<Word> entry) const noexcept {
    const W weight = static_cast<W>(targets_->weight(row));
    for (std::size_t o = 0; o < n_outputs_; ++o) entry[slots_[row * n_outputs_ + o]] += weight;
    entry[words() - 1] += 1;
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
    return static_cast<std::uint32_t>(entry[words() - 1]);
  }
  [[nodiscard]] static std::uint32_t payload(RowId row) noexcept { return row; }
  template <class Sweep>
  using Walker = PlainWalker<Sweep>;

  template <class Node>
  void score(CriterionId criterion, const Word*, const ColumnCurves& in, const Node& node,
             const Node* missing_left, CurveScores& out) const {
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
    if (n_classes > 2) {
      score_many_classes(criterion,
                         {in.curve.n_buckets, n_classes, left, totals.data(), first.data(),
                          static_cast<double>(node.weight), 0.0},
                         out);
      return;
    }
    Curve curve;
    curve.n_buckets = in.curve.n_buckets;
    for (std::size_t b = 0; b < stride; ++b) {
      curve.n[b] = left[b] + left[stride + b];
      curve.sum[b] = left[stride + b];
    }
    CurveFrame frame{static_cast<double>(node.weight), totals[1]};
    if (missing_left != nullptr) {
      frame.left_n = static_cast<double>(missing_left->weight);
      frame.left_sum = first[1];
    }
    score_two_classes(criterion, curve, frame, out);
  }

  const CodedTable* table_;
  const Targets* targets_;
  std::size_t n_outputs_;
  std::vector<std::size_t> begins_;   // first class of each output, and the number of all
  std::vector<std::uint32_t> slots_;  // [row * n_outputs + output]
};

}  // namespace bough
