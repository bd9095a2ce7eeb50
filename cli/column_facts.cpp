// SPDX-License-Identifier: Apache-2.0
// What the cells of a column have in common.
#include "column_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <functional>

#include "tables.hpp"

namespace bough::cli {

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_foreign_date(std::string_view text) {
  int parts = 0;
  std::size_t digits = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      ++digits;
    } else if ((c == '.' || c == '/') && digits > 0 && digits <= 4 && parts < 2) {
      ++parts;
      digits = 0;
    } else {
      return false;
    }
  }
  return parts == 2 && (digits == 2 || digits == 4);
}

bool is_day(std::string_view text) {
  constexpr std::size_t kLength = 10;
  if (text.size() > kLength && (text[kLength] == ' ' || text[kLength] == 'T')) text = text.substr(0, kLength);
  if (text.size() != kLength || text[4] != '-' || text[7] != '-') return false;
  std::array<int, 3> parts{};
  for (std::size_t i = 0; const auto& [at, n] : {std::pair(0, 4), {5, 2}, {8, 2}}) {
    if (!all_digits(text.substr(at, n))) return false;
    std::from_chars(text.data() + at, text.data() + at + n, parts[i++]);
  }
  return std::chrono::year_month_day(std::chrono::year(parts[0]), std::chrono::month(parts[1]),
                                     std::chrono::day(parts[2]))
      .ok();
}

namespace {

// "007", and "1e2" beside it.
bool looks_like_code(std::string_view text) {
  const std::size_t letter = text.find_first_of("eE");
  return all_digits(text.substr(0, letter)) &&
         (letter == std::string_view::npos || all_digits(text.substr(letter + 1)));
}

bool has_leading_zero(std::string_view text) {
  return text.size() > 1 && text.front() == '0' && all_digits(text);
}

// Commas between thousands: "1,234" and "-12,345,678.50".
bool is_grouped_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view whole = text.substr(0, text.find('.'));
  if (whole.find(',') == std::string_view::npos ||
      !is_number(text.substr(whole.size()).empty() ? "0" : text.substr(whole.size() + 1)))
    return false;
  bool first = true;
  for (std::size_t at = 0; at <= whole.size(); first = false) {
    const std::size_t end = std::min(whole.find(',', at), whole.size());
    const std::string_view group = whole.substr(at, end - at);
    if (!all_digits(group) || (first ? group.size() > 3 : group.size() != 3)) return false;
    at = end + 1;
  }
  return true;
}

// Numbers with a sign of money or a percent sign, with commas between thousands, or in hexadecimal digits.
bool is_dressed_number(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return text.size() > 2;
  std::string plain;
  for (const char c : text)
    if (c != ',' && c != ' ') plain += c;
  for (const std::string_view sign : {"$", "\u20ac", "\u00a3", "%", "EUR", "USD"}) {
    if (plain.starts_with(sign)) plain.erase(0, sign.size());
    if (plain.ends_with(sign)) plain.erase(plain.size() - sign.size());
  }
  return is_number(plain) && plain.size() < text.size();
}

// "8:30", "08:30:00".
bool is_time(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 2 || !all_digits(text.substr(0, colon)))
    return false;
  const std::string_view rest = text.substr(colon + 1);
  if (rest.size() == 2) return all_digits(rest);
  return rest.size() == 5 && rest[2] == ':' && all_digits(rest.substr(0, 2)) && all_digits(rest.substr(3));
}

// The unit of "1.5 kg" and "300g"; empty where there is none.
std::string_view unit_of(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789.,+-");
  if (end == std::string_view::npos || end == 0) return {};
  const std::string_view unit = text.substr(text[end] == ' ' ? end + 1 : end);
  return unit.find_first_of("0123456789") == std::string_view::npos ? unit : std::string_view();
}

// A number whose bytes are mixed: sums of these tell sets of numbers apart.
std::uint64_t mixed(std::int64_t value) {
  std::array<char, sizeof value> bytes;
  std::memcpy(bytes.data(), &value, sizeof value);
  return std::hash<std::string_view>()({bytes.data(), bytes.size()});
}

}  // namespace

void TextFacts::add(const std::string& value) {
  if (first_.empty()) first_ = value;
  if (code_.empty() && has_leading_zero(value)) code_ = value;
  dates_ = dates_ || is_day(value);
  const bool number = is_number(value) || is_day(value);
  numbers_ = numbers_ || number;
  if (!number && words_.size() <= kFewWords) words_.insert(value);
  comma_ = comma_ && is_comma_number(value);
  grouped_ = grouped_ && is_grouped_number(value);
  dressed_ = dressed_ && is_dressed_number(value);
  date_ = date_ && is_foreign_date(value);
  time_ = time_ && is_time(value);
  digits_ = digits_ && looks_like_code(value);
  if (units_.size() <= kMostUnits) units_.insert(std::string(unit_of(value)));
}

Odd TextFacts::odd(const std::string& option, std::int64_t n_texts) const {
  if (first_.empty()) return {};
  const auto such = [](std::string_view what, std::string_view one) {
    return fmt::format("holds {} (such as {})", what, one);
  };
  if (grouped_)
    return {such("numbers with commas between thousands", first_),
            "write plain numbers, or --decimal , if the comma is the decimal sign", true};
  if (comma_) return {such("numbers with a decimal comma", first_), "--decimal , reads them"};
  if (dressed_) return {such("numbers with other symbols", first_), "write plain numbers", true};
  // The letters of "3B" are many.
  if (n_texts >= kLeastDifferent && units_.size() <= kMostUnits && !units_.contains(""))
    return {such("numbers with units", first_), "write plain numbers of one unit", true};
  if (date_) return {such("dates", first_), "written as 2013-01-31 they are numbers"};
  if (time_) return {such("times", first_), "write hours or minutes as numbers", true};
  if (digits_)
    return {such("codes", code_.empty() ? first_ : code_), fmt::format("--numeric {} reads numbers", option)};
  return {};
}

std::vector<std::string> TextFacts::stray_words(std::int64_t n_texts) const {
  const bool few = numbers_ && words_.size() <= kFewWords && 20 * std::ssize(words_) <= n_texts;
  return few ? std::vector<std::string>(words_.begin(), words_.end()) : std::vector<std::string>();
}

bool is_scattered(std::int64_t n_texts, std::int64_t n_known) {
  return (n_known >= kLeastDifferent && n_texts == n_known) ||
         (n_known >= kLeastRows && 3 * n_texts > n_known);
}

void RowNumbers::add(const Table::Column& column, std::int64_t n_rows) {
  for (std::int64_t row = 0; row < n_rows && possible_; ++row) {
    const std::string text = cell_text(column, row);
    double cell = 0.0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), cell);
    possible_ = status == std::errc() && end == text.data() + text.size() && cell == std::floor(cell) &&
                std::fabs(cell) < 0x1p53;
    if (!possible_) return;
    if (n_ < compared_ && !first_.insert(cell).second) possible_ = false;
    low_ = std::min(low_, cell);
    high_ = std::max(high_, cell);
    sum_ += mixed(static_cast<std::int64_t>(cell));
    ++n_;
  }
}

bool RowNumbers::without_gap() const {
  if (!possible_ || n_ < kLeastRows || high_ - low_ + 1.0 != static_cast<double>(n_)) return false;
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < n_; ++i) sum += mixed(static_cast<std::int64_t>(low_) + i);
  return sum == sum_;
}

}  // namespace bough::cli
