// SPDX-License-Identifier: Apache-2.0
// One column at one node as the exact scan takes it: groups of rows with equal cell, and the rows whose cell is missing.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "bough/table.hpp"

namespace bough {

using Rows = std::span<const RowId>;

/// Rows of equal cell: a number, or a level index.
struct Group {
  double cell = 0.0;
  std::size_t count = 0;
  Rows rows;  ///< may be empty where the sums are given instead (Scan::best with sums)
};

struct NodeColumn {
  ColId id = 0;
  Kind kind = Kind::numeric;
  std::vector<Group> groups;  ///< by increasing cell
  Rows missing;
  std::size_t n_missing = 0;
  [[nodiscard]] bool constant() const noexcept { return groups.size() + (n_missing > 0 ? 1 : 0) < 2; }

  /// Takes rows that are sorted by cell, the first n_known of them known, the others missing. `same(i, j)`: rows i and j have
  /// the same cell; `cell(begin, end)`: the cell of the group that these rows are.
  template <class Same, class Cell>
  void group(Rows sorted, std::size_t n_known, const Same& same, const Cell& cell) {
    groups.clear();
    for (std::size_t begin = 0; begin < n_known;) {
      std::size_t end = begin + 1;
      while (end < n_known && same(begin, end)) ++end;
      groups.push_back({cell(begin, end), end - begin, sorted.subspan(begin, end - begin)});
      begin = end;
    }
    missing = sorted.subspan(n_known);
    n_missing = missing.size();
  }
};

/// The rows of a node sorted by a value of any kind, and the column that points into them; stays where it was made.
struct SortedColumn {
  std::vector<RowId> order;
  NodeColumn column;

  /// `value_of(row)` is NaN where missing.
  template <class ValueOf>
  SortedColumn(ColId id, Kind kind, Rows rows, const ValueOf& value_of) {
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
    column.id = id;
    column.kind = kind;
    column.group(
        order, cells.size(), [&](std::size_t i, std::size_t j) { return cells[i].first == cells[j].first; },
        [&](std::size_t begin, std::size_t) { return cells[begin].first; });
  }
  SortedColumn(const SortedColumn&) = delete;
  SortedColumn& operator=(const SortedColumn&) = delete;

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
