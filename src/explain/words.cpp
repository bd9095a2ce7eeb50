// SPDX-License-Identifier: Apache-2.0
// Names, numbers and shares as people read them on one line.
#include "explain/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "bough/explain.hpp"
#include "bough/seen_rows.hpp"
#include "data/dates.hpp"
#include "data/utf8.hpp"

namespace bough {
namespace {

// Of a number midway between two of single precision: theirs, one for the middle, and some where one is much smaller; then
// they lie far apart.
constexpr int kCutBits = 29;
constexpr int kHalfStep = 25;  // half the step of single precision, in powers of 2 below the number

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

std::uint32_t code_point(std::string_view sequence) {
  if (sequence.size() == 1) return static_cast<unsigned char>(sequence[0]);
  std::uint32_t point = static_cast<unsigned char>(sequence[0]) & (0xFFU >> (sequence.size() + 1));
  for (const char c : sequence.substr(1)) point = point << 6 | (static_cast<unsigned char>(c) & 0x3FU);
  return point;
}

// Signs that steer a terminal, break a line or turn the direction of the text around them.
bool is_control(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2066 && point <= 0x2069);
}

std::string escape(std::uint32_t point) {
  switch (point) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return fmt::format("\\u{:04x}", point);
  }
}

bool needs_quotes(std::string_view name) {
  return name.empty() || trim(name).size() != name.size() ||
         name.find_first_of(",\"") != std::string_view::npos;
}

// Commas between the thousands of the whole part.
std::string with_commas(std::string number) {
  const std::size_t first = number.starts_with('-') ? 1 : 0;
  for (std::size_t at = std::min(number.find('.'), number.size()); at > first + 3; at -= 3)
    number.insert(at - 3, 1, ',');
  return number;
}

}  // namespace

std::string shown_name(std::string_view name) {
  const bool quoted = needs_quotes(name);
  std::string out = quoted ? "\"" : "";
  while (!name.empty()) {
    const std::string_view next = name.substr(0, sequence_length(static_cast<unsigned char>(name.front())));
    if (!is_utf8(next)) {
      out += "\uFFFD";
      name.remove_prefix(1);
      continue;
    }
    const std::uint32_t point = code_point(next);
    if (is_control(point)) {
      out += escape(point);
    } else {
      if (quoted && (point == '"' || point == '\\')) out += '\\';
      out += next;
    }
    name.remove_prefix(next.size());
  }
  return quoted ? out + '"' : out;
}

std::string one_line(std::string_view name) {
  return shown_name(name);
}

std::string plain_number(double value, int digits) {
  const double size = std::fabs(value);
  if (digits <= 0 || digits >= kAllDigits || !std::isfinite(value)) return number_text(value);
  if (size >= 1.0 && size < 1e15) digits = std::max(digits, static_cast<int>(std::log10(size)) + 2);
  return number_text(value == 0.0 ? 0.0 : value, digits);
}

std::string shown_number(double value, int digits) {
  std::string text = plain_number(value, digits);
  if (digits <= 0 || !(std::fabs(value) >= 10000.0) || text.find_first_of("ei") != std::string::npos)
    return text;
  return with_commas(std::move(text));
}

int cut_digits(double cut, int least, int endless) {
  if (least <= 0 || !std::isfinite(cut) || cut == 0.0) return least;
  const auto off = [&](int digits) { return std::fabs(*parse_number(plain_number(cut, digits)) - cut); };
  // Cells that nearly cancel (-99.7 and 100.1) leave more than the last bits wrong.
  constexpr int kFew = 8, kMany = 12, kMost = 14;
  const double size = std::fabs(cut);
  const auto slack = [&](int digits) { return digits <= kFew ? 1e-13 : digits <= kMany ? 4e-15 : 0.0; };
  for (int digits = 1; digits <= kMost; ++digits)
    if (off(digits) <= size * slack(digits)) return std::max(least, digits);
  int exponent = 0;
  const double bits = std::ldexp(std::frexp(size, &exponent), kCutBits);
  if (bits == std::floor(bits)) {
    const double gap = std::ldexp(1.0, exponent - kHalfStep);
    for (int digits = 1; digits < kAllDigits; ++digits)
      if (off(digits) < 0.99 * gap) return std::max(least, digits);
  }
  return std::max(least, endless);
}

std::string shown_cut(double cut, int digits) {
  return shown_number(cut, cut_digits(cut, digits));
}

std::string shown_cut(double cut, int digits, Shown as) {
  const std::optional<std::string> date = as == Shown::days ? date_text(cut) : std::nullopt;
  return date ? *date : shown_cut(cut, digits);
}

std::string shown_number(double value, int digits, Shown as) {
  const std::optional<std::string> date = as == Shown::days ? date_text(value) : std::nullopt;
  return date ? *date : shown_number(value, digits);
}

std::string shown_share(double share) {
  if (share > 0.0 && share < 0.001) return "<0.1%";
  if (share < 1.0 && share > 0.999) return ">99.9%";
  const std::string percent = fmt::format("{:.1f}", 100.0 * share);
  return (percent.ends_with(".0") ? percent.substr(0, percent.size() - 2) : percent) + "%";
}

std::string grouped(std::int64_t count) {
  return with_commas(std::to_string(count));
}

std::string shown_count(std::int64_t count, std::string_view noun) {
  std::string words(noun);
  if (count != 1) {
    if (words.ends_with("f")) words.back() = 'v';  // leaves
    words += words.ends_with("ch") || words.ends_with("x") || words.ends_with("v") ? "es" : "s";
  }
  return fmt::format("{} {}", grouped(count), words);
}

std::string shown_list(std::span<const std::string> names, std::span<const std::uint32_t> chosen,
                       std::size_t most) {
  const std::size_t length = chosen.size() <= most ? chosen.size() : std::max<std::size_t>(most, 3) - 2;
  std::vector<std::string> shown;
  // A level called "missing" must not read as a missing cell.
  for (const std::uint32_t i : chosen.first(length))
    shown.push_back(names[i] == "missing" ? "\"missing\"" : shown_name(names[i]));
  const std::string list = join(shown, ", ");
  return length == chosen.size() ? list : fmt::format("{} and {} more", list, chosen.size() - length);
}

Shown shown_as(const Model& model, ColId column) {
  return holds_days(model, column) ? Shown::days : Shown::numbers;
}

const Tree& tree_at(const Model& model, std::size_t number) {
  if (number < model.trees().size()) return model.trees()[number];
  throw Error(ErrorCode::bad_params,
              fmt::format("there is no tree {} in a model of {}", number,
                          shown_count(std::ssize(model.trees()), "tree")),
              "trees are counted from 0");
}

}  // namespace bough
