// SPDX-License-Identifier: Apache-2.0
// Combinations of columns in nodes of many rows, searched as columns are: by histograms, bounds and refinement.
//
// The values of a node's combinations are written into a table of their own, some combinations at a time, coded by 255
// buckets of equal width between the smallest and the largest value. Nodes have different combinations, but no row is in two
// open nodes, so one table has room for all of them. Columns of that table are numbered as candidates are: combination i
// of a node is column p + i behind the p columns of the tree's table.
//
// Sums that are infinite, or too close or too far apart for buckets, are sorted and scanned instead (scan.hpp).
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "split/engine.hpp"
#include "split/exact/node_column.hpp"
#include "split/histogram/node_search.hpp"
#include "split/oblique/oblique.hpp"
#include "split/oblique/oblique_small.hpp"
#include "split/oblique/oblique_table.hpp"

namespace bough {

template <class Layout, class FamilyT>
class LargeSums {
 public:
  LargeSums(const CodedTable& table, const Targets& targets, const FamilyT& family,
            const EngineOptions& options, std::vector<double> scales)
      : targets_(&targets),
        family_(&family),
        options_(&options),
        draw_(options.oblique, numeric_columns(table), std::move(scales)),
        sums_(table, options.oblique.n_candidates),
        layout_(sums_.coded(), targets) {
    put_classes(sums_.coded(), targets);
  }

  /// Replaces a proposal by a combination that is better. `by_histogram`: the node is worth one.
  void improve(const NodeTask& task, Rows rows, bool by_histogram, Proposal& proposal, Monitor& monitor) {
    if (proposal.pure) return;
    ProjectionDraw draw = draw_;
    draw.draw(task.key);
    for (std::size_t first = 0; first < draw.size(); first += sums_.n_slots()) {
      monitor.tick();
      const std::size_t count = std::min(sums_.n_slots(), draw.size() - first);
      const std::vector<std::uint8_t> coded = sums_.fill(rows, draw, first, count, by_histogram);
      std::vector<ColId> plain;
      for (std::size_t i = first; i < first + count; ++i) {
        if (coded[i - first] != 0) {
          plain.push_back(sums_.column(i));
        } else {
          offer(search_sorted(task, rows, sums_.column(i)), draw, proposal);
        }
      }
      if (!plain.empty()) offer(search(task, rows, plain, by_histogram, monitor), draw, proposal);
    }
  }

 private:
  void offer(Proposal found, const ProjectionDraw& draw, Proposal& proposal) const {
    if (!found.found || (proposal.found && !better(found.candidate, proposal.candidate))) return;
    const auto terms = draw.terms(sums_.combination(found.candidate.column));
    found.split.kind = NodeKind::oblique;
    found.split.column = -1;
    found.split.terms.assign(terms.begin(), terms.end());
    found.heuristic = proposal.heuristic;
    proposal = std::move(found);
  }

  // The limits of sums: whether a sum is missing is no test.
  [[nodiscard]] static NodeTask task_of(const NodeTask& task, std::span<const ColId> columns) {
    NodeTask out = task;
    out.columns = columns;
    out.n_draw = columns.size();
    out.limits.missing_alone = false;
    return out;
  }

  Proposal search(const NodeTask& task, Rows rows, std::span<const ColId> columns, bool by_histogram,
                  Monitor& monitor) const {
    NodeSearch<Layout, FamilyT> search(sums_.coded(), *targets_, layout_, *family_, *options_);
    search.at(rows);
    if (!by_histogram) return search.small(task_of(task, columns), monitor);
    return search.large(task_of(task, columns), histogram(rows), monitor);
  }

  [[nodiscard]] std::vector<typename Layout::Word> histogram(Rows rows) const {
    return count_rows(layout_, sums_.coded().n_buckets(), rows);
  }

  Proposal search_sorted(const NodeTask& task, Rows rows, ColId id) const {
    SortedColumn sorted(id, Kind::numeric, rows, [&](RowId row) { return sums_.coded().cell(id, row); });
    sorted.join_infinite();
    const ColumnFound best =
        scan_column(*family_, family_->node(rows), task_of(task, {}), *options_, sorted.column);
    Proposal found;
    if (best.candidate.found) propose(best, 0, *options_, found);
    return found;
  }

  const Targets* targets_;
  const FamilyT* family_;
  const EngineOptions* options_;
  ProjectionDraw draw_;  // copied by every search
  SumTable sums_;
  Layout layout_;
};

}  // namespace bough
