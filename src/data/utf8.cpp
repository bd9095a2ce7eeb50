// SPDX-License-Identifier: Apache-2.0
// Is a text valid UTF-8?
#include "data/utf8.hpp"

#include <cstddef>
#include <cstdint>

namespace bough {
namespace {

struct Lead {
  std::size_t followers;
  std::uint32_t bits;
  std::uint32_t lowest;  // smallest code point that may use this length
};

Lead lead_of(std::uint8_t byte) noexcept {
  if (byte >= 0xC2 && byte <= 0xDF) return {1, byte & 0x1Fu, 0x80};
  if (byte >= 0xE0 && byte <= 0xEF) return {2, byte & 0x0Fu, 0x800};
  if (byte >= 0xF0 && byte <= 0xF4) return {3, byte & 0x07u, 0x10000};
  return {0, 0, 0};
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    if (byte < 0x80) continue;
    const Lead lead = lead_of(byte);
    if (lead.followers == 0 || text.size() - i <= lead.followers) return false;
    std::uint32_t point = lead.bits;
    for (std::size_t k = 1; k <= lead.followers; ++k) {
      const auto follower = static_cast<std::uint8_t>(text[i + k]);
      if ((follower & 0xC0) != 0x80) return false;
      point = (point << 6) | (follower & 0x3Fu);
    }
    if (point < lead.lowest || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return false;
    i += lead.followers;
  }
  return true;
}

}  // namespace bough
