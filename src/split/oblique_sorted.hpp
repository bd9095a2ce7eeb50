// SPDX-License-Identifier: Apache-2.0
// The rows of a node by one value of any kind, as the scan takes them.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "split/scan.hpp"

namespace bough {

/// Rows in order, and the groups that point into them; stays where it was made.
struct SortedNode {
  std::vector<RowId> order;
  NodeColumn column;

  /// `value_of(row)` is NaN where missing.
  template <class ValueOf>
  SortedNode(Rows rows, const ValueOf& value_of) {
    std::vector<std::pair<double, RowId>> cells;
    std::vector<RowId> missing;
    for (const RowId row : rows) {
      const double cell = value_of(row);
      if (std::isnan(cell)) {
        missing.push_back(row);
      } else {
        cells.emplace_back(cell, row);
      }
    }
    std::sort(cells.begin(), cells.end());
    for (const auto& cell : cells) order.push_back(cell.second);
    order.insert(order.end(), missing.begin(), missing.end());
    for (std::size_t begin = 0; begin < cells.size();) {
      std::size_t end = begin + 1;
      while (end < cells.size() && cells[end].first == cells[begin].first) ++end;
      column.groups.push_back({cells[begin].first, end - begin, Rows(order).subspan(begin, end - begin)});
      begin = end;
    }
    column.n_missing = missing.size();
    column.missing = Rows(order).subspan(cells.size());
  }
  SortedNode(const SortedNode&) = delete;
  SortedNode& operator=(const SortedNode&) = delete;

  /// Thresholds of sums are finite, so a group at -infinity is joined with the next one.
  void join_infinite() {
    auto& groups = column.groups;
    if (groups.size() < 2 || !std::isinf(groups[0].cell) || groups[0].cell > 0.0) return;
    groups[1].rows = Rows(order).first(groups[0].count + groups[1].count);
    groups[1].count = groups[1].rows.size();
    groups.erase(groups.begin());
  }
};

}  // namespace bough
