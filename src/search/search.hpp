// SPDX-License-Identifier: Apache-2.0
// The best small tree of classes or of numbers: searched beyond greedy growing, with what was proven.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/monitor.hpp"
#include "criterion/registry.hpp"
#include "data/encoded.hpp"
#include "data/targets.hpp"
#include "grow/grow.hpp"
#include "search/chains.hpp"
#include "search/deep.hpp"

namespace bough::search {

struct SearchSpec {
  bool prove = false;  ///< go on until no better tree can be, or the limits end it
  Limits limits;
  double leaf_price = 0.0;  ///< what a leaf costs, in weight of errors or in squared error
  std::int64_t min_samples_leaf = 1;
  bool equality = false;
  std::optional<std::int64_t> work_limit;  ///< moves of the sweep; none: kAnytimeWork or kProofWork
  std::optional<double> time_limit;        ///< seconds; may only cut short
  CriterionId criterion = CriterionId::gini;
  std::vector<std::string> names;  ///< of the columns
  const Targets* costs = nullptr;  ///< of the same rows: weights are what errors cost; none: as the targets
};

inline constexpr std::int64_t kAnytimeWork = 20'000'000;   ///< about half a second
inline constexpr std::int64_t kProofWork = 4'000'000'000;  ///< about two minutes

struct Searched {
  Tree tree;
  SearchProof proof;
  std::vector<std::string> notes;
};

/// Searches the trees of one class target by errors, or of one number target by squared error. The result does not depend on threads; with a time limit that ends the search
/// it depends on the clock.
Searched search_tree(const EncodedTable& table, const Targets& targets, const SearchSpec& spec,
                     Monitor& monitor);

struct SearchedPath {
  std::vector<Tree> trees;          ///< of the fewest errors found with at most 1, 2, ... leaves
  std::vector<SearchProof> proofs;  ///< per tree; all work is told of every one
  std::vector<std::string> notes;
};

/// The trees of every number of leaves up to the limit, which must be there, by one search; spec.prove and leaf_price
/// are not looked at.
SearchedPath search_path(const EncodedTable& table, const Targets& targets, const SearchSpec& spec,
                         Monitor& monitor);

struct RootTree {
  ColId column = 0;
  double errors = 0.0;
  Tree tree;
};

/// The best tree found for every column at the root, the fewest errors first, of equals the lower column.
std::vector<RootTree> search_roots(const EncodedTable& table, const Targets& targets, const SearchSpec& spec,
                                   Monitor& monitor);

}  // namespace bough::search
