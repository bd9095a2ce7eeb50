// SPDX-License-Identifier: Apache-2.0
// Splits judged by the best splits of their two sides.
#pragma once

#include <memory>

#include "split/engine.hpp"

namespace bough {

struct LookaheadOptions {
  EngineOptions engine;  ///< criterion and category_split
  std::int32_t max_depth = INT32_MAX;
  std::int64_t min_samples_split = 2;
};

/// Proposes, for every node, the root of the best tree of two levels (of one level where max_depth allows no
/// more): exact over all cuts, all subsets of up to kExhaustiveLevels categories (or single ones), and both
/// sides for missing cells. Split::score is the gain of the two levels in the user's units. Throws
/// not_supported for criteria that are no sum over leaves, categories of too many levels, and nodes of too
/// many pairs of tests.
std::unique_ptr<Engine> make_lookahead_engine(const EncodedTable& table, const Targets& targets,
                                              const LookaheadOptions& options);

}  // namespace bough
