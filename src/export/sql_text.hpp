// SPDX-License-Identifier: Apache-2.0
// Names, texts and numbers in three dialects of SQL, exact and safe whatever they hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bough/model.hpp"

namespace bough::sql {

enum class Dialect : std::uint8_t { duckdb, postgresql, sqlite };

/// The dialect of a word. Throws bad_params listing them.
Dialect dialect_of(std::string_view word);
std::string_view shown(Dialect dialect) noexcept;

/// Whether quoted() takes it.
bool can_hold(Dialect dialect, std::string_view name);
/// A quoted identifier. Throws not_supported for what the engine cannot hold: NUL, bytes that are not UTF-8,
/// more than 63 bytes in PostgreSQL, which would cut them off.
std::string quoted(Dialect dialect, std::string_view name);
/// A column that no table's name stands before. SQLite takes quoted names that are no column for texts, but not those
/// in backticks.
std::string bare_column(Dialect dialect, std::string_view name);
/// A table, whose schema may stand before a point.
std::string quoted_table(Dialect dialect, std::string_view name);
/// A string literal. Throws as quoted() for NUL and bytes that are not UTF-8.
std::string literal(Dialect dialect, std::string_view text);
/// A double that the engine reads as this very double: with an exponent in DuckDB, whose plain literals are
/// decimals; typed in PostgreSQL; in SQLite, whose reader errs behind the 15th digit, as a quotient of a
/// whole number and a power of two.
std::string number(Dialect dialect, double value);
/// Whether labels are written as text: words, and truth values that are spelled in a way of their own (TRUE) or that the
/// engine has no type for.
bool are_words(Dialect dialect, const Levels& levels);
/// Level number i of a column, or a label.
std::string level(Dialect dialect, const Levels& levels, std::size_t i);
/// `text` with NaN as NULL.
std::string without_nan(Dialect dialect, const std::string& text);
/// `text`, a double, so that missing cells equal each other: NULL is NaN where the engine has it; SQLite's IS
/// takes them as they are.
std::string without_null(Dialect dialect, const std::string& text);
/// `text` as a double.
std::string as_double(Dialect dialect, const std::string& text);
/// Any value as a text.
std::string as_text(Dialect dialect, const std::string& text);

/// `name` as the engine compares names: DuckDB and SQLite do not see the case of ASCII letters.
std::string folded(Dialect dialect, std::string_view name);

/// A name for a common table expression, quoted: `wanted`, or longer where the table is called like it.
std::string helper_table(std::string_view wanted, std::string_view table);

/// Throws not_supported when the engine cannot tell two columns apart that differ in the case of their
/// letters only.
void check_columns(Dialect dialect, const Schema& features);

}  // namespace bough::sql
