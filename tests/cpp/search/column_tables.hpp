// SPDX-License-Identifier: Apache-2.0
// Random small tables of columns, and all divisions of their rows by tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "bough/model.hpp"

namespace bough {

struct Column {
  Kind kind = Kind::numeric;
  std::vector<int> cells;  // -1: missing
};

// A table of at most 32 rows.
struct Small {
  int n = 0, n_classes = 2;
  bool equality = false;
  std::vector<Column> columns;
  std::vector<int> classes, weights;
  std::vector<int> losses;  // what an error on a row of every class costs; empty: 1
  double price = 0.0;
  int leaves = 4, depth = 3, least = 1;  // rows of every leaf

  [[nodiscard]] int cost(int row) const {
    const auto i = static_cast<std::size_t>(row);
    return weights[i] * (losses.empty() ? 1 : losses[static_cast<std::size_t>(classes[i])]);
  }
};

inline Small draw(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Small s;
  s.n = 6 + below(12);
  s.n_classes = 2 + below(4);
  s.equality = below(2) == 0;
  const int n_columns = 1 + below(3), n_values = 2 + below(7);
  for (int j = 0; j < n_columns; ++j) {
    Column& column = s.columns.emplace_back();
    constexpr Kind kinds[] = {Kind::numeric, Kind::numeric, Kind::ordinal, Kind::category};
    column.kind = kinds[below(4)];
    const bool missing = below(2) == 0;
    const int most = column.kind == Kind::category ? std::min(n_values, s.equality ? 5
                                                                        : missing  ? 3
                                                                                   : 4)
                                                   : n_values;
    for (int i = 0; i < s.n; ++i) column.cells.push_back(missing && below(5) == 0 ? -1 : below(most));
  }
  const bool weighted = below(2) == 0;
  for (int i = 0; i < s.n; ++i) {
    s.classes.push_back(below(s.n_classes));
    s.weights.push_back(weighted ? 1 + below(4) : 1);
  }
  constexpr double prices[] = {0.0, 0.0, 0.5, 1.0, 2.0};
  s.price = prices[below(5)];
  s.depth = 1 + below(5);
  s.leaves = 2 + below(7);
  const bool one_class =
      std::all_of(s.classes.begin(), s.classes.end(), [&](int c) { return c == s.classes[0]; });
  if (below(4) == 0 && !one_class)
    for (int c = 0; c < s.n_classes; ++c) s.losses.push_back(1 + below(3));
  if (below(3) == 0) s.least = 2 + below(3);
  return s;
}

// Every division of all rows by a test: the rows on the left.
inline std::vector<std::uint32_t> divisions(const Small& s) {
  std::vector<std::uint32_t> out;
  for (const Column& column : s.columns) {
    const int top = *std::max_element(column.cells.begin(), column.cells.end());
    const auto rows = [&](auto passes) {
      std::uint32_t mask = 0;
      for (int i = 0; i < s.n; ++i)
        if (passes(column.cells[static_cast<std::size_t>(i)])) mask |= 1U << i;
      return mask;
    };
    const std::uint32_t missing = rows([](int cell) { return cell < 0; });
    if (column.kind != Kind::category) {
      for (int cut = 0; cut <= top; ++cut) {
        const std::uint32_t known = rows([&](int cell) { return cell >= 0 && cell <= cut; });
        out.push_back(known);
        out.push_back(known | missing);
      }
    } else if (s.equality) {
      out.push_back(missing);
      for (int level = 0; level <= top; ++level) {
        const std::uint32_t known = rows([&](int cell) { return cell == level; });
        out.push_back(known);
        out.push_back(known | missing);
      }
    } else {
      for (std::uint32_t set = 0; set < 2U << top; ++set) {
        const std::uint32_t known = rows([&](int cell) { return cell >= 0 && ((set >> cell) & 1U) != 0; });
        out.push_back(known);
        out.push_back(known | missing);
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

inline Table table_of(const Small& s, FitSpec& spec) {
  Table table;
  const std::vector<std::string> letters{"a", "b", "c", "d", "e", "f", "g", "h"};
  for (std::size_t j = 0; j < s.columns.size(); ++j) {
    const std::string name = "x" + std::to_string(j);
    const Column& column = s.columns[j];
    if (column.kind == Kind::numeric) {
      std::vector<double> cells;
      for (const int cell : column.cells) cells.push_back(cell < 0 ? std::nan("") : cell * 1.5);
      table.add(name, cells);
    } else {
      table.add(name, std::vector<std::int32_t>(column.cells.begin(), column.cells.end()), letters);
      ColumnSpec wish;
      wish.name = name;
      wish.kind = column.kind;
      if (column.kind == Kind::ordinal) wish.order = letters;
      spec.columns.push_back(wish);
    }
  }
  std::vector<std::string> y;
  std::vector<double> weights;
  for (int i = 0; i < s.n; ++i) {
    y.push_back("class" + std::to_string(s.classes[static_cast<std::size_t>(i)]));
    weights.push_back(s.weights[static_cast<std::size_t>(i)]);
  }
  table.add("y", y);
  table.add("w", weights);
  spec.targets = {"y"};
  spec.weight = "w";
  return table;
}

inline Params params_of(const Small& s, const std::string& search) {
  Params params;
  params.search = search;
  params.max_depth = s.depth;
  params.max_leaf_nodes = s.leaves;
  params.leaf_price = s.price;
  params.category_split = s.equality ? "equality" : "subset";
  params.min_samples_leaf = Amount::count(s.least);
  if (s.losses.empty()) return params;
  std::vector<int> met = s.classes;  // classes without a row are none of the model's
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  for (const int c : met) {
    std::vector<double>& row = params.loss_matrix.emplace_back();
    for (const int d : met) row.push_back(c == d ? 0.0 : s.losses[static_cast<std::size_t>(c)]);
  }
  return params;
}

inline int n_tables(int quick) {
  const char* wish = std::getenv("BOUGH_TABLES");
  return wish != nullptr ? std::atoi(wish) : quick;
}

}  // namespace bough
