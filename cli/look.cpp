// SPDX-License-Identifier: Apache-2.0
// Columns that are probably not what they were taken for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <unordered_set>

#include "bough/seen_rows.hpp"
#include "bough/table_blocks.hpp"
#include "column_facts.hpp"
#include "errors.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

constexpr std::int64_t kManyCategories = 200;

bool is_known(const Table::Column& column, std::int64_t row) {
  return !cell_text(column, row).empty();
}

bool looks_like_date(std::string_view text) {
  const std::string_view day = text.substr(0, text.find(' '));
  if (day.find('.') != std::string_view::npos) return is_foreign_date(day);
  return text.size() >= 10 && all_digits(text.substr(0, 4)) && text[4] == '-' &&
         all_digits(text.substr(5, 2)) && text[7] == '-' && all_digits(text.substr(8, 2));
}

// Dates are read as numbers, so only the file itself shows them.
void warn_of_dates(const std::vector<std::string>& candidates, const ColumnPlan& plan,
                   const std::string& path, ReadOptions reading) {
  std::error_code failed;
  if (declares_types(path, reading) || !std::filesystem::is_regular_file(path, failed)) return;
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
  bool left_out = false;  // not as texts, but for what is odd
};

// "has 600 different texts in 600 rows, too many to learn what each means".
std::string why_left_out(const Look& look) {
  if (look.left_out) return look.odd.what;
  const std::string counts =
      fmt::format("{} different texts in {} rows", grouped(look.n_texts), grouped(look.n_known));
  return look.odd.what.empty() ? fmt::format("has {}, too many to learn what each means", counts)
                               : fmt::format("{}, {}", look.odd.what, counts);
}

void tell_of(const Look& look, bool left_out) {
  const std::string option = shell_word(csv_cell(look.name));
  const auto& [what, way, may_ignore] = look.odd;
  if (left_out) {
    warn(fmt::format("column '{}' {}: it is left out ({})", look.name, why_left_out(look),
                     look.left_out
                         ? way
                         : fmt::format("--category {} keeps it{}", option, way.empty() ? "" : "; " + way)));
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

bool holds_name(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

// What is known of one column, block by block.
struct ColumnLooks::Seen {
  std::string name;
  bool is_target = false, is_text = false;
  bool unnamed = false;  // the first column of a file whose header starts with a comma
  std::int64_t n_texts = 0, n_known = 0;
  TextFacts texts;
  std::unordered_set<std::uint64_t> different;  // of texts in blocks
  RowNumbers numbers;
  std::string stray;  // a word among numbers
  std::int64_t stray_row = 0;
};

ColumnLooks::ColumnLooks(const ColumnPlan& plan, std::string path, ReadOptions reading, bool whole)
    : plan_(plan), path_(std::move(path)), reading_(std::move(reading)), whole_(whole) {}
ColumnLooks::~ColumnLooks() = default;

void ColumnLooks::start_over() {
  seen_.clear();
  n_rows_ = 0;
}

void ColumnLooks::look(const Table& rows) {
  if (seen_.empty()) {
    seen_.resize(rows.n_columns());
    for (std::size_t i = 0; i < rows.n_columns(); ++i) {
      seen_[i].name = rows.name(i);
      seen_[i].is_target = holds_name(plan_.spec.targets, rows.name(i));
    }
    // Readers call columns without a name by their place; a second such name means that all are called so.
    seen_.front().unnamed = rows.name(0) == "x0" && !rows.find("x1");
    if (seen_.front().unnamed) seen_.front().numbers.compare(1'000'000);
  }
  for (std::size_t i = 0; i < rows.n_columns(); ++i) {
    const auto* dense = std::get_if<ColumnView>(&rows.column(i));
    if (dense == nullptr || plan_.settles(seen_[i].name)) continue;
    if (dense->dictionary != nullptr)
      look_at_texts(*dense, rows.n_rows(), seen_[i]);
    else if (!seen_[i].is_target)
      look_at_numbers(rows.column(i), rows.n_rows(), seen_[i]);
  }
  n_rows_ += rows.n_rows();
}

void ColumnLooks::look_at_texts(const ColumnView& cells, std::int64_t n_rows, Seen& seen) const {
  seen.is_text = true;
  const Table::Column values(*cells.dictionary), column(cells);
  for (std::int64_t i = 0; i < cells.dictionary->length(); ++i) {
    const std::string value = cell_text(values, i);
    seen.texts.add(value);
    if (!whole_) seen.different.insert(std::hash<std::string>()(value));
  }
  seen.n_texts = whole_ ? cells.dictionary->length() : std::ssize(seen.different);
  if (whole_ && seen.n_texts < kLeastDifferent) {  // such a column is looked at no further
    seen.n_known = seen.n_texts;
    return;
  }
  const std::vector<std::string> words = seen.texts.stray_words(seen.n_texts);
  for (std::int64_t row = 0; row < n_rows; ++row) {
    const std::string text = cell_text(column, row);
    if (text.empty()) continue;
    ++seen.n_known;
    if (seen.stray_row == 0 && !words.empty() && holds_name(words, text)) {
      seen.stray = text;
      seen.stray_row = n_rows_ + row + 1;
    }
  }
}

void ColumnLooks::look_at_numbers(const Table::Column& column, std::int64_t n_rows, Seen& seen) {
  for (std::int64_t row = 0; row < n_rows && seen.n_known == 0; ++row) seen.n_known += is_known(column, row);
  seen.numbers.add(column, n_rows);
}

void ColumnLooks::tell_of_target(const Seen& seen) const {
  if (!seen.is_text) return;
  const Odd odd = seen.texts.odd(shell_word(csv_cell(seen.name)), seen.n_texts);
  // A target of texts that are numbers, dates or all different is hardly meant as classes.
  if (!odd.what.empty() && !seen.texts.all_codes())
    warn(fmt::format("the target '{}' {}, taken as {} classes: {}", seen.name, odd.what,
                     grouped(seen.n_texts), odd.way));
  else if (seen.n_texts >= kLeastDifferent && is_scattered(seen.n_texts, seen.n_known))
    warn(fmt::format("the target '{}' has {} classes in {} rows, too few rows of each to learn from",
                     seen.name, grouped(seen.n_texts), grouped(n_rows_)));
}

std::vector<LeftOut> ColumnLooks::finish() {
  std::vector<Look> looks;
  std::ptrdiff_t n_features = plan_.spec.targets.empty() ? -1 : 0;  // one of them will be the target
  for (const Seen& seen : seen_) {
    if (seen.is_target) {
      if (!plan_.settles(seen.name)) tell_of_target(seen);
      continue;
    }
    if (seen.name == plan_.spec.weight || seen.name == plan_.spec.treatment ||
        holds_name(plan_.spec.ignored, seen.name))
      continue;
    ++n_features;
    if (plan_.settles(seen.name)) continue;
    const std::string option = shell_word(csv_cell(seen.name));
    Look look{seen.name};
    if (seen.n_known == 0) {
      look.odd = {"has no values", fmt::format("--ignore {} leaves it out", option)};
    } else if (seen.is_text) {
      look.odd = seen.texts.odd(option, seen.n_texts);
      look.n_texts = seen.n_texts;
      look.n_known = seen.n_known;
      look.scattered = seen.n_texts >= kLeastDifferent && is_scattered(seen.n_texts, seen.n_known);
      if (look.scattered && look.odd.what.empty() && seen.stray_row > 0)
        look.odd = {fmt::format("holds {}s and the word '{}' in row {}", seen.texts.kind(), seen.stray,
                                seen.stray_row),
                    fmt::format("if '{}' means that a {} is missing, add it to the words of --missing",
                                seen.stray, seen.texts.kind())};
    } else if (seen.unnamed && seen.numbers.all_different()) {
      look.odd = {"has no name and numbers the rows", fmt::format("--numeric {} keeps it", option)};
      look.left_out = true;
    } else if (seen.numbers.without_gap()) {
      look.odd = {"numbers the rows and probably says nothing about new ones",
                  fmt::format("--ignore {} leaves it out", option)};
    }
    looks.push_back(std::move(look));
  }
  // Something must be left to learn from.
  const auto goes = [](const Look& look) { return look.scattered || look.left_out; };
  const bool leaves_out = std::ranges::count_if(looks, goes) < n_features;
  std::vector<LeftOut> left_out;
  for (const Look& look : looks) {
    const bool out = goes(look) && leaves_out;
    if (out) left_out.push_back({look.name, why_left_out(look)});
    tell_of(look, out);
  }
  std::vector<std::string> numbers;
  for (const Seen& seen : seen_)
    if (!seen.is_text && !plan_.settles(seen.name)) numbers.push_back(seen.name);
  warn_of_dates(numbers, plan_, path_, reading_);
  return left_out;
}

void warn_of_first_line(const Table& table, const std::string& path, ReadOptions reading) {
  std::error_code failed;
  if (reading.header || !is_delimited(path, reading) || !std::filesystem::is_regular_file(path, failed))
    return;
  reading.header = false;
  reading.max_rows = 1;
  reading.text_columns.clear();
  reading.numeric_columns.clear();
  const Table line = read_table(path, reading);
  std::string number;
  bool any_word = false;
  for (std::size_t i = 0; i < line.n_columns(); ++i) {
    const std::string cell = cell_text(line.column(i), 0);
    if (holds_name(reading.known_names, cell)) return;
    const bool is_word = std::get_if<ColumnView>(&line.column(i))->dictionary != nullptr;
    any_word |= is_word;
    if (!is_word && number.empty()) number = cell;
  }
  if (!any_word || number.empty()) return;
  const bool as_names = table.name(0) != "x0";
  warn(fmt::format(
      "the first line of {} is taken as {}, {} {} in it is a number: --{} says that this is right, --{} that "
      "it is not",
      source_name(path), as_names ? "names of columns" : "a row", as_names ? "although" : "because", number,
      as_names ? "header" : "no-header", as_names ? "no-header" : "header"));
}

std::vector<LeftOut> look_at_columns(const Table& table, const ColumnPlan& plan, const std::string& path,
                                     const ReadOptions& reading) {
  warn_of_first_line(table, path, reading);
  ColumnLooks looks(plan, path, reading, true);
  looks.look(table);
  std::vector<LeftOut> left_out = looks.finish();
  ColumnPlan rest = plan;
  for (const LeftOut& column : left_out) rest.spec.ignored.push_back(column.name);
  warn_of_mixed_columns(table, rest, path, reading);
  return left_out;
}

namespace {

// What readers take for a number in columns that were noted as plain numbers, and in those of nothing but days.
Schema noted_features(Schema features, const std::vector<ColId>& dates, const std::vector<ColId>& days) {
  const auto holds = [](const std::vector<ColId>& columns, std::size_t i) {
    return std::ranges::find(columns, static_cast<ColId>(i)) != columns.end();
  };
  for (std::size_t i = 0; i < features.fields.size(); ++i) {
    Field& field = features.fields[i];
    if (field.kind != Kind::numeric) continue;
    if (!holds(dates, i)) field.levels.type = Levels::Type::real;
    if (holds(days, i)) field.levels.type = Levels::Type::integer;
  }
  return features;
}

}  // namespace

Schema plain_features(const Model& model) {
  return notes_dates(model) ? noted_features(model.features(), date_columns(model), day_columns(model))
                            : model.features();
}

Schema plain_features(const RuleSet& rules) {
  const std::optional<std::vector<ColId>>& dates = rules.parts().dates;
  return dates ? noted_features(rules.parts().features, *dates, rules.parts().days) : rules.parts().features;
}

namespace {

// Truth values among labels, spelled as in the first rows.
void write_labels(Schema& targets, const Table& head) {
  for (Field& target : targets.fields) {
    if (target.levels.type != Levels::Type::boolean) continue;
    const auto truth = spelled_truth(head.column(head.find(target.name).value()), head.n_rows());
    for (std::size_t i = 0; i < target.levels.size(); ++i)
      target.levels.names[i] = truth[target.levels.numbers[i] != 0.0 ? 1 : 0];
  }
}

// What the first cells of a column that was read as numbers are. Unclear: truth values, or of several kinds.
enum class Cells : std::uint8_t { numbers, days, unclear };

Cells cells_of(const Table::Column& column, std::int64_t n_rows, char decimal) {
  bool any_number = false, any_date = false, any_other = false;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    const std::string text = cell_text(column, row);
    if (text.empty()) continue;
    const bool number = is_number(text) || (decimal == ',' && is_comma_number(text));
    const bool date = !number && looks_like_date(text);
    any_number |= number;
    any_date |= date;
    any_other |= !number && !date;
  }
  if (!any_date && !any_other) return Cells::numbers;
  return any_number || any_other ? Cells::unclear : Cells::days;
}

// The first rows of a file, or of the first file of a folder or pattern; nothing of what can be read only once.
std::optional<Table> head_of(const std::string& path, const ReadOptions& reading) {
  std::error_code failed;
  if (std::filesystem::is_regular_file(path, failed)) return read_table(path, reading);
  if (std::filesystem::exists(path, failed) && !std::filesystem::is_directory(path, failed)) return {};
  if (path == "-") return {};
  return open_table_blocks(std::span(&path, 1), reading)->next(reading.max_rows);
}

}  // namespace

Model with_file_notes(const Model& model, const std::string& path, ReadOptions reading) {
  if (!is_delimited(path, reading)) return model;
  Model::Parts parts = model.parts();
  const std::vector<Field>& fields = parts.features.fields;
  reading.numeric_columns.clear();
  reading.text_columns.clear();
  for (const Field& target : parts.targets.fields)
    if (target.levels.type == Levels::Type::boolean) reading.text_columns.push_back(target.name);
  for (const Field& field : fields)
    if (field.kind == Kind::numeric) reading.text_columns.push_back(field.name);
  if (reading.text_columns.empty()) return model;
  reading.max_rows = 1000;
  const std::optional<Table> head = head_of(path, reading);
  if (head) write_labels(parts.targets, *head);
  std::vector<double> dates, days;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].kind != Kind::numeric) continue;
    const Cells cells =
        head ? cells_of(head->column(head->find(fields[i].name).value()), head->n_rows(), reading.decimal)
             : Cells::unclear;
    if (cells != Cells::numbers) dates.push_back(static_cast<double>(i));
    if (cells == Cells::days) days.push_back(static_cast<double>(i));
  }
  if (!dates.empty()) parts.extras[kDateColumns] = std::move(dates);
  if (!days.empty()) parts.extras[kDayColumns] = std::move(days);
  return Model(std::move(parts));
}

}  // namespace bough::cli
