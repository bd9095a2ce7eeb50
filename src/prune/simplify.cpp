// SPDX-License-Identifier: Apache-2.0
// Merging sibling leaves that predict the same.
//
// A node whose children are leaves with one answer becomes a leaf with that answer; then its parent is looked
// at. Where the node's own values say something else (they may come from other rows), it takes its
// children's: the sum of the class weights, or their common number. Rows that stop at the node get the node's
// own answer, so there the node must agree.
#include <algorithm>
#include <cmath>

#include "bough/prune.hpp"
#include "predict/answer.hpp"

namespace bough {
namespace {

class Merger {
 public:
  Merger(const Tree& tree, Alike alike) : tree_(tree), alike_(alike), builder_(TreeBuilder::from(tree)) {}

  Tree run() {
    for (NodeId node = tree_.n_nodes(); node-- > 0;)
      if (!tree_.is_leaf(node)) look_at(node);
    return std::move(builder_).finish();
  }

 private:
  void look_at(NodeId node) {
    const auto children = tree_.children(node);
    NodeStats first = builder_.stats(children[0]);
    std::vector<double> sum(tree_.value_width(), 0.0);
    for (const NodeId child : children) {
      if (!builder_.is_leaf(child)) return;
      const NodeStats stats = builder_.stats(child);
      if (!same(first.values, stats.values)) return;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += stats.values[i];
    }
    NodeStats own = builder_.stats(node);
    if (!same(own.values, first.values)) {
      if (tree_.missing_to(node) == missing_stops) return;
      own.values = tree_.task() == Task::classification ? sum : first.values;
      if (!same(own.values, first.values)) own.values = first.values;
    }
    builder_.collapse(node);
    builder_.set_stats(node, own);
  }

  [[nodiscard]] bool same(std::span<const double> a, std::span<const double> b) const {
    if (tree_.task() == Task::regression) return std::equal(a.begin(), a.end(), b.begin());
    std::size_t start = 0;
    for (const std::uint32_t width : tree_.output_widths()) {
      if (!same_output(a.subspan(start, width), b.subspan(start, width))) return false;
      start += width;
    }
    return true;
  }

  [[nodiscard]] bool same_output(std::span<const double> a, std::span<const double> b) const {
    if (largest(a) != largest(b)) return false;
    if (alike_ == Alike::answer) return true;
    std::vector<double> x(a.begin(), a.end());
    std::vector<double> y(b.begin(), b.end());
    normalise(x);
    normalise(y);
    for (std::size_t i = 0; i < x.size(); ++i)
      if (std::fabs(x[i] - y[i]) > 1e-15)
        return false;  // shares are quotients: equal ones may differ in the last bit
    return true;
  }

  const Tree& tree_;
  Alike alike_;
  TreeBuilder builder_;
};

}  // namespace

Tree simplify(const Tree& tree, Alike alike) {
  return Merger(tree, alike).run();
}

}  // namespace bough
