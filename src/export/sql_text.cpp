// SPDX-License-Identifier: Apache-2.0
// Names, texts and numbers in three dialects of SQL.
#include "export/sql_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "data/utf8.hpp"
#include "explain/words.hpp"

namespace bough::sql {
namespace {

constexpr std::array<std::string_view, 3> kWords{"duckdb", "postgresql", "sqlite"};
constexpr std::array<std::string_view, 3> kShown{"DuckDB", "PostgreSQL", "SQLite"};

void check_text(Dialect dialect, std::string_view text) {
  const bool has_nul = text.find('\0') != std::string_view::npos;
  if (!has_nul && is_utf8(text)) return;
  throw Error(ErrorCode::not_supported,
              fmt::format("{} cannot hold the text {}, which {}", shown(dialect), shown_name(text),
                          has_nul ? "has a NUL character" : "is not UTF-8"),
              "rename the column, class or category and train again");
}

// Quotient of a whole number and a power of two, or product: exact in every step, because nothing is rounded
// until the last factor, and that result is the double itself.
std::string by_powers(double value) {
  int exponent = 0;
  auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  while (whole % 2 == 0) {
    whole /= 2;
    ++exponent;
  }
  std::string text = fmt::format("({}.0", whole);
  for (int left = std::abs(exponent); left > 0; left -= 50) {
    const auto factor = std::int64_t{1} << std::min(left, 50);
    text += fmt::format(" {} {}.0", exponent < 0 ? '/' : '*', factor);
  }
  return text + ")";
}

std::string sqlite_number(double value) {
  if (std::isinf(value)) return value > 0 ? "9e999" : "-9e999";
  if (value == 0.0) return std::signbit(value) ? "(0.0 * -1)" : "0.0";
  const std::string text = fmt::format("{}", value);
  const auto digits =
      std::ranges::count_if(text.substr(0, text.find('e')), [](char c) { return c >= '0' && c <= '9'; });
  const double size = std::abs(value);
  if (digits > 15 || size < 1e-20 || size > 1e20) return by_powers(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace

Dialect dialect_of(std::string_view word) {
  const auto found = std::ranges::find(kWords, word);
  if (found != kWords.end()) return static_cast<Dialect>(found - kWords.begin());
  throw Error(ErrorCode::bad_params, fmt::format("there is no dialect {}", shown_name(word)),
              fmt::format("the dialects are {}", fmt::join(kWords, ", ")));
}

std::string_view shown(Dialect dialect) noexcept {
  return kShown[static_cast<std::size_t>(dialect)];
}

bool can_hold(Dialect dialect, std::string_view name) {
  const bool fits = !name.empty() && (dialect != Dialect::postgresql || name.size() <= 63);
  return fits && name.find('\0') == std::string_view::npos && is_utf8(name);
}

std::string quoted(Dialect dialect, std::string_view name) {
  check_text(dialect, name);
  if (!can_hold(dialect, name))
    throw Error(ErrorCode::not_supported,
                fmt::format("{} cannot hold the name {}: it is {}", shown(dialect), shown_name(name),
                            name.empty() ? "empty" : "longer than 63 bytes"),
                "rename the column and train again");
  return in_quotes(name, '"');
}

std::string bare_column(Dialect dialect, std::string_view name) {
  std::string text = quoted(dialect, name);
  return dialect == Dialect::sqlite ? in_quotes(name, '`') : text;
}

std::string quoted_table(Dialect dialect, std::string_view name) {
  std::string text;
  for (const std::string_view part : split_text(name, '.'))
    text += fmt::format("{}{}", text.empty() ? "" : ".", quoted(dialect, part));
  return text;
}

std::string literal(Dialect dialect, std::string_view text) {
  check_text(dialect, text);
  std::string out = in_quotes(text, '\'');
  if (dialect != Dialect::postgresql || text.find('\\') == std::string_view::npos) return out;
  // Read the same way whatever standard_conforming_strings says.
  std::string escaped = "E";
  for (const char c : out) {
    if (c == '\\') escaped += c;
    escaped += c;
  }
  return escaped;
}

std::string number(Dialect dialect, double value) {
  if (dialect == Dialect::sqlite) return sqlite_number(value);
  if (dialect == Dialect::postgresql) {
    if (std::isinf(value)) return value > 0 ? "'Infinity'::float8" : "'-Infinity'::float8";
    return fmt::format("'{}'::float8", value);
  }
  if (std::isinf(value)) return value > 0 ? "'inf'::DOUBLE" : "'-inf'::DOUBLE";
  const std::string text = fmt::format("{}", value);
  return text.find('e') == std::string::npos ? text + "e0" : text;
}

bool are_words(Dialect dialect, const Levels& levels) {
  if (levels.type != Levels::Type::boolean) return levels.type == Levels::Type::text;
  return dialect == Dialect::sqlite ||
         std::any_of(levels.names.begin(), levels.names.end(),
                     [](const auto& name) { return name != "true" && name != "false"; });
}

std::string level(Dialect dialect, const Levels& levels, std::size_t i) {
  switch (levels.type) {
    case Levels::Type::text:
      return literal(dialect, levels.names[i]);
    case Levels::Type::boolean:
      if (are_words(dialect, levels)) return literal(dialect, levels.names[i]);
      return levels.numbers[i] != 0.0 ? "TRUE" : "FALSE";
    case Levels::Type::integer:
      if (std::abs(levels.numbers[i]) < 0x1p63)
        return fmt::format("{}", static_cast<std::int64_t>(levels.numbers[i]));
      break;
    case Levels::Type::real:
      break;
  }
  return number(dialect, levels.numbers[i]);
}

std::string without_nan(Dialect dialect, const std::string& text) {
  if (dialect == Dialect::sqlite) return text;  // stores NaN as NULL
  return fmt::format("NULLIF({}, 'NaN'::{})", text, dialect == Dialect::duckdb ? "DOUBLE" : "float8");
}

std::string without_null(Dialect dialect, const std::string& text) {
  if (dialect == Dialect::sqlite) return text;
  return fmt::format("COALESCE({}, 'NaN'::{})", text, dialect == Dialect::duckdb ? "DOUBLE" : "float8");
}

std::string as_double(Dialect dialect, const std::string& text) {
  if (dialect == Dialect::sqlite) return fmt::format("CAST({} AS REAL)", text);
  return fmt::format("CAST({} AS {})", text, dialect == Dialect::duckdb ? "DOUBLE" : "float8");
}

std::string as_text(Dialect dialect, const std::string& text) {
  return fmt::format("CAST({} AS {})", text, dialect == Dialect::duckdb ? "VARCHAR" : "TEXT");
}

std::string folded(Dialect dialect, std::string_view name) {
  std::string out(name);
  if (dialect == Dialect::postgresql) return out;
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string helper_table(std::string_view wanted, std::string_view table) {
  std::string name(wanted);
  while (folded(Dialect::sqlite, table) == name) name += "_";
  return in_quotes(name, '"');
}

void check_columns(Dialect dialect, const Schema& features) {
  std::map<std::string, std::string> seen;
  for (const Field& field : features.fields) {
    const auto [other, fresh] = seen.emplace(folded(dialect, field.name), field.name);
    if (fresh) continue;
    throw Error(ErrorCode::not_supported,
                fmt::format("{} cannot tell the columns {} and {} apart", shown(dialect),
                            shown_name(other->second), shown_name(field.name)),
                "rename one of them and train again");
  }
}

}  // namespace bough::sql
