// SPDX-License-Identifier: Apache-2.0
// Hand-made splits and trees for the tests, and a way to break a tree on purpose.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bough/tree.hpp"
#include "tree/access.hpp"

namespace bough::samples {

inline Split numeric(ColId column, double threshold, std::int32_t missing_to = 1) {
  Split split;
  split.kind = NodeKind::numeric;
  split.column = column;
  split.threshold = threshold;
  split.missing_to = missing_to;
  return split;
}

inline Split ordinal(ColId column, double threshold, std::int32_t missing_to = 1) {
  Split split = numeric(column, threshold, missing_to);
  split.kind = NodeKind::ordinal;
  return split;
}

inline Split equality(ColId column, double level, std::int32_t missing_to = 1) {
  Split split = numeric(column, level, missing_to);
  split.kind = NodeKind::equality;
  return split;
}

/// A subset split, or a multiway one when a child above 1 is named.
inline Split mapped(ColId column, std::vector<std::uint32_t> levels, std::vector<std::uint16_t> children,
                    std::int32_t unseen_to = 1, std::int32_t missing_to = 1) {
  Split split;
  split.kind = NodeKind::subset;
  for (const std::uint16_t child : children) {
    if (child > 1) split.kind = NodeKind::multiway;
  }
  split.column = column;
  split.map_levels = std::move(levels);
  split.map_children = std::move(children);
  split.unseen_to = unseen_to;
  split.missing_to = missing_to;
  return split;
}

inline Split interval(ColId column, std::vector<double> cuts, std::int32_t missing_to = 0) {
  Split split;
  split.kind = NodeKind::interval;
  split.column = column;
  split.cuts = std::move(cuts);
  split.missing_to = missing_to;
  return split;
}

inline Split oblique(std::vector<ObliqueTerm> terms, double threshold, std::int32_t missing_to = 1) {
  Split split;
  split.kind = NodeKind::oblique;
  split.terms = std::move(terms);
  split.threshold = threshold;
  split.missing_to = missing_to;
  return split;
}

/// Two-class stats: so many rows of each class, weight 1 each.
inline NodeStats counts(std::int64_t a, std::int64_t b) {
  const auto x = static_cast<double>(a);
  const auto y = static_cast<double>(b);
  return {a + b, x + y, 0.25, {x, y}};
}

/// A root with one split of `n_children` children; child i holds i + 1 rows of class i % 2.
inline Tree stump(const Split& split, std::int32_t n_children = 2) {
  TreeBuilder builder(Task::classification, {2});
  const auto root = builder.root();
  const auto first = builder.split(root, split, n_children);
  std::int64_t rows[2] = {0, 0};
  for (std::int32_t i = 0; i < n_children; ++i) {
    rows[i % 2] += i + 1;
    builder.set_stats(first + i, i % 2 == 0 ? counts(i + 1, 0) : counts(0, i + 1));
  }
  builder.set_stats(root, counts(rows[0], rows[1]));
  return std::move(builder).finish();
}

/// Overwrites entry `index` of a named array of a tree, behind the builder's back.
template <class Value>
Tree broken(Tree tree, const std::string& array_name, std::size_t index, Value value) {
  bool found = false;
  const auto set = [&](const std::string& name, auto& array) {
    using T = typename std::remove_reference_t<decltype(array)>::value_type;
    if (name != array_name || found) return;
    array.at(index) = static_cast<T>(value);
    found = true;
  };
  TreeAccess::visit_node_arrays(tree, set);
  TreeAccess::visit_slabs(tree, [&](const char* ends_name, auto& ends, const char* name, auto& slab) {
    set(ends_name, ends);
    set(name, slab);
  });
  set("values_at", TreeAccess::values_at(tree));
  set("value_index", TreeAccess::value_index(tree));
  set("value", TreeAccess::value(tree));
  if (!found) throw Error(ErrorCode::internal, "no array " + array_name);
  return tree;
}

}  // namespace bough::samples
