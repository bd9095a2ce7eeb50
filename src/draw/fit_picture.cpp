// SPDX-License-Identifier: Apache-2.0
// The answers of a model over one column as a picture: values as steps through the data, or shares of
// classes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "draw/palette.hpp"
#include "draw/regions.hpp"
#include "draw/slice_picture.hpp"
#include "explain/words.hpp"

namespace bough {
namespace {

class FitPicture {
 public:
  FitPicture(const Model& model, const Slice& slice, const SliceOptions& options)
      : model_(model), slice_(slice), options_(options), steps_(steps_of(model, slice)) {}

  std::string draw(const PictureOptions& picture) {
    Chart chart(spec(picture));
    if (options_.points && !slice_.truth.empty()) classes() ? rug(chart) : points(chart);
    if (classes()) {
      const std::size_t n = model_.targets().fields[slice_.output].levels.size();
      for (std::size_t c = 0; c < n; ++c)
        steps(chart, hex(class_colour(c)), [&](const FitStep& step) { return step.shares[c]; });
    } else {
      steps(chart, hex(class_colour(5)), [](const FitStep& step) { return step.value; });
    }
    chart.frame();
    return std::move(chart).finish();
  }

 private:
  [[nodiscard]] bool classes() const { return model_.task() == Task::classification; }
  [[nodiscard]] const SliceAxis& axis() const { return slice_.axes[0]; }

  [[nodiscard]] ChartSpec spec(const PictureOptions& picture) const {
    const std::string target = shown_name(model_.targets().fields[slice_.output].name);
    ChartSpec spec;
    spec.height = 420.0;
    spec.x = axis_scale(model_, axis());
    spec.x_label = column_name(model_, axis().column);
    spec.y = classes() ? Scale{.low = options_.points && !slice_.truth.empty() ? -0.08 : 0.0, .high = 1.02}
                       : values();
    spec.y_label = classes() ? "share" : target;
    set_title(spec, picture, fmt::format("{} over {}", target, spec.x_label));
    spec.description =
        fmt::format("The predictions of {} over one column in {}.",
                    shown_count(std::ssize(model_.trees()), "tree"), shown_count(std::ssize(steps_), "step"));
    spec.captions = slice_captions(slice_, options_);
    if (classes()) {
      spec.legend = class_legend(model_, slice_.output, LegendEntry::Mark::line);
    } else {
      spec.legend.push_back({"prediction", hex(class_colour(5)), LegendEntry::Mark::line});
      if (options_.points && !slice_.truth.empty())
        spec.legend.push_back({"data", hex(class_colour(1)), LegendEntry::Mark::dot});
    }
    return spec;
  }

  [[nodiscard]] Scale values() const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto reach = [&](double value) {
      if (!std::isfinite(value)) return;
      low = std::min(low, value);
      high = std::max(high, value);
    };
    for (const FitStep& step : steps_) reach(step.value);
    if (options_.points) std::ranges::for_each(slice_.truth, reach);
    return low <= high ? number_scale(low, high) : number_scale(0.0, 1.0);
  }

  template <class Value>
  void steps(Chart& chart, const std::string& colour, const Value& value) const {
    const FitStep* before = nullptr;
    for (const FitStep& step : steps_) {
      const double inset = axis().is_levels ? 0.12 : 0.0;
      const Point from = chart.at(step.from + inset, value(step)),
                  to = chart.at(step.to - inset, value(step));
      if (before != nullptr && !axis().is_levels)
        chart.svg().line(chart.at(before->to, value(*before)), from,
                         {.stroke = colour, .width = 1.0, .dashes = "2 2"});
      chart.svg().line(from, to, {.stroke = colour, .width = 2.6});
      before = &step;
    }
  }

  void points(Chart& chart) const {
    const double radius = axis().cells.size() > 400 ? 1.9 : 2.8;
    for (std::size_t i = 0; i < axis().cells.size(); ++i) {
      if (!shown(i) || !std::isfinite(slice_.truth[i])) continue;
      chart.svg().circle(chart.at(axis().cells[i] + spread(axis(), i), slice_.truth[i]), radius,
                         {.fill = hex(class_colour(1)), .opacity = 0.55});
    }
  }

  // Classes of the rows as marks below the shares.
  void rug(Chart& chart) const {
    for (std::size_t i = 0; i < axis().cells.size(); ++i) {
      if (!shown(i) || !(slice_.truth[i] >= 0.0)) continue;
      const double x = axis().cells[i] + spread(axis(), i);
      const std::string colour = hex(class_colour(static_cast<std::size_t>(slice_.truth[i])));
      chart.svg().line(chart.at(x, -0.07), chart.at(x, -0.025), {.stroke = colour, .opacity = 0.7});
    }
  }
  [[nodiscard]] bool shown(std::size_t row) const {
    const double cell = axis().cells[row];
    return std::isfinite(cell) && !(axis().is_levels && cell < 0.0);
  }

  const Model& model_;
  const Slice& slice_;
  const SliceOptions& options_;
  std::vector<FitStep> steps_;
};

}  // namespace

std::string draw_fit(const Model& model, const Table* data, const SliceOptions& options,
                     const PictureOptions& picture) {
  const Model chosen = depth_limited(picture.tree ? with_tree(model, *picture.tree) : model, options);
  const Slice slice = make_slice(chosen, data, options, 1);
  return FitPicture(chosen, slice, options).draw(picture);
}

}  // namespace bough
