// SPDX-License-Identifier: Apache-2.0
// Whole trees from the ranks of their rows. Where nodes draw their columns anew, nothing is kept of a column from one node to the
// next; where they search all columns, histograms are left to the children (inherited.hpp). Subtrees of few rows are tiles
// (ranked_tile.hpp).
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
#include "split/ranked/allowed_positions.hpp"
#include "split/ranked/inherited.hpp"
#include "split/ranked/last_left.hpp"
#include "split/ranked/number_histograms.hpp"
#include "split/ranked/numbered_ranks.hpp"
#include "split/ranked/ranked_table.hpp"
#include "split/ranked/ranked_targets.hpp"
#include "split/ranked/ranked_tile.hpp"

namespace bough {

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
        sweep_(family_, node_),
        tile_(table, columns_, constant_, options.scan.random),
        inherited_(table, targets_) {
    const std::size_t n = targets.rows.size() + kRankPad;
    ranks_.resize(n);
    kept_.resize(n);
    scratch_.resize(n);
    near_.resize(n);
  }
  RankedGrower(const RankedGrower&) = delete;  // members point at each other
  RankedGrower& operator=(const RankedGrower&) = delete;

  /// Grows the tree of `rows` and puts them in the order of its leaves; kRankPad more may be read behind them.
  std::vector<WholeNode> grow(std::span<RowId> rows, const FinishTask& task, const SubtreeRules& rules,
                              Monitor& monitor) {
    rules_ = &rules;
    drawn_ = rules.max_features > 0 && rules.max_features < columns_.size();
    constant_.start(columns_.size());
    std::vector<WholeNode> nodes;
    nodes.reserve(rules.max_depth < 16 ? std::min(2 * rows.size(), std::size_t{2} << rules.max_depth)
                                       : 2 * rows.size());
    targets_.start(rows, options_->scan.random, node_);
    sums_.resize(targets_.n_sums());
    targets_.put(node_, sums_.data());
    stack_.assign(1, {0, static_cast<std::uint32_t>(rows.size()), task.depth, task.key, 2, -1, 0, kNone});
    if (inherits() && rows.size() > internal_limits().ranked_inherit_rows) {
      inherited_.start();
      stack_.back().histogram = inherited_.count(rows, 0, kNone, rows.size());
    }
    while (!stack_.empty()) {
      const Open open = stack_.back();
      stack_.pop_back();
      const auto index = static_cast<std::int32_t>(nodes.size());
      if (open.right_of >= 0) nodes[static_cast<std::size_t>(open.right_of)].right = index;
      nodes.push_back({open.begin, open.end});
      if (open.size() > kLongNode) monitor.tick();
      rows_ = rows.subspan(open.begin, open.size());
      if (!enter(open)) {
        inherited_.give_back(open.histogram);
        continue;
      }
      if (rows_.size() <= most_tile_rows() && targets_.load(tile_.targets(), rows_)) {
        inherited_.give_back(open.histogram);
        tile_.grow(rows_, {open.begin, open.depth, key_, open.constant, nodes.size() - 1}, rules, drawn_,
                   nodes);
        continue;
      }
      if (!search(open)) {
        inherited_.give_back(open.histogram);
        continue;
      }
      if (kept_column_ != static_cast<std::size_t>(best_.column)) {
        gather(static_cast<std::size_t>(best_.column));
        std::swap(ranks_, kept_);
      }
      const std::uint32_t middle =
          open.begin + static_cast<std::uint32_t>(divide_rows(rows_, kept_.data(), cut_, scratch_.data()));
      targets_.divide(open.begin, rows_.size(), kept_.data(), cut_, scratch_.data());
      write(nodes.back());
      // Like stack_: the right child lies under the left one.
      const std::size_t n_sums = targets_.n_sums(), at = stack_.size() * n_sums;
      if (sums_.size() < at + 2 * n_sums) sums_.resize(2 * (at + 2 * n_sums));
      targets_.put_rest(node_, best_left_, sums_.data() + at);
      targets_.put(best_left_, sums_.data() + at + n_sums);
      stack_.push_back({middle, open.end, open.depth + 1, key_, 1, index, constant_.current(), kNone});
      stack_.push_back({open.begin, middle, open.depth + 1, key_, 0, -1, constant_.current(), kNone});
      if (open.histogram != kNone) leave(open.histogram, rows);
    }
    return nodes;
  }

 private:
  static constexpr std::uint32_t kLongNode = 4096;
  static constexpr std::int32_t kNone = InheritedHistograms<TargetsT>::kNone;
  struct Open {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::int32_t depth = 0;
    std::uint64_t key = 0;   // of its parent
    std::uint32_t side = 0;  // which child it is; 2: the root, whose key it is
    std::int32_t right_of = -1;
    std::uint32_t constant = 0;  // what is known to be constant (KnownConstants)
    std::int32_t histogram = kNone;
    [[nodiscard]] std::uint32_t size() const noexcept { return end - begin; }
  };

  [[nodiscard]] bool limited() const noexcept {
    return rules_->min_samples_leaf > 1 || rules_->min_weight > 0.0;
  }
  [[nodiscard]] std::size_t most_tile_rows() const noexcept {
    return limited() ? 0 : std::min<std::size_t>(internal_limits().ranked_few_rows, kTileRows);
  }

  // Whether nodes get histograms from their parents.
  [[nodiscard]] bool inherits() const noexcept {
    if constexpr (TargetsT::kInherits)
      return !drawn_ && !options_->scan.random && targets_.inherits(limited()) && inherited_.fits();
    return false;
  }
  // Leaves a histogram to the two nodes on top of the stack.
  void leave(std::int32_t histogram, std::span<const RowId> rows) {
    if constexpr (TargetsT::kInherits) {
      Open &left = stack_.back(), &right = stack_[stack_.size() - 2];
      const std::size_t n_sums = targets_.n_sums();
      const auto wants = [&](const Open& child) {
        const auto at = static_cast<std::size_t>(&child - stack_.data()) * n_sums;
        return child.size() > internal_limits().ranked_inherit_rows && child.depth < rules_->max_depth &&
               !TargetsT::is_pure(std::span(sums_).subspan(at, n_sums));
      };
      Open& small = left.size() <= right.size() ? left : right;
      Open& large = left.size() <= right.size() ? right : left;
      const bool wanted[] = {wants(small), wants(large)};
      if (wanted[0] || wanted[1])
        small.histogram = inherited_.count(rows.subspan(small.begin, small.size()), small.begin, histogram,
                                           (wanted[1] ? large : small).size());
      if (wanted[1]) {
        inherited_.subtract(histogram, small.histogram);
        large.histogram = std::exchange(histogram, kNone);
      }
      if (!wanted[0]) inherited_.give_back(std::exchange(small.histogram, kNone));
    }
    inherited_.give_back(histogram);
  }

  void write(WholeNode& node) const {
    node.column = best_.column;
    node.kind = best_.kind;
    node.missing_to = best_.left_heavier ? 0 : 1;
    node.gain = best_.gain;
    node.threshold = best_.kind != NodeKind::numeric ? best_.high
                     : best_.has_threshold           ? best_.threshold
                                                     : midpoint(best_.low, best_.high);
  }

  // Takes a node; false for a leaf.
  bool enter(const Open& open) {
    const std::uint32_t n = open.size();
    if (open.depth >= rules_->max_depth || n < rules_->min_samples_split ||
        n < 2 * rules_->min_samples_leaf || n < 2)
      return false;
    if (!targets_.enter(rows_, open.begin, sums_.data() + stack_.size() * targets_.n_sums(), node_))
      return false;
    const bool keyed = drawn_ || options_->scan.random || rules_->draw_ties;
    key_ = open.side == 2 || !keyed ? open.key : mix(open.key, open.side);
    return true;
  }

  // Fills best_; false for a leaf.
  bool search(const Open& open) {
    best_.found = false;
    floor_ = -1.0;
    perfect_ = false;
    histogram_ = open.histogram;
    kept_column_ = SIZE_MAX;
    ties_ = rules_->ties(key_, columns_.size());
    columns_.begin(key_, !drawn_);
    constant_.enter(open.constant);
    search_columns();
    if (!best_.found) return false;
    sweep_.set_left(best_left_);
    best_.gain = sweep_.gain();
    best_.left_heavier = sweep_.left_weight() > sweep_.right_weight();
    return rules_->worth(best_.gain);
  }

  void search_columns() {
    const std::size_t n_draw = drawn_ ? rules_->max_features : columns_.size();
    bool seen = false;
    const bool by_words = searches_words();
    wanted_.clear();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i >= n_draw) {
        seen |= search_wanted();
        if (seen) break;
      }
      const auto j = static_cast<std::size_t>(columns_.next());
      if (constant_.has(j) || (perfect_ && ties_.of(static_cast<ColId>(j)) > best_.order)) continue;
      if (by_words && table_->columns[j].bit >= 0) {
        wanted_.push_back(j);
      } else if (search_column(j)) {
        seen = true;
      } else {
        constant_.add(j);
      }
    }
    search_wanted();
  }

  // Whether two-valued columns are searched together.
  [[nodiscard]] bool searches_words() const {
    if constexpr (TargetsT::kTwoValued)
      return histogram_ == kNone && !options_->scan.random && !limited() &&
             table_->two_valued.columns.size() > 1;
    return false;
  }
  // Searches the columns of wanted_; true when one of them is not constant here.
  bool search_wanted() {
    bool seen = false;
    if constexpr (TargetsT::kTwoValued) {
      if (wanted_.size() == 1) {
        seen = search_column(wanted_[0]);
        if (!seen) constant_.add(wanted_[0]);
        wanted_.clear();
      }
      for (std::size_t w = 0; w < table_->two_valued.by_row.size() && !wanted_.empty(); ++w) {
        std::uint64_t bits = 0;
        for (const std::size_t j : wanted_) {
          const auto bit = static_cast<std::size_t>(table_->columns[j].bit);
          bits |= static_cast<std::uint64_t>(bit / 64 == w ? 1 : 0) << bit % 64;
        }
        if (bits == 0) continue;
        targets_.count_rare(rows_, table_->two_valued.by_row[w].data(), bits);
        for (; bits != 0; bits &= bits - 1)
          seen |= judge_two(w * 64, static_cast<std::size_t>(std::countr_zero(bits)));
      }
      wanted_.clear();
    }
    return seen;
  }
  // The cut of a two-valued column that was counted; false when it is constant here.
  bool judge_two(std::size_t first, std::size_t bit) {
    const std::size_t j = table_->two_valued.columns[first + bit];
    const RankedColumn& column = table_->columns[j];
    const double top = targets_.top_of_rare(bit);
    if (top < 0.0) {
      constant_.add(j);
      return false;
    }
    if (top < floor_) return true;
    floor_ = std::max(floor_, top * (1.0 - targets_.slack()));
    targets_.left_of_rare(bit, column.rare == 0, node_, left_);
    if (consider(j, column.cells[0])) {
      best_.high = column.cells[1];
      cut_ = 0;
      kept_column_ = SIZE_MAX;
    }
    return true;
  }

  // All cuts of a column; false when it is constant here.
  bool search_column(std::size_t j) {
    if constexpr (TargetsT::kInherits)
      if (histogram_ != kNone && inherited_.has(histogram_, j, rows_.size())) return search_inherited(j);
    const RankRange range = gather(j);
    if (range.low == range.high) return false;
    if (options_->scan.random) {
      search_random(j, range);
      return true;
    }
    RankedPositions at{ranks_.data(), range.low, range.high - range.low + 1, 0, 0};
    const bool numbered = at.count * targets_.n_counters() > internal_limits().ranked_counters * rows_.size();
    if (numbered) {
      at = numbered_.number({ranks_.data(), rows_.size()}, range);
    } else if (const std::int32_t common = table_->columns[j].common;
               common >= static_cast<std::int32_t>(range.low) &&
               common <= static_cast<std::int32_t>(range.high)) {
      at.common = common;
    }
    at.end = at.count - 1;
    if (limited()) allowed_.leave(at, rows_.size(), targets_, *rules_);
    const bool won = decide(j, at, targets_.top(at), [&](std::size_t position) {
      return numbered ? numbered_.rank(range, position) : static_cast<std::uint32_t>(range.low + position);
    });
    if (!won) return true;
    std::swap(ranks_, kept_);
    kept_column_ = j;
    return true;
  }

  // The same from the node's histogram.
  bool search_inherited(std::size_t j) {
    RankedPositions at = inherited_.positions(histogram_, j);
    const auto score = [&] {
      if constexpr (std::is_same_v<TargetsT, RankedNumbers>)
        return targets_.top_of(inherited_.sums(histogram_, j), at);
      else
        return targets_.top_of(inherited_.planes(histogram_, j), inherited_.stride(), at);
    };
    double top = score();
    if (top < 0.0) return false;
    if (limited()) {
      const auto enough = [&](std::int64_t weight) {
        return weight >= rules_->min_samples_leaf && static_cast<double>(weight) >= rules_->min_weight;
      };
      const auto all = static_cast<std::int64_t>(rows_.size());
      while (at.begin < at.end && !enough(targets_.left_weight(at.begin))) ++at.begin;
      while (at.end > at.begin && !enough(all - targets_.left_weight(at.end - 1))) --at.end;
      top = score();
    }
    if (decide(j, at, top, [&](std::size_t p) { return static_cast<std::uint32_t>(at.low + p); }))
      kept_column_ = SIZE_MAX;
    inherited_.trim(histogram_, j, at.low, targets_);
    return true;
  }

  // Scores the positions near the best exactly; true when one of them is the best so far.
  template <class RankAt>
  bool decide(std::size_t j, const RankedPositions& at, double top, const RankAt& rank_at) {
    if (top < 0.0 || top < floor_) return false;
    floor_ = std::max(floor_, top * (1.0 - targets_.slack()));
    bool won = false;
    if (near_.size() < at.count) near_.resize(2 * at.count);
    const std::size_t n_near = targets_.near(at, floor_, near_.data());
    const std::vector<double>& cells = table_->columns[j].cells;
    for (const std::size_t p : std::span(near_).first(n_near)) {
      if (p > 0 && targets_.same_as_before(p)) continue;
      targets_.left(p, left_);
      if (!consider(j, cells[rank_at(p)])) continue;
      std::size_t next = p + 1;
      while (targets_.same_as_before(next)) ++next;
      best_.high = cells[rank_at(next)];
      cut_ = at.low + static_cast<std::uint32_t>(p);
      won = true;
    }
    return won;
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
      cut = low = last_left(cells, {ranks_.data(), rows_.size()}, range, threshold);
      high = low + 1;
    } else {
      const RankedPositions at = numbered_.number({ranks_.data(), rows_.size()}, range);
      cut = static_cast<std::uint32_t>(below(draw(key, 0), at.count - 1));
      low = numbered_.rank(range, cut);
      high = numbered_.rank(range, cut + 1);
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
    kept_column_ = j;
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
    candidate.order = ties_.of(candidate.column);
    candidate.kind = table_->columns[j].kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
    candidate.low = low;
    if (!better(candidate, best_)) return false;
    best_.found = true;
    best_.score = candidate.score;
    best_.column = candidate.column;
    best_.order = candidate.order;
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
      return from.narrow != nullptr ? gather_column(from.narrow, rows_, ranks_.data())
                                    : gather_column(from.wide, rows_, ranks_.data());
    return gather_near(table_->by_row.data() + j, columns_.size(), rows_, ranks_.data());
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
  TieOrder ties_;
  typename Family::Node node_, left_, best_left_;
  typename Family::Sweep sweep_;
  Candidate best_, candidate_;
  std::uint32_t cut_ = 0;               // the best cut among the ranks of kept_
  std::size_t kept_column_ = SIZE_MAX;  // whose ranks kept_ has; SIZE_MAX: the best column's are to be read
  std::int32_t histogram_ = kNone;
  double floor_ = -1.0;                      // score from which on a cut may be the best
  bool perfect_ = false;                     // the best split leaves two pure sides
  std::vector<std::uint16_t> ranks_, kept_;  // of the column, and of the best one
  std::vector<RowId> scratch_;
  std::vector<std::uint32_t> near_;  // positions
  std::vector<std::size_t> wanted_;  // two-valued columns that are searched together
  NumberedRanks numbered_;
  AllowedPositions allowed_;
  RankedTile<typename TargetsT::Tile> tile_;
  InheritedHistograms<TargetsT> inherited_;
};

}  // namespace bough
