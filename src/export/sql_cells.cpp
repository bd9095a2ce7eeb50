// SPDX-License-Identifier: Apache-2.0
// Cells of a table as the model reads them. A table that an engine has imported from a CSV file may hold
// numbers as texts: SQLite compares those as texts without a word, so every cell is typed before it is asked.
#include "export/sql_cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "bough/seen_rows.hpp"
#include "data/levels.hpp"
#include "explain/words.hpp"

namespace bough::sql {
namespace {

std::string type_name(Dialect dialect, const std::string& cell) {
  return dialect == Dialect::postgresql ? fmt::format("CAST(pg_typeof({}) AS text)", cell)
                                        : fmt::format("typeof({})", cell);
}

// Whether the cell is a text; constant for a column in DuckDB and PostgreSQL, a matter of the row in SQLite.
std::string is_text(Dialect dialect, const std::string& cell) {
  switch (dialect) {
    case Dialect::duckdb:
      return fmt::format("typeof({}) = 'VARCHAR'", cell);
    case Dialect::postgresql:
      return fmt::format("pg_typeof({}) IN ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype)", cell);
    case Dialect::sqlite:
      break;
  }
  return fmt::format("typeof({}) = 'text'", cell);
}

// Without the blanks at its ends that readers of files drop: engines differ in what TRIM alone takes away.
std::string trimmed(Dialect dialect, const std::string& text) {
  constexpr std::array<std::string_view, 3> kBlanks{"chr(9) || chr(10) || chr(13) || ' '", "E'\\t\\n\\r '",
                                                    "char(9, 10, 13, 32)"};
  return fmt::format("TRIM({}, {})", text, kBlanks.at(static_cast<std::size_t>(dialect)));
}

bool has_edge_blanks(const std::string& text) {
  return trim(text).size() != text.size();
}

// A whole number that is written as every engine would write it.
bool is_plain_integer(const std::string& text) {
  const std::optional<std::int64_t> whole = parse_integer(text);
  return whole && fmt::format("{}", *whole) == text;
}

// Whether an engine may import the text as a whole number that is written otherwise: 012, 0x1F, 0b10, 1_000.
bool is_odd_integer(const std::string& text) {
  if (parse_number(text)) return !is_plain_integer(text);
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF_";
  const std::size_t at = text.find_first_not_of("+-");
  if (at == std::string::npos) return false;
  const bool prefixed = text.size() > at + 2 && text[at] == '0' &&
                        std::string_view("xXbBoO").find(text[at + 1]) != std::string_view::npos;
  const std::string_view rest = std::string_view(text).substr(prefixed ? at + 2 : at);
  return rest.find_first_not_of(prefixed ? kDigits : std::string_view("0123456789_")) ==
         std::string_view::npos;
}

// The levels that mean false and true, where there are only these: engines import such texts as truth values, or have
// written their truth values so.
struct TruthWords {
  std::string no, yes;
};
std::optional<TruthWords> truth_words(const Levels& levels) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPairs{
      {{"no", "yes"}, {"f", "t"}, {"n", "y"}, {"false", "true"}}};
  if (levels.size() != 2) return std::nullopt;
  for (const auto& [no, yes] : kPairs)
    for (const std::size_t first : {0U, 1U}) {
      const std::string &a = levels.names[first], &b = levels.names[1 - first];
      if (folded(Dialect::sqlite, a) == no && folded(Dialect::sqlite, b) == yes) return TruthWords{a, b};
    }
  return std::nullopt;
}

// Types of columns whose cells are not spelled as the texts of a file.
std::string foreign_types(Dialect dialect, const std::string& type, bool refuses_integers) {
  switch (dialect) {
    case Dialect::duckdb:
      return fmt::format(
          "{0} IN ('DOUBLE', 'FLOAT', 'BOOLEAN', 'DATE', 'INTERVAL') OR {0} LIKE 'TIME%' OR {0} LIKE "
          "'DECIMAL%'{1}",
          type, refuses_integers ? fmt::format(" OR {} LIKE '%INT%'", type) : "");
    case Dialect::postgresql:
      return fmt::format(
          "{0} IN ('double precision', 'real', 'numeric', 'boolean', 'date', 'interval'{1}) OR {0} LIKE "
          "'time%'",
          type, refuses_integers ? ", 'integer', 'bigint', 'smallint'" : "");
    case Dialect::sqlite:
      break;
  }
  return fmt::format("{} IN ('real', 'blob'{})", type, refuses_integers ? ", 'integer'" : "");
}

std::string no_number(const Field& field) {
  return fmt::format("bough: the column {} holds no number: ", shown_name(field.name));
}

}  // namespace

std::string refuse(Dialect dialect, std::string_view message, const std::string& about, Refusal type) {
  // SQLite has no function for it; that of a JSON path shows the text that is none.
  if (dialect == Dialect::sqlite)
    return fmt::format("json_extract('{{}}', {} || {})", literal(dialect, message), about);
  const std::string text = fmt::format("{} || {}", literal(dialect, message), about);
  if (type == Refusal::truth) return fmt::format("CAST({} AS BOOLEAN)", text);
  const std::string number = as_double(dialect, text);
  return type == Refusal::number ? number : as_text(dialect, number);
}

CellTypes::CellTypes(Dialect dialect, const Schema& features, const Schema& targets, std::vector<ColId> dates)
    : dialect_(dialect), features_(features), dates_(std::move(dates)) {
  keep_known_values(missing_, features);
  keep_known_values(missing_, targets);
}

// No word is missing that is a level of the column: frames may hold empty texts.
std::string CellTypes::missing_words(const Levels& levels) const {
  std::vector<std::string> words;
  for (const std::string& word : missing_)
    if (std::ranges::find(levels.names, word) == levels.names.end()) words.push_back(literal(dialect_, word));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string CellTypes::typed(const std::string& cell, ColId column) const {
  const Field& field = features_.fields[static_cast<std::size_t>(column)];
  if (field.kind == Kind::numeric)
    return number_cell(cell, field, std::ranges::find(dates_, column) != dates_.end());
  switch (field.levels.type) {
    case Levels::Type::text:
      return text_cell(cell, field);
    case Levels::Type::boolean:
      return boolean_cell(cell, field);
    case Levels::Type::integer:
    case Levels::Type::real:
      break;
  }
  return number_cell(cell, field, false);
}

// DuckDB's cast takes 1_000 for a number, and the engines' casts leave out vertical tabs and form feeds; nobody else does.
std::string CellTypes::without_odd_signs(const std::string& cell, const Field& field) const {
  const std::string text = as_text(dialect_, cell);
  const std::string odd = dialect_ == Dialect::duckdb ? fmt::format(R"(regexp_matches({}, '[_\v\f]'))", text)
                                                      : fmt::format(R"({} ~ '[\v\f]')", text);
  return fmt::format("WHEN {} AND {} THEN {} ", is_text(dialect_, cell), odd,
                     refuse(dialect_, no_number(field), text, Refusal::number));
}

// Days or numbers. Engines do not take a cast from dates to numbers, so that both go by their text, which for numbers is
// the shortest that means them; only texts that a day is written as are days.
std::string CellTypes::day_cell(const std::string& cell, const Field& field) const {
  const std::string text = as_text(dialect_, cell);
  const std::string plain = trimmed(dialect_, text);
  const bool duckdb = dialect_ == Dialect::duckdb;
  const std::string day = fmt::format("{}({} AS DATE)", duckdb ? "TRY_CAST" : "CAST", text);
  const std::string is_day = duckdb
                                 ? fmt::format("CAST({0} AS VARCHAR) = {1} AND length({1}) = 10", day, plain)
                                 : fmt::format("{} ~ '^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]$'", plain);
  const std::string single =
      duckdb
          ? fmt::format("WHEN typeof({}) = 'FLOAT' THEN CAST(TRY_CAST({} AS FLOAT) AS DOUBLE) ", cell, text)
          : fmt::format("WHEN CAST(pg_typeof({}) AS text) = 'real' THEN CAST(CAST({} AS real) AS float8) ",
                        cell, text);
  return fmt::format("CASE WHEN {0} IN ({1}) THEN NULL WHEN {2} THEN {3} {4}{6}ELSE {5} END", plain,
                     missing_words({}), is_day,
                     as_double(dialect_, fmt::format("({} - DATE '1970-01-01')", day)), single,
                     without_nan(dialect_, as_double(dialect_, text)), without_odd_signs(cell, field));
}

// Numbers, as doubles: SQLite would compare whole numbers beyond 2^53 exactly, which the model cannot. Its cast takes
// the digits at the start of a text and knows no infinity; only a text that is a number as a whole equals what they
// give, because comparing with a REAL makes a number of it; whole numbers, again compared exactly, must be written as
// their digits say.
std::string CellTypes::number_cell(const std::string& cell, const Field& field, bool dates) const {
  if (dialect_ != Dialect::sqlite && dates) return day_cell(cell, field);
  if (dialect_ != Dialect::sqlite)
    return fmt::format("CASE WHEN {} AND {} IN ({}) THEN NULL {}ELSE {} END", is_text(dialect_, cell),
                       trimmed(dialect_, as_text(dialect_, cell)), missing_words({}),
                       without_odd_signs(cell, field), without_nan(dialect_, as_double(dialect_, cell)));
  const std::string plain = trimmed(dialect_, cell);
  return fmt::format(
      "CASE WHEN typeof({0}) IN ('real', 'integer', 'null') OR ({6} NOT GLOB '*[^-+.0-9Ee]*' AND CAST({0} "
      "AS REAL) = {0}) THEN CAST({0} AS REAL) "
      "WHEN CAST(CAST({0} AS INTEGER) AS TEXT) = {6} THEN CAST(CAST({0} AS INTEGER) AS REAL) "
      "WHEN {6} IN ({1}) THEN NULL "
      "WHEN LOWER({6}) IN ('inf', '+inf', 'infinity', '+infinity') THEN {4} "
      "WHEN LOWER({6}) IN ('-inf', '-infinity') THEN {5} {3}ELSE {2} END",
      cell, missing_words({}), refuse(dialect_, no_number(field), cell, Refusal::number),
      // A day that does not exist, as 2013-02-30, would become another one.
      dates
          ? fmt::format(
                "WHEN date({0}, '+0 days') = {0} AND {0} LIKE '____-__-__' THEN julianday({0}) - 2440587.5 ",
                plain)
          : "",
      number(dialect_, HUGE_VAL), number(dialect_, -HUGE_VAL), plain);
}

// Levels true and false: the words as readers know them, and 1 and 0.
std::string CellTypes::boolean_cell(const std::string& cell, const Field& field) const {
  const std::string plain = trimmed(dialect_, as_text(dialect_, cell));
  const std::string text = fmt::format("LOWER({})", plain);
  return fmt::format(
      "CASE WHEN {0} IN ('true', '1', '1.0') THEN 1 WHEN {0} IN ('false', '0', '0.0') THEN 0 WHEN {1} IS "
      "NULL OR "
      "{2} IN ({3}) THEN NULL ELSE {4} END",
      text, cell, plain, missing_words({}),
      refuse(dialect_,
             fmt::format("bough: the column {} is neither true nor false: ", shown_name(field.name)),
             as_text(dialect_, cell), Refusal::number));
}

std::string CellTypes::text_cell(const std::string& cell, const Field& field) const {
  const std::vector<std::string>& names = field.levels.names;
  const bool refuses_integers = std::ranges::any_of(names, is_odd_integer);
  const std::string text = as_text(dialect_, cell);
  // Values in quotes keep their blanks, such as "NA ".
  std::vector<std::string> kept;
  for (const std::string& name : names)
    if (has_edge_blanks(name)) kept.push_back(literal(dialect_, name));
  const std::string values =
      kept.empty() ? "" : fmt::format("WHEN {0} IN ({1}) THEN {0} ", text, fmt::join(kept, ", "));
  const std::string plain = trimmed(dialect_, text);
  const std::string type = type_name(dialect_, cell);
  const std::string about =
      dialect_ == Dialect::sqlite ? type : fmt::format("{} || ': ' || COALESCE({}, 'NULL')", type, text);
  std::string truths;
  if (const auto words = truth_words(field.levels); words && dialect_ != Dialect::sqlite)
    truths = fmt::format("WHEN {0} = '{1}' THEN CASE {2} WHEN 'true' THEN {3} WHEN 'false' THEN {4} END ",
                         type, dialect_ == Dialect::duckdb ? "BOOLEAN" : "boolean", text,
                         literal(dialect_, words->yes), literal(dialect_, words->no));
  return fmt::format(
      "CASE {}WHEN {} THEN {} {}WHEN {} IN ({}) THEN NULL ELSE {} END", truths,
      foreign_types(dialect_, type, refuses_integers),
      refuse(dialect_, fmt::format("bough: the column {} must be text, but is ", shown_name(field.name)),
             about, Refusal::text),
      values, plain, missing_words(field.levels), plain);
}

std::string divided_refusal(Dialect dialect, const std::string& about) {
  return refuse(
      dialect,
      "bough: a row with a missing or unknown cell goes to several leaves, which SQL cannot say; node ",
      about, Refusal::truth);
}

std::string cell_level(Dialect dialect, const Levels& levels, std::size_t i) {
  if (levels.type == Levels::Type::boolean) return levels.numbers[i] != 0.0 ? "1" : "0";
  return level(dialect, levels, i);
}

}  // namespace bough::sql
