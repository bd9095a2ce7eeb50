// SPDX-License-Identifier: Apache-2.0
// Telling the two model formats apart.
#pragma once

#include <string_view>

#include "bough/model.hpp"

namespace bough {

/// First bytes of a binary model: not text, and broken by any change of line ends.
inline constexpr std::string_view kMagic =
    "\x89"
    "BOUGH\r\n";

/// True when the bytes start like a binary model.
bool is_binary_model(std::string_view bytes) noexcept;
/// The model in the bytes, in whichever of the two formats they are.
Model model_from(std::string_view bytes);

}  // namespace bough
