// SPDX-License-Identifier: Apache-2.0
// Text inside of XML and HTML.
#pragma once

#include <string_view>

namespace bough {

/// What stands for a sign that markup would read as its own; empty: the sign may stand as it is.
constexpr std::string_view markup_entity(char sign) noexcept {
  switch (sign) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace bough
