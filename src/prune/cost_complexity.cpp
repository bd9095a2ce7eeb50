// SPDX-License-Identifier: Apache-2.0
// Minimal cost-complexity pruning (Breiman, Friedman, Olshen, Stone 1984, chapter 3) in O(n log n).
//
// R(t) is the risk of node t as a leaf, R(T_t) the sum over the leaves below it and L_t their number. The
// price at which t is worth no more than a leaf is g(t) = (R(t) - R(T_t)) / (L_t - 1). Weakest-link pruning
// turns the node of the lowest g into a leaf, again and again. Done literally, every step changes g of all
// ancestors.
//
// Instead the steps are found bottom-up. Let H(t) be the steps inside the branch of t: pairs of a node and
// its price, each with the risk it adds and the leaves it takes. Above every price the branch is t with its
// children as leaves. From there the steps are undone, highest price first, until the price of collapsing t
// itself lies above all that are left:
//
//   a = (R(t) - R(branch)) / (leaves - 1);  while the highest price in H >= a: undo that step, recompute a
//
// Undone steps are never taken: the branch is gone by then. What is left and t's own step are H(t). At the
// time t is collapsed exactly the steps below a have been taken, and no ancestor plays a part, so these are
// the steps of the weakest link; equal prices go to the ancestor, as when the lowest node id is taken first.
// A step is put in once and undone at most once; H is a skew heap (Sleator, Tarjan 1986): melding and popping
// are O(log n) amortised.
//
// Risks are rounded once to a common fixed point; then all sums and comparisons are exact, and the path does
// not depend on the order of additions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/fixed.hpp"
#include "bough/prune.hpp"

namespace bough {
namespace {

constexpr NodeId kNone = -1;

std::size_t at(NodeId node) noexcept {
  return static_cast<std::size_t>(node);
}

// Risks as integer * 2^-exponent, so small that the sum over all nodes times their number stays below 2^126.
struct FixedRisk {
  std::vector<int128> values;
  int exponent = 0;

  explicit FixedRisk(std::span<const double> risk) {
    double largest = 0.0;
    for (const double value : risk) largest = std::max(largest, std::abs(value));
    const int bits = std::min(126 - 2 * bit_length(risk.size()), 100);
    if (largest > 0.0) exponent = bits - 1 - std::ilogb(largest);
    values.reserve(risk.size());
    for (const double value : risk)
      values.push_back(static_cast<int128>(std::rint(std::ldexp(value, exponent))));
  }
  [[nodiscard]] double real(int128 value) const noexcept {
    return std::ldexp(static_cast<double>(value), -exponent);
  }
};

// A step of the path: what turning a node into a leaf changes. Lives in a heap by price, the highest on top.
struct Step {
  int128 risk = 0;          // added
  std::int64_t leaves = 0;  // taken away; 0: no step
  NodeId left = kNone, right = kNone;
};

// Sign of price(a) - price(b).
int compare(const Step& a, const Step& b) noexcept {
  const int128 difference = a.risk * b.leaves - b.risk * a.leaves;
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

class Weakest {
 public:
  Weakest(const Tree& tree, const FixedRisk& risk) : tree_(&tree), risk_(&risk), steps_(risk.values.size()) {}

  // The nodes of all steps, lowest price first, then lowest node.
  [[nodiscard]] std::vector<NodeId> run() {
    std::vector<NodeId> heaps(steps_.size(), kNone);
    // Preorder: children have higher ids than their parents.
    for (NodeId node = tree_->n_nodes(); node-- > 0;)
      if (!tree_->is_leaf(node)) heaps[at(node)] = close(node, heaps);
    return sorted(heaps.front());
  }
  [[nodiscard]] const Step& step(NodeId node) const { return steps_[at(node)]; }

 private:
  // Finds the step of `node` and returns the heap of the steps in its branch.
  NodeId close(NodeId node, std::span<const NodeId> heaps) {
    const auto children = tree_->children(node);
    NodeId heap = kNone;
    Step& own = steps_[at(node)];
    own.risk = risk_->values[at(node)];
    own.leaves = static_cast<std::int64_t>(children.size()) - 1;
    for (const NodeId child : children) {
      own.risk -= risk_->values[at(child)];
      heap = meld(heap, heaps[at(child)]);
    }
    while (heap != kNone && compare(steps_[at(heap)], own) >= 0) {
      const Step& top = steps_[at(heap)];
      own.risk += top.risk;
      own.leaves += top.leaves;
      heap = meld(top.left, top.right);
    }
    return meld(heap, node);
  }

  NodeId meld(NodeId a, NodeId b) {
    NodeId top = kNone;
    NodeId* slot = &top;
    while (a != kNone && b != kNone) {
      if (compare(steps_[at(a)], steps_[at(b)]) < 0) std::swap(a, b);
      *slot = a;
      Step& upper = steps_[at(a)];
      a = std::exchange(upper.right, upper.left);
      slot = &upper.left;
    }
    *slot = a == kNone ? b : a;
    return top;
  }

  [[nodiscard]] std::vector<NodeId> sorted(NodeId heap) const {
    std::vector<NodeId> nodes;
    if (heap != kNone) nodes.push_back(heap);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const NodeId below : {step(nodes[i]).left, step(nodes[i]).right})
        if (below != kNone) nodes.push_back(below);
    }
    std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
      const int order = compare(step(a), step(b));
      return order != 0 ? order < 0 : a < b;
    });
    return nodes;
  }

  const Tree* tree_;
  const FixedRisk* risk_;
  std::vector<Step> steps_;
};

void check_risk(const Tree& tree, std::span<const double> risk) {
  if (risk.size() != at(tree.n_nodes())) {
    throw Error(ErrorCode::bad_params, fmt::format("{} risks for {} nodes", risk.size(), tree.n_nodes()),
                "Give one number per node, in the order of their ids.");
  }
  const auto odd = std::find_if(risk.begin(), risk.end(), [](double value) { return !std::isfinite(value); });
  if (odd != risk.end()) {
    throw Error(ErrorCode::bad_params, fmt::format("the risk of node {} is {}", odd - risk.begin(), *odd),
                "Risks are finite numbers.");
  }
}

}  // namespace

std::vector<double> impurity_risk(const Tree& tree) {
  std::vector<double> risk(at(tree.n_nodes()), 0.0);
  const double total = tree.weight(0);
  if (total <= 0.0) return risk;
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    risk[at(node)] = tree.weight(node) / total * tree.impurity(node);
  return risk;
}

PruningPath cost_complexity_path(const Tree& tree, std::span<const double> risk) {
  check_risk(tree, risk);
  const FixedRisk fixed(risk);
  Weakest weakest(tree, fixed);
  int128 total = 0;
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (tree.is_leaf(node)) total += fixed.values[at(node)];
  PruningPath path{{0.0}, {fixed.real(total)}, {tree.n_leaves()}, {kNone}};
  for (const NodeId node : weakest.run()) {
    const Step& step = weakest.step(node);
    total += step.risk;
    const double alpha = fixed.real(step.risk) / static_cast<double>(step.leaves);
    // Prices rise; their quotients as doubles may be off by one unit in the last place.
    path.alphas.push_back(std::max(alpha, path.alphas.back()));
    path.risks.push_back(fixed.real(total));
    path.n_leaves.push_back(path.n_leaves.back() - static_cast<NodeId>(step.leaves));
    path.nodes.push_back(node);
  }
  return path;
}

PruningPath cost_complexity_path(const Tree& tree) {
  return cost_complexity_path(tree, impurity_risk(tree));
}

double price_between(double low, double high) {
  const double least = std::max(low, std::numeric_limits<double>::denorm_min());
  if (!std::isfinite(high)) return least;
  const double middle = low > 0.0 ? std::sqrt(low) * std::sqrt(high) : high / 2.0;
  return middle < high ? std::max(middle, least) : least;
}

Tree prune(const Tree& tree, const PruningPath& path, double alpha) {
  if (!(alpha >= 0.0)) {
    throw Error(ErrorCode::bad_params, fmt::format("trees cannot be pruned with alpha {}", alpha),
                "alpha is the price per leaf, 0 or more.");
  }
  if (alpha == 0.0) return tree;
  TreeBuilder builder = TreeBuilder::from(tree);
  for (std::size_t i = 1; i < path.nodes.size() && path.alphas[i] <= alpha; ++i) {
    if (path.nodes[i] < 0 || path.nodes[i] >= tree.n_nodes()) {
      throw Error(ErrorCode::bad_params,
                  fmt::format("the path names node {} of {}", path.nodes[i], tree.n_nodes()),
                  "Prune a tree with its own path.");
    }
    builder.collapse(path.nodes[i]);
  }
  return std::move(builder).finish();
}

Tree prune(const Tree& tree, double alpha) {
  return prune(tree, cost_complexity_path(tree), alpha);
}

}  // namespace bough
