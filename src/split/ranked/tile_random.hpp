// SPDX-License-Identifier: Apache-2.0
// Vector kernels for splitter=random at nodes of few rows: several columns side by side, one cut drawn of each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bough {

/// Columns of one call.
inline constexpr std::size_t kRandomColumns = 8;

/// Columns of numbers: cell k of row i is at cells[ids[i] * stride + k].
struct RandomColumns {
  const double* cells;
  std::size_t stride;
  const std::uint8_t* ids;
  std::size_t n_rows;
  std::uint64_t key;             ///< of the node
  const std::uint64_t* columns;  ///< their numbers
};
/// What is drawn: random_cut() by mix(key, column), and the criterion's score, -1 where the column is constant.
struct RandomCuts {
  double cuts[kRandomColumns];
  double scores[kRandomColumns];
  // Numbers only: of the rows on the left.
  std::int64_t sums[kRandomColumns];
  std::int64_t weights[kRandomColumns];
};

/// A node with classes, rows in the order of these: class c has class_rows[c] of them.
struct RandomClasses {
  const double* weights;  ///< by id
  const std::uint32_t* class_rows;
  const double* totals;  ///< by class; they add up to 4096 at most
  std::size_t n_classes;
  double all;
  double squares;  ///< of the totals, added up
};
void draw_cuts(const RandomColumns& columns, const RandomClasses& node, RandomCuts& out);

/// A node with numbers; scores are those of whole numbers that doubles hold.
struct RandomNumbers {
  const std::int64_t* targets;  ///< by row: target times weight, less some centre
  const std::int64_t* weights;
  double all;
  double sum;
};
void draw_cuts(const RandomColumns& columns, const RandomNumbers& node, RandomCuts& out);

}  // namespace bough
