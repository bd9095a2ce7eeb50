// SPDX-License-Identifier: Apache-2.0
// Histogram, bound, refine: the best split of a large node without sorting it.
//
// 1. Every column has a histogram over its buckets. Scores at the boundaries between buckets are cheap, and the best of them
//    is a first answer.
// 2. curve_kernels bounds the score of every cut inside a bucket. Only buckets whose bound reaches the best score can hold
//    a better cut (or one of equal score that precedes it): they are alive. On real data few are.
// 3. The rows of alive buckets are fetched with their raw values, sorted, and every boundary between distinct values is
//    scored. Columns with the highest bound go first, which raises the best score and kills other buckets.
// Scores within `slack` of the best are computed by the criterion from exact integer sums, and ties follow the total order, so
// the answer is that of scanning every cut. Categories and ordinal levels have a bucket each and need no refinement;
// category subsets are searched over their levels' sums by the same scan as everywhere (scan.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/order_key.hpp"
#include "split/engine.hpp"
#include "split/exact/scan.hpp"
#include "split/histogram/bucket_keys.hpp"
#include "split/histogram/cut.hpp"
#include "split/histogram/histogram_view.hpp"
#include "split/histogram/layouts.hpp"

namespace bough {

/// Searches numeric and ordinal columns of one node.
template <class Layout, class FamilyT>
class Refine {
 public:
  using Node = typename FamilyT::Node;
  using Word = typename Layout::Word;

  Refine(const CodedTable& table, const Layout& layout, const FamilyT& family, CriterionId criterion)
      : table_(&table), layout_(&layout), family_(&family), criterion_(criterion) {}

  struct Input {
    Rows rows;
    const Node* node = nullptr;
    const HistogramView<Layout>* histogram = nullptr;
    std::span<const ColId> columns;
    std::span<const int> monotone;  ///< sign per column; empty: none
    const Limits* limits = nullptr;
  };

  Cut best(const Input& input) {
    begin(input);
    refine_columns();
    return best_;
  }

  // The same for rows that are elsewhere, in steps: begin(), then look() at cells of wanted() columns until nothing is wanted.
  /// The best boundary, or `known` where that precedes it. `input` must stay as it is.
  void begin(const Input& input, const Cut& known = {}) {
    input_ = &input;
    sweep_.emplace(*family_, *input.node);
    best_ = Cut{};
    raised_ = -std::numeric_limits<double>::infinity();
    scale_ = score_scale(*input.node, criterion_);
    score_columns();
    take_boundaries();
    if (better(known, best_)) best_ = known;
  }
  /// The columns of which some buckets may hold a better cut than cut(), the highest bound first.
  [[nodiscard]] std::vector<AliveColumn> wanted() const {
    std::vector<AliveColumn> out;
    for (const std::size_t i : promising()) {
      const Scored& s = scored_[i];
      auto at =
          std::find_if(out.begin(), out.end(), [&](const AliveColumn& w) { return w.column == s.column; });
      if (at == out.end()) at = out.insert(out.end(), AliveColumn{s.column, 0, {}});
      for (std::size_t b = 0; b < column_of(s.column).n_buckets; ++b) {
        if (at->alive[b] != 0 || !is_alive(s, b, floor())) continue;
        at->alive[b] = 1;
        at->n_rows += s.rows[b] - (b > 0 ? s.rows[b - 1] : 0);
      }
    }
    std::erase_if(out, [](const AliveColumn& w) { return w.n_rows == 0; });
    return out;
  }
  /// All cells of the column's buckets that are alive here: (order_key << 32 | payload), in the order of their values.
  void look(ColId column, const std::uint8_t* alive, std::span<const std::uint64_t> keys) {
    for (std::size_t i = 0; i < scored_count_; ++i)
      if (scored_[i].column == column) scan_sorted(scored_[i], alive, keys);
  }
  [[nodiscard]] const Cut& cut() const noexcept { return best_; }

  /// A bucket that was counted by parts: `words` of every part, in the order of values.
  struct Parts {
    ColId column = 0;
    std::size_t bucket = 0;
    std::span<const Word> words;
    [[nodiscard]] std::size_t size(std::size_t each) const noexcept { return words.size() / each; }
  };
  /// Raises what others must reach by the cuts between parts.
  void learn(const Parts& parts) {
    each_side(parts, [&](const Scored& s, const CurveScores& scores) { raise(s, parts, scores); });
  }
  /// Calls mark(part) for the parts whose cells may hold the best cut, or lie at one.
  template <class Mark>
  void narrow(const Parts& parts, const Mark& mark) {
    each_side(parts, [&](const Scored& s, const CurveScores& scores) { mark_parts(s, parts, scores, mark); });
  }
  /// All cells of alive parts, as look() wants them.
  template <class IsAlive>
  void look_parts(const Parts& parts, const IsAlive& is_alive_part, std::span<const std::uint64_t> keys) {
    for (std::size_t i = 0; i < scored_count_; ++i)
      if (scored_[i].column == parts.column) scan_parts(scored_[i], parts, is_alive_part, keys);
  }
  [[nodiscard]] std::uint32_t part_rows(const Parts& parts, std::size_t part) const {
    return layout_->n_rows(parts.words.data() + part * layout_->words());
  }

 private:
  // One column with missing rows on one side.
  struct Scored {
    ColId column = 0;
    bool missing_left = false;
    double top = -1.0;             // best boundary score
    double bound = -1.0;           // best bound of a bucket that may be refined
    std::uint32_t rows[kBuckets];  // cumulated, without missing
    CurveScores scores;
  };

  const Word* histogram_of(ColId column) const { return input_->histogram->column(column); }
  std::uint32_t missing_rows(ColId column) const { return input_->histogram->n_missing(column); }
  [[nodiscard]] const CodedColumn& column_of(ColId column) const {
    return table_->columns[static_cast<std::size_t>(column)];
  }

  void score_columns() {
    scored_count_ = 0;
    for (const ColId column : input_->columns) {
      const bool missing = missing_rows(column) > 0;
      curves_.curve.n_buckets = column_of(column).n_buckets;
      layout_->curves(histogram_of(column), *input_->node, curves_);
      if (!missing && is_constant(column)) continue;
      for (int side = 0; side < (missing ? 2 : 1); ++side) {
        if (scored_count_ == scored_.size()) scored_.emplace_back();
        Scored& s = scored_[scored_count_++];
        s.column = column;
        s.missing_left = side == 1;
        std::copy_n(curves_.rows, curves_.curve.n_buckets, s.rows);
        Node first = zero_like(*input_->node);
        if (s.missing_left)
          layout_->add_bucket(histogram_of(column), column_of(column).missing_bucket(), first);
        layout_->score(criterion_, histogram_of(column), curves_, *input_->node,
                       s.missing_left ? &first : nullptr, s.scores);
        summarise(s);
      }
    }
  }

  // Whether the rows are all in one bucket of one value.
  [[nodiscard]] bool is_constant(ColId id) const {
    const std::size_t last = column_of(id).n_buckets - 1;
    const std::uint32_t known = curves_.rows[last];
    std::size_t b = 0;
    while (b < last && curves_.rows[b] == 0) ++b;
    return b == last || (curves_.rows[b] == known && column_of(id).single[b]);
  }

  // Marks boundaries that are none and buckets that need no refinement with -1; notes the maxima. True scores are never
  // negative, so rounding below 0 is undone.
  void summarise(Scored& s) {
    const CodedColumn& column = column_of(s.column);
    const std::uint32_t known = s.rows[column.n_buckets - 1], missing = missing_rows(s.column);
    const auto min_rows =
        static_cast<std::uint32_t>(std::min(input_->limits->min_rows, std::int64_t{UINT32_MAX}));
    const std::uint32_t left_extra = s.missing_left ? missing : 0, right_extra = s.missing_left ? 0 : missing;
    s.top = s.bound = -1.0;
    std::uint32_t before = 0;
    for (std::size_t b = 0; b < column.n_buckets; ++b) {
      const std::uint32_t upto = s.rows[b], count = upto - before;
      const std::uint32_t left = upto + left_extra, right = known - upto + right_extra;
      const bool last = upto == known;
      const bool cut = count > 0 && left >= min_rows && right >= min_rows &&
                       (!last || (!s.missing_left && missing > 0 && input_->limits->missing_alone));
      s.scores.score[b] = cut ? std::max(s.scores.score[b], 0.0) : -1.0;
      s.top = std::max(s.top, s.scores.score[b]);
      const bool inner =
          count >= 2 && !column.single[b] && left - 1 >= min_rows && right + count - 1 >= min_rows;
      s.scores.bound[b] = inner ? std::max(s.scores.bound[b], 0.0) : -1.0;
      s.bound = std::max(s.bound, s.scores.bound[b]);
      before = upto;
    }
  }

  // Nothing found: any score may be the best, also one that rounding has put below 0.
  [[nodiscard]] double floor_score() const noexcept {
    return best_.found ? best_.score - curve_slack(criterion_, scale_, best_.score)
                       : -std::numeric_limits<double>::infinity();
  }

  // Exact scores of the boundaries that may win, from the column of the highest on.
  void take_boundaries() {
    double top = -1.0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < scored_count_; ++i) {
      if (scored_[i].top > top) first = i;
      top = std::max(top, scored_[i].top);
    }
    if (top < 0.0) return;
    // The highest one first, so that the others have something to reach.
    const double* scores = scored_[first].scores.score;
    boundary(scored_[first],
             static_cast<std::size_t>(
                 std::max_element(scores, scores + column_of(scored_[first].column).n_buckets) - scores));
    // Without monotone constraints or weights every boundary that is left is admissible, so the top one can be relied on.
    const bool free =
        !input_->limits->monotone && input_->limits->min_weight <= 0.0 && criterion_ != CriterionId::poisson;
    const double floor = free ? top - curve_slack(criterion_, scale_, std::max(top, 0.0)) : -0.5;
    for (std::size_t i = 0; i < scored_count_; ++i) {
      Scored& s = scored_[i];
      if (s.top < floor) continue;
      for (std::size_t b = 0; b < column_of(s.column).n_buckets; ++b) {
        if (s.scores.score[b] < 0.0 || s.scores.score[b] < std::max(floor, floor_score())) continue;
        boundary(s, b);
      }
    }
  }

  void boundary(const Scored& s, std::size_t bucket) {
    Node left = zero_like(*input_->node);
    for (std::size_t b = 0; b <= bucket; ++b) layout_->add_bucket(histogram_of(s.column), b, left);
    if (s.missing_left)
      layout_->add_bucket(histogram_of(s.column), column_of(s.column).missing_bucket(), left);
    sweep_->set_left(left);
    Cut cut;
    cut.column = s.column;
    cut.rows_left = s.rows[bucket];
    cut.missing_left = s.missing_left;
    cut.bucket = static_cast<std::uint8_t>(bucket);
    cut.all_known_left = s.rows[bucket] == s.rows[column_of(s.column).missing_bucket()];
    offer(cut);
  }

  // Scores the sides that sweep_ holds and keeps the cut if it is better than the best.
  void offer(Cut& cut) {
    const int sign = input_->monotone.empty() ? 0 : input_->monotone[static_cast<std::size_t>(cut.column)];
    if (!respects(*input_->limits, sign, *sweep_, cut)) return;
    cut.score = sweep_->score();
    cut.order = input_->limits->ties.of(cut.column);
    cut.found = true;
    keep_if_better(std::move(cut), *sweep_, best_);
  }

  // The parts of a bucket as a column of their own: all before, the parts, all behind, missing cells.
  template <class Use>
  void each_side(const Parts& parts, const Use& use) {
    const std::size_t each = layout_->words(), n = parts.size(each),
                      missing = column_of(parts.column).missing_bucket();
    const Word* coarse = histogram_of(parts.column);
    std::vector<Word> words((n + 3) * each);
    std::copy(parts.words.begin(), parts.words.end(), words.begin() + static_cast<std::ptrdiff_t>(each));
    for (std::size_t b = 0; b <= missing; ++b) {
      if (b == parts.bucket) continue;
      Word* to = words.data() + (b < parts.bucket ? 0 : b < missing ? n + 1 : n + 2) * each;
      for (std::size_t w = 0; w < each; ++w) to[w] += coarse[b * each + w];
    }
    CurveScores scores;
    for (std::size_t i = 0; i < scored_count_; ++i) {
      if (scored_[i].column != parts.column) continue;
      curves_.curve.n_buckets = n + 3;
      layout_->curves(words.data(), *input_->node, curves_);
      Node first = zero_like(*input_->node);
      if (scored_[i].missing_left) layout_->add_bucket(words.data(), n + 2, first);
      layout_->score(criterion_, words.data(), curves_, *input_->node,
                     scored_[i].missing_left ? &first : nullptr, scores);
      use(scored_[i], scores);
    }
  }

  // Calls use(part, next) for the cuts between parts that the limits on rows allow; curves_ is of the parts.
  template <class Use>
  void each_cut(const Scored& s, const Parts& parts, const Use& use) const {
    const std::size_t n = parts.size(layout_->words());
    const std::int64_t known = curves_.rows[n + 1], missing = missing_rows(parts.column);
    std::size_t last = n;  // no part with rows yet
    for (std::size_t p = 0; p < n; ++p) {
      if (part_rows(parts, p) == 0) continue;
      const std::int64_t before = curves_.rows[p];  // the parts begin at 1
      const std::int64_t left = before + (s.missing_left ? missing : 0), right = known + missing - left;
      if (last < n && std::min(left, right) >= input_->limits->min_rows) use(last, p);
      last = p;
    }
  }

  void raise(const Scored& s, const Parts& parts, const CurveScores& scores) {
    // Whatever reaches a cut is admissible only without these.
    if (input_->limits->monotone || input_->limits->min_weight > 0.0 || criterion_ == CriterionId::poisson)
      return;
    each_cut(s, parts, [&](std::size_t part, std::size_t) {
      const double score = std::max(scores.score[part + 1], 0.0);
      raised_ = std::max(raised_, score - curve_slack(criterion_, scale_, score));
    });
  }

  template <class Mark>
  void mark_parts(const Scored& s, const Parts& parts, const CurveScores& scores, const Mark& mark) const {
    const double least = floor();
    each_cut(s, parts, [&](std::size_t part, std::size_t next) {
      if (std::max(scores.score[part + 1], 0.0) < least) return;
      mark(part);
      mark(next);
    });
    for (std::size_t p = 0; p < parts.size(layout_->words()); ++p)
      if (part_rows(parts, p) >= 2 && std::max(scores.bound[p + 1], 0.0) >= least) mark(p);
  }

  // Neighbouring alive parts are scanned as one; parts without rows do not come between.
  template <class IsAlive>
  void scan_parts(const Scored& s, const Parts& parts, const IsAlive& is_alive_part,
                  std::span<const std::uint64_t> keys) {
    Node left = zero_like(*input_->node);
    for (std::size_t b = 0; b < parts.bucket; ++b) layout_->add_bucket(histogram_of(s.column), b, left);
    if (s.missing_left)
      layout_->add_bucket(histogram_of(s.column), column_of(s.column).missing_bucket(), left);
    std::size_t before = parts.bucket > 0 ? s.rows[parts.bucket - 1] : 0, at = 0;
    const std::size_t n = parts.size(layout_->words());
    for (std::size_t p = 0; p < n;) {
      const Node start = left;
      const std::size_t first = before;
      std::size_t count = 0;
      const bool alive = is_alive_part(p);
      do {
        const std::size_t rows = part_rows(parts, p);
        count += alive ? rows : 0;
        before += rows;
        layout_->add_bucket(parts.words.data(), p, left);
        ++p;
      } while (p < n && (part_rows(parts, p) == 0 || is_alive_part(p) == alive));
      if (!alive) continue;
      scan_bucket(s, parts.bucket, first, start, keys.subspan(at, count));
      at += count;
    }
  }

  // What a cut must reach.
  [[nodiscard]] double floor() const noexcept { return std::max(floor_score(), raised_); }

  // Which of scored_ have buckets that may hold the best cut, the highest bound first.
  [[nodiscard]] std::vector<std::size_t> promising() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < scored_count_; ++i)
      if (scored_[i].bound >= floor() && scored_[i].bound >= -0.5) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return scored_[a].bound != scored_[b].bound ? scored_[a].bound > scored_[b].bound : a < b;
    });
    return order;
  }
  [[nodiscard]] static bool is_alive(const Scored& s, std::size_t bucket, double floor) noexcept {
    return s.scores.bound[bucket] >= floor && s.scores.bound[bucket] > -0.5;
  }

  void refine_columns() {
    for (const std::size_t i : promising()) refine(scored_[i]);
  }

  void refine(const Scored& s) {
    std::uint8_t alive[kBuckets];
    bool any = false;
    const double floor = floor_score();
    for (std::size_t b = 0; b < column_of(s.column).n_buckets; ++b) {
      alive[b] = is_alive(s, b, floor);
      any |= alive[b] != 0;
    }
    if (!any) return;
    const std::span<const std::uint64_t> keys = keys_.collect(
        {*table_, *layout_, s.column, {alive, column_of(s.column).n_buckets}, s.rows}, input_->rows);
    if (!keys.empty()) scan_sorted(s, alive, keys);
  }

  // The sorted rows bucket by bucket, with the exact sums left of each.
  void scan_sorted(const Scored& s, const std::uint8_t* alive, std::span<const std::uint64_t> keys) {
    const Word* histogram = histogram_of(s.column);
    Node left = zero_like(*input_->node);
    const std::size_t missing = column_of(s.column).missing_bucket();
    if (s.missing_left) layout_->add_bucket(histogram, missing, left);
    std::size_t at = 0;
    for (std::size_t b = 0; b < missing && at < keys.size(); ++b) {
      const std::size_t count = s.rows[b] - (b > 0 ? s.rows[b - 1] : 0);
      if (alive[b]) {
        scan_bucket(s, b, b > 0 ? s.rows[b - 1] : 0, left, keys.subspan(at, count));
        at += count;
      }
      layout_->add_bucket(histogram, b, left);
    }
  }

  // Every boundary between distinct values of one bucket, or of a part of it; `before`: known rows left of it.
  void scan_bucket(const Scored& s, std::size_t bucket, std::size_t before, const Node& left,
                   std::span<const std::uint64_t> keys) {
    const NumberSource& numbers = table_->columns[static_cast<std::size_t>(s.column)].numbers;
    const bool exact_keys = numbers.is_float();
    const auto value_of = [&](std::uint64_t key) {
      return exact_keys ? static_cast<double>(float_of_key(static_cast<std::uint32_t>(key >> 32)))
                        : numbers.at(row_of_payload(key));
    };
    const auto min_rows = static_cast<std::size_t>(input_->limits->min_rows);
    const std::size_t known = s.rows[column_of(s.column).missing_bucket()], missing = missing_rows(s.column);
    const std::size_t left_extra = s.missing_left ? missing : 0, right_extra = s.missing_left ? 0 : missing;
    typename Layout::template Sides<FamilyT> sides(family_->targets(), *input_->node, criterion_);
    sides.set(left);
    double floor = floor_score();
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
      sides.add(Layout::item(keys[i]));
      if (keys[i] >> 32 == keys[i + 1] >> 32 && (exact_keys || value_of(keys[i]) == value_of(keys[i + 1])))
        continue;
      if (!sides.may_reach(floor)) continue;
      const std::size_t rows = before + i + 1;
      if (rows + left_extra < min_rows || known - rows + right_extra < min_rows) continue;
      Cut cut;
      cut.column = s.column;
      cut.rows_left = static_cast<std::int64_t>(rows);
      cut.missing_left = s.missing_left;
      cut.inside = true;
      cut.bucket = static_cast<std::uint8_t>(bucket);
      cut.low = value_of(keys[i]);
      cut.high = value_of(keys[i + 1]);
      sweep_->set_left(sides.sums());
      offer(cut);
      floor = floor_score();
    }
  }

  const CodedTable* table_;
  const Layout* layout_;
  const FamilyT* family_;
  CriterionId criterion_;
  const Input* input_ = nullptr;
  std::optional<typename FamilyT::Sweep> sweep_;
  double scale_ = 0.0, raised_ = 0.0;  // raised_: a score that some cut between parts is known to reach
  Cut best_;
  ColumnCurves curves_;  // of the column that is being scored
  std::vector<Scored> scored_;
  std::size_t scored_count_ = 0;
  BucketKeys<Layout> keys_;  // of the buckets that are looked into
};

}  // namespace bough
