// SPDX-License-Identifier: Apache-2.0
// JSON from strangers, read with checks.
#include "model/checked_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "data/utf8.hpp"

namespace bough {
namespace {

constexpr const char* kHint = "The file is damaged or was not written by bough; make the model again.";
// No object whose members have given names has more of them.
constexpr std::size_t kMostMembers = 256;
// Texts of a file in messages.
constexpr std::size_t kMostLetters = 60;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::string shortened(std::string text) {
  if (text.size() <= kMostLetters) return text;
  std::size_t size = kMostLetters - 3;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size) + "...";
}

}  // namespace

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(number_text(value));
}

Json text_json(const std::string& text) {
  if (is_utf8(text)) return text;
  std::string hex;
  for (const char c : text) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return {{"hex", hex}};
}

void LoadBudget::take(std::size_t count, std::size_t bytes_each) {
  if (count > left_ / bytes_each) {
    throw Error(ErrorCode::bad_model, "the model would take more memory than four times its file",
                "Nothing that bough writes does; make the model again.");
  }
  left_ -= count * bytes_each;
}

JsonCursor JsonCursor::root(std::string_view text, LoadBudget& budget) {
  check_json(text);
  const std::size_t start = json_text::skip_blank(text, 0);
  return {text.substr(start, json_text::end_of_value(text, start) - start), "", budget};
}

void JsonCursor::refuse(const std::string& what) const {
  if (path_.empty()) throw Error(ErrorCode::bad_model, fmt::format("the model {}", what), kHint);
  throw Error(ErrorCode::bad_model, fmt::format("the model's '{}' {}", shortened(path_), what), kHint);
}

std::string_view JsonCursor::object() const {
  if (!is_object()) refuse("is no JSON object");
  return value_;
}

std::string_view JsonCursor::array() const {
  if (!is_array()) refuse("is no JSON array");
  return value_;
}

const std::vector<JsonCursor::Member>& JsonCursor::members() const {
  if (!members_.empty()) return members_;
  json_text::each_member(object(), [&](std::string_view name, std::string_view value) {
    if (members_.size() == kMostMembers) refuse("has more members than it can have");
    const bool known = std::any_of(members_.begin(), members_.end(), [&](const Member& member) {
      return json_text::means(member.name, json_text::unquoted(name));
    });
    if (known) refuse(fmt::format("has the member '{}' twice", shortened(json_text::unquoted(name))));
    members_.push_back({name, value});
  });
  return members_;
}

const JsonCursor::Member* JsonCursor::find(std::string_view key) const {
  for (const Member& member : members())
    if (json_text::means(member.name, key)) return &member;
  return nullptr;
}

JsonCursor JsonCursor::operator[](std::string_view key) const {
  std::string path = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  const Member* found = find(key);
  if (found == nullptr) JsonCursor(value_, std::move(path), *budget_).refuse("is absent");
  return {found->value, std::move(path), *budget_};
}

bool JsonCursor::is_text(std::string_view text) const {
  return value_.front() == '"' && json_text::means(value_, text);
}

std::size_t JsonCursor::size() const {
  std::size_t count = 0;
  json_text::each_element(array(), [&](std::string_view) { ++count; });
  return count;
}

std::string JsonCursor::to_text(std::string_view value) const {
  return value.front() == '"' ? json_text::unquoted(value) : from_hex(value);
}

std::string JsonCursor::from_hex(std::string_view object) const {
  if (object.front() != '{') refuse("is no text");
  const JsonCursor held(object, path_, *budget_);
  const Member* found = held.find("hex");
  if (found == nullptr || held.members().size() != 1 || found->value.front() != '"') refuse("is no text");
  const std::string hex = json_text::unquoted(found->value);
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

std::vector<std::string> JsonCursor::texts() const {
  const std::size_t count = size();
  budget_->take(count, sizeof(std::string));
  std::vector<std::string> out;
  out.reserve(count);
  json_text::each_element(array(), [&](std::string_view item) { out.push_back(to_text(item)); });
  return out;
}

double JsonCursor::to_number(std::string_view value) const {
  if (json_text::is_number(value)) return json_text::to_double(value);
  if (value == "\"inf\"") return std::numeric_limits<double>::infinity();
  if (value == "\"-inf\"") return -std::numeric_limits<double>::infinity();
  if (value == "\"nan\"") return std::numeric_limits<double>::quiet_NaN();
  refuse("holds something that is no number");
}

std::size_t JsonCursor::choice(std::span<const std::string_view> names) const {
  const std::string given = text();
  const auto found = std::find(names.begin(), names.end(), given);
  if (found == names.end())
    refuse(fmt::format("is '{}', not one of {}", shortened(given), fmt::join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

std::array<std::uint64_t, 2> JsonCursor::format_of(std::string_view kind, std::string_view name) const {
  if (!is_object() || !has("bough") || !(*this)["bough"].is_text(kind)) {
    throw Error(ErrorCode::bad_model, fmt::format("JSON, but not a bough {}", name),
                fmt::format("A {} has the member \"bough\": \"{}\".", name, kind));
  }
  const JsonCursor format = (*this)["format"];
  const std::vector<std::uint64_t> version = format.numbers<std::uint64_t>();
  if (version.size() != 2) format.refuse("is not [major, minor]");
  return {version[0], version[1]};
}

void JsonCursor::only(std::span<const std::string_view> known) const {
  json_text::each_member(object(), [&](std::string_view name, std::string_view) {
    const std::string key = json_text::unquoted(name);
    if (std::find(known.begin(), known.end(), key) == known.end())
      refuse(fmt::format("has an unknown member '{}'", shortened(key)));
  });
}

}  // namespace bough
