// SPDX-License-Identifier: Apache-2.0
// The answers of one tree over two columns as exact regions.
//
// One tree is walked level by level. Every open node owns a convex polygon of the plane (axes of levels: the
// whole band of the axis) and the levels that can still come to it; a test on a number or a sum of shown
// columns cuts the polygon by a half plane, a test on levels divides the levels, a test on a held column
// leaves one child. Nothing is sampled, so that thin regions are seen and borders stand where they are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "draw/half_plane.hpp"
#include "draw/regions.hpp"
#include "explain/outcome.hpp"
#include "predict/route.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostRegions = 4000;

// A node that is still open, and the part of the plane from which rows come to it.
struct Piece {
  NodeId node = 0;
  std::vector<Point> polygon;
  std::vector<bool> x_levels, y_levels;  // axes of levels: those that come here
};

class Walker {
 public:
  Walker(const Model& model, const Slice& slice, const SliceOptions& options)
      : model_(model), tree_(model.tree()), slice_(slice), wish_(options.max_depth) {}

  // Throws Shared when the answer is a mixture.
  void walk(Regions& out) {
    out_ = &out;
    std::vector<Piece> level{whole()};
    for (std::int32_t depth = 0; !level.empty(); ++depth) {
      const bool at_wish = wish_ && *wish_ >= 0 && depth >= *wish_;
      std::vector<Piece> next;
      std::vector<RegionCut> cuts;
      stopped_.clear();
      for (const Piece& piece : level)
        if (!tree_.is_leaf(piece.node)) divide(piece, depth, next, cuts);
      const auto inner = static_cast<std::size_t>(
          std::ranges::count_if(level, [&](const Piece& p) { return !tree_.is_leaf(p.node); }));
      const bool ends = at_wish || out.regions.size() + level.size() + next.size() - inner > kMostRegions;
      for (const Piece& piece : level)
        if (ends || tree_.is_leaf(piece.node)) emit(piece);
      if (ends && inner > 0) {
        out.max_depth = depth;
        for (RegionCut& cut : cuts) cut.next = true;
      }
      out.cuts.insert(out.cuts.end(), cuts.begin(), cuts.end());
      if (ends) return;
      for (const Piece& piece : stopped_) emit(piece);
      level = std::move(next);
    }
  }

 private:
  [[nodiscard]] const SliceAxis& x() const { return slice_.axes[0]; }
  [[nodiscard]] const SliceAxis& y() const { return slice_.axes[1]; }

  [[nodiscard]] Piece whole() const {
    Piece piece;
    piece.polygon = {{x().low, y().low}, {x().high, y().low}, {x().high, y().high}, {x().low, y().high}};
    piece.x_levels.assign(x().is_levels ? x().n_levels : 0, true);
    piece.y_levels.assign(y().is_levels ? y().n_levels : 0, true);
    return piece;
  }

  void divide(const Piece& piece, std::int32_t depth, std::vector<Piece>& next,
              std::vector<RegionCut>& cuts) {
    const NodeId node = piece.node;
    if (tree_.kind(node) == NodeKind::oblique) return divide_by_sum(piece, depth, next, cuts);
    const ColId column = tree_.column(node);
    if (!slice_.shows(column)) return pass(piece, next);
    const bool across = column == x().column;
    if (tree_.kind(node) == NodeKind::numeric) {
      const double threshold = tree_.threshold(node);
      divide_by_plane(piece, {across ? 1.0 : 0.0, across ? 0.0 : 1.0, threshold}, depth, next, cuts);
    } else if (tree_.kind(node) == NodeKind::interval) {
      divide_by_cuts(piece, across, depth, next, cuts);
    } else {
      divide_levels(piece, across, depth, next, cuts);
    }
  }

  // A test on held columns.
  void pass(const Piece& piece, std::vector<Piece>& next) {
    const std::int32_t child = route(tree_, piece.node, [&](ColId column) {
      // A surrogate on a shown column has no one answer.
      if (slice_.shows(column)) throw Shared{};
      return slice_.cells[static_cast<std::size_t>(column)];
    });
    go(piece, child, next);
  }

  void go(const Piece& piece, std::int32_t child, std::vector<Piece>& next) {
    if (child == missing_by_share) throw Shared{};
    if (child < 0) {
      stopped_.push_back(piece);
      return;
    }
    Piece below = piece;
    below.node = tree_.children(piece.node)[static_cast<std::size_t>(child)];
    next.push_back(std::move(below));
  }

  void divide_by_plane(const Piece& piece, const HalfPlane& plane, std::int32_t depth,
                       std::vector<Piece>& next, std::vector<RegionCut>& cuts) {
    const auto children = tree_.children(piece.node);
    if (const auto segment = border(piece.polygon, plane))
      add_cut(piece, segment->first, segment->second, depth, cuts);
    for (std::size_t i = 0; i < 2; ++i) {
      Piece below{children[i], clip(piece.polygon, i == 0 ? plane : plane.other()), piece.x_levels,
                  piece.y_levels};
      if (!below.polygon.empty()) next.push_back(std::move(below));
    }
  }

  void divide_by_cuts(const Piece& piece, bool across, std::int32_t depth, std::vector<Piece>& next,
                      std::vector<RegionCut>& cuts) {
    const auto values = tree_.cuts(piece.node);
    const auto children = tree_.children(piece.node);
    std::vector<Point> rest = piece.polygon;
    for (std::size_t i = 0; i < children.size() && !rest.empty(); ++i) {
      if (i == values.size()) {
        next.push_back({children[i], rest, piece.x_levels, piece.y_levels});
        break;
      }
      const HalfPlane plane{across ? 1.0 : 0.0, across ? 0.0 : 1.0, values[i]};
      if (const auto segment = border(rest, plane))
        add_cut(piece, segment->first, segment->second, depth, cuts);
      std::vector<Point> part = clip(rest, plane);
      if (!part.empty()) next.push_back({children[i], std::move(part), piece.x_levels, piece.y_levels});
      rest = clip(rest, plane.other());
    }
  }

  void divide_by_sum(const Piece& piece, std::int32_t depth, std::vector<Piece>& next,
                     std::vector<RegionCut>& cuts) {
    HalfPlane plane{0.0, 0.0, tree_.threshold(piece.node)};
    for (const ObliqueTerm& term : tree_.terms(piece.node)) {
      for (const SliceAxis& axis : slice_.axes)
        if (axis.column == term.column && axis.is_levels)
          throw Error(
              ErrorCode::not_supported,
              fmt::format("node {} adds up the ordinal column {}, and regions are drawn for sums of numbers",
                          piece.node, column_name(model_, term.column)),
              "choose other columns");
      if (term.column == x().column)
        plane.a = term.weight;
      else if (term.column == y().column)
        plane.b = term.weight;
      else
        plane.limit -= term.weight * slice_.cells[static_cast<std::size_t>(term.column)];
    }
    if (std::isnan(plane.limit)) return pass_missing_sum(piece, next);
    if (plane.a == 0.0 && plane.b == 0.0) return go(piece, 0.0 <= plane.limit ? 0 : 1, next);
    divide_by_plane(piece, plane, depth, next, cuts);
  }

  void pass_missing_sum(const Piece& piece, std::vector<Piece>& next) {
    if (has_surrogates(tree_, piece.node)) throw Shared{};
    go(piece, route_missing(tree_, piece.node), next);
  }

  void divide_levels(const Piece& piece, bool across, std::int32_t depth, std::vector<Piece>& next,
                     std::vector<RegionCut>& cuts) {
    const std::vector<bool>& levels = across ? piece.x_levels : piece.y_levels;
    const auto children = tree_.children(piece.node);
    std::vector<std::int32_t> child_of(levels.size(), -1);
    for (std::size_t level = 0; level < levels.size(); ++level) {
      if (!levels[level]) continue;
      child_of[level] = route(tree_, piece.node, [&](ColId column) {
        if (column == tree_.column(piece.node)) return static_cast<double>(level);
        if (slice_.shows(column)) throw Shared{};
        return slice_.cells[static_cast<std::size_t>(column)];
      });
      if (child_of[level] == missing_by_share) throw Shared{};
    }
    for (std::int32_t child = missing_stops; child < std::ssize(children); ++child) {
      if (child == missing_by_share || child == missing_surrogate) continue;
      Piece below = piece;
      std::vector<bool>& left = across ? below.x_levels : below.y_levels;
      for (std::size_t level = 0; level < levels.size(); ++level)
        left[level] = levels[level] && child_of[level] == child;
      if (std::ranges::find(left, true) == left.end()) continue;
      if (child < 0) {
        stopped_.push_back(std::move(below));
        continue;
      }
      below.node = children[static_cast<std::size_t>(child)];
      next.push_back(std::move(below));
    }
    add_level_cuts(piece, across, levels, child_of, depth, cuts);
  }

  // Borders between neighbouring levels that part here.
  void add_level_cuts(const Piece& piece, bool across, const std::vector<bool>& levels,
                      const std::vector<std::int32_t>& child_of, std::int32_t depth,
                      std::vector<RegionCut>& cuts) {
    for (std::size_t level = 0; level + 1 < levels.size(); ++level) {
      if (!levels[level] || !levels[level + 1] || child_of[level] == child_of[level + 1]) continue;
      const HalfPlane plane{across ? 1.0 : 0.0, across ? 0.0 : 1.0, static_cast<double>(level) + 0.5};
      if (const auto segment = border(piece.polygon, plane))
        add_cut(piece, segment->first, segment->second, depth, cuts);
    }
  }

  // A line across bands of levels is drawn only over those that come to the node.
  void add_cut(const Piece& piece, Point from, Point to, std::int32_t depth, std::vector<RegionCut>& cuts) {
    const bool upright = from.x == to.x;
    const std::vector<bool>& levels = upright ? piece.y_levels : piece.x_levels;
    if (levels.empty()) {
      cuts.push_back({from, to, depth, false});
      return;
    }
    for (const auto& [low, high] : runs(levels)) {
      if (upright)
        cuts.push_back({{from.x, low}, {to.x, high}, depth, false});
      else
        cuts.push_back({{low, from.y}, {high, to.y}, depth, false});
    }
  }

  // Neighbouring levels as stretches of their axis.
  static std::vector<std::pair<double, double>> runs(const std::vector<bool>& levels) {
    std::vector<std::pair<double, double>> out;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (!levels[i]) continue;
      const double low = static_cast<double>(i) - 0.5;
      if (!out.empty() && out.back().second == low)
        out.back().second = low + 1.0;
      else
        out.emplace_back(low, low + 1.0);
    }
    return out;
  }

  void emit(const Piece& piece) {
    Outcome outcome = outcomes(model_, tree_, piece.node)[slice_.output];
    const auto x_runs = x().is_levels ? runs(piece.x_levels) : whole_axis(x());
    const auto y_runs = y().is_levels ? runs(piece.y_levels) : whole_axis(y());
    for (const auto& [left, right] : x_runs) {
      for (const auto& [bottom, top] : y_runs) {
        std::vector<Point> part = piece.polygon;
        if (x().is_levels) part = clip(clip(part, {1.0, 0.0, right}), {-1.0, 0.0, -left});
        if (y().is_levels) part = clip(clip(part, {0.0, 1.0, top}), {0.0, -1.0, -bottom});
        if (!part.empty())
          out_->regions.push_back({std::move(part), piece.node, outcome.value, outcome.shares});
      }
    }
  }
  static std::vector<std::pair<double, double>> whole_axis(const SliceAxis& axis) {
    return {{axis.low, axis.high}};
  }

  const Model& model_;
  const Tree& tree_;
  const Slice& slice_;
  std::optional<int> wish_;
  std::vector<Piece> stopped_;  // rows of this level that a missing cell keeps at their node
  Regions* out_ = nullptr;
};

}  // namespace

void walk_regions(const Model& model, const Slice& slice, const SliceOptions& options, Regions& out) {
  Walker(model, slice, options).walk(out);
}

}  // namespace bough
