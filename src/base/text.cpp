// SPDX-License-Identifier: Apache-2.0
// Small text helpers.
#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "bough/parse_double.hpp"

namespace bough {

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == std::floor(value) && std::fabs(value) < 1e15)
    return fmt::format("{:.0f}", value == 0 ? 0.0 : value);
  return fmt::format("{}", value);
}

std::string number_text(double value, int digits) {
  if (!std::isfinite(value)) return number_text(value);
  return fmt::format("{:.{}g}", value, digits);
}

namespace {

// Whether a decimal that no double is near is too large, else too small: by the place of its first digit that
// is not 0.
bool overflows(std::string_view text) noexcept {
  constexpr std::int64_t kMostExponent = std::int64_t{1} << 56;  // times ten is still a number of this type
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, mark);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = std::min(digits.find_first_of("123456789"), digits.size());
  // 1 stands at place 1, 0.1 at place 0.
  const auto place =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) + (first > point ? 1 : 0);
  bool negative = false;
  std::int64_t exponent = 0;
  for (const char c : text.substr(std::min(mark + 1, text.size()))) {
    if (c == '-') negative = true;
    if (c >= '0' && c <= '9') exponent = std::min(exponent * 10 + (c - '0'), kMostExponent);
  }
  return place + (negative ? -exponent : exponent) > 0;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) noexcept {
  const bool signed_plus = !text.empty() && text.front() == '+';
  if (signed_plus) text.remove_prefix(1);
  if (text.empty() || text.front() == '+' || (signed_plus && text.front() == '-')) return std::nullopt;
  double value = 0.0;
  const auto [end, status] = parse_double(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (status == std::errc::result_out_of_range) {
    // parse_double leaves the value alone.
    const double magnitude = overflows(text) ? std::numeric_limits<double>::infinity() : 0.0;
    return text.front() == '-' ? -magnitude : magnitude;
  }
  if (status != std::errc()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view text) noexcept {
  if (text.starts_with("+-")) return std::nullopt;
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view trim(std::string_view text) noexcept {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split_text(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t next = text.find(separator, at);
    parts.push_back(text.substr(at, next - at));
    if (next == std::string_view::npos) return parts;
    at = next + 1;
  }
}

std::string in_quotes(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out += c;
    out += c;
  }
  return out + quote;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts.begin(), parts.end(), separator));
}

std::string list_some(std::span<const std::string> names, std::size_t most) {
  if (names.size() <= most) return join(names, ", ");
  return fmt::format("{} and {} more", join(names.first(most), ", "), names.size() - most);
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(name.size() / 3, 1) + 1;
  for (const std::string& candidate : candidates) {
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j <= candidate.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const std::size_t above = row[j];
        row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (name[i - 1] != candidate[j - 1])});
        diagonal = above;
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

}  // namespace bough
