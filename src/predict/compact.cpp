// SPDX-License-Identifier: Apache-2.0
// Lays trees out for prediction and walks rows down in turns.
#include "predict/compact.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/internal_limits.hpp"
#include "predict/route.hpp"

namespace bough {
namespace {

constexpr std::size_t kLanes = 8;  // rows on their way at once
constexpr int kRounds = 4;         // steps between two looks at who has arrived
constexpr std::size_t kTurnColumns = 64, kTurnRows = 64;
constexpr double kInf = std::numeric_limits<double>::infinity();

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

// The sign bit is set when one of the cells is NaN. Integers, because compilers vectorise this loop.
std::int32_t missing_bits(const float* cells, std::size_t count) noexcept {
  std::int32_t bits = 0;
  for (std::size_t i = 0; i < count; ++i)
    bits |= 0x7f800000 - (std::bit_cast<std::int32_t>(cells[i]) & 0x7fffffff);
  return bits;
}

bool any_missing(const CellGrid<float>& cells, std::size_t n_rows, std::size_t n_columns) noexcept {
  const auto columns = static_cast<std::ptrdiff_t>(n_columns);
  if (cells.row_stride >= columns &&
      cells.row_stride <= columns + 8)  // one run, whatever lies between the rows
    return missing_bits(cells.data, (n_rows - 1) * static_cast<std::size_t>(cells.row_stride) + n_columns) <
           0;
  std::int32_t bits = 0;
  for (std::size_t i = 0; i < n_rows; ++i)
    bits |= missing_bits(cells.data + static_cast<std::ptrdiff_t>(i) * cells.row_stride, n_columns);
  return bits < 0;
}

}  // namespace

CompactTree::CompactTree(const Tree& tree) : tree_(&tree), depth_(tree.depth()) {
  lay_out();
  make_small();
  if (!other_kinds_) return;
  place_of_.resize(at(tree.n_nodes()));
  for (std::size_t place = 0; place < ids_.size(); ++place)
    if (ids_[place] >= 0) place_of_[at(ids_[place])] = static_cast<Slot>(place);
}

// New places in pairs; until something else is put there, rows stay.
CompactTree::Slot CompactTree::take_places(std::size_t count) {
  const auto first = static_cast<Slot>(wide_.size());
  for (std::size_t i = 0; i < (count + 1) / 2 * 2; ++i) {
    wide_.push_back({kInf, first + static_cast<Slot>(i), 0});
    ids_.push_back(-1);
  }
  return first;
}

void CompactTree::lay_out() {
  wide_.reserve(at(tree_->n_nodes()) + 1);
  ids_.reserve(at(tree_->n_nodes()) + 1);
  std::vector<Slot> open{take_places(1)};
  ids_[0] = 0;
  while (!open.empty()) {
    const Slot place = open.back();
    open.pop_back();
    const NodeId node = ids_[place];
    const auto children = tree_->children(node);
    if (children.empty()) continue;
    const Slot first = take_places(children.size());
    for (std::size_t i = 0; i < children.size(); ++i) ids_[first + i] = children[i];
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
    std::stable_sort(open.begin() + static_cast<std::ptrdiff_t>(before), open.end(),
                     [&](Slot a, Slot b) { return tree_->n_rows(ids_[a]) < tree_->n_rows(ids_[b]); });
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
      small_.push_back({float_below(node.threshold),
                        node.children << (bits + 1) | (node.test & 1) << bits | node.test >> 1});
    }
    return;
  }
}

// What a walk needs to know of a node type. x != x: the cell is missing.
struct CompactTree::WideStep {
  const Wide* nodes;

  [[nodiscard]] bool stays(Slot place) const noexcept { return nodes[place].children == place; }
  template <class T>
  [[nodiscard]] Slot next(Slot place, const T* row, std::ptrdiff_t stride) const noexcept {
    const Wide& node = nodes[place];
    const auto x = static_cast<double>(row[static_cast<std::ptrdiff_t>(node.test >> 1) * stride]);
    const auto above = static_cast<Slot>(x > node.threshold);
    const auto missing = static_cast<Slot>(x != x);
    return node.children + (above | (missing & node.test));
  }
};

template <int kColumnBits, bool kMissing>
struct CompactTree::SmallStep {
  const Small* nodes;

  [[nodiscard]] bool stays(Slot place) const noexcept {
    return nodes[place].word >> (kColumnBits + 1) == place;
  }
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
template <class T>
CompactTree::Slot CompactTree::leave(Slot place, const T* row, std::ptrdiff_t stride) const {
  const NodeId node = ids_[place];
  if (tree_->is_leaf(node)) return place;
  const std::int32_t child =
      route(*tree_, node, [&](ColId column) { return static_cast<double>(row[column * stride]); });
  if (child == missing_by_share) return kSplit;
  if (child == missing_stops) return place;
  return place_of_[at(tree_->children(node)[static_cast<std::size_t>(child)])];
}

template <class Step, class T>
void CompactTree::find_few(const Step& step, const CellGrid<T>& cells, std::span<Slot> places) const {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const T* row = cells.data + static_cast<std::ptrdiff_t>(i) * cells.row_stride;
    Slot place = 0;
    while (true) {
      while (!step.stays(place)) place = step.next(place, row, cells.column_stride);
      if (!other_kinds_) break;
      const Slot next = leave(place, row, cells.column_stride);
      if (next == place) break;
      place = next;
      if (place == kSplit) break;
    }
    places[i] = place;
  }
}

// On a short way nobody looks who has arrived: all rows take as many steps as the longest path.
template <class Step, class T>
void CompactTree::find_shallow(const Step& step, const CellGrid<T>& cells, std::span<Slot> places) const {
  const auto row_bytes = cells.row_stride * static_cast<std::ptrdiff_t>(sizeof(T));
  std::size_t i = 0;
  for (; i + kLanes <= places.size(); i += kLanes) {
    std::array<const T*, kLanes> rows;
    std::array<Slot, kLanes> here{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      rows[lane] = cells.data + static_cast<std::ptrdiff_t>(i + lane) * cells.row_stride;
      ask_ahead(rows[lane], row_bytes);
    }
    for (std::int32_t round = 0; round < depth_; ++round)
      for (std::size_t lane = 0; lane < kLanes; ++lane) here[lane] = step.next(here[lane], rows[lane], 1);
    std::copy(here.begin(), here.end(), places.begin() + static_cast<std::ptrdiff_t>(i));
  }
  find_few(step, cells.skip(i), places.subspan(i));
}

template <class Step, class T>
void CompactTree::find_with(const Step& step, const CellGrid<T>& cells, std::span<Slot> places) const {
  if (tree_->n_nodes() == 1) {  // there may not even be a cell
    std::fill(places.begin(), places.end(), 0);
    return;
  }
  if (places.size() < kLanes) {
    find_few(step, cells, places);
    return;
  }
  if (depth_ <= internal_limits().shallow_depth && !other_kinds_ && cells.column_stride == 1) {
    find_shallow(step, cells, places);
    return;
  }
  if (cells.row_stride == 1) ask_columns(cells, places.size(), n_columns_);
  const auto row_at = [&](std::size_t i) {
    return cells.data + static_cast<std::ptrdiff_t>(i) * cells.row_stride;
  };
  const auto walk = [&](const auto stride) {
    std::array<const T*, kLanes> rows;
    std::array<Slot, kLanes> here{};
    std::array<Slot*, kLanes> out;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      rows[lane] = row_at(lane);
      out[lane] = &places[lane];
    }
    Slot idle = 0;  // written by lanes that have no row left
    std::size_t next_row = kLanes;
    for (std::size_t busy = kLanes; busy > 0;) {
      for (int round = 0; round < kRounds; ++round)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          here[lane] = step.next(here[lane], rows[lane], stride);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if (!step.stays(here[lane])) continue;
        if (other_kinds_) {
          const Slot next = leave(here[lane], rows[lane], stride);
          if (next != here[lane] && next != kSplit) {
            here[lane] = next;
            continue;
          }
          *out[lane] = next;
        } else {
          *out[lane] = here[lane];
        }
        if (next_row < places.size()) {
          rows[lane] = row_at(next_row);
          ask_ahead(rows[lane], cells.row_stride * static_cast<std::ptrdiff_t>(sizeof(T)));
          out[lane] = &places[next_row++];
          here[lane] = 0;
        } else if (out[lane] != &idle) {
          out[lane] = &idle;
          --busy;
        }
      }
    }
  };
  if (cells.column_stride == 1) {
    walk(std::integral_constant<std::ptrdiff_t, 1>{});
  } else {
    walk(cells.column_stride);
  }
}

// Rows without a missing cell need one comparison per step; on a long way that is worth a look at all cells
// before.
template <int kColumnBits>
void CompactTree::find_small(const CellGrid<float>& cells, std::span<Slot> places) const {
  if (internal_limits().deep_nodes <= small_.size() && places.size() >= kLanes && cells.column_stride == 1 &&
      n_columns_ <= 64 && !any_missing(cells, places.size(), n_columns_))
    find_with(SmallStep<kColumnBits, false>{small_.data()}, cells, places);
  else
    find_with(SmallStep<kColumnBits, true>{small_.data()}, cells, places);
}

// A long way through cells that lie column by column: rows are copied beside each other first, few at a time.
template <class T>
bool CompactTree::should_turn(const CellGrid<T>& cells, std::span<Slot> places) const noexcept {
  return cells.row_stride == 1 && cells.column_stride != 1 && n_columns_ <= kTurnColumns && !other_kinds_ &&
         wide_.size() >= internal_limits().deep_nodes && places.size() >= kLanes;
}

template <class T>
void CompactTree::find_turned(const CellGrid<T>& cells, std::span<Slot> places) const {
  std::array<T, kTurnColumns * kTurnRows> turned;
  for (std::size_t begin = 0; begin < places.size(); begin += kTurnRows) {
    const std::size_t n = std::min(kTurnRows, places.size() - begin);
    for (std::size_t j = 0; j < n_columns_; ++j) {
      const T* column = cells.data + begin + static_cast<std::ptrdiff_t>(j) * cells.column_stride;
      for (std::size_t i = 0; i < n; ++i) turned[i * n_columns_ + j] = column[i];
    }
    find(CellGrid<T>{turned.data(), static_cast<std::ptrdiff_t>(n_columns_), 1}, places.subspan(begin, n));
  }
}

void CompactTree::find(const CellGrid<float>& cells, std::span<Slot> places) const {
  if (should_turn(cells, places)) return find_turned(cells, places);
  switch (small_.empty() ? 0 : column_bits_) {
    case 8:
      return find_small<8>(cells, places);
    case 14:
      return find_small<14>(cells, places);
    default:
      return find_with(WideStep{wide_.data()}, cells, places);
  }
}

void CompactTree::find(const CellGrid<double>& cells, std::span<Slot> places) const {
  if (should_turn(cells, places)) return find_turned(cells, places);
  find_with(WideStep{wide_.data()}, cells, places);
}

}  // namespace bough
