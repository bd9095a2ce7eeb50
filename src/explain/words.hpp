// SPDX-License-Identifier: Apache-2.0
// Names, numbers and shares as people read them on one line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bough/model.hpp"

namespace bough {

/// Significant digits of numbers in sentences and pictures unless somebody asks for others.
inline constexpr int kShownDigits = 6;
/// So many tell any two numbers apart.
inline constexpr int kAllDigits = 17;
/// Of a threshold between computed numbers.
inline constexpr int kEndlessDigits = 8;

/// A name on one line: control signs, direction marks and broken UTF-8 are escaped; it is put in quotes when
/// it is empty, holds a comma or a quote, or begins or ends with a blank.
std::string shown_name(std::string_view name);
/// A number with about `digits` significant digits (0: the shortest that reads back), never fewer than its
/// whole part and one more has.
std::string plain_number(double value, int digits = kShownDigits);
/// The same for people: from 10,000 on with commas between thousands, unless `digits` is 0.
std::string shown_number(double value, int digits = kShownDigits);
/// The digits of a threshold at which it stands where it stands among the cells, at least `least`. A threshold is
/// midway between two cells, so its decimals end where theirs do, one place later: they are all printed, but for the
/// error of the last bits (2.45 for 2.4499999999999997). Thresholds between cells of single precision end within the
/// gap that is left at that precision. What does not end (computed numbers) is rounded to `endless` digits: nothing says
/// how close the cells are, and more could hardly be read. Whoever has the cells at hand looks again.
int cut_digits(double cut, int least = kShownDigits, int endless = kEndlessDigits);
/// A threshold for people, at those digits; `digits` 0: all, without commas.
std::string shown_cut(double cut, int digits = kShownDigits);
/// What a column holds: numbers, or days since 1970-01-01, which are shown as dates.
enum class Shown : std::uint8_t { numbers, days };
/// A threshold or a cell as a date, where it is a day that has one.
std::string shown_cut(double cut, int digits, Shown as);
std::string shown_number(double value, int digits, Shown as);
/// "33.3%". Only 0 and 1 give 0% and 100%.
std::string shown_share(double share);
/// 12345 as "12,345".
std::string grouped(std::int64_t count);
/// "1 row", "12,345 rows".
std::string shown_count(std::int64_t count, std::string_view noun);
/// The chosen names in a list of at most `most`; longer ones as "a, b, c and 12 more".
std::string shown_list(std::span<const std::string> names, std::span<const std::uint32_t> chosen,
                       std::size_t most);

Shown shown_as(const Model& model, ColId column);

/// The tree of that number. Throws bad_params where there is none.
const Tree& tree_at(const Model& model, std::size_t number);

}  // namespace bough
