// SPDX-License-Identifier: Apache-2.0
// Which criteria the fast engines know.
#pragma once

#include "criterion/registry.hpp"

namespace bough {

/// Whether bounds (curve_kernels.cpp) and quick scores (quick_score.hpp, side_kernels.cpp) are written and
/// proven for a criterion. One that is not named here is searched by lists, and refused on blocks of rows.
constexpr bool has_bounds(CriterionId id) noexcept {
  switch (id) {
    case CriterionId::gini:
    case CriterionId::entropy:
    case CriterionId::misclassification:
    case CriterionId::hellinger:
    case CriterionId::squared_error:
    case CriterionId::poisson:
      return true;
    default:
      return false;  // gain ratios are no sums, losses of order need the rows themselves
  }
}

}  // namespace bough
