// SPDX-License-Identifier: Apache-2.0
// Reading a tree: shape, splits and values of its nodes.
#include "bough/tree.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace bough {

NodeId Tree::n_leaves() const noexcept {
  return static_cast<NodeId>(std::count(kind_.begin(), kind_.end(), NodeKind::leaf));
}

std::vector<NodeId> Tree::parents() const {
  std::vector<NodeId> parents(kind_.size(), -1);
  for (NodeId node = 0; node < n_nodes(); ++node) {
    for (const NodeId child : children(node)) parents[index(child)] = node;
  }
  return parents;
}

std::vector<std::int32_t> Tree::depths() const {
  std::vector<std::int32_t> depths(kind_.size(), 0);
  // Preorder: a parent comes before its children.
  for (NodeId node = 0; node < n_nodes(); ++node) {
    for (const NodeId child : children(node)) depths[index(child)] = depths[index(node)] + 1;
  }
  return depths;
}

std::int32_t Tree::depth() const {
  const std::vector<std::int32_t> all = depths();
  return all.empty() ? 0 : *std::max_element(all.begin(), all.end());
}

Split Tree::split(NodeId node) const {
  const auto copy = [](const auto span) { return std::vector(span.begin(), span.end()); };
  Split split;
  split.kind = kind(node);
  split.column = column(node);
  split.threshold = threshold(node);
  split.map_levels = copy(map_levels(node));
  split.map_children = copy(map_children(node));
  split.cuts = copy(cuts(node));
  split.terms = copy(terms(node));
  split.missing_to = missing_to(node);
  split.unseen_to = unseen_to(node);
  split.gain = gain(node);
  return split;
}

void Tree::values(NodeId node, std::span<double> out) const {
  BOUGH_ASSERT(out.size() == value_width_);
  if (value_width_ <= kDenseWidth) {
    const auto first = value_.begin() + static_cast<std::ptrdiff_t>(index(node) * value_width_);
    std::copy_n(first, value_width_, out.begin());
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  for (std::uint64_t i = values_at_[index(node)]; i < values_at_[index(node) + 1]; ++i) {
    out[value_index_[i]] = value_[i];
  }
}

}  // namespace bough
