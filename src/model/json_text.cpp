// SPDX-License-Identifier: Apache-2.0
// JSON of strangers, read where it lies: walking, texts and numbers.
#include "model/json_text.hpp"

#include <charconv>
#include <cstdlib>

#include "bough/parse_double.hpp"

namespace bough::json_text {
namespace {

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t end_of_text(std::string_view text, std::size_t at) noexcept {
  for (++at; text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at + 1;
}

std::uint32_t code_unit(std::string_view digits) noexcept {
  std::uint32_t unit = 0;
  std::from_chars(digits.data(), digits.data() + 4, unit, 16);
  return unit;
}

void append_utf8(std::string& out, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0 | point >> 6);
    put(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    put(0xE0 | point >> 12);
    put(0x80 | (point >> 6 & 0x3F));
    put(0x80 | (point & 0x3F));
  } else {
    put(0xF0 | point >> 18);
    put(0x80 | (point >> 12 & 0x3F));
    put(0x80 | (point >> 6 & 0x3F));
    put(0x80 | (point & 0x3F));
  }
}

char plain_escape(char c) noexcept {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

}  // namespace

std::size_t skip_blank(std::string_view text, std::size_t at) noexcept {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

std::size_t end_of_value(std::string_view text, std::size_t at) noexcept {
  if (text[at] == '"') return end_of_text(text, at);
  if (text[at] != '{' && text[at] != '[') {
    while (at < text.size() && text[at] != ',' && text[at] != ']' && text[at] != '}' && !is_blank(text[at]))
      ++at;
    return at;
  }
  for (int depth = 0;;) {
    const char c = text[at];
    if (c == '"') {
      at = end_of_text(text, at);
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at;
  }
}

std::string unquoted(std::string_view quoted) {
  const std::string_view raw = quoted.substr(1, quoted.size() - 2);
  if (raw.find('\\') == std::string_view::npos) return std::string(raw);
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      out += raw[i];
    } else if (raw[++i] != 'u') {
      out += plain_escape(raw[i]);
    } else {
      std::uint32_t point = code_unit(raw.substr(i + 1));
      i += 4;
      if (point >= 0xD800 && point < 0xDC00) {
        point = 0x10000 + ((point & 0x3FF) << 10 | (code_unit(raw.substr(i + 3)) & 0x3FF));
        i += 6;
      }
      append_utf8(out, point);
    }
  }
  return out;
}

bool means(std::string_view quoted, std::string_view name) {
  const std::string_view raw = quoted.substr(1, quoted.size() - 2);
  return raw.find('\\') == std::string_view::npos ? raw == name : unquoted(quoted) == name;
}

bool is_number(std::string_view value) noexcept {
  return value.front() == '-' || (value.front() >= '0' && value.front() <= '9');
}

bool is_whole(std::string_view value) noexcept {
  return is_number(value) && value.find_first_of(".eE") == std::string_view::npos;
}

double to_double(std::string_view number) {
  double value = 0.0;
  const auto [end, status] = parse_double(number.data(), number.data() + number.size(), value);
  // parse_double does not say whether a number was too large or too small.
  return status == std::errc() ? value : std::strtod(std::string(number).c_str(), nullptr);
}

}  // namespace bough::json_text
