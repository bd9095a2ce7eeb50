// SPDX-License-Identifier: Apache-2.0
// Complexities of nodes as rpart computes them, and its table of trees.
//
// From the leaves up, a node's complexity is (R(t) - R(branch)) / splits of the branch, where a child whose
// own complexity is lower than that counts as a leaf (the lowest first). What a child hands up is its branch
// as it stands at the child's own complexity. The weakest link (cost_complexity.cpp) looks at the branch as
// it stands at the parent's complexity; the two differ where a grandchild goes before the child, but after
// the node itself. Tables must agree with rpart's, so its rule is kept here; the exact path is
// cost_complexity_path with cp_risk().
#include "bough/cp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "predict/answer.hpp"

namespace bough {
namespace {

constexpr double kSame = 1e-12;  // complexities this close, as shares of the root's risk, are one

// What a sum of risks may be wrong by: those of classes are differences of weights, which are as exact as the weight of all
// rows; three rows of weight 0.1 may not weigh as much as one of 0.3.
double slack_of(const Tree& tree, std::span<const double> risk) {
  const double whole = tree.task() == Task::classification ? tree.weight(0) : 0.0;
  return kSame * std::max(risk[0], whole);
}

std::size_t at(NodeId node) noexcept {
  return static_cast<std::size_t>(node);
}

double class_risk(const Tree& tree, std::span<const double> values, const NumberGrid& loss) {
  double risk = 0.0;
  std::size_t first = 0;
  for (const std::uint32_t width : tree.output_widths()) {
    const auto weights = values.subspan(first, width);
    const std::size_t guess = loss.empty() ? largest(weights) : cheapest(weights, loss);
    for (std::size_t c = 0; c < width; ++c) {
      if (loss.empty()) {
        risk += c == guess ? 0.0 : weights[c];
      } else {
        risk += weights[c] * loss[c][guess];
      }
    }
    first += width;
  }
  return risk / static_cast<double>(tree.n_outputs());
}

struct Branch {
  double risk = 0.0;
  std::int64_t splits = 0;
};

// Complexity of one inner node from what its children hand up.
double price(const Tree& tree, NodeId node, std::span<const double> risk, std::span<const double> complexity,
             std::span<const Branch> branches, Branch& out) {
  const auto children = tree.children(node);
  std::vector<NodeId> order(children.begin(), children.end());
  // Of equal complexities the last child goes first.
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
    return complexity[at(a)] != complexity[at(b)] ? complexity[at(a)] < complexity[at(b)] : a > b;
  });
  out = {0.0, static_cast<std::int64_t>(children.size()) - 1};
  for (const NodeId child : children) {
    out.risk += branches[at(child)].risk;
    out.splits += branches[at(child)].splits;
  }
  const auto quotient = [&] { return (risk[at(node)] - out.risk) / static_cast<double>(out.splits); };
  for (const NodeId child : order) {
    if (!(quotient() > complexity[at(child)])) break;
    out.risk += risk[at(child)] - branches[at(child)].risk;
    out.splits -= branches[at(child)].splits;
  }
  return quotient();
}

// Complexities of inner nodes above `alpha`, by more than sums may be wrong by, from the leaves up; returns the root's, whatever alpha is (a root without splits:
// alpha).
double price_all(const Tree& tree, std::span<const double> risk, double alpha,
                 std::vector<double>& complexity) {
  std::vector<Branch> branches(risk.size());
  double own = alpha;
  const double least = alpha + slack_of(tree, risk);
  for (NodeId node = tree.n_nodes(); node-- > 0;) {
    branches[at(node)] = {risk[at(node)], 0};
    if (tree.is_leaf(node)) continue;
    Branch split;
    own = price(tree, node, risk, complexity, branches, split);
    if (!(own > least)) continue;
    branches[at(node)] = split;
    complexity[at(node)] = own;
  }
  return own;
}

void check_risk(const Tree& tree, std::span<const double> risk) {
  if (risk.size() == at(tree.n_nodes())) return;
  throw Error(ErrorCode::bad_params, fmt::format("{} risks for {} nodes", risk.size(), tree.n_nodes()),
              "Give one number per node, in the order of their ids.");
}

// Whether each node is inner in the tree that is left at a complexity.
CpRow row_at(const Tree& tree, std::span<const double> risk, std::span<const double> complexity,
             double threshold) {
  CpRow row;
  std::vector<NodeId> open{0};
  double sum = 0.0;
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    if (tree.is_leaf(node) || complexity[at(node)] <= threshold) {
      sum += risk[at(node)];
      continue;
    }
    row.n_splits += static_cast<NodeId>(tree.children(node).size()) - 1;
    for (const NodeId child : tree.children(node)) open.push_back(child);
  }
  row.rel_error = risk[0] > 0.0 ? sum / risk[0] : 1.0;
  return row;
}

}  // namespace

std::vector<double> cp_risk(const Tree& tree, const NumberGrid& loss) {
  std::vector<double> risk(at(tree.n_nodes()));
  std::vector<double> values(tree.value_width());
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    tree.values(node, values);
    risk[at(node)] = tree.task() == Task::classification ? class_risk(tree, values, loss)
                                                         : tree.weight(node) * tree.impurity(node);
  }
  return risk;
}

std::vector<double> cp_complexity(const Tree& tree, std::span<const double> risk, double alpha) {
  check_risk(tree, risk);
  std::vector<double> complexity(risk.size(), alpha);
  price_all(tree, risk, alpha, complexity);
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    for (const NodeId child : tree.children(node))
      complexity[at(child)] = std::min(complexity[at(child)], complexity[at(node)]);
  return complexity;
}

Tree prune_cp(const Tree& tree, std::span<const double> risk, double cp) {
  check_risk(tree, risk);
  if (!(cp >= 0.0)) return tree;
  const double alpha = cp * risk[0];
  const std::vector<double> complexity = cp_complexity(tree, risk, alpha);
  std::vector<NodeId> gone;
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (!tree.is_leaf(node) && complexity[at(node)] <= alpha) gone.push_back(node);
  return cut(tree, gone);
}

std::vector<CpRow> cp_rows(const Tree& tree, std::span<const double> risk, double cp) {
  check_risk(tree, risk);
  const double least = std::max(cp, 0.0), alpha = cp < 0.0 ? -1.0 : cp * risk[0];
  const std::vector<double> complexity = cp_complexity(tree, risk, alpha);
  std::vector<double> steps;
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (!tree.is_leaf(node) && complexity[at(node)] > alpha) steps.push_back(complexity[at(node)]);
  std::sort(steps.begin(), steps.end(), std::greater<>());
  const double slack = kSame * risk[0];
  steps.erase(std::unique(steps.begin(), steps.end(), [&](double a, double b) { return a - b <= slack; }),
              steps.end());
  std::vector<CpRow> rows;
  for (const double step : steps) {
    rows.push_back(row_at(tree, risk, complexity, step + slack));
    rows.back().cp = risk[0] > 0.0 ? step / risk[0] : 0.0;
  }
  rows.push_back(row_at(tree, risk, complexity, alpha));
  rows.back().cp = least;
  // Nothing is left but the root, which has been the choice from its own complexity on.
  if (steps.empty() && tree.n_nodes() > 1 && risk[0] > 0.0 && cp > 0.0) {
    std::vector<double> scratch(risk.size(), alpha);
    rows.back().cp = cp < 1.0 ? price_all(tree, risk, alpha, scratch) / risk[0] : 1.0;
  }
  return rows;
}

}  // namespace bough
