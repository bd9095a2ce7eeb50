// SPDX-License-Identifier: Apache-2.0
// bough demo: a tree on an embedded data set, from training to an explained row.
#include <fmt/format.h>

#include <filesystem>

#include "bough/bough.hpp"
#include "embedded.hpp"
#include "holdout.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "report.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

namespace fs = std::filesystem;

struct DemoFlags {
  std::string name;
  std::string folder = "demo";
  std::string write;
  std::string output;
  bool list = false;
};

const EmbeddedSet& find_set(const std::string& name) {
  std::vector<std::string> names;
  for (const EmbeddedSet& set : embedded_sets()) {
    if (set.name == name) return set;
    names.emplace_back(set.name);
  }
  refuse_name("embedded data set", name, names);
}

struct DemoData {
  Table table;
  FitSpec spec;
};

// A table of counts becomes one row per thing counted, so that single ones can be held out.
DemoData data_of(const EmbeddedSet& set) {
  DemoData data{parse_table(set.csv), {}};
  data.spec.targets = {std::string(set.target)};
  if (set.weight.empty()) return data;
  const Table::Column& counts = data.table.column(data.table.find(set.weight).value());
  std::vector<RowId> rows;
  for (std::int64_t row = 0; row < data.table.n_rows(); ++row)
    rows.insert(rows.end(), std::stoul(cell_text(counts, row)), static_cast<RowId>(row));
  data.table = data.table.take(rows);
  data.spec.ignored = {std::string(set.weight)};
  return data;
}

void print_list() {
  for (const EmbeddedSet& set : embedded_sets()) print(fmt::format("{:<15}{}\n", set.name, set.description));
}

Model fit_demo(const Table& table, const FitSpec& spec) {
  const CleanStop clean;
  Model model = choose_tree(table, spec, Params(), execution_for("training", 0));
  throw_if_interrupted();
  Model::Parts parts = model.parts();
  parts.provenance.command = command_line();
  return Model(std::move(parts));
}

void print_explained_row(const Model& model, const Table& table) {
  const std::int64_t row = table.n_rows() / 2;
  print(fmt::format("\nWhy row {} gets its prediction:\n", row + 1));
  for (const std::string& sentence : explain_row(model, table, row).sentences) print("  " + sentence + '\n');
}

// About the tree that has not seen the rows held out, so that what the page says about them is honest.
std::string demo_page(const EmbeddedSet& set, const DemoData& data, const Model& model) {
  ReportOptions options;
  options.title = std::string(set.description);
  const HeldOutRows parts = hold_out(data.table, model, 0.2, static_cast<std::uint64_t>(model.params().seed));
  if (parts.held_out.empty()) {
    options.training = &data.table;
    return report_page(model, nullptr, options);
  }
  const Table training = data.table.take(parts.training);
  const Table held_out = data.table.take(parts.held_out);
  options.training = &training;
  return report_page(fit_demo(training, data.spec), &held_out, options);
}

void write_files(const DemoFlags& flags, const Model& model, const std::string& page) {
  std::error_code failed;
  fs::create_directories(flags.folder, failed);
  if (failed) {
    throw Error(ErrorCode::io, fmt::format("cannot make the folder '{}': {}", flags.folder, failed.message()),
                "choose another with --dir");
  }
  const std::string dot = (fs::path(flags.folder) / "tree.dot").string();
  const std::string json = (fs::path(flags.folder) / "tree.json").string();
  write_file(dot, export_model(model, "dot"));
  write_file(json, export_model(model, "json"));
  const std::string report = (fs::path(flags.folder) / "report.html").string();
  write_file(report, page);
  print(fmt::format("\nwrote {} and {}\n", dot, json));
  print(fmt::format("wrote {}: open it in a browser\n", report));
}

void run_demo(const DemoFlags& flags) {
  if (flags.list) return print_list();
  if (!flags.write.empty()) return write_file(flags.output, find_set(flags.write).csv);
  const EmbeddedSet& set = flags.name.empty() ? embedded_sets().front() : find_set(flags.name);
  const DemoData data = data_of(set);
  const auto& [table, spec] = data;
  const Model model = fit_demo(table, spec);
  const ScorePair scores = score_holdout({table, spec, model, 0.2, 0});

  const Paint paint(stdout);
  print(fmt::format("{}\n{}\n\n", paint.strong(set.description), task_text(model)));
  print(tree_or_summary(model));
  if (scores.why_not.empty()) {
    print(fmt::format(
        "\n{}{}  (scores of a tree grown without the rows held out;\n  the tree above is grown on all {})\n",
        score_table({{"training", scores.training}, {"held out", scores.held_out}}),
        interval_note(scores.held_out), rows_text(table.n_rows())));
  } else {
    print(fmt::format("\nno held-out score: {}\n", scores.why_not));
  }
  print_explained_row(model, table);
  const std::string page = demo_page(set, data, model);
  write_files(flags, model, page);
}

}  // namespace

void add_demo(Command& command) {
  const auto flags = command.runs(run_demo);
  command.optional_argument(flags->name, {"name", "data set (default: the first of --list)", "NAME"});
  command.group("Options");
  command.toggle(flags->list, {"--list", "List the embedded data sets"});
  command.option(flags->write, {"--write", "Only write this data set as CSV", "NAME"});
  command.option(flags->output, {"-o,--output", "With --write: the file; default: standard output", "FILE"});
  command.option(flags->folder,
                 {"--dir", "Folder for tree.dot, tree.json and report.html (default: demo)", "FOLDER"});
  command.effects({{"--list"},
                   {"name,--write,--dir", {"!--list"}},
                   {"name,--dir", {"!--write"}},
                   {"--output", {"--write"}}});
  command.examples({"bough demo", "bough demo titanic", "bough demo --write iris -o iris.csv"});
}

}  // namespace bough::cli
