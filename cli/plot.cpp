// SPDX-License-Identifier: Apache-2.0
// bough plot: a model as a picture.
#include <fmt/format.h>

#include "bough/draw.hpp"
#include "bough/export.hpp"
#include "convert.hpp"
#include "errors.hpp"
#include "output.hpp"
#include "report.hpp"
#include "tables.hpp"
#include "text.hpp"
#include "verbs.hpp"

namespace bough::cli {

namespace {

struct PlotFlags {
  std::string model;
  std::string kind = "tree";
  std::string data;
  std::string output;
  std::string theme = "light";
  std::optional<std::string> title;
  std::optional<int> tree;
  std::optional<int> max_depth;
  int precision = 4;
  bool all = false;
  bool node_ids = false;
  bool missing = false;
  bool plain = false;
  std::optional<int> row;
  std::string x, y, target;
  std::vector<std::string> at;
  bool no_points = false;
  int most = 25;
  ReadFlags read;
};

PictureOptions picture_options(const PlotFlags& flags, const Model& model) {
  PictureOptions options;
  options.theme = flags.theme == "dark"          ? Theme::dark
                  : flags.theme == "transparent" ? Theme::transparent
                                                 : Theme::light;
  options.title = flags.title;
  if (flags.tree) options.tree = tree_index(model, *flags.tree);
  options.precision = flags.precision;
  return options;
}

std::string plot_tree(const PlotFlags& flags, const Model& model) {
  TreePictureOptions options;
  options.picture = picture_options(flags, model);
  options.view.max_depth = flags.max_depth;
  if (flags.all) {
    options.view.max_depth = -1;
    options.view.most_children = 0;
  }
  options.node_ids = flags.node_ids;
  options.colour = !flags.plain;
  if (flags.missing) options.missing = true;
  std::optional<Table> table;
  if (!flags.data.empty()) table = read_rows(flags.data, read_options(flags.read), model);
  options.rows = table ? &*table : nullptr;
  if (flags.row) {
    if (!table) throw Error(ErrorCode::bad_params, "--row needs the rows", "name their file: --data FILE");
    options.row = *flags.row - 1;
  }
  return draw_tree(model, options);
}

SliceOptions slice_options(const PlotFlags& flags) {
  SliceOptions options;
  options.x = flags.x;
  options.y = flags.y;
  options.target = flags.target;
  options.max_depth = flags.max_depth;
  options.points = !flags.no_points;
  for (const std::string& part : split_lists(flags.at)) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorCode::bad_params, fmt::format("--at: '{}' is not name=value", part),
                  "write --at 'age=41,job=cook'");
    options.at[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return options;
}

std::string plot_slice(const PlotFlags& flags, const Model& model) {
  std::optional<Table> table;
  if (!flags.data.empty()) table = read_rows(flags.data, read_options(flags.read), model);
  const Table* data = table ? &*table : nullptr;
  const auto draw = flags.kind == "regions" ? draw_regions : draw_fit;
  return draw(model, data, slice_options(flags), picture_options(flags, model));
}

std::string plot(const PlotFlags& flags, const Model& model) {
  if (flags.kind == "path") return draw_path(model, picture_options(flags, model));
  if (flags.kind == "importances")
    return draw_importances(model, picture_options(flags, model), static_cast<std::size_t>(flags.most));
  return flags.kind == "tree" ? plot_tree(flags, model) : plot_slice(flags, model);
}

// The same tree for Graphviz, where nothing else can make a PDF or PNG.
std::string dot_of(const PlotFlags& flags, const Model& model) {
  if (flags.kind != "tree") return {};
  ExportOptions options;
  if (flags.tree) options.tree = tree_index(model, *flags.tree);
  const TreeView view = view_tree(model.trees()[options.tree], {.max_depth = flags.max_depth});
  options.max_depth = flags.all ? -1 : view.max_depth;
  options.precision = flags.precision;
  options.missing = flags.missing;
  options.filled = !flags.plain;
  return export_model(model, "dot", options);
}

void run_plot(const PlotFlags& flags) {
  require_at_least(1, flags.most, "--most", "it is the number of columns to draw");
  check_writable(flags.output, {flags.model, flags.data});
  const std::string format = picture_format(flags.output);
  const Model model = load_model(flags.model);
  const std::string svg = plot(flags, model);
  if (format == "svg") return write_file(flags.output, svg);
  write_file(flags.output, convert_picture(svg, dot_of(flags, model), format));
}

}  // namespace

void add_plot(Command& command) {
  const auto flags = command.runs_on_model(run_plot);
  command.option(
      flags->kind,
      {"--kind", "What to draw (default: tree)", "KIND", {"tree", "regions", "fit", "path", "importances"}});
  command.option(
      flags->output,
      {"-o,--output", "File to write: .svg, .pdf or .png; default: SVG to standard output", "FILE"});
  command.option(flags->theme, {"--theme",
                                "light, dark, or transparent: no background (default: light)",
                                "THEME",
                                {"light", "dark", "transparent"}});
  command.option(flags->title, {"--title", "Title of the picture", "TEXT"});
  command.option(flags->tree,
                 {"--tree", "Which tree, from 1; default: the first, or the predictions of all", "N"});
  command.option(flags->precision, {"--precision", "Significant digits of numbers (default: 4)", "N"});
  command.option(
      flags->max_depth,
      {"--max-depth", "Levels to draw; deeper branches are folded or cut (default: by the size)", "N"});
  command.group("Trees");
  command.toggle(flags->all, {"--all", "Draw every node, however large the picture becomes"});
  command.toggle(flags->node_ids, {"--node-ids", "Write the number of every node"});
  command.toggle(flags->missing, {"--mark-missing", "Mark where missing cells go at every test"});
  command.toggle(flags->plain, {"--plain", "Draw boxes without colours"});
  command.option(
      flags->data,
      {"-d,--data",
       "Table whose rows are drawn: their distributions in the boxes of a tree, points in regions and fits",
       "FILE"});
  command.option(flags->row, {"--row", "Row of --data, from 1, whose path through the tree is marked", "N"});
  command.group("Regions and fits");
  command.option(flags->x, {"--x", "Column on the x axis (default: the most important one)", "COLUMN"});
  command.option(flags->y, {"--y", "Column on the y axis, for regions (default: the next one)", "COLUMN"});
  command.option(
      flags->at,
      {"--at", "Values of the other columns: name=value pairs (default: median or most frequent)", "PAIRS"});
  command.option(flags->target,
                 {"--target", "Which target, when there are several (default: the first)", "COLUMN"});
  command.toggle(flags->no_points, {"--no-points", "Do not draw the rows of the data"});
  add_read_flags(command, flags->read, {"--data"});
  command.group("Importances");
  command.option(flags->most, {"--most", "How many columns (default: 25)", "N"});
  command.effects({{"--kind,--output,--theme,--title,--tree"},
                   {"--precision", {"--kind=tree"}},
                   {"--max-depth", {"--kind=tree|regions|fit"}},
                   {"--max-depth", {"!--all"}},
                   {"--all,--node-ids,--mark-missing,--plain,--row", {"--kind=tree"}},
                   {"--data", {"--kind=tree|regions|fit"}},
                   {"--row", {"--data"}},
                   {"--x,--at,--target,--no-points", {"--kind=regions|fit"}},
                   {"--no-points", {"--data"}},
                   {"--y", {"--kind=regions"}},
                   {"--most", {"--kind=importances"}}});
  command.words("Kinds",
                {{"tree", "the tree itself; large trees are folded to fit a page"},
                 {"regions", "the predictions over two columns, exactly, with the data"},
                 {"fit", "the predictions over one column, with the data"},
                 {"path", "errors along the cost-complexity path, cross-validated if the model stores them"},
                 {"importances", "the share of every column in the decrease of impurity"}});
  command.note(
      "PDF and PNG are made by rsvg-convert or inkscape, trees also by Graphviz's dot, whichever is "
      "installed.");
  command.examples({"bough plot model.bough -o tree.svg",
                    "bough plot model.bough --kind regions --data d.csv --x age --y pay -o r.pdf"});
}

}  // namespace bough::cli
