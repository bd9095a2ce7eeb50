// SPDX-License-Identifier: Apache-2.0
// bough explain: why one row gets its prediction.
#include "bough/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>

#include "output.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct ExplainFlags {
  std::string model;
  std::string data;
  std::vector<std::string> values;
  std::int64_t row = 1;
  std::int64_t tree = 1;
  bool json = false;
  ReadFlags read;
};

double number_of(const std::string& name, const std::string& text) {
  double value = 0.0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) {
    throw Error(ErrorCode::bad_data,
                fmt::format("--values: column '{}' is numeric, and '{}' is no number", name, text),
                "leave the column out when its value is missing");
  }
  return value;
}

// "a=1", split at the first equals sign.
std::pair<std::string, std::string> name_and_value(const std::string& part) {
  const std::size_t equals = part.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorCode::bad_params, fmt::format("--values: '{}' is not name=value", part),
                "write --values 'age=41,job=cook'");
  }
  return {part.substr(0, equals), part.substr(equals + 1)};
}

// A table of one row; columns that were not named are missing.
Table table_of_values(const std::vector<std::string>& texts, const Schema& features) {
  std::vector<std::pair<std::string, std::string>> given;
  std::vector<std::string> names;
  for (const Field& field : features.fields) names.push_back(field.name);
  for (const std::string& part : split_lists(texts)) {
    given.push_back(name_and_value(part));
    if (features.find(given.back().first)) continue;
    const std::string near = did_you_mean(given.back().first, names);
    throw Error(ErrorCode::bad_data,
                fmt::format("--values: the model has no column '{}'", given.back().first),
                near.empty() ? "the columns are " + some_of(names, 12) : near);
  }
  Table table;
  for (const Field& field : features.fields) {
    const auto found =
        std::find_if(given.begin(), given.end(), [&](const auto& pair) { return pair.first == field.name; });
    const bool missing = found == given.end() || found->second.empty();
    if (field.kind == Kind::numeric) {
      const double value =
          missing ? std::numeric_limits<double>::quiet_NaN() : number_of(field.name, found->second);
      table.add(field.name, std::span<const double>(&value, 1));
    } else {
      const std::int32_t code = missing ? -1 : 0;
      const std::string text = missing ? "" : found->second;
      table.add(field.name, std::span<const std::int32_t>(&code, 1), std::span<const std::string>(&text, 1));
    }
  }
  return table;
}

Table table_of_row(const ExplainFlags& flags) {
  if (flags.row < 1) {
    throw Error(ErrorCode::bad_params, fmt::format("--row must be at least 1, but is {}", flags.row),
                "rows are counted from 1, without the header");
  }
  ReadOptions options = read_options(flags.read);
  options.max_rows = flags.row;
  Table table = read_rows(flags.data, options);
  if (table.n_rows() < flags.row) {
    throw Error(
        ErrorCode::bad_params,
        fmt::format("--row {}: {} has {} rows", flags.row, source_name(flags.data), grouped(table.n_rows())),
        "rows are counted from 1, without the header");
  }
  return table;
}

void run_explain(const ExplainFlags& flags) {
  if (flags.values.empty() == flags.data.empty()) {
    throw Error(ErrorCode::bad_params, "bough explain needs either a table or --values",
                "write --data data.csv --row 3, or --values 'age=41,job=cook'");
  }
  const Model model = load_model(flags.model);
  const std::size_t tree = tree_index(model, flags.tree);
  const Table table =
      flags.data.empty() ? table_of_values(flags.values, model.features()) : table_of_row(flags);
  const std::int64_t row = flags.data.empty() ? 0 : flags.row - 1;
  const PathExplanation explanation = explain_row(model, table, row, tree);
  if (flags.json) return print(to_json(explanation) + '\n');
  if (!flags.data.empty()) print(fmt::format("Row {} of {}:\n", flags.row, source_name(flags.data)));
  for (const std::string& sentence : explanation.sentences) print(sentence + '\n');
}

}  // namespace

void add_explain(Command& command) {
  const auto flags = std::make_shared<ExplainFlags>();
  command.argument(flags->model, {"model", "model file", "MODEL"});
  command.group("Options");
  command.option(flags->data, {"-d,--data", "Table that holds the row; - is standard input", "FILE"});
  command.option(flags->row, {"-r,--row", "Which row: 1 is the first after the header (default: 1)", "N"});
  command.option(flags->values,
                 {"--values", "The row itself: name=value pairs; what is left out is missing", "PAIRS"});
  command.option(flags->tree, {"--tree", "Which tree, from 1, when there are several (default: 1)", "N"});
  command.toggle(flags->json, {"--json", "Print the result as JSON"});
  add_read_flags(command, flags->read);
  command.example("bough explain model.bough --data data.csv --row 17");
  command.example("bough explain model.bough --values 'age=41,job=cook'");
  command.action([flags] { run_explain(*flags); });
}

}  // namespace bough::cli
