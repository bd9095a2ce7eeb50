// SPDX-License-Identifier: Apache-2.0
// JSON from strangers, parsed and read with checks.
#include "model/checked_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "data/utf8.hpp"

namespace bough {
namespace {

constexpr const char* kHint = "The file is damaged or was not written by bough; make the model again.";

struct Nesting {
  int deepest = 0;
  bool complete = true;  // every bracket and string is closed
};

// Brackets outside strings; a backslash inside a string hides the next character.
Nesting scan(std::string_view text) {
  Nesting nesting;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size() && nesting.deepest <= kMaxJsonDepth; ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      nesting.deepest = std::max(nesting.deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  nesting.complete = depth <= 0 && !in_string;
  return nesting;
}

// The parser's own words without its name in brackets.
std::string_view reason(std::string_view what) {
  const std::size_t end = what.find("] ");
  return end == std::string_view::npos ? what : what.substr(end + 2);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

Json parse_json(std::string_view text) {
  const Nesting nesting = scan(text);
  if (nesting.deepest > kMaxJsonDepth) {
    throw Error(ErrorCode::bad_model,
                fmt::format("the model's JSON is nested deeper than {} levels", kMaxJsonDepth), kHint);
  }
  if (!nesting.complete || text.empty()) {
    throw Error(
        ErrorCode::bad_model,
        fmt::format("the model is truncated: its JSON stops in the middle, after {} bytes", text.size()),
        "The file is incomplete: copy or download it again.");
  }
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::bad_model,
                fmt::format("the model's JSON cannot be read: {}", reason(error.what())), kHint);
  }
}

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(number_text(value));
}

Json text_json(const std::string& text) {
  if (is_utf8(text)) return text;
  std::string hex;
  for (const char c : text) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return {{"hex", hex}};
}

void Place::refuse(const std::string& what) const {
  throw Error(ErrorCode::bad_model, fmt::format("the model's '{}' {}", path_, what), kHint);
}

const Json& Place::object() const {
  if (!value_.is_object()) refuse("is no JSON object");
  return value_;
}

const Json& Place::array() const {
  if (!value_.is_array()) refuse("is no JSON array");
  return value_;
}

Place Place::operator[](const std::string& key) const {
  const std::string path = path_.empty() ? key : path_ + "." + key;
  const auto found = object().find(key);
  if (found == object().end()) Place(value_, path).refuse("is absent");
  return {*found, path};
}

std::string Place::to_text(const Json& value) const {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_object() || value.size() != 1 || !value.contains("hex") || !value["hex"].is_string()) {
    refuse("is no text");
  }
  const auto& hex = value["hex"].get_ref<const std::string&>();
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const int high = hex_digit(hex[i]);
    const int low = hex_digit(hex[i + 1]);
    if (high < 0 || low < 0) refuse("is no hexadecimal text");
    bytes += static_cast<char>(high * 16 + low);
  }
  if (hex.size() % 2 != 0 || is_utf8(bytes)) refuse("is hexadecimal text without need");
  return bytes;
}

std::string Place::text() const {
  return to_text(value_);
}

std::vector<std::string> Place::texts() const {
  std::vector<std::string> out;
  out.reserve(array().size());
  for (const Json& item : array()) out.push_back(to_text(item));
  return out;
}

double Place::to_number(const Json& value) const {
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  refuse("is no number");
}

std::size_t Place::choice(std::span<const std::string_view> names) const {
  const auto found = std::find(names.begin(), names.end(), text());
  if (found == names.end()) refuse(fmt::format("is '{}', not one of {}", text(), fmt::join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

void Place::only(std::span<const std::string_view> known) const {
  for (const auto& [key, value] : object().items()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      refuse(fmt::format("has an unknown member '{}'", key));
  }
}

}  // namespace bough
