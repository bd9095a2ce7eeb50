// SPDX-License-Identifier: Apache-2.0
// How deep a JSON text nests, before anybody parses it: printing and copying what was parsed goes as deep on
// the stack.
#pragma once

#include <string_view>

namespace bough {

/// Containers inside containers that a text of people or strangers may have.
inline constexpr int kMostJsonDepth = 32;

/// True when brackets outside strings nest deeper than `most`.
constexpr bool nests_deeper(std::string_view text, int most = kMostJsonDepth) noexcept {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > most) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

}  // namespace bough
