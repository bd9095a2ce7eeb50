// SPDX-License-Identifier: Apache-2.0
// Surrogate splits: the tests on other columns that agree best with a split (CART, section 5.3).
//
// Rows that the split decides are labelled with its child. A surrogate is the test of another column that
// repeats the most weight of these labels: a cut in either direction with at least two rows on both sides, or
// for categories every level with its own majority (levels that are even go where most of the weight goes, or
// to the child of the higher mean). It is worth keeping when it agrees more than sending every row to the
// heavier child would: with the agreement a and the share m of the heavier child, when (a - m) / (1 - m) > 0.
// A map of categories is kept only when it differs from the split on two rows or more, so that trees are
// those of rpart, which has it so.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bough/tree.hpp"
#include "data/encoded.hpp"
#include "split/options.hpp"

namespace bough {

/// Child of every row by the split: 0, 1, or -1 where its cell is missing. Indexed by row.
using Sides = std::vector<std::int8_t>;

/// One column at one node.
struct SurrogateColumn {
  ColId id = 0;
  const EncodedColumn* column = nullptr;
  std::span<const std::uint32_t> codes;  ///< per row
  std::span<const RowId> sorted;         ///< the node's rows by code, missing last
};

/// Weight of the rows that the split decides, per child.
struct SideWeights {
  double left = 0.0;
  double right = 0.0;
  bool even_left = false;  ///< where both are equal: even levels of categories go left
  [[nodiscard]] double total() const noexcept { return left + right; }
  [[nodiscard]] double heavier() const noexcept { return left > right ? left : right; }
};

/// The best surrogate of a column, if it is worth keeping.
std::optional<Alternative> find_surrogate(const SurrogateColumn& column, const Sides& sides,
                                          const SideWeights& decided, const SurrogateOptions& options);

}  // namespace bough
