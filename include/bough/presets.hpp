// SPDX-License-Identifier: Apache-2.0
// Parameters under one name: what another program does by default, as far as it is right.
#pragma once

#include <span>
#include <string_view>

#include "bough/params.hpp"

namespace bough {

struct Preset {
  std::string_view name;
  std::string_view doc;
};

/// All presets.
std::span<const Preset> presets() noexcept;
/// Sets the parameters of a preset and leaves the others. The task must be set where the preset depends on
/// it. Throws bad_params for an unknown name or an open task.
void apply_preset(Params& params, std::string_view name);

}  // namespace bough
