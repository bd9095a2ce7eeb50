// SPDX-License-Identifier: Apache-2.0
// The colours of all pictures: classes, values, ink.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "bough/tree.hpp"

namespace bough {

struct Colour {
  double red = 0.0, green = 0.0, blue = 0.0;
};

/// The colour of a class: eight that people with any kind of colour vision tell apart (Okabe and Ito 2008),
/// then other hues, none of which is a darker turn of another: fills are paler turns of these colours.
Colour class_colour(std::size_t number);
/// The colour of high values; low ones are white.
Colour value_colour();

/// Strongest fill on which black text is still easy to read.
inline constexpr double kMostStrength = 0.85;

/// "#rrggbb": white at strength 0, the colour at 1.
std::string blend(const Colour& colour, double strength);
/// The colour itself.
std::string hex(const Colour& colour);

/// Fill of a class by how far its share is above an even one.
std::string class_fill(std::size_t number, double share, std::size_t n_classes);
/// Fill of an effect: white at 0, one colour above and another below, as strong as it is far from 0.
std::string effect_fill(double value, double farthest);
/// The colour of effects above or below 0.
Colour effect_colour(bool above);
/// Fill of a value between the lowest and the highest.
std::string value_fill(double value, double low, double high);
/// The lowest and the highest number of a tree's nodes (of its first output).
std::pair<double, double> value_range(const Tree& tree);

}  // namespace bough
