// SPDX-License-Identifier: Apache-2.0
// Errors along the cost-complexity path as a picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "draw/chart.hpp"
#include "draw/error_curve.hpp"
#include "draw/palette.hpp"
#include "draw/slice.hpp"
#include "draw/slice_picture.hpp"
#include "explain/condition.hpp"

namespace bough {
namespace {

std::string words_of(std::string name) {
  if (name == "quantile" || name == "pinball") return "pinball loss";
  std::ranges::replace(name, '_', ' ');
  return name;
}

void add_table(const Model& model, ErrorCurves& curves) {
  const PruningTable& table = *model.parts().pruning_table;
  curves.judged = {fmt::format("cross-validated, {} folds", table.folds), {}, table.errors};
  curves.judged.leaves.assign(table.n_leaves.begin(), table.n_leaves.end());
  curves.spread = table.standard_errors;
  curves.chosen = table.chosen;
  curves.measure = words_of(table.measure);
  curves.how = table.rule == "one_se"
                   ? "The chosen tree is the smallest within one standard error of the lowest error."
                   : "The chosen tree has the lowest cross-validated error.";
}

void add_cp_table(const Model& model, ErrorCurves& curves) {
  curves.judged.name = "cross-validated";
  curves.training.clear();
  ErrorLine training{"in training", {}, {}};
  for (const CpRow& row : model.parts().cp_table) {
    training.leaves.push_back(row.n_splits + 1.0);
    training.errors.push_back(row.rel_error);
    if (std::isnan(row.xerror)) continue;
    curves.judged.leaves.push_back(row.n_splits + 1.0);
    curves.judged.errors.push_back(row.xerror);
    curves.spread.push_back(row.xstd);
  }
  curves.training.push_back(std::move(training));
  curves.measure = "error, root = 1";
}

// Criteria whose impurity is the mean of what cross-validation measures.
bool same_unit(const std::string& criterion, const std::string& measure) {
  return criterion == measure || (criterion == "quantile" && measure == "pinball");
}

}  // namespace

std::vector<double> along_path(const Tree& tree, const PruningPath& path,
                               const std::vector<double>& measure) {
  const auto n = static_cast<std::size_t>(tree.n_nodes());
  std::vector<NodeId> next(n);  // the node after the branch
  for (NodeId node = tree.n_nodes() - 1; node >= 0; --node) {
    const auto children = tree.children(node);
    next[static_cast<std::size_t>(node)] =
        children.empty() ? node + 1 : next[static_cast<std::size_t>(children.back())];
  }
  std::vector<bool> ends(n);
  double sum = 0.0;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    ends[static_cast<std::size_t>(node)] = tree.is_leaf(node);
    if (tree.is_leaf(node)) sum += measure[static_cast<std::size_t>(node)];
  }
  std::vector<double> out;
  for (const NodeId cut : path.nodes) {
    if (cut >= 0) {
      // Every node that is passed here is never passed again.
      for (NodeId node = cut + 1; node < next[static_cast<std::size_t>(cut)];) {
        const auto i = static_cast<std::size_t>(node);
        if (ends[i]) sum -= measure[i];
        node = ends[i] ? next[i] : node + 1;
      }
      ends[static_cast<std::size_t>(cut)] = true;
      sum += measure[static_cast<std::size_t>(cut)];
    }
    out.push_back(std::max(sum, 0.0));
  }
  return out;
}

ErrorCurves error_curves(const Model& model) {
  const Tree& tree = model.tree();
  ErrorCurves curves;
  const bool classes = model.task() == Task::classification;
  const auto& table = model.parts().pruning_table;
  const bool by_error = table && table->risk == "error";
  const std::vector<double> impurity = impurity_risk(tree), error = error_risk(counted_tree(model));
  const PruningPath path = cost_complexity_path(tree, by_error ? error : impurity);
  std::vector<double> leaves(path.n_leaves.begin(), path.n_leaves.end());
  curves.measure = classes ? "error" : words_of(model.parts().criterion);
  if (classes) curves.training.push_back({"training error", leaves, along_path(tree, path, error)});
  if (!table && (!classes || model.parts().criterion != "misclassification"))
    curves.training.push_back({fmt::format("{} in training", impurity_name(model.parts().criterion)), leaves,
                               along_path(tree, path, impurity)});
  if (table && !classes && same_unit(model.parts().criterion, table->measure))
    curves.training.push_back({"in training", leaves, along_path(tree, path, impurity)});
  if (table)
    add_table(model, curves);
  else if (!model.parts().cp_table.empty())
    add_cp_table(model, curves);
  return curves;
}

namespace {

class PathPicture {
 public:
  /// `of_several`: "tree 2 of 10" when there are others.
  PathPicture(const ErrorCurves& curves, const PictureOptions& picture, std::string of_several)
      : curves_(curves), picture_(picture), of_several_(std::move(of_several)) {}

  std::string draw() {
    Chart chart(spec());
    if (!curves_.judged.leaves.empty()) band(chart);
    for (std::size_t i = 0; i < curves_.training.size(); ++i)
      line(chart, curves_.training[i], training_colour(i), 1.8);
    if (!curves_.judged.leaves.empty()) judged(chart);
    chart.frame();
    return std::move(chart).finish();
  }

 private:
  static std::string training_colour(std::size_t i) { return hex(class_colour(i == 0 ? 0 : 7)); }
  [[nodiscard]] std::string judged_colour() const {
    return hex(class_colour(picture_.theme == Theme::dark ? 1 : 4));
  }

  [[nodiscard]] ChartSpec spec() const {
    ChartSpec spec;
    spec.height = 400.0;
    double most = 1.0, least = 1e300, low = 0.0, high = 0.0;
    const auto reach = [&](const ErrorLine& line, double sign) {
      for (std::size_t i = 0; i < line.leaves.size(); ++i) {
        const double room = &line == &curves_.judged ? sign * curves_.spread[i] : 0.0;
        most = std::max(most, line.leaves[i]);
        least = std::min(least, line.leaves[i]);
        high = std::max(high, line.errors[i] + room);
        low = std::min(low, line.errors[i] + room);
      }
    };
    for (const ErrorLine& line : curves_.training) reach(line, 0.0);
    reach(curves_.judged, 1.0);
    reach(curves_.judged, -1.0);
    least = std::min(least, most);
    const bool logarithmic = most / least > 30.0;
    spec.x = logarithmic
                 ? Scale{.low = least / 1.15, .high = most * 1.15, .logarithmic = true}
                 : Scale{.low = least - 0.03 * most - 0.2, .high = most + 0.03 * most + 0.2, .whole = true};
    spec.y = {.low = low, .high = high > low ? low + (high - low) * 1.06 : low + 1.0};
    spec.x_label = logarithmic ? "leaves (logarithmic)" : "leaves";
    spec.y_label = curves_.measure;
    set_title(spec, picture_, "Errors along the cost-complexity path");
    spec.description =
        fmt::format("Error against the number of leaves, up to {}.", shown_count(std::llround(most), "leaf"));
    for (std::size_t i = 0; i < curves_.training.size(); ++i)
      spec.legend.push_back({curves_.training[i].name, training_colour(i), LegendEntry::Mark::line});
    if (!curves_.judged.leaves.empty()) {
      spec.legend.push_back(
          {curves_.judged.name + ", band of one standard error", judged_colour(), LegendEntry::Mark::line});
      spec.legend.push_back({"one standard error above the lowest", "#777777", LegendEntry::Mark::dashes});
      if (curves_.chosen)
        spec.legend.push_back({"chosen tree", hex(class_colour(5)), LegendEntry::Mark::ring});
    }
    if (most <= 1.0) spec.captions.emplace_back("The tree is a single leaf: there is nothing to prune.");
    if (!of_several_.empty()) spec.captions.push_back(fmt::format("This is {}.", of_several_));
    if (!curves_.how.empty()) spec.captions.push_back(curves_.how);
    return spec;
  }

  // Points that would fall on each other are left out.
  static void line(Chart& chart, const ErrorLine& line, const std::string& colour, double width) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < line.leaves.size(); ++i) {
      const Point at = chart.at(line.leaves[i], line.errors[i]);
      const bool near =
          !points.empty() && std::fabs(points.back().x - at.x) + std::fabs(points.back().y - at.y) < 0.4;
      if (!near || i + 1 == line.leaves.size()) points.push_back(at);
    }
    chart.svg().polyline(points, {.stroke = colour, .width = width});
  }

  void band(Chart& chart) const {
    const ErrorLine& line = curves_.judged;
    std::vector<Point> edge, back;
    for (std::size_t i = 0; i < line.leaves.size(); ++i) {
      edge.push_back(chart.at(line.leaves[i], line.errors[i] + curves_.spread[i]));
      back.push_back(chart.at(line.leaves[i], line.errors[i] - curves_.spread[i]));
    }
    edge.insert(edge.end(), back.rbegin(), back.rend());
    chart.svg().polygon(edge, {.fill = judged_colour(), .opacity = 0.16});
  }

  void judged(Chart& chart) const {
    const ErrorLine& judged = curves_.judged;
    line(chart, judged, judged_colour(), 2.0);
    if (judged.leaves.size() <= 60)
      for (std::size_t i = 0; i < judged.leaves.size(); ++i)
        chart.svg().circle(chart.at(judged.leaves[i], judged.errors[i]), 2.6, {.fill = judged_colour()});
    const auto best =
        static_cast<std::size_t>(std::ranges::min_element(judged.errors) - judged.errors.begin());
    const double y = chart.at(judged.leaves[best], judged.errors[best] + curves_.spread[best]).y;
    chart.svg().line({chart.left(), y}, {chart.right(), y},
                     {.stroke = "#777777", .width = 1.2, .dashes = "5 4"});
    if (!curves_.chosen) return;
    const Point at = chart.at(judged.leaves[*curves_.chosen], judged.errors[*curves_.chosen]);
    chart.svg().circle(at, 6.5, {.stroke = hex(class_colour(5)), .width = 2.2});
  }

  const ErrorCurves& curves_;
  const PictureOptions& picture_;
  std::string of_several_;
};

}  // namespace

std::string draw_path(const Model& model, const PictureOptions& picture) {
  const std::size_t tree = picture.tree.value_or(0);
  const Model chosen = with_tree(model, tree);
  return PathPicture(error_curves(chosen), picture,
                     model.trees().size() == 1 ? "" : tree_of_words(model, tree))
      .draw();
}

}  // namespace bough
