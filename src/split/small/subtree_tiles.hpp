// SPDX-License-Identifier: Apache-2.0
// The last rows of a presorted subtree of number targets: nodes of at most 64 rows become tiles (ranked_tile.hpp), which need
// no list divided. Classes are counted along sorted lists as fast as in a tile.
//
// The ranks of the sorted lists are those of a table of its own: the subtree's rows, numbered by their ids.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/internal_limits.hpp"
#include "split/ranked/ranked.hpp"
#include "split/ranked/ranked_tile.hpp"
#include "split/small/sorted_lists.hpp"
#include "split/subtree.hpp"

namespace bough {

/// Everything given must outlive this.
class SubtreeTiles {
 public:
  SubtreeTiles(const CodedTable& table, const Targets& targets)
      : targets_(&targets), draw_(table.columns.size()) {
    ranks_.columns.resize(table.columns.size());
    for (std::size_t j = 0; j < table.columns.size(); ++j) ranks_.columns[j].kind = table.columns[j].kind;
    tile_.emplace(ranks_, draw_, constant_, false);
  }

  /// Whether tiles know these targets, options and kinds of columns.
  static bool fits(const CodedTable& table, const Targets& targets, const EngineOptions& options) {
    return !targets.is_classification() && !options.scan.random && ranked_engine_fits(targets, options) &&
           std::none_of(table.columns.begin(), table.columns.end(),
                        [](const CodedColumn& column) { return column.kind == Kind::category; });
  }

  /// Takes the lists of a subtree, sorted and not divided yet; false where cells are missing.
  bool load(const SortedLists& lists) {
    const std::size_t n_columns = ranks_.columns.size(), n = lists.n_rows();
    if (ranks_.by_row.size() < n * n_columns) ranks_.by_row = Buffer<std::uint16_t>(n * n_columns);
    for (std::size_t j = 0; j < n_columns; ++j) {
      const std::uint32_t* entries = lists.list(j);
      if (SortedLists::rank_of(entries[n - 1]) == SortedLists::kMissingRank) return false;
      std::vector<double>& cells = ranks_.columns[j].cells;
      cells.resize(SortedLists::rank_of(entries[n - 1]) + 1);
      std::uint32_t known = 0;  // cells so far
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t rank = SortedLists::rank_of(entries[i]);
        ranks_.by_row[SortedLists::id_of(entries[i]) * n_columns + j] = static_cast<std::uint16_t>(rank);
        if (rank == known) cells[known++] = lists.cell(j, entries[i]);
      }
    }
    constant_.start(n_columns);
    return true;
  }

  /// Grows the node of some ids, which lie at `begin` in the subtree, and puts them in the order of its leaves; nodes are appended
  /// to `out`, whose last one is the node itself.
  void grow(const SortedLists& lists, std::span<RowId> ids, std::uint32_t begin, std::int32_t depth,
            std::uint64_t key, const SubtreeRules& rules, Subtree& out) {
    if (!load_targets(lists, ids)) return;
    nodes_.assign(1, {begin, begin + static_cast<std::uint32_t>(ids.size())});
    tile_->grow(ids, {begin, depth, key, 0, 0}, rules, false, nodes_);
    const auto first = static_cast<std::int32_t>(out.size()) - 1;
    out.resize(out.size() + nodes_.size() - 1);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      write(nodes_[i], first, out[static_cast<std::size_t>(first) + i]);
  }

 private:
  static void write(const WholeNode& from, std::int32_t first, SubtreeNode& to) {
    to.begin = from.begin;
    to.end = from.end;
    if (from.right < 0) return;
    to.right = first + from.right;
    Candidate& candidate = to.candidate;
    candidate.found = true;
    candidate.gain = from.gain;
    candidate.column = from.column;
    candidate.kind = from.kind;
    candidate.left_heavier = from.missing_to == 0;
    candidate.has_threshold = from.kind == NodeKind::numeric;
    (candidate.has_threshold ? candidate.threshold : candidate.high) = from.threshold;
  }

  // False when all targets are the same.
  bool load_targets(const SortedLists& lists, std::span<const RowId> ids) {
    const NumberTarget& target = targets_->numbers[0];
    std::array<std::int64_t, kTileRows> values{}, weights{};
    std::int64_t sum = 0, weight = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const RowId row = lists.row(ids[i]);
      values[i] = target.fixed.values[row];
      weights[i] = targets_->weight(row);
      sum += values[i] * weights[i];
      weight += weights[i];
    }
    const std::span here = std::span(values).first(ids.size());
    if (std::count(here.begin(), here.end(), here[0]) == std::ssize(here)) return false;
    return tile_->targets().load(here, weights.data(), sum / weight, PowerOfTwo(-2 * target.fixed.exponent));
  }

  const Targets* targets_;
  RankedTable ranks_;  // by_row and columns: kinds and cells
  ColumnDraw draw_;
  KnownConstants constant_;
  std::optional<RankedTile<NumberTile>> tile_;
  std::vector<WholeNode> nodes_;
};

}  // namespace bough
