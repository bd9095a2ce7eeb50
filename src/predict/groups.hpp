// SPDX-License-Identifier: Apache-2.0
// A tree in groups of three levels, for processors whose vectors hold all seven tests of a group.
//
// A walk takes one test after the other, each waiting for the one before. Here all seven tests of three levels
// are made at once: the cells of a row are a table in registers, the columns of the tests pick seven of them,
// one comparison gives seven bits, and a table of constants says by which of the eight exits the row leaves.
// That is some four instructions per level instead of ten, and a group is one line of the cache. Branches that
// end early are filled up with tests that every row passes on the left.
//
// Two layouts. A tree of at most nine levels is complete: the exits of a group are found by counting, and all
// rows take the same number of steps. In deeper trees a group knows where its exits lead; rows go step by step
// together, and those that have ended are left out of the next one.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bough {

/// A node that compares a float, or an end: then `word` leads to the node itself and the threshold is a NaN whose
/// low bits are the number of the end.
struct SmallNode {
  static constexpr std::uint32_t kEnd = 0x7fc00000U, kEndBits = 0x003fffffU;

  float threshold;
  std::uint32_t word;  ///< place of the left child, side of missing cells, column, from high to low

  [[nodiscard]] std::uint32_t end() const noexcept {
    return std::bit_cast<std::uint32_t>(threshold) & kEndBits;
  }
};

/// A tree of such nodes; the root comes first.
struct SmallNodes {
  std::span<const SmallNode> nodes;
  int column_bits;  ///< of a word

  [[nodiscard]] std::uint32_t children(std::uint32_t place) const noexcept {
    return nodes[place].word >> (column_bits + 1);
  }
  [[nodiscard]] bool is_end(std::uint32_t place) const noexcept { return children(place) == place; }
  [[nodiscard]] std::uint32_t column(std::uint32_t place) const noexcept {
    return nodes[place].word & ((1U << column_bits) - 1);
  }
  [[nodiscard]] bool missing_right(std::uint32_t place) const noexcept {
    return (nodes[place].word >> column_bits & 1) != 0;
  }
};

/// Seven tests, level by level, and where the eight ways out lead.
struct alignas(64) TreeGroup {
  static constexpr std::size_t kTests = 7, kExits = 8, kExitBytes = 3;
  static constexpr std::uint32_t kIsEnd = 1U << 23;  // else the number of a group

  std::array<float, kTests> thresholds;
  std::array<std::uint8_t, kTests> columns;
  std::uint8_t missing;                                 // bit i: missing cells go right at test i
  std::array<std::uint8_t, kExits * kExitBytes> exits;  // numbers of three bytes; unused in complete trees
};
static_assert(sizeof(TreeGroup) == 64);

/// Cells of some rows, side by side.
struct GroupRows {
  const float* cells;
  std::ptrdiff_t stride;  ///< from row to row, in cells
  bool missing;           ///< some tested cell may be NaN
};

class GroupedTree {
 public:
  static constexpr std::int32_t kLevels = 3, kCompleteDepth = 9;
  /// What vectors can look at: columns that are tested.
  static constexpr std::size_t kMostColumns = 64;

  /// No tree: never ready.
  GroupedTree() = default;
  /// `n_columns`: that are tested, at most kMostColumns.
  GroupedTree(const SmallNodes& tree, std::int32_t depth, std::size_t n_columns);

  /// Whether find() can be asked on this processor, and is faster there than a walk.
  [[nodiscard]] bool is_ready() const noexcept;
  /// The number of the end of each of the first ends.size() rows.
  void find(const GroupRows& rows, std::span<std::uint32_t> ends) const;

  [[nodiscard]] const TreeGroup* groups() const noexcept { return groups_.data(); }
  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }
  /// Steps of every row where the tree is complete, else 0.
  [[nodiscard]] std::int32_t steps() const noexcept { return steps_; }
  /// By the exit of the last step: the number of the end. Of complete trees.
  [[nodiscard]] const std::uint32_t* ends() const noexcept { return ends_.data(); }

 private:
  void make_complete(const SmallNodes& tree);
  void make_linked(const SmallNodes& tree);

  std::vector<TreeGroup> groups_;  // empty: there is no tree, or it is too large
  std::vector<std::uint32_t> ends_;
  std::size_t n_columns_ = 0;
  std::int32_t steps_ = 0;
};

}  // namespace bough
