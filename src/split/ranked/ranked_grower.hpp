// SPDX-License-Identifier: Apache-2.0
// Whole subtrees from the ranks of their rows. Nothing is kept of a column from one node to the next: where nodes draw their
// columns anew, keeping lists or histograms of all of them costs more than it brings.
//
// A column of a node is searched in two steps. Sums along its ranks give a score of every cut that is right up to rounding
// (ranked_targets.hpp); the cuts near the best are then scored by the criterion from exact sums, so that the answer is that of
// scoring every cut exactly.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/internal_limits.hpp"
#include "base/random.hpp"
#include "split/engine.hpp"
#include "split/ranked/ranked_table.hpp"
#include "split/ranked/ranked_targets.hpp"

namespace bough {

/// A node of a grown subtree, in preorder.
struct RankedNode {
  std::uint32_t begin = 0;  ///< first of its rows, counted from the subtree's first
  std::uint32_t end = 0;
  std::int32_t right = -1;  ///< index of the right child, the left one is next; -1: a leaf
  // Inner nodes: of their candidates.
  ColId column = 0;
  bool left_heavier = false;
  bool has_threshold = false;
  double score = 0.0, gain = 0.0, low = 0.0, high = 0.0, threshold = 0.0;
};

template <class TargetsT>
class RankedGrower {
 public:
  using Family = typename TargetsT::Family;

  RankedGrower(const RankedTable& table, const Targets& targets, const EngineOptions& options)
      : table_(&table),
        options_(&options),
        family_(targets, options.criterion),
        targets_(targets, table.by_row.size() / table.columns.size()),
        columns_(table.columns.size()),
        node_(family_.node({})),
        left_(node_),
        best_left_(node_),
        sweep_(family_, node_) {
    const std::size_t n = targets.rows.size() + kRankPad;
    ranks_.resize(n);
    kept_.resize(n);
    scratch_.resize(n);
    near_.resize(n);
  }
  RankedGrower(const RankedGrower&) = delete;  // sweep_ points at node_
  RankedGrower& operator=(const RankedGrower&) = delete;

  /// Grows the subtree of `rows` and puts them in order, node by node; kRankPad more may be read behind them.
  std::vector<RankedNode> grow(std::span<RowId> rows, const FinishTask& task, const SubtreeRules& rules,
                               Monitor& monitor) {
    rules_ = &rules;
    drawn_ = rules.max_features > 0 && rules.max_features < columns_.size();
    constant_.start(columns_.size());
    std::vector<RankedNode> nodes;
    nodes.reserve(2 * rows.size());
    targets_.start(rows, node_);
    sums_.resize(targets_.n_sums());
    targets_.put(node_, sums_.data());
    stack_.assign(1, {0, static_cast<std::uint32_t>(rows.size()), task.depth, task.key, -1, 0});
    while (!stack_.empty()) {
      const Open open = stack_.back();
      stack_.pop_back();
      const auto index = static_cast<std::int32_t>(nodes.size());
      if (open.right_of >= 0) nodes[static_cast<std::size_t>(open.right_of)].right = index;
      nodes.push_back({open.begin, open.end});
      if (open.size() > kLongNode) monitor.tick();
      rows_ = rows.subspan(open.begin, open.size());
      if (!search(open)) continue;
      const std::uint32_t middle = open.begin + divide();
      write(nodes.back());
      // Like stack_: the right child lies under the left one.
      const std::size_t n_sums = targets_.n_sums(), at = stack_.size() * n_sums;
      if (sums_.size() < at + 2 * n_sums) sums_.resize(2 * (at + 2 * n_sums));
      targets_.put_rest(node_, best_left_, sums_.data() + at);
      targets_.put(best_left_, sums_.data() + at + n_sums);
      stack_.push_back({middle, open.end, open.depth + 1, mix(open.key, 1), index, constant_.current()});
      stack_.push_back({open.begin, middle, open.depth + 1, mix(open.key, 0), -1, constant_.current()});
    }
    return nodes;
  }

 private:
  static constexpr std::uint32_t kLongNode = 4096;
  struct Open {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::int32_t depth = 0;
    std::uint64_t key = 0;
    std::int32_t right_of = -1;
    std::uint32_t constant = 0;  // what is known to be constant (KnownConstants)
    [[nodiscard]] std::uint32_t size() const noexcept { return end - begin; }
  };

  [[nodiscard]] const RankedColumn& column(ColId id) const {
    return table_->columns[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] std::uint32_t rank_at(RowId row, std::size_t j) const noexcept {
    return table_->by_row[row * table_->columns.size() + j];
  }
  [[nodiscard]] bool limited() const noexcept {
    return rules_->min_samples_leaf > 1 || rules_->min_weight > 0.0;
  }

  void write(RankedNode& node) const {
    node.column = best_.column;
    node.left_heavier = best_.left_heavier;
    node.has_threshold = best_.has_threshold;
    node.score = best_.score;
    node.gain = best_.gain;
    node.low = best_.low;
    node.high = best_.high;
    node.threshold = best_.threshold;
  }

  // Fills best_; false for a leaf.
  bool search(const Open& open) {
    const std::uint32_t n = open.size();
    if (open.depth >= rules_->max_depth || n < rules_->min_samples_split ||
        n < 2 * rules_->min_samples_leaf || n < 2)
      return false;
    if (!targets_.enter(rows_, sums_.data() + stack_.size() * targets_.n_sums(), node_)) return false;
    best_.found = false;
    floor_ = -1.0;
    perfect_ = false;
    key_ = open.key;
    columns_.begin(open.key, !drawn_);
    constant_.enter(open.constant);
    few_ = n <= std::min(internal_limits().ranked_few_rows, TargetsT::kFewRows) && targets_.few_fits() &&
           (n == 2 || (!limited() && !options_->scan.random));
    if (few_) {
      targets_.enter_few(rows_, few_rows_);
      for (std::size_t i = 0; i < n; ++i) few_at_[i] = table_->by_row.data() + few_rows_[i] * columns_.size();
    }
    few_&& n == 2 ? search_pair() : search_columns();
    if (!best_.found) return false;
    sweep_.set_left(best_left_);
    best_.gain = sweep_.gain();
    best_.left_heavier = sweep_.left_weight() > sweep_.right_weight();
    return rules_->worth(best_.gain);
  }

  void search_columns() {
    const std::size_t n_draw = drawn_ ? rules_->max_features : columns_.size();
    bool seen = false;
    for (std::size_t i = 0; i < columns_.size() && (i < n_draw || !seen); ++i) {
      const auto j = static_cast<std::size_t>(columns_.next());
      // Of equals the lower column wins.
      if (constant_.has(j) || (perfect_ && j > static_cast<std::size_t>(best_.column))) continue;
      if (few_ ? take_few(j) : search_column(j)) {
        seen = true;
      } else {
        constant_.add(j);
      }
    }
    if (few_) search_few();
  }

  // Two rows: every cut scores the same, and the lowest column wins.
  void search_pair() {
    const std::size_t n_draw = drawn_ ? rules_->max_features : columns_.size();
    std::size_t lowest = columns_.size();
    for (std::size_t i = 0; i < columns_.size() && (i < n_draw || lowest == columns_.size()); ++i) {
      const auto j = static_cast<std::size_t>(columns_.next());
      if (j < lowest && few_at_[0][j] != few_at_[1][j]) lowest = j;
      if (!drawn_ && lowest == j) break;
    }
    if (lowest == columns_.size()) return;
    const std::uint32_t ranks[] = {few_at_[0][lowest], few_at_[1][lowest]};
    const std::uint32_t low = std::min(ranks[0], ranks[1]), high = std::max(ranks[0], ranks[1]);
    const RankedColumn& column = table_->columns[lowest];
    targets_.left_few(ranks, low, left_);
    if (!consider(lowest, column.cells[low])) return;
    best_.high = column.cells[high];
    cut_ = low;
    best_.has_threshold = options_->scan.random && column.kind == Kind::numeric;
    if (best_.has_threshold) best_.threshold = random_cut(best_.low, best_.high, mix(key_, lowest));
  }

  // All cuts of a column; false when it is constant here.
  bool search_column(std::size_t j) {
    const RankRange range = gather(j);
    if (range.low == range.high) return false;
    if (options_->scan.random) {
      search_random(j, range);
      return true;
    }
    RankedPositions at{ranks_.data(), range.low, range.high - range.low + 1, 0, 0};
    const bool numbered = at.count * targets_.n_counters() > internal_limits().ranked_counters * rows_.size();
    if (numbered) at = number(range);
    at.end = at.count - 1;
    if (limited()) limit(at);
    const double top = targets_.top(at);
    if (top < 0.0 || top < floor_) return true;
    floor_ = std::max(floor_, top * (1.0 - targets_.slack()));
    bool won = false;
    if (near_.size() < at.count) near_.resize(2 * at.count);
    const std::size_t n_near = targets_.near(at, floor_, near_.data());
    for (const std::size_t p : std::span(near_).first(n_near)) {
      if (p > 0 && targets_.same_as_before(p)) continue;
      targets_.left(p, left_);
      const auto cell = [&](std::size_t position) {
        const std::uint32_t rank =
            numbered ? nth_present(range, position) : static_cast<std::uint32_t>(range.low + position);
        return table_->columns[j].cells[rank];
      };
      if (!consider(j, cell(p))) continue;
      std::size_t next = p + 1;
      while (targets_.same_as_before(next)) ++next;
      best_.high = cell(next);
      cut_ = at.low + static_cast<std::uint32_t>(p);
      won = true;
    }
    if (won) std::swap(ranks_, kept_);
    return true;
  }

  // One cut, drawn.
  void search_random(std::size_t j, RankRange range) {
    const std::uint64_t key = mix(key_, j);
    const std::vector<double>& cells = table_->columns[j].cells;
    const bool numeric = table_->columns[j].kind == Kind::numeric;
    double threshold = 0.0;
    std::uint32_t cut = 0, low = 0, high = 0;  // of the ranks as they are in ranks_; around it
    if (numeric) {
      threshold = random_cut(cells[range.low], cells[range.high], key);
      cut = low = last_left(cells, range, threshold);
      high = low + 1;
    } else {
      const RankedPositions at = number(range);
      cut = static_cast<std::uint32_t>(below(draw(key, 0), at.count - 1));
      low = nth_present(range, cut);
      high = nth_present(range, cut + 1);
    }
    if (rules_->min_samples_leaf > 1) {
      const auto left =
          std::count_if(ranks_.begin(), ranks_.begin() + static_cast<std::ptrdiff_t>(rows_.size()),
                        [&](std::uint16_t rank) { return rank <= cut; });
      if (std::min<std::int64_t>(left, static_cast<std::int64_t>(rows_.size()) - left) <
          rules_->min_samples_leaf)
        return;
    }
    targets_.left_of(ranks_.data(), cut, left_);
    if (!consider(j, cells[low])) return;
    best_.high = cells[high];
    best_.threshold = threshold;
    best_.has_threshold = numeric;
    cut_ = cut;
    std::swap(ranks_, kept_);
  }

  // The last rank on the left of a threshold: of the rows where they are few, else of the column.
  [[nodiscard]] std::uint32_t last_left(const std::vector<double>& cells, RankRange range,
                                        double threshold) const {
    if (rows_.size() <= internal_limits().ranked_few_rows) {
      std::uint32_t last = range.low;
      for (std::size_t i = 0; i < rows_.size(); ++i)
        last = cells[ranks_[i]] <= threshold ? std::max<std::uint32_t>(last, ranks_[i]) : last;
      return last;
    }
    const auto first = cells.begin() + range.low;
    return range.low +
           static_cast<std::uint32_t>(std::upper_bound(first, cells.begin() + range.high, threshold) -
                                      first) -
           1;
  }

  // Takes a column of a node of few rows to be searched with others; false when it is constant here.
  bool take_few(std::size_t j) {
    const std::size_t n = rows_.size();
    std::uint32_t* ranks = few_ranks_ + n_few_ * kFewStride;
    std::uint32_t differs = 0;
    for (std::size_t i = 0; i < n; ++i) {
      ranks[i] = few_at_[i][j];
      differs |= ranks[i] ^ ranks[0];
    }
    if (differs == 0) return false;
    few_columns_[n_few_++] = j;
    if (n_few_ == kFewColumns) search_few();
    return true;
  }

  // All cuts of the columns that were taken.
  void search_few() {
    if (n_few_ == 0) return;
    const std::size_t n = rows_.size();
    const double top = targets_.top_few(few_ranks_, n_few_);
    floor_ = std::max(floor_, top * (1.0 - targets_.slack()));
    for (std::size_t k = 0; k < n_few_; ++k) {
      if (targets_.top_few_of(k) < floor_) continue;
      const std::size_t j = few_columns_[k];
      const std::uint32_t* ranks = few_ranks_ + k * kFewStride;
      const std::vector<double>& cells = table_->columns[j].cells;
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t rank = ranks[i];
        if (targets_.few_score(k, i) < floor_ || std::find(ranks, ranks + i, rank) != ranks + i) continue;
        targets_.left_few(ranks, rank, left_);
        if (!consider(j, cells[rank])) continue;
        std::uint32_t next = UINT32_MAX;
        for (std::size_t l = 0; l < n; ++l)
          if (ranks[l] > rank) next = std::min(next, ranks[l]);
        best_.high = cells[next];
        cut_ = rank;
      }
    }
    n_few_ = 0;
  }

  // Judges the split that has left_ on its left; true when it is the best so far.
  bool consider(std::size_t j, double low) {
    sweep_.set_left(left_);
    if (!sweep_.allowed() ||
        static_cast<double>(std::min(sweep_.left_weight(), sweep_.right_weight())) < rules_->min_weight)
      return false;
    Candidate& candidate = candidate_;
    candidate.found = true;
    candidate.score = sweep_.score();
    if (best_.found && candidate.score < best_.score) return false;
    candidate.column = static_cast<ColId>(j);
    candidate.kind = table_->columns[j].kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
    candidate.low = low;
    if (!better(candidate, best_)) return false;
    best_.found = true;
    best_.score = candidate.score;
    best_.column = candidate.column;
    best_.kind = candidate.kind;
    best_.low = low;
    std::swap(best_left_, left_);
    perfect_ = targets_.perfect(best_left_);
    return true;
  }

  RankRange gather(std::size_t j) {
    const RankedColumn& from = table_->columns[j];
    const std::size_t n = rows_.size();
    if (n > internal_limits().ranked_near_rows)
      return from.narrow.size() > 0 ? gather_column(from.narrow.data(), rows_, ranks_.data())
                                    : gather_column(from.wide.data(), rows_, ranks_.data());
    return gather_near(table_->by_row.data() + j, columns_.size(), rows_, ranks_.data());
  }

  // Only the ranks that the node has are positions.
  RankedPositions number(RankRange range) {
    const std::size_t words = (range.high - range.low) / 64 + 1;
    if (bits_.size() < words) {
      bits_.resize(2 * words);
      before_.resize(2 * words);
    }
    const std::uint32_t count =
        number_present({ranks_.data(), rows_.size()}, range, {bits_.data(), before_.data()});
    return {ranks_.data(), 0, count, 0, count - 1};
  }
  [[nodiscard]] std::uint32_t nth_present(RankRange range, std::size_t position) const {
    const std::size_t words = (range.high - range.low) / 64 + 1;
    const auto word = static_cast<std::size_t>(
        std::upper_bound(before_.begin(), before_.begin() + static_cast<std::ptrdiff_t>(words), position) -
        before_.begin() - 1);
    std::uint64_t bits = bits_[word];
    for (std::size_t skip = position - before_[word]; skip > 0; --skip) bits &= bits - 1;
    return range.low + static_cast<std::uint32_t>(word * 64) +
           static_cast<std::uint32_t>(std::countr_zero(bits));
  }

  // Leaves the positions with enough rows and weight on both sides.
  void limit(RankedPositions& at) {
    rows_at_.assign(at.count, 0);
    weights_at_.assign(at.count, 0);
    std::int64_t all = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      ++rows_at_[at.ranks[i] - at.low];
      weights_at_[at.ranks[i] - at.low] += targets_.weight(i);
      all += targets_.weight(i);
    }
    const auto enough = [&](std::int64_t n, std::int64_t weight) {
      return n >= rules_->min_samples_leaf && static_cast<double>(weight) >= rules_->min_weight;
    };
    const auto n = static_cast<std::int64_t>(rows_.size());
    std::int64_t left = 0, weight = 0;
    std::size_t end = 0;
    at.begin = at.end;
    for (std::size_t p = 0; p < at.end; ++p) {
      left += rows_at_[p];
      weight += weights_at_[p];
      if (enough(left, weight)) at.begin = std::min(at.begin, p);
      if (enough(n - left, all - weight)) end = p + 1;
    }
    at.end = std::max(end, at.begin);
  }

  // Puts the rows of the left side first; returns how many they are.
  std::uint32_t divide() {
    if (!few_) return static_cast<std::uint32_t>(divide_rows(rows_, kept_.data(), cut_, scratch_.data()));
    const auto j = static_cast<std::size_t>(best_.column);
    std::uint32_t left = 0, right = 0;
    for (const RowId row : rows_) {
      const bool is_left = rank_at(row, j) <= cut_;
      rows_[left] = row;
      scratch_[right] = row;
      left += is_left ? 1 : 0;
      right += is_left ? 0 : 1;
    }
    std::copy_n(scratch_.begin(), right, rows_.begin() + left);
    return left;
  }

  const RankedTable* table_;
  const EngineOptions* options_;
  const SubtreeRules* rules_ = nullptr;
  Family family_;
  TargetsT targets_;
  ColumnDraw columns_;
  bool drawn_ = false;  // nodes look at some columns only
  KnownConstants constant_;
  std::vector<Open> stack_;
  std::vector<typename TargetsT::Sum> sums_;  // of the nodes of stack_
  // The node.
  std::span<RowId> rows_;
  std::uint64_t key_ = 0;
  typename Family::Node node_, left_, best_left_;
  typename Family::Sweep sweep_;
  Candidate best_, candidate_;
  std::uint32_t cut_ = 0;  // the best cut among the ranks of kept_, or of few rows
  double floor_ = -1.0;    // score from which on a cut may be the best
  bool perfect_ = false;   // the best split leaves two pure sides
  bool few_ = false;
  RowId few_rows_[RankedClasses::kFewRows];
  const std::uint16_t* few_at_[RankedClasses::kFewRows];  // their ranks
  std::uint32_t few_ranks_[kFewColumns * kFewStride];
  std::size_t few_columns_[kFewColumns];
  std::size_t n_few_ = 0;
  std::vector<std::uint16_t> ranks_, kept_;  // of the column, and of the best one
  std::vector<RowId> scratch_;
  std::vector<std::uint32_t> near_;  // positions
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> rows_at_;
  std::vector<std::int64_t> weights_at_;
};

}  // namespace bough
