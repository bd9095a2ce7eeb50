// SPDX-License-Identifier: Apache-2.0
// Importances of columns as bars.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "draw/chart.hpp"
#include "draw/palette.hpp"
#include "draw/slice_picture.hpp"
#include "explain/words.hpp"

namespace bough {

std::string draw_importances(const Model& model, const PictureOptions& picture, std::size_t most) {
  const Model shown = picture.tree ? with_tree(model, *picture.tree) : model;
  const std::vector<double> values = shown.importances();
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  const auto n = std::min(order.size(), std::max<std::size_t>(most, 1));
  std::vector<std::string> names;
  for (std::size_t i = n; i-- > 0;) names.push_back(shown_name(model.features().fields[order[i]].name));
  const double largest = n > 0 ? values[order[0]] : 0.0;
  ChartSpec spec;
  spec.width = 600.0;
  spec.height = 60.0 + 22.0 * static_cast<double>(std::max<std::size_t>(n, 1));
  spec.x = {.low = 0.0, .high = largest > 0.0 ? std::min(largest * 1.18, 1.18) : 1.0};
  spec.y = name_scale(std::move(names));
  spec.x_label = "share of the impurity removed by splits";
  spec.x_grid = true;
  set_title(spec, picture, "Importances of the columns");
  spec.description =
      fmt::format("Impurity removed by splits on each of {}.", shown_count(std::ssize(values), "column"));
  if (n < order.size()) {
    double rest = 0.0;
    for (std::size_t i = n; i < order.size(); ++i) rest += values[order[i]];
    spec.captions.push_back(fmt::format(
        "{} together: {}.", shown_count(std::ssize(order) - static_cast<std::ptrdiff_t>(n), "more column"),
        shown_share(rest)));
  }
  Chart chart(std::move(spec));
  for (std::size_t i = 0; i < n; ++i) {
    const double value = values[order[i]], middle = static_cast<double>(n - 1 - i);
    const Point top = chart.at(0.0, middle + 0.36), end = chart.at(value, middle - 0.36);
    chart.svg().rect(top.x, top.y, end.x - top.x, end.y - top.y, {.fill = hex(class_colour(4))}, 1.5);
    chart.svg().text({end.x + 5.0, chart.at(0.0, middle).y + 3.8}, shown_number(value, 3),
                     {.size = 11.0, .fill = chart.svg().inks().ink});
  }
  chart.frame();
  return std::move(chart).finish();
}

}  // namespace bough
