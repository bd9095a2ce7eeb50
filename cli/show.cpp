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
  int max_depth = -1;
  std::int64_t tree = 1;
  bool importances = false;
};

void run_show(const ShowFlags& flags) {
  const Model model = load_model(flags.model);
  const std::int64_t n_trees = std::ssize(model.trees());
  if (flags.tree < 1 || flags.tree > n_trees) {
    throw Error(ErrorCode::bad_params, fmt::format("there is no tree {}", flags.tree),
                n_trees == 1 ? "the model has one tree, number 1"
                             : fmt::format("the model has trees 1 to {}", n_trees));
  }
  ExportOptions options;
  options.tree = static_cast<std::size_t>(flags.tree - 1);
  options.max_depth = flags.max_depth;
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
  command.example("bough show model.bough --max-depth 3");
  command.action([flags] { run_show(*flags); });
}

}  // namespace bough::cli
