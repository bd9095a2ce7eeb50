// SPDX-License-Identifier: Apache-2.0
// The answers of a model over two columns as a picture, with the data on it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "draw/palette.hpp"
#include "draw/regions.hpp"
#include "draw/slice_picture.hpp"
#include "explain/outcome.hpp"

namespace bough {
namespace {

constexpr int kScaleSteps = 5;

class RegionsPicture {
 public:
  RegionsPicture(const Model& model, const Slice& slice, const Table* data, const SliceOptions& options)
      : model_(model), slice_(slice), options_(options), regions_(regions_of(model, slice, options)) {
    if (!classes()) find_range();
    if (options.points) elsewhere_ = rows_from_elsewhere(depth_limited(model, options), slice, data);
  }

  std::string draw(const PictureOptions& picture) {
    Chart chart(spec(picture));
    for (const AnswerRegion& region : regions_.regions) area(chart, region);
    for (const RegionCut& cut : regions_.cuts) border(chart, cut);
    if (options_.points && !slice_.axes[0].cells.empty()) points(chart);
    chart.frame();
    return std::move(chart).finish();
  }

 private:
  [[nodiscard]] bool classes() const { return model_.task() == Task::classification; }
  [[nodiscard]] const Field& target() const { return model_.targets().fields[slice_.output]; }

  void find_range() {
    const auto reach = [&](double value) {
      if (!std::isfinite(value)) return;
      low_ = std::min(low_, value);
      high_ = std::max(high_, value);
    };
    for (const AnswerRegion& region : regions_.regions) reach(region.value);
    if (options_.points) std::ranges::for_each(slice_.truth, reach);
    if (low_ > high_) low_ = high_ = 0.0;
  }

  [[nodiscard]] ChartSpec spec(const PictureOptions& picture) const {
    ChartSpec spec;
    spec.width = 640.0;
    spec.height = 480.0;
    spec.x = axis_scale(model_, slice_.axes[0]);
    spec.y = axis_scale(model_, slice_.axes[1]);
    spec.x_label = column_name(model_, regions_.x);
    spec.y_label = column_name(model_, regions_.y);
    spec.y_grid = false;
    set_title(spec, picture,
              fmt::format("{} over {} and {}", shown_name(target().name), spec.x_label, spec.y_label));
    spec.description = fmt::format("The predictions of {} over two columns in {}.",
                                   shown_count(std::ssize(model_.trees()), "tree"),
                                   shown_count(std::ssize(regions_.regions), "region"));
    spec.captions = slice_captions(slice_, options_);
    if (const auto pale = std::ranges::count(elsewhere_, true); pale > 0)
      spec.captions.push_back(fmt::format("{} pale: other columns lead {} to another prediction.",
                                          pale == 1 ? "1 row is" : grouped(pale) + " rows are",
                                          pale == 1 ? "it" : "them"));
    if (options_.points && slice_.n_rows > 0 && slice_.truth.empty())
      spec.captions.push_back(fmt::format("The data have no column {}, so the points have no colour.",
                                          shown_name(target().name)));
    if (regions_.max_depth >= 0)
      spec.captions.insert(spec.captions.begin(),
                           fmt::format("The tree is cut at depth {}{}", regions_.max_depth,
                                       std::ranges::any_of(regions_.cuts, &RegionCut::next)
                                           ? "; dotted: where the next level would cut."
                                           : "."));
    spec.legend = classes() ? class_legend(model_, slice_.output, LegendEntry::Mark::dot) : value_legend();
    return spec;
  }

  [[nodiscard]] std::vector<LegendEntry> value_legend() const {
    std::vector<LegendEntry> entries;
    if (!(low_ < high_)) return {{short_number(low_), value_fill(low_, low_, high_)}};
    for (int i = 0; i < kScaleSteps; ++i) {
      const double part = static_cast<double>(i) / (kScaleSteps - 1);
      const double value = low_ * (1.0 - part) + high_ * part;
      entries.push_back({short_number(value), fill_of(value), LegendEntry::Mark::box});
    }
    entries.front().text = fmt::format("{}: {}", shown_name(target().name), entries.front().text);
    return entries;
  }

  // White would look like no region at all.
  [[nodiscard]] std::string fill_of(double value) const {
    const double range = high_ / 2.0 - low_ / 2.0;
    const double part = range > 0.0 ? (value / 2.0 - low_ / 2.0) / range : 0.0;
    return blend(class_colour(4), 0.06 + 0.84 * std::clamp(part, 0.0, 1.0));
  }

  [[nodiscard]] std::string fill_of(const AnswerRegion& region) const {
    if (!classes()) return fill_of(region.value);
    const auto best = static_cast<std::size_t>(region.value);
    const double even = 1.0 / static_cast<double>(std::max<std::size_t>(region.shares.size(), 1));
    const double purity = even < 1.0 ? (region.shares[best] - even) / (1.0 - even) : 1.0;
    return blend(class_colour(best), 0.12 + 0.38 * std::clamp(purity, 0.0, 1.0));
  }

  [[nodiscard]] std::string region_words(const AnswerRegion& region) const {
    std::string words = region.node >= 0 ? fmt::format("node {}: ", region.node) : "";
    if (!classes()) return words + shown_number(region.value);
    return words + Outcome{&target(), region.value, region.shares}.told();
  }

  void area(Chart& chart, const AnswerRegion& region) const {
    std::vector<Point> corners;
    for (const Point& corner : region.corners) corners.push_back(chart.at(corner.x, corner.y));
    const std::string fill = fill_of(region);
    // A thin edge of the same colour closes the seams that renderers leave between neighbours.
    const std::string_view edge = region.node >= 0 ? std::string_view(fill) : std::string_view("#8a8a8a");
    chart.svg().open("", region_words(region));
    chart.svg().polygon(corners, {.fill = fill, .stroke = edge, .width = region.node >= 0 ? 0.7 : 0.3});
    chart.svg().close();
  }

  void border(Chart& chart, const RegionCut& cut) const {
    const bool crowded = regions_.regions.size() > 200;
    const double width = std::max((crowded ? 1.4 : 3.0) * std::pow(0.72, cut.depth), crowded ? 0.3 : 0.5);
    chart.svg().line(chart.at(cut.from.x, cut.from.y), chart.at(cut.to.x, cut.to.y),
                     {.stroke = "#2b2b2b",
                      .width = cut.next ? (crowded ? 0.7 : 1.4) : width,
                      .dashes = cut.next ? std::string_view("1.5 4") : std::string_view("")});
  }

  void points(Chart& chart) const {
    const SliceAxis &x = slice_.axes[0], &y = slice_.axes[1];
    const double radius = x.cells.size() > 400 ? 2.4 : 3.4;
    for (std::size_t i = 0; i < x.cells.size(); ++i) {
      if (!std::isfinite(x.cells[i]) || !std::isfinite(y.cells[i])) continue;
      if ((x.is_levels && x.cells[i] < 0.0) || (y.is_levels && y.cells[i] < 0.0)) continue;
      const Point at = chart.at(x.cells[i] + spread(x, i), y.cells[i] + spread(y, i));
      const bool pale = i < elsewhere_.size() && elsewhere_[i];
      point(chart, at, radius, i, pale ? 0.25 : 1.0);
    }
  }

  // The colour of the truth where the data have it.
  void point(Chart& chart, Point at, double radius, std::size_t row, double opacity) const {
    const bool known = row < slice_.truth.size() && std::isfinite(slice_.truth[row]);
    if (!known || (classes() && slice_.truth[row] < 0.0)) {
      chart.svg().circle(at, radius,
                         {.fill = "none", .stroke = "#555555", .width = 0.9, .opacity = 0.8 * opacity});
      return;
    }
    const double truth = slice_.truth[row];
    const std::string fill = classes() ? hex(class_colour(static_cast<std::size_t>(truth))) : fill_of(truth);
    chart.svg().circle(at, radius, {.fill = fill, .stroke = "#222222", .width = 0.7, .opacity = opacity});
  }

  const Model& model_;
  const Slice& slice_;
  const SliceOptions& options_;
  Regions regions_;
  std::vector<bool> elsewhere_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

std::string draw_regions(const Model& model, const Table* data, const SliceOptions& options,
                         const PictureOptions& picture) {
  const Model chosen = picture.tree ? with_tree(model, *picture.tree) : model;
  const Slice slice = make_slice(chosen, data, options, 2);
  return RegionsPicture(chosen, slice, data, options).draw(picture);
}

}  // namespace bough
