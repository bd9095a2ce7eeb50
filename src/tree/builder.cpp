// SPDX-License-Identifier: Apache-2.0
// The only writer of trees: nodes come in any order, finish() numbers them in preorder.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bough/tree.hpp"
#include "tree/access.hpp"

namespace bough {
namespace {

[[noreturn]] void misuse(const std::string& what) {
  throw Error(ErrorCode::internal, "tree builder: " + what);
}

bool uses_threshold(NodeKind kind) {
  return kind == NodeKind::numeric || kind == NodeKind::ordinal || kind == NodeKind::equality ||
         kind == NodeKind::oblique;
}

}  // namespace

TreeBuilder::TreeBuilder(Task task, std::vector<std::uint32_t> output_widths)
    : task_(task), widths_(std::move(output_widths)) {
  value_width_ = std::accumulate(widths_.begin(), widths_.end(), std::size_t{0});
}

TreeBuilder TreeBuilder::from(const Tree& tree) {
  TreeBuilder builder(tree.task_, tree.widths_);
  builder.children_ = tree.children_;
  builder.shares_ = tree.child_share_;
  builder.extras_ = tree.extras_;
  for (NodeId id = 0; id < tree.n_nodes() && !tree.alternative_.empty(); ++id)
    if (const auto kept = tree.alternatives(id); !kept.empty())
      builder.alternatives_[id] = {kept.begin(), kept.end()};
  builder.nodes_.resize(tree.kind_.size());
  for (NodeId id = 0; id < tree.n_nodes(); ++id) {
    Node& node = builder.nodes_[Tree::index(id)];
    if (!tree.is_leaf(id)) builder.take(node, tree.split(id));
    node.children_at = tree.children_at_[Tree::index(id)];
    node.n_children = static_cast<std::int32_t>(tree.children(id).size());
    NodeStats stats{tree.n_rows(id), tree.weight(id), tree.impurity(id),
                    std::vector<double>(tree.value_width())};
    tree.values(id, stats.values);
    builder.set_stats(id, stats);
  }
  return builder;
}

const TreeBuilder::Node& TreeBuilder::at(Handle node) const {
  if (node < 0 || static_cast<std::size_t>(node) >= nodes_.size()) misuse(fmt::format("no node {}", node));
  return nodes_[static_cast<std::size_t>(node)];
}

TreeBuilder::Node& TreeBuilder::at(Handle node) {
  return const_cast<Node&>(std::as_const(*this).at(node));
}

TreeBuilder::Handle TreeBuilder::root() {
  if (!nodes_.empty()) misuse("the root was added twice");
  nodes_.emplace_back();
  return 0;
}

TreeBuilder::Handle TreeBuilder::split(Handle node, const Split& split, std::int32_t n_children,
                                       std::span<const double> shares) {
  if (at(node).n_children != 0) misuse(fmt::format("node {} was split twice", node));
  if (split.kind == NodeKind::leaf) misuse(fmt::format("the split of node {} has no kind", node));
  if (n_children < 2) misuse(fmt::format("node {} was split into {} children", node, n_children));
  if (!shares.empty() && shares.size() != static_cast<std::size_t>(n_children)) {
    misuse(fmt::format("node {} has {} children but {} shares", node, n_children, shares.size()));
  }
  const std::size_t first = nodes_.size();
  if (first + static_cast<std::size_t>(n_children) > std::numeric_limits<Handle>::max()) {
    throw Error(ErrorCode::not_supported, "the tree needs more than 2147483647 nodes",
                "Limit it: max_depth, max_leaf_nodes or min_samples_leaf.");
  }
  const std::size_t children_at = children_.size();
  for (std::int32_t i = 0; i < n_children; ++i) {
    children_.push_back(static_cast<Handle>(first) + i);
    shares_.push_back(shares.empty() ? std::numeric_limits<double>::quiet_NaN()
                                     : shares[static_cast<std::size_t>(i)]);
  }
  nodes_.resize(first + static_cast<std::size_t>(n_children));
  Node& parent = at(node);
  take(parent, split);
  parent.children_at = children_at;
  parent.n_children = n_children;
  return static_cast<Handle>(first);
}

void TreeBuilder::take(Node& node, const Split& split) {
  node.kind = split.kind;
  node.column = split.column;
  node.threshold = split.threshold;
  node.gain = split.gain;
  node.score = split.score;
  node.missing_to = split.missing_to;
  node.unseen_to = split.unseen_to;
  node.parts = -1;
  if (split.map_levels.empty() && split.cuts.empty() && split.terms.empty()) return;
  node.parts = static_cast<std::int32_t>(parts_.size());
  parts_.push_back(split);
}

void TreeBuilder::collapse(Handle node) {
  take(at(node), Split{});
  at(node).n_children = 0;
  alternatives_.erase(node);
}

void TreeBuilder::raise(Handle node, Handle child) {
  if (node == child) misuse(fmt::format("node {} cannot be raised into its own place", node));
  const NodeStats moved = stats(child);
  at(node) = at(child);
  alternatives_.erase(node);
  if (const auto kept = alternatives_.find(child); kept != alternatives_.end())
    alternatives_[node] = kept->second;
  if (!moved.values.empty()) set_stats(node, moved);
  for (auto& [name, values] : extras_) {
    values.resize(nodes_.size());
    values[static_cast<std::size_t>(node)] = values[static_cast<std::size_t>(child)];
  }
}

void TreeBuilder::set_stats(Handle node, const NodeStats& stats) {
  if (stats.values.size() != value_width_) {
    misuse(fmt::format("node {} got {} values instead of {}", node, stats.values.size(), value_width_));
  }
  Node& target = at(node);
  target.n_rows = stats.n_rows;
  target.weight = stats.weight;
  target.impurity = stats.impurity;
  const std::size_t begin = static_cast<std::size_t>(node) * value_width_;
  if (values_.size() < begin + value_width_) values_.resize(nodes_.size() * value_width_);
  std::copy(stats.values.begin(), stats.values.end(), values_.begin() + static_cast<std::ptrdiff_t>(begin));
}

void TreeBuilder::set_extra(const std::string& name, Handle node, double value) {
  static_cast<void>(at(node));
  std::vector<double>& values = extras_[name];
  values.resize(nodes_.size());
  values[static_cast<std::size_t>(node)] = value;
}

void TreeBuilder::set_alternatives(Handle node, std::vector<Alternative> alternatives) {
  if (at(node).n_children == 0) misuse(fmt::format("node {} is a leaf and has no alternatives", node));
  alternatives_.erase(node);
  if (!alternatives.empty()) alternatives_[node] = std::move(alternatives);
}

bool TreeBuilder::is_leaf(Handle node) const {
  return at(node).n_children == 0;
}

std::span<const TreeBuilder::Handle> TreeBuilder::children(Handle node) const {
  const Node& parent = at(node);
  return std::span(children_).subspan(parent.children_at, static_cast<std::size_t>(parent.n_children));
}

std::span<const double> TreeBuilder::values_of(Handle node) const {
  const std::size_t begin = static_cast<std::size_t>(node) * value_width_;
  if (values_.size() < begin + value_width_) return {};
  return std::span(values_).subspan(begin, value_width_);
}

NodeStats TreeBuilder::stats(Handle node) const {
  const Node& from = at(node);
  const std::span<const double> values = values_of(node);
  return {from.n_rows, from.weight, from.impurity, {values.begin(), values.end()}};
}

Split TreeBuilder::split_of(Handle node) const {
  const Node& from = at(node);
  Split split = from.parts < 0 ? Split{} : parts_[static_cast<std::size_t>(from.parts)];
  split.kind = from.kind;
  split.column = from.column;
  split.threshold = from.threshold;
  split.missing_to = from.missing_to;
  split.unseen_to = from.unseen_to;
  split.gain = from.gain;
  split.score = from.score;
  return split;
}

std::vector<TreeBuilder::Handle> TreeBuilder::preorder() const {
  std::vector<Handle> order;
  std::vector<bool> seen(nodes_.size());
  std::vector<Handle> open{0};
  while (!open.empty()) {
    const Handle node = open.back();
    open.pop_back();
    if (seen[static_cast<std::size_t>(node)]) misuse(fmt::format("node {} hangs in two places", node));
    seen[static_cast<std::size_t>(node)] = true;
    order.push_back(node);
    const std::span<const Handle> below = children(node);
    open.insert(open.end(), below.rbegin(), below.rend());
  }
  return order;
}

void TreeBuilder::write_shares(Tree& tree, const Node& node) const {
  const auto n = static_cast<std::size_t>(node.n_children);
  const std::span<const double> given = std::span(shares_).subspan(node.children_at, n);
  if (n == 0 || !std::isnan(given[0])) {
    tree.child_share_.insert(tree.child_share_.end(), given.begin(), given.end());
    return;
  }
  const auto weight = [&](std::size_t i) { return at(children_[node.children_at + i]).weight; };
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) total += weight(i);
  for (std::size_t i = 0; i < n; ++i) {
    tree.child_share_.push_back(total > 0.0 ? weight(i) / total : 1.0 / static_cast<double>(n));
  }
}

void TreeBuilder::write_values(Tree& tree, std::span<const double> values) const {
  if (value_width_ <= Tree::kDenseWidth) {
    tree.value_.insert(tree.value_.end(), values.begin(), values.end());
    tree.value_.resize(tree.value_.size() + value_width_ - values.size());
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0.0) continue;
    tree.value_index_.push_back(static_cast<std::uint32_t>(i));
    tree.value_.push_back(values[i]);
  }
  tree.values_at_.push_back(tree.value_.size());
}

void TreeBuilder::write_node(Tree& tree, Handle handle, std::span<const NodeId> ids) const {
  const auto append = [](auto& slab, const auto& part) { slab.insert(slab.end(), part.begin(), part.end()); };
  const Node& node = at(handle);
  const bool leaf = node.n_children == 0;
  // Members without meaning for the kind get one fixed value: equal trees have equal bytes.
  tree.kind_.push_back(node.kind);
  tree.column_.push_back(leaf || node.kind == NodeKind::oblique ? -1 : node.column);
  tree.threshold_.push_back(uses_threshold(node.kind) ? node.threshold : 0.0);
  tree.missing_to_.push_back(leaf ? 0 : node.missing_to);
  tree.unseen_to_.push_back(leaf ? 0 : node.unseen_to);
  tree.gain_.push_back(leaf ? 0.0 : node.gain);
  tree.n_rows_.push_back(node.n_rows);
  tree.weight_.push_back(node.weight);
  tree.impurity_.push_back(node.impurity);
  for (std::int32_t i = 0; i < node.n_children; ++i) {
    tree.children_.push_back(
        ids[static_cast<std::size_t>(children_[node.children_at + static_cast<std::size_t>(i)])]);
  }
  write_shares(tree, node);
  if (node.parts >= 0) {
    const Split& parts = parts_[static_cast<std::size_t>(node.parts)];
    if (node.kind == NodeKind::subset || node.kind == NodeKind::multiway) {
      append(tree.map_level_, parts.map_levels);
      append(tree.map_child_, parts.map_children);
    }
    if (node.kind == NodeKind::interval) append(tree.cut_, parts.cuts);
    if (node.kind == NodeKind::oblique) append(tree.term_, parts.terms);
  }
  tree.children_at_.push_back(tree.children_.size());
  tree.map_at_.push_back(tree.map_level_.size());
  tree.cuts_at_.push_back(tree.cut_.size());
  tree.terms_at_.push_back(tree.term_.size());
  if (const auto kept = alternatives_.find(handle); kept != alternatives_.end())
    append(tree.alternative_, kept->second);
  tree.alternatives_at_.push_back(tree.alternative_.size());
  write_values(tree, values_of(handle));
}

void TreeBuilder::reserve(Tree& tree, std::size_t n_nodes) const {
  tree.kind_.reserve(n_nodes);
  tree.column_.reserve(n_nodes);
  tree.threshold_.reserve(n_nodes);
  tree.missing_to_.reserve(n_nodes);
  tree.unseen_to_.reserve(n_nodes);
  tree.gain_.reserve(n_nodes);
  tree.n_rows_.reserve(n_nodes);
  tree.weight_.reserve(n_nodes);
  tree.impurity_.reserve(n_nodes);
  tree.children_.reserve(n_nodes);
  tree.child_share_.reserve(n_nodes);
  for (auto* at :
       {&tree.children_at_, &tree.map_at_, &tree.cuts_at_, &tree.terms_at_, &tree.alternatives_at_}) {
    at->reserve(n_nodes + 1);
    at->assign(1, 0);
  }
  if (value_width_ <= Tree::kDenseWidth) tree.value_.reserve(n_nodes * value_width_);
}

Tree TreeBuilder::finish(std::vector<NodeId>* ids) && {
  if (nodes_.empty()) misuse("finish() before root()");
  const std::vector<Handle> order = preorder();
  std::vector<NodeId> id_of(nodes_.size(), -1);
  for (std::size_t i = 0; i < order.size(); ++i)
    id_of[static_cast<std::size_t>(order[i])] = static_cast<NodeId>(i);
  Tree tree;
  tree.task_ = task_;
  tree.widths_ = widths_;
  tree.value_width_ = value_width_;
  reserve(tree, order.size());
  for (const Handle handle : order) write_node(tree, handle, id_of);
  for (auto& [name, values] : extras_) {
    values.resize(nodes_.size());
    std::vector<double>& extra = tree.extras_[name];
    for (const Handle handle : order) extra.push_back(values[static_cast<std::size_t>(handle)]);
  }
  TreeAccess::drop_unused_ends(tree);
  tree.check(static_cast<std::size_t>(std::numeric_limits<ColId>::max()));
  if (ids != nullptr) *ids = std::move(id_of);
  return tree;
}

}  // namespace bough
