// SPDX-License-Identifier: Apache-2.0
// Which criteria the fast engines know.
#pragma once

#include "criterion/registry.hpp"

namespace bough {

/// Whether bounds (curve_kernels.cpp) and quick scores (quick_score.hpp, side_kernels.cpp) are written and
/// proven for a criterion.
constexpr bool has_bounds(CriterionId id) noexcept {
  return criterion_info(id).has_bounds;
}

}  // namespace bough
