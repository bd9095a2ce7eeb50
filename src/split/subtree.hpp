// SPDX-License-Identifier: Apache-2.0
// Whole subtrees in one call: what an engine needs to finish a small node by itself, and what it gives back.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "split/candidate.hpp"
#include "split/draw_kernels.hpp"

namespace bough {

/// Stop rules and sampling inside a subtree; the same for all subtrees of a tree but for the depth.
struct SubtreeRules {
  std::int32_t max_depth = std::numeric_limits<std::int32_t>::max();  ///< of the whole tree
  std::int64_t min_samples_split = 2;
  std::int64_t min_samples_leaf = 1;
  double min_weight = 0.0;  ///< fixed-point units
  double min_impurity_decrease = 0.0;
  double total_weight = 1.0;     ///< of the whole tree, real units
  std::size_t max_features = 0;  ///< 0: all
  bool draw_ties = false;        ///< keys of nodes settle ties between columns

  [[nodiscard]] TieOrder ties(std::uint64_t key, std::size_t n_columns) const noexcept {
    return draw_ties ? TieOrder(key, n_columns) : TieOrder();
  }
  /// Whether a decrease of weighted impurity is worth a split.
  [[nodiscard]] bool worth(double gain) const noexcept {
    return gain / total_weight + std::numeric_limits<double>::epsilon() >= min_impurity_decrease;
  }
};

/// A node of a finished subtree, in preorder. Leaves have no right child.
struct SubtreeNode {
  std::uint32_t begin = 0;  ///< first of its rows, counted from the subtree's first
  std::uint32_t end = 0;
  std::int32_t right = -1;  ///< index of the right child; the left child is the next node
  Candidate candidate;      ///< inner nodes
  bool missing_known = false;
  bool heuristic = false;
  std::vector<ObliqueTerm> terms;  ///< of a combination of columns; else empty
};

using Subtree = std::vector<SubtreeNode>;

/// The columns a node searches: all of `columns`, or, when only some are wanted, a shuffle of them by the node's key.
std::vector<ColId> draw_columns(std::vector<ColId> columns, std::size_t wanted, std::uint64_t key);

/// The same shuffle of the columns 0 .. n - 1, made as far as it is asked for; one per thread, for many nodes.
class ColumnDraw {
 public:
  explicit ColumnDraw(std::size_t n);
  /// Starts the shuffle of a node. `all`: no shuffle, the columns in their order.
  void begin(std::uint64_t key, bool all) noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return columns_.size(); }
  /// The next column; at most size() times.
  ColId next() noexcept;

 private:
  std::vector<ColId> columns_;
  std::vector<std::uint32_t> swapped_;  // with what each column so far changed places
  std::array<std::uint64_t, kDrawsAtOnce> bits_{};
  std::size_t n_ = 0;
  std::uint64_t key_ = 0;
  bool all_ = true;
};

/// Columns that were found constant at a node are constant below it: nobody need look again. Sets of columns by number; 0 is
/// the empty one.
class KnownConstants {
 public:
  /// Forgets everything; 0 columns, or more than are worth it: nothing is remembered.
  void start(std::size_t n_columns);
  /// Goes on from what was known at a node.
  void enter(std::uint32_t set) noexcept { from_ = current_ = set; }
  [[nodiscard]] std::uint32_t current() const noexcept { return current_; }
  [[nodiscard]] bool has(std::size_t column) const noexcept {
    return words_ > 0 && (sets_[current_ * words_ + column / 64] >> column % 64 & 1U) != 0;
  }
  void add(std::size_t column);
  /// Those of the first 64 columns.
  [[nodiscard]] std::uint64_t first_columns() const noexcept {
    return words_ > 0 ? sets_[current_ * words_] : 0;
  }

 private:
  std::size_t words_ = 0;  // of 64 columns, per set
  std::vector<std::uint64_t> sets_;
  std::uint32_t from_ = 0, current_ = 0;
};

}  // namespace bough
