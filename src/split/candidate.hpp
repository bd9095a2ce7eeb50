// SPDX-License-Identifier: Apache-2.0
// A proposed split in codes, and the total order that settles ties.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bough/tree.hpp"
#include "data/encoded.hpp"

namespace bough {

/// The order in which columns of equal scores are preferred at a node: the lower one first, or as the node's key draws it, so
/// that in a forest no column is preferred for its place in the table. Combinations, numbered behind the columns, come last.
class TieOrder {
 public:
  TieOrder() = default;
  TieOrder(std::uint64_t key, std::size_t n_columns) noexcept
      : key_(static_cast<std::uint32_t>(key)), n_columns_(static_cast<std::uint32_t>(n_columns)) {}
  [[nodiscard]] bool drawn() const noexcept { return n_columns_ > 0; }
  /// The lower, the sooner. A bijection mixes the bits of columns (Appleby's finaliser), so that no two are equal.
  [[nodiscard]] std::uint64_t of(ColId column) const noexcept {
    auto x = static_cast<std::uint32_t>(column);
    if (x >= n_columns_) return std::uint64_t{1} << 32 | x;
    x ^= key_;
    x = (x ^ x >> 16) * 0x85ebca6bU;
    x = (x ^ x >> 13) * 0xc2b2ae35U;
    return x ^ x >> 16;
  }

 private:
  std::uint32_t key_ = 0;
  std::uint32_t n_columns_ = 0;  // that the order is drawn of
};

struct Candidate {
  bool found = false;
  double score = 0.0;
  double gain = 0.0;
  ColId column = 0;
  std::uint64_t order = 0;  ///< TieOrder::of(column)
  NodeKind kind = NodeKind::numeric;
  /// Numeric: the neighbouring values around the cut; ordinal: the neighbouring levels. Equality: low is the level.
  double low = 0.0;
  double high = 0.0;
  bool all_known_left = false;  ///< numeric, ordinal: known cells against missing ones; high means nothing
  double threshold = 0.0;       ///< splitter=random on numbers: the drawn cut
  bool has_threshold = false;
  std::vector<std::uint32_t>
      left_levels;  ///< subset: levels of each side, increasing; left holds the lowest present
  std::vector<std::uint32_t> right_levels;
  bool missing_left = false;
  bool left_heavier = false;  ///< the left side weighs more
  double left_value = 0.0;    ///< monotone constraints only
  double right_value = 0.0;
};

/// True when `a` precedes `b`: higher score, sooner column (TieOrder), lower cut (or level, or set), missing right.
inline bool better(const Candidate& a, const Candidate& b) noexcept {
  if (a.found != b.found) return a.found;
  if (a.score != b.score) return a.score > b.score;
  if (a.order != b.order) return a.order < b.order;
  if (a.column != b.column) return a.column < b.column;
  if (a.kind != b.kind) return a.kind < b.kind;
  if (a.kind == NodeKind::subset && a.left_levels != b.left_levels) return a.left_levels < b.left_levels;
  if (a.kind != NodeKind::subset && a.low != b.low) return a.low < b.low;
  return !a.missing_left && b.missing_left;
}

/// Which side a known cell of the candidate's column goes to: a number, or a level index.
inline bool goes_left(const Candidate& candidate, double cell) noexcept {
  if (candidate.kind == NodeKind::equality) return cell == candidate.low;
  if (candidate.kind == NodeKind::subset)
    return std::binary_search(candidate.left_levels.begin(), candidate.left_levels.end(),
                              static_cast<std::uint32_t>(cell));
  return cell <= candidate.low;
}

/// The split in real units; `n_levels` of the column (ordinal). `missing_known`: missing cells of the column were met in the
/// node; else missing and unseen cells follow the heavier child (`left_is_larger`; a tie: right).
Split to_split(const Candidate& candidate, std::uint32_t n_levels, bool missing_known, bool left_is_larger);

}  // namespace bough
