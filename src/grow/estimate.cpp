// SPDX-License-Identifier: Apache-2.0
// Statistics of all nodes from the rows that reach them, and answers for those with too few.
#include "grow/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "grow/fill.hpp"
#include "grow/fill_arms.hpp"
#include "grow/sorted_rows.hpp"

namespace bough {
namespace {

std::size_t at(NodeId node) noexcept {
  return static_cast<std::size_t>(node);
}

// What is needed of the rows of a node for the variance of their weighted mean. Sums of w and w^2, and mean
// and summed squared distances of the targets when rows count w^2 (Chan, Golub and LeVeque 1983): joining
// loses no digits.
struct Spread {
  double weight = 0.0;
  double squares = 0.0;
  double mean = 0.0;
  double apart = 0.0;

  void join(const Spread& other) noexcept {
    weight += other.weight;
    if (other.squares <= 0.0) return;
    const double total = squares + other.squares, gap = other.mean - mean;
    apart += other.apart + gap * gap * (squares * (other.squares / total));
    mean += gap * (other.squares / total);
    squares = total;
  }
  [[nodiscard]] double rows() const noexcept { return squares > 0.0 ? weight * weight / squares : 0.0; }
  // Of a mean that is `centre`: sum of w~^2 (y - centre)^2 / (1 - 1 / n), w~ = w / sum of w.
  [[nodiscard]] double variance(double centre) const noexcept {
    const double n = rows();
    if (!(n > 1.0 + 1e-9)) return 0.0;
    const double gap = centre - mean;
    return (apart + squares * gap * gap) / weight / weight / (1.0 - 1.0 / n);
  }
};

std::vector<Spread> spreads_of(const Tree& tree, const NodeRows& rows, const Targets& targets,
                               const double* numbers) {
  std::vector<Spread> spreads(at(tree.n_nodes()));
  const std::vector<NodeId> parents = tree.parents();
  for (NodeId node = tree.n_nodes(); node-- > 0;) {
    Spread own;
    for (const RowId row : sorted_rows(rows.ending(node), numbers, targets)) {
      const double w = std::ldexp(static_cast<double>(targets.weight(row)), -targets.weight_exponent);
      own.join({w, w * w, numbers == nullptr ? 0.0 : numbers[row], 0.0});
    }
    spreads[at(node)].join(own);
    if (node > 0) spreads[at(parents[at(node)])].join(spreads[at(node)]);
  }
  return spreads;
}

void keep_spreads(TreeBuilder& builder, const Tree& tree, const NodeRows& rows, const Targets& targets) {
  for (std::size_t o = 0; o < targets.n_outputs(); ++o) {
    const bool classes = targets.is_classification();
    if (classes && o > 0) break;
    const std::vector<Spread> spreads =
        spreads_of(tree, rows, targets, classes ? nullptr : targets.numbers[o].raw.data());
    const std::string name = o == 0 ? std::string(kMeanVariance) : fmt::format("{}_{}", kMeanVariance, o);
    for (NodeId node = 0; node < tree.n_nodes(); ++node) {
      if (o == 0) builder.set_extra(std::string(kEffectiveRows), node, spreads[at(node)].rows());
      if (classes) continue;
      const double mean = builder.stats(node).values[o];
      const double variance = rows.below(node).empty() ? 0.0 : spreads[at(node)].variance(mean);
      builder.set_extra(name, node, variance);
    }
  }
}

bool is_enough(std::int64_t n_rows, double weight, double total, std::int64_t min_rows, double min_share) {
  // Sums of fractions may be off by an ulp.
  return n_rows >= min_rows && weight >= min_share * total * (1.0 - 1e-12);
}

void undo_small_splits(TreeBuilder& builder, const Tree& tree, const EstimateSpec& spec) {
  const double total = builder.stats(0).weight;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    const auto children = tree.children(node);
    if (std::any_of(children.begin(), children.end(), [&](NodeId child) {
          const NodeStats stats = builder.stats(child);
          return !is_enough(stats.n_rows, stats.weight, total, spec.min_rows, spec.min_share);
        }))
      builder.collapse(node);
  }
}

// In preorder: what stands above a node is settled before it.
void ask_prior(TreeBuilder& builder, const Tree& tree, const EstimateSpec& spec) {
  const std::vector<NodeId> parents = tree.parents();
  const double total = builder.stats(0).weight;
  for (NodeId node = 1; node < tree.n_nodes(); ++node) {
    NodeStats stats = builder.stats(node);
    if (is_enough(stats.n_rows, stats.weight, total, spec.min_rows, spec.min_share)) continue;
    switch (spec.prior) {
      case HonestPrior::ancestor:
        stats.values = builder.stats(parents[at(node)]).values;
        break;
      case HonestPrior::empirical:
        stats.values = builder.stats(0).values;
        break;
      case HonestPrior::uniform:
        std::fill(stats.values.begin(), stats.values.end(), 1.0);
        break;
      case HonestPrior::ignore:
        std::fill(stats.values.begin(), stats.values.end(), std::numeric_limits<double>::quiet_NaN());
        builder.set_extra(std::string(kUnanswered), node, 1.0);
        break;
    }
    builder.set_stats(node, stats);
  }
}

Tree estimate_arms(const Tree& tree, const NodeRows& rows, const Targets& targets, const EstimateSpec& spec) {
  ArmFill fill;
  fill.honest = true;
  fill.min_rows = std::max<std::int64_t>(spec.min_rows, 2);  // one row says nothing about its spread
  fill.lack = spec.prune                             ? ArmFill::Lack::prune
              : spec.prior == HonestPrior::empirical ? ArmFill::Lack::root
                                                     : ArmFill::Lack::ancestor;
  TreeBuilder builder = TreeBuilder::from(tree);
  std::vector<std::span<const RowId>> by_node;
  for (NodeId node = 0; node < tree.n_nodes(); ++node) {
    builder.set_extra(std::string(kStructureRows), node, static_cast<double>(tree.n_rows(node)));
    by_node.push_back(rows.ending(node));
  }
  fill_arms(builder, by_node, targets, fill);
  return std::move(builder).finish();
}

}  // namespace

bool answers_itself(const Tree& tree, NodeId node, std::int64_t min_rows, double min_share) {
  return node == 0 || is_enough(tree.n_rows(node), tree.weight(node), tree.weight(0), min_rows, min_share);
}

Tree estimate(const Tree& tree, const NodeRows& rows, const Targets& targets, const EstimateSpec& spec) {
  const auto n = static_cast<std::int64_t>(rows.below(0).size());
  if (n < std::max<std::int64_t>(spec.min_rows, 1))
    throw Error(
        ErrorCode::bad_data,
        fmt::format("{} rows are left to estimate values, fewer than min_honest_rows={}", n, spec.min_rows),
        "give more rows, raise honest_fraction, or lower min_honest_rows");
  if (!targets.treated.empty()) return estimate_arms(tree, rows, targets, spec);
  TreeBuilder builder = TreeBuilder::from(tree);
  if (spec.spreads)
    for (NodeId node = 0; node < tree.n_nodes(); ++node)
      builder.set_extra(std::string(kStructureRows), node, static_cast<double>(tree.n_rows(node)));
  std::vector<std::span<const RowId>> by_node;
  by_node.reserve(at(tree.n_nodes()));
  for (NodeId node = 0; node < tree.n_nodes(); ++node) by_node.push_back(rows.below(node));
  fill(builder, by_node, targets, {spec.criterion, spec.quantile, {}, rows.any_stops()});
  if (spec.spreads) keep_spreads(builder, tree, rows, targets);
  if (spec.prune)
    undo_small_splits(builder, tree, spec);
  else
    ask_prior(builder, tree, spec);
  return std::move(builder).finish();
}

}  // namespace bough
