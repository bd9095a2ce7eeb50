// SPDX-License-Identifier: Apache-2.0
// Tiles of bytes; compiled for processors with AVX-512 VBMI2, empty for the others.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/ranked/byte_tile.cpp"
#include "split/ranked/byte_tile.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "base/random.hpp"
#include "data/ranks.hpp"
#include "split/ranked/cut_lanes.hpp"
#include "split/ranked/tile_draw.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3_DL

class ByteTileGrower {
 public:
  ByteTileGrower(ByteTile& tile, const ByteTileTargets& targets, std::span<RowId> rows,
                 const TileStart& start, const SubtreeRules& rules, bool drawn, std::vector<WholeNode>& nodes)
      : tile_(tile),
        targets_(targets),
        out_(rows.data()),
        start_(start),
        rules_(rules),
        drawn_(drawn),
        nodes_(nodes),
        n_(rows.size()),
        n_columns_(tile.columns.size()),
        draw_(*tile.draw, n_columns_, drawn) {
    std::copy(rows.begin(), rows.end(), rows_);
    ++tile.tiles;
  }

  void grow(std::uint64_t known) {
    Open stack[kTileRows + 1];
    std::size_t n_open = 0;
    stack[n_open++] = {UINT64_MAX >> (kTileRows - n_), known, start_.key, 0, start_.depth, 2, -1};
    while (n_open > 0) {
      const Open& open = stack[--n_open];
      const std::uint64_t rows = open.rows;
      const std::uint32_t begin = open.begin;
      const std::int32_t depth = open.depth;
      std::size_t index = start_.index;
      if (open.side < 2) {
        index = nodes_.size();
        if (open.right_of >= 0)
          nodes_[static_cast<std::size_t>(open.right_of)].right = static_cast<std::int32_t>(index);
        push_node(rows, begin);
      }
      if (!search(open)) {
        put_rows(rows, begin);
        continue;
      }
      write(index);
      const auto above = static_cast<std::int32_t>(index);
      const std::uint64_t right = rows & ~left_;
      const std::uint32_t middle = begin + static_cast<std::uint32_t>(std::popcount(left_));
      const bool left_ends = is_pure(left_);
      if (left_ends) push_leaf(left_, begin);
      if (left_ends && is_pure(right)) {
        nodes_[index].right = above + 2;
        push_leaf(right, middle);
        continue;
      }
      stack[n_open++] = {right, known_, key_, middle, depth + 1, 1, above};
      if (!left_ends) stack[n_open++] = {left_, known_, key_, begin, depth + 1, 0, -1};
    }
    write_thresholds();
  }

 private:
  static constexpr std::size_t kTogether = 16;  // columns of a node that are looked through at once
  static constexpr float kNear = 1.0F - 1e-6F;  // scores in floats are right to 2^-22 of themselves

  struct Open {
    std::uint64_t rows;
    std::uint64_t known;  // the first 64 columns that are constant
    std::uint64_t key;    // of its parent, until it is wanted
    std::uint32_t begin;
    std::int32_t depth;
    std::uint32_t side;  // 2: the root, whose key it is
    std::int32_t right_of;
  };

  static std::size_t first_of(std::uint64_t rows) noexcept {
    return static_cast<std::size_t>(std::countr_zero(rows));
  }
  [[nodiscard]] const std::uint16_t* ranks_of(std::size_t row) const {
    return tile_.table->by_row.data() + rows_[row] * n_columns_;
  }
  [[nodiscard]] std::uint64_t order_of(std::size_t j) const { return ties_.of(static_cast<ColId>(j)); }
  // Whether a byte holds the ranks of a column.
  [[nodiscard]] bool is_narrow(std::size_t j) const {
    return tile_.table->columns[j].cells.size() <= kNarrowRanks;
  }
  [[nodiscard]] std::size_t n_draw() const { return drawn_ ? rules_.max_features : n_columns_; }
  [[nodiscard]] bool is_pure(std::uint64_t rows) const {
    return (rows & ~targets_.sets[targets_.classes[first_of(rows)]]) == 0;
  }

  void push_node(std::uint64_t rows, std::uint32_t begin) {
    const std::uint32_t first = start_.begin + begin;
    nodes_.push_back({first, first + static_cast<std::uint32_t>(std::popcount(rows))});
  }
  void put_rows(std::uint64_t rows, std::uint32_t begin) {
    RowId* to = out_ + begin;
    for (std::uint64_t rest = rows; rest != 0; rest &= rest - 1) *to++ = rows_[first_of(rest)];
  }
  void push_leaf(std::uint64_t rows, std::uint32_t begin) {
    push_node(rows, begin);
    put_rows(rows, begin);
  }

  // Fills the best split; false for a leaf.
  bool search(const Open& open) {
    here_ = open.rows;
    n_here_ = static_cast<std::size_t>(std::popcount(here_));
    if (static_cast<std::int64_t>(n_here_) < rules_.min_samples_split || open.depth >= rules_.max_depth ||
        is_pure(here_))
      return false;
    key_ = open.side == 2 || !(drawn_ || rules_.draw_ties) ? open.key : mix(open.key, open.side);
    known_ = open.known;
    ties_ = rules_.ties(key_, n_columns_);
    found_ = perfect_ = false;
    draw_.begin(key_);
    if (n_here_ == 2) {
      search_pair();
    } else {
      enter();
      search_columns();
    }
    return found_ && rules_.worth(score_);
  }

  [[nodiscard]] std::uint32_t weight_of(std::uint64_t rows) const {
    std::uint32_t sum = 0;
    for (std::size_t k = 0; k < targets_.n_planes; ++k)
      sum += static_cast<std::uint32_t>(std::popcount(rows & targets_.planes[k])) << k;
    return sum;
  }

  // Two rows: every cut scores the same, and the soonest column wins.
  void search_pair() {
    const std::size_t n_draw = this->n_draw(), first = first_of(here_),
                      second = first_of(here_ & (here_ - 1));
    const std::uint16_t *a = ranks_of(first), *b = ranks_of(second);
    std::size_t soonest = n_columns_;
    std::uint64_t order = UINT64_MAX;
    for (std::size_t i = 0; i < n_columns_ && (i < n_draw || soonest == n_columns_); ++i) {
      const std::size_t j = draw_.next();
      if (a[j] == b[j] || order_of(j) > order) continue;
      soonest = j;
      order = order_of(j);
      if (!drawn_ && !ties_.drawn()) break;
    }
    if (soonest == n_columns_) return;
    const bool in_order = a[soonest] < b[soonest];
    const std::uint32_t weights[] = {targets_.weights[first], targets_.weights[second]};
    all_ = weights[0] + weights[1];
    squares_ = weights[0] * weights[0] + weights[1] * weights[1];
    left_weight_ = weights[in_order ? 0 : 1];
    const std::uint32_t right_weight = all_ - left_weight_;
    found_ = true;
    column_ = soonest;
    left_ = std::uint64_t{1} << (in_order ? first : second);
    score_ = value_of(left_weight_ * left_weight_, right_weight * right_weight, left_weight_) /
             static_cast<double>(all_);
    low_ = std::min(a[soonest], b[soonest]);
    high_ = std::max(a[soonest], b[soonest]);
  }

  // sum_c (w_right l_c - w_left r_c)^2 / (w_left w_right) from the squares of both sides, exact up to the division.
  [[nodiscard]] double value_of(std::uint32_t left_squares, std::uint32_t right_squares,
                                std::uint32_t left_weight) const {
    const std::uint32_t products = (squares_ + left_squares - right_squares) / 2;
    const auto left = static_cast<double>(left_weight), all = static_cast<double>(all_);
    const double sum = all * (all * static_cast<double>(left_squares) - 2.0 * left * products) +
                       left * left * static_cast<double>(squares_);
    return sum / (left * (all - left));
  }

  // The classes of the node.
  void enter() {
    n_classes_ = 0;
    all_ = squares_ = 0;
    std::size_t end = 0;
    for (std::uint64_t rest = here_; rest != 0;) {
      const std::uint64_t own = here_ & targets_.sets[targets_.classes[first_of(rest)]];
      rest &= ~own;
      end += static_cast<std::size_t>(std::popcount(own));
      const std::uint32_t total = weight_of(own);
      ends_[n_classes_] = end;
      totals_[n_classes_++] = total;
      all_ += total;
      squares_ += total * total;
    }
  }

  void search_columns() {
    const bool unit = all_ == n_here_;
    if (n_here_ <= 8) return unit ? search_as<8, true>() : search_as<8, false>();
    if (n_here_ <= 16) return unit ? search_as<16, true>() : search_as<16, false>();
    if (n_here_ <= 32) return unit ? search_as<32, true>() : search_as<32, false>();
    unit ? search_as<64, true>() : search_as<64, false>();
  }
  // Nodes of at most kRows rows; kUnit: that all weigh 1.
  template <std::size_t kRows, bool kUnit>
  HWY_NOINLINE void search_as() {
    n_taken_ = 0;
    floor_ = -1.0F;
    CutLanes<kRows> lanes(here_, all_, targets_.weights);
    const std::size_t n_draw = this->n_draw();
    bool seen = false;
    for (std::size_t i = 0; i < n_columns_; ++i) {
      if (i >= n_draw && (seen || (i == n_draw && all_same()))) break;
      const std::size_t j = draw_.next();
      if ((j < 64 && (known_ >> j & 1U) != 0) || (perfect_ && order_of(j) > order_)) continue;
      const ByteTile::Column& column = made(j);
      const __m512i bytes = _mm512_load_si512(column.ranks);
      const __m512i first = _mm512_set1_epi8(static_cast<char>(column.ranks[first_of(here_)]));
      if (_mm512_mask_cmpneq_epi8_mask(here_, bytes, first) == 0) {
        if (j < 64) known_ |= std::uint64_t{1} << j;
        continue;
      }
      seen = true;
      taken_[n_taken_].column = j;
      lanes.template score<kUnit>(bytes, {ends_, totals_, n_classes_}, taken_[n_taken_++].cuts);
      if (n_taken_ == kTogether) judge(lanes);
    }
    judge(lanes);
    if (found_) find_sides();
  }

  // Whether the rows of the node are alike in all columns.
  [[nodiscard]] bool all_same() const {
    const std::uint16_t* first = ranks_of(first_of(here_));
    for (std::uint64_t rest = here_ & (here_ - 1); rest != 0; rest &= rest - 1)
      if (!std::equal(first, first + n_columns_, ranks_of(first_of(rest)))) return false;
    return true;
  }

  struct alignas(64) Taken {
    ScoredCuts cuts;
    std::size_t column;
  };

  // Looks at the cuts near the best.
  template <std::size_t kRows>
  HWY_INLINE void judge(CutLanes<kRows>& lanes) {
    if (n_taken_ == 0) return;
    floor_ = std::max(floor_, lanes.top() * kNear);
    for (std::size_t t = 0; t < n_taken_; ++t)
      for (std::uint64_t near = lanes.near(taken_[t].cuts, floor_); near != 0; near &= near - 1)
        consider(taken_[t], first_of(near));
    n_taken_ = 0;
  }

  // The cut behind the i-th row of the node.
  void consider(const Taken& taken, std::size_t i) {
    const std::size_t j = taken.column, row = first_of(_pdep_u64(std::uint64_t{1} << i, here_));
    const double value =
        value_of(taken.cuts.left_squares[i], taken.cuts.right_squares[i], taken.cuts.left[i]);
    const double score = value / static_cast<double>(all_);
    const std::uint8_t cut = tile_.columns[j].ranks[row];
    if (found_ && score <= score_) {
      if (score < score_) return;
      if (j == column_ ? cut >= cut_ : order_of(j) >= order_) return;
    }
    found_ = true;
    score_ = score;
    column_ = j;
    order_ = order_of(j);
    cut_ = cut;
    cut_row_ = row;
    left_weight_ = taken.cuts.left[i];
    perfect_ = n_classes_ == 2 && value == 2.0 * totals_[0] * totals_[1];
  }

  // The rows on the left of the best cut, and the ranks beside it.
  void find_sides() {
    const ByteTile::Column& column = tile_.columns[column_];
    const __m512i bytes = _mm512_load_si512(column.ranks);
    left_ = _mm512_mask_cmple_epu8_mask(here_, bytes, _mm512_set1_epi8(static_cast<char>(cut_)));
    const std::uint64_t right = here_ & ~left_;
    const __m512i others = _mm512_mask_mov_epi8(_mm512_set1_epi8(-1), right, bytes);
    const __m256i half =
        _mm256_min_epu8(_mm512_castsi512_si256(others), _mm512_extracti64x4_epi64(others, 1));
    const __m128i quarter = _mm_min_epu8(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    const __m128i pairs = _mm_min_epu8(quarter, _mm_srli_epi16(quarter, 8));
    const auto next = static_cast<std::uint8_t>(
        _mm_extract_epi16(_mm_minpos_epu16(_mm_and_si128(pairs, _mm_set1_epi16(255))), 0));
    if (is_narrow(column_)) {
      low_ = cut_;
      high_ = next;
      return;
    }
    const std::uint64_t beside =
        _mm512_mask_cmpeq_epi8_mask(right, bytes, _mm512_set1_epi8(static_cast<char>(next)));
    low_ = column.whole[cut_row_];
    high_ = column.whole[first_of(beside)];
  }

  HWY_INLINE const ByteTile::Column& made(std::size_t j) {
    ByteTile::Column& column = tile_.columns[j];
    if (column.tile != tile_.tiles) make(j, column);
    return column;
  }
  void make(std::size_t j, ByteTile::Column& column) {
    column.tile = tile_.tiles;
    const std::uint16_t* by_row = tile_.table->by_row.data() + j;
    if (is_narrow(j)) {
      for (std::size_t i = 0; i < n_; ++i)
        column.ranks[i] = static_cast<std::uint8_t>(by_row[rows_[i] * n_columns_]);
      return;
    }
    for (std::size_t i = 0; i < n_; ++i) column.whole[i] = by_row[rows_[i] * n_columns_];
    // How many rows are lower.
    const __m512i low = _mm512_load_si512(column.whole), high = _mm512_load_si512(column.whole + 32);
    const std::uint64_t rows = UINT64_MAX >> (kTileRows - n_);
    const auto low_rows = static_cast<__mmask32>(rows), high_rows = static_cast<__mmask32>(rows >> 32);
    for (std::size_t i = 0; i < n_; ++i) {
      const __m512i own = _mm512_set1_epi16(static_cast<short>(column.whole[i]));
      auto lower = std::popcount(_mm512_mask_cmplt_epu16_mask(low_rows, low, own));
      if (high_rows != 0) lower += std::popcount(_mm512_mask_cmplt_epu16_mask(high_rows, high, own));
      column.ranks[i] = static_cast<std::uint8_t>(lower);
    }
  }

  void write(std::size_t index) {
    WholeNode& node = nodes_[index];
    node.column = static_cast<ColId>(column_);
    node.kind = tile_.table->columns[column_].kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
    node.gain = score_;
    node.missing_to = left_weight_ > all_ - left_weight_ ? 0 : 1;
    tile_.between.push_back({static_cast<std::uint32_t>(index), low_, high_});
  }
  // The cells of all cuts at once, so that none waits for another to come from memory.
  void write_thresholds() {
    for (const SortedTile::Between& cut : tile_.between) {
      WholeNode& node = nodes_[cut.node];
      const std::vector<double>& cells = tile_.table->columns[static_cast<std::size_t>(node.column)].cells;
      node.threshold =
          node.kind == NodeKind::numeric ? midpoint(cells[cut.low], cells[cut.high]) : cells[cut.high];
    }
    tile_.between.clear();
  }

  ByteTile& tile_;
  ByteTileTargets targets_;
  RowId* out_;
  const TileStart& start_;
  const SubtreeRules& rules_;
  bool drawn_;
  std::vector<WholeNode>& nodes_;
  std::size_t n_;
  std::size_t n_columns_;
  TileDraw draw_;
  RowId rows_[kTileRows];
  // The node.
  std::uint64_t here_ = 0, known_ = 0, key_ = 0;
  std::size_t n_here_ = 0, n_classes_ = 0;
  std::uint32_t all_ = 0;            // weight
  std::uint32_t squares_ = 0;        // of the totals, added up
  std::size_t ends_[kTileRows];      // of the rows of each class
  std::uint32_t totals_[kTileRows];  // by class
  // Columns that are looked through together.
  std::size_t n_taken_ = 0;
  float floor_ = -1.0F;
  Taken taken_[kTogether];
  // The best split.
  bool found_ = false, perfect_ = false;
  double score_ = 0.0;
  TieOrder ties_;
  std::uint64_t order_ = 0, left_ = 0;
  std::size_t column_ = 0, cut_row_ = 0;
  std::uint8_t cut_ = 0;
  std::uint32_t left_weight_ = 0;
  std::uint16_t low_ = 0, high_ = 0;
};

bool has_bytes() {
  return true;
}
void grow_bytes(ByteTile& tile, const ByteTileTargets& targets, std::span<RowId> rows, const TileStart& start,
                std::uint64_t known, const SubtreeRules& rules, bool drawn, std::vector<WholeNode>& nodes) {
  ByteTileGrower(tile, targets, rows, start, rules, drawn, nodes).grow(known);
}

#else

bool has_bytes() {
  return false;
}
void grow_bytes(ByteTile&, const ByteTileTargets&, std::span<RowId>, const TileStart&, std::uint64_t,
                const SubtreeRules&, bool, std::vector<WholeNode>&) {}

#endif

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {
HWY_EXPORT(has_bytes);
HWY_EXPORT(grow_bytes);

bool has_byte_tiles() noexcept {
  return HWY_DYNAMIC_DISPATCH(has_bytes)();
}

void grow_byte_tile(ByteTile& tile, const ByteTileTargets& targets, std::span<RowId> rows,
                    const TileStart& start, std::uint64_t known, const SubtreeRules& rules, bool drawn,
                    std::vector<WholeNode>& nodes) {
  HWY_DYNAMIC_DISPATCH(grow_bytes)(tile, targets, rows, start, known, rules, drawn, nodes);
}

}  // namespace bough
#endif
