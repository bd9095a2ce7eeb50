// SPDX-License-Identifier: Apache-2.0
// A walk over the tree that keeps, per column, the cells that lead to the current node and the least change
// to one of them.
//
// The box of a node is a product of one set per column, so the least change is found column by column; it
// only grows on the way down. A branch is left where its change is no better than the best so far, which
// loses nothing.
#include "explain/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "explain/decided.hpp"

namespace bough {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The cells of a column that lead to the current node, and how the row gets one of them.
struct State {
  bool own = true;  // the row's own cell does
  double low = -kInfinity;
  double high = kInfinity;
  std::vector<std::uint32_t> levels{};  // categories
  double cell = 0.0;                    // else: the nearest that does
  double size = 0.0;
};

class Walk {
 public:
  Walk(const Tree& tree, std::span<const double> row, std::span<const ColumnRule> rules,
       const std::function<bool(NodeId)>& wanted)
      : tree_(tree), row_(row), rules_(rules), wanted_(wanted), states_(rules.size()) {
    for (std::size_t j = 0; j < rules.size(); ++j) {
      if (rules[j].kind == Kind::ordinal) states_[j].high = static_cast<double>(rules[j].n_levels) - 1.0;
      if (rules[j].kind == Kind::ordinal) states_[j].low = -1.0;
      if (rules[j].kind != Kind::category) continue;
      for (std::uint32_t level = 0; level < rules[j].n_levels; ++level) states_[j].levels.push_back(level);
    }
  }

  Nearest run() {
    enter(0, {});
    while (!open_.empty()) {
      Frame& frame = open_.back();
      if (frame.next < static_cast<std::int32_t>(tree_.children(frame.node).size())) {
        descend(frame.node, frame.next++);
        continue;
      }
      leave();
    }
    return best_;
  }

 private:
  struct Frame {
    NodeId node = 0;
    std::int32_t next = 0;
    ColId column = -1;  // whose state the way here has changed
    State before{};
  };

  void enter(NodeId node, Frame frame) {
    frame.node = node;
    open_.push_back(std::move(frame));
    if (tree_.is_leaf(node)) {
      consider(node);
      leave();
      return;
    }
    const auto column = static_cast<std::size_t>(tree_.column(node));
    if (states_[column].own && how_decided(tree_, node, row_[column]) == Decided::stops)
      consider(node);
    else
      consider_stopping_levels(node);
  }

  // A row may also get a level that no child of the node takes, and end there.
  void consider_stopping_levels(NodeId node) {
    const ColId column = tree_.column(node);
    const auto j = static_cast<std::size_t>(column);
    State state = states_[j];
    state.own = false;
    std::erase_if(state.levels,
                  [&](std::uint32_t level) { return how_decided(tree_, node, level) != Decided::stops; });
    if (state.levels.empty() || !find_cell(rules_[j], row_[j], state)) return;
    State before = states_[j];
    put(column, std::move(state));
    consider(node);
    put(column, std::move(before));
  }

  void leave() {
    Frame& frame = open_.back();
    if (frame.column >= 0) put(frame.column, std::move(frame.before));
    open_.pop_back();
  }

  void put(ColId column, State state) {
    if (state.own)
      changed_.erase(column);
    else
      changed_[column] = state.size;
    states_[static_cast<std::size_t>(column)] = std::move(state);
  }

  void descend(NodeId node, std::int32_t child) {
    const ColId column = tree_.column(node);
    std::optional<State> state = narrowed(node, child);
    if (!state) return;
    Frame frame;
    frame.column = column;
    frame.before = states_[static_cast<std::size_t>(column)];
    put(column, std::move(*state));
    if (best_.node >= 0 && !is_better()) {
      put(column, std::move(frame.before));
      return;
    }
    enter(tree_.children(node)[static_cast<std::size_t>(child)], std::move(frame));
  }

  // The state of the tested column behind a child; nothing when no cell leads there.
  [[nodiscard]] std::optional<State> narrowed(NodeId node, std::int32_t child) const {
    const auto column = static_cast<std::size_t>(tree_.column(node));
    State state = states_[column];
    const double cell = row_[column];
    state.own = state.own && route(tree_, node, [&](ColId) { return cell; }) == child;
    cut(node, child, state);
    if (state.own) return state;
    return find_cell(rules_[column], cell, state) ? std::optional(std::move(state)) : std::nullopt;
  }

  void cut(NodeId node, std::int32_t child, State& state) const {
    if (tests_intervals(tree_.kind(node))) {
      const CellInterval to = child_interval(tree_, node, child);
      state.low = std::max(state.low, to.low);
      state.high = std::min(state.high, to.high);
      return;
    }
    std::erase_if(state.levels, [&](std::uint32_t level) {
      const Decided how = how_decided(tree_, node, level);
      return (how != Decided::by_cell && how != Decided::by_default) ||
             route(tree_, node, [&](ColId) { return level; }) != child;
    });
  }

  static bool find_cell(const ColumnRule& rule, double own, State& state) {
    if (!rule.may_rise && !rule.may_fall) return false;
    if (rule.kind == Kind::category) {
      if (state.levels.empty()) return false;
      state.cell = state.levels.front();
      state.size = 1.0;
      return true;
    }
    const Grid grid = rule.kind == Kind::ordinal ? Grid::whole : rule.grid;
    const bool unknown = std::isnan(own) || (rule.kind == Kind::ordinal && own < 0.0);
    const bool rises = unknown ? state.low > -kInfinity : own <= state.low;
    if (!unknown && !(rises ? rule.may_rise : rule.may_fall)) return false;
    state.cell = rises                    ? grid_above(state.low, grid)
                 : state.high < kInfinity ? grid_at_most(state.high, grid)
                                          : 0.0;
    state.size = unknown ? 1.0 : std::fabs(state.cell - own) / rule.spread;
    return std::isfinite(state.cell) && state.cell > state.low && state.cell <= state.high;
  }

  [[nodiscard]] double distance() const {
    double sum = 0.0;
    for (const auto& [column, size] : changed_) sum += size;
    return sum;
  }
  [[nodiscard]] bool is_better() const {
    if (changed_.size() != best_.moves.size()) return changed_.size() < best_.moves.size();
    return distance() < best_.distance;
  }

  void consider(NodeId node) {
    if (!wanted_(node) || (best_.node >= 0 && !is_better())) return;
    best_ = {node, {}, distance()};
    for (const auto& [column, size] : changed_) {
      const State& state = states_[static_cast<std::size_t>(column)];
      best_.moves.push_back({column, state.cell, size, state.low, state.high, state.levels});
    }
  }

  const Tree& tree_;
  std::span<const double> row_;
  std::span<const ColumnRule> rules_;
  const std::function<bool(NodeId)>& wanted_;
  std::vector<State> states_;
  std::map<ColId, double> changed_;
  std::vector<Frame> open_;
  Nearest best_;
};

}  // namespace

ColumnSpread spread_of(std::span<const double> cells) {
  double count = 0.0, sum = 0.0, squares = 0.0;
  bool whole = cells.size() > 1;
  for (const double x : cells) {
    if (!std::isfinite(x)) continue;
    count += 1.0;
    sum += x;
    whole = whole && x == std::floor(x);
  }
  for (const double x : cells)
    if (std::isfinite(x)) squares += (x - sum / count) * (x - sum / count);
  return {count > 1.0 ? std::sqrt(squares / (count - 1.0)) : 0.0, whole && count > 0.0};
}

// The smallest number of the grid above `low`.
double grid_above(double low, Grid grid) {
  if (grid == Grid::whole) return std::floor(low) + 1.0;
  if (grid == Grid::reals) return std::nextafter(low, kInfinity);
  const auto near = static_cast<float>(low);
  return static_cast<double>(near) > low ? near
                                         : std::nextafter(near, std::numeric_limits<float>::infinity());
}

// The largest number of the grid that is not above `high`.
double grid_at_most(double high, Grid grid) {
  if (grid == Grid::whole) return std::floor(high);
  if (grid == Grid::reals) return high;
  const auto near = static_cast<float>(high);
  return static_cast<double>(near) <= high ? near
                                           : std::nextafter(near, -std::numeric_limits<float>::infinity());
}

Nearest find_nearest(const Tree& tree, std::span<const double> row, std::span<const ColumnRule> rules,
                     const std::function<bool(NodeId)>& wanted) {
  return Walk(tree, row, rules, wanted).run();
}

}  // namespace bough
