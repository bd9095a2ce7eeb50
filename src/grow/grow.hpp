// SPDX-License-Identifier: Apache-2.0
// Growing a tree: the queue of open nodes, stop rules, constraints and column sampling. Engines search, builders write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/monitor.hpp"
#include "bough/search_proof.hpp"
#include "bough/tree.hpp"
#include "data/targets.hpp"
#include "split/engine.hpp"

namespace bough {

struct GrowSpec {
  EngineOptions engine;
  std::int32_t max_depth = INT32_MAX;
  std::int64_t min_samples_split = 2;
  std::int64_t min_samples_leaf = 1;
  double min_weight_fraction_leaf = 0.0;
  double min_impurity_decrease = 0.0;
  std::optional<std::int32_t> max_leaf_nodes;    ///< best-first when set
  std::size_t max_features = 0;                  ///< columns per node; 0: all
  std::vector<std::vector<ColId>> interactions;  ///< groups of columns that may meet on a path; empty: any
  double variance_price = 0.0;  ///< two arms: what the variance of effects costs (criterion/arms.hpp)
  bool draw_ties = false;       ///< keys of nodes settle ties between columns; else the lower one wins
  std::uint64_t seed = 0;
  std::optional<std::uint64_t> root_key;  ///< random key of the root; unset: by the seed
};

/// Whether engines may finish whole subtrees: no constraint of the grower reaches into them.
inline bool engines_may_finish(const GrowSpec& spec) noexcept {
  return spec.engine.monotone.empty() && spec.interactions.empty() && !spec.max_leaf_nodes;
}

struct Grown {
  Tree tree;
  bool heuristic = false;              ///< a category ordering heuristic took part in the search
  std::optional<SearchProof> proof{};  ///< of a search beyond greedy growing
  std::vector<std::string> notes{};    ///< of such a search
};

/// Grows a tree over columns 0 .. n_columns - 1 with an engine made for the same targets and spec.engine.
Grown grow(Engine& engine, std::size_t n_columns, const Targets& targets, const GrowSpec& spec,
           Monitor& monitor);

}  // namespace bough
