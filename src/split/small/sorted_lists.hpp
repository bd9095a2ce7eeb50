// SPDX-License-Identifier: Apache-2.0
// The columns of a small subtree as sorted lists, sorted once and then only divided.
//
// Rows get local ids. Every column is a list of entries (rank << 16 | tag << 12 | id) in the order of its cells, missing ones
// last with rank kMissingRank; equal cells have equal ranks, so a cut lies wherever neighbours differ in rank. The tag is
// what searching wants to have at hand of the row's target: four bits. A node is the same stretch of every list; dividing it keeps the order
// inside both parts. One more list holds the plain ids.
//
// Where nodes search only some of the columns (load_drawn), keeping all lists sorted would cost more than it brings: then lists
// are by id, and draw() sorts the entries of one node and column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/internal_limits.hpp"
#include "data/codes.hpp"
#include "split/candidate.hpp"

namespace bough {

class SortedLists {
 public:
  static constexpr std::uint32_t kMissingRank = bough::kMissingRank;
  static constexpr std::uint32_t kTagShift = 12;
  static constexpr std::uint8_t kMark = 8;  ///< the highest bit of a tag
  static constexpr std::uint32_t kIdMask = 0x0fffU;

  static std::uint32_t id_of(std::uint32_t entry) noexcept { return entry & kIdMask; }
  static std::uint32_t tag_of(std::uint32_t entry) noexcept { return entry >> kTagShift & 15U; }
  static std::uint32_t rank_of(std::uint32_t entry) noexcept { return entry >> 16; }

  explicit SortedLists(const CodedTable& table) : table_(&table) {}

  /// Sorts all columns over these rows (at most kMostSmallRows); `tags` (below 16) by position, or empty.
  void load(std::span<const RowId> rows, std::span<const std::uint8_t> tags);

  /// The same without sorting; call draw() for every column and node that is searched.
  void load_drawn(std::span<const RowId> rows, std::span<const std::uint8_t> tags);

  /// A column at one node, where lists are drawn.
  struct Drawn {
    const std::uint32_t* entries = nullptr;  ///< sorted; null where the column is constant. Until forget().
    std::uint32_t n_low =
        0;  ///< a column of two values and nothing missing: entries at the lower one; else 0
  };
  Drawn draw(std::size_t column, std::uint32_t begin, std::uint32_t end);
  /// The next node: what draw() gave is gone.
  void forget() noexcept { used_ = 0; }

  [[nodiscard]] std::uint32_t n_rows() const noexcept { return n_; }
  [[nodiscard]] RowId row(std::uint32_t id) const noexcept { return rows_[id]; }
  /// Entries of a column; one past the last may be read.
  [[nodiscard]] const std::uint32_t* list(std::size_t column) const noexcept {
    return lists_.data() + column * stride_;
  }
  /// The plain ids, or entries of rank 0: id_of().
  [[nodiscard]] const std::uint32_t* ids() const noexcept { return list(table_->columns.size()); }
  /// Puts the plain ids from `begin` on into another order.
  void put_ids(std::uint32_t begin, std::span<const std::uint32_t> ids) noexcept {
    std::copy(ids.begin(), ids.end(), kept_.back() + begin);
  }
  /// No cut anywhere in the subtree; such lists are not kept up.
  [[nodiscard]] bool constant(std::size_t column) const noexcept { return constant_[column] != 0; }
  [[nodiscard]] double cell(std::size_t column, std::uint32_t entry) const noexcept {
    if (has_floats_ && is_float(column)) return floats_[column * stride_ + id_of(entry)];
    return table_->cell(static_cast<ColId>(column), rows_[id_of(entry)]);
  }

  /// Decides the side of every row by the candidate; returns the number on the left. `entries` are those of the candidate's
  /// column at the node, sorted; `cut` of the known ones stand left, where that is known.
  static constexpr std::uint32_t kNoCut = UINT32_MAX;
  std::uint32_t choose_sides(std::span<const std::uint32_t> entries, const Candidate& candidate,
                             std::uint32_t cut = kNoCut);
  /// The same by id, for what ids() has.
  template <class IsLeft>
  std::uint32_t choose_sides_by(std::span<const std::uint32_t> ids, const IsLeft& left) {
    std::uint32_t n_left = 0;
    for (const std::uint32_t entry : ids) {
      const std::uint32_t id = id_of(entry);
      side_[id] = left(id) ? 1 : 0;
      n_left += side_[id];
    }
    return n_left;
  }
  [[nodiscard]] bool is_left(std::uint32_t id) const noexcept { return side_[id] != 0; }
  /// Divides the list of ids, and the columns' too unless nothing below will search them.
  void divide(std::uint32_t begin, std::uint32_t end, bool ids_only);

 private:
  [[nodiscard]] bool is_float(std::size_t column) const noexcept {
    return table_->columns[column].kind == Kind::numeric && table_->columns[column].numbers.is_float();
  }
  void start(std::span<const RowId> rows);
  void copy_ranks();
  void prepare(std::size_t j);
  void gather_floats();
  void sort_floats(std::size_t j, std::span<const std::uint8_t> tags);
  void sort_cells(std::size_t j, std::span<const std::uint8_t> tags);

  const CodedTable* table_;
  std::uint32_t n_ = 0;
  std::size_t stride_ = 0;
  std::vector<RowId> rows_;  // by id
  std::vector<std::uint32_t> lists_;
  std::vector<std::uint8_t> constant_;
  std::vector<std::uint32_t*> kept_;  // lists that are divided: those of columns with a cut, then the ids
  std::vector<std::uint8_t> side_;    // by id, padded
  std::vector<std::uint32_t> scratch_;
  std::vector<float> floats_;  // [column * stride + id] of float columns
  bool has_floats_ = false;    // of these rows
  std::vector<double> cells_;
  std::vector<std::uint64_t> keys_;
  // Drawn lists.
  std::span<const std::uint8_t> tags_;
  enum : std::uint8_t { kUnknown, kTwoValues, kManyValues, kRanked, kRankedTwo };
  std::vector<std::uint8_t> known_;   // what is known of each column of the subtree
  std::vector<std::uint16_t> ranks_;  // [id * columns + column], of ranked columns
  std::vector<std::uint32_t> arena_;  // sorted entries of the node's columns
  std::size_t used_ = 0;
};

}  // namespace bough
