// SPDX-License-Identifier: Apache-2.0
// Options about tables: how a file is read and what its columns mean.
#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "errors.hpp"
#include "output.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace bough::cli {

void add_read_flags(Command& command, ReadFlags& flags, const std::string& format_name) {
  command.group("Reading");
  command.option(
      flags.format,
      {format_name,
       "Kind of file; default: by its name, else csv. In svmlight files the target is called label",
       "KIND",
       {"csv", "tsv", "svmlight", "arff"}});
  command.option(flags.delimiter,
                 {"--delimiter", "Character between cells, or 'tab'; default: guessed", "CHAR"});
  command.toggle(flags.no_header, {"--no-header", "The first line is data; columns are called x0, x1, ..."});
  command.option(flags.missing, {"--missing",
                                 "Words for missing cells, instead of ?, NA, N/A, NaN, nan, null, NULL; "
                                 "an empty cell is always missing",
                                 "WORDS"});
}

ReadOptions read_options(const ReadFlags& flags) {
  ReadOptions options;
  options.format = flags.format;
  if (flags.no_header) options.header = false;
  if (flags.delimiter == "tab" || flags.delimiter == "\\t") {
    options.delimiter = '\t';
  } else if (flags.delimiter.size() == 1) {
    options.delimiter = flags.delimiter.front();
  } else if (!flags.delimiter.empty()) {
    throw Error(ErrorCode::bad_params, fmt::format("--delimiter is one character, not '{}'", flags.delimiter),
                "write tab for the tab character");
  }
  if (!flags.missing.empty()) {
    options.missing = split_lists(flags.missing);
    options.missing.insert(options.missing.begin(), "");
  }
  return options;
}

ReadOptions reading_for(const Model& model, const ReadFlags& flags) {
  ReadOptions options = read_options(flags);
  for (const Schema* schema : {&model.features(), &model.targets()})
    for (const Field& field : schema->fields)
      if (field.levels.size() > 0 && field.levels.type == Levels::Type::text) options.text_columns.push_back(field.name);
  return options;
}

Table read_rows(const std::string& path, const ReadOptions& options) {
  announce_standard_input(path);
  return read_table(path, options);
}

Model load_model(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw Error(ErrorCode::io, fmt::format("there is no model file '{}'", path),
                "make one with: bough train data.csv --target y -o model.bough");
  }
  return Model::load(path);
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
