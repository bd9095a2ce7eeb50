// SPDX-License-Identifier: Apache-2.0
// A grown tree told again by other rows than those that chose its splits: every node gets their counts and
// values.
#pragma once

#include <cstdint>
#include <string_view>

#include "bough/tree.hpp"
#include "criterion/registry.hpp"
#include "data/targets.hpp"
#include "predict/leaf_rows.hpp"

namespace bough {

/// What a node answers that has too few rows of its own.
enum class HonestPrior : std::uint8_t {
  ancestor,   ///< as the nearest node above it that has enough
  empirical,  ///< as the root
  uniform,    ///< equal class shares
  ignore      ///< nothing: NaN, and forests answer without the tree
};

struct EstimateSpec {
  CriterionId criterion = CriterionId::gini;
  double quantile = 0.5;
  std::int64_t min_rows = 1;  ///< that a node needs to answer by itself
  double min_share = 0.0;     ///< of the weight of all rows that it needs for that
  bool prune = false;         ///< splits with a child of fewer rows are undone, instead of asking `prior`
  HonestPrior prior = HonestPrior::ancestor;
  bool spreads = true;  ///< keeps what intervals of node means need, as extras (see below)
};

/// Names of the extras of an estimated tree: rows that chose the splits; how many rows of equal weight would
/// tell as much as the node's (Kish); the variance of the node's mean, per output (empty name tail for the
/// first, "_1" ...).
inline constexpr std::string_view kStructureRows = "structure_rows";
inline constexpr std::string_view kEffectiveRows = "effective_rows";
inline constexpr std::string_view kMeanVariance = "mean_variance";
/// 1 at nodes that answer nothing (HonestPrior::ignore).
inline constexpr std::string_view kUnanswered = "unanswered";

/// Whether a node of an estimated tree has enough rows to answer by itself.
[[nodiscard]] bool answers_itself(const Tree& tree, NodeId node, std::int64_t min_rows, double min_share);

/// The splits of `tree` with n_rows, weights, impurities and values of `rows`, whose targets and weights are
/// `targets`; with a treatment the values are effects, and min_rows is asked of both arms, at least 2 (fill_arms.hpp).
/// Shares, gains and ways of missing cells stay those of the rows that grew the tree. Throws
/// bad_data when all rows together are fewer than min_rows.
Tree estimate(const Tree& tree, const NodeRows& rows, const Targets& targets, const EstimateSpec& spec);

}  // namespace bough
