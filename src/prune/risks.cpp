// SPDX-License-Identifier: Apache-2.0
// Risks of nodes as leaves: by error, and by a matrix of losses.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bough/prune.hpp"

namespace bough {
namespace {

// Weight of the node as a share of the root's.
double share_of(const Tree& tree, NodeId node) {
  return tree.weight(0) > 0.0 ? tree.weight(node) / tree.weight(0) : 0.0;
}

// Lowest cost of an answer, per unit of weight.
double cheapest(std::span<const double> classes, std::span<const double> loss) {
  const std::size_t n = classes.size();
  double total = 0.0;
  for (const double weight : classes) total += weight;
  if (total <= 0.0) return 0.0;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t answer = 0; answer < n; ++answer) {
    double cost = 0.0;
    for (std::size_t truth = 0; truth < n; ++truth) cost += classes[truth] * loss[truth * n + answer];
    best = std::min(best, cost);
  }
  return best / total;
}

}  // namespace

std::vector<double> error_risk(const Tree& tree) {
  if (tree.task() == Task::regression) return impurity_risk(tree);
  std::vector<double> risk(static_cast<std::size_t>(tree.n_nodes()), 0.0);
  std::vector<double> values(tree.value_width());
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    tree.values(node, values);
    double wrong = 0.0;
    auto begin = values.begin();
    for (const std::uint32_t width : tree.output_widths()) {
      const auto end = begin + width;
      double total = 0.0;
      for (auto it = begin; it != end; ++it) total += *it;
      if (total > 0.0) wrong += (total - *std::max_element(begin, end)) / total;
      begin = end;
    }
    risk[static_cast<std::size_t>(node)] =
        share_of(tree, node) * wrong / static_cast<double>(tree.n_outputs());
  }
  return risk;
}

std::vector<double> loss_risk(const Tree& tree, std::span<const double> loss) {
  const std::size_t n = tree.value_width();
  if (tree.task() != Task::classification || tree.n_outputs() != 1)
    throw Error(ErrorCode::bad_params, "a matrix of losses is for one class target",
                "Use error_risk or impurity_risk.");
  if (loss.size() != n * n)
    throw Error(ErrorCode::bad_params, fmt::format("{} losses for {} classes", loss.size(), n),
                fmt::format("Give {}: one per pair of truth and answer.", n * n));
  for (std::size_t i = 0; i < loss.size(); ++i) {
    if (!(loss[i] >= 0.0) || !std::isfinite(loss[i]))
      throw Error(ErrorCode::bad_params,
                  fmt::format("answering class {} for class {} costs {}", i % n, i / n, loss[i]),
                  "Losses are finite and not negative.");
  }
  std::vector<double> risk(static_cast<std::size_t>(tree.n_nodes()), 0.0);
  std::vector<double> values(n);
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    tree.values(node, values);
    risk[static_cast<std::size_t>(node)] = share_of(tree, node) * cheapest(values, loss);
  }
  return risk;
}

}  // namespace bough
