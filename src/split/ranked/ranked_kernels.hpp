// SPDX-License-Identifier: Apache-2.0
// Vector kernels of the ranked engine: a column of a node from nothing but the ranks of its rows.
//
// A position is a cut: the rows of all ranks up to it are on its left. Scores are near the exact ones, for telling which cuts are
// worth an exact score: class_score_slack() and kNumberScoreSlack say how far they may be off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bough/table.hpp"

namespace bough {

/// Elements behind the end of every array that kernels may read or write.
inline constexpr std::size_t kRankPad = 64;

/// The smallest and the largest rank of a node; equal: the column is constant there.
struct RankRange {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
};

/// ranks[i] = column[rows[i]].
RankRange gather_column(const std::uint8_t* column, std::span<const RowId> rows, std::uint16_t* ranks);
RankRange gather_column(const std::uint16_t* column, std::span<const RowId> rows, std::uint16_t* ranks);

/// ranks[i] = by_row[rows[i] * stride], for few rows that are near in the cache.
RankRange gather_near(const std::uint16_t* by_row, std::size_t stride, std::span<const RowId> rows,
                      std::uint16_t* ranks);

/// Which ranks a node has, where it has few of many.
struct PresentRanks {
  std::uint64_t* bits;    ///< one per rank from range.low on
  std::uint32_t* before;  ///< present ranks before each word of bits
};
/// Numbers the present ranks from 0 on and puts these numbers in the place of the ranks; returns how many there are.
std::uint32_t number_present(std::span<std::uint16_t> ranks, RankRange range, const PresentRanks& present);

/// Divides rows by rank <= cut, keeping the order inside both parts; returns the rows on the left. `scratch` has room for all.
std::size_t divide_rows(std::span<RowId> rows, const std::uint16_t* ranks, std::uint32_t cut, RowId* scratch);

/// The positions in [begin, end) whose scores are not below the floor; returns how many there are.
std::size_t find_near(const float* scores, std::size_t begin, std::size_t end, float floor,
                      std::uint32_t* positions);
std::size_t find_near(const double* scores, std::size_t begin, std::size_t end, double floor,
                      std::uint32_t* positions);

/// A row's class (of the classes that the node has) and weight.
inline constexpr std::uint32_t kClassBits = 8;

/// Puts numbers[class] in the place of the class of every tag (weight << kClassBits | class). `numbers` has 64 entries or more.
void number_classes(std::span<const std::uint32_t> tags, const std::uint8_t* numbers, std::size_t n_classes,
                    std::uint32_t* to);

/// One column of a node with classes: counts[c * stride + p] is the weight of class c at position p, after score_classes() up to
/// it.
struct ClassColumn {
  const std::uint16_t* ranks;  ///< by row, from `low` on
  const std::uint32_t* tags;   ///< by row: weight << kClassBits | class
  std::size_t n_rows;
  std::uint32_t low;        ///< the rank of position 0
  std::size_t n_positions;  ///< the last one has all rows on its left
  std::size_t n_classes;
  std::uint32_t* counts;
  std::size_t stride;
};
void count_classes(const ClassColumn& column);
/// The same where most rows have one rank: the others are counted, and it has the rest of `totals` (by class).
void count_classes(const ClassColumn& column, std::uint32_t common, const float* totals);
/// Where the weights at every position come from: counters[which[c] * stride + p], or without `which` counters[c * stride + p].
/// Read up to kRankPad behind the last position.
struct ClassCounters {
  const std::uint32_t* counters;
  std::size_t stride;
  const std::uint8_t* which;
};
/// Adds up the weights along the positions, into the counts of the column, and fills the scores:
/// sum l^2 / left + sum r^2 / right of positions [begin, end), -1 where a side is empty; returns the largest. Weights below 2^24
/// for floats.
float score_classes(const ClassColumn& column, const ClassCounters& from, const float* totals,
                    std::size_t begin, std::size_t end, float* scores);
double score_classes(const ClassColumn& column, const ClassCounters& from, const double* totals,
                     std::size_t begin, std::size_t end, double* scores);

/// The weight of every class among the rows of rank <= cut.
void sum_classes(const std::uint16_t* ranks, const std::uint32_t* tags, std::size_t n_rows, std::uint32_t cut,
                 std::span<std::uint32_t> sums);

/// The same where rows are in the order of their classes and all weigh 1: ends[c] is the end of class c.
void count_left(const std::uint16_t* ranks, std::uint32_t cut, std::span<const std::uint32_t> ends,
                std::uint32_t* counts);

/// A sum of targets times weights, and of weights.
struct NumberSum {
  std::int64_t sum;
  std::int64_t weight;
};
/// One column of a node with numbers.
struct NumberColumn {
  const std::uint16_t* ranks;
  const NumberSum* rows;
  std::size_t n_rows;
  std::uint32_t low;
  std::size_t n_positions;
  NumberSum* sums;   ///< by position
  NumberSum* spare;  ///< room for n_rows
};
/// The sums of every position.
void add_numbers(const NumberColumn& column);
/// Sums up to every position; `to` may be `from`.
void sum_numbers(const NumberSum* from, std::size_t n_positions, NumberSum* to);
/// (all s - sum n)^2 / (n (all - n)) of positions [begin, end), -1 where a side is empty; returns the largest.
struct NumberNode {
  double all;           ///< weight
  double sum;           ///< less the centre
  std::int64_t centre;  ///< that targets lose first
};
double score_numbers(const NumberSum* sums, const NumberNode& totals, std::size_t begin, std::size_t end,
                     double* scores);
/// The sum of the rows of rank <= cut.
NumberSum sum_side(const std::uint16_t* ranks, const NumberSum* rows, std::size_t n_rows, std::uint32_t cut);

}  // namespace bough
