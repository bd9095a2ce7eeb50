// SPDX-License-Identifier: Apache-2.0
// Small text helpers: shortest numbers, strict parsing, joining.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bough {

/// Shortest decimal that reads back as the same double; whole numbers without a point; nan, inf, -inf.
std::string number_text(double value);
/// At most `digits` significant digits, no trailing zeros.
std::string number_text(double value, int digits);
/// The whole text as a number ("1", "-2.5e3", "inf", "nan"; a leading + is allowed), else nothing.
std::optional<double> parse_number(std::string_view text) noexcept;
std::optional<std::int64_t> parse_integer(std::string_view text) noexcept;
std::string_view trim(std::string_view text) noexcept;
std::vector<std::string_view> split_text(std::string_view text, char separator);
/// In quotes; those inside are doubled, as SQL has it.
std::string in_quotes(std::string_view text, char quote);
std::string join(std::span<const std::string> parts, std::string_view separator);
/// "a, b, c and 7 more" with at most `most` names.
std::string list_some(std::span<const std::string> names, std::size_t most);
/// The candidate nearest to `name` by edit distance, or empty when none is near.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace bough
