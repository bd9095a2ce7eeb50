// SPDX-License-Identifier: Apache-2.0
// The colours of all pictures.
#include "draw/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace bough {
namespace {

// The first eight of the contract, then hues far from them and from each other.
constexpr std::array<Colour, 20> kPalette{
    {{230, 159, 0},   {86, 180, 233},  {0, 158, 115},   {240, 228, 66},  {0, 114, 178},
     {213, 94, 0},    {204, 121, 167}, {153, 153, 153}, {150, 105, 200}, {140, 200, 40},
     {235, 70, 155},  {165, 115, 80},  {40, 200, 200},  {215, 75, 85},   {150, 150, 30},
     {115, 125, 240}, {250, 150, 140}, {150, 225, 180}, {235, 190, 240}, {105, 140, 90}}};

// A colour of a hue in [0, 1), between black and white.
Colour of_hue(double hue, double saturation, double lightness) {
  const double reach = saturation * std::min(lightness, 1.0 - lightness);
  const auto part = [&](double turn) {
    const double k = std::fmod(turn + hue * 12.0, 12.0);
    return 255.0 * (lightness - reach * std::clamp(std::min(k - 3.0, 9.0 - k), -1.0, 1.0));
  };
  return {part(0.0), part(8.0), part(4.0)};
}

}  // namespace

Colour class_colour(std::size_t number) {
  if (number < kPalette.size()) return kPalette[number];
  constexpr double kGolden = 0.6180339887498949;  // steps that stay far from all hues before
  const double turns = static_cast<double>(number - kPalette.size()) * kGolden + 0.8;
  const double lightness = number % 2 == 0 ? 0.62 : 0.74;
  return of_hue(turns - std::floor(turns), 0.75, lightness);
}

Colour value_colour() {
  return kPalette[1];
}

std::string blend(const Colour& colour, double strength) {
  const auto mix = [&](double part) {
    return static_cast<int>(std::lround(255.0 + (part - 255.0) * strength));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(colour.red), mix(colour.green), mix(colour.blue));
}

std::string hex(const Colour& colour) {
  return blend(colour, 1.0);
}

std::string class_fill(std::size_t number, double share, std::size_t n_classes) {
  const double even = 1.0 / static_cast<double>(std::max<std::size_t>(n_classes, 1));
  const double strength = even < 1.0 ? (share - even) / (1.0 - even) : 1.0;
  return blend(class_colour(number), kMostStrength * std::clamp(strength, 0.0, 1.0));
}

Colour effect_colour(bool above) {
  return kPalette[above ? 4 : 5];
}

std::string effect_fill(double value, double farthest) {
  const double strength = farthest > 0.0 ? std::fabs(value) / farthest : 0.0;
  return blend(effect_colour(value >= 0.0), 0.6 * std::clamp(strength, 0.0, 1.0));
}

std::string value_fill(double value, double low, double high) {
  const double range = high / 2.0 - low / 2.0;  // halves: the difference itself may overflow
  const double strength = range > 0.0 ? (value / 2.0 - low / 2.0) / range : 0.0;
  return blend(value_colour(), kMostStrength * std::clamp(strength, 0.0, 1.0));
}

std::pair<double, double> value_range(const Tree& tree) {
  std::pair range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  std::vector<double> values(tree.value_width());
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    tree.values(node, values);
    range = {std::min(range.first, values.front()), std::max(range.second, values.front())};
  }
  return range;
}

}  // namespace bough
