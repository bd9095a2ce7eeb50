// SPDX-License-Identifier: Apache-2.0
// Lengths of a tree's arrays: what must hold before anybody may index into them.
#include "tree/access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace bough {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::bad_model, what, "The tree was built or stored wrongly; make the model again.");
}

void check_slab(const char* ends_name, std::span<const std::uint64_t> ends, std::size_t n_nodes,
                const char* slab_name, std::size_t slab_size) {
  if (ends.size() != n_nodes + 1) {
    refuse(fmt::format("the tree's array '{}' has {} entries for {} nodes", ends_name, ends.size(), n_nodes));
  }
  bool sorted = ends.front() == 0 && ends.back() == slab_size;
  for (std::size_t i = 0; i < n_nodes && sorted; ++i) sorted = ends[i] <= ends[i + 1];
  if (!sorted)
    refuse(fmt::format("the tree's array '{}' does not cut '{}' into parts", ends_name, slab_name));
}

}  // namespace

void TreeAccess::set_outputs(Tree& tree, Task task, std::vector<std::uint32_t> widths) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t sum = 0;
  for (const std::uint32_t width : widths) {
    if (width == 0 || (task == Task::regression && width != 1)) {
      refuse(fmt::format("an output of the tree is {} numbers wide", width));
    }
    sum += width;
    if (sum > most) refuse("the outputs of the tree are too wide");
  }
  if (widths.empty()) refuse("the tree has no outputs");
  tree.task_ = task;
  tree.widths_ = std::move(widths);
  tree.value_width_ = sum;
}

void TreeAccess::drop_unused_ends(Tree& tree) noexcept {
  const auto drop = [](std::vector<std::uint64_t>& ends, std::size_t slab_size) {
    const bool zero = std::all_of(ends.begin(), ends.end(), [](std::uint64_t end) { return end == 0; });
    if (slab_size == 0 && zero) std::vector<std::uint64_t>().swap(ends);
  };
  drop(tree.map_at_, tree.map_level_.size() + tree.map_child_.size());
  drop(tree.cuts_at_, tree.cut_.size());
  drop(tree.terms_at_, tree.term_.size());
  drop(tree.alternatives_at_, tree.alternative_.size());
}

void TreeAccess::check_sizes(const Tree& tree) {
  const std::size_t n = tree.kind_.size();
  if (n == 0) refuse("the tree has no nodes");
  if (n > static_cast<std::size_t>(std::numeric_limits<NodeId>::max())) refuse("the tree has too many nodes");
  Tree outputs;
  set_outputs(outputs, tree.task_, tree.widths_);
  if (outputs.value_width_ != tree.value_width_) refuse("the tree's outputs and its width of values differ");
  const auto same = [&](const char* name, const auto& array) {
    if (array.size() != n)
      refuse(fmt::format("the tree's array '{}' has {} entries for {} nodes", name, array.size(), n));
  };
  visit_node_arrays(tree, same);
  visit_slabs(tree, [&](const char* ends_name, const auto& ends, const char* name, const auto& slab) {
    check_slab(ends_name, ends, n, name, slab.size());
  });
  for (const auto& [name, array] : tree.extras_) same(name.c_str(), array);
  if (stores_dense(tree)) {
    if (tree.value_.size() != n * tree.value_width_ || tree.values_at_.size() != 1 ||
        !tree.value_index_.empty()) {
      refuse(fmt::format("the tree holds {} values for {} nodes", tree.value_.size(), n));
    }
    return;
  }
  check_slab("values_at", tree.values_at_, n, "value", tree.value_.size());
  check_slab("values_at", tree.values_at_, n, "value_index", tree.value_index_.size());
  for (std::size_t node = 0; node < n; ++node) {
    for (std::uint64_t i = tree.values_at_[node]; i < tree.values_at_[node + 1]; ++i) {
      const bool increases = i == tree.values_at_[node] || tree.value_index_[i - 1] < tree.value_index_[i];
      if (!increases || tree.value_index_[i] >= tree.value_width_ || tree.value_[i] == 0.0) {
        refuse(fmt::format("tree node {}: its sparse values are out of order", node));
      }
    }
  }
}

std::span<const double> TreeAccess::stored_values(const Tree& tree, NodeId node) {
  const auto at = static_cast<std::size_t>(node);
  const std::span<const double> all = tree.value_;
  if (stores_dense(tree)) return all.subspan(at * tree.value_width_, tree.value_width_);
  return all.subspan(tree.values_at_[at], tree.values_at_[at + 1] - tree.values_at_[at]);
}

}  // namespace bough
