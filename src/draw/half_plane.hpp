// SPDX-License-Identifier: Apache-2.0
// Convex polygons cut by half planes (Sutherland and Hodgman 1974).
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bough/draw.hpp"

namespace bough {

/// The points with a * x + b * y <= limit.
struct HalfPlane {
  double a = 0.0, b = 0.0, limit = 0.0;

  [[nodiscard]] HalfPlane other() const { return {-a, -b, -limit}; }
  /// How far a point is outside.
  [[nodiscard]] double excess(Point point) const { return a * point.x + b * point.y - limit; }

  /// Where the border crosses the way between a point inside and one outside. Upright and level borders are
  /// met exactly.
  [[nodiscard]] Point crossing(Point from, Point to) const {
    const double before = excess(from), after = excess(to);
    const double part = before / (before - after);
    Point point{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
    if (b == 0.0) point.x = limit / a;
    if (a == 0.0) point.y = limit / b;
    return point;
  }
};

/// The part of a convex polygon inside; empty when it has no area.
inline std::vector<Point> clip(std::span<const Point> polygon, const HalfPlane& plane) {
  std::vector<Point> out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point here = polygon[i], next = polygon[(i + 1) % polygon.size()];
    const double before = plane.excess(here), after = plane.excess(next);
    if (before <= 0.0) out.push_back(here);
    if ((before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0))
      out.push_back(plane.crossing(here, next));
  }
  const auto flat = [&](double Point::*side) {
    const auto [low, high] = std::ranges::minmax(out, {}, side);
    return !(low.*side < high.*side);
  };
  if (out.size() < 3 || flat(&Point::x) || flat(&Point::y)) return {};
  return out;
}

/// The piece of the border that lies inside the polygon; nothing when it only touches it.
inline std::optional<std::pair<Point, Point>> border(std::span<const Point> polygon, const HalfPlane& plane) {
  std::vector<Point> ends;
  bool in = false, out = false;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point here = polygon[i], next = polygon[(i + 1) % polygon.size()];
    const double before = plane.excess(here), after = plane.excess(next);
    in = in || before < 0.0;
    out = out || before > 0.0;
    if (before == 0.0) ends.push_back(here);
    if ((before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0))
      ends.push_back(plane.crossing(here, next));
  }
  if (!in || !out || ends.size() < 2) return std::nullopt;
  return std::pair(ends.front(), ends.back());
}

}  // namespace bough
