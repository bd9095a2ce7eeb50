// SPDX-License-Identifier: Apache-2.0
// Exact Shapley values of a model's answers (TreeSHAP).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bough/model.hpp"

namespace bough {

struct ShapSpec {
  /// Null: path-dependent values, where a column that is not known sends a row to every child by its share of
  /// the training weight. Else interventional values: the cells of unknown columns come from these rows, one
  /// after the other.
  const Table* background = nullptr;
};

/// One number that is explained.
struct ShapOutput {
  std::string target;
  std::string label;  ///< the class; empty for a number
};

struct ShapValues {
  std::int64_t n_rows = 0;
  std::size_t n_columns = 0;        ///< features of the model
  std::vector<ShapOutput> outputs;  ///< chances of all classes of all targets, or the number of every target
  std::vector<double> values;       ///< values[(row * n_columns + column) * outputs.size() + output]
  std::vector<double> expected;     ///< per output: the answer when nothing is known

  [[nodiscard]] double at(std::int64_t row, std::size_t column, std::size_t output) const {
    return values[(static_cast<std::size_t>(row) * n_columns + column) * outputs.size() + output];
  }
};

/// For every row, column and output the Shapley value: `expected` plus the sum over columns is what the model
/// answers (the chance of a class, the number), for single trees and for several that are averaged or vote.
/// Cost per row: nodes * depth * outputs, and once more for every background row that goes other ways. The
/// same bits for any number of threads. Throws not_supported, naming node and way out, for oblique tests, for
/// trees deeper than 2,000, and for rows whose missing cell is decided by surrogates (or, in a vote, shared);
/// missing cells in parts and rows that stop are exact.
ShapValues shap_values(const Model& model, const Table& rows, const ShapSpec& spec = {},
                       const Execution& execution = {});
/// `expected` alone.
std::vector<double> shap_expected(const Model& model, const ShapSpec& spec = {});
/// Columns, outputs, expected, and rows[row][column][output].
std::string to_json(const Model& model, const ShapValues& shap);

}  // namespace bough
