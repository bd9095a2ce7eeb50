// SPDX-License-Identifier: Apache-2.0
// The box of a node: what every tested column may hold for a row that comes here.
#include <algorithm>
#include <limits>

#include "bough/tree.hpp"
#include "tree/child_cells.hpp"
#include "tree/shares.hpp"
#include "tree/surrogate.hpp"

namespace bough {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A step on the way: at `node`, to child number `child`.
struct Step {
  NodeId node;
  std::int32_t child;
};

bool lets_missing_pass(const Tree& tree, const Step& step) {
  const std::int32_t to = tree.missing_to(step.node);
  if (to == missing_by_share) return tree.child_shares(step.node)[static_cast<std::size_t>(step.child)] > 0.0;
  const bool surrogates = to == missing_surrogate || to == missing_surrogate_or_stops;
  if (surrogates && has_surrogates(tree, step.node)) return true;
  if (to == missing_surrogate) return largest_child(tree, step.node) == step.child;
  return to == step.child;
}

std::int32_t child_of_level(const Tree& tree, NodeId node, std::uint32_t level) {
  const double cell = level;
  if (tree.kind(node) == NodeKind::equality) return tree.threshold(node) == cell ? 0 : 1;
  return route_level(tree, node, cell);
}

bool may_go(const Tree& tree, const Step& step, std::int32_t child) {
  return child < 0 ? lets_missing_pass(tree, step) : child == step.child;
}

// The column's interval of level indices as an explicit set.
void make_set(BoxSide& side, std::uint32_t n_levels) {
  if (side.is_set) return;
  side.is_set = true;
  for (std::uint32_t level = 0; level < n_levels; ++level) {
    if (level > side.low && level <= side.high) side.levels.push_back(level);
  }
  // An ordinal cell of unknown value counts as missing, so only an untouched interval lets it pass.
  side.unseen = side.low == -kInfinity && side.high == kInfinity;
  side.low = -kInfinity;
  side.high = kInfinity;
}

void narrow(BoxSide& side, const CellInterval& to) {
  if (side.is_set) {
    std::erase_if(side.levels, [&](std::uint32_t level) { return !(level > to.low && level <= to.high); });
    side.unseen = false;
    return;
  }
  side.low = std::max(side.low, to.low);
  side.high = std::min(side.high, to.high);
}

void narrow_to_child(BoxSide& side, const Tree& tree, const Step& step, std::uint32_t n_levels) {
  const NodeKind kind = tree.kind(step.node);
  if (tests_intervals(kind)) return narrow(side, child_interval(tree, step.node, step.child));
  make_set(side, n_levels);
  std::erase_if(side.levels, [&](std::uint32_t level) {
    return !may_go(tree, step, child_of_level(tree, step.node, level));
  });
  side.unseen = side.unseen && may_go(tree, step, kind == NodeKind::equality ? 1 : tree.unseen_to(step.node));
}

std::vector<Step> way_to(const Tree& tree, NodeId node) {
  std::vector<Step> way;
  for (NodeId at = 0; at != node;) {
    const auto children = tree.children(at);
    const auto child = std::upper_bound(children.begin(), children.end(), node) - children.begin() - 1;
    way.push_back({at, static_cast<std::int32_t>(child)});
    at = children[static_cast<std::size_t>(child)];
  }
  return way;
}

}  // namespace

std::vector<BoxSide> Tree::box(NodeId node, std::span<const std::uint32_t> n_levels) const {
  std::map<ColId, BoxSide> sides;
  for (const Step& step : way_to(*this, node)) {
    if (kind(step.node) == NodeKind::oblique) continue;
    const ColId tested = column(step.node);
    auto [found, is_new] = sides.try_emplace(tested);
    BoxSide& side = found->second;
    if (is_new) side = {tested, false, -kInfinity, kInfinity, {}, true, false};
    const auto at = static_cast<std::size_t>(tested);
    narrow_to_child(side, *this, step, at < n_levels.size() ? n_levels[at] : 0);
    side.missing = side.missing && lets_missing_pass(*this, step);
  }
  std::vector<BoxSide> box;
  box.reserve(sides.size());
  for (auto& [tested, side] : sides) box.push_back(std::move(side));
  return box;
}

}  // namespace bough
