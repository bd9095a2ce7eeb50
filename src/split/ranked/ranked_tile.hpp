// SPDX-License-Identifier: Apache-2.0
// Whole subtrees of few rows. The rows become a tile, and a node is a word with one bit for each of its rows: nothing moves when
// it is split. A column is read once per tile and becomes its cuts, each the set of the rows on its left; searching a node counts
// the bits of these (tile_kernels.hpp). Random cuts are drawn from the cells, for several columns at once (tile_random.hpp).
//
// Values of the kernels are right but for a last rounding, or nearly right where targets need more digits; the cuts near the best
// are scored as the criterion does it, and ties go to the sooner column and the lower cut, as in better().
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <vector>

#include "base/buffer.hpp"
#include "base/random.hpp"
#include "split/engine.hpp"
#include "split/ranked/byte_tile.hpp"
#include "split/ranked/ranked_table.hpp"
#include "split/ranked/sorted_tile.hpp"
#include "split/ranked/tile_kernels.hpp"
#include "split/ranked/tile_random.hpp"
#include "split/ranked/tile_targets.hpp"

namespace bough {

/// TargetsT: tile_targets.hpp.
template <class TargetsT>
class RankedTile {
 public:
  RankedTile(const RankedTable& table, ColumnDraw& columns, KnownConstants& constant, bool random)
      : table_(&table),
        columns_(&columns),
        constant_(&constant),
        random_(random),
        n_columns_(table.columns.size()),
        made_(n_columns_),
        cuts_(random ? 0 : n_columns_ * kTileRows),
        ranks_(random ? 0 : n_columns_ * kTileRows) {
    if constexpr (TargetsT::kSorted) {
      if (!random && has_sorted_tiles()) sorted_.emplace(table, columns);
    } else {
      if (!random && has_byte_tiles()) bytes_.emplace(table, columns);
    }
  }

  /// What is known about the targets, to be loaded before grow().
  [[nodiscard]] TargetsT& targets() noexcept { return targets_; }

  /// Grows the subtree of the rows that the targets have been loaded with, and puts them in the order of the leaves. No limits on
  /// the rows or the weight of leaves.
  void grow(std::span<RowId> rows, const TileStart& start, const SubtreeRules& rules, bool drawn,
            std::vector<WholeNode>& nodes) {
    constant_->enter(start.constant);
    if constexpr (TargetsT::kSorted) {
      if (sorted_)
        return grow_sorted_tile(*sorted_, targets_.sorted(), rows, start, constant_->first_columns(), rules,
                                drawn, nodes);
    } else {
      if (bytes_ && targets_.fits_bytes())
        return grow_byte_tile(*bytes_, targets_.bytes(), rows, start, constant_->first_columns(), rules,
                              drawn, nodes);
    }
    rules_ = &rules;
    drawn_ = drawn;
    n_ = rows.size();
    std::copy(rows.begin(), rows.end(), rows_);
    ++tiles_;
    if (random_ && all_cells()) load_cells();
    stack_.assign(1, {UINT64_MAX >> (kTileRows - n_), 0, start.depth, start.key, 2, -1, start.constant});
    while (!stack_.empty()) {
      const Open open = stack_.back();
      stack_.pop_back();
      std::size_t index = start.index;
      const auto n = static_cast<std::uint32_t>(count_bits(open.rows));
      if (open.side < 2) {
        index = nodes.size();
        if (open.right_of >= 0)
          nodes[static_cast<std::size_t>(open.right_of)].right = static_cast<std::int32_t>(index);
        nodes.push_back({start.begin + open.begin, start.begin + open.begin + n});
      }
      if (!search(open, n)) {
        auto to = rows.begin() + open.begin;
        for (std::uint64_t rest = open.rows; rest != 0; rest &= rest - 1) *to++ = rows_[first_of(rest)];
        continue;
      }
      write(nodes[index], index);
      const auto above = static_cast<std::int32_t>(index);
      const std::uint32_t middle = open.begin + static_cast<std::uint32_t>(count_bits(left_));
      stack_.push_back({open.rows & ~left_, middle, open.depth + 1, key_, 1, above, constant_->current()});
      stack_.push_back({left_, open.begin, open.depth + 1, key_, 0, -1, constant_->current()});
    }
    write_thresholds(nodes);
  }

 private:
  // Columns of at most so many different cells have their cuts in a list; other nodes look at those behind their rows.
  static constexpr std::size_t kFewCuts = 16;
  // Cells of random trees are read once per tile where nodes look at all columns and these are not too many.
  static constexpr std::size_t kMostCells = 64;

  struct Open {
    std::uint64_t rows = 0;
    std::uint32_t begin = 0;  // of its rows in the tile's leaves
    std::int32_t depth = 0;
    std::uint64_t key = 0;   // of its parent, until it is wanted
    std::uint32_t side = 0;  // which child it is; 2: the root, whose key it is
    std::int32_t right_of = -1;
    std::uint32_t constant = 0;
  };
  // A cut that was found: the ranks beside it.
  struct Between {
    std::uint32_t node = 0;
    std::uint16_t low = 0, high = 0;
  };
  struct Made {
    std::uint32_t tile = 0;  // that the cuts are of
    std::uint8_t n_cuts = 0;
    bool by_row = false;  // cuts_ has the cut behind every row
  };

  static std::size_t first_of(std::uint64_t rows) noexcept {
    return static_cast<std::size_t>(std::countr_zero(rows));
  }
  // Of a row of the tile.
  [[nodiscard]] const std::uint16_t* ranks_of(std::size_t id) const noexcept {
    return table_->by_row.data() + rows_[id] * n_columns_;
  }

  // Fills the best split; false for a leaf.
  bool search(const Open& open, std::uint32_t n) {
    if (n < 2 || n < rules_->min_samples_split || open.depth >= rules_->max_depth) return false;
    here_ = open.rows;
    if (!targets_.enter(here_)) return false;
    key_ = open.side == 2 || !(drawn_ || random_ || rules_->draw_ties) ? open.key : mix(open.key, open.side);
    ties_ = rules_->ties(key_, n_columns_);
    found_ = perfect_ = false;
    floor_ = -1.0;
    constant_->enter(open.constant);
    columns_->begin(key_, !drawn_);
    if (n == 2) {
      search_pair();
    } else {
      n_ids_ = 0;
      for (std::uint64_t rest = here_; rest != 0; rest &= rest - 1)
        ids_[n_ids_++] = static_cast<std::uint8_t>(first_of(rest));
      random_&& all_cells() ? draw_all() : search_columns();
    }
    return found_ && rules_->worth(targets_.gain(score_));
  }

  void search_columns() {
    const std::size_t n_draw = this->n_draw();
    seen_ = false;
    taken_ = 0;
    for (std::size_t i = 0; i < n_columns_; ++i) {
      if (i >= n_draw) {
        search_taken();
        if (seen_ || (i == n_draw && all_same())) break;
      }
      const auto j = static_cast<std::size_t>(columns_->next());
      if (constant_->has(j) || (perfect_ && order_of(j) > order_)) continue;
      random_ ? take_cells(j) : take_cuts(j);
      if (taken_ == (random_ ? kRandomColumns : kTileColumns)) search_taken();
    }
    search_taken();
  }
  void search_taken() {
    if (taken_ == 0) return;
    random_ ? draw_taken() : score_taken();
    taken_ = 0;
  }
  [[nodiscard]] std::size_t n_draw() const { return drawn_ ? rules_->max_features : n_columns_; }

  // Whether the rows of the node are alike in all columns.
  [[nodiscard]] bool all_same() const {
    const std::uint16_t* first = ranks_of(ids_[0]);
    for (std::size_t i = 1; i < n_ids_; ++i)
      if (!std::equal(first, first + n_columns_, ranks_of(ids_[i]))) return false;
    return true;
  }

  void take_cuts(std::size_t j) {
    if (made_[j].tile != tiles_) make_cuts(j);
    const Made& made = made_[j];
    const std::uint64_t* cuts = cuts_.data() + j * kTileRows;
    if (made.by_row) {
      std::uint64_t* to = by_row_ + taken_ * kTileStride;
      for (std::size_t i = 0; i < n_ids_; ++i) to[i] = cuts[ids_[i]];
      taken_cuts_[taken_] = {to, n_ids_};
    } else {
      taken_cuts_[taken_] = {cuts, made.n_cuts};
    }
    taken_columns_[taken_++] = j;
  }

  // The cuts of a column in the tile, without the one that has nothing on its right.
  void make_cuts(std::size_t j) {
    static constexpr std::uint16_t first_ranks[kFewCuts] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                            8, 9, 10, 11, 12, 13, 14, 15};
    std::uint16_t* ranks = ranks_.data() + j * kTileRows;
    for (std::size_t i = 0; i < n_; ++i) ranks[i] = ranks_of(i)[j];
    const std::uint64_t all = UINT64_MAX >> (kTileRows - n_);
    std::uint64_t* cuts = cuts_.data() + j * kTileRows;
    std::size_t n = 0;
    const std::size_t n_ranks = table_->columns[j].cells.size();
    if (n_ranks <= kFewCuts + 1) {
      rows_up_to(ranks, first_ranks, n_ranks - 1, cuts);
      for (std::size_t k = 0; k + 1 < n_ranks; ++k) {
        const std::uint64_t cut = cuts[k] & all;
        cuts[n] = cut;
        n += cut != 0 && cut != all && (n == 0 || cut != cuts[n - 1]) ? 1 : 0;
      }
      made_[j] = {tiles_, static_cast<std::uint8_t>(n), false};
      return;
    }
    rows_up_to(ranks, ranks, n_, cuts);
    // A list is worth making where several nodes will use it.
    if (4 * n_draw() <= n_columns_) {
      made_[j] = {tiles_, 0, true};
      return;
    }
    std::uint64_t by_count[kTileRows], counts = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const std::uint64_t cut = cuts[i] & all;
      const auto count = static_cast<std::size_t>(count_bits(cut) - 1);
      by_count[count] = cut;
      counts |= std::uint64_t{1} << count;
    }
    counts &= ~(std::uint64_t{1} << (n_ - 1));
    const auto n_cuts = static_cast<std::uint8_t>(count_bits(counts));
    made_[j] = {tiles_, n_cuts, n_cuts > kFewCuts};
    if (made_[j].by_row) return;
    for (; counts != 0; counts &= counts - 1) cuts[n++] = by_count[first_of(counts)];
  }

  void score_taken() {
    const double top = targets_.top(taken_cuts_, taken_, {values_, tops_, near_});
    floor_ = std::max(floor_, top * (1.0 - targets_.slack()));
    for (std::size_t k = 0; k < taken_; ++k) {
      if (tops_[k] < 0.0) {  // no cut has rows on both sides
        constant_->add(taken_columns_[k]);
        continue;
      }
      seen_ = true;
      if (tops_[k] < floor_) continue;
      const double* values = values_ + k * kTileStride;
      for (std::uint64_t near = near_[k]; near != 0; near &= near - 1) {
        const std::size_t i = first_of(near);
        if (values[i] < floor_) continue;
        const std::uint64_t left = taken_cuts_[k].cuts[i] & here_;
        consider(taken_columns_[k], left, targets_.score(values[i], left));
      }
    }
    perfect_ = found_ && targets_.perfect(top);
  }

  [[nodiscard]] std::uint64_t order_of(std::size_t j) const noexcept {
    return ties_.of(static_cast<ColId>(j));
  }
  // Whether a score of a column goes before the best so far.
  [[nodiscard]] bool beats(std::size_t j, double score) const noexcept {
    return !found_ || score > score_ || (score == score_ && order_of(j) < order_);
  }
  void keep(std::size_t j, double score) noexcept {
    found_ = true;
    score_ = score;
    column_ = j;
    order_ = order_of(j);
    has_threshold_ = false;
  }
  void consider(std::size_t j, std::uint64_t left, double score) {
    // Of two cuts of a column the rows on the left of the lower one are on the left of both.
    if (!beats(j, score) && !(score == score_ && j == column_ && left != left_ && (left & ~left_) == 0))
      return;
    keep(j, score);
    left_ = left;
  }

  // Two rows: every cut scores the same, and the soonest column wins.
  void search_pair() {
    const std::size_t n_draw = this->n_draw();
    const std::uint64_t ones[] = {here_ & (~here_ + 1), here_ & (here_ - 1)};
    const std::uint16_t *a = ranks_of(first_of(ones[0])), *b = ranks_of(first_of(ones[1]));
    std::size_t soonest = n_columns_;
    std::uint64_t order = UINT64_MAX;
    for (std::size_t i = 0; i < n_columns_ && (i < n_draw || soonest == n_columns_); ++i) {
      const auto j = static_cast<std::size_t>(columns_->next());
      if (a[j] == b[j] || order_of(j) > order) continue;
      soonest = j;
      order = order_of(j);
      if (!drawn_ && !ties_.drawn()) break;
    }
    if (soonest == n_columns_) return;
    left_ = a[soonest] < b[soonest] ? ones[0] : ones[1];
    keep(soonest, targets_.score(left_));
    const RankedColumn& column = table_->columns[soonest];
    if (!random_ || column.kind != Kind::numeric) return;
    has_threshold_ = true;
    threshold_ = random_cut(column.cells[std::min(a[soonest], b[soonest])],
                            column.cells[std::max(a[soonest], b[soonest])], mix(key_, soonest));
  }

  // Random cuts. All cells of the tile are loaded, or those of the columns that a node looks at are put side by side.
  [[nodiscard]] bool all_cells() const noexcept { return !drawn_ && n_columns_ <= kMostCells; }
  void load_cells() {
    width_ = (n_columns_ + kRandomColumns - 1) / kRandomColumns * kRandomColumns;
    if (cells_.empty()) cells_.resize(kTileRows * width_);
    for (std::size_t i = 0; i < n_; ++i) {
      const std::uint16_t* ranks = ranks_of(i);
      for (std::size_t j = 0; j < n_columns_; ++j)
        cells_[i * width_ + j] = table_->columns[j].cells[ranks[j]];
    }
  }
  void draw_all() {
    for (std::size_t first = 0; first < n_columns_; first += kRandomColumns) {
      taken_ = std::min(kRandomColumns, n_columns_ - first);
      std::iota(drawn_columns_, drawn_columns_ + kRandomColumns, first);
      draw_cuts({cells_.data() + first, width_, ids_, n_ids_, key_, drawn_columns_});
    }
  }
  void take_cells(std::size_t j) {
    if (cells_.empty()) cells_.resize(kTileRows * kRandomColumns);
    const double* cells = table_->columns[j].cells.data();
    const std::uint16_t first = ranks_of(ids_[0])[j];
    bool constant = true;
    for (std::size_t i = 0; i < n_ids_; ++i) {
      const std::uint16_t rank = ranks_of(ids_[i])[j];
      constant &= rank == first;
      cells_[ids_[i] * kRandomColumns + taken_] = cells[rank];
    }
    if (constant) {
      constant_->add(j);
      return;
    }
    seen_ = true;
    drawn_columns_[taken_++] = j;
  }
  void draw_taken() { draw_cuts({cells_.data(), kRandomColumns, ids_, n_ids_, key_, drawn_columns_}); }

  void draw_cuts(const RandomColumns& from) {
    RandomCuts out;
    targets_.draw(from, out);
    std::size_t best = taken_;
    for (std::size_t k = 0; k < taken_; ++k) {
      const auto j = static_cast<std::size_t>(drawn_columns_[k]);
      if (out.scores[k] < 0.0) continue;  // constant
      const bool numeric = table_->columns[j].kind == Kind::numeric;
      const double cut = numeric ? out.cuts[k] : draw_level(from, k);
      const double score = numeric ? out.scores[k] : targets_.score(rows_below(from, k, cut));
      if (!beats(j, score)) continue;
      keep(j, score);
      has_threshold_ = numeric;
      threshold_ = cut;
      best = k;
    }
    if (best < taken_) left_ = rows_below(from, best, threshold_);
  }
  [[nodiscard]] std::uint64_t rows_below(const RandomColumns& from, std::size_t k, double cut) const {
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < n_ids_; ++i)
      rows |= static_cast<std::uint64_t>(from.cells[from.ids[i] * from.stride + k] <= cut ? 1 : 0) << ids_[i];
    return rows;
  }
  // One of the levels that are there, but the last.
  [[nodiscard]] double draw_level(const RandomColumns& from, std::size_t k) const {
    double present[kTileRows];
    for (std::size_t i = 0; i < n_ids_; ++i) present[i] = from.cells[from.ids[i] * from.stride + k];
    std::sort(present, present + n_ids_);
    const auto count = static_cast<std::size_t>(std::unique(present, present + n_ids_) - present);
    return present[below(draw(mix(key_, from.columns[k]), 0), count - 1)];
  }

  void write(WholeNode& node, std::size_t index) {
    const bool numeric = table_->columns[column_].kind == Kind::numeric;
    node.column = static_cast<ColId>(column_);
    node.kind = numeric ? NodeKind::numeric : NodeKind::ordinal;
    node.gain = targets_.gain(score_);
    node.missing_to = targets_.weight(left_) > targets_.weight(here_ & ~left_) ? 0 : 1;
    node.threshold = threshold_;
    if (has_threshold_) return;
    const std::uint64_t right = here_ & ~left_;
    if (!random_ && made_[column_].tile == tiles_) {
      const RanksBeside beside = ranks_beside(ranks_.data() + column_ * kTileRows, left_, right);
      between_.push_back({static_cast<std::uint32_t>(index), beside.low, beside.high});
      return;
    }
    std::uint16_t low = 0, high = UINT16_MAX;
    for (std::uint64_t rest = left_; rest != 0; rest &= rest - 1)
      low = std::max(low, ranks_of(first_of(rest))[column_]);
    for (std::uint64_t rest = right; rest != 0; rest &= rest - 1)
      high = std::min(high, ranks_of(first_of(rest))[column_]);
    between_.push_back({static_cast<std::uint32_t>(index), low, high});
  }
  // The cells of all cuts at once, so that none waits for another to come from memory.
  void write_thresholds(std::vector<WholeNode>& nodes) {
    for (const Between& cut : between_) {
      const std::vector<double>& cells =
          table_->columns[static_cast<std::size_t>(nodes[cut.node].column)].cells;
      nodes[cut.node].threshold = nodes[cut.node].kind == NodeKind::numeric
                                      ? midpoint(cells[cut.low], cells[cut.high])
                                      : cells[cut.high];
    }
    between_.clear();
  }

  const RankedTable* table_;
  TargetsT targets_;
  std::optional<SortedTile> sorted_;  // all tiles are such
  std::optional<ByteTile> bytes_;     // all light tiles are such
  ColumnDraw* columns_;
  KnownConstants* constant_;
  bool random_;
  std::size_t n_columns_;
  const SubtreeRules* rules_ = nullptr;
  bool drawn_ = false;
  // The tile.
  std::size_t n_ = 0;
  RowId rows_[kTileRows];
  std::uint32_t tiles_ = 0;
  std::vector<Made> made_;            // by column
  Buffer<std::uint64_t> cuts_;        // [column * kTileRows + k]
  std::vector<std::uint16_t> ranks_;  // [column * kTileRows + row], of the columns of made_
  std::vector<Open> stack_;
  std::vector<Between> between_;
  // The node.
  std::uint64_t here_ = 0;
  std::uint8_t ids_[kTileRows];
  std::size_t n_ids_ = 0;
  std::uint64_t key_ = 0;
  bool seen_ = false;  // a column that is not constant
  // Columns that are searched together.
  std::size_t taken_ = 0;
  std::size_t taken_columns_[kTileColumns];
  TileCuts taken_cuts_[kTileColumns];
  alignas(64) std::uint64_t by_row_[kTileColumns * kTileStride];
  alignas(64) double values_[kTileColumns * kTileStride];
  double tops_[kTileColumns];
  std::uint64_t near_[kTileColumns];
  // The same of random cuts.
  std::vector<double> cells_;
  std::size_t width_ = 0;
  std::uint64_t drawn_columns_[kRandomColumns] = {};
  // The best split.
  double floor_ = -1.0;  // value from which on a cut may be the best
  bool found_ = false, perfect_ = false, has_threshold_ = false;
  std::uint64_t left_ = 0;
  double score_ = 0.0, threshold_ = 0.0;
  TieOrder ties_;
  std::uint64_t order_ = 0;  // of column_
  std::size_t column_ = 0;
};

}  // namespace bough
