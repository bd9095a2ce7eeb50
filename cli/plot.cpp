// SPDX-License-Identifier: Apache-2.0
// bough plot: a model as a picture.
#include <fmt/format.h>

#include <memory>

#include "bough/draw.hpp"
#include "output.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct PlotFlags {
  std::string model;
  std::string kind = "tree";
  std::string output;
  std::string theme = "light";
  std::optional<std::string> title;
  std::int64_t tree = 1;
  std::optional<int> max_depth;
  int precision = 4;
  bool all = false;
  bool node_ids = false;
  bool missing = false;
  bool plain = false;
};

Theme theme_of(const std::string& name) {
  return name == "dark" ? Theme::dark : name == "transparent" ? Theme::transparent : Theme::light;
}

PictureOptions picture_options(const PlotFlags& flags, const Model& model) {
  PictureOptions options;
  options.theme = theme_of(flags.theme);
  options.title = flags.title;
  options.tree = tree_index(model, flags.tree);
  options.precision = flags.precision;
  return options;
}

std::string plot_tree(const PlotFlags& flags, const Model& model) {
  TreePictureOptions options;
  options.picture = picture_options(flags, model);
  options.view.max_depth = flags.max_depth;
  if (flags.all) options.view.max_depth = -1;
  options.node_ids = flags.node_ids;
  options.colour = !flags.plain;
  if (flags.missing) options.missing = true;
  return draw_tree(model, options);
}

void run_plot(const PlotFlags& flags) {
  check_writable(flags.output, {flags.model});
  const Model model = load_model(flags.model);
  write_file(flags.output, plot_tree(flags, model));
}

}  // namespace

void add_plot(Command& command) {
  const auto flags = std::make_shared<PlotFlags>();
  command.argument(flags->model, {"model", "model file", "MODEL"});
  command.group("Options");
  command.option(flags->kind, {"--kind", "What to draw (default: tree)", "KIND", {"tree"}});
  command.option(flags->output, {"-o,--output", "File to write; default: standard output", "FILE"});
  command.option(flags->theme, {"--theme",
                                "light, dark, or transparent: no background (default: light)",
                                "THEME",
                                {"light", "dark", "transparent"}});
  command.option(flags->title, {"--title", "Words above the picture", "TEXT"});
  command.option(flags->tree, {"--tree", "Which tree, from 1, when there are several (default: 1)", "N"});
  command.option(flags->precision, {"--precision", "Significant digits of numbers (default: 4)", "N"});
  command.group("Trees");
  command.option(flags->max_depth,
                 {"--max-depth", "Levels to draw; deeper branches are folded (default: by the size)", "N"});
  command.toggle(flags->all, {"--all", "Draw every node, however large the picture becomes"});
  command.toggle(flags->node_ids, {"--node-ids", "Write the number of every node"});
  command.toggle(flags->missing, {"--missing", "Mark where missing cells go at every test"});
  command.toggle(flags->plain, {"--plain", "Without colours in the boxes"});
  command.example("bough plot model.bough -o tree.svg");
  command.action([flags] { run_plot(*flags); });
}

}  // namespace bough::cli
