// SPDX-License-Identifier: Apache-2.0
// JSON of strangers, read where it lies: no values are built, so that a text takes no memory but its own.
//
// check_json() comes first. Everything else walks a text that it accepted and looks at nothing twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bough {

/// Containers inside containers that check_json accepts.
inline constexpr int kMaxJsonDepth = 32;
/// Throws bad_model, naming the place, unless the whole text is one JSON value (RFC 8259) of numbers that fit
/// a double.
void check_json(std::string_view text);

namespace json_text {

/// Where the next thing that is no white space starts.
std::size_t skip_blank(std::string_view text, std::size_t at) noexcept;
/// Where the value that starts at `at` ends.
std::size_t end_of_value(std::string_view text, std::size_t at) noexcept;

/// Calls visit(value) for every element of an array.
template <class Visit>
void each_element(std::string_view array, Visit visit) {
  std::size_t at = skip_blank(array, 1);
  while (array[at] != ']') {
    const std::size_t end = end_of_value(array, at);
    visit(array.substr(at, end - at));
    at = skip_blank(array, end);
    if (array[at] == ',') at = skip_blank(array, at + 1);
  }
}

/// Calls visit(name in its quotes, value) for every member of an object.
template <class Visit>
void each_member(std::string_view object, Visit visit) {
  std::size_t at = skip_blank(object, 1);
  while (object[at] != '}') {
    const std::size_t name_end = end_of_value(object, at);
    const std::size_t value = skip_blank(object, skip_blank(object, name_end) + 1);
    const std::size_t end = end_of_value(object, value);
    visit(object.substr(at, name_end - at), object.substr(value, end - value));
    at = skip_blank(object, end);
    if (object[at] == ',') at = skip_blank(object, at + 1);
  }
}

/// The text between quotes, escapes resolved.
std::string unquoted(std::string_view quoted);
/// Whether a name in its quotes means `name`.
bool means(std::string_view quoted, std::string_view name);
/// Whether a value is a number, and whether it is written without point and exponent.
bool is_number(std::string_view value) noexcept;
bool is_whole(std::string_view value) noexcept;
/// The double nearest to a number; infinite when it is beyond all.
double to_double(std::string_view number);

/// XXH3 of an object's canonical text (docs/format-v1.md), the member `without` left out. Throws bad_model
/// when a name comes twice in one object.
std::uint64_t canonical_hash(std::string_view object, std::string_view without);

}  // namespace json_text
}  // namespace bough
