// SPDX-License-Identifier: Apache-2.0
// bough report: a model as one page for a browser.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include "bough/report.hpp"
#include "errors.hpp"
#include "output.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct ReportFlags {
  std::string model;
  std::string data;
  std::string train_data;
  std::string output;
  std::string title;
  std::string weight;
  std::int64_t max_rows = 20'000;
  int repeats = 10;
  int threads = 0;
  ReadFlags read;
};

// A target that is not there is no mistake, but a report without scores may surprise.
void warn_without_targets(const Model& model, const Table& table, const std::string& path) {
  for (const Field& target : model.targets().fields) {
    if (table.find(target.name)) continue;
    warn(fmt::format("{} has no column '{}', so the report has no scores", source_name(path), target.name));
  }
}

std::optional<Table> read_optional(const std::string& path, const ReportFlags& flags, const Model& model,
                                   std::vector<RowId>& numbers) {
  if (path.empty()) return std::nullopt;
  Table table = labelled_rows(path, read_options(flags.read), model, &numbers);
  if (!flags.weight.empty()) require_column(table, flags.weight, "--weight", path);
  return table;
}

// A page in a file of another kind would not open.
void require_page_name(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (path.empty() || path == "-" || path.starts_with("/dev/") || ending == ".html" || ending == ".htm")
    return;
  throw Error(ErrorCode::bad_params, fmt::format("a report is a page of HTML, not '{}'", path),
              "let the name end in .html; a browser prints it as PDF, and 'bough plot' draws pictures");
}

void run_report(const ReportFlags& flags) {
  check_writable(flags.output, {flags.model, flags.data, flags.train_data});
  require_page_name(flags.output);
  const Model model = load_model(flags.model);
  ReportOptions options;
  const std::optional<Table> held_out = read_optional(flags.data, flags, model, options.row_numbers);
  const std::optional<Table> training =
      read_optional(flags.train_data, flags, model, options.training_numbers);
  if (held_out) warn_without_targets(model, *held_out, flags.data);
  if (held_out && looks_like_training(model, *held_out, flags.weight))
    warn(fmt::format("{} contains the training rows, so its scores are too optimistic",
                     source_name(flags.data)));
  options.title = flags.title;
  options.weight = flags.weight;
  if (!flags.data.empty())
    options.source = std::filesystem::path(source_name(flags.data)).filename().string();
  options.training = training ? &*training : nullptr;
  options.max_rows = flags.max_rows;
  options.repeats = flags.repeats;
  options.execution = execution_for("report", flags.threads);
  const std::string page = report_page(model, held_out ? &*held_out : nullptr, options);
  write_file(flags.output, page);
  if (!flags.output.empty() && flags.output != "-")
    print(fmt::format("wrote {} ({} KB); open it in a browser\n", flags.output,
                      grouped(std::ssize(page) / 1000)));
}

}  // namespace

void add_report(Command& command) {
  const auto flags = command.runs_on_model(run_report);
  command.option(flags->data,
                 {"-d,--data", "Rows to score and to trace, ideally unseen in training", "FILE"});
  command.option(
      flags->train_data,
      {"--train-data", "Training rows, to show what the nodes hold and why they were split", "FILE"});
  command.option(flags->output, {"-o,--output", "File to write; default: standard output", "FILE"});
  command.option(flags->title, {"--title", "Heading of the page (default: the target)", "TEXT"});
  command.weight_option(flags->weight);
  command.option(flags->max_rows,
                 {"--max-rows", "Most rows stored in the page; scores use all (default: 20000)", "N"});
  command.option(
      flags->repeats,
      {"--repeats", "Shuffles per column of the permutation importances; 0: none (default: 10)", "N"});
  command.threads_option(flags->threads);
  add_read_flags(command, flags->read, {"--data", "--train-data"});
  command.effects({{"--data,--train-data,--output,--title,--threads"},
                   {"--weight", {"--data", "--train-data"}},
                   {"--max-rows,--repeats", {"--data"}}});
  command.note(
      "The page is one file that works offline: tree, pruning, rules, scores and a tracer for single rows.");
  command.examples({"bough report model.bough --data test.csv -o report.html",
                    "bough report model.bough --data test.csv --train-data train.csv -o report.html"});
}

}  // namespace bough::cli
