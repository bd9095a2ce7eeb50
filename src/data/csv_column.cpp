// SPDX-License-Identifier: Apache-2.0
// One column of delimited text while it is being read.
#include "data/csv_column.hpp"

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "data/dates.hpp"
#include "data/levels.hpp"
#include "data/utf8.hpp"

namespace bough {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint8_t kNoBoolean = 2;

bool is_exact(std::int64_t value) noexcept {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (value >= -kExact && value <= kExact) return true;
  const auto real = static_cast<double>(value);
  return real < 9223372036854775808.0 && static_cast<std::int64_t>(real) == value;
}

bool is_digits(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// A number with its decimal sign. Where that is a comma, a point is none: it may divide thousands.
std::optional<double> parse_decimal(std::string_view cell, char decimal) {
  if (decimal == '.') return parse_number(cell);
  std::string plain(cell);
  for (char& c : plain) {
    if (c == '.') return std::nullopt;
    if (c == decimal) c = '.';
  }
  return parse_number(plain);
}

}  // namespace

bool is_code(std::string_view cell) noexcept {
  if (may_be_code(cell)) return cell.front() == '0' && cell.find_first_of("eE") > 1;
  if (!cell.empty() && (cell.front() == '-' || cell.front() == '+')) cell.remove_prefix(1);
  if (!is_digits(cell)) return false;
  // Nobody writes codes of a hundred digits: such a number is out of the range of doubles.
  constexpr std::size_t kLongestCode = 40;
  return (cell.size() > 1 && cell.front() == '0') || (!parse_integer(cell) && cell.size() <= kLongestCode);
}

bool may_be_code(std::string_view cell) noexcept {
  const std::size_t letter = cell.find_first_of("eE");
  return letter != std::string_view::npos && is_digits(cell.substr(0, letter)) &&
         is_digits(cell.substr(letter + 1));
}

void CsvColumn::push_missing() {
  switch (shape_) {
    case Shape::numbers:
      numbers_.push_back(kNaN);
      break;
    case Shape::booleans:
      booleans_.push_back(kNoBoolean);
      break;
    case Shape::text:
      codes_.push_back(-1);
      break;
    case Shape::integers:
      integers_.push_back(0);
      integer_present_.push_back(false);
      break;
    case Shape::skipped:
      break;
  }
}

CsvColumn::Verdict CsvColumn::push(std::string_view cell) {
  switch (shape_) {
    case Shape::numbers:
      return push_number(cell);
    case Shape::text:
      return push_text(cell);
    case Shape::booleans:
      if (const std::optional<bool> truth = parse_boolean(cell)) {
        booleans_.push_back(*truth ? 1 : 0);
      } else {
        give_up();
      }
      break;
    case Shape::integers:
      integers_.push_back(parse_integer(cell).value_or(0));
      integer_present_.push_back(true);
      break;
    case Shape::skipped:
      break;
  }
  return Verdict::stored;
}

CsvColumn::Verdict CsvColumn::push_number(std::string_view cell) {
  if (const std::optional<std::int64_t> whole = parse_integer(cell)) {
    any_wide_ |= !is_exact(*whole);
    seen_.any_code |= is_code(cell);
    push(ScannedNumber{nullptr, static_cast<double>(*whole), true});
    return Verdict::stored;
  }
  if (const std::optional<double> number = parse_decimal(cell, decimal_)) {
    const bool code = want_ == CsvWant::any && is_code(cell);
    seen_.any_code |= code;
    push(ScannedNumber{nullptr, *number + 0.0, code, may_be_code(cell)});
    return Verdict::stored;
  }
  if (want_ == CsvWant::plain_number) return Verdict::not_a_number;
  if (const std::optional<double> day = parse_date(cell);
      day && (want_ != CsvWant::any || !seen_.any_plain)) {
    numbers_.push_back(*day);
    seen_.any_present = seen_.any_date = true;
    seen_.all_whole = false;
    return Verdict::stored;
  }
  if (want_ == CsvWant::number_or_day) return Verdict::not_a_number;
  const std::optional<bool> truth = parse_boolean(cell);
  if (want_ == CsvWant::number) {
    if (!truth) return Verdict::not_a_number;
    push(ScannedNumber{nullptr, *truth ? 1.0 : 0.0, true});
    return Verdict::stored;
  }
  if (seen_.any_present) {
    give_up();
    return Verdict::stored;
  }
  seen_.any_present = true;
  become(truth ? Shape::booleans : Shape::text);
  return push(cell);
}

CsvColumn::Verdict CsvColumn::push_text(std::string_view cell) {
  const std::size_t known = dictionary_.size();
  codes_.push_back(dictionary_.code(cell));
  // Every distinct text is looked at once.
  return dictionary_.size() != known && !is_utf8(cell) ? Verdict::not_utf8 : Verdict::stored;
}

/// Only missing cells so far: they are carried over.
void CsvColumn::become(Shape shape) {
  const std::size_t n = numbers_.size();
  numbers_ = {};
  shape_ = shape;
  if (shape == Shape::booleans) booleans_.assign(n, kNoBoolean);
  if (shape == Shape::text) codes_.assign(n, -1);
}

/// Numbers or booleans, and now something else: the column is text, to be read from the start.
void CsvColumn::give_up() noexcept {
  shape_ = Shape::skipped;
  numbers_ = {};
  booleans_ = {};
}

void CsvColumn::start_again() {
  shape_ = shape_ == Shape::skipped || holds_codes() || mixes_dates() ? Shape::text : Shape::integers;
  numbers_ = {};
}

void CsvColumn::leave_alone() noexcept {
  finished_shape_ = shape_;
  done_ = true;
  shape_ = Shape::skipped;
}

OwnedColumn CsvColumn::finish() && {
  switch (done_ ? finished_shape_ : shape_) {
    case Shape::text:
      return own_text(std::move(codes_), std::move(dictionary_));
    case Shape::integers: {
      const bool full =
          std::find(integer_present_.begin(), integer_present_.end(), false) == integer_present_.end();
      return own_cells(std::move(integers_), Dtype::i64,
                       full ? std::vector<std::uint8_t>{} : pack_bits(integer_present_));
    }
    case Shape::booleans: {
      std::vector<bool> present(booleans_.size());
      bool full = true;
      for (std::size_t i = 0; i < booleans_.size(); ++i) {
        present[i] = booleans_[i] != kNoBoolean;
        full &= present[i];
        if (!present[i]) booleans_[i] = 0;
      }
      return own_cells(std::move(booleans_), Dtype::boolean,
                       full ? std::vector<std::uint8_t>{} : pack_bits(present));
    }
    case Shape::numbers:
    case Shape::skipped:
      break;
  }
  return own_cells(std::move(numbers_), Dtype::f64);
}

}  // namespace bough
