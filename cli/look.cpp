// SPDX-License-Identifier: Apache-2.0
// Columns that are probably not what they were taken for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#include "bough/table_blocks.hpp"
#include "errors.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

constexpr std::int64_t kLeastRows = 50;       // fewer may mostly be different by chance
constexpr std::int64_t kLeastDifferent = 10;  // so many, all different, are names
constexpr std::int64_t kManyCategories = 200;

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool has_leading_zero(std::string_view text) {
  return text.size() > 1 && text.front() == '0' && all_digits(text);
}

// "3,5" and "-1.234,50".
bool is_comma_number(std::string_view text) {
  if (text.find(',') == std::string_view::npos) return false;
  std::string plain;
  for (const char c : text)
    if (c != '.') plain += c == ',' ? '.' : c;
  return is_number(plain);
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

// "1/31/2013", and days that do not exist.
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

struct Texts {
  std::vector<std::string> values;  // distinct
  template <class Test>
  [[nodiscard]] bool all(const Test& test) const {
    return !values.empty() && std::all_of(values.begin(), values.end(), test);
  }
};

Texts texts_of(const ColumnView& column) {
  const Table::Column values(*column.dictionary);
  Texts texts;
  for (std::int64_t i = 0; i < column.dictionary->length(); ++i) texts.values.push_back(cell_text(values, i));
  return texts;
}

// Many numbers in a few units; the letters of "3B" are many.
bool has_units(const Texts& texts) {
  constexpr std::size_t kLeastNumbers = 10, kMostUnits = 4;
  std::set<std::string_view> units;
  for (const std::string& value : texts.values) units.insert(unit_of(value));
  return texts.values.size() >= kLeastNumbers && units.size() <= kMostUnits && !units.contains("");
}

// No row a second time, or fewer than three rows a value: what is learned about one value is used for hardly any other
// row.
bool is_scattered(const Texts& texts, std::int64_t n_known) {
  const std::int64_t n_texts = std::ssize(texts.values);
  return (n_known >= kLeastDifferent && n_texts == n_known) ||
         (n_known >= kLeastRows && 3 * n_texts > n_known);
}

bool is_known(const Table::Column& column, std::int64_t row) {
  return !cell_text(column, row).empty();
}

std::int64_t known_cells(const Table::Column& column, std::int64_t n_rows) {
  std::int64_t n = 0;
  for (std::int64_t row = 0; row < n_rows; ++row) n += is_known(column, row) ? 1 : 0;
  return n;
}

bool is_empty(const Table::Column& column, std::int64_t n_rows) {
  std::int64_t row = 0;
  while (row < n_rows && !is_known(column, row)) ++row;
  return row == n_rows;
}

// What texts are that are no words, and what to do about it; empty: nothing is odd.
struct Odd {
  std::string what, way;
  bool may_ignore = false;  // or leave the column out
};

Odd about_texts(const Texts& texts, const std::string& option) {
  if (texts.values.empty()) return {};
  const auto such = [&](std::string_view what, std::string_view one) {
    return fmt::format("holds {} (such as {})", what, one);
  };
  const std::string& one = texts.values.front();
  if (texts.all(is_comma_number))
    return {such("numbers with a decimal comma", one), "--decimal , reads them"};
  if (texts.all(is_dressed_number))
    return {such("numbers with other symbols", one), "write plain numbers", true};
  if (has_units(texts)) return {such("numbers with units", one), "write plain numbers of one unit", true};
  if (texts.all(is_foreign_date)) return {such("dates", one), "written as 2013-01-31 they are numbers"};
  if (texts.all(is_time)) return {such("times", one), "write hours or minutes as numbers", true};
  if (texts.all(all_digits)) {
    const auto code = std::ranges::find_if(texts.values, has_leading_zero);
    return {such("codes", code == texts.values.end() ? one : *code),
            fmt::format("--numeric {} reads numbers", option)};
  }
  return {};
}

// Whole numbers without a gap, every one once: the number of the row.
bool counts_rows(const Table::Column& column, std::int64_t n_rows) {
  if (n_rows < kLeastRows) return false;
  std::set<std::string> first;  // a look at some rows settles most columns
  for (std::int64_t row = 0; row < std::min<std::int64_t>(n_rows, 200); ++row)
    if (!first.insert(cell_text(column, row)).second) return false;
  std::vector<char> seen(static_cast<std::size_t>(n_rows), 0);
  double low = INFINITY;
  std::vector<double> cells(static_cast<std::size_t>(n_rows));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string text = cell_text(column, static_cast<std::int64_t>(i));
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), cells[i]);
    if (status != std::errc() || end != text.data() + text.size() || cells[i] != std::floor(cells[i]))
      return false;
    low = std::min(low, cells[i]);
  }
  for (const double cell : cells) {
    const double at = cell - low;
    if (at >= static_cast<double>(n_rows) || seen[static_cast<std::size_t>(at)]++ != 0) return false;
  }
  return true;
}

bool looks_like_date(std::string_view text) {
  const std::string_view day = text.substr(0, text.find(' '));
  if (day.find('.') != std::string_view::npos) return is_foreign_date(day);
  return text.size() >= 10 && all_digits(text.substr(0, 4)) && text[4] == '-' &&
         all_digits(text.substr(5, 2)) && text[7] == '-' && all_digits(text.substr(8, 2));
}

// Dates are read as numbers, so only the file itself shows them.
void warn_of_dates(const Table& table, const ColumnPlan& plan, const std::string& path, ReadOptions reading) {
  if (path == "-" || declares_types(path)) return;
  std::vector<std::string> candidates;
  for (std::size_t i = 0; i < table.n_columns(); ++i) {
    const auto* dense = std::get_if<ColumnView>(&table.column(i));
    if (dense != nullptr && dense->dictionary == nullptr && !plan.settles(table.name(i)))
      candidates.push_back(table.name(i));
  }
  reading.max_rows = 5;
  reading.text_columns = candidates;
  reading.numeric_columns.clear();
  const Table head = read_table(path, reading, plan.spec.ignored);
  for (const std::string& name : candidates) {
    const Table::Column& column = head.column(head.find(name).value());
    for (std::int64_t row = 0; row < head.n_rows(); ++row)
      if (looks_like_date(cell_text(column, row))) {
        warn(fmt::format(
            "column '{}' holds dates (such as {}), taken as numbers of days since 1970-01-01: --category "
            "{} takes them as categories, --ignore leaves them out",
            name, cell_text(column, row), shell_word(csv_cell(name))));
        break;
      }
  }
}

// false and true as the first rows write them; as the library does where they do not agree.
std::array<std::string, 2> spelled_truth(const Table::Column& column, std::int64_t n_rows) {
  const std::array<std::array<std::string, 2>, 3> ways{
      {{"false", "true"}, {"FALSE", "TRUE"}, {"False", "True"}}};
  for (const auto& way : ways) {
    bool agrees = true;
    for (std::int64_t row = 0; agrees && row < n_rows; ++row)
      agrees = !is_known(column, row) || cell_text(column, row) == way[0] || cell_text(column, row) == way[1];
    if (agrees) return way;
  }
  return ways.front();
}

struct Look {
  std::string name;
  Odd odd{};
  std::int64_t n_texts = 0, n_known = 0;
  bool scattered = false;
};

Look look_at(const std::string& name, const ColumnView& cells, std::int64_t n_rows) {
  const Table::Column column(cells);
  const std::string option = shell_word(csv_cell(name));
  Look look{name};
  if (is_empty(column, n_rows)) {
    look.odd = {"has no values", fmt::format("--ignore {} leaves it out", option)};
  } else if (cells.dictionary != nullptr) {
    const Texts texts = texts_of(cells);
    look.odd = about_texts(texts, option);
    look.n_texts = std::ssize(texts.values);
    const bool many = look.n_texts >= kLeastDifferent;
    look.n_known = many ? known_cells(column, n_rows) : 0;
    look.scattered = is_scattered(texts, look.n_known);
  } else if (counts_rows(column, n_rows)) {
    look.odd = {"numbers the rows and says nothing about new ones",
                fmt::format("--ignore {} leaves it out", option)};
  }
  return look;
}

void tell_of(const Look& look, bool left_out) {
  const std::string option = shell_word(csv_cell(look.name));
  const auto& [what, way, may_ignore] = look.odd;
  if (left_out) {
    const std::string counts =
        fmt::format("{} different texts in {} rows", grouped(look.n_texts), grouped(look.n_known));
    warn(fmt::format("column '{}' {}: it is left out (--category {} keeps it{})", look.name,
                     what.empty() ? fmt::format("has {}, too many to learn what each means", counts)
                                  : fmt::format("{}, {}", what, counts),
                     option, way.empty() ? "" : "; " + way));
  } else if (!what.empty()) {
    warn(fmt::format("column '{}' {}{}: {}{}", look.name, what,
                     look.n_texts > 0 ? ", taken as categories" : "", way,
                     may_ignore ? ", or --ignore " + option : ""));
  } else if (look.n_texts > kManyCategories) {
    warn(
        fmt::format("column '{}' has {} categories: with so many, a tree finds patterns by chance (--ignore "
                    "{} leaves it out)",
                    look.name, grouped(look.n_texts), option));
  }
}

// A target of texts that are numbers, dates or all different is hardly meant as classes.
void look_at_target(const std::string& name, const ColumnView& cells, std::int64_t n_rows) {
  if (cells.dictionary == nullptr) return;
  const Texts texts = texts_of(cells);
  const Odd odd = about_texts(texts, shell_word(csv_cell(name)));
  const auto n_texts = std::ssize(texts.values);
  if (!odd.what.empty() && !texts.all(all_digits)) {
    warn(fmt::format("the target '{}' {}, taken as {} classes: {}", name, odd.what, grouped(n_texts),
                     odd.way));
  } else if (n_texts >= kLeastDifferent && is_scattered(texts, known_cells(Table::Column(cells), n_rows))) {
    warn(fmt::format("the target '{}' has {} classes in {} rows, too few rows of each to learn from", name,
                     grouped(n_texts), grouped(n_rows)));
  }
}

}  // namespace

std::vector<std::string> look_at_columns(const Table& table, const ColumnPlan& plan, const std::string& path,
                                         const ReadOptions& reading) {
  std::vector<Look> looks;
  std::ptrdiff_t n_features = 0;
  for (std::size_t i = 0; i < table.n_columns(); ++i) {
    const std::string& name = table.name(i);
    const std::vector<std::string>&targets = plan.spec.targets, &ignored = plan.spec.ignored;
    const auto* dense = std::get_if<ColumnView>(&table.column(i));
    if (std::find(targets.begin(), targets.end(), name) != targets.end()) {
      if (dense != nullptr && !plan.settles(name)) look_at_target(name, *dense, table.n_rows());
      continue;
    }
    if (name == plan.spec.weight || name == plan.spec.treatment ||
        std::find(ignored.begin(), ignored.end(), name) != ignored.end())
      continue;
    ++n_features;
    if (dense != nullptr && !plan.settles(name)) looks.push_back(look_at(name, *dense, table.n_rows()));
  }
  // Something must be left to learn from.
  const bool leaves_out = std::ranges::count(looks, true, &Look::scattered) < n_features;
  std::vector<std::string> left_out;
  for (const Look& look : looks) {
    const bool out = look.scattered && leaves_out;
    if (out) left_out.push_back(look.name);
    tell_of(look, out);
  }
  warn_of_dates(table, plan, path, reading);
  return left_out;
}

Model with_written_labels(Model model, const std::string& path, ReadOptions reading) {
  std::error_code failed;
  Model::Parts parts = model.parts();
  reading.numeric_columns.clear();
  reading.text_columns.clear();
  for (const Field& target : parts.targets.fields)
    if (target.levels.type == Levels::Type::boolean) reading.text_columns.push_back(target.name);
  if (reading.text_columns.empty() || declares_types(path) || !std::filesystem::is_regular_file(path, failed))
    return model;
  reading.max_rows = 1000;
  const Table head = read_table(path, reading);
  for (Field& target : parts.targets.fields) {
    if (target.levels.type != Levels::Type::boolean) continue;
    const auto truth = spelled_truth(head.column(head.find(target.name).value()), head.n_rows());
    for (std::size_t i = 0; i < target.levels.size(); ++i)
      target.levels.names[i] = truth[target.levels.numbers[i] != 0.0 ? 1 : 0];
  }
  return Model(std::move(parts));
}

}  // namespace bough::cli
