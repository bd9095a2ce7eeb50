// SPDX-License-Identifier: Apache-2.0
// Whole subtrees of few rows. The rows become a tile: their ranks are read once per column and lie side by side, a node is a
// stretch of row numbers, and searching it compares all its rows with one another (tile_kernels.hpp).
//
// Values of the kernels are right but for a last rounding, or nearly right where targets need more digits; the cuts near the best
// are scored as the criterion does it (side_score()), and ties go to the sooner column and the lower cut, as in better().
#pragma once

#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "split/engine.hpp"
#include "split/ranked/ranked_table.hpp"
#include "split/ranked/tile_kernels.hpp"

namespace bough {

/// The node that a tile starts from.
struct TileStart {
  std::uint32_t begin = 0;  ///< first of its rows in the tree
  std::int32_t depth = 0;
  std::uint64_t key = 0;
  std::uint32_t constant = 0;  ///< KnownConstants
  std::size_t index = 0;       ///< of nodes
};

template <class TargetsT>
class RankedTile {
 public:
  using Rank = typename TargetsT::TileRank;

  RankedTile(const RankedTable& table, TargetsT& targets, ColumnDraw& columns, KnownConstants& constant,
             bool random)
      : table_(&table),
        targets_(&targets),
        columns_(&columns),
        constant_(&constant),
        random_(random),
        tile_(table.columns.size() * kTileRows),
        loaded_(table.columns.size()) {}

  /// Grows the subtree of rows that the targets have entered and loaded; `rows` are in the order of that, and are put in the order
  /// of the leaves. No limits on the rows or the weight of leaves.
  void grow(std::span<RowId> rows, const TileStart& start, const SubtreeRules& rules, bool drawn,
            std::vector<WholeNode>& nodes) {
    rules_ = &rules;
    drawn_ = drawn;
    n_ = rows.size();
    std::copy(rows.begin(), rows.end(), rows_);
    for (std::size_t i = 0; i < n_; ++i) ids_[i] = static_cast<std::uint8_t>(i);
    ++loads_;
    stack_.assign(1, {0, static_cast<std::uint32_t>(n_), start.depth, start.key, 2, -1, start.constant});
    while (!stack_.empty()) {
      const Open open = stack_.back();
      stack_.pop_back();
      std::size_t index = start.index;
      if (open.side < 2) {
        index = nodes.size();
        if (open.right_of >= 0)
          nodes[static_cast<std::size_t>(open.right_of)].right = static_cast<std::int32_t>(index);
        nodes.push_back({start.begin + open.begin, start.begin + open.end});
      }
      if (!search(open)) continue;
      write(nodes[index]);
      const std::uint32_t middle = open.begin + divide();
      const auto above = static_cast<std::int32_t>(index);
      stack_.push_back({middle, open.end, open.depth + 1, key_, 1, above, constant_->current()});
      stack_.push_back({open.begin, middle, open.depth + 1, key_, 0, -1, constant_->current()});
    }
    for (std::size_t i = 0; i < n_; ++i) rows[i] = rows_[ids_[i]];
  }

 private:
  struct Open {
    std::uint32_t begin = 0, end = 0;  // of ids_
    std::int32_t depth = 0;
    std::uint64_t key = 0;   // of its parent, until it is wanted
    std::uint32_t side = 0;  // which child it is; 2: the root, whose key it is
    std::int32_t right_of = -1;
    std::uint32_t constant = 0;
  };

  // Fills the best cut; false for a leaf.
  bool search(const Open& open) {
    const std::uint32_t n = open.end - open.begin;
    if (n < 2 || n < rules_->min_samples_split || open.depth >= rules_->max_depth) return false;
    here_ = std::span(ids_ + open.begin, n);
    if (!targets_->enter_tile(here_)) return false;
    key_ = open.side == 2 || !(drawn_ || random_ || rules_->draw_ties) ? open.key : mix(open.key, open.side);
    ties_ = rules_->ties(key_, columns_->size());
    found_ = perfect_ = false;
    floor_ = -1.0;
    constant_->enter(open.constant);
    columns_->begin(key_, !drawn_);
    n == 2 ? search_pair() : search_columns();
    return found_ && rules_->worth(targets_->tile_gain(score_));
  }

  [[nodiscard]] const std::uint16_t* column(std::size_t j) {
    std::uint16_t* ranks = tile_.data() + j * kTileRows;
    if (loaded_[j] == loads_) return ranks;
    loaded_[j] = loads_;
    const std::uint16_t* from = table_->by_row.data() + j;
    const std::size_t stride = table_->columns.size();
    for (std::size_t i = 0; i < n_; ++i) ranks[i] = from[rows_[i] * stride];
    return ranks;
  }
  [[nodiscard]] std::size_t n_draw() const { return drawn_ ? rules_->max_features : columns_->size(); }

  void search_columns() {
    const std::size_t n_columns = columns_->size(), n_draw = this->n_draw();
    bool seen = false;
    taken_ = 0;
    for (std::size_t i = 0; i < n_columns && (i < n_draw || !seen); ++i) {
      const auto j = static_cast<std::size_t>(columns_->next());
      if (constant_->has(j) || (perfect_ && order_of(j) > order_)) continue;
      if (!take(j)) {
        constant_->add(j);
        continue;
      }
      seen = true;
      if (random_) {
        search_random(j);
        taken_ = 0;
      } else if (taken_ == kTileColumns) {
        search_taken();
      }
    }
    if (taken_ > 0) search_taken();
  }

  // The node's ranks of a column; false when they are all the same.
  bool take(std::size_t j) {
    const std::uint16_t* from = column(j);
    Rank* ranks = ranks_ + taken_ * kTileStride;
    const std::uint16_t first = from[here_[0]];
    std::uint32_t differs = 0;
    for (std::size_t i = 0; i < here_.size(); ++i) {
      const std::uint16_t rank = from[here_[i]];
      ranks[i] = rank;
      differs |= static_cast<std::uint32_t>(rank ^ first);
    }
    taken_columns_[taken_] = j;
    taken_ += differs != 0 ? 1 : 0;
    return differs != 0;
  }

  void search_taken() {
    const double top = targets_->top_tile(ranks_, taken_, values_, tops_);
    const double slack = targets_->tile_slack();
    floor_ = std::max(floor_, top * (1.0 - slack));
    for (std::size_t k = 0; k < taken_; ++k) {
      if (tops_[k] < floor_) continue;
      const Rank* ranks = ranks_ + k * kTileStride;
      const double* values = values_ + k * kTileStride;
      for (std::size_t i = 0; i < here_.size(); ++i)
        if (values[i] >= floor_)
          consider(taken_columns_[k], static_cast<std::uint32_t>(ranks[i]),
                   targets_->tile_score(values[i], ranks, ranks[i]));
    }
    perfect_ = found_ && targets_->tile_perfect(top);
    taken_ = 0;
  }

  [[nodiscard]] std::uint64_t order_of(std::size_t j) const noexcept {
    return ties_.of(static_cast<ColId>(j));
  }
  // True when the cut is the best so far.
  bool consider(std::size_t j, std::uint32_t cut, double score) {
    if (found_ && score < score_) return false;
    const std::uint64_t order = order_of(j);
    if (found_ && score == score_ && (order > order_ || (order == order_ && cut >= cut_))) return false;
    found_ = true;
    score_ = score;
    order_ = order;
    column_ = j;
    cut_ = cut;
    has_threshold_ = false;
    return true;
  }

  // Two rows: every cut scores the same, and the soonest column wins.
  void search_pair() {
    const std::size_t n_columns = columns_->size(), n_draw = this->n_draw();
    std::size_t soonest = n_columns;
    std::uint64_t order = UINT64_MAX;
    for (std::size_t i = 0; i < n_columns && (i < n_draw || soonest == n_columns); ++i) {
      const auto j = static_cast<std::size_t>(columns_->next());
      if (order_of(j) > order || constant_->has(j)) continue;
      const std::uint16_t* from = column(j);
      if (from[here_[0]] == from[here_[1]]) continue;
      soonest = j;
      order = order_of(j);
      if (!drawn_ && !ties_.drawn()) break;
    }
    if (soonest == n_columns) return;
    const std::uint16_t* from = column(soonest);
    const Rank ranks[] = {from[here_[0]], from[here_[1]]};
    const Rank low = std::min(ranks[0], ranks[1]);
    consider(soonest, static_cast<std::uint32_t>(low), targets_->side_score(ranks, low));
    if (random_) draw_threshold(soonest, {static_cast<std::uint32_t>(low), other(ranks, low)});
  }
  static std::uint32_t other(const Rank* two, Rank one) {
    return static_cast<std::uint32_t>(two[0] == one ? two[1] : two[0]);
  }

  struct Range {
    std::uint32_t low = 0, high = 0;
  };
  void draw_threshold(std::size_t j, Range range) {
    const RankedColumn& column = table_->columns[j];
    has_threshold_ = column.kind == Kind::numeric;
    if (has_threshold_)
      threshold_ = random_cut(column.cells[range.low], column.cells[range.high], mix(key_, j));
  }

  // One cut, drawn, of the column that was taken last.
  void search_random(std::size_t j) {
    const Rank* ranks = ranks_;
    const std::size_t n = here_.size();
    Rank low = ranks[0], high = low;
    for (std::size_t i = 1; i < n; ++i) {
      low = std::min(low, ranks[i]);
      high = std::max(high, ranks[i]);
    }
    const RankedColumn& column = table_->columns[j];
    double threshold = 0.0;
    Rank cut = low;
    if (column.kind == Kind::numeric) {
      const double* cells = column.cells.data();
      threshold = random_cut(cells[low], cells[high], mix(key_, j));
      for (std::size_t i = 0; i < n; ++i) {
        const Rank left = cells[ranks[i]] <= threshold ? ranks[i] : low;  // without a branch
        cut = std::max(cut, left);
      }
    } else {
      Rank present[kTileRows];
      std::copy_n(ranks, n, present);
      std::sort(present, present + n);
      const auto count = static_cast<std::size_t>(std::unique(present, present + n) - present);
      cut = present[below(draw(mix(key_, j), 0), count - 1)];
    }
    if (!consider(j, static_cast<std::uint32_t>(cut), targets_->side_score(ranks, cut))) return;
    has_threshold_ = column.kind == Kind::numeric;
    threshold_ = threshold;
  }

  void write(WholeNode& node) {
    const RankedColumn& of = table_->columns[column_];
    const std::uint16_t* ranks = column(column_);
    std::uint32_t next = UINT32_MAX;
    std::int64_t left = 0, all = 0;
    for (const std::uint8_t id : here_) {
      const std::int64_t weight = targets_->tile_weight(id);
      all += weight;
      if (ranks[id] > cut_) {
        next = std::min<std::uint32_t>(next, ranks[id]);
      } else {
        left += weight;
      }
    }
    node.column = static_cast<ColId>(column_);
    node.kind = of.kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
    node.threshold = of.kind != Kind::numeric ? of.cells[next]
                     : has_threshold_         ? threshold_
                                              : midpoint(of.cells[cut_], of.cells[next]);
    node.missing_to = left > all - left ? 0 : 1;
    node.gain = targets_->tile_gain(score_);
  }

  // Puts the rows of the left side first; returns how many they are.
  std::uint32_t divide() {
    const std::uint16_t* ranks = column(column_);
    std::uint8_t others[kTileRows];
    std::uint32_t left = 0, right = 0;
    for (const std::uint8_t id : here_) {
      const bool is_left = ranks[id] <= cut_;
      here_[left] = id;
      others[right] = id;
      left += is_left ? 1 : 0;
      right += is_left ? 0 : 1;
    }
    std::copy_n(others, right, here_.begin() + left);
    return left;
  }

  const RankedTable* table_;
  TargetsT* targets_;
  ColumnDraw* columns_;
  KnownConstants* constant_;
  bool random_;
  const SubtreeRules* rules_ = nullptr;
  bool drawn_ = false;
  // The tile.
  std::size_t n_ = 0;
  RowId rows_[kTileRows];
  std::uint8_t ids_[kTileRows];
  std::vector<std::uint16_t> tile_;    // [column * kTileRows + row]
  std::vector<std::uint32_t> loaded_;  // by column: the tile that tile_ has it of
  std::uint32_t loads_ = 0;
  std::vector<Open> stack_;
  // The node.
  std::span<std::uint8_t> here_;
  std::uint64_t key_ = 0;
  alignas(64) Rank ranks_[kTileColumns * kTileStride];
  alignas(64) double values_[kTileColumns * kTileStride];
  double tops_[kTileColumns];
  std::size_t taken_columns_[kTileColumns];
  std::size_t taken_ = 0;
  double floor_ = -1.0;  // value from which on a cut may be the best
  bool found_ = false, perfect_ = false, has_threshold_ = false;
  double score_ = 0.0, threshold_ = 0.0;
  TieOrder ties_;
  std::uint64_t order_ = 0;  // of column_
  std::size_t column_ = 0;
  std::uint32_t cut_ = 0;
};

}  // namespace bough
