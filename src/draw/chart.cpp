// SPDX-License-Identifier: Apache-2.0
// A chart: scales, axes, legend and caption.
#include "draw/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explain/words.hpp"

namespace bough {
namespace {

constexpr double kTick = 11.0, kLabel = 12.5, kCaption = 11.0, kTitle = 15.0, kMargin = 14.0,
                 kLineHeight = 15.0;
constexpr double kMostName = 150.0;

// 1, 2 or 5 times a power of ten.
double round_step(double range, int most) {
  const double raw = range / std::max(most, 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power * (1.0 + 1e-9)) return factor * power;
  return 10.0 * power;
}

double legend_width(const LegendEntry& entry) {
  return 22.0 + text_width(entry.text, kTick) + 16.0;
}

// Entries in rows that fit.
std::vector<std::vector<LegendEntry>> legend_rows(const ChartSpec& spec) {
  std::vector<std::vector<LegendEntry>> rows;
  double at = 0.0;
  for (const LegendEntry& entry : spec.legend) {
    if (rows.empty() || at + legend_width(entry) > spec.width - 2.0 * kMargin + 16.0) {
      rows.emplace_back();
      at = 0.0;
    }
    rows.back().push_back(entry);
    at += legend_width(entry);
  }
  return rows;
}

}  // namespace

double Scale::at(double value) const {
  if (logarithmic) return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
  const double range = high / 2.0 - low / 2.0;
  return range > 0.0 ? (value / 2.0 - low / 2.0) / range : 0.5;
}

std::vector<Scale::Tick> Scale::ticks(int most) const {
  std::vector<Tick> out;
  for (std::size_t i = 0; i < names.size(); ++i) out.push_back({static_cast<double>(i), names[i]});
  if (!names.empty()) return out;
  if (logarithmic) {
    const double decades = std::log10(high / low);
    for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10.0)
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * power;
        const bool wanted = factor == 1.0 || decades < 2.5;
        if (wanted && value >= low * (1.0 - 1e-9) && value <= high * (1.0 + 1e-9))
          out.push_back({value, short_number(value)});
      }
    return out;
  }
  const double range = high - low;
  if (!(range > 0.0) || !std::isfinite(range)) return {{low, short_number(low)}};
  const double step = std::max(round_step(range, most), whole ? 1.0 : 0.0);
  const int digits =
      static_cast<int>(std::ceil(std::log10(std::max({std::fabs(low), std::fabs(high), step}) / step))) + 1;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * range; k += 1.0)
    out.push_back({k * step, short_number(k == 0.0 ? 0.0 : k * step, std::clamp(digits, 2, 12))});
  return out;
}

Scale number_scale(double low, double high) {
  if (!(low < high)) {
    const double room = std::max(std::fabs(low), 1.0) * 0.5;
    low -= room;
    high += room;
  }
  const double room = (high / 2.0 - low / 2.0) * 0.08;
  return {.low = low - room, .high = high + room};
}

Scale name_scale(std::vector<std::string> names) {
  Scale scale{.low = -0.5, .high = static_cast<double>(names.size()) - 0.5};
  scale.names = std::move(names);
  for (std::string& name : scale.names) name = fit_text(name, kTick, kMostName);
  return scale;
}

struct Chart::Place {
  double left = 0.0, right = 0.0, top = 0.0, bottom = 0.0, height = 0.0;
  double tick_height = 0.0, legend_top = 0.0;
  bool turned = false;
};

Chart::Place Chart::measure(ChartSpec& spec) {
  Place place;
  double widest = 0.0;
  for (const Scale::Tick& tick : spec.y.ticks(6)) widest = std::max(widest, text_width(tick.text, kTick));
  place.left = kMargin + widest + 10.0 + (spec.y_label.empty() ? 0.0 : 20.0);
  place.right = spec.width - kMargin - 6.0;
  place.top = kMargin + (spec.shows_title ? 26.0 : 2.0) + (spec.x_on_top ? 34.0 : 0.0);
  double longest = 0.0;
  for (const Scale::Tick& tick : spec.x.ticks(7)) {
    longest = std::max(longest, text_width(tick.text, kTick));
  }
  const double band = (place.right - place.left) / std::max(static_cast<double>(spec.x.names.size()), 1.0);
  place.turned = spec.x_turns && !spec.x.names.empty() && longest + 6.0 > band;
  place.tick_height = place.turned ? longest * 0.75 + 16.0 : 18.0;
  place.bottom = spec.height - place.tick_height - (spec.x_label.empty() ? 4.0 : 22.0);
  place.legend_top = spec.height + 4.0;
  std::vector<std::string> lines;
  for (const std::string& caption : spec.captions)
    for (std::string& line : wrap_text(caption, kCaption, spec.width - 2.0 * kMargin, 4))
      lines.push_back(std::move(line));
  spec.captions = std::move(lines);
  place.height = place.legend_top + static_cast<double>(legend_rows(spec).size()) * 18.0 +
                 static_cast<double>(spec.captions.size()) * kLineHeight + kMargin;
  return place;
}

Chart::Chart(ChartSpec spec) : Chart(spec, measure(spec)) {}

Chart::Chart(ChartSpec spec, const Place& place)
    : spec_(std::move(spec)),
      left_(place.left),
      right_(place.right),
      top_(place.top),
      bottom_(place.bottom),
      legend_top_(place.legend_top),
      x_turned_(place.turned),
      x_ticks_(spec_.x.ticks(7)),
      y_ticks_(spec_.y.ticks(6)),
      svg_(spec_.width, place.height, spec_.theme, spec_.title, spec_.description) {
  if (spec_.shows_title)
    svg_.text({spec_.width / 2.0, kMargin + 12.0}, fit_text(spec_.title, kTitle, spec_.width - 2.0 * kMargin),
              {.size = kTitle, .anchor = "middle", .fill = svg_.inks().ink, .bold = true});
  grid();
}

Point Chart::at(double x, double y) const {
  return {left_ + (right_ - left_) * spec_.x.at(x), bottom_ - (bottom_ - top_) * spec_.y.at(y)};
}

void Chart::grid() {
  const ShapeStyle style{.stroke = svg_.inks().grid};
  if (spec_.y_grid && spec_.y.names.empty())
    for (const Scale::Tick& tick : y_ticks_) {
      const double y = at(spec_.x.low, tick.value).y;
      svg_.line({left_, y}, {right_, y}, style);
    }
  if (spec_.x_grid && spec_.x.names.empty())
    for (const Scale::Tick& tick : x_ticks_) {
      const double x = at(tick.value, spec_.y.low).x;
      svg_.line({x, top_}, {x, bottom_}, style);
    }
}

void Chart::x_ticks() {
  const std::string& ink = svg_.inks().ink;
  double taken = -1e9;  // labels that would touch the one before are left out
  for (const Scale::Tick& tick : x_ticks_) {
    const double x = at(tick.value, spec_.y.low).x, half = text_width(tick.text, kTick) / 2.0;
    svg_.line({x, bottom_}, {x, bottom_ + 4.0}, {.stroke = ink});
    if (x_turned_) {
      svg_.text({x + 3.0, bottom_ + 14.0}, tick.text,
                {.size = kTick, .anchor = "end", .fill = ink, .turned = -45.0});
    } else if (x - half > taken) {
      svg_.text({x, bottom_ + 16.0}, tick.text, {.size = kTick, .anchor = "middle", .fill = ink});
      taken = x + half + 6.0;
    }
  }
  if (!spec_.x_label.empty())
    svg_.text({(left_ + right_) / 2.0, spec_.height - 6.0}, fit_text(spec_.x_label, kLabel, right_ - left_),
              {.size = kLabel, .anchor = "middle", .fill = ink});
}

void Chart::y_ticks() {
  const std::string& ink = svg_.inks().ink;
  for (const Scale::Tick& tick : y_ticks_) {
    const double y = at(spec_.x.low, tick.value).y;
    svg_.line({left_ - 4.0, y}, {left_, y}, {.stroke = ink});
    svg_.text({left_ - 8.0, y + 3.8}, tick.text, {.size = kTick, .anchor = "end", .fill = ink});
  }
  if (!spec_.y_label.empty())
    svg_.text({kMargin + 6.0, (top_ + bottom_) / 2.0}, fit_text(spec_.y_label, kLabel, bottom_ - top_),
              {.size = kLabel, .anchor = "middle", .fill = ink, .turned = -90.0});
}

void Chart::frame() {
  const std::string& ink = svg_.inks().ink;
  svg_.line({left_, bottom_}, {right_, bottom_}, {.stroke = ink});
  svg_.line({left_, top_}, {left_, bottom_}, {.stroke = ink});
  x_ticks();
  y_ticks();
  legend();
}

void Chart::legend() {
  using Mark = LegendEntry::Mark;
  double y = legend_top_ + 10.0;
  for (const std::vector<LegendEntry>& row : legend_rows(spec_)) {
    double total = -16.0;
    for (const LegendEntry& entry : row) total += legend_width(entry);
    double x = (spec_.width - total) / 2.0;
    for (const LegendEntry& entry : row) {
      const Point middle{x + 8.0, y - 1.0};
      if (entry.mark == Mark::box) svg_.rect(x + 2.0, y - 7.0, 12.0, 12.0, {.fill = entry.colour});
      if (entry.mark == Mark::dot)
        svg_.circle(middle, 4.0, {.fill = entry.colour, .stroke = "#222222", .width = 0.7});
      if (entry.mark == Mark::ring) svg_.circle(middle, 5.5, {.stroke = entry.colour, .width = 2.0});
      if (entry.mark == Mark::line || entry.mark == Mark::dashes)
        svg_.line({x, middle.y}, {x + 16.0, middle.y},
                  {.stroke = entry.colour, .width = 2.0, .dashes = entry.mark == Mark::dashes ? "4 3" : ""});
      svg_.text({x + 22.0, y + 3.0}, entry.text, {.size = kTick, .fill = svg_.inks().ink});
      x += legend_width(entry);
    }
    y += 18.0;
  }
  y += 2.0;
  for (const std::string& line : spec_.captions) {
    svg_.text({spec_.width / 2.0, y}, line,
              {.size = kCaption, .anchor = "middle", .fill = svg_.inks().faint});
    y += kLineHeight;
  }
}

std::string Chart::finish() && {
  return std::move(svg_).finish();
}

}  // namespace bough
