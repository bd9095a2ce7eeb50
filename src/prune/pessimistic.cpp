// SPDX-License-Identifier: Apache-2.0
// Pessimistic pruning from the statistics of the nodes: the limit, collapse, subtree replacement.
//
// A leaf with E errors among N cases is charged N times the upper limit of its error rate. Bottom up, a node
// becomes a leaf when its charge as a leaf exceeds that of its branches by no more than 0.1. Children have
// higher ids than their parents, so a loop over the ids does.
#include "prune/pessimistic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/distributions.hpp"
#include "base/math.hpp"
#include "bough/pessimistic.hpp"

namespace bough {
namespace {

constexpr double kIdle = 1e-3;

// Weka's limit: the normal approximation with a correction of 0.5, a straight line below one error, certainty
// at the top.
double their_extra(double n, double errors, double factor) {
  if (errors < 1.0) {
    const double none = n * (1.0 - exp_exact(log_exact(factor) / n));
    return errors == 0.0 ? none : none + errors * (their_extra(n, 1.0, factor) - none);
  }
  if (errors + 0.5 >= n) return std::max(n - errors, 0.0);
  const double z = normal_quantile(1.0 - factor), f = (errors + 0.5) / n;
  const double root = std::sqrt(f / n - f * f / n + z * z / (4 * n * n));
  return (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - errors;
}

// Weight of all classes but the most frequent one. Leaves without rows hold their parent's classes and make
// no errors.
double errors_of(const Tree& tree, NodeId node, std::vector<double>& scratch) {
  if (tree.weight(node) <= 0.0) return 0.0;
  tree.values(node, scratch);
  return std::max(tree.weight(node) - *std::max_element(scratch.begin(), scratch.end()), 0.0);
}

std::vector<double> errors_of(const Tree& tree) {
  std::vector<double> scratch(tree.value_width()), errors;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) errors.push_back(errors_of(tree, node, scratch));
  return errors;
}

// The tree with some inner nodes as leaves.
Tree cut(const Tree& tree, const std::vector<char>& as_leaf) {
  TreeBuilder builder = TreeBuilder::from(tree);
  for (NodeId node = 0; node < tree.n_nodes(); ++node)
    if (as_leaf[static_cast<std::size_t>(node)] && !tree.is_leaf(node)) builder.collapse(node);
  return std::move(builder).finish();
}

}  // namespace

void check_confidence_factor(double factor) {
  if (factor > 0.0 && factor <= 0.5) return;
  throw Error(ErrorCode::bad_params,
              fmt::format("the confidence factor must be in (0, 0.5], but is {}", factor),
              "0.25 is the usual one; smaller values prune more");
}

void check_one_class_target(const Tree& tree) {
  if (tree.task() == Task::classification && tree.n_outputs() == 1) return;
  throw Error(ErrorCode::not_supported,
              tree.task() == Task::classification
                  ? "pessimistic pruning needs one target, but there are several"
                  : "pessimistic pruning counts errors, so it needs classes",
              "use cost-complexity pruning (ccp_alpha)");
}

double leaf_charge(double errors, double weight, const PessimisticSpec& spec) {
  if (weight <= (spec.j48 ? kWekaSlack : 0.0)) return 0.0;
  return pessimistic_errors(std::max(errors, 0.0), weight, spec.confidence_factor, spec.j48);
}

double pessimistic_errors(double errors, double n, double confidence_factor, bool j48) {
  check_confidence_factor(confidence_factor);
  if (j48) return errors + their_extra(n, errors, confidence_factor);
  return n * binomial_upper_limit(errors, n, confidence_factor);
}

Tree collapse_idle(const Tree& tree) {
  check_one_class_target(tree);
  const std::vector<double> own = errors_of(tree);
  std::vector<double> below(own.size());
  for (NodeId node = tree.n_nodes(); node-- > 0;) {
    if (tree.is_leaf(node)) below[static_cast<std::size_t>(node)] = own[static_cast<std::size_t>(node)];
    for (const NodeId child : tree.children(node))
      below[static_cast<std::size_t>(node)] += below[static_cast<std::size_t>(child)];
  }
  std::vector<char> as_leaf(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) as_leaf[i] = below[i] >= own[i] - kIdle;
  return cut(tree, as_leaf);
}

Tree prune_pessimistic(const Tree& tree, const PessimisticSpec& spec) {
  check_confidence_factor(spec.confidence_factor);
  check_one_class_target(tree);
  const std::vector<double> errors = errors_of(tree);
  std::vector<double> charge(errors.size());
  std::vector<char> as_leaf(errors.size());
  for (NodeId node = tree.n_nodes(); node-- > 0;) {
    const auto i = static_cast<std::size_t>(node);
    const double alone = leaf_charge(errors[i], tree.weight(node), spec);
    for (const NodeId child : tree.children(node)) charge[i] += charge[static_cast<std::size_t>(child)];
    as_leaf[i] = tree.is_leaf(node) || alone <= charge[i] + slack_of(spec);
    if (as_leaf[i]) charge[i] = alone;
  }
  return cut(tree, as_leaf);
}

}  // namespace bough
