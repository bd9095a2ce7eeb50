// SPDX-License-Identifier: Apache-2.0
// The walk over a tree that adds up Shapley values.
#include "explain/tree_shapley.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "explain/decided.hpp"
#include "model/combine.hpp"

namespace bough {
namespace {

// The most different columns on a way from the root to a leaf.
std::size_t most_columns(const Tree& tree) {
  std::map<ColId, int> tested;
  std::size_t most = 0;
  struct Open {
    NodeId node;
    std::size_t next;
  };
  std::vector<Open> open{{0, 0}};
  while (!open.empty()) {
    auto& [node, next] = open.back();
    const auto children = tree.children(node);
    if (next == 0 && !tree.is_leaf(node)) ++tested[tree.column(node)];
    most = std::max(most, tested.size());
    if (next < children.size()) {
      open.push_back({children[next++], 0});
      continue;
    }
    if (!tree.is_leaf(node))
      if (const auto at = tested.find(tree.column(node)); --at->second == 0) tested.erase(at);
    open.pop_back();
  }
  return most;
}

}  // namespace

void EndingValues::write(NodeId node, std::span<double> out) const {
  node_weights(*tree_, node, extra_weight(*parts_), out);
  normalise_outputs(*tree_, out);
  if (parts_->combine != Combine::vote) return;
  std::size_t at = 0;
  for (const std::uint32_t width : tree_->output_widths()) {
    const std::span<double> part = out.subspan(at, width);
    const std::size_t vote = largest(part);
    std::ranges::fill(part, 0.0);
    part[vote] = 1.0;
    at += width;
  }
}

TreeShapley::TreeShapley(const Model::Parts& parts, std::size_t tree)
    : tree_(&parts.trees[tree]),
      values_(parts, *tree_),
      depth_(tree_->depth()),
      votes_(parts.combine == Combine::vote),
      by_weight_(!parts.params.loss_matrix.empty()) {
  if (depth_ > kDeepestGame)
    throw Error(ErrorCode::not_supported,
                fmt::format("tree {} is {} deep, and Shapley values are made for trees of up to {}", tree,
                            depth_, kDeepestGame),
                "set max_depth when the model is fitted, or prune it");
  for (NodeId node = 0; node < tree_->n_nodes(); ++node) {
    if (tree_->kind(node) == NodeKind::oblique)
      throw Error(
          ErrorCode::not_supported,
          fmt::format("node {} of tree {} tests a sum of columns, which Shapley values here do not divide",
                      node, tree),
          "fit a tree whose tests look at one column each");
  }
  rule_ = gauss_legendre((most_columns(*tree_) + 1) / 2);
}

NodeId TreeShapley::tangled_node(std::span<const double> row) const {
  if (std::ranges::none_of(row, [](double cell) { return std::isnan(cell) || cell < 0.0; })) return -1;
  for (NodeId node = 0; node < tree_->n_nodes(); ++node) {
    if (tree_->is_leaf(node)) continue;
    const Decided how = how_decided(*tree_, node, row[static_cast<std::size_t>(tree_->column(node))]);
    if (how == Decided::by_surrogate || (votes_ && how == Decided::by_share)) return node;
  }
  return -1;
}

double TreeShapley::child_share(NodeId node, std::size_t child) const {
  if (!by_weight_) return tree_->child_shares(node)[child];
  double total = 0.0;
  for (const NodeId other : tree_->children(node)) total += tree_->weight(other);
  return total > 0.0 ? tree_->weight(tree_->children(node)[child]) / total : tree_->child_shares(node)[child];
}

void TreeShapley::add_expected(double scale, std::span<double> out) const {
  struct Open {
    NodeId node;
    double share;
  };
  std::vector<double> values(tree_->value_width());
  std::vector<Open> open{{0, 1.0}};
  while (!open.empty()) {
    const Open here = open.back();
    open.pop_back();
    if (tree_->is_leaf(here.node)) {
      values_.write(here.node, values);
      for (std::size_t i = 0; i < values.size(); ++i) out[i] += scale * here.share * values[i];
      continue;
    }
    const auto children = tree_->children(here.node);
    for (std::size_t c = children.size(); c-- > 0;)
      if (const double share = child_share(here.node, c); share > 0.0)
        open.push_back({children[c], here.share * share});
  }
}

/// One call of TreeShapley::add.
class GameWalk {
 public:
  GameWalk(const TreeShapley& game, std::span<const double> row, std::span<const double> background,
           double scale, TreeShapley::Room& room, std::span<double> out)
      : tree_(*game.tree_),
        game_(game),
        row_(row),
        background_(background),
        scale_(scale),
        room_(room),
        out_(out),
        n_points_(game.rule_.points.size()),
        width_(game.tree_->value_width()) {
    room.factors.assign(row.size(), {});
    room.products.resize((static_cast<std::size_t>(game.depth_) + 2) * n_points_);
    room.sums.resize((static_cast<std::size_t>(game.depth_) + 2) * n_points_ * width_);
    room.values.resize(width_);
  }

  void run() {
    room_.frames.clear();
    if (n_points_ == 0) return;  // a single leaf
    std::fill_n(room_.products.begin(), n_points_, 1.0);
    open({});
    while (!room_.frames.empty()) {
      Frame& frame = room_.frames.back();
      const auto n_children = static_cast<std::int32_t>(tree_.children(frame.node).size());
      if (!tree_.is_leaf(frame.node) && frame.next < n_children)
        descend(frame, frame.next++);
      else
        close();
    }
  }

 private:
  using Frame = TreeShapley::Room::Frame;

  std::span<double> product(std::size_t level) {
    return std::span(room_.products).subspan(level * n_points_, n_points_);
  }
  std::span<double> sum(std::size_t level) {
    return std::span(room_.sums).subspan(level * n_points_ * width_, n_points_ * width_);
  }

  [[nodiscard]] std::int32_t way(NodeId node, std::span<const double> cells) const {
    return route(tree_, node, [&](ColId column) { return cells[static_cast<std::size_t>(column)]; });
  }
  // Share of what goes a way that reaches a child.
  [[nodiscard]] double share(NodeId node, std::int32_t way, std::int32_t child) const {
    return way >= 0                  ? (way == child ? 1.0 : 0.0)
           : way == missing_by_share ? game_.child_share(node, static_cast<std::size_t>(child))
                                     : 0.0;
  }

  void open(Frame frame) {
    const std::size_t level = room_.frames.size();
    std::ranges::fill(sum(level), 0.0);
    const NodeId node = frame.node;
    if (!tree_.is_leaf(node)) {
      frame.known_way = way(node, row_);
      frame.other_way =
          background_.empty() ? static_cast<std::int32_t>(missing_by_share) : way(node, background_);
    }
    room_.frames.push_back(frame);
    if (tree_.is_leaf(node)) {
      end(node, product(level), sum(level));
      return;
    }
    const double known = frame.known_way == missing_stops ? 1.0 : 0.0;
    const double other = frame.other_way == missing_stops ? 1.0 : 0.0;
    if (known > 0.0 || other > 0.0) stop(node, known, other);
  }

  // Values times products of an ending.
  void end(NodeId node, std::span<const double> products, std::span<double> sums) {
    game_.values_.write(node, room_.values);
    for (std::size_t k = 0; k < n_points_; ++k)
      for (std::size_t i = 0; i < width_; ++i) sums[k * width_ + i] += products[k] * room_.values[i];
  }

  // What stops at an inner node goes a way of its own.
  void stop(NodeId node, double known, double other) {
    Frame frame = entered(node, known, other);
    if (frame.a == 0.0 && frame.b == 0.0) return;
    const std::size_t level = room_.frames.size();
    multiply(frame, level);
    std::ranges::fill(sum(level), 0.0);
    end(node, product(level), sum(level));
    settle(frame, level);
  }

  // The frame behind a test of `node` that lets through these shares.
  [[nodiscard]] Frame entered(NodeId node, double known, double other) const {
    Frame frame;
    frame.column = tree_.column(node);
    const auto& factor = room_.factors[static_cast<std::size_t>(frame.column)];
    frame.above = factor.tested;
    frame.above_a = factor.a;
    frame.above_b = factor.b;
    frame.a = factor.a * known;
    frame.b = factor.b * other;
    return frame;
  }

  // Products one level down.
  void multiply(const Frame& frame, std::size_t level) {
    const std::span<const double> from = product(level - 1);
    const std::span<double> to = product(level);
    for (std::size_t k = 0; k < n_points_; ++k) {
      const double t = game_.rule_.points[k];
      const double now = frame.a * t + frame.b * (1.0 - t);
      to[k] = frame.above ? from[k] / (frame.above_a * t + frame.above_b * (1.0 - t)) * now : from[k] * now;
    }
  }

  void descend(const Frame& from, std::int32_t child) {
    const NodeId node = from.node;
    const double known = share(node, from.known_way, child), other = share(node, from.other_way, child);
    const std::size_t level = room_.frames.size();
    Frame frame = entered(node, known, other);
    frame.node = tree_.children(node)[static_cast<std::size_t>(child)];
    if (frame.a == 0.0 && frame.b == 0.0) return;
    if (known == 1.0 && other == 1.0) {
      frame.column = -1;
      std::ranges::copy(product(level - 1), product(level).begin());
    } else {
      room_.factors[static_cast<std::size_t>(frame.column)] = {frame.a, frame.b, true};
      multiply(frame, level);
    }
    open(frame);
  }

  void close() {
    const Frame frame = room_.frames.back();
    room_.frames.pop_back();
    if (room_.frames.empty()) return;
    const std::size_t level = room_.frames.size();
    if (frame.column >= 0)
      room_.factors[static_cast<std::size_t>(frame.column)] = {frame.above_a, frame.above_b, frame.above};
    settle(frame, level);
  }

  // Hands the sums of a level up and credits its column.
  void settle(const Frame& frame, std::size_t level) {
    const std::span<const double> own = sum(level);
    const std::span<double> parent = sum(level - 1);
    for (std::size_t i = 0; i < own.size(); ++i) parent[i] += own[i];
    if (frame.column < 0) return;
    const std::span<double> credit = out_.subspan(static_cast<std::size_t>(frame.column) * width_, width_);
    for (std::size_t k = 0; k < n_points_; ++k) {
      const double t = game_.rule_.points[k];
      const auto ratio = [&](double a, double b) { return (a - b) / (a * t + b * (1.0 - t)); };
      const double step = ratio(frame.a, frame.b) - (frame.above ? ratio(frame.above_a, frame.above_b) : 0.0);
      const double factor = scale_ * game_.rule_.weights[k] * step;
      for (std::size_t i = 0; i < width_; ++i) credit[i] += factor * own[k * width_ + i];
    }
  }

  const Tree& tree_;
  const TreeShapley& game_;
  std::span<const double> row_;
  std::span<const double> background_;
  double scale_;
  TreeShapley::Room& room_;
  std::span<double> out_;
  std::size_t n_points_;
  std::size_t width_;
};

void TreeShapley::add(std::span<const double> row, std::span<const double> background, double scale,
                      Room& room, std::span<double> out) const {
  GameWalk(*this, row, background, scale, room, out).run();
}

}  // namespace bough
