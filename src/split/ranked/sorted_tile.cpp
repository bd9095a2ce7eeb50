// SPDX-License-Identifier: Apache-2.0
// Sorted tiles; compiled for processors with AVX-512 VBMI2, empty for the others.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "split/ranked/sorted_tile.cpp"
#include "split/ranked/sorted_tile.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "base/random.hpp"
#include "split/ranked/sorted_node.hpp"

HWY_BEFORE_NAMESPACE();
namespace bough::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3_DL

constexpr std::size_t kTogether = 32;  // columns of a node that are looked through at once
constexpr std::uint8_t kOutside = 0x80;

class TileGrower : TileNode {
 public:
  TileGrower(SortedTile& tile, const SortedTileTargets& targets, std::span<RowId> rows,
             const TileStart& start, const SubtreeRules& rules, bool drawn, std::vector<WholeNode>& nodes)
      : TileNode(targets),
        tile_(tile),
        out_(rows),
        start_(start),
        rules_(rules),
        drawn_(drawn),
        nodes_(nodes),
        n_(rows.size()),
        n_columns_(tile.sorted.size()),
        slack_(targets.exact ? 0x1p-49 : 1e-13) {
    std::copy(rows.begin(), rows.end(), rows_);
    for (std::size_t k = 0; 8 * k < n_; ++k)
      at_[k] = _mm512_mul_epu32(
          _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows_ + 8 * k))),
          _mm512_set1_epi64(static_cast<long long>(n_columns_)));
    ++tile.tiles;
  }

  void grow(std::uint64_t known) {
    Open stack[kTileRows + 1];
    std::size_t n_open = 0;
    stack[n_open++] = {UINT64_MAX >> (kTileRows - n_), known, start_.key, 0, start_.depth, 2, -1};
    while (n_open > 0) {
      const Open open = stack[--n_open];
      const auto n = static_cast<std::uint32_t>(std::popcount(open.rows));
      std::size_t index = start_.index;
      if (open.side < 2) {
        index = nodes_.size();
        if (open.right_of >= 0)
          nodes_[static_cast<std::size_t>(open.right_of)].right = static_cast<std::int32_t>(index);
        nodes_.push_back({start_.begin + open.begin, start_.begin + open.begin + n});
      }
      RowId* to = out_.data() + open.begin;
      if (n == 1) {
        *to = rows_[first_of(open.rows)];
        continue;
      }
      if (!search(open, n)) {
        for (std::uint64_t rest = open.rows; rest != 0; rest &= rest - 1) *to++ = rows_[first_of(rest)];
        continue;
      }
      write(index);
      const auto above = static_cast<std::int32_t>(index);
      if (n == 2) {  // two leaves
        const std::uint32_t at = start_.begin + open.begin;
        nodes_[index].right = above + 2;
        nodes_.push_back({at, at + 1});
        nodes_.push_back({at + 1, at + 2});
        to[0] = rows_[first_of(left_)];
        to[1] = rows_[first_of(open.rows & ~left_)];
        continue;
      }
      const std::uint32_t middle = open.begin + static_cast<std::uint32_t>(std::popcount(left_));
      stack[n_open++] = {open.rows & ~left_, known_, key_, middle, open.depth + 1, 1, above};
      stack[n_open++] = {left_, known_, key_, open.begin, open.depth + 1, 0, -1};
    }
    write_thresholds();
  }

 private:
  struct Open {
    std::uint64_t rows;
    std::uint64_t known;  // the first 64 columns that are constant
    std::uint64_t key;    // of its parent, until it is wanted
    std::uint32_t begin;
    std::int32_t depth;
    std::uint32_t side;  // 2: the root, whose key it is
    std::int32_t right_of;
  };

  [[nodiscard]] const std::uint16_t* ranks_of(std::size_t row) const {
    return tile_.table->by_row.data() + rows_[row] * n_columns_;
  }
  [[nodiscard]] std::uint64_t order_of(std::size_t j) const { return ties_.of(static_cast<ColId>(j)); }

  // Fills the best split; false for a leaf.
  bool search(const Open& open, std::uint32_t n) {
    if (n < rules_.min_samples_split || open.depth >= rules_.max_depth) return false;
    here_ = open.rows;
    if (!enter(n)) return false;
    key_ = open.side == 2 || !(drawn_ || rules_.draw_ties) ? open.key : mix(open.key, open.side);
    ties_ = rules_.ties(key_, n_columns_);
    known_ = open.known;
    found_ = false;
    if (drawn_) tile_.columns->begin(key_, false);
    n == 2 ? search_pair() : search_columns();
    return found_ && rules_.worth(targets_.gain_unit.times(score_));
  }

  // Two rows: every cut scores the same, and the soonest column wins.
  void search_pair() {
    const std::size_t first = first_of(here_), second = last_of(here_);
    const std::uint16_t *a = ranks_of(first), *b = ranks_of(second);
    std::size_t soonest = n_columns_;
    if (!drawn_ && !ties_.drawn()) {
      soonest = 0;
      while (soonest < n_columns_ && a[soonest] == b[soonest]) ++soonest;
    } else {
      const std::size_t n_draw = this->n_draw();
      std::uint64_t order = UINT64_MAX;
      for (std::size_t i = 0; i < n_columns_ && (i < n_draw || soonest == n_columns_); ++i) {
        const std::size_t j = drawn_ ? static_cast<std::size_t>(tile_.columns->next()) : i;
        if (a[j] == b[j] || order_of(j) > order) continue;
        soonest = j;
        order = order_of(j);
      }
    }
    if (soonest == n_columns_) return;
    const bool in_order = a[soonest] < b[soonest];
    left_ = std::uint64_t{1} << (in_order ? first : second);
    const std::size_t at = in_order ? 0 : 1;
    found_ = true;
    column_ = soonest;
    score_ = score_of(pair_targets_[at], pair_weights_[at]);
    left_weight_ = pair_weights_[at];
    low_ = std::min(a[soonest], b[soonest]);
    high_ = std::max(a[soonest], b[soonest]);
  }

  [[nodiscard]] std::size_t n_draw() const { return drawn_ ? rules_.max_features : n_columns_; }

  void search_columns() {
    start_columns();
    const std::size_t n_draw = this->n_draw();
    bool seen = false;
    for (std::size_t i = 0; i < n_columns_; ++i) {
      if (i >= n_draw && (seen || (i == n_draw && all_same()))) break;
      const std::size_t j = drawn_ ? static_cast<std::size_t>(tile_.columns->next()) : i;
      if (j < 64 && (known_ >> j & 1U) != 0) continue;
      if (take(j)) {
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

  void start_columns() {
    n_taken_ = 0;
    n_vectors_ = n_here_ > kFew ? (n_ + 7) / 8 : n_here_ > 8 ? 2 : 1;
    floor_ = -1.0;
    best_ = hn::Set(Reals(), -1.0);
    // The number of each row among those of the node.
    const __m512i outside = _mm512_set1_epi8(static_cast<char>(kOutside));
    numbers_ = VBytes{_mm512_mask_expand_epi8(outside, here_, hn::Iota(Bytes(), 0).raw)};
    if (n_here_ > kFew) return;
    if (!targets_.unit_weights) return;
    for (std::size_t k = 0; k < n_vectors_; ++k) {
      // Sides of so many rows each.
      const auto left = hn::Iota(Reals(), static_cast<double>(8 * k + 1));
      unit_left_[k] = hn::Mul(hn::Set(Reals(), sum_), left);
      const auto product = hn::Mul(left, hn::Sub(hn::Set(Reals(), all_), left));
      unit_factor_[k] = hn::Div(hn::Set(Reals(), 1.0), product);
    }
  }

  // Values of all cuts of a column; false when it is constant.
  bool take(std::size_t j) {
    const SortedTile::Column& column = sorted(j);
    const VBytes numbers = pick(numbers_, hn::Load(Bytes(), column.order));
    const std::uint64_t inside = ~static_cast<std::uint64_t>(_mm512_movepi8_mask(numbers.raw));
    if (column.ranks[first_of(inside)] == column.ranks[last_of(inside)]) return false;
    inside_[n_taken_] = inside;
    columns_[n_taken_] = j;
    if (n_here_ > kFew) {
      take_many(j, inside);
    } else {
      take_few(column, numbers, inside);
    }
    ++n_taken_;
    return true;
  }

  // Positions are those of the node's rows.
  HWY_INLINE void take_few(const SortedTile::Column& column, VBytes numbers, std::uint64_t inside) {
    const __m128i at = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(inside, numbers.raw));
    const __m128i ranks =
        _mm512_castsi512_si128(_mm512_maskz_compress_epi8(inside, _mm512_load_si512(column.ranks)));
    // Cuts lie where ranks differ from the next.
    const std::uint32_t differ = _mm_cmpneq_epi8_mask(ranks, _mm_bsrli_si128(ranks, 1));
    const std::uint32_t cuts = differ & ((1U << (n_here_ - 1)) - 1);
    const __m512i low = _mm512_cvtepu8_epi64(at);
    if (n_here_ <= 8) {
      const VWhole sums = running(VWhole{_mm512_permutexvar_epi64(low, few_targets_[0].raw)});
      hn::Store(sums, Whole(), sums_ + at_vector(0));
      put(0, sums, targets_.unit_weights ? few_weights_[0] : few_left(low), static_cast<__mmask8>(cuts));
      return;
    }
    const __m512i high = _mm512_cvtepu8_epi64(_mm_bsrli_si128(at, 8));
    const VWhole first =
        running(VWhole{_mm512_permutex2var_epi64(few_targets_[0].raw, low, few_targets_[1].raw)});
    const VWhole second =
        hn::Add(running(VWhole{_mm512_permutex2var_epi64(few_targets_[0].raw, high, few_targets_[1].raw)}),
                last_lane(first));
    hn::Store(first, Whole(), sums_ + at_vector(0));
    hn::Store(second, Whole(), sums_ + at_vector(1));
    VWhole left = few_weights_[0], right = left;
    if (!targets_.unit_weights) {
      left = running(VWhole{_mm512_permutex2var_epi64(few_weights_[0].raw, low, few_weights_[1].raw)});
      right =
          hn::Add(running(VWhole{_mm512_permutex2var_epi64(few_weights_[0].raw, high, few_weights_[1].raw)}),
                  last_lane(left));
    }
    put(0, first, left, static_cast<__mmask8>(cuts));
    put(1, second, right, static_cast<__mmask8>(cuts >> 8));
  }
  [[nodiscard]] HWY_INLINE VWhole few_left(__m512i at) const {
    return running(VWhole{_mm512_permutexvar_epi64(at, few_weights_[0].raw)});
  }
  static HWY_INLINE VWhole last_lane(VWhole v) {
    return VWhole{_mm512_permutexvar_epi64(_mm512_set1_epi64(7), v.raw)};
  }

  // Where the k-th eight positions of the column are.
  [[nodiscard]] HWY_INLINE std::size_t at_vector(std::size_t k) const {
    return 8 * (n_taken_ * n_vectors_ + k);
  }
  // Values of cuts k * 8 and on. `left`: weights, but of rows that all weigh 1.
  HWY_INLINE void put(std::size_t k, VWhole sums, VWhole left, __mmask8 cuts) {
    const Reals d;
    VReals value;
    const auto scaled = hn::Mul(hn::Set(d, all_), hn::ConvertTo(d, sums));
    if (targets_.unit_weights) {
      const auto difference = hn::Sub(scaled, unit_left_[k]);
      value = hn::Mul(hn::Mul(difference, difference), unit_factor_[k]);
    } else {
      hn::Store(left, Whole(), weights_ + at_vector(k));
      value = weighted(scaled, hn::ConvertTo(d, left));
    }
    keep(k, value, cuts);
  }
  [[nodiscard]] HWY_INLINE VReals weighted(VReals scaled, VReals left) const {
    const Reals d;
    const auto difference = hn::Sub(scaled, hn::Mul(hn::Set(d, sum_), left));
    const auto product = hn::Mul(left, hn::Sub(hn::Set(d, all_), left));
    return hn::Div(hn::Mul(difference, difference), product);
  }
  HWY_INLINE void keep(std::size_t k, VReals value, __mmask8 cuts) {
    const VReals kept{_mm512_mask_mov_pd(_mm512_set1_pd(-1.0), cuts, value.raw)};
    hn::Store(kept, Reals(), values_ + at_vector(k));
    best_ = hn::Max(best_, kept);
  }

  // Positions are those of all rows of the tile.
  HWY_INLINE void take_many(std::size_t j, std::uint64_t inside) {
    const SortedTile::Sums& from = tile_.sums[j];
    // A cut behind the last row of a rank, with rows on both sides.
    const std::uint64_t cuts =
        tile_.sorted[j].ends & (UINT64_MAX << first_of(inside)) & (up_to(last_of(inside)) >> 1);
    VWhole sum = hn::Zero(Whole()), weight = sum;
    const Reals d;
    for (std::size_t k = 0; k < n_vectors_; ++k) {
      const auto own = static_cast<__mmask8>(inside >> (8 * k));
      sum = hn::Add(running(VWhole{_mm512_maskz_load_epi64(own, from.targets + 8 * k)}), last_lane(sum));
      weight =
          hn::Add(running(VWhole{_mm512_maskz_load_epi64(own, from.weights + 8 * k)}), last_lane(weight));
      const VWhole centred =
          targets_.exact
              ? sum
              : VWhole{_mm512_sub_epi64(sum.raw, _mm512_mullo_epi64(_mm512_set1_epi64(centre_), weight.raw))};
      hn::Store(centred, Whole(), sums_ + at_vector(k));
      hn::Store(weight, Whole(), weights_ + at_vector(k));
      keep(k, weighted(hn::Mul(hn::Set(d, all_), hn::ConvertTo(d, centred)), hn::ConvertTo(d, weight)),
           static_cast<__mmask8>(cuts >> (8 * k)));
    }
  }

  // Looks at the cuts near the best.
  void judge() {
    if (n_taken_ == 0) return;
    const Reals d;
    const double top = hn::GetLane(hn::MaxOfLanes(d, best_));
    floor_ = std::max(floor_, top * (1.0 - slack_));
    const auto least = _mm512_set1_pd(floor_);
    const std::size_t n = n_taken_ * n_vectors_;
    for (std::size_t begin = 0; begin < n; begin += 8) {
      std::uint64_t near = 0;
      for (std::size_t v = begin; v < std::min(n, begin + 8); ++v) {
        const std::uint64_t own = _mm512_cmp_pd_mask(_mm512_load_pd(values_ + 8 * v), least, _CMP_GE_OQ);
        near |= own << 8 * (v - begin);
      }
      for (; near != 0; near &= near - 1) consider(static_cast<std::uint32_t>(8 * begin + first_of(near)));
    }
    n_taken_ = 0;
  }

  // One of values_; cuts of a column come from the lowest on.
  void consider(std::uint32_t at) {
    const std::uint32_t n = 8 * static_cast<std::uint32_t>(n_vectors_), t = at / n, position = at % n;
    const std::int64_t weight =
        n_here_ <= kFew && targets_.unit_weights ? static_cast<std::int64_t>(position + 1) : weights_[at];
    const double score = score_of(sums_[at], weight);
    const std::size_t j = columns_[t];
    if (found_ && !(score > score_ || (score == score_ && order_of(j) < order_))) return;
    found_ = true;
    score_ = score;
    column_ = j;
    order_ = order_of(j);
    left_weight_ = weight;
    inside_best_ = inside_[t];
    cut_ = n_here_ > kFew ? position : first_of(_pdep_u64(std::uint64_t{1} << position, inside_best_));
  }

  // The rows on the left of the best cut, and the ranks beside it.
  void find_sides() {
    const SortedTile::Column& column = tile_.sorted[column_];
    const std::size_t low = last_of(inside_best_ & up_to(cut_)), high = first_of(inside_best_ & ~up_to(cut_));
    left_ = 0;
    for (std::uint64_t rest = inside_best_ & up_to(cut_); rest != 0; rest &= rest - 1)
      left_ |= std::uint64_t{1} << column.order[first_of(rest)];
    low_ = ranks_of(column.order[low])[column_];
    high_ = ranks_of(column.order[high])[column_];
  }

  const SortedTile::Column& sorted(std::size_t j) {
    SortedTile::Column& column = tile_.sorted[j];
    if (column.tile != tile_.tiles) sort_column(j, column);
    return column;
  }
  void sort_column(std::size_t j, SortedTile::Column& column) {
    column.tile = tile_.tiles;
    HWY_NAMESPACE::sort_column(tile_.table->by_row.data() + j, at_, n_, column);
    if (n_ <= kFew) return;
    SortedTile::Sums& sums = tile_.sums[j];
    for (std::size_t i = 0; i < n_; ++i) {
      const std::size_t row = column.order[i];
      sums.targets[i] = targets_.targets[row] * targets_.weights[row];
      sums.weights[i] = targets_.weights[row];
    }
  }

  void write(std::size_t index) {
    WholeNode& node = nodes_[index];
    node.column = static_cast<ColId>(column_);
    node.kind = tile_.table->columns[column_].kind == Kind::numeric ? NodeKind::numeric : NodeKind::ordinal;
    node.gain = targets_.gain_unit.times(score_);
    node.missing_to = left_weight_ > whole_all_ - left_weight_ ? 0 : 1;
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

  SortedTile& tile_;
  std::span<RowId> out_;
  const TileStart& start_;
  const SubtreeRules& rules_;
  bool drawn_;
  std::vector<WholeNode>& nodes_;
  std::size_t n_;
  std::size_t n_columns_;
  double slack_;
  RowId rows_[kTileRows];
  __m512i at_[kTileRows / 8];  // where the ranks of each row begin
  // The node.
  std::uint64_t known_ = 0, key_ = 0;
  VBytes numbers_;
  VReals unit_left_[2], unit_factor_[2];
  // Columns that are looked through together.
  std::size_t n_taken_ = 0;
  VReals best_;
  std::size_t columns_[kTogether];
  std::uint64_t inside_[kTogether];  // positions of the tile's sorted rows
  std::size_t n_vectors_ = 1;        // of eight positions, per column
  alignas(64) double values_[kTogether * kTileRows];
  alignas(64) std::int64_t sums_[kTogether * kTileRows];
  alignas(64) std::int64_t weights_[kTogether * kTileRows];
  // The best split.
  double floor_ = -1.0;
  bool found_ = false;
  double score_ = 0.0;
  TieOrder ties_;
  std::uint64_t order_ = 0, inside_best_ = 0, left_ = 0;
  std::size_t column_ = 0, cut_ = 0;
  std::int64_t left_weight_ = 0;
  std::uint16_t low_ = 0, high_ = 0;
};

bool has_tile() {
  return true;
}
void grow_tile(SortedTile& tile, const SortedTileTargets& targets, std::span<RowId> rows,
               const TileStart& start, std::uint64_t known, const SubtreeRules& rules, bool drawn,
               std::vector<WholeNode>& nodes) {
  TileGrower(tile, targets, rows, start, rules, drawn, nodes).grow(known);
}

#else

bool has_tile() {
  return false;
}
void grow_tile(SortedTile&, const SortedTileTargets&, std::span<RowId>, const TileStart&, std::uint64_t,
               const SubtreeRules&, bool, std::vector<WholeNode>&) {}

#endif

}  // namespace bough::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bough {
HWY_EXPORT(has_tile);
HWY_EXPORT(grow_tile);

bool has_sorted_tiles() noexcept {
  return HWY_DYNAMIC_DISPATCH(has_tile)();
}

void grow_sorted_tile(SortedTile& tile, const SortedTileTargets& targets, std::span<RowId> rows,
                      const TileStart& start, std::uint64_t known, const SubtreeRules& rules, bool drawn,
                      std::vector<WholeNode>& nodes) {
  HWY_DYNAMIC_DISPATCH(grow_tile)(tile, targets, rows, start, known, rules, drawn, nodes);
}

}  // namespace bough
#endif
