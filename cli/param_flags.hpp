// SPDX-License-Identifier: Apache-2.0
// Training parameters as options, made by walking the one table of them.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "bough/params.hpp"
#include "command.hpp"

namespace bough::cli {

/// What was typed for every row of kParams.
using ParamFlags = std::array<std::optional<std::string>, kParams.size()>;

/// One option per parameter: max_depth becomes --max-depth.
void add_param_flags(Command& command, ParamFlags& flags);
/// The parameters of a preset (may be empty), those typed above them; throws bad_params listing everything
/// that is wrong.
Params read_params(const ParamFlags& flags, const std::string& preset = {});
/// A message of the library with its parameters, and the options of the running verb, as they are typed: "max_depth=3" is
/// "--max-depth 3".
std::string as_options(std::string_view text);
/// "max_depth" as the option "--max-depth".
std::string option_name(std::string_view param);

}  // namespace bough::cli
