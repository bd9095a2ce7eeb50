// SPDX-License-Identifier: Apache-2.0
// A chart: scales, axes with ticks, a legend and a caption around a place to draw in.
#pragma once

#include <string>
#include <vector>

#include "draw/svg.hpp"

namespace bough {

/// From values to shares of an axis: numbers, linear or logarithmic, or names in equal bands (band i has
/// middle i).
struct Scale {
  double low = 0.0;
  double high = 1.0;
  bool logarithmic = false;
  std::vector<std::string> names{};  ///< not empty: bands
  bool whole = false;                ///< ticks at whole numbers only

  /// 0 at `low`, 1 at `high`.
  [[nodiscard]] double at(double value) const;
  struct Tick {
    double value = 0.0;
    std::string text;
  };
  /// Round values, about `most` of them.
  [[nodiscard]] std::vector<Tick> ticks(int most) const;
};

/// A scale that holds all of low to high with a little room.
Scale number_scale(double low, double high);
Scale name_scale(std::vector<std::string> names);

struct LegendEntry {
  enum class Mark : std::uint8_t { box, line, dot, ring, dashes };
  std::string text;
  std::string colour;
  Mark mark = Mark::box;
};

struct ChartSpec {
  double width = 640.0;
  double height = 440.0;  ///< of the place to draw in with its axes; legend and caption come below
  Scale x{};
  Scale y{};
  std::string x_label{};
  std::string y_label{};
  std::string title{};  ///< for people who cannot see the picture, and above it when `shows_title`
  bool shows_title = false;
  std::string description{};
  std::vector<std::string> captions{};
  std::vector<LegendEntry> legend{};
  bool x_grid = false;
  bool y_grid = true;
  bool x_on_top = false;  ///< leaves room above for a second row of words, which the caller draws
  bool x_turns = true;    ///< names that do not fit their bands are turned
  Theme theme = Theme::light;
};

/// Draws the axes when made; the caller draws inside, then finish() closes.
class Chart {
 public:
  explicit Chart(ChartSpec spec);

  [[nodiscard]] Point at(double x, double y) const;
  [[nodiscard]] Svg& svg() noexcept { return svg_; }
  [[nodiscard]] double left() const noexcept { return left_; }
  [[nodiscard]] double right() const noexcept { return right_; }
  [[nodiscard]] double top() const noexcept { return top_; }
  [[nodiscard]] double bottom() const noexcept { return bottom_; }
  /// The frame and what is around it; call after what should lie below it.
  void frame();
  [[nodiscard]] std::string finish() &&;

 private:
  struct Place;
  static Place measure(ChartSpec& spec);
  Chart(ChartSpec spec, const Place& place);
  void grid();
  void x_ticks();
  void y_ticks();
  void legend();

  ChartSpec spec_;
  double left_ = 0.0, right_ = 0.0, top_ = 0.0, bottom_ = 0.0;
  double legend_top_ = 0.0;
  bool x_turned_ = false;
  std::vector<Scale::Tick> x_ticks_, y_ticks_;
  Svg svg_;
};

}  // namespace bough
