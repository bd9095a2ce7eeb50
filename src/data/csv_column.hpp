// SPDX-License-Identifier: Apache-2.0
// One column of delimited text while it is being read: its cells so far and what they can still be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/number_scan.hpp"
#include "data/owned.hpp"

namespace bough {

/// What the caller wants a column to be. Dates and truth values count as numbers where `number` is wanted, only dates
/// do where it is a number or a day, and neither where it is a plain number.
enum class CsvWant : std::uint8_t { any, text, number, number_or_day, plain_number };

/// Whether a whole number is written as a code rather than as a number: zeros before its digits (007, 01e5), or more
/// digits than 64 bits hold. A column of whole numbers with such a cell is text unless numbers are wanted.
bool is_code(std::string_view cell) noexcept;
/// Whether a number may also be a code of digits and the letter e: 1e2, which beside 007 is not 100.
bool may_be_code(std::string_view cell) noexcept;

/// What a column of numbers has shown.
struct CsvSeen {
  bool any_present = false;
  bool all_whole =
      true;  ///< all present cells are written as whole numbers that int64 holds, or as codes may be
  bool any_code = false;    ///< some are codes; the column is text for that reason where all are whole
  bool any_letter = false;  ///< some are codes only beside others: 1e2
  bool any_date =
      false;  ///< some are dates, which count as days; beside plain numbers they make a column text
  bool any_plain = false;
};

/// Cells are numbers until one is not. A column that turns out to be something else after some of its cells
/// were stored asks to be read again, because the spelling of those cells is gone.
class CsvColumn {
 public:
  enum class Shape : std::uint8_t {
    numbers,
    booleans,
    text,
    integers,  ///< int64: whole numbers that a double cannot hold (second reading only)
    skipped    ///< not stored: of no interest in this reading
  };
  enum class Verdict : std::uint8_t { stored, not_a_number, not_utf8 };

  explicit CsvColumn(CsvWant want, char decimal = '.')
      : want_(want), decimal_(decimal), shape_(want == CsvWant::text ? Shape::text : Shape::numbers) {}

  [[nodiscard]] Shape shape() const noexcept { return shape_; }
  void reserve(std::size_t rows) { numbers_.reserve(rows); }
  void push(const ScannedNumber& number) {
    numbers_.push_back(number.value);
    seen_.all_whole &= number.whole || number.letter;
    seen_.any_letter |= number.letter;
    seen_.any_present = seen_.any_plain = true;
  }
  void push_missing();
  /// Stores a cell that is not missing. The verdict not_a_number comes only when numbers were asked for.
  Verdict push(std::string_view cell);

  /// True when the column must be read a second time. Then start_again() readies it for that reading, or
  /// leave_alone() for one that other columns need.
  [[nodiscard]] bool wants_second_reading() const noexcept {
    return shape_ == Shape::skipped ||
           (shape_ == Shape::numbers &&
            ((seen_.all_whole && ((any_wide_ && !seen_.any_letter) || holds_codes())) || mixes_dates()));
  }
  void start_again();
  void leave_alone() noexcept;

  [[nodiscard]] const CsvSeen& seen() const noexcept { return seen_; }
  /// The stored cells.
  OwnedColumn finish() &&;

 private:
  Verdict push_number(std::string_view cell);
  [[nodiscard]] bool mixes_dates() const noexcept {
    return want_ == CsvWant::any && seen_.any_date && seen_.any_plain;
  }
  [[nodiscard]] bool holds_codes() const noexcept { return want_ == CsvWant::any && seen_.any_code; }
  Verdict push_text(std::string_view cell);
  void become(Shape shape);
  void give_up() noexcept;

  CsvWant want_;
  char decimal_;
  Shape shape_;
  bool done_ = false;  // finished in an earlier reading
  CsvSeen seen_;
  bool any_wide_ = false;  // some whole number is not exact as a double
  Shape finished_shape_ = Shape::skipped;
  std::vector<double> numbers_;
  std::vector<std::uint8_t> booleans_;  // 2: missing
  std::vector<std::int64_t> integers_;
  std::vector<bool> integer_present_;
  std::vector<std::int32_t> codes_;
  TextDictionary dictionary_;
};

}  // namespace bough
