// SPDX-License-Identifier: Apache-2.0
// From codes to real units.
#include "split/candidate.hpp"

#include <algorithm>
#include <limits>

namespace bough {

Split to_split(const Candidate& candidate, std::uint32_t n_levels, bool missing_known, bool left_is_larger) {
  Split split;
  split.kind = candidate.kind;
  split.column = candidate.column;
  split.gain = candidate.gain;
  split.score = candidate.score;
  const bool to_left = missing_known ? candidate.missing_left : left_is_larger;
  split.missing_to = to_left ? 0 : 1;
  split.unseen_to = split.missing_to;
  switch (candidate.kind) {
    case NodeKind::numeric:
      if (candidate.has_threshold) {
        split.threshold = candidate.threshold;
      } else {
        split.threshold = candidate.all_known_left ? std::numeric_limits<double>::infinity()
                                                   : midpoint(candidate.low, candidate.high);
      }
      break;
    case NodeKind::ordinal:
      split.threshold = candidate.all_known_left ? static_cast<double>(n_levels) : candidate.high;
      break;
    case NodeKind::equality:
      split.threshold = candidate.low;
      split.unseen_to = 1;
      break;
    default:
      for (const std::uint32_t level : candidate.left_levels) split.map_levels.push_back(level);
      for (const std::uint32_t level : candidate.right_levels) split.map_levels.push_back(level);
      std::sort(split.map_levels.begin(), split.map_levels.end());
      for (const std::uint32_t level : split.map_levels)
        split.map_children.push_back(
            std::binary_search(candidate.left_levels.begin(), candidate.left_levels.end(), level) ? 0 : 1);
  }
  return split;
}

}  // namespace bough
