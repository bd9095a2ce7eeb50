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

  // The classes of the node, and the weights of its rows.
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
    unit_ = all_ == n_here_;
    if (unit_) return;
    const __m512i weights = _mm512_maskz_compress_epi8(here_, _mm512_loadu_si512(targets_.weights));
    __m512i at = _mm512_setzero_si512();
    for (std::size_t i = 0; i < n_here_; ++i) {
      _mm512_store_si512(weights_ + i, _mm512_permutexvar_epi8(at, weights));
      at = _mm512_add_epi8(at, _mm512_set1_epi8(1));
    }
  }

  void search_columns() {
    n_taken_ = 0;
    n_vectors_ = (n_here_ + 15) / 16;
    floor_ = -1.0F;
    best_ = _mm512_set1_ps(-1.0F);
    const std::size_t n_draw = this->n_draw();
    bool seen = false;
    for (std::size_t i = 0; i < n_columns_; ++i) {
      if (i >= n_draw && (seen || (i == n_draw && all_same()))) break;
      const std::size_t j = draw_.next();
      if ((j < 64 && (known_ >> j & 1U) != 0) || (perfect_ && order_of(j) > order_)) continue;
      if (unit_ ? take<true>(j) : take<false>(j)) {
        seen = true;
        if (n_taken_ == kTogether) judge();
      } else if (j < 64) {
        known_ |= std::uint64_t{1} << j;
      }
    }
    judge();
    if (found_) find_sides();
  }

  // Whether the rows of the node are alike in all columns.
  [[nodiscard]] bool all_same() const {
    const std::uint16_t* first = ranks_of(first_of(here_));
    for (std::uint64_t rest = here_ & (here_ - 1); rest != 0; rest &= rest - 1)
      if (!std::equal(first, first + n_columns_, ranks_of(first_of(rest)))) return false;
    return true;
  }

  // Scores of all cuts of a column, one behind each row of the node; false when it is constant.
  template <bool kUnit>
  HWY_INLINE bool take(std::size_t j) {
    const ByteTile::Column& column = made(j);
    const __m512i bytes = _mm512_load_si512(column.ranks);
    const __m512i first = _mm512_set1_epi8(static_cast<char>(column.ranks[first_of(here_)]));
    if (_mm512_mask_cmpneq_epi8_mask(here_, bytes, first) == 0) return false;
    const __m512i ranks = _mm512_maskz_compress_epi8(here_, bytes), one = _mm512_set1_epi8(1);
    const __m512i none = _mm512_setzero_si512();
    const bool many = n_here_ > 32;
    __m512i left = none, left_squares[2] = {none, none}, right_squares[2] = {none, none}, at = none;
    std::size_t row = 0;
    for (std::size_t c = 0; c < n_classes_; ++c) {
      __m512i own = none;  // the weight of the class on the left of every cut
      for (const std::size_t end = ends_[c]; row < end; ++row) {
        const __mmask64 cuts = _mm512_cmple_epu8_mask(_mm512_permutexvar_epi8(at, ranks), ranks);
        own = _mm512_mask_add_epi8(own, cuts, own, kUnit ? one : weights_[row]);
        at = _mm512_add_epi8(at, one);
      }
      left = _mm512_add_epi8(left, own);
      const __m512i total = _mm512_set1_epi16(static_cast<short>(totals_[c]));
      add_squares(_mm512_castsi512_si256(own), total, left_squares[0], right_squares[0]);
      if (many) add_squares(_mm512_extracti64x4_epi64(own, 1), total, left_squares[1], right_squares[1]);
    }
    Taken& taken = taken_[n_taken_];
    taken.column = j;
    _mm512_store_si512(taken.left, left);
    for (std::size_t k = 0; k < (many ? 2U : 1U); ++k) {
      _mm512_store_si512(taken.left_squares + 32 * k, left_squares[k]);
      _mm512_store_si512(taken.right_squares + 32 * k, right_squares[k]);
    }
    put(taken, 0, _mm512_castsi512_si128(left), _mm512_castsi512_si256(left_squares[0]),
        _mm512_castsi512_si256(right_squares[0]));
    if (n_vectors_ > 1)
      put(taken, 1, _mm512_extracti32x4_epi32(left, 1), _mm512_extracti64x4_epi64(left_squares[0], 1),
          _mm512_extracti64x4_epi64(right_squares[0], 1));
    if (n_vectors_ > 2)
      put(taken, 2, _mm512_extracti32x4_epi32(left, 2), _mm512_castsi512_si256(left_squares[1]),
          _mm512_castsi512_si256(right_squares[1]));
    if (n_vectors_ > 3)
      put(taken, 3, _mm512_extracti32x4_epi32(left, 3), _mm512_extracti64x4_epi64(left_squares[1], 1),
          _mm512_extracti64x4_epi64(right_squares[1], 1));
    ++n_taken_;
    return true;
  }
  static HWY_INLINE void add_squares(__m256i own, __m512i total, __m512i& left, __m512i& right) {
    const __m512i l = _mm512_cvtepu8_epi16(own), r = _mm512_sub_epi16(total, l);
    left = _mm512_add_epi16(left, _mm512_mullo_epi16(l, l));
    right = _mm512_add_epi16(right, _mm512_mullo_epi16(r, r));
  }

  struct alignas(64) Taken {
    float scores[kTileRows];
    std::uint16_t left_squares[kTileRows], right_squares[kTileRows];
    std::uint8_t left[kTileRows];
    std::size_t column;
  };

  // sum l^2 / w_left + sum r^2 / w_right of 16 cuts. Up to the division all numbers but one sum are whole ones below 2^24.
  HWY_INLINE void put(Taken& taken, std::size_t k, __m128i left, __m256i left_squares,
                      __m256i right_squares) {
    const __m512i weights = _mm512_cvtepu8_epi32(left);
    const __m512i others = _mm512_sub_epi32(_mm512_set1_epi32(static_cast<int>(all_)), weights);
    const __m512 l = _mm512_cvtepi32_ps(weights), r = _mm512_cvtepi32_ps(others);
    const __m512 a = _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(left_squares)),
                 b = _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(right_squares));
    const __m512 score =
        _mm512_div_ps(_mm512_add_ps(_mm512_mul_ps(a, r), _mm512_mul_ps(b, l)), _mm512_mul_ps(l, r));
    const auto rows = static_cast<__mmask16>((UINT64_MAX >> (kTileRows - n_here_)) >> (16 * k));
    const __mmask16 cuts = _mm512_mask_test_epi32_mask(rows, others, others);
    const __m512 kept = _mm512_mask_mov_ps(_mm512_set1_ps(-1.0F), cuts, score);
    _mm512_store_ps(taken.scores + 16 * k, kept);
    best_ = _mm512_max_ps(best_, kept);
  }

  // Looks at the cuts near the best.
  void judge() {
    if (n_taken_ == 0) return;
    floor_ = std::max(floor_, _mm512_reduce_max_ps(best_) * kNear);
    const __m512 least = _mm512_set1_ps(floor_);
    for (std::size_t t = 0; t < n_taken_; ++t) {
      std::uint64_t near = 0;
      for (std::size_t k = 0; k < n_vectors_; ++k)
        near |= static_cast<std::uint64_t>(
                    _mm512_cmp_ps_mask(_mm512_load_ps(taken_[t].scores + 16 * k), least, _CMP_GE_OQ))
                << (16 * k);
      for (; near != 0; near &= near - 1) consider(taken_[t], first_of(near));
    }
    n_taken_ = 0;
  }

  // The cut behind the i-th row of the node.
  void consider(const Taken& taken, std::size_t i) {
    const std::size_t j = taken.column, row = first_of(_pdep_u64(std::uint64_t{1} << i, here_));
    const double value = value_of(taken.left_squares[i], taken.right_squares[i], taken.left[i]);
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
    left_weight_ = taken.left[i];
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
  bool unit_ = true;                 // all its rows weigh 1
  std::uint32_t all_ = 0;            // weight
  std::uint32_t squares_ = 0;        // of the totals, added up
  std::size_t ends_[kTileRows];      // of the rows of each class
  std::uint32_t totals_[kTileRows];  // by class
  __m512i weights_[kTileRows];       // of each row, in every byte
  // Columns that are looked through together.
  std::size_t n_taken_ = 0, n_vectors_ = 1;
  float floor_ = -1.0F;
  __m512 best_;
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
