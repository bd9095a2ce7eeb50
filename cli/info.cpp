// SPDX-License-Identifier: Apache-2.0
// bough info: what is in a model file and where it came from.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bough/causal.hpp"
#include "bough/explain.hpp"
#include "bough/json.hpp"
#include "bough/model.hpp"
#include "output.hpp"
#include "pruning.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "terminal.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct InfoFlags {
  std::string model;
  bool json = false;
};

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::numeric:
      return "numeric";
    case Kind::ordinal:
      return "ordinal";
    case Kind::category:
      return "category";
  }
  return "";
}

std::string columns_text(const Schema& schema) {
  std::size_t width = 0;
  for (const Field& field : schema.fields) width = std::max(width, display_width(one_line(field.name)));
  std::string text;
  for (const Field& field : schema.fields) {
    std::string line = fmt::format("  {}  {}", pad_right(one_line(field.name), width), kind_name(field.kind));
    std::vector<std::string> levels;
    for (const std::string& name : field.levels.names) levels.push_back(one_line(name));
    if (!levels.empty()) line += fmt::format(" of {}: {}", levels.size(), some_of(levels, 8));
    text += line + '\n';
  }
  return text;
}

std::string params_text(const Model& model) {
  const auto chosen = model.parts().extras.find("shrinkage");
  std::string text;
  for (const ParamRow& row : kParams) {
    std::string value = param_text(model.params(), row);
    std::string_view from = value == param_default(row) ? "" : "  (set)";
    const bool by_folds = from.empty() || model.params().shrinkage.cross_validated;
    if (row.name == "shrinkage" && by_folds && chosen != model.parts().extras.end()) {
      value = fmt::format("{:g}", chosen->second.front());
      from = "  (chosen by cross-validation)";
    }
    text += fmt::format("  {:<26}{}{}\n", row.name, value, from);
  }
  return text;
}

std::int64_t file_size(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  return failed ? 0 : static_cast<std::int64_t>(size);
}

void print_text(const std::string& path, const Model& model) {
  const Provenance& from = model.parts().provenance;
  const Paint paint(stdout);
  const auto line = [](std::string_view name, const std::string& value) {
    print(fmt::format("{:<14}{}\n", name, value));
  };
  line("model", fmt::format("{} ({} bytes)", path, grouped(file_size(path))));
  line("task", task_text(model));
  line("criterion", model.parts().criterion);
  line("size", size_text(model));
  line("rows", from.n_rows > 0 ? grouped(from.n_rows) : "(not known)");
  line("data hash", from.data_hash.empty() ? "(not known)" : from.data_hash);
  line("command", from.command.empty() ? "(not known)" : harmless(from.command));
  line("written by", "bough " + from.library_version);
  line("read by", fmt::format("bough {}", version()));
  for (const std::string& note : from.notes) line("note", note);
  print(fmt::format("\n{}\n{}", paint.strong("Columns"), columns_text(model.features())));
  print(fmt::format("\n{}\n{}", paint.strong("Parameters"), params_text(model)));
  if (const auto sizes = size_table(model))
    print('\n' + size_table_text(*sizes));
  else if (model.parts().pruning_table)
    print('\n' + pruning_table_text(*model.parts().pruning_table));
}

void print_json(const std::string& path, const Model& model) {
  const Provenance& from = model.parts().provenance;
  Json out;
  out["model"] = path;
  out["bytes"] = file_size(path);
  out["task"] = model.task() == Task::classification ? "classification" : "regression";
  out["criterion"] = model.parts().criterion;
  out["trees"] = Json::array();
  for (const Tree& tree : model.trees())
    out["trees"].push_back({{"nodes", tree.n_nodes()}, {"leaves", tree.n_leaves()}, {"depth", tree.depth()}});
  out["rows"] = from.n_rows > 0 ? Json(from.n_rows) : Json();
  out["data_hash"] = from.data_hash;
  out["command"] = from.command;
  out["made_by"] = from.library_version;
  out["read_by"] = version();
  out["engine"] = from.engine;
  out["notes"] = from.notes;
  out["features"] = Json::parse(schema_to_json(model.features()));
  out["targets"] = Json::parse(schema_to_json(model.targets()));
  if (is_causal(model)) out["treatment"] = Json::parse(schema_to_json(model.parts().treatment));
  out["params"] = Json::parse(params_to_json(model.params()));
  if (model.parts().pruning_table) out["pruning_table"] = pruning_table_json(*model.parts().pruning_table);
  if (const auto sizes = size_table(model)) out["sizes"] = size_table_json(*sizes);
  print_data(out.dump(2) + '\n');
}

}  // namespace

void add_info(Command& command) {
  const auto flags = std::make_shared<InfoFlags>();
  command.model_argument(flags->model);
  command.group("Options");
  command.toggle(flags->json, {"--json", "Print as JSON"});
  command.effects({{"--json"}});
  command.examples({"bough info model.bough"});
  command.action([flags] {
    const Model model = load_model(flags->model);
    flags->json ? print_json(flags->model, model) : print_text(flags->model, model);
  });
}

}  // namespace bough::cli
