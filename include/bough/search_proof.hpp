// SPDX-License-Identifier: Apache-2.0
// What a search of small trees found, and what it proved.
#pragma once

#include <cstdint>

namespace bough {

/// Of the trees that the parameters allow. Errors are weights of rows in other classes than the answer.
struct SearchProof {
  double errors = 0.0;       ///< of the tree on its training rows
  double cost = 0.0;         ///< errors + leaf_price * leaves: what the search makes small
  double lower_bound = 0.0;  ///< no tree costs less
  std::int64_t work = 0;     ///< that the search did, in the units of work_limit
  /// Whether no tree is better.
  [[nodiscard]] bool is_proven() const noexcept { return lower_bound == cost; }
  bool operator==(const SearchProof&) const = default;
};

}  // namespace bough
