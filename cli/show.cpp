// SPDX-License-Identifier: Apache-2.0
// bough show: a tree as text.
#include <fmt/format.h>

#include <memory>

#include "bough/export.hpp"
#include "output.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct ShowFlags {
  std::string model;
  std::optional<int> max_depth;
  std::int64_t tree = 1;
  bool importances = false;
  bool missing = false;
};

void run_show(const ShowFlags& flags) {
  const Model model = load_model(flags.model);
  ExportOptions options;
  options.tree = tree_index(model, flags.tree);
  options.max_depth = flags.max_depth.value_or(-1);
  options.missing = flags.missing;
  print(export_model(model, "text", options));
  if (flags.importances) print("\nImportances:\n" + importance_bars(model, model.features().fields.size()));
}

}  // namespace

void add_show(Command& command) {
  const auto flags = std::make_shared<ShowFlags>();
  command.argument(flags->model, {"model", "model file", "MODEL"});
  command.group("Options");
  command.option(flags->max_depth, {"--max-depth", "Levels to show (default: all)", "N"});
  command.option(flags->tree, {"--tree", "Which tree, from 1, when there are several (default: 1)", "N"});
  command.toggle(flags->importances, {"--importances", "Add the importances of the columns"});
  command.toggle(flags->missing, {"--missing", "Say at every test where missing cells go"});
  command.example("bough show model.bough --max-depth 3");
  command.action([flags] { run_show(*flags); });
}

}  // namespace bough::cli
