// SPDX-License-Identifier: Apache-2.0
// splitter=hist: search that sees buckets instead of values.
//
// A numeric column becomes an ordinal one whose levels are its buckets; every engine then finds the best cut
// between buckets, in large nodes and small ones, by what it does for ordinal columns. Only the threshold has
// to be brought back: halfway between the neighbouring buckets, from the upper end of the last one on the
// left to the lower end of the first one on the right. A bucket of one value ends at that value, so that
// columns of few values get the thresholds of splitter=best.
#pragma once

#include <limits>
#include <vector>

#include "data/codes.hpp"
#include "data/encoded.hpp"
#include "split/candidate.hpp"

namespace bough {

/// Ends of the buckets of a column that was numeric; empty for others.
struct BucketEnds {
  std::vector<double> low;   ///< no cell of the bucket is below
  std::vector<double> high;  ///< no cell of the bucket is above
};

/// Makes the numeric columns of the table ordinal over their buckets; returns their ends by column.
std::vector<BucketEnds> use_buckets(CodedTable& table);
/// The same table for the lists engine.
EncodedTable encode_buckets(const CodedTable& table);

/// Brings a split on buckets back to values; `ends` may be empty (no buckets were used).
inline void to_values(const std::vector<BucketEnds>& ends, const Candidate& candidate, Split& split) {
  if (ends.empty()) return;
  const BucketEnds& column = ends[static_cast<std::size_t>(candidate.column)];
  if (column.low.empty()) return;
  split.kind = NodeKind::numeric;
  split.threshold = candidate.all_known_left ? std::numeric_limits<double>::infinity()
                                             : midpoint(column.high[static_cast<std::size_t>(candidate.low)],
                                                        column.low[static_cast<std::size_t>(candidate.high)]);
}

}  // namespace bough
