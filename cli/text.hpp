// SPDX-License-Identifier: Apache-2.0
// Small text helpers of the command line: lists, near names, quoting, wrapping.
#pragma once

#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bough/parse_double.hpp"

namespace bough::cli {

/// The number at the front of `text`, as std::from_chars reads it.
template <class Number>
std::from_chars_result parse_chars(std::string_view text, Number& value) {
  const char* const last = text.data() + text.size();
  if constexpr (std::is_same_v<Number, double>)
    return parse_double(text.data(), last, value);
  else
    return std::from_chars(text.data(), last, value);
}

/// Parts of a list typed by a person: split at `separator` outside double quotes; quotes are removed, "" is a
/// quote. Blanks around a part are dropped; empty parts are left out.
std::vector<std::string> split_list(std::string_view text, char separator = ',');
/// The parts of several lists, one after the other.
std::vector<std::string> split_lists(std::span<const std::string> texts);

/// At most `most` candidates that look like `name`, nearest first; case does not count.
std::vector<std::string> near_names(std::string_view name, std::span<const std::string> candidates,
                                    std::size_t most = 3);
/// "did you mean 'a' or 'b'?", or nothing when no candidate is near.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);
/// Refuses a name that is none of `names`: "there is no command 'trian'", with near names or all names as the hint.
[[noreturn]] void refuse_name(std::string_view kind, std::string_view name,
                              std::span<const std::string> names);
/// The option, one of `known`, that other programs call `written` (--n-estimators, --minbucket), or nothing.
std::string option_elsewhere(std::string_view written, std::span<const std::string> known);
/// "a, b, c and 7 more".
std::string some_of(std::span<const std::string> names, std::size_t most);

/// A whole number with commas between thousands.
std::string grouped(std::int64_t value);
/// A score: four digits after the point, significant digits when it is large or small; below 1e-9 it counts
/// as 0.
std::string score_text(double value);
/// The same for errors in the units of the target, which may be tiny themselves.
std::string amount_text(double value);
/// A cell of a CSV file, quoted only when it must be.
std::string csv_cell(std::string_view text);
/// A word as a POSIX shell would need it.
std::string shell_word(std::string_view word);
/// Text of several lines as a terminal may get it: signs that steer terminals or turn the direction of text
/// are written as \uXXXX, bytes that are no UTF-8 as U+FFFD; line ends and tabs stay.
std::string harmless(std::string_view text);
/// Words of `text` in lines of at most `width`; every line but the first starts with `indent` blanks.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent);
/// Characters of UTF-8 text, for aligning columns.
std::size_t display_width(std::string_view text) noexcept;
/// Text filled with blanks to a width.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

}  // namespace bough::cli
