// SPDX-License-Identifier: Apache-2.0
// Parameters that somebody has written down, beside those that merely have a value.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/params.hpp"

namespace bough {

/// Throws bad_params naming one of the `given` parameters that does nothing beside the others, even where its value is the
/// default; `treatment`: whether there is one.
void check_given_params(const Params& params, std::span<const std::string_view> given, bool treatment);

/// Names of the parameters beside which search=auto does not search for small trees but only grows and prunes:
/// competitors, max_features.
std::vector<std::string> unsearched_params(const Params& params);

}  // namespace bough
