// SPDX-License-Identifier: Apache-2.0
// The search of one node by the fast engine: every column by what suits it, one winner.
//
// Numbers and ordinal levels go through refine.hpp, categories through the sums of their levels, columns without buckets (many
// levels) and nodes without histograms through sorting the node's rows; splitter=random needs no order, only the extremes of a
// column. All but the first use the scan of all engines (scan.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "split/column_search.hpp"
#include "split/engine.hpp"
#include "split/histogram/level_search.hpp"
#include "split/histogram/refine.hpp"

namespace bough {

template <class Layout, class FamilyT>
class NodeSearch {
 public:
  using Word = typename Layout::Word;
  using Sums = typename FamilyT::Node;
  using Histogram = std::vector<Word>;
  using View = HistogramView<Layout>;

  /// Everything here is the tree's; at() says which rows are the node's.
  NodeSearch(const CodedTable& table, const Targets& targets, const Layout& layout, const FamilyT& family,
             const EngineOptions& options)
      : table_(&table), targets_(&targets), layout_(&layout), family_(&family), options_(&options) {}
  NodeSearch& at(Rows rows) {
    rows_ = rows;
    return *this;
  }

  /// From the node's histogram.
  Proposal large(const NodeTask& task, const Histogram& histogram, Monitor& monitor) {
    const View view(*table_, *layout_, histogram);
    const Sums node = histogram_totals(*table_, *layout_, *family_, histogram.data());
    Proposal proposal;
    if (is_pure(node)) {
      proposal.pure = true;
      return proposal;
    }
    const std::vector<ColId> columns = drawn_columns(task, view);
    std::vector<ColId> ordered;
    for (const ColId column : columns)
      if (has_ordered_buckets(column_of(column))) ordered.push_back(column);
    Found found = search_ordered(task, view, node, ordered);
    for (const ColId column : columns) {
      if (has_ordered_buckets(column_of(column))) continue;
      monitor.tick();
      keep_better(column_of(column).wide
                      ? search_rows(task, node, column)
                      : search_levels(*family_, node, task, *options_, *layout_,
                                      levels_of(column_of(column), column, view.column(column))),
                  found);
    }
    proposal.heuristic = found.heuristic;
    accept(&found, proposal);
    return proposal;
  }

  /// From the node's rows, column by column.
  Proposal small(const NodeTask& task, Monitor& monitor) {
    Proposal proposal;
    const Sums node = family_->node(rows_);
    proposal.pure = node.pure;
    if (node.pure) return proposal;
    std::vector<Found> found(task.columns.size());
    const std::size_t n = bough::search_columns(found, std::min(task.n_draw, found.size()), rows_.size(), 0,
                                                [&](std::size_t i) {
                                                  monitor.tick();
                                                  return search_rows(task, node, task.columns[i]);
                                                });
    accept(best_of(std::span<const Found>(found).first(n), proposal), proposal);
    return proposal;
  }

 private:
  using Found = ColumnFound;

  Found search_ordered(const NodeTask& task, const View& histogram, const Sums& node,
                       std::span<const ColId> columns) {
    Found found;
    if (columns.empty()) return found;
    Refine<Layout, FamilyT> refine(*table_, *layout_, *family_, options_->criterion);
    const Cut cut = refine.best({rows_, &node, &histogram, columns, options_->monotone, &task.limits});
    if (!cut.found) return found;
    found.missing_known = histogram.n_missing(cut.column) > 0;
    found.candidate = to_candidate(histogram, cut);
    return found;
  }

  // Values on both sides of a boundary cut come from the rows of the two buckets next to it.
  Candidate to_candidate(const View& histogram, const Cut& cut) const {
    const CodedColumn& column = column_of(cut.column);
    const std::size_t next = next_bucket(histogram, column, cut);
    Candidate c = plain_candidate(cut, column.kind, next);
    if (cut.inside || c.kind == NodeKind::ordinal) return c;
    c.low = -std::numeric_limits<double>::infinity();
    c.high = std::numeric_limits<double>::infinity();
    // A bucket of one value has it for its cut.
    const bool last = next == column.missing_bucket();
    if (column.single[cut.bucket] && (last || column.single[next])) {
      c.low = column.cuts[cut.bucket];
      if (!last) c.high = column.cuts[next];
      return c;
    }
    std::mutex mutex;
    parallel_ranges(rows_.size(), internal_limits().parallel_collect,
                    [&](std::size_t begin, std::size_t end) {
                      const auto [low, high] =
                          neighbours(cut.column, cut.bucket, next, rows_.subspan(begin, end - begin));
                      const std::lock_guard lock(mutex);
                      c.low = std::max(c.low, low);
                      c.high = std::min(c.high, high);
                    });
    return c;
  }

  // The largest value of one bucket and the smallest of another.
  std::pair<double, double> neighbours(ColId id, std::size_t below, std::size_t above, Rows rows) const {
    const std::uint8_t* codes = table_->codes(id);
    const NumberSource& numbers = column_of(id).numbers;
    const std::size_t missing = column_of(id).missing_bucket();
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    for (const RowId row : rows) {
      if (codes[row] == below) low = std::max(low, numbers.at(row));
      if (codes[row] == above && above != missing) high = std::min(high, numbers.at(row));
    }
    return {low, high};
  }

  // Any column from the node's rows.
  Found search_rows(const NodeTask& task, const Sums& node, ColId id) const {
    if (options_->scan.random && column_of(id).kind == Kind::numeric) {
      const std::uint64_t key = mix(task.key, static_cast<std::uint64_t>(id));
      std::vector<RowId> order;
      return scan_column(*family_, node, task, *options_, random_column(id, key, order));
    }
    const SortedColumn sorted(id, column_of(id).kind, rows_,
                              [&](RowId row) { return table_->cell(id, row); });
    return scan_column(*family_, node, task, *options_, sorted.column);
  }

  // For one random cut the extremes, the neighbours of the cut and the rows on both sides of it are enough: groups without rows
  // stand for the extremes, so that the scan draws the very cut again.
  NodeColumn random_column(ColId id, std::uint64_t key, std::vector<RowId>& order) const {
    const NumberSource& numbers = column_of(id).numbers;
    std::vector<double> cells(rows_.size());
    double least = std::numeric_limits<double>::infinity(), most = -least;
    std::size_t n_missing = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (i + 16 < rows_.size()) numbers.prefetch(rows_[i + 16]);
      cells[i] = numbers.at(rows_[i]);
      least = cells[i] < least ? cells[i] : least;
      most = cells[i] > most ? cells[i] : most;
      n_missing += std::isnan(cells[i]) ? 1 : 0;
    }
    NodeColumn column;
    column.id = id;
    column.n_missing = n_missing;
    const std::size_t known = rows_.size() - n_missing;
    order.resize(rows_.size());
    if (known == 0 || least == most) {  // no cut between known cells
      std::partition_copy(rows_.begin(), rows_.end(), order.begin(),
                          order.begin() + static_cast<std::ptrdiff_t>(known),
                          [&](RowId row) { return !std::isnan(numbers.at(row)); });
      if (known > 0) column.groups.push_back({least, known, Rows(order).first(known)});
      column.missing = Rows(order).subspan(known);
      return column;
    }
    const double cut = random_cut(least, most, key);
    // Without branches, which the sides would mislead: every row is written to all lists, and one of them grows.
    double low = least, high = most;
    std::vector<RowId> others(rows_.size()), missing(n_missing > 0 ? rows_.size() : 0);
    std::size_t left = 0, right = 0, none = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double cell = cells[i];
      const bool is_left = cell <= cut, is_right = cell > cut;
      low = is_left && cell > low ? cell : low;
      high = is_right && cell < high ? cell : high;
      order[left] = rows_[i];
      others[right] = rows_[i];
      if (n_missing > 0) missing[none] = rows_[i];
      left += is_left ? 1 : 0;
      right += is_right ? 1 : 0;
      none += is_left || is_right ? 0 : 1;
    }
    std::copy_n(others.begin(), right, order.begin() + static_cast<std::ptrdiff_t>(left));
    std::copy_n(missing.begin(), none, order.begin() + static_cast<std::ptrdiff_t>(known));
    if (least < low) column.groups.push_back({least, 0, {}});
    column.groups.push_back({low, left, Rows(order).first(left)});
    column.groups.push_back({high, known - left, Rows(order).subspan(left, known - left)});
    if (high < most) column.groups.push_back({most, 0, {}});
    column.missing = Rows(order).subspan(known);
    return column;
  }

  void accept(const Found* found, Proposal& proposal) const {
    if (found == nullptr || !found->candidate.found) return;
    propose(*found, column_of(found->candidate.column).n_levels, *options_, proposal);
  }

  // The columns to search: the first n_draw, and more until one is not constant.
  std::vector<ColId> drawn_columns(const NodeTask& task, const View& histogram) const {
    std::vector<ColId> columns;
    bool seen = false;
    for (std::size_t i = 0; i < task.columns.size() && (i < task.n_draw || !seen); ++i) {
      columns.push_back(task.columns[i]);
      if (task.n_draw < task.columns.size()) seen |= !is_constant(histogram, task.columns[i]);
    }
    return columns;
  }

  bool is_constant(const View& histogram, ColId id) const {
    if (!column_of(id).wide) {
      int occupied = 0;
      bool single = true;
      for (std::size_t b = 0; b < column_of(id).n_buckets; ++b)
        if (histogram.n_rows(id, b) > 0) {
          ++occupied;
          single = b == column_of(id).missing_bucket() || column_of(id).single[b];
        }
      if (occupied > 1) return false;
      if (single) return true;
    }
    const double first = table_->cell(id, rows_.front());
    for (const RowId row : rows_) {
      const double cell = table_->cell(id, row);
      if (cell != first && !(std::isnan(cell) && std::isnan(first))) return false;
    }
    return true;
  }

  [[nodiscard]] const CodedColumn& column_of(ColId id) const {
    return table_->columns[static_cast<std::size_t>(id)];
  }

  bool is_pure(const Sums& sums) const {
    if constexpr (requires { sums.counts; }) {
      return all_pure(sums, targets_->n_outputs());
    } else {
      return family_->is_constant(rows_);
    }
  }

  const CodedTable* table_;
  const Targets* targets_;
  const Layout* layout_;
  const FamilyT* family_;
  const EngineOptions* options_;
  Rows rows_;
};

}  // namespace bough
