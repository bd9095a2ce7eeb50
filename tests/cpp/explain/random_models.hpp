// SPDX-License-Identifier: Apache-2.0
// Small random models of every kind of test, over columns of few values, for judges that try everything.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "explain/models.hpp"

namespace bough::testing {

inline unsigned test_seed() {
  const char* text = std::getenv("BOUGH_SEED");
  return text == nullptr ? 1U : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

/// "k3".
inline std::string numbered(const char* word, std::size_t number) {
  return std::string(word).append(std::to_string(number));
}

/// What the trees may hold.
struct RandomShape {
  Task task = Task::classification;
  std::vector<std::uint32_t> widths = {3};
  int depth = 4;
  bool parts = false;       ///< missing cells by share
  bool stops = false;       ///< missing cells that stop
  bool surrogates = false;  ///< missing cells by a surrogate
};

/// The columns: two numbers (of 0 to 4), an ordinal of 3 levels, categories of 3 and 4.
inline std::vector<Field> random_fields() {
  return {numeric("n0"), numeric("n1"), levels("o", Kind::ordinal, {"low", "mid", "high"}),
          levels("c3", Kind::category, {"a", "b", "c"}), levels("c4", Kind::category, {"p", "q", "r", "s"})};
}
/// Number of values of every column.
inline const std::vector<std::size_t> kValues{5, 5, 3, 3, 4};

class RandomTrees {
 public:
  explicit RandomTrees(unsigned seed) : engine_(seed) {}

  std::size_t pick(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }
  bool toss() { return pick(2) == 0; }
  double number() { return std::uniform_real_distribution<double>(-2.0, 3.0)(engine_); }

  Tree tree(const RandomShape& shape) {
    TreeBuilder builder(shape.task, shape.widths);
    std::vector<std::pair<TreeBuilder::Handle, int>> open{{builder.root(), 0}};
    while (!open.empty()) {
      const auto [node, depth] = open.back();
      open.pop_back();
      fill(builder, node, shape);
      if (depth == shape.depth || (depth > 0 && pick(4) == 0)) continue;
      std::int32_t n_children = 2;
      const Split one = split(n_children, shape);
      const auto first = builder.split(node, one, n_children);
      if (one.missing_to == missing_surrogate || one.missing_to == missing_surrogate_or_stops)
        builder.set_alternatives(node, {surrogate(one.column)});
      for (std::int32_t c = 0; c < n_children; ++c) open.emplace_back(first + c, depth + 1);
    }
    // Children have higher handles than their parent.
    for (auto node = static_cast<TreeBuilder::Handle>(builder.n_handles()) - 1; node >= 0; --node) {
      NodeStats one = builder.stats(node);
      one.n_rows = builder.is_leaf(node) ? static_cast<std::int64_t>(1 + pick(20)) : 0;
      one.weight = builder.is_leaf(node) ? 0.5 + static_cast<double>(pick(20)) / 4.0 : 0.0;
      for (const auto child : builder.children(node)) {
        one.n_rows += builder.stats(child).n_rows;
        one.weight += builder.stats(child).weight;
      }
      builder.set_stats(node, one);
    }
    return std::move(builder).finish();
  }

  Model model(const RandomShape& shape, std::size_t n_trees = 1, Combine combine = Combine::single) {
    Model::Parts parts;
    parts.features.fields = random_fields();
    for (std::size_t o = 0; o < shape.widths.size(); ++o) {
      std::vector<std::string> classes;
      for (std::uint32_t c = 0; c < shape.widths[o]; ++c) classes.push_back(numbered("k", c));
      const std::string name = numbered("y", o);
      parts.targets.fields.push_back(shape.task == Task::classification ? class_target(name, classes)
                                                                        : number_target(name));
    }
    parts.criterion = shape.task == Task::classification ? "gini" : "squared_error";
    parts.task = shape.task;
    parts.combine = combine;
    for (std::size_t i = 0; i < n_trees; ++i) parts.trees.push_back(tree(shape));
    return Model(std::move(parts));
  }

  /// A row as trees see it: a value of each column; `missing` of ten cells are missing, a few categories
  /// unseen.
  std::vector<double> row(std::size_t missing) {
    std::vector<double> cells;
    for (std::size_t j = 0; j < kValues.size(); ++j) {
      cells.push_back(static_cast<double>(pick(kValues[j])));
      if (pick(10) < missing)
        cells.back() = std::numeric_limits<double>::quiet_NaN();
      else if (missing > 0 && j >= 3 && pick(10) == 0)
        cells.back() = -1.0;
    }
    return cells;
  }

 private:
  void fill(TreeBuilder& builder, TreeBuilder::Handle node, const RandomShape& shape) {
    std::vector<double> values;
    for (const std::uint32_t width : shape.widths)
      for (std::uint32_t c = 0; c < width; ++c)
        values.push_back(shape.task == Task::classification ? static_cast<double>(pick(6)) : number());
    if (shape.task == Task::classification) values[pick(values.size())] += 1.0;
    builder.set_stats(node, stats(std::move(values), 0));
  }

  Split split(std::int32_t& n_children, const RandomShape& shape) {
    Split out;
    const std::size_t column = pick(kValues.size());
    out.column = static_cast<ColId>(column);
    if (column < 2) {
      out.kind = toss() ? NodeKind::numeric : NodeKind::interval;
      out.threshold = static_cast<double>(pick(4)) + 0.5;
      if (out.kind == NodeKind::interval) {
        out.cuts = {static_cast<double>(pick(2)) + 0.5, static_cast<double>(pick(2)) + 2.5};
        out.threshold = 0.0;
        n_children = 3;
      }
    } else if (column == 2) {
      out.kind = NodeKind::ordinal;
      out.threshold = static_cast<double>(1 + pick(2));
    } else {
      category(out, kValues[column], n_children);
    }
    out.missing_to = static_cast<std::int32_t>(pick(static_cast<std::size_t>(n_children)));
    if (shape.parts && toss()) out.missing_to = missing_by_share;
    if (shape.stops && toss()) out.missing_to = missing_stops;
    if (shape.surrogates && n_children == 2 && toss())
      out.missing_to = toss() ? missing_surrogate : missing_surrogate_or_stops;
    // Unseen categories may follow missing ones everywhere but in parts.
    out.unseen_to = out.missing_to == missing_by_share ? 0 : out.missing_to;
    return out;
  }

  void category(Split& out, std::size_t n_levels, std::int32_t& n_children) {
    const std::size_t kind = pick(3);
    if (kind == 0) {
      out.kind = NodeKind::equality;
      out.threshold = static_cast<double>(pick(n_levels));
      return;
    }
    out.kind = kind == 1 ? NodeKind::subset : NodeKind::multiway;
    n_children = kind == 1 ? 2 : 3;
    const std::size_t absent = pick(n_levels + 3);  // at times a level that the map does not know
    std::uint16_t child = 0;
    for (std::uint32_t level = 0; level < n_levels; ++level) {
      if (level == absent && n_levels > 3) continue;
      out.map_levels.push_back(level);
      out.map_children.push_back(
          child < n_children ? child++
                             : static_cast<std::uint16_t>(pick(static_cast<std::size_t>(n_children))));
    }
  }

  Alternative surrogate(ColId avoided) {
    Alternative test;
    test.role = AlternativeRole::surrogate;
    test.column = avoided == 0 ? 1 : 0;
    test.threshold = static_cast<double>(pick(4)) + 0.5;
    test.score = 0.75;
    test.n_rows = 1;
    return test;
  }

  std::mt19937 engine_;
};

/// Rows of cells as a table that the random models read.
inline Table table_of_cells(const std::vector<std::vector<double>>& rows) {
  const std::vector<Field> fields = random_fields();
  Table table;
  for (std::size_t j = 0; j < fields.size(); ++j) {
    if (fields[j].kind == Kind::numeric) {
      std::vector<double> column;
      for (const auto& row : rows) column.push_back(row[j]);
      table.add(fields[j].name, std::span<const double>(column));
      continue;
    }
    std::vector<std::string> dictionary = fields[j].levels.names;
    dictionary.emplace_back("never seen");
    std::vector<std::int32_t> codes;
    for (const auto& row : rows)
      codes.push_back(row[j] != row[j] ? -1
                      : row[j] < 0.0   ? static_cast<std::int32_t>(dictionary.size()) - 1
                                       : static_cast<std::int32_t>(row[j]));
    table.add(fields[j].name, std::span<const std::int32_t>(codes), std::span<const std::string>(dictionary));
  }
  return table;
}

/// Every row of known values.
inline std::vector<std::vector<double>> all_known_rows() {
  std::vector<std::vector<double>> rows{{}};
  for (const std::size_t n : kValues) {
    std::vector<std::vector<double>> longer;
    for (const auto& row : rows)
      for (std::size_t value = 0; value < n; ++value) {
        longer.push_back(row);
        longer.back().push_back(static_cast<double>(value));
      }
    rows = std::move(longer);
  }
  return rows;
}

}  // namespace bough::testing
