// SPDX-License-Identifier: Apache-2.0
// Where chosen rows of a table end in a tree, and which rows every node of it holds.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bough/tree.hpp"
#include "data/cells.hpp"

namespace bough {

/// The cells of a table, kept so that chosen rows can be sent down one tree after the other.
class EndFinder {
 public:
  /// `table` and `features` must outlive this. `n_trees`: how many trees will ask; cells are only copied
  /// where that pays.
  EndFinder(const Table& table, const Schema& features, std::size_t n_trees = 1);

  /// The node where each of `rows` ends. Throws not_supported when a row would be divided by shares.
  [[nodiscard]] std::vector<NodeId> ends(const Tree& tree, std::span<const RowId> rows) const;

 private:
  RowReader reader_;
  std::optional<MatrixView> matrix_;
  std::vector<double> copy_;  // row by row; empty: matrix_, or the reader's blocks
};

/// The rows of every node of a tree, without a copy per level: nodes are in preorder, so what lies below one
/// is a run.
class NodeRows {
 public:
  /// Row i of `rows`, which increase, ends in node ends[i].
  NodeRows(const Tree& tree, std::span<const RowId> rows, std::span<const NodeId> ends);

  /// The rows that end at a node, increasing: all of a leaf's, of an inner node those that a missing cell
  /// stops.
  [[nodiscard]] std::span<const RowId> ending(NodeId node) const { return run(node, node + 1); }
  /// The rows that pass a node or end at it, ordered by the node where they end.
  [[nodiscard]] std::span<const RowId> below(NodeId node) const {
    return run(node, past_[static_cast<std::size_t>(node)]);
  }
  /// One past the last node below a node.
  [[nodiscard]] NodeId past(NodeId node) const { return past_[static_cast<std::size_t>(node)]; }
  /// True when some row ends at an inner node.
  [[nodiscard]] bool any_stops() const noexcept { return any_stops_; }

 private:
  [[nodiscard]] std::span<const RowId> run(NodeId first, NodeId past) const {
    const std::size_t begin = starts_[static_cast<std::size_t>(first)];
    return std::span(rows_).subspan(begin, starts_[static_cast<std::size_t>(past)] - begin);
  }

  std::vector<RowId> rows_;
  std::vector<std::size_t> starts_;  // per node, and the end
  std::vector<NodeId> past_;
  bool any_stops_ = false;
};

/// One past the last node below every node.
std::vector<NodeId> subtree_ends(const Tree& tree);

}  // namespace bough
