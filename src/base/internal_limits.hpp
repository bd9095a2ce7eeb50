// SPDX-License-Identifier: Apache-2.0
// Every size at which the library switches from one way of computing to another, in one place.
//
// No answer depends on them (but splitter=hist on sample_rows): they decide what is fast. That makes them
// dangerous: what one way wrongly assumes of another shows at some sizes only. So tests replace them by small
// ones (LimitsForTest) and fit every kind of model just below, at and above each of them
// (tests/cpp/engines/limits_test.cpp). What a type or a buffer holds is a limit that cannot move up: it is said
// beside the limit ("at most"), and whoever relies on it checks it in release builds too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bough {

struct InternalLimits {
  // Codes of a table (src/data).
  std::size_t sample_rows = 16384;    ///< rows that the cuts of buckets are chosen by
  std::size_t byte_levels = 255;      ///< levels of a category coded in one byte (at most 255)
  std::uint32_t ranks = 0xffff;       ///< distinct cells of a column that has ranks (at most 0xffff)
  std::size_t rank_columns = 32;      ///< columns whose ranks are written side by side
  std::size_t bundle_members = 250;   ///< columns in a bundle (at most 250)
  std::size_t bundles_tried = 8;      ///< bundles that a column is tried with
  std::size_t bundle_rare_rows = 64;  ///< rows of the sample from which on a column may be bundled

  // The fast engine (src/split).
  std::uint32_t small_rows = 2048;      ///< rows of subtrees finished from sorted lists (<= kMostSmallRows)
  std::uint32_t slow_small_rows = 256;  ///< the same where sorted lists have no fast scores
  std::uint32_t shallow_rows = 128;     ///< the same with fewer levels left than shallow_levels
  std::int32_t shallow_levels = 3;
  std::uint32_t min_histogram = 128;  ///< nodes of more rows may be searched by histograms
  std::size_t histogram_budget = std::size_t{256} << 20;  ///< bytes of the histograms of open nodes, about
  std::size_t largest_histogram = std::size_t{64} << 20;  ///< bytes of one node's
  std::size_t packed_rows = 32768;      ///< rows counted in 16 bits before they are added up (at most 65535)
  std::size_t tagged_classes = 16;      ///< classes that fit the four bits of an entry of a list (at most 16)
  std::int64_t counted_weight = 46340;  ///< sum of whole weights whose square is below 2^31 (at most 46340)
  std::size_t constant_columns = 4096;  ///< columns that subtrees remember to be constant

  // The ranked engine.
  std::uint32_t ranked_single_rows = 1 << 18;  ///< rows of single trees that are grown from ranks
  std::uint32_t ranked_few_rows = 64;          ///< subtrees of at most so many rows become tiles (at most 64)
  std::uint32_t ranked_inherit_rows = 80;  ///< nodes of more rows leave their histograms to their children
  std::uint32_t ranked_near_rows = 512;    ///< nodes of at most so many rows read ranks row by row
  std::size_t ranked_counters = 4;         ///< counters per row, beyond which only ranks that are met get one
  std::size_t ranked_common_eighths = 5;   ///< a rank that more of the rows have is counted as the rest
  std::size_t ranked_words = 4;  ///< columns that cost as much as a word of two-valued ones, or a bit of it

  std::size_t ranked_sampled_rows = 1024;  ///< of more rows some are looked at before all are ranked

  // Statistics of finished trees (src/grow).
  std::size_t whole_tree_rows = 256;  ///< rows per node up to which a plain tree is written in one go
  std::size_t leaf_cells = std::size_t{1} << 13;  ///< sums of leaves that are kept until they are joined

  // Combinations of columns.
  std::size_t combinations = 1 << 14;              ///< per node, beyond which the oblique lists take over
  std::size_t sum_slots = 24;                      ///< combinations coded at once (at most 24)
  std::size_t sum_bytes = std::size_t{256} << 20;  ///< of the table of coded combinations
  std::size_t sum_batch = 32;  ///< combinations of a small node that are sorted at once (at most 32)

  // Alternating optimisation (src/grow).
  std::uint32_t bins = 2048;      ///< of the codes of a column
  std::size_t binned_rows = 512;  ///< from which on codes are put into bins

  // Work worth sharing between threads.
  std::size_t parallel_rows = 1 << 15;     ///< rows counted in one go
  std::size_t parallel_cells = 1 << 15;    ///< rows times columns searched or divided in one go
  std::size_t parallel_collect = 1 << 14;  ///< rows looked through for cells of some buckets
  std::size_t parallel_divide = 1 << 14;   ///< rows divided in one go
  std::size_t parallel_sums = 1 << 12;     ///< rows whose combinations are computed in one go
  std::size_t parallel_leaves = 512;       ///< leaves whose rows are added up in one go
  std::size_t parallel_refit = 1 << 13;    ///< rows of a pass of alternating optimisation
  std::int64_t parallel_fit = 1 << 15;     ///< cells below which a fit runs on one thread
  std::int64_t parallel_predict = 512;     ///< rows up to which answers come from one thread

  // Blocks of rows (src/scale): cells brought together at once, of some 50 bytes each.
  std::uint64_t block_cells_least = std::uint64_t{1} << 18;
  std::uint64_t block_cells_most = std::uint64_t{1} << 24;

  // Prediction (src/predict, src/model).
  std::int32_t shallow_depth = 12;  ///< up to which depth whole levels are walked
  std::size_t deep_nodes = 4096;    ///< nodes from which on columns are copied row by row first
};

/// The most that small_rows can be: ids of rows in sorted lists have 12 bits, and floats count exactly.
inline constexpr std::uint32_t kMostSmallRows = 4096;

namespace internal {
inline InternalLimits limits_in_force;
}

/// The limits in force.
inline const InternalLimits& internal_limits() noexcept {
  return internal::limits_in_force;
}

/// Other limits for as long as this lives; nothing may be running when it comes or goes.
class LimitsForTest {
 public:
  explicit LimitsForTest(const InternalLimits& limits) : before_(internal::limits_in_force) {
    internal::limits_in_force = limits;
  }
  ~LimitsForTest() { internal::limits_in_force = before_; }
  LimitsForTest(const LimitsForTest&) = delete;
  LimitsForTest& operator=(const LimitsForTest&) = delete;

 private:
  InternalLimits before_;
};

}  // namespace bough
