// SPDX-License-Identifier: Apache-2.0
// The row or table that bough explain is asked about.
#include <fmt/format.h>

#include <algorithm>

#include "bough/table_blocks.hpp"
#include "errors.hpp"
#include "explain.hpp"
#include "text.hpp"

namespace bough::cli {

namespace {

// "a=1", split at the first equals sign behind the name of a column, or else at the first.
std::pair<std::string, std::string> name_and_value(const std::string& part, const Schema& features) {
  std::size_t equals = part.find('=');
  for (std::size_t at = equals; at != std::string::npos; at = part.find('=', at + 1))
    if (features.find(part.substr(0, at))) {
      equals = at;
      break;
    }
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorCode::bad_params, fmt::format("--values: '{}' is not name=value", part),
                "write --values 'age=41,job=cook'");
  }
  return {part.substr(0, equals), part.substr(equals + 1)};
}

// A table of one row, read as a line of a file is; columns that were not named are missing.
Table table_of_values(const std::vector<std::string>& texts, const Model& model) {
  const Schema features = plain_features(model);
  std::vector<std::pair<std::string, std::string>> given;
  std::vector<std::string> names;
  for (const Field& field : features.fields) names.push_back(field.name);
  for (const std::string& part : split_lists(texts)) {
    std::pair<std::string, std::string> value = name_and_value(part, features);
    if (std::ranges::any_of(given, [&](const auto& one) { return one.first == value.first; }))
      throw Error(ErrorCode::bad_params, fmt::format("--values: '{}' is given twice", value.first),
                  "give every column once");
    given.push_back(std::move(value));
    if (features.find(given.back().first)) continue;
    const std::string near = did_you_mean(given.back().first, names);
    throw Error(ErrorCode::bad_data,
                fmt::format("--values: the model has no column '{}'", given.back().first),
                near.empty() ? "the columns are " + some_of(names, 12) : near);
  }
  std::string header, cells;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(given.begin(), given.end(), [&](const auto& pair) { return pair.first == name; });
    const bool first = &name == &names.front();
    header += (first ? "" : ",") + csv_cell(name);
    // In quotes, an empty cell is missing, too, and the line is not blank.
    cells += first ? "" : ",";
    cells += found == given.end() || found->second.empty() ? "\"\"" : csv_cell(found->second);
  }
  ReadOptions options = options_for({}, features, {});
  options.delimiter = ',';
  options.header = true;
  try {
    return parse_by_schema(header + '\n' + cells + '\n', options, features, "--values");
  } catch (const Error& error) {
    std::string message = error.what();
    const std::string line = "line 2, ";
    if (const std::size_t at = message.find(line); at != std::string::npos) message.erase(at, line.size());
    throw Error(error.code(), message, "leave the column out when its value is missing");
  }
}

template <class T>
T parsed(const std::string& text, std::string_view option, std::string_view what) {
  T value{};
  const auto [end, status] = parse_chars(text, value);
  if (status != std::errc() || end != text.data() + text.size())
    throw Error(ErrorCode::bad_params, fmt::format("{} wants {}, not '{}'", option, what, text));
  return value;
}

}  // namespace

double option_number(const std::string& text, std::string_view option) {
  return parsed<double>(text, option, "a number");
}

std::int64_t option_integer(const std::string& text, std::string_view option) {
  return parsed<std::int64_t>(text, option, "a whole number");
}

AskedRow asked_row(const ExplainFlags& flags, const Model& model, Reading reading) {
  if (flags.values.empty() == flags.data.empty()) {
    throw Error(ErrorCode::bad_params, "bough explain needs either a table or --values",
                "write --data data.csv --row 3, or --values 'age=41,job=cook'");
  }
  if (flags.data.empty()) return {table_of_values(flags.values, model), 0};
  const std::int64_t row = flags.row ? option_integer(*flags.row, "--row") : 1;
  require_at_least(1, row, "--row", "rows are counted from 1, without the header");
  ReadOptions options = read_options(flags.read);
  if (reading == Reading::up_to_row) options.max_rows = row;
  AskedRow asked{read_rows(flags.data, options, model), row - 1};
  if (asked.table.n_rows() < row) {
    throw Error(
        ErrorCode::bad_params,
        fmt::format("--row {}: {} has {} rows", row, source_name(flags.data), grouped(asked.table.n_rows())),
        "rows are counted from 1, without the header");
  }
  return asked;
}

Table asked_table(const ExplainFlags& flags, const Model& model, std::string_view mode) {
  if (flags.data.empty() || !flags.values.empty())
    throw Error(ErrorCode::bad_params, fmt::format("{} needs a table", mode), "write --data data.csv");
  return mode == "--shap" ? read_rows(flags.data, read_options(flags.read), model)
                          : labelled_rows(flags.data, read_options(flags.read), model);
}

}  // namespace bough::cli
