// SPDX-License-Identifier: Apache-2.0
// Lays trees out for prediction and walks rows down in turns.
#include "predict/compact.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/internal_limits.hpp"
#include "predict/route.hpp"

namespace bough {
namespace {

constexpr std::size_t kLanes = 8;          // rows on a long way at once
constexpr std::size_t kShallowLanes = 16;  // rows on a short way at once
constexpr int kRounds = 6;                 // steps between two looks at who has arrived
constexpr std::size_t kTurnColumns = 64, kTurnRows = 64;
// NaN whose low bits are the number of an end.
constexpr std::uint64_t kWideEnd = 0x7ff8000000000000ULL;

std::size_t at(NodeId node) noexcept {
  return static_cast<std::size_t>(node);
}

// The largest float that is not above `value`.
float float_below(double value) noexcept {
  const auto near = static_cast<float>(value);
  return static_cast<double>(near) > value ? std::nextafter(near, -std::numeric_limits<float>::infinity())
                                           : near;
}

// Child of missing cells where one test of a number decides; -1 where it takes more than that.
std::int32_t plain_missing(const Tree& tree, NodeId node) {
  if (tree.kind(node) != NodeKind::numeric || has_surrogates(tree, node)) return -1;
  return std::max(route_missing(tree, node), -1);
}

// Asks for the cells of a row some way ahead, so that memory keeps up with the walk. The address may lie
// behind the end.
void ask_ahead(const void* row, std::ptrdiff_t row_bytes) noexcept {
  constexpr std::ptrdiff_t kAhead = 256, kLine = 64, kMostBytes = 256;
  if (row_bytes > kMostBytes || row_bytes < kLine / 2) return;  // the processor knows short steps by itself
  const auto address =
      reinterpret_cast<std::uintptr_t>(row) + static_cast<std::uintptr_t>(kAhead * row_bytes);
  for (std::ptrdiff_t i = 0; i < row_bytes; i += kLine)
    __builtin_prefetch(reinterpret_cast<const void*>(address + static_cast<std::uintptr_t>(i)));
}

// Asks for all cells of some rows that lie column by column: no processor sees the order in which a walk
// visits them.
template <class T>
void ask_columns(const CellGrid<T>& cells, std::size_t n_rows, std::size_t n_columns) noexcept {
  constexpr std::size_t kMostColumns = 256, kLine = 64 / sizeof(T);
  if (n_columns > kMostColumns) return;
  for (std::size_t j = 0; j < n_columns; ++j) {
    const T* column = cells.data + static_cast<std::ptrdiff_t>(j) * cells.column_stride;
    for (std::size_t i = 0; i < n_rows; i += kLine) __builtin_prefetch(column + i);
  }
}

// Whether one of the cells is NaN, or infinities of both signs are among them: then their sum is NaN. Many sums side
// by side, because compilers vectorise such loops.
template <class T>
bool has_missing(const T* cells, std::size_t count) noexcept {
  constexpr std::size_t kSums = 128 / sizeof(T), kFew = 256;
  if (count < kFew) {  // the sign bit is set when one of the cells is NaN
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    constexpr Bits kInfinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
    constexpr Bits kMagnitude = std::numeric_limits<Bits>::max();
    Bits bits = 0;
    for (std::size_t i = 0; i < count; ++i) bits |= kInfinity - (std::bit_cast<Bits>(cells[i]) & kMagnitude);
    return bits < 0;
  }
  T sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= count; i += kSums)
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += cells[i + k];
  for (std::size_t k = 0; i + k < count; ++k) sums[k] += cells[i + k];
  return std::any_of(std::begin(sums), std::end(sums), [](T sum) { return sum != sum; });
}

}  // namespace

template <class T>
bool any_missing(const CellGrid<T>& cells, std::size_t n_rows, std::size_t n_columns) noexcept {
  if (n_rows == 0 || n_columns == 0) return false;
  const auto columns = static_cast<std::ptrdiff_t>(n_columns);
  if (cells.column_stride == 1 && cells.row_stride >= columns && cells.row_stride <= 2 * columns + 8) {
    // One run, whatever lies between the rows: what is missing there costs time only.
    return has_missing(cells.data, (n_rows - 1) * static_cast<std::size_t>(cells.row_stride) + n_columns);
  }
  bool any = false;
  if (cells.column_stride == 1) {
    for (std::size_t i = 0; i < n_rows; ++i) any |= has_missing(cells.skip(i).data, n_columns);
    return any;
  }
  for (std::size_t j = 0; j < n_columns; ++j) {
    const T* column = cells.data + static_cast<std::ptrdiff_t>(j) * cells.column_stride;
    if (cells.row_stride == 1) {
      any |= has_missing(column, n_rows);
    } else {
      for (std::size_t i = 0; i < n_rows; ++i)
        any |= has_missing(column + static_cast<std::ptrdiff_t>(i) * cells.row_stride, 1);
    }
  }
  return any;
}
template bool any_missing(const CellGrid<float>&, std::size_t, std::size_t) noexcept;
template bool any_missing(const CellGrid<double>&, std::size_t, std::size_t) noexcept;

CompactTree::CompactTree(const Tree& tree) : tree_(&tree), depth_(tree.depth()) {
  const std::vector<NodeId> ids = lay_out();
  number_ends(ids);
  make_small();
  make_groups();
  if (!other_kinds_) return;
  place_of_.resize(at(tree.n_nodes()));
  for (std::size_t place = 0; place < ids.size(); ++place)
    if (ids[place] >= 0) place_of_[at(ids[place])] = static_cast<Slot>(place);
}

// Fills wide_; the node at every place, -1 where a place only fills a pair.
std::vector<NodeId> CompactTree::lay_out() {
  std::vector<NodeId> ids;
  wide_.reserve(at(tree_->n_nodes()) + 1);
  ids.reserve(at(tree_->n_nodes()) + 1);
  // New places in pairs; until something else is put there, rows stay.
  const auto take_places = [&](std::size_t count) {
    const auto first = static_cast<Slot>(wide_.size());
    for (std::size_t i = 0; i < (count + 1) / 2 * 2; ++i) {
      wide_.push_back({std::numeric_limits<double>::quiet_NaN(), first + static_cast<Slot>(i), 0});
      ids.push_back(-1);
    }
    return first;
  };
  std::vector<Slot> open{take_places(1)};
  ids[0] = 0;
  while (!open.empty()) {
    const Slot place = open.back();
    open.pop_back();
    const NodeId node = ids[place];
    const auto children = tree_->children(node);
    if (children.empty()) continue;
    const Slot first = take_places(children.size());
    for (std::size_t i = 0; i < children.size(); ++i) ids[first + i] = children[i];
    if (const std::int32_t missing = plain_missing(*tree_, node); missing >= 0) {
      wide_[place] = {
          tree_->threshold(node), first,
          static_cast<std::uint32_t>(tree_->column(node)) * 2 + static_cast<std::uint32_t>(missing)};
    } else {
      other_kinds_ = true;
    }
    // The heaviest child is opened next: the way of most rows lies in one piece.
    const std::size_t before = open.size();
    for (std::size_t i = 0; i < children.size(); ++i) open.push_back(first + static_cast<Slot>(i));
    const auto lighter = [&](Slot a, Slot b) { return tree_->n_rows(ids[a]) < tree_->n_rows(ids[b]); };
    if (children.size() == 2) {  // nearly always: no sort, which would ask for memory
      if (lighter(open[before + 1], open[before])) std::swap(open[before], open[before + 1]);
    } else {
      std::stable_sort(open.begin() + static_cast<std::ptrdiff_t>(before), open.end(), lighter);
    }
  }
  return ids;
}

void CompactTree::number_ends(std::span<const NodeId> ids) {
  for (std::size_t place = 0; place < ids.size(); ++place) {
    if (ids[place] < 0 || wide_[place].children != place) continue;
    wide_[place].threshold = std::bit_cast<double>(kWideEnd | nodes_.size());
    nodes_.push_back(ids[place]);
  }
}

void CompactTree::make_small() {
  std::uint32_t last_column = 0;
  for (const Wide& node : wide_) last_column = std::max(last_column, node.test / 2);
  n_columns_ = last_column + 1;
  for (const int bits : {8, 14}) {
    if (last_column >> bits != 0 || bits + 1 + static_cast<int>(std::bit_width(wide_.size())) > 32) continue;
    column_bits_ = bits;
    small_.reserve(wide_.size());
    for (const Wide& node : wide_) {
      const auto end = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(node.threshold));
      small_.push_back({std::isnan(node.threshold) ? std::bit_cast<float>(SmallNode::kEnd | end)
                                                   : float_below(node.threshold),
                        node.children << (bits + 1) | (node.test & 1) << bits | node.test >> 1});
    }
    return;
  }
}

void CompactTree::make_groups() {
  if (other_kinds_ || small_.empty() || n_columns_ > GroupedTree::kMostColumns) return;
  groups_ = GroupedTree({small_, column_bits_}, depth_, n_columns_);
}

// What a walk needs to know of a node type. x != x: the cell is missing.
template <bool kMissing>
struct CompactTree::WideStep {
  const Wide* nodes;

  [[nodiscard]] bool stays(Slot place) const noexcept { return nodes[place].children == place; }
  [[nodiscard]] End end(Slot place) const noexcept {
    return static_cast<End>(std::bit_cast<std::uint64_t>(nodes[place].threshold));
  }
  template <class T>
  [[nodiscard]] Slot next(Slot place, const T* row, std::ptrdiff_t stride) const noexcept {
    const Wide& node = nodes[place];
    const auto x = static_cast<double>(row[static_cast<std::ptrdiff_t>(node.test >> 1) * stride]);
    auto right = static_cast<Slot>(x > node.threshold);
    if constexpr (kMissing) right |= static_cast<Slot>(x != x) & node.test;
    return node.children + right;
  }
};

template <int kColumnBits, bool kMissing>
struct CompactTree::SmallStep {
  const Small* nodes;

  [[nodiscard]] bool stays(Slot place) const noexcept {
    return nodes[place].word >> (kColumnBits + 1) == place;
  }
  [[nodiscard]] End end(Slot place) const noexcept { return nodes[place].end(); }
  [[nodiscard]] Slot next(Slot place, const float* row, std::ptrdiff_t stride) const noexcept {
    const Small node = nodes[place];
    const std::uint32_t column = node.word & ((1U << kColumnBits) - 1);
    const float x = row[static_cast<std::ptrdiff_t>(column) * stride];
    auto right = static_cast<Slot>(x > node.threshold);
    if constexpr (kMissing) right |= static_cast<Slot>(x != x) & node.word >> kColumnBits;
    return (node.word >> (kColumnBits + 1)) + right;
  }
};

// From a place that rows do not leave by comparing a number: where they go, the place itself where they end.
template <class Step, class T>
CompactTree::Slot CompactTree::leave(const Step& step, Slot place, const T* row,
                                     std::ptrdiff_t stride) const {
  const NodeId node = nodes_[step.end(place)];
  if (tree_->is_leaf(node)) return place;
  const std::int32_t child =
      route(*tree_, node, [&](ColId column) { return static_cast<double>(row[column * stride]); });
  if (child == missing_by_share) return kSplit;
  if (child == missing_stops) return place;
  return place_of_[at(tree_->children(node)[static_cast<std::size_t>(child)])];
}

template <class Step, class T>
void CompactTree::find_few(const Step& step, const CellGrid<T>& cells, std::span<End> ends) const {
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const T* row = cells.skip(i).data;
    Slot place = 0;
    while (true) {
      while (!step.stays(place)) place = step.next(place, row, cells.column_stride);
      const Slot next = other_kinds_ ? leave(step, place, row, cells.column_stride) : place;
      if (next == place || next == kSplit) {
        ends[i] = next == kSplit ? kSplit : step.end(place);
        break;
      }
      place = next;
    }
  }
}

// On a short way nobody looks who has arrived: all rows take as many steps as the longest path.
template <class Step, class T, class Stride>
void CompactTree::find_shallow(const Step& step, const CellGrid<T>& cells, Stride stride,
                               std::span<End> ends) const {
  const auto row_bytes = cells.row_stride * static_cast<std::ptrdiff_t>(sizeof(T));
  std::size_t i = 0;
  for (; i + kShallowLanes <= ends.size(); i += kShallowLanes) {
    std::array<const T*, kShallowLanes> rows;
    std::array<Slot, kShallowLanes> here{};
    for (std::size_t lane = 0; lane < kShallowLanes; ++lane) {
      rows[lane] = cells.skip(i + lane).data;
      if constexpr (!std::is_same_v<Stride, std::ptrdiff_t>) ask_ahead(rows[lane], row_bytes);
    }
    for (std::int32_t round = 0; round < depth_; ++round)
      for (std::size_t lane = 0; lane < kShallowLanes; ++lane)
        here[lane] = step.next(here[lane], rows[lane], stride);
    for (std::size_t lane = 0; lane < kShallowLanes; ++lane) ends[i + lane] = step.end(here[lane]);
  }
  find_few(step, cells.skip(i), ends.subspan(i));
}

template <class Step, class T, class Stride>
void CompactTree::find_deep(const Step& step, const CellGrid<T>& cells, Stride stride,
                            std::span<End> ends) const {
  std::array<const T*, kLanes> rows;
  std::array<Slot, kLanes> here{};
  std::array<End*, kLanes> out;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    rows[lane] = cells.skip(lane).data;
    out[lane] = &ends[lane];
  }
  End idle = 0;  // written by lanes that have no row left
  std::size_t next_row = kLanes;
  for (std::size_t busy = kLanes; busy > 0;) {
    for (int round = 0; round < kRounds; ++round)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        here[lane] = step.next(here[lane], rows[lane], stride);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (!step.stays(here[lane])) continue;
      End end = step.end(here[lane]);
      if (other_kinds_) {
        const Slot next = leave(step, here[lane], rows[lane], stride);
        if (next != here[lane] && next != kSplit) {
          here[lane] = next;
          continue;
        }
        if (next == kSplit) end = kSplit;
      }
      *out[lane] = end;
      if (next_row < ends.size()) {
        rows[lane] = cells.skip(next_row).data;
        ask_ahead(rows[lane], cells.row_stride * static_cast<std::ptrdiff_t>(sizeof(T)));
        out[lane] = &ends[next_row++];
        here[lane] = 0;
      } else if (out[lane] != &idle) {
        out[lane] = &idle;
        --busy;
      }
    }
  }
}

template <class Step, class T>
void CompactTree::find_with(const Step& step, const CellGrid<T>& cells, std::span<End> ends) const {
  if (tree_->n_nodes() == 1) {  // there may not even be a cell
    std::fill(ends.begin(), ends.end(), 0);
    return;
  }
  if (ends.size() < kLanes) {
    find_few(step, cells, ends);
    return;
  }
  const bool shallow = depth_ <= internal_limits().shallow_depth && !other_kinds_;
  if (cells.row_stride == 1 && !shallow) ask_columns(cells, ends.size(), n_columns_);
  const auto walk = [&](auto stride) {
    shallow ? find_shallow(step, cells, stride, ends) : find_deep(step, cells, stride, ends);
  };
  if (cells.column_stride == 1) {
    walk(std::integral_constant<std::ptrdiff_t, 1>{});
  } else {
    walk(cells.column_stride);
  }
}

template <int kColumnBits>
void CompactTree::find_small(const CellGrid<float>& cells, std::span<End> ends, bool missing) const {
  missing ? find_with(SmallStep<kColumnBits, true>{small_.data()}, cells, ends)
          : find_with(SmallStep<kColumnBits, false>{small_.data()}, cells, ends);
}

// A long way through cells that lie column by column: rows are copied beside each other first, few at a time.
template <class T>
bool CompactTree::should_turn(const CellGrid<T>& cells, std::span<End> ends) const noexcept {
  return cells.row_stride == 1 && cells.column_stride != 1 && n_columns_ <= kTurnColumns && !other_kinds_ &&
         wide_.size() >= internal_limits().deep_nodes && ends.size() >= kLanes;
}

template <class T>
void CompactTree::find_turned(const CellGrid<T>& cells, std::span<End> ends, bool missing) const {
  std::array<T, kTurnColumns * kTurnRows> turned;
  for (std::size_t begin = 0; begin < ends.size(); begin += kTurnRows) {
    const std::size_t n = std::min(kTurnRows, ends.size() - begin);
    for (std::size_t j = 0; j < n_columns_; ++j) {
      const T* column = cells.data + begin + static_cast<std::ptrdiff_t>(j) * cells.column_stride;
      for (std::size_t i = 0; i < n; ++i) turned[i * n_columns_ + j] = column[i];
    }
    find(CellGrid<T>{turned.data(), static_cast<std::ptrdiff_t>(n_columns_), 1}, ends.subspan(begin, n),
         missing);
  }
}

void CompactTree::find(const CellGrid<float>& cells, std::span<End> ends, bool missing) const {
  if (cells.column_stride == 1 && ends.size() >= kLanes && groups_.is_ready())
    return groups_.find({cells.data, cells.row_stride, missing}, ends);
  if (should_turn(cells, ends)) return find_turned(cells, ends, missing);
  if (small_.empty()) return find_with(WideStep<true>{wide_.data()}, cells, ends);
  column_bits_ == 8 ? find_small<8>(cells, ends, missing) : find_small<14>(cells, ends, missing);
}

void CompactTree::find(const CellGrid<double>& cells, std::span<End> ends, bool missing) const {
  if (should_turn(cells, ends)) return find_turned(cells, ends, missing);
  missing ? find_with(WideStep<true>{wide_.data()}, cells, ends)
          : find_with(WideStep<false>{wide_.data()}, cells, ends);
}

}  // namespace bough
