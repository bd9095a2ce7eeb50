// SPDX-License-Identifier: Apache-2.0
// The serialisers' door into Tree: its arrays by name. Whoever fills them calls check_sizes() and
// Tree::check().
#pragma once

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "bough/tree.hpp"

namespace bough {

/// A tree of leaves and of tests of numbers or ordered levels as plain arrays, one entry per node in preorder.
struct PlainTree {
  PlainTree(std::size_t n_nodes, std::size_t width)
      : kind(n_nodes),
        column(n_nodes),
        threshold(n_nodes),
        missing_to(n_nodes),
        right(n_nodes),
        n_rows(n_nodes),
        weight(n_nodes),
        impurity(n_nodes),
        gain(n_nodes),
        value(n_nodes * width) {}
  std::vector<NodeKind> kind;
  std::vector<ColId> column;             ///< leaves: -1
  std::vector<double> threshold;         ///< leaves: 0
  std::vector<std::int32_t> missing_to;  ///< and unseen levels; leaves: 0
  std::vector<NodeId> right;             ///< the right child, the left one is next; leaves: -1
  std::vector<std::int64_t> n_rows;
  std::vector<double> weight, impurity, gain;
  std::vector<double> value;  ///< all values of every node
};

struct TreeAccess {
  /// Whoever calls this has made the arrays right: preorder, columns below n_columns, rows and values of nodes those of their
  /// children together. Where all tests are of numbers and nothing has grown beyond a double, nobody looks again.
  static Tree make(Task task, std::vector<std::uint32_t> widths, PlainTree plain, std::size_t n_columns);
  /// Whether a tree is known to be right for so many columns of numbers.
  static bool made_for(const Tree& tree, std::size_t n_columns) noexcept {
    return tree.made_for_.n_columns > 0 && tree.made_for_.n_columns == n_columns;
  }
  /// Whether a tree is one of leaves and tests of numbers and passes every check of Tree::check(); false: look closer.
  static bool plainly_right(const Tree& tree, std::size_t n_columns, std::span<const std::uint32_t> n_levels);
  /// Throws bad_model unless the lengths of all arrays agree and every slab is cut properly.
  static void check_sizes(const Tree& tree);
  /// The numbers stored for a node: all of its values, or only those that are not 0.
  static std::span<const double> stored_values(const Tree& tree, NodeId node);
  static bool stores_dense(const Tree& tree) noexcept { return tree.value_width_ <= Tree::kDenseWidth; }
  /// Sets task and widths of an empty tree. Throws bad_model on widths that no tree can have.
  static void set_outputs(Tree& tree, Task task, std::vector<std::uint32_t> widths);

  /// Calls visit(name, vector) for every array with one number per node.
  template <class TreeOrConst, class Visit>
  static void visit_node_arrays(TreeOrConst& tree, Visit&& visit) {
    visit("kind", tree.kind_);
    visit("column", tree.column_);
    visit("threshold", tree.threshold_);
    visit("missing_to", tree.missing_to_);
    visit("unseen_to", tree.unseen_to_);
    visit("n_rows", tree.n_rows_);
    visit("weight", tree.weight_);
    visit("impurity", tree.impurity_);
    visit("gain", tree.gain_);
  }

  /// Calls visit(name of the ends, ends, name, slab) for every slab; slabs that share ends come one after the
  /// other. Oblique terms come as two slabs, columns and weights. Slabs without ends are visited only where they are to be filled.
  template <class TreeOrConst, class Visit>
  static void visit_slabs(TreeOrConst& tree, Visit&& visit) {
    visit("children_at", tree.children_at_, "children", tree.children_);
    visit("children_at", tree.children_at_, "child_share", tree.child_share_);
    if (wanted<TreeOrConst>(tree.map_at_, tree.map_level_.size() + tree.map_child_.size())) {
      visit("map_at", tree.map_at_, "map_level", tree.map_level_);
      visit("map_at", tree.map_at_, "map_child", tree.map_child_);
    }
    if (wanted<TreeOrConst>(tree.cuts_at_, tree.cut_.size()))
      visit("cuts_at", tree.cuts_at_, "cut", tree.cut_);
    if (wanted<TreeOrConst>(tree.terms_at_, tree.term_.size())) visit_terms(tree, visit);
    if (wanted<TreeOrConst>(tree.alternatives_at_, tree.alternative_.size())) visit_alternatives(tree, visit);
    if constexpr (!std::is_const_v<TreeOrConst>) {
      drop_unused_ends(tree);
      tree.made_for_ = {};
    }
  }
  /// Slabs of which no node has a part lose their ends: a tree has one form only.
  static void drop_unused_ends(Tree& tree) noexcept;

  /// The values' arrays.
  template <class TreeOrConst>
  static auto& values_at(TreeOrConst& tree) {
    return tree.values_at_;
  }
  template <class TreeOrConst>
  static auto& value_index(TreeOrConst& tree) {
    return tree.value_index_;
  }
  template <class TreeOrConst>
  static auto& value(TreeOrConst& tree) {
    return tree.value_;
  }
  static std::map<std::string, std::vector<double>>& extras(Tree& tree) { return tree.extras_; }

 private:
  template <class TreeOrConst>
  static bool wanted(const std::vector<std::uint64_t>& ends, std::size_t slab_size) noexcept {
    return !std::is_const_v<TreeOrConst> || !ends.empty() || slab_size > 0;
  }
  template <class TreeOrConst, class Visit>
  static void visit_terms(TreeOrConst& tree, Visit& visit) {
    std::vector<ColId> columns;
    std::vector<double> weights;
    for (const ObliqueTerm& term : tree.term_) {
      columns.push_back(term.column);
      weights.push_back(term.weight);
    }
    visit("terms_at", tree.terms_at_, "term_column", columns);
    visit("terms_at", tree.terms_at_, "term_weight", weights);
    if constexpr (!std::is_const_v<TreeOrConst>) {
      if (columns.size() != weights.size()) {
        throw Error(ErrorCode::bad_model,
                    "the oblique terms of a tree have different numbers of columns and weights",
                    "The tree was built or stored wrongly; make the model again.");
      }
      tree.term_.resize(columns.size());
      for (std::size_t i = 0; i < columns.size(); ++i) tree.term_[i] = {columns[i], weights[i]};
    }
  }

  // Alternatives as flat arrays: one number each per alternative, and the levels of all of a node with the number of
  // the alternative that they belong to.
  struct FlatAlternatives {
    std::vector<std::uint8_t> role, kind, turned;
    std::vector<ColId> column;
    std::vector<double> threshold, score, adjusted;
    std::vector<std::int64_t> n_rows;
    std::vector<std::uint64_t> map_at;
    std::vector<std::uint32_t> map_owner, map_level;
    std::vector<std::uint16_t> map_child;
  };
  static FlatAlternatives flatten(const Tree& tree);
  /// Throws bad_model when the arrays do not fit each other.
  static void unflatten(const FlatAlternatives& flat, Tree& tree);

  template <class TreeOrConst, class Visit>
  static void visit_alternatives(TreeOrConst& tree, Visit& visit) {
    FlatAlternatives flat = flatten(tree);
    auto& ends = tree.alternatives_at_;
    visit("alternatives_at", ends, "alternative_role", flat.role);
    visit("alternatives_at", ends, "alternative_kind", flat.kind);
    visit("alternatives_at", ends, "alternative_turned", flat.turned);
    visit("alternatives_at", ends, "alternative_column", flat.column);
    visit("alternatives_at", ends, "alternative_threshold", flat.threshold);
    visit("alternatives_at", ends, "alternative_rows", flat.n_rows);
    visit("alternatives_at", ends, "alternative_score", flat.score);
    visit("alternatives_at", ends, "alternative_adjusted", flat.adjusted);
    visit("alternative_map_at", flat.map_at, "alternative_map_owner", flat.map_owner);
    visit("alternative_map_at", flat.map_at, "alternative_map_level", flat.map_level);
    visit("alternative_map_at", flat.map_at, "alternative_map_child", flat.map_child);
    if constexpr (!std::is_const_v<TreeOrConst>) unflatten(flat, tree);
  }
};

}  // namespace bough
