// SPDX-License-Identifier: Apache-2.0
// The search of small trees inside the pipeline.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/monitor.hpp"
#include "grow/grow.hpp"
#include "model/prepare.hpp"
#include "search/search.hpp"

namespace bough {

/// Searches the tree of the rows of `prepared` as params.search says. Throws bad_params without a limit on leaves or depth,
/// and not_supported for several targets and for numbers by another criterion than squared_error.
Grown grow_searched(const Table& table, const Prepared& prepared, const Params& params,
                    Fingerprint& fingerprint, Monitor& monitor);

/// The best trees found of at most 1, 2, ... leaves, and what is known about each.
struct SizedTrees {
  std::vector<Tree> trees;
  std::vector<SearchProof> proofs;
  std::vector<std::string> notes;
};
/// Such trees for every one of the sets of rows, by searches that share params.work_limit. Nothing where search=anytime
/// does not support the parameters or the targets, or where the table has more than kMostSearchedCells cells: one search
/// would take seconds, and large tables have use for more leaves than can be searched.
std::vector<SizedTrees> search_sizes(const Table& table, std::span<const Prepared* const> rows,
                                     const Params& params, Monitor& monitor);
/// A note for the model where params.work_limit is given and search_sizes() gives nothing; else empty. No error: the limit is
/// kept, and the same parameters serve other tables.
std::string idle_work_limit(const Prepared& prepared, const Params& params);
inline constexpr std::int64_t kMostSearchedCells = 300'000;
inline constexpr std::int32_t kMostSearchedLeaves = 16;
inline constexpr NodeId kMostPrunedLeaves =
    32;  ///< of the pruned tree of numbers beside which trees are searched
inline constexpr std::int64_t kChoiceWork = 100'000'000;  ///< of all searches; some three seconds

/// The best tree found for every column at the root, of at most so many leaves, the fewest errors first. Nothing where
/// search_sizes() gives nothing, or where there are more than kMostSearchedLeaves leaves.
std::vector<search::RootTree> searched_roots(const Table& table, const Prepared& prepared,
                                             const Params& params, std::int32_t leaves, Monitor& monitor);

/// What the search of the rows found, in a sentence; `all_tests`: no family of tests was searched in part only.
std::string search_words(const SearchProof& proof, const Params& params, const Prepared& prepared,
                         bool all_tests);

}  // namespace bough
