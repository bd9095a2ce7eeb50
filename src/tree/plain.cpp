// SPDX-License-Identifier: Apache-2.0
// Trees of leaves and tests of numbers, which most trees are: made from plain arrays, and checked in one pass.
#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "tree/access.hpp"

namespace bough {
namespace {

bool finite(double x) noexcept {
  return std::fabs(x) <= std::numeric_limits<double>::max();
}

// Whether all are finite and, where asked, not below 0. Bits of doubles grow with their size: one pass without a branch.
bool all_right(std::span<const double> values, bool negative_too) noexcept {
  const auto most = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max());
  const std::uint64_t sign = std::uint64_t{1} << 63, looked_at = negative_too ? ~sign : ~std::uint64_t{0};
  std::uint64_t wrong = 0;
  for (const double value : values) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) & looked_at;
    wrong |= bits | (most - bits);  // the highest bit: a sign, or more than `most`
  }
  return (wrong & sign) == 0;
}

}  // namespace

Tree TreeAccess::make(Task task, std::vector<std::uint32_t> widths, PlainTree plain, std::size_t n_columns) {
  Tree tree;
  const std::size_t n = plain.kind.size();
  tree.task_ = task;
  tree.widths_ = std::move(widths);
  tree.value_width_ = std::accumulate(tree.widths_.begin(), tree.widths_.end(), std::size_t{0});
  // Whether a node has children is as good as random to a processor, so that leaves write some too and do not keep them.
  tree.children_.resize(n + 1);
  tree.child_share_.resize(n + 1);
  tree.children_at_.resize(n + 1);
  std::size_t at = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool inner = plain.right[i] >= 0;
    const std::size_t first = inner ? i + 1 : i, second = inner ? Tree::index(plain.right[i]) : i;
    const double left = plain.weight[first], right = plain.weight[second], total = left + right;
    tree.children_[at] = static_cast<NodeId>(first);
    tree.children_[at + 1] = static_cast<NodeId>(second);
    tree.child_share_[at] = total > 0.0 ? left / total : 0.5;
    tree.child_share_[at + 1] = total > 0.0 ? right / total : 0.5;
    at += inner ? 2 : 0;
    tree.children_at_[i + 1] = at;
  }
  tree.children_.resize(at);
  tree.child_share_.resize(at);
  tree.kind_ = std::move(plain.kind);
  tree.column_ = std::move(plain.column);
  tree.threshold_ = std::move(plain.threshold);
  tree.unseen_to_ = plain.missing_to;
  tree.missing_to_ = std::move(plain.missing_to);
  tree.n_rows_ = std::move(plain.n_rows);
  tree.weight_ = std::move(plain.weight);
  tree.impurity_ = std::move(plain.impurity);
  tree.gain_ = std::move(plain.gain);
  if (stores_dense(tree)) {
    tree.value_ = std::move(plain.value);
    bool other_tests = false;
    for (const NodeKind kind : tree.kind_) other_tests |= kind != NodeKind::leaf && kind != NodeKind::numeric;
    // The values of classes add up to the weight.
    const bool numbers = task == Task::classification || all_right(tree.value_, true);
    if (!other_tests && numbers && all_right(tree.weight_, false) && all_right(tree.impurity_, true) &&
        all_right(tree.gain_, true))
      tree.made_for_.n_columns = n_columns;
    assert(tree.made_for_.n_columns == 0 || plainly_right(tree, n_columns, {}));
    return tree;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < tree.value_width_; ++k) {
      const double value = plain.value[i * tree.value_width_ + k];
      if (value == 0.0) continue;
      tree.value_index_.push_back(static_cast<std::uint32_t>(k));
      tree.value_.push_back(value);
    }
    tree.values_at_.push_back(tree.value_.size());
  }
  return tree;
}

bool TreeAccess::plainly_right(const Tree& tree, std::size_t n_columns,
                               std::span<const std::uint32_t> n_levels) {
  const std::size_t n = tree.kind_.size();
  if (n == 0 || n > static_cast<std::size_t>(std::numeric_limits<NodeId>::max()) || !tree.extras_.empty())
    return false;
  bool right = true;
  visit_node_arrays(tree, [&](const char* /*name*/, const auto& array) { right &= array.size() == n; });
  std::size_t width = 0;
  for (const std::uint32_t one : tree.widths_) {
    right &= one > 0 && (tree.task_ == Task::classification || one == 1);
    width += one;
  }
  right &= width == tree.value_width_ && width > 0 && stores_dense(tree) && tree.value_.size() == n * width &&
           tree.values_at_.size() == 1 && tree.value_index_.empty();
  right &= tree.map_level_.empty() && tree.map_child_.empty() && tree.cut_.empty() && tree.term_.empty() &&
           tree.alternative_.empty();
  right &= tree.children_.size() == n - 1 && tree.child_share_.size() == n - 1 &&
           tree.children_at_.size() == n + 1 && tree.children_at_[0] == 0;
  for (const auto* ends : {&tree.map_at_, &tree.cuts_at_, &tree.terms_at_, &tree.alternatives_at_})
    right &= ends->empty();
  if (!right) return false;

  // Preorder: the left child is next, and a leaf is followed by the last right child that is still to come.
  std::vector<NodeId> to_come;
  std::size_t child = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto next = static_cast<NodeId>(i) + 1;
    right &= tree.n_rows_[i] >= 0 && tree.weight_[i] >= 0.0 && finite(tree.weight_[i]) &&
             finite(tree.impurity_[i]) && finite(tree.gain_[i]);
    if (tree.kind_[i] == NodeKind::leaf) {
      right &= tree.column_[i] == -1 && tree.threshold_[i] == 0.0 && tree.missing_to_[i] == 0 &&
               tree.unseen_to_[i] == 0 && tree.gain_[i] == 0.0 && tree.children_at_[i + 1] == child;
      if (to_come.empty() ? Tree::index(next) != n : to_come.back() != next) return false;
      if (!to_come.empty()) to_come.pop_back();
      continue;
    }
    if (tree.kind_[i] != NodeKind::numeric || child + 2 > n - 1) return false;
    const NodeId left_child = tree.children_[child], right_child = tree.children_[child + 1];
    const double left = tree.child_share_[child], other = tree.child_share_[child + 1];
    child += 2;
    if (tree.children_at_[i + 1] != child || left_child != next || right_child <= next ||
        Tree::index(right_child) >= n || tree.column_[i] < 0 ||
        static_cast<std::size_t>(tree.column_[i]) >= n_columns)
      return false;
    to_come.push_back(right_child);
    right &= (tree.missing_to_[i] | 1) == 1 && (tree.unseen_to_[i] | 1) == 1;
    right &=
        left >= 0.0 && left <= 1.0 && other >= 0.0 && other <= 1.0 && std::abs(left + other - 1.0) <= 1e-6;
    right &= !std::isnan(tree.threshold_[i]);
    right &= n_levels.empty() || n_levels[Tree::index(tree.column_[i])] == 0;
    const std::int64_t below = tree.n_rows_[Tree::index(left_child)],
                       beside = tree.n_rows_[Tree::index(right_child)];
    right &= below >= 0 && beside >= 0 && below <= tree.n_rows_[i] && beside == tree.n_rows_[i] - below;
  }
  return right && to_come.empty() && all_right(tree.value_, tree.task_ == Task::regression);
}

}  // namespace bough
