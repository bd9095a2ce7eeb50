// SPDX-License-Identifier: Apache-2.0
// Pictures in Python: SVG text, regions and steps as arrays, the layout of trees.
#include "bough/draw.hpp"

#include "bindings.hpp"

namespace bough::python {
namespace {

struct Look {
  PictureOptions picture;
};

Theme theme_of(const std::string& name) {
  if (name == "light") return Theme::light;
  if (name == "dark") return Theme::dark;
  if (name == "transparent") return Theme::transparent;
  throw Error(ErrorCode::bad_params, "there is no theme '" + name + "'",
              "themes are light, dark and transparent");
}

Look look(const std::string& theme, std::optional<std::string> title, std::optional<std::size_t> tree,
          int precision) {
  Look made;
  made.picture.theme = theme_of(theme);
  made.picture.title = std::move(title);
  made.picture.tree = tree;
  made.picture.precision = precision;
  return made;
}

std::string tree_picture(const Model& model, const Look& look, std::optional<int> max_depth,
                         const std::vector<NodeId>& collapsed, int most_children, bool colour, bool impurity,
                         bool bars, bool node_ids, std::optional<bool> missing, std::size_t most_names,
                         const Table* rows, std::optional<std::int64_t> row) {
  TreePictureOptions options;
  options.picture = look.picture;
  options.view = {max_depth, collapsed, most_children};
  options.colour = colour;
  options.impurity = impurity;
  options.bars = bars;
  options.node_ids = node_ids;
  options.missing = missing;
  options.most_names = most_names;
  options.rows = rows;
  options.row = row;
  const nb::gil_scoped_release release;
  return draw_tree(model, options);
}

SliceOptions slice(const std::string& x, const std::string& y, const std::map<std::string, std::string>& at,
                   const std::string& target, std::optional<int> max_depth, bool points) {
  return {x, y, at, target, max_depth, points};
}

nb::list held_of(const std::vector<HeldColumn>& held) {
  nb::list out;
  for (const HeldColumn& column : held) out.append(nb::make_tuple(column.name, column.value, column.how));
  return out;
}

nb::dict regions_of(const Model& model, const Table* data, const SliceOptions& options,
                    std::optional<std::size_t> tree) {
  const Regions regions = decision_regions(model, data, options, tree);
  nb::list parts, cuts;
  for (const AnswerRegion& region : regions.regions) {
    std::vector<double> corners;
    for (const Point& corner : region.corners) corners.insert(corners.end(), {corner.x, corner.y});
    const std::size_t n = region.corners.size();
    parts.append(nb::make_tuple(to_numpy(std::move(corners), {n, std::size_t{2}}), region.node, region.value,
                                to_numpy(region.shares)));
  }
  for (const RegionCut& cut : regions.cuts)
    cuts.append(nb::make_tuple(nb::make_tuple(cut.from.x, cut.from.y), nb::make_tuple(cut.to.x, cut.to.y),
                               cut.depth, cut.next));
  nb::dict out;
  out["x"] = regions.x;
  out["y"] = regions.y;
  out["low"] = nb::make_tuple(regions.low.x, regions.low.y);
  out["high"] = nb::make_tuple(regions.high.x, regions.high.y);
  out["regions"] = parts;
  out["cuts"] = cuts;
  out["held"] = held_of(regions.held);
  out["max_depth"] = regions.max_depth;
  return out;
}

nb::list steps_of(const Model& model, const Table* data, const SliceOptions& options,
                  std::optional<std::size_t> tree) {
  nb::list out;
  for (FitStep& step : decision_steps(model, data, options, tree))
    out.append(nb::make_tuple(step.from, step.to, step.value, to_numpy(std::move(step.shares))));
  return out;
}

nb::tuple layout_of(const std::vector<std::int32_t>& parents, const std::vector<double>& widths,
                    double siblings, double cousins) {
  Layout layout = lay_out(parents, widths, {siblings, cousins});
  return nb::make_tuple(to_numpy(std::move(layout.x)), to_numpy(std::move(layout.depth)), layout.width);
}

nb::list view_of(const Model& model, std::size_t tree, std::optional<int> max_depth,
                 const std::vector<NodeId>& collapsed, int most_children) {
  constexpr const char* kWhat[] = {"inner", "leaf", "folded", "rest"};
  nb::list out;
  for (const ViewBox& box : view_tree(model.trees()[tree], {max_depth, collapsed, most_children}).boxes)
    out.append(nb::make_tuple(kWhat[static_cast<std::size_t>(box.what)], box.node, box.parent, box.child,
                              box.depth, box.hidden));
  return out;
}

}  // namespace

void add_draw(nb::module_& module) {
  nb::class_<Look>(module, "Look")
      .def(
          "__init__",
          [](Look* self, const std::string& theme, std::optional<std::string> title,
             std::optional<std::size_t> tree,
             int precision) { new (self) Look(look(theme, std::move(title), tree, precision)); },
          "theme"_a, "title"_a.none(), "tree"_a.none(), "precision"_a);
  nb::class_<SliceOptions>(module, "Slice")
      .def(
          "__init__",
          [](SliceOptions* self, const std::string& x, const std::string& y,
             const std::map<std::string, std::string>& at, const std::string& target,
             std::optional<int> max_depth,
             bool points) { new (self) SliceOptions(slice(x, y, at, target, max_depth, points)); },
          "x"_a, "y"_a, "at"_a, "target"_a, "max_depth"_a.none(), "points"_a);
  module.def("draw_tree", &tree_picture, "model"_a, "look"_a, "max_depth"_a.none(), "collapsed"_a,
             "most_children"_a, "colour"_a, "impurity"_a, "bars"_a, "node_ids"_a, "missing"_a.none(),
             "most_names"_a, "rows"_a.none(), "row"_a.none());
  module.def(
      "draw_regions",
      [](const Model& model, const Table* data, const SliceOptions& options, const Look& look) {
        return draw_regions(model, data, options, look.picture);
      },
      "model"_a, "data"_a.none(), "options"_a, "look"_a);
  module.def(
      "draw_fit",
      [](const Model& model, const Table* data, const SliceOptions& options, const Look& look) {
        return draw_fit(model, data, options, look.picture);
      },
      "model"_a, "data"_a.none(), "options"_a, "look"_a);
  module.def(
      "draw_path", [](const Model& model, const Look& look) { return draw_path(model, look.picture); },
      "model"_a, "look"_a);
  module.def(
      "draw_importances",
      [](const Model& model, const Look& look, std::size_t most) {
        return draw_importances(model, look.picture, most);
      },
      "model"_a, "look"_a, "most"_a);
  module.def("decision_regions", &regions_of, "model"_a, "data"_a.none(), "options"_a, "tree"_a.none());
  module.def("decision_steps", &steps_of, "model"_a, "data"_a.none(), "options"_a, "tree"_a.none());
  module.def("lay_out", &layout_of, "parents"_a, "widths"_a, "siblings"_a, "cousins"_a);
  module.def("view_tree", &view_of, "model"_a, "tree"_a, "max_depth"_a.none(), "collapsed"_a,
             "most_children"_a);
}

}  // namespace bough::python
