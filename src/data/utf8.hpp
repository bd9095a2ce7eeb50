// SPDX-License-Identifier: Apache-2.0
// Is a text valid UTF-8?
#pragma once

#include <string_view>

namespace bough {

/// True for well-formed UTF-8 (no overlong forms, no surrogates, nothing above U+10FFFF).
bool is_utf8(std::string_view text) noexcept;

}  // namespace bough
