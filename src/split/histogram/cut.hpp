// SPDX-License-Identifier: Apache-2.0
// A cut of the refine engine, in buckets and rows.
#pragma once

#include <array>
#include <cstdint>

#include "bough/table.hpp"
#include "data/codes.hpp"
#include "split/candidate.hpp"

namespace bough {

/// The best cut so far in buckets and rows; low and high of a boundary cut are found at the end.
struct Cut {
  bool found = false;
  double score = 0.0;
  ColId column = 0;
  std::uint64_t order = 0;     ///< TieOrder::of(column)
  std::int64_t rows_left = 0;  ///< known rows: orders the cuts of one column
  bool missing_left = false;
  bool inside = false;      ///< between two values of a bucket; low and high are set
  std::uint8_t bucket = 0;  ///< last bucket on the left, or the bucket that is divided
  bool all_known_left = false;
  bool left_heavier = false;
  double low = 0.0;
  double high = 0.0;
  double gain = 0.0;
  double left_value = 0.0;
  double right_value = 0.0;
};

/// A column of which the cells of some buckets are wanted.
struct AliveColumn {
  ColId column = 0;
  std::uint64_t n_rows = 0;  ///< how many cells those are
  std::array<std::uint8_t, kBuckets> alive{};
};

/// The order of candidates for cuts of numbers and levels, whose values are not known yet: in one column the lower cut is the one
/// with fewer rows on the left.
inline bool better(const Cut& a, const Cut& b) noexcept {
  if (a.found != b.found) return a.found;
  if (a.score != b.score) return a.score > b.score;
  if (a.order != b.order) return a.order < b.order;
  if (a.rows_left != b.rows_left) return a.rows_left < b.rows_left;
  return !a.missing_left && b.missing_left;
}

/// The cut without the values next to it where it is between buckets of numbers; of levels, `next` is the one after it.
inline Candidate plain_candidate(const Cut& cut, Kind kind, std::size_t next) {
  const bool levels = kind != Kind::numeric;
  return {.found = true,
          .score = cut.score,
          .gain = cut.gain,
          .column = cut.column,
          .order = cut.order,
          .kind = levels ? NodeKind::ordinal : NodeKind::numeric,
          .low = levels ? static_cast<double>(cut.bucket) : cut.low,
          .high = levels ? static_cast<double>(next) : cut.high,
          .all_known_left = cut.all_known_left,
          .left_levels = {},
          .right_levels = {},
          .missing_left = cut.missing_left,
          .left_heavier = cut.left_heavier,
          .left_value = cut.left_value,
          .right_value = cut.right_value};
}

}  // namespace bough
