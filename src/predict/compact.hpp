// SPDX-License-Identifier: Apache-2.0
// A tree laid out for prediction: small nodes side by side, and many rows on their way at once.
//
// A row's way down is a chain of dependent loads, so one row alone waits for the cache most of the time. Here
// several rows walk in turns, each with its own chain, and a row that has arrived makes room for the next
// one.
//
// Tests of numbers that send missing cells to a child become nodes of 8 bytes (float cells: threshold, and in
// one word column, side of missing cells and place of the children) or 16 bytes (any cells). The two children
// lie side by side, so that the next place is `children + (x > threshold)`; pairs are in depth-first order,
// the heavier child first. Where a row cannot go on like this (leaves, and nodes of all other kinds) the node
// points to itself: extra rounds do no harm. Its threshold is a NaN, which no cell is above, and the bits of
// the NaN say which end this is: what lies there is in the cache already. Other nodes are left by route(), the
// one place that knows what they mean.
//
// Where vectors can make all tests of three levels at once, rows of floats go by groups.hpp instead.
//
// A float is compared with the largest float that is not above the threshold: for floats that is the same
// test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/tree.hpp"
#include "predict/groups.hpp"

namespace bough {

/// Cells of some rows: cell (row, column) is data[row * row_stride + column * column_stride], strides in
/// cells. Numbers or level indices as route() takes them.
template <class T>
struct CellGrid {
  const T* data = nullptr;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t column_stride = 0;

  /// The cells of one row, as route() takes them.
  [[nodiscard]] auto row(std::size_t i) const {
    return [at = data + static_cast<std::ptrdiff_t>(i) * row_stride, stride = column_stride](ColId column) {
      return static_cast<double>(at[column * stride]);
    };
  }
  [[nodiscard]] CellGrid skip(std::size_t rows) const {
    return {data + static_cast<std::ptrdiff_t>(rows) * row_stride, row_stride, column_stride};
  }
};

/// Whether one of the first n_columns cells of some rows is NaN; infinite ones and cells between the
/// rows may seem so.
template <class T>
[[nodiscard]] bool any_missing(const CellGrid<T>& cells, std::size_t n_rows, std::size_t n_columns) noexcept;

class CompactTree {
 public:
  /// Number of a place where rows can end.
  using End = std::uint32_t;
  /// Instead of an end: the row is split by share, walk_parts() knows where it ends.
  static constexpr End kSplit = 0xffffffff;

  /// `tree` must outlive this.
  explicit CompactTree(const Tree& tree);

  /// Where each of the first ends.size() rows ends, or kSplit. `missing`: some tested cell may be NaN.
  void find(const CellGrid<float>& cells, std::span<End> ends, bool missing = true) const;
  void find(const CellGrid<double>& cells, std::span<End> ends, bool missing = true) const;
  [[nodiscard]] std::size_t n_ends() const noexcept { return nodes_.size(); }
  /// Whether rows may be split by share.
  [[nodiscard]] bool may_split() const noexcept { return other_kinds_; }
  /// The node of an end.
  [[nodiscard]] NodeId node(End end) const noexcept { return nodes_[end]; }
  /// Columns that are tested: one more than the last of them.
  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }
  [[nodiscard]] std::int32_t depth() const noexcept { return depth_; }
  /// Bytes of the nodes that cells of type T are walked by.
  template <class T>
  [[nodiscard]] std::size_t bytes() const noexcept {
    return wide_.size() * (sizeof(T) == sizeof(float) && !small_.empty() ? sizeof(Small) : sizeof(Wide));
  }

 private:
  /// A place in the layout.
  using Slot = std::uint32_t;
  struct Wide {
    double threshold;
    Slot children;       // of the left child; the right one follows
    std::uint32_t test;  // column * 2 + (missing cells go right)
  };
  using Small = SmallNode;
  template <bool kMissing>
  struct WideStep;
  template <int kColumnBits, bool kMissing>
  struct SmallStep;

  std::vector<NodeId> lay_out();
  void number_ends(std::span<const NodeId> ids);
  void make_small();
  void make_groups();
  template <int kColumnBits>
  void find_small(const CellGrid<float>& cells, std::span<End> ends, bool missing) const;
  template <class Step, class T>
  void find_with(const Step& step, const CellGrid<T>& cells, std::span<End> ends) const;
  template <class Step, class T>
  void find_few(const Step& step, const CellGrid<T>& cells, std::span<End> ends) const;
  template <class T>
  void find_turned(const CellGrid<T>& cells, std::span<End> ends, bool missing) const;
  template <class T>
  [[nodiscard]] bool should_turn(const CellGrid<T>& cells, std::span<End> ends) const noexcept;
  template <class Step, class T, class Stride>
  void find_shallow(const Step& step, const CellGrid<T>& cells, Stride stride, std::span<End> ends) const;
  template <class Step, class T, class Stride>
  void find_deep(const Step& step, const CellGrid<T>& cells, Stride stride, std::span<End> ends) const;
  template <class Step, class T>
  [[nodiscard]] Slot leave(const Step& step, Slot place, const T* row, std::ptrdiff_t stride) const;

  const Tree* tree_;
  std::vector<Wide> wide_;
  std::vector<Small> small_;    // empty: columns and places do not fit into a word
  int column_bits_ = 0;         // of small_
  GroupedTree groups_;          // of small_, where all nodes compare numbers
  std::size_t n_columns_ = 0;   // tested; higher ones are not looked at
  std::vector<NodeId> nodes_;   // node at every end
  std::vector<Slot> place_of_;  // of every node; empty unless other_kinds_
  bool other_kinds_ = false;    // some inner node needs route()
  std::int32_t depth_ = 0;
};

}  // namespace bough
