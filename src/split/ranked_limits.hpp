// SPDX-License-Identifier: Apache-2.0
// Where the ranked engine changes its ways. Answers do not depend on these; tests make them small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bough {

struct RankedLimits {
  /// Nodes of at most so many rows compare all rows with one another (the kernels have limits of their own).
  std::uint32_t few_rows = 32;
  /// Nodes of at most so many rows read ranks row by row: their rows stay near in the cache.
  std::uint32_t near_rows = 512;
  /// Counters of a column per row of the node; with more, only the ranks that the node has get counters.
  std::size_t counters_per_row = 4;
};

/// Whether Execution::engine leaves the choice to the fit, or asks for the ranked engine.
inline bool may_rank(std::string_view engine) noexcept {
  return engine == "auto" || engine.starts_with("ranked");
}
/// "ranked_tight" makes the limits so small that small tables go all ways.
inline RankedLimits ranked_limits(std::string_view engine) noexcept {
  return engine == "ranked_tight" ? RankedLimits{.few_rows = 4, .near_rows = 8, .counters_per_row = 0}
                                  : RankedLimits{};
}

}  // namespace bough
