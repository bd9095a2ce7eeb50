// SPDX-License-Identifier: Apache-2.0
// Columns that are probably not what they were taken for.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "bough/table_blocks.hpp"
#include "errors.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

constexpr std::int64_t kLeastRows = 50;  // fewer may all be different by chance
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

// "31.01.2013", "1/31/2013".
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

// Fewer than two rows a value: what is learned about one value is used for no other row.
bool is_identifier(const Texts& texts, std::int64_t n_known) {
  return n_known >= kLeastRows && 2 * std::ssize(texts.values) > n_known && !texts.all(is_comma_number) &&
         !texts.all(is_dressed_number);
}

std::int64_t known_cells(const Table::Column& column, std::int64_t n_rows) {
  std::int64_t n = 0;
  for (std::int64_t row = 0; row < n_rows; ++row) n += cell_text(column, row).empty() ? 0 : 1;
  return n;
}

// What is odd about a column of text; empty: nothing.
std::string about_texts(const Texts& texts, const std::string& option) {
  const std::string& one = texts.values.empty() ? option : texts.values.front();
  const auto n = std::ssize(texts.values);
  if (texts.all(is_comma_number))
    return fmt::format(
        "holds numbers with a decimal comma (such as {}), taken as categories: --decimal , reads them", one);
  if (texts.all(is_dressed_number))
    return fmt::format(
        "holds numbers with other symbols (such as {}), taken as categories: write plain numbers, or "
        "--ignore {}",
        one, option);
  if (texts.all(is_foreign_date))
    return fmt::format(
        "holds dates (such as {}), taken as categories: written as 2013-01-31 they are numbers", one);
  if (texts.all(all_digits))
    return fmt::format("holds codes (such as {}), taken as categories: --numeric {} reads numbers",
                       *std::max_element(texts.values.begin(), texts.values.end(),
                                         [](const auto& a, const auto& b) {
                                           return has_leading_zero(a) < has_leading_zero(b);
                                         }),
                       option);
  if (n > kManyCategories)
    return fmt::format(
        "has {} categories: with so many, a tree finds patterns by chance (--ignore {} leaves it out)",
        grouped(n), option);
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

}  // namespace

std::vector<std::string> look_at_columns(const Table& table, const ColumnPlan& plan, const std::string& path,
                                         const ReadOptions& reading) {
  std::vector<std::string> identifiers;
  std::size_t n_features = 0;
  for (std::size_t i = 0; i < table.n_columns(); ++i) {
    const std::string& name = table.name(i);
    const std::vector<std::string>& targets = plan.spec.targets;
    const auto* dense = std::get_if<ColumnView>(&table.column(i));
    if (name == plan.spec.weight || name == plan.spec.treatment ||
        std::find(targets.begin(), targets.end(), name) != targets.end() ||
        std::find(plan.spec.ignored.begin(), plan.spec.ignored.end(), name) != plan.spec.ignored.end())
      continue;
    ++n_features;
    if (dense == nullptr || plan.settles(name)) continue;
    const std::string option = shell_word(csv_cell(name));
    std::string odd;
    if (dense->dictionary != nullptr) {
      const Texts texts = texts_of(*dense);
      odd = about_texts(texts, option);
      const bool many = 2 * std::ssize(texts.values) > kLeastRows;
      const std::int64_t n_known = many ? known_cells(table.column(i), table.n_rows()) : 0;
      if (is_identifier(texts, n_known)) {
        identifiers.push_back(name);
        odd = fmt::format(
            "has {} different texts in {} rows, which is an identifier and says nothing about new rows: it "
            "is left out (--category {} keeps it)",
            grouped(std::ssize(texts.values)), grouped(n_known), option);
      }
    } else if (counts_rows(table.column(i), table.n_rows())) {
      odd =
          fmt::format("numbers the rows: it says nothing about new ones (--ignore {} leaves it out)", option);
    }
    if (!odd.empty()) warn(fmt::format("column '{}' {}", name, odd));
  }
  warn_of_dates(table, plan, path, reading);
  return identifiers.size() < n_features ? identifiers : std::vector<std::string>();
}

}  // namespace bough::cli
