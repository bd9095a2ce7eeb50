// SPDX-License-Identifier: Apache-2.0
// SVG text: shapes, words and their widths, in a document that needs nothing else.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bough/draw.hpp"

namespace bough {

/// Text as XML takes it: markup and quotes escaped, signs that XML forbids replaced.
std::string xml_text(std::string_view text);

/// Width of a line of sans-serif text, a little more than what common fonts need.
double text_width(std::string_view text, double size);
/// The text cut to a width, with an ellipsis when something is missing.
std::string fit_text(std::string_view text, double size, double width);

/// The text in at most `most` lines of a width, broken at blanks; the last one is cut when it is too long.
std::vector<std::string> wrap_text(std::string_view text, double size, double width, std::size_t most);
/// A number in little room: 3 significant digits unless told, powers of ten where it is large or small.
std::string short_number(double value, int digits = 3);

/// The colours that are no data.
struct Inks {
  std::string background;  ///< "" : none
  std::string ink;         ///< words and axes
  std::string faint;       ///< lines that lead the eye
  std::string grid;
};
Inks inks_of(Theme theme);

/// How a line of text stands.
struct TextStyle {
  double size = 12.0;
  std::string_view anchor = "start";  ///< start, middle, end
  std::string_view fill = "#000000";
  bool bold = false;
  bool halo = false;    ///< with an edge in the background's colour
  double turned = 0.0;  ///< degrees, clockwise
};

/// How the edge and the inside of a shape look; empty: none.
struct ShapeStyle {
  std::string_view fill = "none";
  std::string_view stroke = "none";
  double width = 1.0;
  std::string_view dashes = "";
  double opacity = 1.0;
};

/// A document that grows. Numbers are written with at most two decimals.
class Svg {
 public:
  Svg(double width, double height, Theme theme, std::string_view title, std::string_view description);

  void rect(double x, double y, double width, double height, const ShapeStyle& style, double radius = 0.0);
  void line(Point from, Point to, const ShapeStyle& style);
  void circle(Point middle, double radius, const ShapeStyle& style);
  void polygon(std::span<const Point> points, const ShapeStyle& style);
  void polyline(std::span<const Point> points, const ShapeStyle& style);
  /// A curve from one point down to another.
  void branch(Point from, Point to, const ShapeStyle& style);
  void text(Point at, std::string_view words, const TextStyle& style);
  /// Opens a group; `tooltip` is shown when the pointer rests on it.
  void open(std::string_view attributes, std::string_view tooltip = {});
  void close();

  [[nodiscard]] const Inks& inks() const noexcept { return inks_; }
  /// The whole document.
  [[nodiscard]] std::string finish() &&;

 private:
  [[nodiscard]] std::string style_text(const ShapeStyle& style) const;
  Inks inks_;
  std::string text_;
};

}  // namespace bough
