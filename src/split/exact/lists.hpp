// SPDX-License-Identifier: Apache-2.0
// Sorted columns: every column keeps its rows sorted by code; a node is the same range of every list.
//
// Splitting a node divides its range of each list in two, keeping the order inside both parts, so nothing is sorted twice.
// Sparse columns list their stored rows only, with a range of their own per node; the rows at zero are put in when the column
// is searched. Cost: O(rows * columns) per level.
#pragma once

#include <algorithm>
#include <vector>

#include "base/internal_limits.hpp"
#include "base/parallel.hpp"
#include "split/engine.hpp"
#include "split/row_partition.hpp"

namespace bough {

struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// The rows of all columns in the order of their codes.
class Lists {
 public:
  Lists(const EncodedTable& table, const Targets& targets)
      : table_(&table), side_(static_cast<std::size_t>(table.n_rows)) {
    rows_ = targets.rows;
    std::vector<char> used(static_cast<std::size_t>(table.n_rows), 0);
    for (const RowId row : rows_) used[row] = 1;
    lists_.resize(table.columns.size());
    for (std::size_t j = 0; j < table.columns.size(); ++j)
      if (table.columns[j].sparse) sparse_of_.push_back(j);
    parallel_for(table.columns.size(), [&](std::size_t j) {
      lists_[j] = table.columns[j].sorted_cells<RowId>(used, [](RowId row, std::uint32_t) { return row; });
    });
    Node root;
    root.range = {0, static_cast<std::uint32_t>(rows_.size())};
    for (const std::size_t j : sparse_of_)
      root.sparse.push_back({0, static_cast<std::uint32_t>(lists_[j].size())});
    nodes_.push_back(std::move(root));
  }

  [[nodiscard]] Rows rows(EngineNode node) const { return slice(rows_, at(node).range); }
  [[nodiscard]] std::size_t n_columns() const noexcept { return lists_.size(); }

  /// The rows of a dense column at a node by code, missing last.
  [[nodiscard]] Rows sorted(EngineNode node, ColId id) const {
    return slice(lists_[static_cast<std::size_t>(id)], at(node).range);
  }
  /// The groups of a column at a node. `zeros` is room for the rows of a sparse column that are not stored.
  [[nodiscard]] NodeColumn column(EngineNode node, ColId id, std::vector<RowId>& zeros) const {
    const auto j = static_cast<std::size_t>(id);
    const EncodedColumn& column = table_->columns[j];
    NodeColumn out;
    out.id = id;
    out.kind = column.kind;
    const Rows list = slice(lists_[j], column.sparse ? at(node).sparse[sparse_index(j)] : at(node).range);
    const auto code = [&](std::size_t i) { return column.code(list[i]); };
    std::size_t known = list.size();
    while (known > 0 && code(known - 1) == kMissingCode) --known;
    out.group(
        list, known, [&](std::size_t a, std::size_t b) { return code(a) == code(b); },
        [&](std::size_t begin, std::size_t) { return column.cell(code(begin)); });
    if (!column.sparse) return out;
    find_zeros(node, list, zeros);
    if (zeros.empty()) return out;
    // Rows that are not stored stand before the first larger cell; a stored zero keeps a group of its own.
    const double zero = column.cell(column.zero_code);
    const auto larger = std::find_if(out.groups.begin(), out.groups.end(),
                                     [&](const Group& group) { return group.cell > zero; });
    out.groups.insert(larger, {zero, zeros.size(), zeros});
    return out;
  }

  /// Divides a node; side(row): 0 left, 1 right, -1: the row is in neither child.
  template <class Side>
  std::vector<EngineNode> divide(EngineNode node, const Side& side) {
    const Node parent = at(node);
    some_stay_ = false;
    for (const RowId row : slice(rows_, parent.range)) {
      side_[row] = side(row);
      some_stay_ |= side_[row] < 0;
    }
    Node children[2];
    partition(rows_, parent.range, children[0].range, children[1].range);
    children[0].sparse.resize(sparse_of_.size());
    children[1].sparse.resize(sparse_of_.size());
    const auto one = [&](std::size_t j) {
      Range left, right;
      if (!table_->columns[j].sparse) return partition(lists_[j], parent.range, left, right);
      const std::size_t s = sparse_index(j);
      partition(lists_[j], parent.sparse[s], children[0].sparse[s], children[1].sparse[s]);
    };
    if ((parent.range.end - parent.range.begin) * lists_.size() >= internal_limits().parallel_cells) {
      parallel_for(lists_.size(), one);
    } else {
      for (std::size_t j = 0; j < lists_.size(); ++j) one(j);
    }
    const auto first = static_cast<EngineNode>(nodes_.size());
    nodes_.push_back(std::move(children[0]));
    nodes_.push_back(std::move(children[1]));
    return {first, first + 1};
  }

  /// Which side of a candidate a row is on; -1: its cell is missing.
  [[nodiscard]] std::int8_t side(const Candidate& candidate, RowId row) const {
    const EncodedColumn& column = table_->columns[static_cast<std::size_t>(candidate.column)];
    const std::uint32_t code = column.code(row);
    return static_cast<std::int8_t>(code == kMissingCode                      ? -1
                                    : goes_left(candidate, column.cell(code)) ? 0
                                                                              : 1);
  }

 private:
  struct Node {
    Range range;
    std::vector<Range> sparse;  // per sparse column
  };

  static Rows slice(const std::vector<RowId>& list, Range range) {
    return Rows(list).subspan(range.begin, range.end - range.begin);
  }
  [[nodiscard]] const Node& at(EngineNode node) const { return nodes_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] std::size_t sparse_index(std::size_t column) const {
    return static_cast<std::size_t>(std::lower_bound(sparse_of_.begin(), sparse_of_.end(), column) -
                                    sparse_of_.begin());
  }
  void find_zeros(EngineNode node, Rows stored, std::vector<RowId>& zeros) const {
    std::vector<RowId> sorted(stored.begin(), stored.end());
    std::sort(sorted.begin(), sorted.end());
    zeros.clear();
    // rows() keeps increasing order, because every partition is stable.
    std::set_difference(rows(node).begin(), rows(node).end(), sorted.begin(), sorted.end(),
                        std::back_inserter(zeros));
  }

  void partition(std::vector<RowId>& list, Range range, Range& left, Range& right) {
    thread_local std::vector<RowId> others;
    if (others.size() < range.end - range.begin) others.resize(range.end - range.begin);
    const auto front = [&](std::uint32_t begin, std::int8_t side) {
      return begin + static_cast<std::uint32_t>(partition_in_order(
                         std::span(list).subspan(begin, range.end - begin), std::span(others),
                         [&](RowId row) { return side_[row] == side; }));
    };
    left = {range.begin, front(range.begin, 0)};
    right = {left.end, some_stay_ ? front(left.end, 1) : range.end};
  }

  const EncodedTable* table_;
  std::vector<RowId> rows_;                // increasing inside every node
  std::vector<std::vector<RowId>> lists_;  // per column
  std::vector<std::size_t> sparse_of_;     // the sparse columns, increasing
  std::vector<Node> nodes_;
  std::vector<std::int8_t> side_;
  bool some_stay_ = false;  // of the rows of the node that is being divided
};

}  // namespace bough
