// SPDX-License-Identifier: Apache-2.0
// bough export: a model in another format.
#include "bough/export.hpp"

#include <fmt/format.h>

#include <memory>

#include "output.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct ExportFlags {
  std::string model;
  std::string format;
  std::string output;
  std::int64_t tree = 1;
  std::optional<int> max_depth;
  int precision = 6;
  bool plain = false;
  bool missing = false;
};

// Without --to the name of the output decides.
std::string format_of(const ExportFlags& flags, std::span<const std::string> names) {
  if (!flags.format.empty()) return flags.format;
  for (const Format& format : export_formats()) {
    if (!flags.output.empty() && flags.output.ends_with(format.extension)) return std::string(format.name);
  }
  throw Error(ErrorCode::bad_params, "bough export needs --to, the format to write",
              fmt::format("the formats are {}", fmt::join(names.begin(), names.end(), ", ")));
}

void run_export(const ExportFlags& flags, std::span<const std::string> names) {
  check_writable(flags.output, {flags.model});
  const std::string format = format_of(flags, names);
  const Model model = load_model(flags.model);
  ExportOptions options;
  options.tree = tree_index(model, flags.tree);
  options.max_depth = flags.max_depth.value_or(-1);
  options.precision = flags.precision;
  options.colour = !flags.plain;
  options.missing = flags.missing;
  write_file(flags.output, export_model(model, format, options));
}

}  // namespace

void add_export(Command& command) {
  const auto flags = std::make_shared<ExportFlags>();
  std::vector<std::string> names;
  std::string docs;
  for (const Format& format : export_formats()) {
    names.emplace_back(format.name);
    docs += fmt::format("{}{}: {}", docs.empty() ? "" : "; ", format.name, format.doc);
  }
  command.argument(flags->model, {"model", "model file", "MODEL"});
  command.group("Options");
  command.option(flags->format, {"--to", "Format; default: by the name of the output", "FORMAT", names});
  command.option(flags->output, {"-o,--output", "File to write; default: standard output", "FILE"});
  command.option(flags->tree, {"--tree", "Which tree, from 1, for formats that hold one (default: 1)", "N"});
  command.option(flags->max_depth,
                 {"--max-depth", "Levels to write, where the format allows it (default: all)", "N"});
  command.option(flags->precision, {"--precision", "Significant digits in pictures (default: 6)", "N"});
  command.toggle(flags->plain, {"--plain", "Pictures without colours"});
  command.toggle(flags->missing,
                 {"--missing", "Say at every test where missing cells go, in text and pictures"});
  command.note("Formats: " + docs + ".");
  command.example("bough export model.bough --to dot | dot -Tsvg > tree.svg");
  command.example("bough export model.bough -o tree.json");
  command.action([flags, names] { run_export(*flags, names); });
}

}  // namespace bough::cli
