// SPDX-License-Identifier: Apache-2.0
// bough show: a tree as text.
#include <fmt/format.h>

#include "bough/export.hpp"
#include "bough/rpart.hpp"
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
  std::string style = "tree";
};

std::string styled(const Model& model, const std::string& style) {
  if (style == "rpart") return rpart_text(model);
  if (style == "summary") return rpart_summary(model);
  return style == "cp" ? cp_text(model) : cp_svg(model);
}

void run_show(const ShowFlags& flags) {
  const Model model = load_model(flags.model);
  if (flags.style != "tree") {
    print(styled(model, flags.style));
    return;
  }
  ExportOptions options;
  options.tree = tree_index(model, flags.tree);
  options.max_depth = flags.max_depth.value_or(-1);
  options.missing = flags.missing;
  print(painted_tree(model, export_model(model, "text", options)));
  if (flags.importances) print("\nImportances:\n" + importance_bars(model, model.features().fields.size()));
}

}  // namespace

void add_show(Command& command) {
  const auto flags = command.runs_on_model(run_show);
  command.option(flags->max_depth, {"--max-depth", "Levels to show (default: all)", "N"});
  command.option(flags->tree, {"--tree", "Which tree, from 1, when there are several (default: 1)", "N"});
  command.toggle(flags->importances, {"--importances", "Add the importances of the columns"});
  command.toggle(flags->missing, {"--missing", "Show at every test where missing cells go"});
  command.option(flags->style,
                 {"--style",
                  "tree; as users of rpart know it: rpart (one line per node), summary (every node with "
                  "competitors and surrogates), cp (the table of its complexity parameter), cp-svg (that "
                  "table as a picture) (default: tree)",
                  "STYLE",
                  {"tree", "rpart", "summary", "cp", "cp-svg"}});
  command.effects({{"--style"}, {"--max-depth,--tree,--importances,--missing", {"--style=tree"}}});
  command.examples({"bough show model.bough --max-depth 3", "bough show model.bough --style cp"});
}

}  // namespace bough::cli
