// SPDX-License-Identifier: Apache-2.0
// What the cells of a column have in common, told cell by cell: numbers with signs, codes, dates, numbers of rows.
#pragma once

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bough/table.hpp"

namespace bough::cli {

inline constexpr std::int64_t kLeastRows = 50;       ///< fewer may mostly be different by chance
inline constexpr std::int64_t kLeastDifferent = 10;  ///< so many, all different, are names

bool all_digits(std::string_view text);
/// "1/31/2013", and days that do not exist.
bool is_foreign_date(std::string_view text);

/// What a column is that is not what it was taken for, and what to do about it; empty: nothing is odd.
struct Odd {
  std::string what, way;
  bool may_ignore = false;  ///< or leave the column out
};

/// What the different texts of a column have in common. Texts may be added again.
class TextFacts {
 public:
  void add(const std::string& value);
  /// What texts are that are no words. `option`: the column as options name it.
  [[nodiscard]] Odd odd(const std::string& option, std::int64_t n_texts) const;
  [[nodiscard]] bool all_codes() const noexcept { return digits_; }
  /// The words of a column of numbers or dates that has hardly any; empty: there are none, or many.
  [[nodiscard]] std::vector<std::string> stray_words(std::int64_t n_texts) const;
  /// What the others are where there are such words.
  [[nodiscard]] std::string_view kind() const noexcept { return dates_ ? "date" : "number"; }

 private:
  static constexpr std::size_t kMostUnits = 4, kFewWords = 5;
  std::string first_, code_;
  std::set<std::string> units_, words_;
  bool numbers_ = false, dates_ = false, comma_ = true, grouped_ = true, dressed_ = true, date_ = true,
       time_ = true, digits_ = true;
};

/// No row a second time, or fewer than three rows a value: what is learned about one value is used for hardly any
/// other row.
bool is_scattered(std::int64_t n_texts, std::int64_t n_known);

/// Whether cells are whole numbers, every one once: the number of the row.
class RowNumbers {
 public:
  /// Compares the first `n` cells with each other; by default so many as settle most columns.
  void compare(std::int64_t n) noexcept { compared_ = n; }
  void add(const Table::Column& column, std::int64_t n_rows);
  [[nodiscard]] bool without_gap() const;
  /// As far as they were compared.
  [[nodiscard]] bool all_different() const noexcept { return possible_ && n_ >= kLeastDifferent; }

 private:
  bool possible_ = true;
  std::int64_t n_ = 0, compared_ = 200;
  double low_ = INFINITY, high_ = -INFINITY;
  std::uint64_t sum_ = 0;  // of numbers mixed, so that only the same numbers give the same sum
  std::set<double> first_;
};

}  // namespace bough::cli
