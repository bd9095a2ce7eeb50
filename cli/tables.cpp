// SPDX-License-Identifier: Apache-2.0
// Options about tables: how a file is read and what its columns mean.
#include "tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bough/causal.hpp"
#include "bough/explain.hpp"
#include "bough/rules.hpp"
#include "bough/seen_rows.hpp"
#include "bough/table_blocks.hpp"
#include "errors.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

std::vector<std::string> target_names(const Model& model) {
  std::vector<std::string> names;
  for (const Field& field : model.targets().fields) names.push_back(field.name);
  return names;
}

bool is_delimited(const std::string& format) {
  return format == "csv" || format == "tsv";
}

// The kind of the file that options of reading are about: text, where one of the tables is.
std::string kind_of_tables(const Command& command, const std::string& format, const std::string& format_name,
                           const std::vector<std::string>& tables) {
  if (command.is_given(format_name)) return format;
  std::string kind = "csv";
  for (const std::string& table : tables) {
    const bool given = command.is_given(table);
    if (!given && table.starts_with('-')) continue;  // an option without which nothing is read
    kind = file_format(given ? command.typed(table) : "-");
    if (is_delimited(kind)) break;
  }
  return kind;
}

}  // namespace

void add_read_flags(Command& command, ReadFlags& flags, const std::vector<std::string>& tables,
                    const std::string& format_name, const std::vector<std::string>& also) {
  command.group("Reading");
  std::vector<std::string> kinds{"csv", "tsv", "svmlight", "arff", "parquet", "arrow"};
  kinds.insert(kinds.end(), also.begin(), also.end());
  command.option(flags.format, {format_name,
                                "Kind of file; default: by its name or its first bytes, else csv. In "
                                "svmlight files the target is called label",
                                "KIND", kinds});
  command.option(flags.delimiter,
                 {"--delimiter", "Character between cells, or 'tab'; default: guessed", "CHAR"});
  command.option(flags.decimal, {"--decimal", "Decimal sign of numbers (default: .)", "SIGN", {".", ","}});
  command.toggle(flags.header, {"--header", "The first line holds names, even if some are numbers"});
  command.toggle(flags.no_header, {"--no-header", "The first line is data; columns are called x0, x1, ..."});
  command.option(flags.missing, {"--missing",
                                 "Words for missing cells, instead of ?, NA, N/A, NaN, nan, null, NULL; "
                                 "an empty cell is always missing",
                                 "WORDS"});
  // Without a table nothing is read; files that are no plain text say by themselves what these options are about.
  const std::string option = format_name.substr(format_name.rfind(',') + 1);
  const bool always = std::ranges::any_of(tables, [](const auto& name) { return !name.starts_with('-'); });
  const std::vector<std::string> read = always ? std::vector<std::string>{} : tables;
  // Words beside the kinds of files are not about a table.
  command.effects({{option, also.empty() ? read : std::vector<std::string>{}},
                   {"--delimiter,--decimal,--header,--no-header,--missing", read},
                   {"--delimiter,--decimal,--header,--no-header,--missing",
                    {option + "=csv|tsv"},
                    "only csv and tsv files leave that open, and the table is none"}});
  command.implied(option, [&command, &flags, option, tables] {
    return kind_of_tables(command, flags.format, option, tables);
  });
}

ReadOptions read_options(const ReadFlags& flags) {
  ReadOptions options;
  options.format = flags.format;
  if (flags.header && flags.no_header)
    throw Error(ErrorCode::bad_params, "--header and --no-header exclude each other", "give one of the two");
  if (flags.header || flags.no_header) options.header = flags.header;
  if (flags.delimiter == "tab" || flags.delimiter == "\\t") {
    options.delimiter = '\t';
  } else if (flags.delimiter.size() == 1) {
    options.delimiter = flags.delimiter.front();
  } else if (!flags.delimiter.empty()) {
    throw Error(ErrorCode::bad_params, fmt::format("--delimiter is one character, not '{}'", flags.delimiter),
                "write tab for the tab character");
  }
  if (flags.decimal == ",") options.decimal = ',';
  if (options.decimal == options.delimiter)
    throw Error(ErrorCode::bad_params, "--decimal and --delimiter are both a comma",
                "cells need another delimiter");
  if (!flags.missing.empty()) {
    options.missing = split_lists(flags.missing);
    options.missing.insert(options.missing.begin(), "");
  }
  return options;
}

namespace {

void announce_reading(const std::string& path) {
  if (path == "-")
    announce_standard_input(path);
  else
    show_progress(harmless(fmt::format("reading {}", path)));
}

}  // namespace

Table read_rows(const std::string& path, const ReadOptions& options,
                const std::vector<std::string>& ignored) {
  announce_reading(path);
  return read_table(path, options, ignored);
}

Table read_rows(const std::string& path, const ReadOptions& options, const Model& model) {
  return read_rows(path, options, plain_features(model), model.targets());
}

namespace {

// The features, and targets whose labels are texts; other targets are what their cells look like.
Schema known_columns(const Schema& features, const Schema& targets) {
  Schema known = features;
  for (Field target : targets.fields) {
    if (target.levels.size() == 0 || target.levels.type != Levels::Type::text) target.role = Role::ignored;
    if (!known.find(target.name)) known.fields.push_back(std::move(target));
  }
  return known;
}

void require_features(const Table& rows, const Schema& features, const std::string& path) {
  std::vector<std::string> names = column_names(rows), absent;
  for (const Field& field : features.fields)
    if (!rows.find(field.name)) absent.push_back(one_line(field.name));
  if (absent.empty()) return;
  for (std::string& name : names) name = one_line(name);
  throw Error(ErrorCode::bad_data,
              fmt::format("{} lacks {} {} of the model: {}", source_name(path), absent.size(),
                          absent.size() == 1 ? "column" : "columns", some_of(absent, 12)),
              fmt::format("give rows with the columns that the model was trained on; the columns here are {}",
                          some_of(names, 12)));
}

}  // namespace

ReadOptions options_for(ReadOptions options, const Schema& features, const Schema& targets) {
  keep_known_values(options.missing, features);
  keep_known_values(options.missing, targets);
  return options;
}

Table read_rows(const std::string& path, const ReadOptions& options, const Schema& features,
                const Schema& targets) {
  announce_reading(path);
  Table rows =
      read_by_schema(path, options_for(options, features, targets), known_columns(features, targets));
  require_features(rows, features, path);
  return rows;
}

void tell_of_rows_without_targets(std::string_view path, const std::vector<std::string>& targets,
                                  std::int64_t n, std::int64_t n_rows) {
  if (n == 0) return;
  tell(fmt::format("{}: {} of {} rows {} no {} and {} left out", source_name(path), grouped(n),
                   grouped(n_rows), n == 1 ? "has" : "have", fmt::join(targets, " or no "),
                   n == 1 ? "is" : "are"));
}

Table with_targets(Table table, const std::vector<std::string>& targets, std::string_view path,
                   std::vector<RowId>* numbers) {
  std::vector<RowId> rows = rows_with_targets(table, targets);
  if (rows.empty() || std::ssize(rows) == table.n_rows()) return table;
  tell_of_rows_without_targets(path, targets, table.n_rows() - std::ssize(rows), table.n_rows());
  table = table.take(rows);
  if (numbers != nullptr) *numbers = std::move(rows);
  return table;
}

Table labelled_rows(const std::string& path, const ReadOptions& options, const Model& model,
                    std::vector<RowId>* numbers) {
  return labelled_rows(path, options, plain_features(model), model.targets(), numbers);
}

Table labelled_rows(const std::string& path, const ReadOptions& options, const Schema& features,
                    const Schema& targets, std::vector<RowId>* numbers) {
  std::vector<std::string> names;
  for (const Field& target : targets.fields) names.push_back(target.name);
  return with_targets(read_rows(path, options, features, targets), names, path, numbers);
}

bool is_delimited(const std::string& path, const ReadOptions& reading) {
  return is_delimited(file_format(path, reading));
}

bool declares_types(const std::string& path, const ReadOptions& reading) {
  const std::string format = file_format(path, reading);
  return !is_delimited(format) && format != "svmlight";
}

bool warn_of_training_rows(const Model& model, const Table& rows, std::string_view path) {
  if (is_causal(model)) return false;  // no row shows its effect, so there are no scores to be better
  if (!holds_training_rows(model, rows)) return false;
  warn(fmt::format(
      "{} holds the rows that the model was grown on, so scores are better than those of new rows",
      source_name(path)));
  return true;
}

void warn_of_new_labels(const std::vector<Evaluation>& scores) {
  for (const Evaluation& evaluation : scores)
    if (!evaluation.unseen.empty())
      warn(fmt::format("the model has never seen these labels of '{}', whose rows count as wrong: {}",
                       evaluation.target, some_of(evaluation.unseen, 8)));
}

Model load_model(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw Error(ErrorCode::io, fmt::format("there is no model file '{}'", path),
                "make one with: bough train data.csv --target y -o model.bough");
  }
  if (holds_rules(path)) {
    throw Error(ErrorCode::bad_model, fmt::format("'{}' holds a rule set, not a model", path),
                "bough predict and bough rules read it; give the model file that the rules were made of");
  }
  return Model::load(path);
}

bool holds_rules(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  if (file.peek() != '{') return false;
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return is_rule_set(bytes);
}

Model with_target(const Model& model, const std::string& name) {
  if (name.empty()) return model;
  Model::Parts parts = model.parts();
  if (parts.targets.fields.size() != 1)
    throw Error(ErrorCode::bad_params, "--target is for models of one target",
                fmt::format("call the columns of the table as the model does: {}",
                            fmt::join(target_names(model), ", ")));
  for (const Field& field : parts.features.fields)
    if (field.name == name)
      throw Error(ErrorCode::bad_params,
                  fmt::format("--target: '{}' is a column that the model predicts from", name),
                  "name the column that holds the truth");
  parts.targets.fields.front().name = name;
  return Model(std::move(parts));
}

std::string source_name(std::string_view path) {
  return path == "-" ? "standard input" : std::string(path);
}

std::vector<std::string> column_names(const Table& table) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.n_columns(); ++i) names.push_back(table.name(i));
  return names;
}

void require_column(const Table& table, const std::string& name, std::string_view option,
                    std::string_view path) {
  if (table.find(name)) return;
  const std::vector<std::string> names = column_names(table);
  const std::string near = did_you_mean(name, names);
  throw Error(ErrorCode::bad_data, fmt::format("{} has no column '{}' ({})", source_name(path), name, option),
              near.empty() ? "the columns are " + some_of(names, 12) : near);
}

void announce_standard_input(std::string_view path) {
  if (path == "-" && is_terminal(stdin)) tell("reading rows from the terminal; end with Ctrl-D");
}

}  // namespace bough::cli
