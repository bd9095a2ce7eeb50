// SPDX-License-Identifier: Apache-2.0
// What engines share that search a node column by column: how many columns are searched, which one wins, the proposal.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "split/buckets.hpp"
#include "split/engine.hpp"

namespace bough {

/// What the search of one column found.
struct ColumnFound {
  Candidate candidate;
  bool constant = true;
  bool heuristic = false;      ///< a category ordering heuristic took part
  bool missing_known = false;  ///< missing cells were met
};

/// The monotone constraint of a column; combinations have none.
inline int sign_of(const EngineOptions& options, ColId id) {
  const auto j = static_cast<std::size_t>(id);
  return j < options.monotone.size() ? options.monotone[j] : 0;
}

/// The search of one column by the scan of all engines; `sums` are those of its groups and of the missing cells where the column
/// has them instead of rows.
template <class FamilyT, class... Sums>
ColumnFound scan_column(const FamilyT& family, const typename FamilyT::Node& node, const NodeTask& task,
                        const EngineOptions& options, const NodeColumn& column, Sums&&... sums) {
  ColumnFound found;
  found.constant = column.constant();
  if (found.constant) return found;
  Scan<FamilyT> scan(family, node, task.limits, options.scan);
  found.candidate = scan.best(column, std::forward<Sums>(sums)..., sign_of(options, column.id),
                              mix(task.key, static_cast<std::uint64_t>(column.id)));
  found.heuristic = scan.used_heuristic();
  found.missing_known = column.n_missing > 0;
  return found;
}

/// Fills found[0 .. n) by search(i), and more until one from `first` on is not constant; returns how many. Columns are
/// shared between threads where a node has many cells.
template <class Found, class Search>
std::size_t search_columns(std::vector<Found>& found, std::size_t n, std::size_t n_rows, std::size_t first,
                           const Search& search) {
  const auto one = [&](std::size_t i) { found[i] = search(i); };
  if (n_rows * n >= internal_limits().parallel_cells) {
    parallel_for(n, one);
  } else {
    for (std::size_t i = 0; i < n; ++i) one(i);
  }
  const auto constant = [](const Found& f) { return f.constant; };
  while (n < found.size() && std::all_of(found.begin() + static_cast<std::ptrdiff_t>(first),
                                         found.begin() + static_cast<std::ptrdiff_t>(n), constant))
    one(n++);
  return n;
}

/// The best of what was found, or null; notes in the proposal whether a heuristic took part.
template <class Found>
const Found* best_of(std::span<const Found> found, Proposal& proposal) {
  const Found* best = nullptr;
  for (const Found& f : found) {
    proposal.heuristic |= f.heuristic;
    if (f.candidate.found && (best == nullptr || better(f.candidate, best->candidate))) best = &f;
  }
  return best;
}

/// The better one; a heuristic counts where either used it, and the best is constant where both are.
inline void keep_better(ColumnFound other, ColumnFound& best) {
  const bool heuristic = best.heuristic || other.heuristic, constant = best.constant && other.constant;
  if (other.candidate.found && better(other.candidate, best.candidate)) best = std::move(other);
  best.heuristic = heuristic;
  best.constant = constant;
}

/// Writes the winner, a test of one column of `n_levels` levels, into the proposal.
inline void propose(const ColumnFound& best, std::uint32_t n_levels, const EngineOptions& options,
                    Proposal& proposal) {
  const Candidate& c = best.candidate;
  proposal.found = true;
  proposal.candidate = c;
  proposal.left_value = c.left_value;
  proposal.right_value = c.right_value;
  proposal.split = to_split(c, n_levels, best.missing_known, c.left_heavier);
  to_values(options.buckets, c, proposal.split);
}

}  // namespace bough
