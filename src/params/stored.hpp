// SPDX-License-Identifier: Apache-2.0
// Parameters out of model files.
#pragma once

#include <string_view>

#include "bough/params.hpp"

namespace bough {

/// params_from_json() of a model file, which may hold parameters that earlier versions had.
Params stored_params(std::string_view text);

}  // namespace bough
