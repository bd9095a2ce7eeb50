// SPDX-License-Identifier: Apache-2.0
// Small models built by hand, so that texts about them can be checked word by word.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "bough/model.hpp"

namespace bough::testing {

inline Field levels(std::string name, Kind kind, std::vector<std::string> names) {
  Field field;
  field.name = std::move(name);
  field.kind = kind;
  field.levels.names = std::move(names);
  return field;
}

inline Field numeric(std::string name) {
  return levels(std::move(name), Kind::numeric, {});
}

inline Field class_target(std::string name, std::vector<std::string> classes) {
  Field field = levels(std::move(name), Kind::category, std::move(classes));
  field.role = Role::target;
  return field;
}

inline Field number_target(std::string name) {
  Field field = numeric(std::move(name));
  field.role = Role::target;
  return field;
}

inline Split numeric_split(ColId column, double threshold, std::int32_t missing_to = 1) {
  Split split;
  split.kind = NodeKind::numeric;
  split.column = column;
  split.threshold = threshold;
  split.missing_to = missing_to;
  return split;
}

inline Split level_split(NodeKind kind, ColId column, double threshold) {
  Split split = numeric_split(column, threshold);
  split.kind = kind;
  return split;
}

inline Split map_split(NodeKind kind, ColId column, std::vector<std::uint32_t> map_levels,
                       std::vector<std::uint16_t> map_children) {
  Split split;
  split.kind = kind;
  split.column = column;
  split.map_levels = std::move(map_levels);
  split.map_children = std::move(map_children);
  return split;
}

inline NodeStats stats(std::vector<double> values, std::int64_t n_rows) {
  return {
      .n_rows = n_rows, .weight = static_cast<double>(n_rows), .impurity = 0.25, .values = std::move(values)};
}

/// Stats of class counts: as many rows as the counts add up to.
inline NodeStats counts(std::vector<double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return stats(std::move(values), static_cast<std::int64_t>(sum));
}

inline Model::Parts class_parts(std::vector<Field> features, Field target) {
  Model::Parts parts;
  parts.features.fields = std::move(features);
  parts.targets.fields = {std::move(target)};
  parts.criterion = "gini";
  parts.task = Task::classification;
  return parts;
}

inline Model::Parts number_parts(std::vector<Field> features, Field target) {
  Model::Parts parts = class_parts(std::move(features), std::move(target));
  parts.criterion = "squared_error";
  parts.task = Task::regression;
  return parts;
}

/// petal length <= 2.45: setosa; else petal width <= 1.75: versicolor or virginica.
inline Model iris() {
  TreeBuilder builder(Task::classification, {3});
  const auto root = builder.root();
  builder.set_stats(root, counts({50, 50, 50}));
  const auto low = builder.split(root, numeric_split(0, 2.45), 2);
  builder.set_stats(low, counts({50, 0, 0}));
  builder.set_stats(low + 1, counts({0, 50, 50}));
  const auto narrow = builder.split(low + 1, numeric_split(1, 1.75), 2);
  builder.set_stats(narrow, counts({0, 49, 5}));
  builder.set_stats(narrow + 1, counts({0, 1, 45}));
  Model::Parts parts = class_parts({numeric("petal length"), numeric("petal width")},
                                   class_target("species", {"setosa", "versicolor", "virginica"}));
  parts.trees.push_back(std::move(builder).finish());
  return Model(std::move(parts));
}

/// A model of one split over `features` and two classes no, yes; every child holds 3 no and 1 yes.
inline Model one_split(std::vector<Field> features, const Split& split, std::int32_t n_children = 2) {
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  builder.set_stats(root, counts({3.0 * n_children, 1.0 * n_children}));
  const auto first = builder.split(root, split, n_children);
  for (std::int32_t i = 0; i < n_children; ++i) builder.set_stats(first + i, counts({3, 1}));
  Model::Parts parts = class_parts(std::move(features), class_target("answer", {"no", "yes"}));
  parts.trees.push_back(std::move(builder).finish());
  return Model(std::move(parts));
}

/// A regression chain: every node sends one row left and the rest right; 2 * length + 1 nodes.
inline Model chain(int length) {
  TreeBuilder builder(Task::regression, {1});
  auto node = builder.root();
  builder.set_stats(node, stats({0.0}, length + 1));
  for (int i = 0; i < length; ++i) {
    const auto first = builder.split(node, numeric_split(0, i + 0.5), 2);
    builder.set_stats(first, stats({static_cast<double>(i)}, 1));
    builder.set_stats(first + 1, stats({static_cast<double>(i + 1)}, length - i));
    node = first + 1;
  }
  Model::Parts parts = number_parts({numeric("x")}, number_target("y"));
  parts.trees.push_back(std::move(builder).finish());
  return Model(std::move(parts));
}

}  // namespace bough::testing
