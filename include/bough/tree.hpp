// SPDX-License-Identifier: Apache-2.0
// A decision tree as a checked value: node arrays in preorder, ragged parts in slabs.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bough/criteria.hpp"
#include "bough/table.hpp"

namespace bough {

using NodeId = std::int32_t;

/// How a node sends rows to its children. Child 0 is "left", the side where the test holds.
enum class NodeKind : std::uint8_t {
  leaf,
  numeric,   ///< x <= threshold goes to child 0, else to child 1
  ordinal,   ///< level index < threshold goes to child 0 (threshold is an integer >= 1)
  equality,  ///< level index == threshold goes to child 0
  subset,    ///< map of level index to child, two children
  multiway,  ///< map of level index to child, two or more children
  interval,  ///< increasing cuts; child = number of cuts c with x > c
  oblique    ///< sum of weight * x over terms <= threshold goes to child 0
};

/// Where a row goes whose tested cell is missing, when it is not a child index (>= 0).
enum MissingTo : std::int32_t {
  missing_by_share = -1,           ///< to every child, weighted by child_share (C4.5)
  missing_surrogate = -2,          ///< surrogate splits, then the largest child (rpart)
  missing_stops = -3,              ///< the row stays at this node
  missing_surrogate_or_stops = -4  ///< surrogate splits, else the row stays at this node
};

/// What a test beside the node's own is kept for.
enum class AlternativeRole : std::uint8_t {
  competitor,  ///< the best split of another column, for display
  surrogate    ///< stands in for the node's own test where that has no cell to look at
};

/// A test on another column of an inner node with two children. The sides of a surrogate are the node's children; those of
/// a competitor are its own, 0 being the one of the lower mean (of class numbers or values).
struct Alternative {
  AlternativeRole role = AlternativeRole::competitor;
  NodeKind kind = NodeKind::numeric;  ///< numeric, ordinal, equality or subset
  bool turned = false;  ///< numeric, ordinal, equality: where the test holds the row goes to child 1
  ColId column = 0;
  double threshold = 0.0;
  std::vector<std::uint32_t> map_levels;    ///< subset: level indices, increasing
  std::vector<std::uint16_t> map_children;  ///< child of each of map_levels
  std::int64_t n_rows = 0;  ///< competitor: rows whose cell is missing; surrogate: rows it sent down
  double score = 0.0;  ///< competitor: gain, divided by the cost of the column; surrogate: agreement, 0 to 1
  double adjusted = 0.0;  ///< surrogate: agreement above that of the heavier child, 0 to 1
  bool operator==(const Alternative&) const = default;
};

/// A term of an oblique test.
struct ObliqueTerm {
  ColId column = 0;
  double weight = 0.0;
  bool operator==(const ObliqueTerm&) const = default;
};

/// Interval or category set of one column inside a leaf.
struct BoxSide {
  ColId column = 0;
  bool is_set = false;
  double low = 0.0;                   ///< x > low (-inf when open); ordinal: level index > low
  double high = 0.0;                  ///< x <= high (+inf when open)
  std::vector<std::uint32_t> levels;  ///< is_set: the level indices that may come here
  bool missing = false;               ///< missing cells may come here
  bool unseen = false;                ///< is_set: categories unknown to the schema may come here
};

/// One split in real units, as TreeBuilder takes it and as search proposes it.
struct Split {
  NodeKind kind = NodeKind::leaf;
  ColId column = -1;  ///< index into the feature fields; -1 for oblique
  double threshold = 0.0;
  std::vector<std::uint32_t> map_levels;    ///< subset, multiway: level indices, increasing
  std::vector<std::uint16_t> map_children;  ///< child of each of map_levels
  std::vector<double> cuts;                 ///< interval
  std::vector<ObliqueTerm> terms;           ///< oblique, columns increasing
  std::int32_t missing_to = 1;              ///< child index or MissingTo
  std::int32_t unseen_to =
      1;  ///< child of a level that the map does not know; missing_to when that is no child: the same way
  double gain = 0.0;   ///< decrease of weighted impurity (weight units), mean over outputs
  double score = 0.0;  ///< what the search maximised
};

class TreeBuilder;

/// Immutable after TreeBuilder::finish. Node 0 is the root; ids are preorder. Columns are indices into the
/// feature fields of the model's schema.
class Tree {
 public:
  [[nodiscard]] NodeId n_nodes() const noexcept { return static_cast<NodeId>(kind_.size()); }
  [[nodiscard]] NodeId n_leaves() const noexcept;
  /// Edges on the longest path from the root.
  [[nodiscard]] std::int32_t depth() const;

  [[nodiscard]] NodeKind kind(NodeId node) const { return kind_[index(node)]; }
  [[nodiscard]] bool is_leaf(NodeId node) const { return kind(node) == NodeKind::leaf; }
  [[nodiscard]] ColId column(NodeId node) const { return column_[index(node)]; }
  [[nodiscard]] double threshold(NodeId node) const { return threshold_[index(node)]; }
  [[nodiscard]] std::span<const NodeId> children(NodeId node) const {
    return slice(children_, children_at_, node);
  }
  /// Competitors, then surrogates, each the best first.
  [[nodiscard]] std::span<const Alternative> alternatives(NodeId node) const {
    return slice(alternative_, alternatives_at_, node);
  }
  /// Share of the node's known weight that went to each child in training.
  [[nodiscard]] std::span<const double> child_shares(NodeId node) const {
    return slice(child_share_, children_at_, node);
  }
  [[nodiscard]] std::span<const std::uint32_t> map_levels(NodeId node) const {
    return slice(map_level_, map_at_, node);
  }
  [[nodiscard]] std::span<const std::uint16_t> map_children(NodeId node) const {
    return slice(map_child_, map_at_, node);
  }
  [[nodiscard]] std::span<const double> cuts(NodeId node) const { return slice(cut_, cuts_at_, node); }
  [[nodiscard]] std::span<const ObliqueTerm> terms(NodeId node) const {
    return slice(term_, terms_at_, node);
  }
  [[nodiscard]] std::int32_t missing_to(NodeId node) const { return missing_to_[index(node)]; }
  [[nodiscard]] std::int32_t unseen_to(NodeId node) const { return unseen_to_[index(node)]; }
  [[nodiscard]] std::int64_t n_rows(NodeId node) const { return n_rows_[index(node)]; }
  [[nodiscard]] double weight(NodeId node) const { return weight_[index(node)]; }
  [[nodiscard]] double impurity(NodeId node) const { return impurity_[index(node)]; }
  [[nodiscard]] double gain(NodeId node) const { return gain_[index(node)]; }
  /// The split of an inner node, assembled.
  [[nodiscard]] Split split(NodeId node) const;

  [[nodiscard]] Task task() const noexcept { return task_; }
  /// Classes per output (classification); one 1 per output (regression).
  [[nodiscard]] std::span<const std::uint32_t> output_widths() const noexcept { return widths_; }
  [[nodiscard]] std::size_t n_outputs() const noexcept { return widths_.size(); }
  /// Sum of output_widths().
  [[nodiscard]] std::size_t value_width() const noexcept { return value_width_; }
  /// Writes the node's values: class weights of every output one after the other, or the outputs' values.
  void values(NodeId node, std::span<double> out) const;

  /// Extra arrays of one number per node (honest counts, variances, ...).
  [[nodiscard]] const std::map<std::string, std::vector<double>>& extras() const noexcept { return extras_; }

  /// Parent of every node (-1 for the root), depth of every node.
  [[nodiscard]] std::vector<NodeId> parents() const;
  [[nodiscard]] std::vector<std::int32_t> depths() const;
  /// The box of a node: one side for every column tested on the way to it. `n_levels` gives the number of
  /// levels per feature column (0 for numeric). Oblique tests add no side.
  [[nodiscard]] std::vector<BoxSide> box(NodeId node, std::span<const std::uint32_t> n_levels) const;

  /// Throws bad_model, naming the node, unless every invariant holds (shape, preorder, finite numbers, maps).
  /// `n_levels` as in box(); empty: levels are not checked.
  void check(std::size_t n_columns, std::span<const std::uint32_t> n_levels = {}) const;

  bool operator==(const Tree&) const = default;

 private:
  friend class TreeBuilder;
  friend struct TreeAccess;  // src/tree/access.hpp: the serialisers' door

  static std::size_t index(NodeId node) noexcept { return static_cast<std::size_t>(node); }
  template <class T>
  std::span<const T> slice(const std::vector<T>& slab, const std::vector<std::uint64_t>& at,
                           NodeId node) const {
    if (at.empty()) return {};
    return std::span<const T>(slab).subspan(at[index(node)], at[index(node) + 1] - at[index(node)]);
  }

  Task task_ = Task::classification;
  std::vector<std::uint32_t> widths_;
  std::size_t value_width_ = 0;
  std::vector<NodeKind> kind_;
  std::vector<ColId> column_;
  std::vector<double> threshold_;
  std::vector<std::int32_t> missing_to_;
  std::vector<std::int32_t> unseen_to_;
  std::vector<std::int64_t> n_rows_;
  std::vector<double> weight_;
  std::vector<double> impurity_;
  std::vector<double> gain_;
  // Slabs: the part of node i is [at[i], at[i + 1]). Those below the children have no ends at all where no node has a part.
  std::vector<std::uint64_t> children_at_{0};
  std::vector<NodeId> children_;
  std::vector<double> child_share_;
  std::vector<std::uint64_t> map_at_;
  std::vector<std::uint32_t> map_level_;
  std::vector<std::uint16_t> map_child_;
  std::vector<std::uint64_t> cuts_at_;
  std::vector<double> cut_;
  std::vector<std::uint64_t> terms_at_;
  std::vector<ObliqueTerm> term_;
  std::vector<std::uint64_t> alternatives_at_;
  std::vector<Alternative> alternative_;
  // Values: dense (value_width per node, values_at_ and value_index_ unused) up to kDenseWidth wide, else
  // (index, value) pairs of the non-zero ones.
  static constexpr std::size_t kDenseWidth = 64;
  std::vector<std::uint64_t> values_at_{0};
  std::vector<std::uint32_t> value_index_;
  std::vector<double> value_;
  std::map<std::string, std::vector<double>> extras_;
  // A tree fresh from growing: how many columns it may test, all of numbers. Its arrays were made right, and check() need not
  // read them again. 0: unknown. No part of what a tree is.
  struct MadeFor {
    std::size_t n_columns = 0;
    bool operator==(const MadeFor& /*other*/) const noexcept { return true; }
  };
  MadeFor made_for_;
};

/// What is known about the training rows of one node.
struct NodeStats {
  std::int64_t n_rows = 0;
  double weight = 0.0;
  double impurity = 0.0;
  std::vector<double> values;  ///< value_width numbers
};

/// The only writer of Tree. Nodes are added in any order, parents first; finish() numbers them in preorder.
class TreeBuilder {
 public:
  using Handle = std::int32_t;

  TreeBuilder(Task task, std::vector<std::uint32_t> output_widths);
  /// Starts from a finished tree: handle i is node i.
  static TreeBuilder from(const Tree& tree);

  /// Adds the root (once).
  Handle root();
  /// Turns a leaf into an inner node with `n_children` new leaves; returns the first child's handle, the others
  /// follow. `shares` may be empty: computed from the children's weights in finish().
  Handle split(Handle node, const Split& split, std::int32_t n_children, std::span<const double> shares = {});
  /// Turns an inner node into a leaf; its descendants disappear in finish().
  void collapse(Handle node);
  /// Puts the subtree at `child`, a descendant, in the place of `node` (subtree raising): handle `node` takes over the
  /// child's split, children, stats and extras; handle `child` is gone. Set stats again where rows moved.
  void raise(Handle node, Handle child);
  void set_stats(Handle node, const NodeStats& stats);
  void set_extra(const std::string& name, Handle node, double value);
  /// Competitors and surrogates of an inner node.
  void set_alternatives(Handle node, std::vector<Alternative> alternatives);

  [[nodiscard]] std::size_t n_handles() const noexcept { return nodes_.size(); }
  [[nodiscard]] bool is_leaf(Handle node) const;
  /// Handles of the children in order, empty for a leaf; valid until the next split().
  [[nodiscard]] std::span<const Handle> children(Handle node) const;
  [[nodiscard]] NodeStats stats(Handle node) const;
  [[nodiscard]] Split split_of(Handle node) const;

  /// The finished tree and, when asked, the node id of every handle (-1: gone). Checks shape, not levels.
  Tree finish(std::vector<NodeId>* ids = nullptr) &&;

 private:
  struct Node {
    NodeKind kind = NodeKind::leaf;
    ColId column = -1;
    double threshold = 0.0;
    double gain = 0.0;
    double score = 0.0;
    std::int32_t missing_to = 1;
    std::int32_t unseen_to = 1;
    std::int32_t parts = -1;  // index into parts_ of a split with maps, cuts or terms
    std::int32_t n_children = 0;
    std::size_t children_at = 0;  // first of n_children entries of children_ and shares_
    std::int64_t n_rows = 0;
    double weight = 0.0;
    double impurity = 0.0;
  };
  [[nodiscard]] const Node& at(Handle node) const;
  [[nodiscard]] Node& at(Handle node);
  [[nodiscard]] std::vector<Handle> preorder() const;
  void take(Node& node, const Split& split);
  [[nodiscard]] std::span<const double> values_of(Handle node) const;
  void write_node(Tree& tree, Handle handle, std::span<const NodeId> ids) const;
  void write_shares(Tree& tree, const Node& node) const;
  void write_values(Tree& tree, std::span<const double> values) const;
  void reserve(Tree& tree, std::size_t n_nodes) const;

  Task task_;
  std::vector<std::uint32_t> widths_;
  std::size_t value_width_ = 0;
  std::vector<Node> nodes_;
  std::vector<double> values_;  // value_width per node, up to the last that was set
  std::vector<Split> parts_;
  std::vector<Handle> children_;
  std::vector<double> shares_;  // NaN: from the children's weights in finish()
  std::map<std::string, std::vector<double>> extras_;
  std::map<Handle, std::vector<Alternative>> alternatives_;
};

}  // namespace bough
