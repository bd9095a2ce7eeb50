// SPDX-License-Identifier: Apache-2.0
// Competitors and surrogates of a tree's nodes as flat arrays, and back from bytes of any origin.
#include <fmt/format.h>

#include "tree/access.hpp"

namespace bough {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::bad_model, what, "The tree was built or stored wrongly; make the model again.");
}

}  // namespace

TreeAccess::FlatAlternatives TreeAccess::flatten(const Tree& tree) {
  FlatAlternatives flat;
  if (tree.alternative_.empty()) {
    flat.map_at.assign(tree.alternatives_at_.size(), 0);
    // A tree that is being read has no ends yet; whoever fills it starts from one 0, as the slabs of trees
    // do.
    if (tree.alternatives_at_.size() <= 1) flat.map_at.assign(1, 0);
    return flat;
  }
  flat.map_at.push_back(0);
  for (std::size_t node = 0; node + 1 < tree.alternatives_at_.size(); ++node) {
    for (std::uint64_t i = tree.alternatives_at_[node]; i < tree.alternatives_at_[node + 1]; ++i) {
      const Alternative& one = tree.alternative_[i];
      if (one.map_levels.size() != one.map_children.size())
        refuse(fmt::format("alternative {} of node {} has {} levels and {} children",
                           i - tree.alternatives_at_[node], node, one.map_levels.size(),
                           one.map_children.size()));
      flat.role.push_back(static_cast<std::uint8_t>(one.role));
      flat.kind.push_back(static_cast<std::uint8_t>(one.kind));
      flat.turned.push_back(one.turned ? 1 : 0);
      flat.column.push_back(one.column);
      flat.threshold.push_back(one.threshold);
      flat.n_rows.push_back(one.n_rows);
      flat.score.push_back(one.score);
      flat.adjusted.push_back(one.adjusted);
      for (std::size_t k = 0; k < one.map_levels.size(); ++k) {
        flat.map_owner.push_back(static_cast<std::uint32_t>(i - tree.alternatives_at_[node]));
        flat.map_level.push_back(one.map_levels[k]);
        flat.map_child.push_back(one.map_children[k]);
      }
    }
    flat.map_at.push_back(flat.map_level.size());
  }
  return flat;
}

void TreeAccess::unflatten(const FlatAlternatives& flat, Tree& tree) {
  const std::size_t n = flat.role.size(), n_nodes = tree.kind_.size();
  if (n == 0 && flat.map_level.empty() && tree.alternatives_at_.empty()) return;  // nobody has any
  for (const std::size_t size :
       {flat.kind.size(), flat.turned.size(), flat.column.size(), flat.threshold.size(), flat.n_rows.size(),
        flat.score.size(), flat.adjusted.size()})
    if (size != n) refuse("the arrays of a tree's alternatives have different lengths");
  if (flat.map_owner.size() != flat.map_level.size() || flat.map_child.size() != flat.map_level.size())
    refuse("the maps of a tree's alternatives have different lengths");
  std::vector<Alternative> made(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (flat.role[i] > 1)
      refuse(fmt::format("alternative {} of the tree has the unknown role {}", i, flat.role[i]));
    if (flat.turned[i] > 1) refuse(fmt::format("alternative {} of the tree is turned {}", i, flat.turned[i]));
    made[i].role = static_cast<AlternativeRole>(flat.role[i]);
    made[i].kind = static_cast<NodeKind>(flat.kind[i]);
    made[i].turned = flat.turned[i] == 1;
    made[i].column = flat.column[i];
    made[i].threshold = flat.threshold[i];
    made[i].n_rows = flat.n_rows[i];
    made[i].score = flat.score[i];
    made[i].adjusted = flat.adjusted[i];
  }
  const auto cuts = [&](const std::vector<std::uint64_t>& ends, std::size_t size) {
    bool right = ends.size() == n_nodes + 1 && ends.front() == 0 && ends.back() == size;
    for (std::size_t i = 0; right && i < n_nodes; ++i) right = ends[i] <= ends[i + 1];
    return right;
  };
  if (!cuts(tree.alternatives_at_, n) || !cuts(flat.map_at, flat.map_level.size()))
    refuse("the ends of a tree's alternatives do not cut them into parts");
  for (std::size_t node = 0; node < n_nodes; ++node) {
    const std::uint64_t first = tree.alternatives_at_[node], count = tree.alternatives_at_[node + 1] - first;
    for (std::uint64_t k = flat.map_at[node]; k < flat.map_at[node + 1]; ++k) {
      const bool ordered = k == flat.map_at[node] || flat.map_owner[k - 1] <= flat.map_owner[k];
      if (!ordered || flat.map_owner[k] >= count)
        refuse(fmt::format("tree node {}: a level belongs to no alternative", node));
      made[first + flat.map_owner[k]].map_levels.push_back(flat.map_level[k]);
      made[first + flat.map_owner[k]].map_children.push_back(flat.map_child[k]);
    }
  }
  tree.alternative_ = std::move(made);
}

}  // namespace bough
