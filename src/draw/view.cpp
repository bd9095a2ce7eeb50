// SPDX-License-Identifier: Apache-2.0
// Which nodes of a tree become boxes of a picture.
//
// Without a depth from the user trees of more than kSmallTree leaves are folded at the deepest level at which
// at most kMostEnds boxes have nothing below them: that many stand side by side on a page and can be read.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bough/draw.hpp"
#include "explain/words.hpp"

namespace bough {
namespace {

constexpr std::int64_t kMostEnds = 16, kSmallTree = 24;
constexpr int kMostLevels = 40;

class Viewer {
 public:
  Viewer(const Tree& tree, const ViewOptions& options) : tree_(tree), options_(options) {
    measure();
    for (const NodeId node : options.collapsed) {
      if (node < 0 || node >= tree.n_nodes())
        throw Error(ErrorCode::bad_params, fmt::format("there is no node {} to collapse", node),
                    fmt::format("nodes are 0 to {}", tree.n_nodes() - 1));
      collapsed_[at(node)] = true;
    }
  }

  TreeView view() {
    max_depth_ = options_.max_depth ? *options_.max_depth : readable_depth();
    TreeView out;
    out.max_depth = max_depth_;
    std::vector<ViewBox> open{box_of(0, -1, 0, 0)};
    while (!open.empty()) {
      const ViewBox box = open.back();
      open.pop_back();
      const auto position = static_cast<std::int32_t>(out.boxes.size());
      out.boxes.push_back(box);
      if (box.what != ViewBox::What::inner) continue;
      const std::vector<ViewBox> below = children_of(box, position);
      open.insert(open.end(), below.rbegin(), below.rend());
    }
    return out;
  }

 private:
  static std::size_t at(NodeId node) { return static_cast<std::size_t>(node); }

  // Nodes and levels below every node; ids are preorder, so children come after their parents.
  void measure() {
    const auto n = static_cast<std::size_t>(tree_.n_nodes());
    below_.assign(n, 0);
    levels_.assign(n, 0);
    collapsed_.assign(n, false);
    for (NodeId node = tree_.n_nodes() - 1; node >= 0; --node) {
      for (const NodeId child : tree_.children(node)) {
        below_[at(node)] += 1 + below_[at(child)];
        levels_[at(node)] = std::max(levels_[at(node)], 1 + levels_[at(child)]);
      }
    }
  }

  // Numbers of the children that get boxes of their own, in order.
  [[nodiscard]] std::vector<std::int32_t> shown_children(NodeId node) const {
    const auto children = tree_.children(node);
    std::vector<std::int32_t> shown(children.size());
    std::iota(shown.begin(), shown.end(), 0);
    const auto most = static_cast<std::size_t>(std::max(options_.most_children, 0));
    if (most == 0 || children.size() <= most) return shown;
    const auto heavier = [&](std::int32_t a, std::int32_t b) {
      return tree_.weight(children[static_cast<std::size_t>(a)]) >
             tree_.weight(children[static_cast<std::size_t>(b)]);
    };
    std::stable_sort(shown.begin(), shown.end(), heavier);
    shown.resize(std::max<std::size_t>(most, 2) - 1);
    std::sort(shown.begin(), shown.end());
    return shown;
  }

  // Level by level, as long as the ends are few enough. Only what may be drawn is looked at.
  [[nodiscard]] int readable_depth() const {
    if (tree_.n_leaves() <= kSmallTree && levels_[0] <= kMostLevels && !has_wide_nodes()) return -1;
    std::vector<NodeId> level{0};
    std::int64_t leaves = 0;
    for (int depth = 0; depth < kMostLevels; ++depth) {
      std::vector<NodeId> next;
      std::int64_t rests = 0;
      for (const NodeId node : level) {
        if (tree_.is_leaf(node) || collapsed_[at(node)]) {
          ++leaves;
          continue;
        }
        const std::vector<std::int32_t> shown = shown_children(node);
        for (const std::int32_t child : shown)
          next.push_back(tree_.children(node)[static_cast<std::size_t>(child)]);
        rests += shown.size() < tree_.children(node).size() ? 1 : 0;
      }
      leaves += rests;
      if (next.empty()) return -1;
      if (leaves + std::ssize(next) > kMostEnds) return std::max(depth, 1);
      level = std::move(next);
    }
    return kMostLevels;
  }

  [[nodiscard]] bool has_wide_nodes() const {
    for (NodeId node = 0; node < tree_.n_nodes(); ++node)
      if (options_.most_children > 0 && std::ssize(tree_.children(node)) > options_.most_children)
        return true;
    return false;
  }

  [[nodiscard]] ViewBox box_of(NodeId node, std::int32_t parent, std::int32_t child,
                               std::int32_t depth) const {
    ViewBox box{.node = node, .parent = parent, .child = child, .depth = depth};
    if (tree_.is_leaf(node)) return box;
    const bool folds = collapsed_[at(node)] || (max_depth_ >= 0 && depth >= max_depth_);
    box.what = folds ? ViewBox::What::folded : ViewBox::What::inner;
    if (folds) {
      box.hidden = below_[at(node)];
      box.levels = levels_[at(node)];
    }
    return box;
  }

  [[nodiscard]] std::vector<ViewBox> children_of(const ViewBox& box, std::int32_t position) const {
    const auto children = tree_.children(box.node);
    const std::vector<std::int32_t> shown = shown_children(box.node);
    std::vector<ViewBox> out;
    for (const std::int32_t child : shown)
      out.push_back(box_of(children[static_cast<std::size_t>(child)], position, child, box.depth + 1));
    if (shown.size() == children.size()) return out;
    ViewBox rest{.what = ViewBox::What::rest, .node = box.node, .parent = position, .child = -1};
    rest.depth = box.depth + 1;
    for (std::int32_t child = 0; child < std::ssize(children); ++child) {
      if (std::binary_search(shown.begin(), shown.end(), child)) continue;
      if (rest.child < 0) rest.child = child;
      ++rest.branches;
      rest.hidden += 1 + below_[at(children[static_cast<std::size_t>(child)])];
    }
    out.push_back(rest);
    return out;
  }

  const Tree& tree_;
  const ViewOptions& options_;
  int max_depth_ = -1;
  std::vector<std::int64_t> below_;
  std::vector<std::int32_t> levels_;
  std::vector<bool> collapsed_;
};

}  // namespace

TreeView view_tree(const Tree& tree, const ViewOptions& options) {
  return Viewer(tree, options).view();
}

}  // namespace bough
