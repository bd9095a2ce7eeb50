// SPDX-License-Identifier: Apache-2.0
// bough export: a model in another format.
#include "bough/export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <memory>

#include "errors.hpp"
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
  std::vector<std::optional<std::string>> values;  // of export_options(), as they were typed
  std::deque<bool> switched;                       // of export_options(): a flag without a value was given
  std::optional<int> tree;                         // people count trees from 1
};

bool is_on(const ExportOption& option) {
  const auto* member = std::get_if<bool ExportOptions::*>(&option.member);
  return member != nullptr && ExportOptions{}.**member;
}

// What SQL is written as.
std::string as_of(const ExportFlags& flags) {
  for (std::size_t i = 0; i < export_options().size(); ++i)
    if (export_options()[i].name == "as") return flags.values[i].value_or(ExportOptions().as);
  return {};
}

// Without --to the name of the output decides, by the longest ending that fits.
std::string format_of(const ExportFlags& flags, std::span<const std::string> names) {
  if (!flags.format.empty()) return flags.format;
  const Format* found = nullptr;
  for (const Format& format : export_formats()) {
    const bool longer = found == nullptr || format.extension.size() > found->extension.size();
    if (!flags.output.empty() && flags.output.ends_with(format.extension) && longer) found = &format;
  }
  if (found != nullptr) return std::string(found->name);
  throw Error(ErrorCode::bad_params, "bough export needs --to, the format to write",
              fmt::format("the formats are {}", fmt::join(names.begin(), names.end(), ", ")));
}

void run_export(const ExportFlags& flags, std::span<const std::string> names) {
  check_writable(flags.output, {flags.model});
  const Format& format = export_format(format_of(flags, names));
  if (format.binary && flags.output.empty())
    throw Error(ErrorCode::bad_params, fmt::format("{} is not text, so it needs a file", format.name),
                fmt::format("add -o model{}", format.extension));
  const Model model = load_model(flags.model);
  ExportOptions options;
  const auto table = export_options();
  if (flags.tree)
    set_export_option(options, format.name, "tree", std::to_string(tree_index(model, *flags.tree)));
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (flags.values[i]) set_export_option(options, format.name, table[i].name, *flags.values[i]);
    if (flags.switched[i])
      set_export_option(options, format.name, table[i].name, is_on(table[i]) ? "false" : "true");
  }
  const std::string written = export_model(model, format.name, options);
  write_file(flags.output, written);
  for (const std::string& note : export_notes(model, format.name, options))
    tell(fmt::format("{}: {}", format.name, note));
  if (format.note != nullptr) tell(fmt::format("{}: {}", format.name, format.note(written)));
}

// One flag per row of the table: a switch for what is on or off, otherwise a value.
void add_option(Command& command, ExportFlags& flags, std::size_t i) {
  const ExportOption& option = export_options()[i];
  std::string name(option.name);
  std::ranges::replace(name, '_', '-');
  std::string doc = fmt::format("{} ({})", option.doc, fmt::join(option.formats, ", "));
  const std::vector<std::string> formats{fmt::format("--to={}", fmt::join(option.formats, "|"))};
  if (option.name == "tree") {
    command.effects({{"--tree", formats}});
    return command.option(flags.tree, {"--tree", doc + "; counted from 1", "N"});
  }
  if (std::holds_alternative<bool ExportOptions::*>(option.member)) {
    if (is_on(option))
      doc =
          fmt::format("Do not {}{}", static_cast<char>(std::tolower(static_cast<unsigned char>(doc.front()))),
                      doc.substr(1));
    name = (is_on(option) ? "--no-" : "--") + name;
    command.toggle(flags.switched[i], {name, doc});
    command.effects({{name, formats}});
    return;
  }
  Flag flag{"--" + name, doc,
            std::holds_alternative<std::string ExportOptions::*>(option.member) ? "WORD" : "N"};
  flag.choices.assign(option.choices.begin(), option.choices.end());
  command.option(flags.values[i], flag);
  command.effects({{flag.names, formats}});
}

}  // namespace

void add_export(Command& command) {
  const auto flags = std::make_shared<ExportFlags>();
  flags->values.resize(export_options().size());
  flags->switched.resize(export_options().size());
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> docs;
  for (const Format& format : export_formats()) {
    names.emplace_back(format.name);
    docs.emplace_back(format.name, format.doc);
  }
  command.model_argument(flags->model);
  command.group("Options");
  command.option(flags->format, {"--to", "Format; default: by the name of the output", "FORMAT", names});
  command.option(flags->output, {"-o,--output", "File to write; default: standard output", "FILE"});
  command.group("Options of some formats");
  for (std::size_t i = 0; i < export_options().size(); ++i) add_option(command, *flags, i);
  command.effects({{"--to,--output"},
                   {"--view", {"--as=view"}},
                   {"--table,--name", {"--as=query|view"}, "an expression names no table and no column"}});
  command.implied("--to", [flags, names] { return format_of(*flags, names); });
  command.implied("--as", [flags] { return as_of(*flags); });
  command.words("Formats", std::move(docs));
  command.examples({"bough export model.bough --to dot | dot -Tsvg > tree.svg",
                    "bough export model.bough -o tree.json",
                    "bough export model.bough -o churn.h --prefix churn --float32"});
  command.action([flags, names] { run_export(*flags, names); });
}

}  // namespace bough::cli
