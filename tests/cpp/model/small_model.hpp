// SPDX-License-Identifier: Apache-2.0
// A small model with a number, an order and a category, for tests that know every answer by heart.
#pragma once

#include <string>
#include <vector>

#include "bough/model.hpp"
#include "tree/samples.hpp"

namespace bough::samples {

/// Features: age (numeric), size (ordinal: small, medium, large), colour (category: blue, green, red).
inline Schema small_features() {
  Schema schema;
  schema.fields = {
      {"age", Kind::numeric, Role::feature, {}},
      {"size", Kind::ordinal, Role::feature, {Levels::Type::text, {"small", "medium", "large"}, {}}},
      {"colour", Kind::category, Role::feature, {Levels::Type::text, {"blue", "green", "red"}, {}}}};
  return schema;
}

/// age <= 30 ? node 1 (8 no, 2 yes)
///           : colour in {blue} ? node 3 (0 no, 6 yes) : size < medium ? node 5 (3 no, 1 yes) : node 6 (1 no,
///           1 yes).
/// Missing ages go left, missing colours by share, missing sizes stop, unseen colours right.
inline Tree small_tree() {
  TreeBuilder builder(Task::classification, {2});
  Split age = numeric(0, 30.0, 0);
  age.gain = 3.0;
  Split colour = mapped(2, {0, 1, 2}, {0, 1, 1}, 1, missing_by_share);
  colour.gain = 2.0;
  Split size = ordinal(1, 1, missing_stops);
  size.gain = 1.0;
  const auto top = builder.split(builder.root(), age, 2);
  const auto middle = builder.split(top + 1, colour, 2);
  const auto low = builder.split(middle + 1, size, 2);
  builder.set_stats(0, counts(12, 10));
  builder.set_stats(top, counts(8, 2));
  builder.set_stats(top + 1, counts(4, 8));
  builder.set_stats(middle, counts(0, 6));
  builder.set_stats(middle + 1, counts(4, 2));
  builder.set_stats(low, counts(3, 1));
  builder.set_stats(low + 1, counts(1, 1));
  return std::move(builder).finish();
}

inline Model::Parts small_parts() {
  Model::Parts parts;
  parts.trees = {small_tree()};
  parts.features = small_features();
  parts.targets.fields = {{"bought", Kind::category, Role::target, {Levels::Type::text, {"no", "yes"}, {}}}};
  parts.criterion = "gini";
  parts.provenance = {"0.1.0", "train", "0123456789abcdef", 22, "lists", {}};
  return parts;
}

inline Model small_model() {
  return Model(small_parts());
}

}  // namespace bough::samples
