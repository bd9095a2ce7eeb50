// SPDX-License-Identifier: Apache-2.0
// The answers of a model over two columns as a grid of all its cuts, and over one column as steps.
//
// The answer is constant between neighbouring cuts of all tests, so the model is asked once per cell of the
// grid of cuts and equal neighbours are merged. This holds for several trees and for rows that a held missing
// cell shares out, which have no node of their own.
#include <fmt/format.h>

#include "draw/regions.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostCells = 1'000'000;

// Borders of the cells along an axis, and a place inside of each.
struct GridAxis {
  std::vector<double> borders;
  std::vector<double> places;
};

GridAxis grid_axis(const Model& model, const Slice& slice, const SliceAxis& axis) {
  GridAxis grid;
  if (axis.is_levels) {
    for (std::size_t i = 0; i <= axis.n_levels; ++i) grid.borders.push_back(static_cast<double>(i) - 0.5);
    for (std::size_t i = 0; i < axis.n_levels; ++i) grid.places.push_back(static_cast<double>(i));
    return grid;
  }
  grid.borders.push_back(axis.low);
  for (const double cut : cuts_of(model, slice, axis)) grid.borders.push_back(cut);
  grid.borders.push_back(axis.high);
  for (std::size_t i = 0; i + 1 < grid.borders.size(); ++i) {
    const double low = grid.borders[i], high = grid.borders[i + 1], middle = low / 2.0 + high / 2.0;
    grid.places.push_back(middle > low ? middle : high);  // x <= high belongs here, x <= low does not
  }
  return grid;
}

void refuse_sums(const Model& model, const Slice& slice) {
  for (const Tree& tree : model.trees())
    for (NodeId node = 0; node < tree.n_nodes(); ++node)
      for (const ObliqueTerm& term : tree.terms(node))
        if (slice.shows(term.column))
          throw Error(
              ErrorCode::not_supported,
              fmt::format("node {} tests a sum of columns, which regions of several trees do not draw", node),
              "choose one of the trees");
}

}  // namespace

void add_grid(const Model& model, const Slice& slice, Regions& out) {
  refuse_sums(model, slice);
  const GridAxis x = grid_axis(model, slice, slice.axes[0]), y = grid_axis(model, slice, slice.axes[1]);
  if (x.places.size() * y.places.size() > kMostCells)
    throw Error(
        ErrorCode::not_supported,
        fmt::format("the trees cut these columns into {} x {} pieces", x.places.size(), y.places.size()),
        "choose one of the trees");
  // Runs of the row below that the row above may continue: index of the region by its first cell.
  std::vector<std::ptrdiff_t> open(x.places.size(), -1);
  for (std::size_t row = 0; row < y.places.size(); ++row) {
    std::vector<Point> places;
    for (const double at : x.places) places.push_back({at, y.places[row]});
    const std::vector<SliceAnswer> answers = answers_at(model, slice, places);
    std::vector<std::ptrdiff_t> now(x.places.size(), -1);
    for (std::size_t first = 0, last = 0; first < answers.size(); first = last) {
      while (last < answers.size() && answers[last] == answers[first]) ++last;
      const double left = x.borders[first], right = x.borders[last];
      const std::ptrdiff_t below = open[first];
      if (below >= 0) {
        AnswerRegion& region = out.regions[static_cast<std::size_t>(below)];
        if (region.corners[1].x == right && region.value == answers[first].value &&
            region.shares == answers[first].shares) {
          region.corners[2].y = region.corners[3].y = y.borders[row + 1];
          now[first] = below;
          continue;
        }
      }
      const double bottom = y.borders[row], top = y.borders[row + 1];
      now[first] = std::ssize(out.regions);
      out.regions.push_back({{{left, bottom}, {right, bottom}, {right, top}, {left, top}},
                             -1,
                             answers[first].value,
                             answers[first].shares});
    }
    open = std::move(now);
  }
}

std::vector<FitStep> steps_of(const Model& model, const Slice& slice) {
  const GridAxis grid = grid_axis(model, slice, slice.axes[0]);
  std::vector<Point> places;
  for (const double at : grid.places) places.push_back({at, 0.0});
  const std::vector<SliceAnswer> answers = answers_at(model, slice, places);
  std::vector<FitStep> steps;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const bool continues = !steps.empty() && !slice.axes[0].is_levels &&
                           steps.back().value == answers[i].value && steps.back().shares == answers[i].shares;
    if (continues)
      steps.back().to = grid.borders[i + 1];
    else
      steps.push_back({grid.borders[i], grid.borders[i + 1], answers[i].value, answers[i].shares});
  }
  return steps;
}

}  // namespace bough
