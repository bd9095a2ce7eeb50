// SPDX-License-Identifier: Apache-2.0
// What every node knows about its training rows: counts, weight, impurity, values; the same code for every
// engine.
#pragma once

#include <span>
#include <vector>

#include "base/monitor.hpp"
#include "bough/tree.hpp"
#include "criterion/registry.hpp"
#include "data/targets.hpp"
#include "grow/totals.hpp"

namespace bough {

/// Bounds that monotone constraints put on a node's value.
struct ValueBounds {
  double low = 0.0;
  double high = 0.0;
};

struct FillSpec {
  CriterionId criterion = CriterionId::gini;
  double quantile = 0.5;
  std::vector<ValueBounds> bounds;  ///< per handle; empty: none
  bool own_rows = false;  ///< inner nodes are summed over rows[h] too: they may hold rows that no child has
};

/// Sets the statistics of all nodes of `builder`. `rows[h]` are the training rows of handle h; an inner
/// node's are the union of its children's; a node without rows gets zeros. Sums are exact integers, so the
/// result does not depend on the order of rows.
void fill(TreeBuilder& builder, std::span<const std::span<const RowId>> rows, const Targets& targets,
          const FillSpec& spec);

/// The same from what leaves know, by handle (those of inner nodes are not looked at, a leaf that nobody
/// knows is empty), for targets without rows: classes without codes, numbers with their exponents only.
/// `poisson`: by output, for that criterion. Throws not_supported for criteria whose values are not made of
/// sums.
void fill(TreeBuilder& builder, std::span<const LeafTotals> leaves, const Targets& shape,
          std::span<const PoissonFrame> poisson, const FillSpec& spec);

}  // namespace bough
