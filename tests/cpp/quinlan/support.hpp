// SPDX-License-Identifier: Apache-2.0
// Small tables, and trees as lines of text.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bough/explain.hpp"
#include "bough/model.hpp"

namespace bough::quinlan {

/// The 14 days of Quinlan (1993), with numbers for temperature and humidity.
inline const char* const kWeather =
    "outlook,temperature,humidity,windy,play\n"
    "sunny,85,85,FALSE,no\n"
    "sunny,80,90,TRUE,no\n"
    "overcast,83,86,FALSE,yes\n"
    "rainy,70,96,FALSE,yes\n"
    "rainy,68,80,FALSE,yes\n"
    "rainy,65,70,TRUE,no\n"
    "overcast,64,65,TRUE,yes\n"
    "sunny,72,95,FALSE,no\n"
    "sunny,69,70,FALSE,yes\n"
    "rainy,75,80,FALSE,yes\n"
    "sunny,75,70,TRUE,yes\n"
    "overcast,72,90,TRUE,yes\n"
    "overcast,81,75,FALSE,yes\n"
    "rainy,71,91,TRUE,no\n";

/// The same days in words (Quinlan 1986).
inline const char* const kTennis =
    "outlook,temperature,humidity,windy,play\n"
    "sunny,hot,high,FALSE,no\n"
    "sunny,hot,high,TRUE,no\n"
    "overcast,hot,high,FALSE,yes\n"
    "rainy,mild,high,FALSE,yes\n"
    "rainy,cool,normal,FALSE,yes\n"
    "rainy,cool,normal,TRUE,no\n"
    "overcast,cool,normal,TRUE,yes\n"
    "sunny,mild,high,FALSE,no\n"
    "sunny,cool,normal,FALSE,yes\n"
    "rainy,mild,normal,FALSE,yes\n"
    "sunny,mild,normal,TRUE,yes\n"
    "overcast,mild,high,TRUE,yes\n"
    "overcast,hot,normal,FALSE,yes\n"
    "rainy,mild,high,TRUE,no\n";

inline Params params_of(const std::string& algorithm,
                        const std::vector<std::pair<std::string, std::string>>& more = {}) {
  Params params;
  params.algorithm = algorithm;
  for (const auto& [name, text] : more) set_param(params, name, text);
  return params;
}

inline Model grow(const Table& table, const std::string& target, const Params& params,
                  const std::string& weight = {}) {
  FitSpec spec;
  spec.targets = {target};
  spec.weight = weight;
  return fit(table, spec, params);
}

inline Model grow(const std::string& csv, const std::string& target, const Params& params,
                  const std::string& weight = {}) {
  return grow(parse_table(csv), target, params, weight);
}

inline std::vector<double> values_of(const Tree& tree, NodeId node) {
  std::vector<double> values(tree.value_width());
  tree.values(node, values);
  return values;
}

/// One line per branch: its test, and for a leaf class, weight and errors in J48's way.
inline std::string outline(const Model& model, NodeId node = 0, int depth = 0) {
  const Tree& tree = model.tree();
  const auto answer = [&](NodeId leaf) {
    const std::vector<double> values = values_of(tree, leaf);
    const auto best = std::max_element(values.begin(), values.end());
    const double errors = tree.weight(leaf) > 0.0 ? tree.weight(leaf) - *best : 0.0;
    return fmt::format(
        ": {} {:.2f}/{:.2f}\n",
        model.targets().fields[0].levels.names[static_cast<std::size_t>(best - values.begin())],
        tree.weight(leaf), errors);
  };
  if (tree.is_leaf(node)) return answer(node);
  std::string text;
  for (std::size_t i = 0; i < tree.children(node).size(); ++i) {
    const NodeId child = tree.children(node)[i];
    for (int d = 0; d < depth; ++d) text += "| ";
    text += condition_text(model, tree, node, static_cast<std::int32_t>(i), 6);
    text += tree.is_leaf(child) ? answer(child) : fmt::format("\n{}", outline(model, child, depth + 1));
  }
  return text;
}

}  // namespace bough::quinlan
