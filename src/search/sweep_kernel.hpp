// SPDX-License-Identifier: Apache-2.0
// The inner loop of the depth-2 sweep: a segment tree of prefix sums under moves.
#pragma once

#include <cstdint>
#include <span>

namespace bough::search {

/// One pair of classes, one chain of stumps. Cases are listed in the order in which they pass from right to left
/// of the outer cut.
struct SweepJob {
  std::int32_t* tree = nullptr;        ///< room for 2 * leaves nodes of 8 numbers, aligned to 64 bytes
  std::uint32_t leaves = 0;            ///< a power of two, at least the number of runs
  const std::int32_t* runs = nullptr;  ///< per case of the pair: its run along the chain
  std::span<const std::int32_t> cases;
  std::span<const std::int32_t>
      signed_weights;                  ///< per entry of `cases`: + of the first class, - of the second
  std::span<const std::int32_t> ends;  ///< per cut: entries of `cases` left of it, increasing
};

/// Writes four numbers per cut: the least prefix sum along the chain of the signed weights, and of their
/// negatives, of the cases left of the cut, then right of it; prefixes are not empty. Returns the work done, in
/// moves of one case.
std::int64_t sweep_prefixes(const SweepJob& job, std::span<std::int32_t> least);

}  // namespace bough::search
