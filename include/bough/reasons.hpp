// SPDX-License-Identifier: Apache-2.0
// Which tests moved an answer: changes of the node values along the way of a row, per column, per row and per
// leaf.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bough/model.hpp"
#include "bough/shap.hpp"

namespace bough {

struct ReasonsSpec {
  std::string target{};  ///< empty: the first
  std::string label{};   ///< the class whose chance is followed; empty: the one that is predicted
  std::size_t most = 3;  ///< reasons told in sentences
};

/// What the tests of one column did to the answer.
struct Reason {
  ColId column = 0;
  std::string name;
  std::string tests;    ///< what held on the way, in words: "age > 30 and age <= 41.5" (of the first trees,
                        ///< when there are many)
  double change = 0.0;  ///< of the chance or number, summed over the tests on the way, mean over the trees
};

struct Reasons {
  std::string target;
  std::string label;            ///< the class followed; empty for a number
  double base = 0.0;            ///< value of the root: what holds for all training rows
  double value = 0.0;           ///< what the row gets: base plus all changes
  std::vector<Reason> reasons;  ///< largest change first, columns that were not tested left out
  std::vector<std::string> sentences;
};

/// Follows the value of the nodes from the root to the row's leaf: every test is credited with the change it
/// makes (Saabas 2014). Simple and additive, but tests near the leaf get more than their due; shap_values()
/// divides fairly. Throws bad_params for a row (from 0), target or class that does not exist, not_supported
/// for oblique tests, and for votes of trees over which a row is shared.
Reasons top_reasons(const Model& model, const Table& table, std::int64_t row, const ReasonsSpec& spec = {});
std::string to_json(const Reasons& reasons);

/// The same changes for all rows and outputs, laid out like Shapley values; `expected` holds the roots.
ShapValues path_changes(const Model& model, const Table& rows, const Execution& execution = {});

/// What leads to each leaf of a tree.
struct LeafChanges {
  std::vector<NodeId> leaves;  ///< increasing
  std::size_t n_columns = 0;
  std::vector<ShapOutput> outputs;
  std::vector<double> values;  ///< values[(leaf number * n_columns + column) * outputs.size() + output]
};
/// The changes of the node values on the way to every leaf. Throws as top_reasons() does, and not_supported
/// when leaves, columns and outputs make more than 200 million numbers.
LeafChanges leaf_changes(const Model& model, std::size_t tree = 0);

}  // namespace bough
