// SPDX-License-Identifier: Apache-2.0
// The checksum of a JSON text: over what it says, not over how it is laid out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/hash_stream.hpp"
#include "bough/error.hpp"
#include "bough/json.hpp"
#include "model/json_text.hpp"

namespace bough::json_text {
namespace {

constexpr std::size_t kPiece = 1 << 14;

bool fits_integer(std::string_view token) noexcept {
  std::int64_t small = 0;
  std::uint64_t large = 0;
  const char* end = token.data() + token.size();
  return token.front() == '-' ? std::from_chars(token.data(), end, small).ec == std::errc()
                              : std::from_chars(token.data(), end, large).ec == std::errc();
}

// Recursion is as deep as the text is nested: kMaxJsonDepth at most.
class Canon {
 public:
  Canon() { piece_.reserve(kPiece); }

  void value(std::string_view text) {
    switch (text.front()) {
      case '{':
        return object(text, {});
      case '[':
        return array(text);
      case '"':
        return quoted(text);
      default:
        return is_number(text) ? number(text) : put(text);
    }
  }

  void object(std::string_view text, std::string_view without) {
    const std::vector<std::size_t> order = sorted(text);
    char before = '{';
    const auto member = [&](std::string_view name, std::string_view content) {
      if (!without.empty() && means(name, without)) return;
      put({&before, 1});
      before = ',';
      quoted(name);
      put(":");
      value(content);
    };
    if (order.empty()) {
      each_member(text, member);
    } else {
      for (const std::size_t at : order) member(name_at(text, at), content_at(text, at));
    }
    put(before == '{' ? "{}" : "}");
  }

  std::uint64_t finish() {
    hash_.add(piece_);
    piece_.clear();
    return hash_.value();
  }

 private:
  void put(std::string_view text) {
    if (piece_.size() + text.size() > kPiece) {
      hash_.add(piece_);
      piece_.clear();
    }
    if (text.size() > kPiece) {
      hash_.add(text);
    } else {
      piece_ += text;
    }
  }

  void array(std::string_view text) {
    const char* before = "[";
    each_element(text, [&](std::string_view element) {
      put(before);
      before = ",";
      value(element);
    });
    put(*before == '[' ? "[]" : "]");
  }

  void quoted(std::string_view text) {
    // Without a backslash nothing in it needs one: check_json() lets no quotes and no control characters
    // pass.
    if (text.find('\\') == std::string_view::npos) return put(text);
    put(Json(unquoted(text)).dump());
  }

  void number(std::string_view token) {
    if (is_whole(token) && fits_integer(token)) return put(token == "-0" ? "0" : token);
    put(Json(to_double(token)).dump());
  }

  static std::string_view name_at(std::string_view object, std::size_t at) {
    return object.substr(at, end_of_value(object, at) - at);
  }

  static std::string_view content_at(std::string_view object, std::size_t at) {
    const std::size_t value = skip_blank(object, skip_blank(object, end_of_value(object, at)) + 1);
    return object.substr(value, end_of_value(object, value) - value);
  }

  [[noreturn]] static void refuse_twice(const std::string& name) {
    throw Error(ErrorCode::bad_model,
                fmt::format("the model's JSON has the member '{}' twice in one object", name),
                "The file is damaged or was not written by bough; make the model again.");
  }

  // Where the names of an object start, in the order of the names; nothing when they stand in order, as bough
  // writes them.
  static std::vector<std::size_t> sorted(std::string_view text) {
    std::size_t count = 0;
    bool in_order = true;
    std::string before;
    each_member(text, [&](std::string_view name, std::string_view) {
      std::string now = unquoted(name);
      if (count > 0 && now == before) refuse_twice(now);
      in_order = in_order && (count == 0 || before < now);
      before = std::move(now);
      ++count;
    });
    std::vector<std::size_t> order;
    if (in_order) return order;
    order.reserve(count);
    each_member(text, [&](std::string_view name, std::string_view) {
      order.push_back(static_cast<std::size_t>(name.data() - text.data()));
    });
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return unquoted(name_at(text, a)) < unquoted(name_at(text, b));
    });
    const auto same = std::adjacent_find(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return unquoted(name_at(text, a)) == unquoted(name_at(text, b));
    });
    if (same != order.end()) refuse_twice(unquoted(name_at(text, *same)));
    return order;
  }

  HashStream hash_;
  std::string piece_;
};

}  // namespace

std::uint64_t canonical_hash(std::string_view object, std::string_view without) {
  Canon canon;
  canon.object(object, without);
  return canon.finish();
}

}  // namespace bough::json_text
