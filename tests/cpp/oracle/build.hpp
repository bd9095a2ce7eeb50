// SPDX-License-Identifier: Apache-2.0
// Cases written by hand, and trees grown by all engines at once.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "oracle/case.hpp"

namespace bough::oracle {

inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

inline Case class_case(std::vector<double> y, const std::string& criterion = "gini") {
  Case sample;
  sample.n_classes = {static_cast<std::size_t>(*std::max_element(y.begin(), y.end())) + 1};
  sample.targets = {std::move(y)};
  sample.params.task = "classification";
  sample.params.criterion = criterion;
  return sample;
}

inline Case number_case(std::vector<double> y, const std::string& criterion = "squared_error") {
  Case sample;
  sample.classes = false;
  sample.targets = {std::move(y)};
  sample.params.task = "regression";
  sample.params.criterion = criterion;
  return sample;
}

inline Case& add_numeric(Case& sample, std::vector<double> cells) {
  sample.columns.push_back(
      {fmt::format("x{}", sample.columns.size()), Kind::numeric, Storage::f64, 0, std::move(cells)});
  return sample;
}

/// Levels are v000, v001, ...; cells are level indices.
inline Case& add_levels(Case& sample, Kind kind, std::size_t n_levels, std::vector<double> cells) {
  sample.columns.push_back(
      {fmt::format("x{}", sample.columns.size()), kind, Storage::text, n_levels, std::move(cells)});
  return sample;
}

/// The model of the lists engine, after all other engines have grown the same tree.
inline Model grow_all(const Case& sample) {
  Model model = grow_case(sample);
  for (const char* engine : {"auto", "refine", "presorted", "sparse"})
    EXPECT_EQ(grow_case(sample, engine).tree(), model.tree()) << "engine " << engine << "\n"
                                                              << describe(sample);
  return model;
}

/// Values of a node.
inline std::vector<double> node_values(const Tree& tree, NodeId node) {
  std::vector<double> values(tree.value_width());
  tree.values(node, values);
  return values;
}

/// Levels that a subset split sends left.
inline std::vector<std::uint32_t> left_levels(const Tree& tree, NodeId node) {
  std::vector<std::uint32_t> levels;
  for (std::size_t i = 0; i < tree.map_levels(node).size(); ++i)
    if (tree.map_children(node)[i] == 0) levels.push_back(tree.map_levels(node)[i]);
  return levels;
}

}  // namespace bough::oracle
