// SPDX-License-Identifier: Apache-2.0
// Reduced-error pruning (Quinlan 1987): one bottom-up pass over errors on rows that growing has not seen.
//
// E(t) is the error of node t as a leaf on the rows that reach it, B(t) the lowest error of its branch under
// any pruning: B(leaf) = E(leaf), B(t) = min(E(t), S(t) + sum of B(child)), S(t) the error of rows that stop
// at t. Children do not influence each other, so the minimum is found node by node; taking the leaf where
// both are equal gives the smallest of the best trees, because a leaf is the smallest branch there is. Sums
// of errors are exact (node_errors.cpp), but their terms are rounded where a value is no double (a mean of thirds): errors
// that differ by less than 2^-40 of themselves are equal.
//
// With leaf values of the pruning rows E(t) of an inner node is measured with the value it would get; leaves
// that were leaves keep theirs.
#include "prune/reduced_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bough {
namespace {

constexpr int kSameBits = 40;

std::size_t at(NodeId node) noexcept {
  return static_cast<std::size_t>(node);
}

// The value that a node reached by rows of weight `weight` and sums `sums` has as a leaf, in place of
// `value`.
void blend(const Tree& tree, NodeId node, std::span<const double> sums, double weight, LeafValues wish,
           std::span<double> value) {
  const double old = wish == LeafValues::both ? tree.weight(node) : 0.0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (tree.task() == Task::classification)
      value[i] = (wish == LeafValues::both ? value[i] : 0.0) + sums[i];
    else
      value[i] = (old > 0.0 ? old * value[i] : 0.0) / (old + weight) + sums[i] / (old + weight);
  }
}

// Weighted quantile, the lower of two where the level is hit exactly, then their middle: as growing has it.
double weighted_quantile(std::vector<std::pair<double, double>>& cells, double level) {
  std::sort(cells.begin(), cells.end());
  double total = 0.0;
  for (const auto& cell : cells) total += cell.second;
  double below = 0.0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    below += cells[i].second;
    if (below < level * total) continue;
    if (below > level * total || i + 1 == cells.size()) return cells[i].first;
    return cells[i].first / 2 + cells[i + 1].first / 2;
  }
  return cells.back().first;
}

// Quantiles cannot be added up: every node gathers its rows. Nodes are in preorder, so with ends in the order
// of their nodes the rows of a node stand side by side: memory grows with rows, not with rows times levels.
void take_quantiles(const Tree& tree, const JudgeRows& rows, std::span<const RowEnd> ends, double level,
                    NodeValues& values) {
  const std::size_t width = tree.value_width();
  const std::vector<NodeId> parents = tree.parents();
  std::vector<NodeId> last(at(tree.n_nodes()));  // of the node's branch
  for (NodeId node = tree.n_nodes(); node-- > 0;) {
    last[at(node)] = std::max(last[at(node)], node);
    if (node > 0) last[at(parents[at(node)])] = std::max(last[at(parents[at(node)])], last[at(node)]);
  }
  std::vector<RowEnd> sorted(ends.begin(), ends.end());
  std::sort(sorted.begin(), sorted.end(), [](const RowEnd& a, const RowEnd& b) { return a.node < b.node; });
  const auto before = [](const RowEnd& end, NodeId node) { return end.node < node; };
  std::vector<std::pair<double, double>> cells;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    const auto first = std::lower_bound(sorted.begin(), sorted.end(), node, before);
    const auto behind = std::lower_bound(first, sorted.end(), last[at(node)] + 1, before);
    if (tree.is_leaf(node) || first == behind) continue;
    for (std::size_t o = 0; o < width; ++o) {
      cells.clear();
      for (auto end = first; end != behind; ++end) cells.emplace_back(rows.numbers[o][end->row], end->weight);
      values[at(node) * width + o] = weighted_quantile(cells, level);
    }
  }
}

NodeValues values_as_leaves(const Tree& tree, const JudgeRows& rows, std::span<const RowEnd> ends,
                            const Loss& loss, LeafValues wish) {
  NodeValues values = stored_values(tree);
  if (wish == LeafValues::train) return values;
  if (loss.kind == Loss::Kind::absolute || loss.kind == Loss::Kind::pinball) {
    take_quantiles(tree, rows, ends, loss.kind == Loss::Kind::pinball ? loss.quantile : 0.5, values);
    return values;
  }
  const RowSums sums = row_sums(tree, rows, ends);
  const std::size_t width = tree.value_width();
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    const double weight = sums.weights[at(node)];
    if (tree.is_leaf(node) || weight <= 0.0) continue;
    blend(tree, node, std::span(sums.values).subspan(at(node) * width, width), weight, wish,
          std::span(values).subspan(at(node) * width, width));
  }
  return values;
}

ErrorScale scale_of(const Tree& tree, const JudgeRows& rows, std::span<const RowEnd> ends,
                    const NodeValues& values, const Loss& loss) {
  double value = 0.0;
  double truth = 0.0;
  double heaviest = 0.0;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto widen = [&](double number, double& largest) {
    largest = std::max(largest, std::fabs(number));
    low = std::min(low, number);
    high = std::max(high, number);
  };
  if (tree.task() == Task::regression)
    for (const double v : values) widen(v, value);
  for (const RowEnd& end : ends) {
    heaviest = std::max(heaviest, end.weight);
    for (const auto& output : rows.numbers) widen(output[end.row], truth);
  }
  return error_scale(largest_error(loss, tree.n_outputs(), largest_gap(low, high, value + truth)), heaviest);
}

}  // namespace

Tree reduced_error(const Tree& tree, const JudgeRows& rows, const Loss& loss, LeafValues leaf_values,
                   const Loss& own) {
  const std::vector<RowEnd> ends = row_ends(tree, rows);
  const NodeValues values = values_as_leaves(tree, rows, ends, own, leaf_values);
  const NodeErrors errors =
      node_errors(tree, rows, ends, values, loss, scale_of(tree, rows, ends, values, loss));
  std::vector<int128> branch = errors.leaf;
  std::vector<bool> cut(branch.size(), false);
  for (NodeId node = tree.n_nodes(); node-- > 0;) {
    if (tree.is_leaf(node)) continue;
    int128 kept = errors.stopped[at(node)];
    for (const NodeId child : tree.children(node)) kept += branch[at(child)];
    cut[at(node)] = errors.leaf[at(node)] <= kept + (kept >> kSameBits);
    branch[at(node)] = std::min(errors.leaf[at(node)], kept);
  }
  const std::size_t width = tree.value_width();
  TreeBuilder builder = TreeBuilder::from(tree);
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    if (!cut[at(node)]) continue;
    builder.collapse(node);
    if (leaf_values == LeafValues::train) continue;
    NodeStats stats = builder.stats(node);
    const auto fresh = std::span(values).subspan(at(node) * width, width);
    stats.values.assign(fresh.begin(), fresh.end());
    builder.set_stats(node, stats);
  }
  return std::move(builder).finish();
}

}  // namespace bough
