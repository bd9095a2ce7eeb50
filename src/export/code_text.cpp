// SPDX-License-Identifier: Apache-2.0
// Numbers, names and lists as source code.
#include "export/code_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bough/error.hpp"
#include "data/utf8.hpp"
#include "explain/words.hpp"

namespace bough {
namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kLongestName = 40;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string with_point(std::string text) {
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Bytes of the first sign of a text; 1 where they are no UTF-8.
std::size_t sign_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return length <= text.size() && is_utf8(text.substr(0, length)) ? length : 1;
}

std::uint32_t sign_point(std::string_view sign) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(sign[i]));
  };
  if (sign.size() == 1) return byte(0) < 0x80 ? byte(0) : 0xDC00 + byte(0);
  std::uint32_t point = byte(0) & (0xFFU >> (sign.size() + 1));
  for (std::size_t i = 1; i < sign.size(); ++i) point = point << 6 | (byte(i) & 0x3FU);
  return point;
}

// clang-format off
constexpr std::array kKeywords{
  "False", "None", "True", "alignas", "alignof", "and", "and_eq", "as", "asm", "assert", "async", "auto", "await",
  "bitand", "bitor", "bool", "break", "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await",
  "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
  "continue", "decltype", "def", "default", "del", "delete", "do", "double", "dynamic_cast", "elif", "else", "enum",
  "except", "explicit", "export", "extern", "false", "finally", "float", "for", "friend", "from", "global", "goto",
  "if", "import", "in", "inline", "int", "is", "lambda", "long", "mutable", "namespace", "new", "noexcept", "nonlocal",
  "not", "not_eq", "nullptr", "operator", "or", "or_eq", "pass", "private", "protected", "public", "raise", "register",
  "reinterpret_cast", "requires", "restrict", "return", "short", "signed", "sizeof", "static", "static_assert",
  "static_cast", "std", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
  "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "with", "xor",
  "xor_eq", "yield",
};
// clang-format on

}  // namespace

std::string double_literal(double value) {
  return with_point(fmt::format("{}", value));
}

std::string float_literal(float value) {
  return with_point(fmt::format("{}", value)) + "f";
}

std::string c_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\' || c == '?') {
      out += '\\';
      out += c;
    } else if (c >= 0x20 && c < 0x7F) {
      out += c;
    } else {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return out + '"';
}

std::string python_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::string_view sign = text.substr(0, sign_length(text));
    const std::uint32_t point = sign_point(sign);
    if (point == '"' || point == '\\') {
      out += '\\';
      out += static_cast<char>(point);
    } else if (point >= 0x20 && point < 0x7F) {
      out += static_cast<char>(point);
    } else {
      out += point < 0x10000 ? fmt::format("\\u{:04x}", point) : fmt::format("\\U{:08x}", point);
    }
    text.remove_prefix(sign.size());
  }
  return out + '"';
}

std::string comment_text(std::string_view text) {
  std::string out;
  for (const char c : shown_name(text)) {
    const char last = out.empty() ? ' ' : out.back();
    const bool pair = (last == '*' && c == '/') || (last == '/' && c == '*') || (last == '?' && c == '?');
    if (pair) out += ' ';
    out += c;
  }
  if (!out.empty() && out.back() == '\\') out += ' ';
  return out;
}

std::string Identifiers::make(std::string_view text, std::string_view fallback) {
  std::string name;
  for (const char c : text) {
    const bool keep = is_letter(c) || is_digit(c);
    if (keep) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  name.resize(std::min(name.size(), kLongestName));
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty()) name = fallback;
  const auto [found, is_new] = taken_.try_emplace(name, 2);
  if (is_new) return name;
  std::string unique;
  do {
    unique = fmt::format("{}_{}", name, found->second++);
  } while (!taken_.try_emplace(unique, 2).second);
  return unique;
}

void check_identifier(std::string_view text) {
  const bool shaped = !text.empty() && is_letter(text.front()) &&
                      std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
  if (shaped && text.front() != '_' && std::ranges::find(kKeywords, text) == kKeywords.end()) return;
  throw Error(ErrorCode::bad_params, fmt::format("the prefix {} is no name in source code", shown_name(text)),
              "take a letter, then letters, digits and _, and no keyword");
}

std::string wrapped_list(std::span<const std::string> parts, std::string_view indent) {
  std::string out(indent);
  std::size_t column = indent.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (column + parts[i].size() > kLineWidth && column > indent.size()) {
      out.back() = '\n';
      out += indent;
      column = indent.size();
    }
    out += parts[i];
    if (i + 1 < parts.size()) out += ", ";
    column += parts[i].size() + 2;
  }
  return out;
}

}  // namespace bough
