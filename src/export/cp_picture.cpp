// SPDX-License-Identifier: Apache-2.0
// The cp table as an SVG picture: the error of every tree with its standard error, and the line of one
// standard error above the least.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bough/rpart.hpp"
#include "draw/chart.hpp"
#include "draw/palette.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostLabels = 8;

class CpPicture {
 public:
  explicit CpPicture(std::vector<CpRow> rows)
      : rows_(std::move(rows)), crossed_(!std::isnan(rows_.front().xerror)) {}

  std::string draw() const {
    Chart chart(spec());
    std::vector<Point> way;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto at = static_cast<double>(i);
      const double error_of = error(rows_[i]), spread_of = spread(rows_[i]);
      way.push_back(chart.at(at, error_of));
      if (crossed_)
        chart.svg().line(chart.at(at, error_of - spread_of), chart.at(at, error_of + spread_of),
                         {.stroke = chart.svg().inks().faint});
    }
    const std::string colour = hex(class_colour(4));
    chart.svg().polyline(way, {.stroke = colour, .width = 1.6});
    for (const Point& point : way) chart.svg().circle(point, 3.5, {.fill = colour});
    leaves(chart);
    if (crossed_) limit(chart);
    chart.frame();
    return std::move(chart).finish();
  }

 private:
  [[nodiscard]] double error(const CpRow& row) const { return crossed_ ? row.xerror : row.rel_error; }
  [[nodiscard]] double spread(const CpRow& row) const { return crossed_ ? row.xstd : 0.0; }
  // Every label would not be readable in a long table.
  [[nodiscard]] bool is_labelled(std::size_t i) const {
    return i % ((rows_.size() + kMostLabels - 1) / kMostLabels) == 0;
  }

  [[nodiscard]] ChartSpec spec() const {
    double low = 0.0, high = 0.0;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      low = std::min(low, error(rows_[i]) - spread(rows_[i]));
      high = std::max(high, error(rows_[i]) + spread(rows_[i]));
      const std::string cp = i == 0 ? "Inf" : fmt::format("{:.2g}", std::sqrt(rows_[i].cp * rows_[i - 1].cp));
      names.push_back(is_labelled(i) ? cp : "");
    }
    ChartSpec spec;
    spec.height = 420.0;
    spec.x = name_scale(std::move(names));
    spec.y = {.low = low, .high = (high > low ? high : low + 1.0) * 1.05};
    spec.x_label = "cp";
    spec.y_label = crossed_ ? "cross-validated error" : "training error";
    spec.title = "Errors of the trees of the cp table";
    spec.description = fmt::format("Error against cp for {} trees.", rows_.size());
    spec.x_on_top = true;
    spec.x_turns = false;
    return spec;
  }

  void leaves(Chart& chart) const {
    const std::string& ink = chart.svg().inks().ink;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (is_labelled(i))
        chart.svg().text({chart.at(static_cast<double>(i), 0.0).x, chart.top() - 8.0},
                         fmt::format("{}", rows_[i].n_splits + 1),
                         {.size = 11.0, .anchor = "middle", .fill = ink});
    chart.svg().text({(chart.left() + chart.right()) / 2.0, chart.top() - 26.0}, "leaves",
                     {.size = 12.5, .anchor = "middle", .fill = ink});
  }

  void limit(Chart& chart) const {
    const auto least = std::ranges::min_element(rows_, {}, &CpRow::xerror);
    const double y = chart.at(0.0, least->xerror + least->xstd).y;
    chart.svg().line({chart.left(), y}, {chart.right(), y}, {.stroke = "#777777", .dashes = "3 4"});
  }

  std::vector<CpRow> rows_;
  bool crossed_;
};

}  // namespace

std::string cp_svg(const Model& model) {
  return CpPicture(cp_table(model)).draw();
}

}  // namespace bough
