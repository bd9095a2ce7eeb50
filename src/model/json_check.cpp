// SPDX-License-Identifier: Apache-2.0
// Is a text JSON? Strictly so, in bounded memory and without recursion.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "bough/error.hpp"
#include "data/utf8.hpp"
#include "model/json_text.hpp"

namespace bough {
namespace {

// No number of this many letters without an exponent is too large for a double.
constexpr std::size_t kSafeDigits = 300;

class JsonChecker {
 public:
  explicit JsonChecker(std::string_view text) : text_(text) {}

  void run() {
    blank();
    while (true) {
      if (!value()) continue;
      if (!next()) break;
    }
    blank();
    if (at_ != text_.size()) fail("there is more behind its end");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::bad_model,
                fmt::format("the model's JSON cannot be read: at byte {}, {}", at_, what),
                "The file is damaged or was not written by bough; make the model again.");
  }

  char peek() const {
    if (at_ < text_.size()) return text_[at_];
    throw Error(
        ErrorCode::bad_model,
        fmt::format("the model is truncated: its JSON stops in the middle, after {} bytes", text_.size()),
        "The file is incomplete: copy or download it again.");
  }

  void blank() noexcept { at_ = json_text::skip_blank(text_, at_); }

  // One value, or the start of a container that has something in it: then false, and its first value is next.
  bool value() {
    const char c = peek();
    if (c == '{' || c == '[') return open(c);
    if (c == '"') {
      text();
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      number();
    } else {
      word(c == 't' ? "true" : c == 'f' ? "false" : c == 'n' ? "null" : "");
    }
    return true;
  }

  bool open(char c) {
    if (depth_ == kMaxJsonDepth) {
      throw Error(ErrorCode::bad_model,
                  fmt::format("the model's JSON is nested deeper than {} levels", kMaxJsonDepth),
                  "The file is damaged or was not written by bough; make the model again.");
    }
    const char close = c == '{' ? '}' : ']';
    closing_[depth_++] = close;
    ++at_;
    blank();
    if (peek() == close) {
      ++at_;
      --depth_;
      return true;
    }
    if (c == '{') name();
    return false;
  }

  // Behind a value: true when another one follows, false at the end of the outermost.
  bool next() {
    while (depth_ > 0) {
      blank();
      const char c = peek();
      ++at_;
      if (c == ',') {
        blank();
        if (closing_[depth_ - 1] == '}') name();
        return true;
      }
      if (c != closing_[depth_ - 1]) {
        --at_;
        fail(fmt::format("',' or '{}' is expected", closing_[depth_ - 1]));
      }
      --depth_;
    }
    return false;
  }

  void name() {
    if (peek() != '"') fail("the name of a member is expected");
    text();
    blank();
    if (peek() != ':') fail("':' is expected");
    ++at_;
    blank();
  }

  void text() {
    const std::size_t start = ++at_;
    for (char c = peek(); c != '"'; c = peek()) {
      if (static_cast<unsigned char>(c) < 0x20) fail("a text holds a control character");
      ++at_;
      if (c == '\\') escape();
    }
    if (!is_utf8(text_.substr(start, at_ - start))) fail("a text ends that is not UTF-8");
    ++at_;
  }

  void escape() {
    const char c = peek();
    ++at_;
    if (c != 'u') {
      if (std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos)
        fail("a text holds an unknown escape");
      return;
    }
    const unsigned unit = hex4();
    if (unit < 0xD800 || unit > 0xDFFF) return;
    if (unit >= 0xDC00 || peek() != '\\') fail("a text holds half a character");
    ++at_;
    if (peek() != 'u') fail("a text holds half a character");
    ++at_;
    const unsigned low = hex4();
    if (low < 0xDC00 || low > 0xDFFF) fail("a text holds half a character");
  }

  unsigned hex4() {
    unsigned unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const bool digit = c >= '0' && c <= '9';
      const char lower = static_cast<char>(c | 0x20);
      if (!digit && !(lower >= 'a' && lower <= 'f')) fail("a hexadecimal digit is expected");
      unit = unit * 16 + static_cast<unsigned>(digit ? c - '0' : lower - 'a' + 10);
    }
    return unit;
  }

  void digits() {
    if (peek() < '0' || peek() > '9') fail("a digit is expected");
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
  }

  [[nodiscard]] bool is_at(std::string_view any) const noexcept {
    return at_ < text_.size() && any.find(text_[at_]) != std::string_view::npos;
  }

  void number() {
    const std::size_t start = at_;
    if (peek() == '-') ++at_;
    if (peek() == '0') {
      ++at_;
    } else {
      digits();
    }
    if (is_at(".")) {
      ++at_;
      digits();
    }
    const bool exponent = is_at("eE");
    if (exponent) {
      ++at_;
      if (is_at("+-")) ++at_;
      digits();
    }
    const std::string_view token = text_.substr(start, at_ - start);
    if ((exponent || token.size() > kSafeDigits) && std::isinf(json_text::to_double(token)))
      fail("a number ends that is larger than any double");
  }

  void word(std::string_view expected) {
    if (expected.empty()) fail("a value is expected");
    for (const char c : expected) {
      if (peek() != c) fail("a value is expected");
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::array<char, kMaxJsonDepth> closing_{};
};

}  // namespace

void check_json(std::string_view text) {
  JsonChecker(text).run();
}

}  // namespace bough
